// The review of a whole game, and learning from its mistakes.

import { analyses } from "./api.js";
import { button, el, toast } from "./dom.js";
import { shape } from "./kit/svg.js";
import { sideName, t } from "./i18n.js";
import { lossClass } from "./kit/overlay.js";
import { changed, goTo, recordOf, requestOf, stopAnalysis } from "./state.js";

const MISTAKE = 0.05;
const GOOD = 0.03;
const SHOWN = 6;

/** The line that is reviewed: where we are, and on by the first moves. */
function lineOf(state) {
  let end = state.node;
  while (end.children.length) end = end.children[0];
  const nodes = [];
  for (let node = end; node.parent; node = node.parent) nodes.unshift(node);
  return nodes;
}

export function startReview(state) {
  const nodes = lineOf(state);
  if (!nodes.length) { toast(t("review.empty")); return; }
  stopAnalysis(state);
  const review = { nodes, turns: [], of: nodes.length, running: true, learn: null };
  state.review = review;
  analyses.send("review", { type: "review", record: recordOf(state, nodes.at(-1)), seconds: 0.5 }, (message) => {
    if (message.type === "turn") {
      const { turn } = message;
      review.turns.push(turn);
      nodes[turn.number - 1].loss = turn.loss;
    } else {
      review.running = false;
      if (message.type === "error") toast(message.error);
    }
    changed(state);
  }).catch((error) => toast(error.message));
  changed(state);
}

export function stopReview(state) {
  analyses.stop("review");
  if (state.review) state.review.running = false;
  changed(state);
}

export const mistakes = (review) => review.turns.filter((turn) => turn.loss > MISTAKE);

export function reviewPanel(state) {
  const { review } = state;
  const head = el("header", {},
    review?.running
      ? button(t("review.stop"), t("review.stop"), () => stopReview(state), { id: "review" })
      : button(t("review"), t("review.help"), () => startReview(state), { id: "review", disabled: !state.root.children.length }),
    review ? el("span", { class: "dim", id: "review-progress" }, t("review.progress", { done: review.turns.length, of: review.of })) : null);
  if (!review || !review.turns.length) return el("section", { class: "panel review", "aria-label": t("review") }, head);
  const worst = mistakes(review).slice().sort((a, b) => b.loss - a.loss).slice(0, SHOWN);
  return el("section", { class: "panel review", "aria-label": t("review") }, head, curve(state, review),
    review.learn ? null // the list tells the answers
      : worst.length ? el("ol", { class: "mistakes" }, worst.map((turn) => el("li", {}, el("button", {
      type: "button", class: "link", "data-turn": String(turn.number), onclick: () => goTo(state, review.nodes[turn.number - 1]),
    }, el("i", { class: `swatch ${lossClass(turn.loss)}` }), `${turn.number}. ${sideName(turn.side)} ${turn.played}`), " ",
    el("span", { class: "dim" }, t("review.cost", { cost: (100 * turn.loss).toFixed(1), best: turn.bestName })))))
      : review.running ? null : el("p", { class: "dim" }, t("review.none")),
    !review.running && worst.length ? learning(state, review) : null);
}

/** The first side's winrate over the game; a click jumps there. */
function curve(state, review) {
  const [wide, high] = [400, 110];
  const svg = shape("svg", { viewBox: `0 0 ${wide} ${high}`, class: "curve", role: "img", "aria-label": t("review.curve") });
  const x = (number) => (wide * number) / Math.max(1, review.of);
  const y = (winrate) => high * (1 - winrate);
  svg.append(shape("line", { x1: 0, y1: high / 2, x2: wide, y2: high / 2, class: "curve-middle" }));
  const points = review.turns.map((turn) => `${x(turn.number).toFixed(1)},${y(turn.winrate).toFixed(1)}`);
  if (points.length > 1) svg.append(shape("polyline", { points: points.join(" "), class: "curve-line" }));
  for (const turn of mistakes(review)) svg.append(shape("circle", { cx: x(turn.number), cy: y(turn.winrate), r: 4, class: `curve-dot ${lossClass(turn.loss)}` }));
  const here = review.nodes.indexOf(state.node) + 1;
  if (here) svg.append(shape("line", { x1: x(here), y1: 0, x2: x(here), y2: high, class: "curve-here" }));
  svg.onclick = (event) => {
    const box = event.currentTarget.getBoundingClientRect(); // of the one that is drawn: `redraw` keeps elements
    const number = Math.round(((event.clientX - box.left) / box.width) * review.of);
    const node = review.nodes[Math.min(review.nodes.length, Math.max(1, number)) - 1];
    if (node) goTo(state, node);
  };
  return el("div", { class: "curve-box", id: "curve" }, svg);
}

