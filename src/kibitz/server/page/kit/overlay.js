// What is drawn over a board: candidates, arrows, steering, a line played out.

import { endsOf, hasOrigin, shape, text } from "./svg.js";

/** @type {[number, string][]} */
const STEPS = [[0.01, "#1f9d6b"], [0.03, "#86b13c"], [0.07, "#e3b32c"], [0.15, "#e2792c"], [Infinity, "#cc3d3d"]];

/** @param {number} loss */
const stepOf = (loss) => STEPS.findIndex(([most]) => loss <= most);

/** From green to red by how much of the winrate a move loses.
 *  @param {number} loss */
export const lossColour = (loss) => STEPS[stepOf(loss)][1];

/** The same colour as a class of style.css.
 *  @param {number} loss */
export const lossClass = (loss) => `loss-${stepOf(loss)}`;

/** Discs of a solved margin that look as bad as the whole winrate. */
const DISCS = 40;

/** How much a move loses against the best: winrate, or discs where both are solved and win or lose alike.
 *  @param {MoveInfo} best
 *  @param {MoveInfo} info */
export function lossOf(best, info) {
  const solved = best.proven && best.proven === info.proven && best.score !== null && info.score !== null;
  return solved ? (best.score - info.score) / DISCS : best.value - info.value;
}

/** @param {number} count */
export function short(count) {
  if (count >= 1e6) return `${(count / 1e6).toPrecision(3)}M`;
  if (count >= 1e3) return `${(count / 1e3).toPrecision(3)}k`;
  return String(count);
}

/** Candidates worth marking: the best, those that were asked about, and others that got some attention.
 *  @param {Report} report
 *  @param {number} most */
export function candidates(report, most) {
  const best = report.moves[0];
  if (!best) return [];
  return report.moves.filter((info) =>
    info.order === 0 || info.minVisits > 0 || info.proven || (info.order < most && info.visits >= 0.01 * best.visits));
}

/** Candidates (`report` may be null) and steering. Where moves are arrows, the ring around a square must not hide their numbers.
 *  @param {SVGElement} layer
 *  @param {{ steering: Steering }} node
 *  @param {Report} report
 *  @param {Places} places
 *  @param {string[]} [occupied] places with pieces, which no number hides
 *  @param {(info: MoveInfo) => string} [label] what is written on a candidate */
export function drawAnalysis(layer, node, report, places, occupied = [], label = perCent) {
  const steering = () => drawSteering(layer, node, places);
  if (hasOrigin(places)) steering();
  if (report) drawCandidates(layer, report, places, occupied, label);
  if (!hasOrigin(places)) steering();
}

/** @param {MoveInfo} info */
const perCent = (info) => (info.score !== null && info.proven ? signed(info.score) : (100 * info.value).toFixed(0));

/** @param {SVGElement} layer
 *  @param {Report} report
 *  @param {Places} places
 *  @param {string[]} occupied
 *  @param {(info: MoveInfo) => string} label */
function drawCandidates(layer, report, places, occupied, label) {
  const shown = candidates(report, hasOrigin(places) ? 5 : 12).slice().reverse();
  const best = report.moves[0];
  const arrows = shape("g", { class: "candidate-arrows" }); // below the numbers of all moves
  const taken = occupied.map((name) => places.at[name]).filter(Boolean);
  const numbers = /** @type {Map<MoveInfo, Point>} */ (new Map());
  for (const info of shown.slice().reverse()) { // the best one has the best place
    const ends = endsOf(places, info.move).map((name) => places.at[name]);
    if (ends.length === 2 && ends.every(Boolean)) numbers.set(info, numberPlace(ends, taken, [...numbers.values()], places.cell));
  }
  layer.append(arrows);
  for (const info of shown) {
    const ends = endsOf(places, info.move).map((name) => places.at[name]);
    if (!ends.length || ends.some((end) => !end)) continue;
    const colour = lossColour(lossOf(best, info));
    const group = shape("g", { class: "candidate", "data-move": info.move });
    if (ends.length === 2) {
      const width = places.cell * (0.07 + 0.13 * Math.sqrt(info.visits / Math.max(1, best.visits)));
      const arrow = shape("g", { opacity: info.order === 0 ? 0.9 : 0.72 });
      arrow.append(...arrowShapes(ends, width, colour, places.cell));
      arrows.append(arrow);
      drawNumber(group, numbers.get(info), label(info), colour, places.cell);
    } else drawDisc(group, ends[0], info, colour, places.cell, label(info));
    layer.append(group);
  }
}

