// A game against the engine, at a level from beginner up, with hint and take-back.

import { analyses, post } from "./api.js";
import { button, el, toast } from "./dom.js";
import { levelName, sideName, t } from "./i18n.js";
import { changed, goTo, play, recordOf, removeNode, requestOf, stopAnalysis } from "./state.js";

export function opponentPanel(state) {
  const { opponent, node } = state;
  const label = t("play.title");
  if (state.info.hides) {
    return el("section", { class: "panel opponent", "aria-label": label },
      el("div", { class: "row" }, el("b", {}, label),
        choose(state, "players", t("new.players"), ["4", "2"].map((count) => [count, t("play.players", { count })])), levelChoice(state), button(t("play.start"), t("play.start"), () => beginInRoom(state).catch((error) => toast(error.message)), { class: "primary", id: "play-start" })),
      el("p", { class: "dim" }, t("play.inRoom")));
  }
  if (!opponent) {
    return el("section", { class: "panel opponent", "aria-label": label },
      el("div", { class: "row" },
        el("b", {}, label),
        choose(state, "side", t("play.side"), state.info.sides.map((side) => [side, sideName(side)])),
        levelChoice(state),
        button(t("play.start"), t("play.start"), () => begin(state), { class: "primary", id: "play-start" })));
  }
  return el("section", { class: "panel opponent", "aria-label": label },
    el("div", { class: "row" },
      el("b", {}, t("play.now", { side: sideName(opponent.you), level: levelName(state.info.levels, opponent.level) })),
      opponent.thinking ? el("span", { class: "dim", id: "thinking" }, t("play.thinking")) : null),
    opponent.hint && opponent.hintAt === node ? el("p", { id: "hint-text" }, t("play.hintText", { move: opponent.hint })) : null,
    el("div", { class: "row" },
      button(t("play.hint"), t("play.hint"), () => hint(state), { id: "hint", disabled: opponent.thinking || node.board.over }),
      button(t("play.takeBack"), t("play.takeBack"), () => takeBack(state), { id: "take-back", disabled: opponent.thinking || !state.node.parent }),
      button(t("play.end"), t("play.end"), () => { state.opponent = null; state.showCandidates = true; changed(state); }, { id: "play-end" })));
}

/** A choice that is kept in the state, so that the panel can be drawn anew meanwhile. */
function choose(state, name, label, options, usual = 0) {
  state.wishes ??= {};
  state.wishes[name] ??= options[usual][0];
  return el("select", { id: `play-${name}`, "aria-label": label, onchange: (event) => { state.wishes[name] = event.target.value; } },
    options.map(([value, text]) => el("option", { value, selected: value === state.wishes[name] }, text)));
}

const levelChoice = (state) => choose(state, "level", t("play.level"), state.info.levels.map((name) => [name, levelName(state.info.levels, name)]), 2);

/** A game with secrets is a room, where the server keeps them: you sit below, the engine everywhere else. */
async function beginInRoom(state) {
  const { level } = state.wishes, players = Number(state.wishes.players);
  const [you, ...others] = players === 4 ? ["S", "E", "N", "W"] : ["S", "N"];
  const engines = Object.fromEntries(others.map((seat) => [seat, level]));
  const { id } = await post("/api/rooms", { new: { game: state.game, players }, engines });
  location.assign(`room.html?id=${encodeURIComponent(id)}&sit=${you}`);
}

export function begin(state) {
  stopAnalysis(state);
  state.opponent = { you: state.wishes.side, level: state.wishes.level, thinking: false, hint: "" };
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
    Object.assign(opponent, { hint: node.board.moveNames[best] || best, hintAt: node });
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
