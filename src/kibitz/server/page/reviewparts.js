// The curve of a review, with axes and phases, and the table that sums it up.

import { el } from "./dom.js";
import { shape, text } from "./kit/svg.js";
import { lossClass } from "./kit/overlay.js";
import { sideName, t } from "./i18n.js";
import { playerOf } from "./names.js";

const [WIDE, HIGH] = [420, 150];
const EDGE = { left: 34, right: 6, top: 8, bottom: 20 };
/** Room for the name of a phase. */
const LABEL = 60;
const SHOWN = ["brilliant", "inaccuracy", "mistake", "blunder"];

/** The first side's chances over the game. A click goes to the move, or to the position before a mistake.
 *  @param {State} state
 *  @param {Review} review
 *  @param {(state: State, review: Review, number: number) => unknown} jump */
export function curve(state, review, jump) {
  const first = sideName(state.node.board.sides[0]);
  const svg = shape("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, class: "curve", role: "img", "aria-label": t("review.curveOf", { side: first }) });
  /** @param {number} number */
  const x = (number) => EDGE.left + ((WIDE - EDGE.left - EDGE.right) * number) / Math.max(1, review.of);
  /** @param {number} winrate */
  const y = (winrate) => EDGE.top + (HIGH - EDGE.top - EDGE.bottom) * (1 - winrate);
  for (const share of [0, 0.5, 1]) {
    svg.append(shape("line", { x1: x(0), y1: y(share), x2: x(review.of), y2: y(share), class: "curve-middle" }),
      text(EDGE.left / 2, y(share), 10, `${100 * share}%`, { class: "curve-text" }));
  }
  const every = state.info.page.numbering || 1;
  const step = every * Math.max(1, Math.round(review.of / every / 6));
  for (let number = step; number <= review.of; number += step) svg.append(text(x(number), HIGH - 8, 10, String(number / every), { class: "curve-text" }));
  const turns = review.turns.filter(Boolean);
  drawPhases(svg, turns, x);
  const points = turns.map((turn) => `${x(turn.number).toFixed(1)},${y(turn.winrate).toFixed(1)}`);
  if (points.length > 1) svg.append(shape("polyline", { points: points.join(" "), class: "curve-line" }));
  for (const turn of turns) {
    if (!SHOWN.includes(turn.label)) continue;
    const dot = shape("circle", { cx: x(turn.number), cy: y(turn.winrate), r: 4.5, class: `curve-dot label-${turn.label} ${lossClass(turn.loss)}`, "data-turn": String(turn.number) });
    const title = shape("title", {});
    title.textContent = `${turn.number}. ${turn.played}: ${t(`label.${turn.label}`)}`;
    dot.append(title);
    svg.append(dot);
  }
  const here = review.nodes.indexOf(state.node) + 1;
  if (here) svg.append(shape("line", { x1: x(here), y1: y(1), x2: x(here), y2: y(0), class: "curve-here" }));
  svg.onclick = (event) => {
    const box = /** @type {Element} */ (event.currentTarget).getBoundingClientRect(); // of the one that is drawn: `redraw` keeps elements
    const dot = /** @type {HTMLElement} */ (event.target).closest?.("[data-turn]");
    const at = ((event.clientX - box.left) / box.width) * WIDE - EDGE.left;
    const number = dot ? Number(/** @type {HTMLElement} */ (dot).dataset.turn) : Math.round((at / (WIDE - EDGE.left - EDGE.right)) * review.of);
    jump(state, review, Math.min(review.nodes.length, Math.max(1, number)));
  };
  return el("div", { class: "curve-box", id: "curve" }, svg);
}

/** Where a phase begins, and its name.
 *  @param {SVGElement} svg
 *  @param {Turn[]} turns
 *  @param {(number: number) => number} x */
function drawPhases(svg, turns, x) {
  let phase = "";
  for (const turn of turns) {
    if (!turn.phase || turn.phase === phase) continue;
    const at = x(turn.number - 1);
    if (phase) svg.append(shape("line", { x1: at, y1: EDGE.top, x2: at, y2: HIGH - EDGE.bottom, class: "curve-phase" }));
    phase = turn.phase;
    const late = at > WIDE - LABEL; // its name would not fit on the right
    svg.append(text(at + (late ? -3 : 3), HIGH - EDGE.bottom - (late ? 16 : 6), 9, t(`phase.${phase}`), { class: "curve-text phase", "text-anchor": late ? "end" : "start" }));
  }
}

/** Accuracy and counts of labels, one column for each player.
 *  @param {State} state
 *  @param {any[]} summary */
export function summaryTable(state, summary) {
  /** @param {string} name
   *  @param {(row: any) => string} value */
  const line = (name, value) => el("tr", {}, el("th", { scope: "row" }, name), summary.map((row) => el("td", {}, value(row))));
  const phases = [...new Set(summary.flatMap((row) => Object.keys(row.phases)))];
  const points = state.info.page.points && summary.every((row) => row.points !== null);
  return el("table", { class: "review-summary", id: "review-summary" },
    el("thead", {}, el("tr", {}, el("th", {}), summary.map((row) => el("th", { scope: "col" }, playerOf(state, row.side) || sideName(row.side))))),
    el("tbody", {},
      line(t("review.accuracy"), (row) => `${row.accuracy.toFixed(0)}%`),
      phases.map((phase) => line(t(`phase.${phase}`), (row) => (phase in row.phases ? `${row.phases[phase].toFixed(0)}%` : "–"))),
      points ? line(t("review.pointsAMove"), (row) => row.points.toFixed(1)) : null,
      ["brilliant", "best", "good", "inaccuracy", "mistake", "blunder"].filter((label) => summary.some((row) => row.labels[label]))
        .map((label) => line(t(`label.${label}`), (row) => String(row.labels[label])))));
}