/** @param {SVGElement} group
 *  @param {Point} at
 *  @param {string} words
 *  @param {string} colour
 *  @param {number} cell */
function drawNumber(group, [x, y], words, colour, cell) {
  const wide = Math.max(0.36, 0.12 * words.length + 0.14) * cell, high = 0.34 * cell;
  group.append(shape("rect", { x: x - wide / 2, y: y - high / 2, width: wide, height: high, rx: high / 2, fill: "#fffdf8", stroke: colour, "stroke-width": 0.035 * cell }));
  group.append(text(x, y, 0.22 * cell, words, { fill: "#1b1b1b", "font-weight": 650 }));
}

/** @param {SVGElement} group
 *  @param {Point} at
 *  @param {MoveInfo} info
 *  @param {string} colour
 *  @param {number} cell
 *  @param {string} label */
function drawDisc(group, [x, y], info, colour, cell, label) {
  const best = info.order === 0;
  group.append(shape("circle", {
    cx: x, cy: y, r: 0.46 * cell, fill: colour, "fill-opacity": 0.94,
    stroke: best ? "#ffffff" : "#00000033", "stroke-width": best ? 0.07 * cell : 1,
  }));
  const ink = colour === "#e3b32c" || colour === "#86b13c" ? "#1b1b12" : "#ffffff";
  group.append(text(x, y - 0.09 * cell, 0.36 * cell, label, { fill: ink, "font-weight": 650 }));
  group.append(text(x, y + 0.25 * cell, 0.21 * cell, info.visits ? short(info.visits) : (info.proven ? "✓" : ""), { fill: ink }));
}

/** @param {number} score */
const signed = (score) => (score > 0 ? "+" : "") + Math.round(score);

/** The shaft and the head of an arrow. However short it is, it has both.
 *  @param {Point[]} ends
 *  @param {number} width
 *  @param {string} colour
 *  @param {number} cell */
export function arrowShapes([[x1, y1], [x2, y2]], width, colour, cell) {
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
  const head = Math.min(width + 0.22 * cell, 0.42 * length);
  const start = Math.min(0.25 * cell, 0.14 * length), end = length - 0.12 * cell;
  const [tip, neck, from] = [end, end - head, start].map((along) => [x1 + along * dx, y1 + along * dy]);
  const wing = Math.max(0.55 * head, 0.75 * width);
  return [
    shape("line", { x1: from[0], y1: from[1], x2: neck[0], y2: neck[1], stroke: colour, "stroke-width": width, "stroke-linecap": "round" }),
    shape("path", { d: `M${tip} L${neck[0] - wing * dy} ${neck[1] + wing * dx} L${neck[0] + wing * dy} ${neck[1] - wing * dx} Z`, fill: colour }),
  ];
}

/** Room for a number beside an arrow: on it, else where squares meet around its end. No piece and no other number is there.
 *  @param {Point[]} ends
 *  @param {Point[]} taken the middles of pieces
 *  @param {Point[]} numbers those of numbers drawn already
 *  @param {number} cell
 *  @returns {Point} */
export function numberPlace([[x1, y1], [x2, y2]], taken, numbers, cell) {
  const along = [0.5, 0.6, 0.4, 0.7, 0.3].map((part) => /** @type {Point} */ ([x1 + (x2 - x1) * part, y1 + (y2 - y1) * part]));
  /** @param {Point} at
   *  @returns {Point[]} */
  const corners = ([x, y]) => [[-1, -1], [1, -1], [-1, 1], [1, 1]].map(([a, b]) => [x + 0.5 * a * cell, y + 0.5 * b * cell]);
  /** @param {Point} a
   *  @param {Point} b */
  const apart = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]) / cell;
  const near = corners([x2, y2]).sort((a, b) => apart(a, [x1, y1]) - apart(b, [x1, y1]));
  // A number on an arrow of one square would leave nothing of it to be seen.
  const short = apart([x1, y1], [x2, y2]) < 1.5;
  const free = [...(short ? near : along), ...(short ? corners([x1, y1]) : near), ...(short ? along : corners([x1, y1]))].filter((at) => taken.every((piece) => apart(at, piece) > 0.6));
  return free.find((at) => numbers.every((one) => apart(at, one) > 0.45)) ?? free[0] ?? near[0];
}

/** Steering as marks: a blue ring (guaranteed), a cross (avoided), a green frame (allowed), a factor.
 *  @param {SVGElement} layer
 *  @param {{ steering: Steering }} node
 *  @param {Places} places */
