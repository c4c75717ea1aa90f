// Pictures of numbers: curves over time, and trees.

import { shape, text } from "./svg.js";
import { short } from "./overlay.js";

/** Colours that differ for most eyes; a class of style.css has the same for words. */
export const SERIES = 8;

const WIDE = 460, HIGH = 190, LEFT = 46, RIGHT = 10, TOP = 18, BOTTOM = 22;

/** A number that labels of an axis can be multiples of: 1, 2 or 5 and zeros.
 *  @param {number} span
 *  @param {number} [parts] */
export function step(span, parts = 4) {
  const rough = Math.max(span, 1e-12) / parts, power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].map((one) => one * power).find((one) => one >= rough);
}

/** @param {number} low
 *  @param {number} high */
function ticks(low, high) {
  const by = step(high - low), values = [];
  for (let at = Math.ceil(low / by) * by; at <= high + by * 1e-9; at += by) values.push(Number(at.toPrecision(12)));
  return values;
}

/**
 * Curves over a common axis. A series is `{name, points: [[x, y]], colour, low, high}`; `low` and `high` are the
 * bounds of a band around it. `lines` are levels worth a mark: `{y, name}`.
 *  @param {Series[]} series
 *  @param {{ label?: string, x?: (value: number) => string, y?: (value: number) => string, lines?: { y: number, name: string }[], fromZero?: boolean, across?: string }} given */
