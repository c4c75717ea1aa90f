// Arrows and circles of one's own, drawn with the right button.

import { endsOf, shape } from "./svg.js";
import { arrowShapes } from "./overlay.js";

const COLOURS = ["#15781b", "#b3362f", "#1f5f9e", "#c98a12"];

/** The colour that the keys held ask for: Shift or Ctrl, Alt, or both.
 *  @param {{ shiftKey: boolean, ctrlKey: boolean, altKey: boolean, metaKey?: boolean }} event */
export const colourOf = ({ shiftKey, ctrlKey, altKey }) => (shiftKey || ctrlKey ? 1 : 0) + (altKey ? 2 : 0);

/** The marks after one more is drawn: the same again takes it away, another colour takes its place.
 *  @param {OwnMark[]} marks
 *  @param {OwnMark} mark
 *  @returns {OwnMark[]} */
export function toggled(marks, mark) {
  const same = marks.find((one) => one.from === mark.from && one.to === mark.to);
  const rest = marks.filter((one) => one !== same);
  return same?.colour === mark.colour ? rest : [...rest, mark];
}

/** @param {SVGElement} layer
 *  @param {OwnMark[]} marks
 *  @param {Places} places */
export function drawMarks(layer, marks, places) {
  for (const { from, to, colour } of marks) {
    const [a, b] = [places.at[from], places.at[to]];
    if (!a || !b) continue;
    const group = shape("g", { class: "own-mark", "data-from": from, "data-to": to, "data-colour": String(colour), opacity: 0.8 });
    if (from === to) group.append(shape("circle", { cx: a[0], cy: a[1], r: 0.45 * places.cell, fill: "none", stroke: COLOURS[colour], "stroke-width": 0.07 * places.cell }));
    else group.append(...arrowShapes([a, b], 0.15 * places.cell, COLOURS[colour], places.cell));
    layer.append(group);
  }
}

/** A hint as it is drawn: an arrow, or a ring where a move names one place.
 *  @param {GameNode} node
 *  @param {Places} places
 *  @param {string} move */
export function hintMark(node, places, move) {
  const ends = endsOf(places, move);
  return ends.length ? { node, mark: { from: ends[0], to: ends.at(-1), colour: 2 } } : null;
}
