// The count of a board: dead stones crossed out, and who owns each place.

import { shape } from "./svg.js";

/** @param {SVGElement} layer
 *  @param {{ dead: string[], owners: number[] }} count
 *  @param {Places} places
 *  @param {Set<string>} occupied places with pieces */
export function drawCount(layer, { dead, owners }, places, occupied) {
  const { cell } = places;
  const gone = new Set(dead);
  const group = shape("g", { class: "count" });
  Object.entries(places.at).forEach(([name, [x, y]], index) => {
    const owner = owners[index] || 0;
    if (gone.has(name)) {
      const r = 0.3 * cell;
      group.append(shape("path", { class: "kit-dead", "data-dead": name, d: `M${x - r} ${y - r} L${x + r} ${y + r} M${x - r} ${y + r} L${x + r} ${y - r}`, stroke: "#cc3d3d", "stroke-width": 0.12 * cell, "stroke-linecap": "round" }));
    }
    if (!owner || (occupied.has(name) && !gone.has(name))) return; // a living stone says itself whose it is
    const half = (gone.has(name) ? 0.12 : 0.16) * cell;
    group.append(shape("rect", { class: "kit-counted", "data-owner": owner > 0 ? "first" : "second", x: x - half, y: y - half, width: 2 * half, height: 2 * half, fill: owner > 0 ? "#111" : "#fafafa", stroke: owner > 0 ? "#fafafa" : "#111", "stroke-width": 0.03 * cell }));
  });
  layer.append(group);
}
