// The review of a whole game: asked of the server, kept with the nodes, shown as a curve, a summary and its worst moments.

import { analyses } from "./api.js";
import { $, button, el, toast } from "./dom.js";
import { errorText, sideName, t, word, worded } from "./i18n.js";
import { lossClass } from "./kit/overlay.js";
import { deckRow, learn, startLearning } from "./deck.js";
import { moveNumber } from "./moves.js";
import { stopPlaying } from "./opponent.js";
import { backOff } from "./retry.js";
import { whyList } from "./why.js";
import { boardAfter, changed, goTo, recordOf, stopAnalysis } from "./state.js";

const MARKED = ["inaccuracy", "mistake", "blunder"];
/** One's `own` is in seconds for each position. */
const EFFORTS = ["quick", "normal", "deep", "own"];
const SHOWN = 8;

/** The line that is reviewed: where we are, and on by the first moves.
 *  @param {State} state */
function lineOf(state) {
  let end = state.node;
  while (end.children.length) end = end.children[0];
  const nodes = [];
  for (let node = end; node.parent; node = node.parent) nodes.unshift(node);
  return nodes;
}

/** @param {GameNode[]} nodes
 *  @returns {Review} */
const makeReview = (nodes) => ({ nodes, turns: [], of: nodes.length, running: false, failures: 0, learn: null, side: "", shown: null });

/** The curve and the summary are loaded with the first review.
 *  @type {typeof import("./reviewparts.js") | null} */
let parts = null;

/** @param {State} state */
async function loadParts(state) {
  parts = await import("./reviewparts.js");
  changed(state);
}

/** @param {State} state
 *  @returns {number} */
const secondsOf = ({ reviewed }) => reviewed?.seconds || 1;

/** Shows the panel from its top, where it stands once there is a review. At the very top the browser does not scroll as it grows. */
const toTop = () => requestAnimationFrame(() => { $("side").scrollTop = 0; scrollTo(0, 0); });

/** @param {State} state
 *  @param {string} [effort] */
export function startReview(state, effort = state.reviewed?.effort || "normal") {
  const nodes = lineOf(state);
  if (!nodes.length) { toast(t("review.empty")); return; }
  stopAnalysis(state);
  state.review = makeReview(nodes);
  state.resultClosed = nodes.at(-1);
  if (state.opponent && state.result) stopPlaying(state);
  if (!parts) loadParts(state);
  state.reviewed = { effort, seconds: secondsOf(state), done: false, of: nodes.length };
  follow(state, state.review);
  toTop();
}

/** Asks for a review. One that is under way or done already is sent from its beginning, so it can be asked for again.
 *  @param {State} state
 *  @param {Review} review */
function follow(state, review) {
  const { nodes } = review;
  review.running = true;
  const { effort } = state.reviewed;
  const asked = effort === "own" ? { seconds: secondsOf(state) } : { effort };
  analyses.send("review", { type: "review", record: recordOf(state, nodes.at(-1)), ...asked }, (message) => {
    if (message.type === "turn") {
      const { turn } = message;
      review.failures = 0;
      review.turns[turn.number - 1] = turn;
      const node = nodes[turn.number - 1];
      const { of, ...kept } = turn;
      Object.assign(node, { loss: turn.loss, review: { ...kept, value: turn.winrate } });
      state.reviewed = { ...state.reviewed, searched: turn.searched };
    } else if (message.type === "summary") {
      state.reviewed = { ...state.reviewed, done: true, summary: message.summary };
    } else if (message.type === "lost" && review.running) {
      review.failures++;
      setTimeout(() => review.running && state.review === review && follow(state, review), 1000 * backOff(review.failures));
    } else {
      review.running = false;
      if (message.type === "error") toast(errorText(message));
    }
    changed(state);
  }).catch((error) => { review.running = false; toast(error.message); });
  changed(state);
}

/** The review that was saved with the nodes of the main line; one that was under way goes on.
 *  @param {State} state */
export function restoreReview(state) {
  const nodes = [];
  for (let node = state.root.children[0]; node; node = node.children[0]) nodes.push(node);
  const turns = nodes.map((node) => /** @type {any} */ (node.review)).filter(Boolean);
  if (!turns.length && !state.reviewed) return;
  state.review = Object.assign(makeReview(nodes), { turns });
  state.resultClosed = nodes.at(-1);
  if (!parts) loadParts(state);
  if (state.reviewed?.done === false && state.reviewed.of === nodes.length) follow(state, state.review);
}

/** @param {State} state */
export function stopReview(state) {
  analyses.stop("review");
  if (state.review) state.review.running = false;
  if (state.reviewed) state.reviewed = { ...state.reviewed, done: null };
  changed(state);
}

/** The marked moves of the chosen side, as they were played.
 *  @param {Review} review */
export const mistakes = (review) => review.turns.filter((turn) => turn && MARKED.includes(turn.label) && (!review.side || turn.side === review.side));