function drawSteering(layer, node, places) {
  const { include, avoid, allow, weights } = node.steering;
  const { cell } = places;
  /** @param {string} move */
  const at = (move) => places.at[endsOf(places, move).at(-1)];
  /** @param {string} move
   *  @param {string} kind
   *  @param {...any} shapes */
  const draw = (move, kind, ...shapes) => {
    const group = shape("g", { class: `steer-mark steer-${kind}`, "data-move": move });
    group.append(...shapes);
    layer.append(group);
  };
  for (const move of allow) {
    const place = at(move);
    if (place) draw(move, "allow", shape("rect", { x: place[0] - 0.47 * cell, y: place[1] - 0.47 * cell, width: 0.94 * cell, height: 0.94 * cell, rx: 0.12 * cell, fill: "none", stroke: "#1f9d6b", "stroke-width": 0.07 * cell }));
  }
  for (const move of Object.keys(include)) {
    const place = at(move);
    if (place) draw(move, "include", shape("circle", { cx: place[0], cy: place[1], r: 0.5 * cell, fill: "none", stroke: "#3b82d6", "stroke-width": 0.08 * cell, "stroke-dasharray": `${0.22 * cell} ${0.1 * cell}` }));
  }
  for (const move of avoid) {
    const place = at(move);
    if (!place) continue;
    const [x, y] = place, r = 0.24 * cell;
    draw(move, "avoid", shape("path", { d: `M${x - r} ${y - r} L${x + r} ${y + r} M${x - r} ${y + r} L${x + r} ${y - r}`, stroke: "#cc3d3d", "stroke-width": 0.11 * cell, "stroke-linecap": "round" }));
  }
  for (const [move, factor] of Object.entries(weights)) {
    const place = at(move);
    if (!place) continue;
    const [x, y] = [place[0] + 0.3 * cell, place[1] - 0.34 * cell];
    draw(move, "weights",
      shape("rect", { x: x - 0.26 * cell, y: y - 0.15 * cell, width: 0.52 * cell, height: 0.3 * cell, rx: 0.15 * cell, fill: "#6d4fb3" }),
      text(x, y, 0.22 * cell, `×${Number(factor.toPrecision(2))}`, { fill: "#fff", "font-weight": 650 }));
  }
}

/** The places a selected piece can go to, and the place itself; a ring where a piece stands.
 *  @param {SVGElement} layer
 *  @param {string} selected
 *  @param {Set<string>} targets
 *  @param {Places} places
 *  @param {Set<string>} [occupied] */
export function drawTargets(layer, selected, targets, places, occupied = new Set()) {
  drawSquares(layer, [selected], places, "kit-selected");
  for (const target of targets) {
    const place = places.at[target];
    if (place) layer.append(shape("circle", { cx: place[0], cy: place[1], r: (occupied.has(target) ? 0.43 : 0.15) * places.cell, class: occupied.has(target) ? "kit-target kit-capture" : "kit-target" }));
  }
}

/** Whole squares of a class: a premove, a king in check.
 *  @param {SVGElement} layer
 *  @param {string[]} names
 *  @param {Places} places
 *  @param {string} kind */
export function drawSquares(layer, names, places, kind) {
  const { cell } = places;
  for (const name of names) {
    const place = places.at[name];
    if (place) layer.append(shape("rect", { x: place[0] - cell / 2, y: place[1] - cell / 2, width: cell, height: cell, rx: 0.1 * cell, class: kind, "data-at": name }));
  }
}

/** Where one can play, in games that mark it.
 *  @param {SVGElement} layer
 *  @param {string[]} names
 *  @param {Places} places */
export function drawLegal(layer, names, places) {
  for (const name of names) {
    const place = places.at[name];
    if (place) layer.append(shape("circle", { cx: place[0], cy: place[1], r: 0.11 * places.cell, class: "kit-legal", "data-at": name }));
  }
}

/** The numbers of a line that is played out; arrows where the pieces themselves cannot be moved.
 *  @param {SVGElement} layer
 *  @param {string[]} line
 *  @param {Places} places
 *  @param {any} arrows */
export function drawLine(layer, line, places, arrows) {
  const seen = new Set();
  const numbered = line.map((move, n) => /** @type {[string, number]} */ ([move, n + 1])).reverse();
  for (const [move, number] of numbered) {
    const ends = endsOf(places, move).map((name) => places.at[name]);
    if (!ends.length || ends.some((end) => !end)) continue;
    const [x, y] = ends.at(-1);
    if (arrows && ends.length === 2) {
      const arrow = shape("g", { opacity: 0.7 });
      arrow.append(...arrowShapes(ends, 0.08 * places.cell, "#e4572e", places.cell));
      layer.append(arrow);
    }
    const key = `${x},${y}`;
    if (seen.has(key)) continue;
    seen.add(key);
    // Beside the piece that has come here, not over it.
    const at = ends.length === 2 ? [x + 0.36 * places.cell, y - 0.36 * places.cell] : [x, y];
    layer.append(shape("circle", { cx: at[0], cy: at[1], r: 0.17 * places.cell, class: "kit-number" }));
    layer.append(text(at[0], at[1], 0.22 * places.cell, String(number), { class: "kit-number-text" }));
  }
}

