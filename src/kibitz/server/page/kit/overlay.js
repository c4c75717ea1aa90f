// What is drawn over a board: candidates, arrows, steering, a line played out.

import { endsOf, hasOrigin, shape, text } from "./svg.js";

const STEPS = [[0.01, "#1f9d6b"], [0.03, "#86b13c"], [0.07, "#e3b32c"], [0.15, "#e2792c"], [Infinity, "#cc3d3d"]];

const stepOf = (loss) => STEPS.findIndex(([most]) => loss <= most);

/** From green to red by how much of the winrate a move loses. */
export const lossColour = (loss) => STEPS[stepOf(loss)][1];

/** The same colour as a class of style.css. */
export const lossClass = (loss) => `loss-${stepOf(loss)}`;

/** Discs of a solved margin that look as bad as the whole winrate. */
const DISCS = 40;

/** How much a move loses against the best: winrate, or discs where both are solved and win or lose alike. */
export function lossOf(best, info) {
  const solved = best.proven && best.proven === info.proven && best.score !== null && info.score !== null;
  return solved ? (best.score - info.score) / DISCS : best.value - info.value;
}

export function short(count) {
  if (count >= 1e6) return `${(count / 1e6).toPrecision(3)}M`;
  if (count >= 1e3) return `${(count / 1e3).toPrecision(3)}k`;
  return String(count);
}

/** Candidates worth marking: the best, those that were asked about, and others that got some attention. */
export function candidates(report, most) {
  const best = report.moves[0];
  if (!best) return [];
  return report.moves.filter((info) =>
    info.order === 0 || info.minVisits > 0 || info.proven || (info.order < most && info.visits >= 0.01 * best.visits));
}

/** Candidates (`report` may be null) and steering. Where moves are arrows, the ring around a square must not hide their numbers. */
export function drawAnalysis(layer, state, node, report, places) {
  const steering = () => drawSteering(layer, state, node, places);
  if (hasOrigin(state.game)) steering();
  if (report) drawCandidates(layer, state, report, places);
  if (!hasOrigin(state.game)) steering();
}

function drawCandidates(layer, state, report, places) {
  const shown = candidates(report, hasOrigin(state.game) ? 5 : 12).slice().reverse();
  const best = report.moves[0];
  const arrows = shape("g", { class: "candidate-arrows" }); // below the numbers of all moves
  layer.append(arrows);
  for (const info of shown) {
    const ends = endsOf(state.game, info.move).map((name) => places.at[name]);
    if (!ends.length || ends.some((end) => !end)) continue;
    const colour = lossColour(lossOf(best, info));
    const group = shape("g", { class: "candidate", "data-move": info.move });
    if (ends.length === 2) drawArrow(arrows, group, ends, info, best, colour, places.cell);
    else drawDisc(group, ends[0], info, colour, places.cell);
    layer.append(group);
  }
}

function drawDisc(group, [x, y], info, colour, cell) {
  const best = info.order === 0;
  group.append(shape("circle", {
    cx: x, cy: y, r: 0.46 * cell, fill: colour, "fill-opacity": 0.94,
    stroke: best ? "#ffffff" : "#00000033", "stroke-width": best ? 0.07 * cell : 1,
  }));
  const ink = colour === "#e3b32c" || colour === "#86b13c" ? "#1b1b12" : "#ffffff";
  const top = info.score !== null && info.proven ? signed(info.score) : (100 * info.value).toFixed(0);
  group.append(text(x, y - 0.09 * cell, 0.36 * cell, top, { fill: ink, "font-weight": 650 }));
  group.append(text(x, y + 0.25 * cell, 0.21 * cell, info.visits ? short(info.visits) : (info.proven ? "✓" : ""), { fill: ink }));
}

const signed = (score) => (score > 0 ? "+" : "") + Math.round(score);

