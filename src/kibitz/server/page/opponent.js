// A game against the engine, at a level from beginner up, with hint and take-back.

import { analyses, post } from "./api.js";
import { button, el, toast } from "./dom.js";
import { sideName, t } from "./i18n.js";
import { changed, goTo, play, recordOf, removeNode, requestOf, stopAnalysis } from "./state.js";

export function opponentPanel(state) {
  if (state.info.hides) return null;
  const { opponent } = state;
  const label = t("play.title");
  if (!opponent) {
    return el("section", { class: "panel opponent", "aria-label": label },
      el("div", { class: "row" },
        el("b", {}, label),
        el("select", { id: "play-side", "aria-label": t("play.side") }, state.info.sides.map((side) => el("option", { value: side }, sideName(side)))),
        el("select", { id: "play-level", "aria-label": t("play.level") },
          state.info.levels.map((name, n) => el("option", { value: name, selected: n === 2 }, t("play.levelName", { level: n + 1 })))),
        button(t("play.start"), t("play.start"), () => begin(state), { class: "primary", id: "play-start" })));
  }
  return el("section", { class: "panel opponent", "aria-label": label },
    el("div", { class: "row" },
      el("b", {}, t("play.now", { side: sideName(opponent.you), level: state.info.levels.indexOf(opponent.level) + 1 })),
      opponent.thinking ? el("span", { class: "dim", id: "thinking" }, t("play.thinking")) : null),
    opponent.hint ? el("p", { id: "hint-text" }, t("play.hintText", { move: opponent.hint })) : null,
    el("div", { class: "row" },
      button(t("play.hint"), t("play.hint"), () => hint(state), { id: "hint", disabled: opponent.thinking }),
      button(t("play.takeBack"), t("play.takeBack"), () => takeBack(state), { id: "take-back", disabled: opponent.thinking || !state.node.parent }),
      button(t("play.end"), t("play.end"), () => { state.opponent = null; state.showCandidates = true; changed(state); }, { id: "play-end" })));
}

const chosen = (id) => document.getElementById(id).value;

export function begin(state) {
  stopAnalysis(state);
  state.opponent = { you: chosen("play-side"), level: chosen("play-level"), thinking: false, hint: "" };
  state.showCandidates = false;
  changed(state);
  return answer(state);
}

/** The opponent moves when it is its turn. */
export async function answer(state) {
  const { opponent, node } = state;
  const { board } = node;
  if (!opponent || opponent.thinking || board.over || board.mover === opponent.you || node.children.length) return;
  opponent.thinking = true;
  opponent.hint = "";
  changed(state);
  try {
    const { move } = await post("/api/move", { record: recordOf(state, node), level: opponent.level });
    if (state.opponent === opponent && state.node === node) await play(state, move);
  } catch (error) { toast(error.message); }
  opponent.thinking = false;
  changed(state);
  if (state.opponent === opponent && state.node !== node) await answer(state); // where the other side must pass
}

function hint(state) {
  const { opponent, node } = state;
  analyses.start("hint", requestOf(state, { budget: { seconds: 1 }, top: 3 }), (message) => {
    if (message.type !== "report" || !message.report.final || state.node !== node) return;
    const { best } = message.report;
    opponent.hint = node.board.moveNames[best] || best;
    changed(state);
  });
}

/** Back to your last turn; the moves since then are gone. */
async function takeBack(state) {
  let { node } = state;
  do { removeNode(state, node); node = node.parent; } while (node.parent && node.board?.mover !== state.opponent.you);
  state.opponent.hint = "";
  await goTo(state, node);
  await answer(state);
}