/** The colour of evidence. */
const EVIDENCE = "#b5179e";

/** What a fact rests on: its places in rings, its arrows.
 *  @param {SVGElement} layer
 *  @param {Evidence} evidence
 *  @param {Places} places */
export function drawEvidence(layer, { places: named = [], arrows = [] }, places) {
  const { at, cell } = places;
  const group = shape("g", { class: "kit-evidence" });
  for (const name of named) {
    if (at[name]) group.append(shape("circle", { cx: at[name][0], cy: at[name][1], r: 0.45 * cell, fill: "none", stroke: EVIDENCE, "stroke-width": 0.07 * cell, "data-place": name }));
  }
  for (const [from, to] of arrows) if (at[from] && at[to]) group.append(...arrowShapes([at[from], at[to]], 0.1 * cell, EVIDENCE, cell));
  layer.append(group);
}

/** What is believed of hidden pieces: a bar of the likeliest kinds, the first one named.
 *  @param {SVGElement} layer
 *  @param {Beliefs} beliefs
 *  @param {Places} places */
export function drawBeliefs(layer, beliefs, places) {
  const wide = 0.8 * places.cell, high = 0.1 * places.cell;
  for (const [node, chances] of Object.entries(beliefs)) {
    const place = places.at[node];
    if (!place) continue;
    const [x, y] = place;
    const ordered = Object.entries(chances).sort((a, b) => b[1] - a[1]);
    const group = shape("g", { class: "belief", "data-node": node });
    group.append(shape("title", {}, ordered.map(([kind, chance]) => `${kind} ${(100 * chance).toFixed(0)}%`).join(", ")));
    let left = x - wide / 2;
    ordered.forEach(([, chance], n) => {
      group.append(shape("rect", { x: left, y: y + 0.3 * places.cell, width: wide * chance, height: high, class: `belief-${Math.min(n, 3)}` }));
      left += wide * chance;
    });
    if (ordered[0][1] >= 0.2) { // over the question mark that the picture has there
      group.append(shape("rect", { x: x - 0.2 * places.cell, y: y - 0.2 * places.cell, width: 0.4 * places.cell, height: 0.4 * places.cell, rx: 0.06 * places.cell, class: "belief-back" }));
      group.append(text(x, y, 0.3 * places.cell, ordered[0][0], { class: "kit-text belief-kind" }));
    }
    layer.append(group);
  }
}

/** Who owns each place, in their order: squares towards the owner's colour.
 *  @param {SVGElement} layer
 *  @param {number[]} ownership
 *  @param {Places} places */
export function drawOwnership(layer, ownership, places) {
  Object.values(places.at).forEach((place, index) => {
    const owner = ownership[index] || 0;
    if (Math.abs(owner) < 0.1) return;
    const half = 0.5 * places.cell * Math.sqrt(Math.abs(owner)) * 0.7;
    layer.append(shape("rect", {
      x: place[0] - half, y: place[1] - half, width: 2 * half, height: 2 * half, class: "kit-owner",
      fill: owner > 0 ? "#000" : "#fff", "fill-opacity": 0.15 + 0.45 * Math.abs(owner),
    }));
  });
}

/** Moves that a review speaks of: what was played, and what was better.
 *  @param {SVGElement} layer
 *  @param {{ move: string, kind: string }[]} moves
 *  @param {Places} places */
export function drawJudged(layer, moves, places) {
  for (const { move, kind } of moves) {
    const ends = endsOf(places, move).map((name) => places.at[name]);
    if (!ends.length || ends.some((end) => !end)) continue;
    const colour = kind === "played" ? "#cc3d3d" : "#1f9d6b";
    const group = shape("g", { class: `judged ${kind}`, "data-move": move, opacity: 0.85 });
    if (ends.length === 2) group.append(...arrowShapes(ends, 0.17 * places.cell, colour, places.cell));
    else group.append(shape("circle", { cx: ends[0][0], cy: ends[0][1], r: 0.42 * places.cell, fill: "none", stroke: colour, "stroke-width": 0.11 * places.cell }));
    layer.append(group);
  }
}
