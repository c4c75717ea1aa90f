// SVG elements, and where moves are on a picture.

const SPACE = "http://www.w3.org/2000/svg";

export function shape(tag, attributes = {}, text = null) {
  const element = document.createElementNS(SPACE, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (text !== null) element.textContent = text;
  return element;
}

/** A picture that the server drew, as an element of the page. */
export function picture(source) {
  const parsed = new DOMParser().parseFromString(source, "image/svg+xml").documentElement;
  const element = document.importNode(parsed, true);
  element.removeAttribute("width");
  element.removeAttribute("height");
  return element;
}

/** The places a move names: one, or where from and where to. Events of Junqi have `x` for an attack. */
export function endsOf(game, move) {
  if (game === "chess") return [move.slice(0, 2), move.slice(2, 4)];
  if (game === "junqi") return move.includes(":") ? [] : [move.slice(0, 3), move.slice(4, 7)];
  return [move];
}

export const hasOrigin = (game) => game === "chess" || game === "junqi";

/** The place of a picture under a pointer, if there is one. */
export function placeAt(svg, places, event) {
  const matrix = svg.getScreenCTM();
  if (!matrix) return "";
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
  let nearest = "", least = 0.36 * places.cell ** 2;
  for (const [name, [x, y]] of Object.entries(places.at)) {
    const distance = (x - point.x) ** 2 + (y - point.y) ** 2;
    if (distance < least) [nearest, least] = [name, distance];
  }
  return nearest;
}

export function text(x, y, size, words, attributes = {}) {
  return shape("text", {
    x, y, "font-size": size, "text-anchor": "middle", "dominant-baseline": "central", class: "kit-text", ...attributes,
  }, words);
}