export function drawCurves(series, { label, x = short, y = short, lines = [], fromZero = true, across = "" } = {}) {
  const svg = shape("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, class: "chart", role: "img", "aria-label": label });
  const points = series.flatMap((one) => one.points);
  if (!points.length) return svg;
  const heights = [...points.map(([, at]) => at), ...lines.map((line) => line.y), ...series.flatMap((one) => [...(one.low || []), ...(one.high || [])])].filter(Number.isFinite);
  const [lowX, highX] = [Math.min(...points.map(([at]) => at)), Math.max(...points.map(([at]) => at))];
  let [lowY, highY] = [Math.min(...heights), Math.max(...heights)];
  if (fromZero) lowY = Math.min(0, lowY);
  if (highY === lowY) highY = lowY + 1;
  /** @param {number} value */
  const atX = (value) => LEFT + ((WIDE - LEFT - RIGHT) * (value - lowX)) / (highX - lowX || 1);
  /** @param {number} value */
  const atY = (value) => HIGH - BOTTOM - ((HIGH - TOP - BOTTOM) * (value - lowY)) / (highY - lowY);
  /** @param {number[]} at */
  const place = ([one, two]) => `${atX(one).toFixed(1)},${atY(two).toFixed(1)}`;
  for (const value of ticks(lowY, highY)) {
    svg.append(shape("line", { x1: LEFT, x2: WIDE - RIGHT, y1: atY(value), y2: atY(value), class: "chart-rule" }));
    svg.append(text(LEFT - 6, atY(value), 10, y(value), { class: "chart-text", "text-anchor": "end" }));
  }
  const axisEnd = WIDE - RIGHT - 6 * across.length;
  for (const value of ticks(lowX, highX)) {
    const label = x(value);
    if (across && atX(value) + 3 * label.length > axisEnd - 6) continue; // the axis has its name there
    svg.append(text(atX(value), HIGH - 10, 10, label, { class: "chart-text" }));
  }
  if (across) svg.append(text(WIDE - RIGHT, HIGH - 10, 10, across, { class: "chart-text", "text-anchor": "end" }));
  for (const line of lines) {
    svg.append(shape("line", { x1: LEFT, x2: WIDE - RIGHT, y1: atY(line.y), y2: atY(line.y), class: "chart-mark" }));
    svg.append(text(WIDE - RIGHT - 2, atY(line.y) - 7, 10, line.name, { class: "chart-text", "text-anchor": "end" }));
  }
  for (const one of series) {
    if (one.low?.length) {
      const band = [...one.points.map(([at], n) => place([at, one.high[n]])), ...one.points.map(([at], n) => place([at, one.low[n]])).reverse()];
      svg.append(shape("polygon", { points: band.join(" "), class: `series-${one.colour} chart-band` }));
    }
    svg.append(shape("polyline", { points: one.points.map(place).join(" "), class: `series-${one.colour} chart-line`, "data-series": one.name }));
  }
  return svg;
}

// -- trees ----------------------------------------------------------------------------------------------

/** How many moves of a node are drawn, by depth; a picture with more says less. */
const SHOWN = [7, 3, 2, 2, 1];
const ROW = 17, COLUMN = 112;
/** A shallow tree is drawn as small as a deep one. */
const DEEP = 4;

/**
 * A search tree from left to right: a branch is as thick as its share of the visits. `nodes` are those below the
 * root, as a report has them; `colourOf` gives a root move its colour.
 *  @param {any[]} nodes
 *  @param {{ label?: string, colourOf?: (move: string) => number, name?: (move: string) => string }} given */
export function drawTree(nodes, { label, colourOf = () => 0, name = (move) => move } = {}) {
  const rows = /** @type {any[]} */ ([]);
  let leaves = 0, deepest = 0;
  const total = nodes.reduce((sum, node) => sum + node.visits, 0) || 1;

  /** @param {any} node
   *  @param {number} depth
   *  @param {number} colour
   *  @param {string} [before]
   *  @returns {any} */
  function put(node, depth, colour, before = "") {
    const path = before ? `${before} ${node.move}` : node.move;
    deepest = Math.max(deepest, depth);
    const children = (node.children || []).slice(0, SHOWN[depth] || 0).map((/** @type {any} */ child) => put(child, depth + 1, colour, path));
    const y = children.length ? (children[0].y + children.at(-1).y) / 2 : ROW * (leaves++ + 0.5);
    const placed = { node, depth, colour, path, y, children };
    rows.push(placed);
    return placed;
  }

  const top = nodes.slice(0, SHOWN[0]).map((node) => put(node, 1, colourOf(node.move)));
  const high = Math.max(ROW * leaves, 3 * ROW), wide = 30 + COLUMN * (Math.max(deepest, DEEP) + 0.25);
  const svg = shape("svg", { viewBox: `0 0 ${wide} ${high}`, class: "tree-picture", role: "img", "aria-label": label });
  /** @param {number} depth */
  const x = (depth) => 12 + COLUMN * depth;
  const middle = top.length ? (top[0].y + top.at(-1).y) / 2 : high / 2;
  /** @param {any} fromX
   *  @param {any} fromY
   *  @param {any} to */
  const branch = (fromX, fromY, to) => {
    const bend = (x(to.depth) - fromX) * 0.5;
    const share = to.node.visits / total;
    svg.append(shape("path", {
      d: `M${fromX} ${fromY} C${fromX + bend} ${fromY} ${x(to.depth) - 62 - bend * 0.2} ${to.y} ${x(to.depth) - 62} ${to.y}`,
      class: `series-${to.colour} tree-branch`, "stroke-width": (1 + 11 * Math.sqrt(share)).toFixed(2),
    }));
  };
  for (const one of top) branch(10, middle, one);
  for (const one of rows) for (const child of one.children) branch(x(one.depth) + 8, one.y, child);
  svg.append(shape("circle", { cx: 10, cy: middle, r: 6, class: "tree-root" }));
  for (const one of rows) {
    const { node } = one;
    const words = `${one.depth === 1 ? name(node.move) : node.move} ${short(node.visits)}`;
    const group = shape("g", { class: "tree-node", "data-path": one.path });
    const value = node.value === null || node.value === undefined ? "" : ` ${(100 * node.value).toFixed(1)}%`;
    group.append(shape("title", {}, `${node.move}: ${node.visits}${value}${node.proven ? ` ${node.proven}` : ""}`));
    group.append(shape("rect", { x: x(one.depth) - 62, y: one.y - 7, width: 70, height: 14, rx: 5, class: `series-${one.colour} tree-box` }));
    group.append(text(x(one.depth) - 27, one.y, 9, words + (node.proven ? " ✓" : ""), { class: "tree-text" }));
    svg.append(group);
  }
  return svg;
}
