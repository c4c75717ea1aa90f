// Agreeing on the score after play has stopped: dead stones are proposed, marked, accepted, or play goes on.

import { button, el, toast } from "./dom.js";
import { post } from "./api.js";
import { sideName, t, word } from "./i18n.js";
import { changed, play, recordOf } from "./state.js";

/** The score as it is marked, and what can be done about it. `agreed` are the seats that accept it, where there are some.
 *  @param {Count} count
 *  @param {{ accept: (() => unknown) | null, resume: (() => unknown) | null, agreed?: string[], refused?: boolean }} given */
export function countPanel(count, { accept, resume, agreed = [], refused = false }) {
  return el("section", { class: "panel count", id: "count", "aria-label": t("count.title") },
    el("h3", {}, t("count.title")),
    accept || resume ? el("p", { class: "dim" }, t("count.help")) : null,
    scoreLines(count.lines),
    refused ? el("p", { class: "error", id: "count-refused" }, t("count.refused")) : null,
    agreed.length ? el("p", { class: "dim", id: "count-agreed" }, t("count.agreed", { sides: agreed.map(sideName).join(", ") })) : null,
    el("div", { class: "row" },
      accept ? button(t("count.accept"), t("count.accept"), accept, { class: "primary", id: "count-accept" }) : null,
      resume ? button(t("count.resume"), t("count.resume.help"), resume, { id: "count-resume" }) : null));
}

/** What the points of each side are made of, and who wins.
 *  @param {Sentence[]} lines */
export const scoreLines = (lines) => el("ul", { class: "score-lines" },
  lines.map((line, n) => el("li", { class: n === lines.length - 1 ? "score-result" : null }, word(line))));

/** @param {State} state */
const isCounting = ({ node }) => Boolean(node.board?.counting) && !node.children.length;

/** Asks for the dead stones when play has stopped; called after every change of the state.
 *  @param {State} state */
export function followCount(state) {
  const { node } = state;
  if (!isCounting(state)) { if (state.count && state.count.node !== node) state.count = null; return; }
  if (state.count?.node === node) return;
  state.count = { node, counted: null, refused: false };
  ask(state, {});
}

/** @param {State} state
 *  @param {Record<string, any>} more
 *  @param {boolean} [refused] */
async function ask(state, more, refused = false) {
  const { node } = state;
  try {
    const counted = await post("/api/count", { record: recordOf(state, node), ...more });
    if (state.count?.node === node) state.count = { node, counted, refused };
    changed(state);
    return counted;
  } catch (error) { toast(error.message); return null; }
}

/** Marks a stone, and what is connected to it, as dead; or as alive if it was.
 *  @param {State} state
 *  @param {string} place */
export function toggleDead(state, place) {
  const counted = state.count?.counted;
  if (counted) ask(state, { dead: counted.dead, toggle: place });
}

/** @param {State} state */
async function accept(state) {
  const { node } = state;
  let { counted } = state.count;
  const { opponent } = state;
  if (opponent) {
    const engine = node.board.sides.find((side) => side !== opponent.you);
    const answer = await ask(state, { dead: counted.dead, engine });
    if (!answer) return;
    if (!answer.agrees) { await ask(state, {}, true); return; }
    counted = answer;
  }
  if (state.node === node) await play(state, counted.move);
}

/** @param {State} state */
export function studyCountPanel(state) {
  if (!isCounting(state) || !state.count?.counted) return null;
  return countPanel(state.count.counted, { accept: () => accept(state), resume: () => play(state, "resume"), refused: state.count.refused });
}
