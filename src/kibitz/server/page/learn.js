// Learn from your mistakes: the board asks, a wrong try is answered by its refutation, a right one is praised.

import { post } from "./api.js";
import { button, el, toast } from "./dom.js";
import { sideName, t } from "./i18n.js";
import { playLine, stopPreview } from "./analysis.js";
import { changed, goTo, recordOf } from "./state.js";

/** A task: a mistake, and the node before it. `done` is called once with whether it was found without help.
 *  @param {State} state
 *  @param {Review} review */
export function learning(state, review) {
  const { learn } = review;
  const turn = learn.turns[learn.at];
  if (!turn) return null;
  const over = learn.good || learn.shown;
  const goesOn = learn.at + 1 < learn.turns.length || (over && learn.more());
  return el("div", { class: "learn", id: "learning" },
    el("p", {}, el("b", {}, t("learn.task", { number: Math.ceil(turn.number / state.info.page.numbering), side: sideName(turn.side), played: turn.played })), " ",
      el("span", { class: "dim" }, `${learn.at + 1}/${learn.turns.length}`)),
    learn.verdict ? el("p", { class: learn.good ? "good" : learn.refuted ? "error" : "", id: "verdict", role: "status" }, learn.verdict) : null,
    el("div", { class: "row" },
      learn.refuted && !over ? button(t("learn.retry"), t("learn.retry"), () => retry(state, review), { id: "learn-retry" }) : null,
      over ? null : button(t("learn.show"), t("learn.show"), () => showAnswer(state, review), { id: "learn-show" }),
      button(goesOn ? t("learn.next") : t("learn.end"), t("learn.next"), () => nextTask(state, review), { id: "learn-next", class: over ? "primary" : "" }),
      button("×", t("close"), () => endLearning(state, review), { id: "learn-end", class: "quiet" })));
}

/** @param {State} state
 *  @param {Review} review
 *  @param {Turn[]} turns
 *  @param {Learn["done"]} [done]
 *  @param {Learn["more"]} [more] */
export function startLearning(state, review, turns, done = () => {}, more = () => null) {
  review.learn = { turns, at: -1, verdict: "", good: false, shown: false, refuted: false, failed: false, done, more, look: { seat: state.seat, below: state.below } };
  state.showCandidates = false;
  return nextTask(state, review);
}

/** @param {State} state
 *  @param {Review} review */
async function nextTask(state, review) {
  const { learn } = review;
  const more = (learn.good || learn.shown) && learn.at + 1 === learn.turns.length && learn.more();
  stopPreview(state);
  Object.assign(learn, { at: learn.at + 1, verdict: "", good: false, shown: false, refuted: false, failed: false });
  const turn = learn.turns[learn.at];
  if (!turn) { await endLearning(state, review); return more ? more() : null; }
  // Where something is hidden, a move is to be found by what its player could know.
  if (state.info.hides) Object.assign(state, { seat: turn.side, below: turn.side });
  else if (state.info.page.turns && review.side) state.below = review.side;
  await goTo(state, review.nodes[turn.number - 1].parent);
  state.guess = (move) => tryMove(state, review, turn, move);
  state.judged = null;
  changed(state);
}

/** @param {State} state
 *  @param {Review} review */
function endLearning(state, review) {
  stopPreview(state);
  Object.assign(state, { showCandidates: true, guess: null, judged: null, ...review.learn.look });
  review.learn = null;
  return goTo(state, state.node);
}

/** @param {State} state
 *  @param {Review} review */
function retry(state, review) {
  stopPreview(state);
  Object.assign(review.learn, { verdict: "", refuted: false });
  changed(state);
}

/** @param {State} state
 *  @param {Review} review */
function showAnswer(state, review) {
  const { learn } = review;
  const turn = learn.turns[learn.at];
  stopPreview(state);
  Object.assign(learn, { shown: true, verdict: t("learn.answer", { best: turn.bestName, line: turn.line.join(" ") }) });
  state.judged = { node: state.node, moves: [{ move: turn.best, kind: "better" }] };
  if (!learn.failed) learn.done(turn, false);
  learn.failed = true;
  changed(state);
}

/** Is a try as good as the answer? The server judges it as the review would, and says how it is refuted.
 *  @param {State} state
 *  @param {Review} review
 *  @param {Turn} turn
 *  @param {string} move */
async function tryMove(state, review, turn, move) {
  const { learn } = review;
  if (learn.good) return;
  /** @param {string} verdict */
  const praise = (verdict) => {
    Object.assign(learn, { good: true, refuted: false, verdict });
    state.judged = { node: state.node, moves: [{ move, kind: "better" }] };
    if (!learn.failed) learn.done(turn, true);
    changed(state);
  };
  if (move === turn.best) return praise(t("learn.good"));
  Object.assign(learn, { verdict: t("learn.thinking"), refuted: false });
  changed(state);
  try {
    const judged = await post("/api/reviews/try", { record: recordOf(state), move, best: turn.best });
    if (review.learn !== learn || learn.turns[learn.at] !== turn) return;
    const repeated = move === turn.move;
    if (judged.good && !repeated) return praise(t("learn.alsoGood", { best: turn.bestName }));
    if (!learn.failed) learn.done(turn, false);
    const [tried, ...reply] = judged.names;
    const cost = (100 * Math.max(judged.loss, repeated ? turn.loss : 0)).toFixed(0);
    Object.assign(learn, {
      failed: true, refuted: true,
      verdict: reply.length ? t("learn.refuted", { move: tried, reply: reply.slice(0, 3).join(" "), cost }) : t("learn.again"),
    });
    playLine(state, judged.line.slice(0, 4));
    changed(state);
  } catch (error) { learn.verdict = ""; toast(error.message); changed(state); }
}