/** @param {State} state */
export function reviewPanel(state) {
  const { review, reviewed } = state;
  const effort = el("select", {
    id: "review-effort", "aria-label": t("review.effort"), disabled: Boolean(review?.running),
    onchange: (event) => { state.reviewed = { ...state.reviewed, effort: event.target.value }; changed(state); },
  }, EFFORTS.map((name) => el("option", { value: name, selected: name === (reviewed?.effort || "normal") }, t(`review.effort.${name}`))));
  const head = el("header", {},
    review?.running
      ? button(t("review.stop"), t("review.stop"), () => stopReview(state), { id: "review" })
      : button(t("review"), t("review.help"), () => startReview(state), { id: "review", disabled: !state.root.children.length }),
    effort,
    reviewed?.effort === "own" ? el("input", {
      id: "review-seconds", type: "number", min: "0.1", max: "10", step: "0.1", "aria-label": t("review.effort.own"), value: String(secondsOf(state)), disabled: Boolean(review?.running),
      onchange: (event) => { state.reviewed = { ...state.reviewed, seconds: Math.min(10, Math.max(0.1, Number(event.target.value) || 1)) }; changed(state); },
    }) : null,
    review?.running || review?.turns.length ? el("span", { class: "dim", id: "review-progress" }, t("review.progress", { done: review.turns.length, of: review.of }),
      reviewed?.searched ? ` · ${word(reviewed.searched)}` : "") : null);
  const panel = (/** @type {any[]} */ ...parts) => el("section", { class: "panel review", "aria-label": t("review") }, head, ...parts);
  const drawn = review?.turns.length && parts ? parts.curve(state, review, jump) : null;
  if (review?.learn) return panel(drawn, learn.module.learning(state, review));
  if (!review || !review.turns.length) return panel(deckRow(state, []));
  const found = mistakes(review);
  const worst = found.slice().sort((a, b) => b.loss - a.loss).slice(0, SHOWN);
  return panel(drawn, reviewed?.summary && parts ? parts.summaryTable(state, reviewed.summary) : null, sides(state, review),
    worst.length ? el("ol", { class: "mistakes" }, worst.map((turn) => mistakeRow(state, review, turn)))
      : review.running ? null : el("p", { class: "dim" }, t("review.none")),
    !review.running && found.length
      ? el("div", { class: "row" }, button(t("learn"), t("learn.help"), () => startLearning(state, review, found), { class: "primary", id: "learn" })) : null,
    review.running ? null : deckRow(state, found.map((turn) => ({ turn, record: recordOf(state, review.nodes[turn.number - 1].parent) }))));
}

/** Whose mistakes are listed and learned from.
 *  @param {State} state
 *  @param {Review} review */
function sides(state, review) {
  const names = ["", ...new Set(review.turns.map((turn) => turn.side))];
  return el("div", { class: "row small", role: "group", "aria-label": t("review.side") }, names.map((side) => button(
    side ? sideName(side) : t("review.both"), t("review.side"), () => { review.side = side; changed(state); },
    { class: "quiet", "data-whose": side || "both", "aria-pressed": String(review.side === side) })));
}

/** @param {State} state
 *  @param {Review} review
 *  @param {Turn} turn */
function mistakeRow(state, review, turn) {
  const shown = review.shown === turn.number;
  const points = turn.points && state.info.page.points ? ` ${t("review.pointsLost", { points: turn.points.toFixed(1) })}` : "";
  return el("li", { class: shown ? "shown" : null }, el("button", {
    type: "button", class: "link", "data-turn": String(turn.number), "aria-expanded": String(shown), onclick: () => showMistake(state, review, turn),
  }, el("i", { class: `swatch ${lossClass(turn.loss)}` }), `${moveNumber(state.info.page.numbering, turn.number, true)} ${sideName(turn.side)} ${turn.played}`), " ",
  el("span", { class: "label" }, t(`label.${turn.label}`)), " ",
  el("span", { class: "dim" }, t("review.costBetter", { cost: (100 * turn.loss).toFixed(1), best: turn.bestName }), points),
  shown ? betterLine(state, review, turn) : null, reasons(state, review, turn));
}

/** Shows the position before a mistake, with what was played and what was better as arrows.
 *  @param {State} state
 *  @param {Review} review
 *  @param {Turn} turn */
async function showMistake(state, review, turn) {
  const node = review.nodes[turn.number - 1];
  review.shown = turn.number;
  await goTo(state, node.parent);
  state.judged = { node: node.parent, moves: [{ move: node.move, kind: "played" }, { move: turn.best, kind: "better" }] };
  changed(state);
}

/** The better line: each of its moves shows the board after it.
 *  @param {State} state
 *  @param {Review} review
 *  @param {Turn} turn */
function betterLine(state, review, turn) {
  const before = review.nodes[turn.number - 1].parent;
  const moves = turn.moves || [];
  return el("div", { class: "better", "aria-label": t("review.betterLine") }, el("span", { class: "dim" }, `${t("review.betterLine")} `),
    turn.line.map((name, index) => el("button", {
      type: "button", class: "move", "data-step": String(index), "aria-pressed": String(state.preview?.source === moves && state.preview.line.length === index + 1),
      onclick: () => showLine(state, before, moves, index + 1),
    }, name)));
}

/** @param {State} state
 *  @param {GameNode} before
 *  @param {string[]} moves
 *  @param {number} count */
export async function showLine(state, before, moves, count) {
  const line = moves.slice(0, count);
  state.preview = { source: moves, line, board: state.preview?.source === moves ? state.preview.board : null, fixed: true };
  const board = state.info.hides ? null : await boardAfter(state, line, before);
  if (state.preview?.source !== moves || state.preview.line !== line) return;
  state.preview = { source: moves, line, board, fixed: true };
  changed(state);
}

/** @param {State} state
 *  @param {Review} review
 *  @param {number} number */
function jump(state, review, number) {
  const turn = review.turns[number - 1];
  if (turn && MARKED.includes(turn.label)) return showMistake(state, review, turn);
  review.shown = null;
  return goTo(state, review.nodes[number - 1]);
}

/** Why a move was a mistake: facts, or that none was found.
 *  @param {State} state
 *  @param {Review} review
 *  @param {Turn} turn */
const reasons = (state, review, turn) => whyList(state, turn.why || [], review.nodes[turn.number - 1].parent)
  || (turn.said?.length ? el("div", { class: "dim" }, worded(turn.said, "; ")) : null);