// -- learn from your mistakes -------------------------------------------------------------------------

function learning(state, review) {
  const { learn } = review;
  if (!learn) return el("div", { class: "row" }, button(t("learn"), t("learn.help"), () => startLearning(state, review), { class: "primary", id: "learn" }));
  const turn = learn.turns[learn.at];
  return el("div", { class: "learn", id: "learning" },
    el("p", {}, el("b", {}, t("learn.task", { number: turn.number, side: sideName(turn.side), played: turn.played })), " ",
      el("span", { class: "dim" }, `${learn.at + 1}/${learn.turns.length}`)),
    learn.verdict ? el("p", { class: learn.good ? "good" : learn.shown ? "" : "error", id: "verdict" }, learn.verdict) : null,
    el("div", { class: "row" },
      learn.good || learn.shown ? null : button(t("learn.show"), t("learn.show"), () => showAnswer(state, review), { id: "learn-show" }),
      button(learn.at + 1 < learn.turns.length ? t("learn.next") : t("learn.end"), t("learn.next"), () => nextMistake(state, review), { id: "learn-next", class: learn.good || learn.shown ? "primary" : "" }),
      button("×", t("close"), () => endLearning(state, review), { id: "learn-end", class: "quiet" })));
}

function startLearning(state, review) {
  review.learn = { turns: mistakes(review), at: -1, verdict: "", good: false, shown: false, look: { seat: state.seat, below: state.below } };
  state.showCandidates = false;
  return nextMistake(state, review);
}

async function nextMistake(state, review) {
  const { learn } = review;
  Object.assign(learn, { at: learn.at + 1, verdict: "", good: false, shown: false });
  const turn = learn.turns[learn.at];
  if (!turn) return endLearning(state, review);
  // Where something is hidden, a move is to be found by what its player could know.
  if (state.info.hides) Object.assign(state, { seat: turn.side, below: turn.side });
  const before = review.nodes[turn.number - 1].parent;
  await goTo(state, before);
  state.guess = (move) => tryMove(state, review, turn, move);
  changed(state);
}

function endLearning(state, review) {
  Object.assign(state, { showCandidates: true, guess: null, ...review.learn.look });
  review.learn = null;
  return goTo(state, state.node);
}

function showAnswer(state, review) {
  const turn = review.learn.turns[review.learn.at];
  Object.assign(review.learn, { shown: true, verdict: t("learn.answer", { best: turn.bestName, line: turn.line.join(" ") }) });
  changed(state);
}

/** Is a try as good as the answer? A short search is asked about it; the answer itself stays hidden. */
function tryMove(state, review, turn, move) {
  const { learn } = review;
  const judge = (good) => {
    Object.assign(learn, { good, verdict: good ? t("learn.good") : t("learn.again") });
    changed(state);
  };
  const played = review.nodes[turn.number - 1].move;
  if (move === turn.best) return judge(true);
  if (move === played) return judge(false);
  Object.assign(learn, { verdict: t("learn.thinking"), good: false });
  changed(state);
  const request = requestOf(state, { budget: { seconds: 1 } });
  request.steering = { include: { [move]: 100, [turn.best]: 100 } };
  return analyses.start("learn", request, (message) => {
    if (message.type === "report" && message.report.final) {
      const answer = message.report.answers.find((one) => one.move === move);
      judge(Boolean(answer) && answer.behind <= GOOD);
    }
    if (message.type === "error") toast(message.error);
  });
}