function drawArrow(arrows, group, [[x1, y1], [x2, y2]], info, best, colour, cell) {
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
  const width = cell * (0.07 + 0.13 * Math.sqrt(info.visits / Math.max(1, best.visits)));
  const head = width + 0.22 * cell;
  const tip = [x2 - 0.12 * cell * dx, y2 - 0.12 * cell * dy];
  const neck = [tip[0] - head * dx, tip[1] - head * dy];
  const from = [x1 + 0.25 * cell * dx, y1 + 0.25 * cell * dy];
  const opacity = info.order === 0 ? 0.9 : 0.72;
  arrows.append(shape("line", {
    x1: from[0], y1: from[1], x2: neck[0], y2: neck[1], stroke: colour, "stroke-width": width, "stroke-linecap": "round", opacity,
  }));
  const wing = 0.55 * head;
  arrows.append(shape("path", {
    d: `M${tip} L${neck[0] - wing * dy} ${neck[1] + wing * dx} L${neck[0] + wing * dy} ${neck[1] - wing * dx} Z`, fill: colour, opacity,
  }));
  const [mx, my] = [x1 + (x2 - x1) * 0.55, y1 + (y2 - y1) * 0.55];
  group.append(shape("circle", { cx: mx, cy: my, r: 0.24 * cell, fill: "#fffdf8", stroke: colour, "stroke-width": 0.04 * cell }));
  group.append(text(mx, my, 0.24 * cell, (100 * info.value).toFixed(0), { fill: "#1b1b1b", "font-weight": 650 }));
}

/** Steering as marks: a blue ring (guaranteed), a cross (avoided), a green frame (allowed), a factor. */
function drawSteering(layer, state, node, places) {
  const { include, avoid, allow, weights } = node.steering;
  const { cell } = places;
  const at = (move) => places.at[endsOf(state.game, move).at(-1)];
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

/** The places a selected piece can go to, and the place itself. */
export function drawTargets(layer, state, selected, targets, places) {
  const { cell } = places;
  const origin = places.at[selected];
  if (origin) layer.append(shape("rect", { x: origin[0] - cell / 2, y: origin[1] - cell / 2, width: cell, height: cell, rx: 0.1 * cell, class: "kit-selected" }));
  for (const target of targets) {
    const place = places.at[target];
    if (place) layer.append(shape("circle", { cx: place[0], cy: place[1], r: 0.15 * cell, class: "kit-target" }));
  }
}

/** The numbers of a line that is played out; arrows where the pieces themselves cannot be moved. */
export function drawLine(layer, game, line, places, arrows) {
  const seen = new Set();
  const numbered = line.map((move, n) => [move, n + 1]).reverse();
  for (const [move, number] of numbered) {
    const ends = endsOf(game, move).map((name) => places.at[name]);
    if (!ends.length || ends.some((end) => !end)) continue;
    const [x, y] = ends.at(-1);
    if (arrows && ends.length === 2) {
      layer.append(shape("line", { x1: ends[0][0], y1: ends[0][1], x2: x, y2: y, class: "kit-line", "stroke-width": 0.08 * places.cell }));
    }
    const key = `${x},${y}`;
    if (seen.has(key)) continue;
    seen.add(key);
    layer.append(shape("circle", { cx: x, cy: y, r: 0.2 * places.cell, class: "kit-number" }));
    layer.append(text(x, y, 0.24 * places.cell, String(number), { class: "kit-number-text" }));
  }
}

/** What is believed of hidden pieces: a bar of the likeliest kinds, the first one named. */
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

/** Who owns each point: squares towards the owner's colour. */
export function drawOwnership(layer, ownership, size, places, names) {
  const [columns] = size;
  ownership.forEach((owner, index) => {
    const name = names(index % columns, Math.floor(index / columns));
    const place = places.at[name];
    if (!place || Math.abs(owner) < 0.1) return;
    const half = 0.5 * places.cell * Math.sqrt(Math.abs(owner)) * 0.7;
    layer.append(shape("rect", {
      x: place[0] - half, y: place[1] - half, width: 2 * half, height: 2 * half, class: "kit-owner",
      fill: owner > 0 ? "#000" : "#fff", "fill-opacity": 0.15 + 0.45 * Math.abs(owner),
    }));
  });
}
