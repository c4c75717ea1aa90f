// SVG elements, and where moves are on a picture.

const SPACE = "http://www.w3.org/2000/svg";

/** @param {string} tag
 *  @param {Record<string, any>} [attributes]
 *  @param {string} [text] */
export function shape(tag, attributes = {}, text = null) {
  const element = document.createElementNS(SPACE, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (text !== null) element.textContent = text;
  return element;
}

/** A picture that the server drew, as an element of the page.
 *  @param {string} source */
export function picture(source) {
  const parsed = new DOMParser().parseFromString(source, "image/svg+xml").documentElement;
  const element = /** @type {any} */ (document.importNode(parsed, true));
  element.removeAttribute("width");
  element.removeAttribute("height");
  return element;
}

/** @type {Map<string, { form: RegExp, groups: number }>} */
const patterns = new Map();

/** The regular expression of a board's moves, compiled once, and how many places it names.
 *  @param {Places} given */
function patternOf({ move }) {
  if (!patterns.has(move)) patterns.set(move, { form: new RegExp(move), groups: new RegExp(`${move}|`).exec("").length - 1 });
  return patterns.get(move);
}

/** The places a move names: one, or where from and where to; none where it names none.
 *  @param {Places} places
 *  @param {string} move
 *  @returns {string[]} */
export const endsOf = (places, move) => patternOf(places).form.exec(move)?.slice(1) ?? [];

/** What a move says beside its places.
 *  @param {Places} places
 *  @param {string} move */
export const restOf = (places, move) => move.replace(patternOf(places).form, "");

/** Whether moves go from a place to another.
 *  @param {Places} places */
export const hasOrigin = (places) => patternOf(places).groups === 2;

/** The place of a picture under a pointer, if there is one.
 *  @param {SVGSVGElement} svg
 *  @param {Places} places
 *  @param {any} event */
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

/** @param {number} x
 *  @param {number} y
 *  @param {number} size
 *  @param {string} words
 *  @param {Record<string, any>} [attributes] */
export function text(x, y, size, words, attributes = {}) {
  return shape("text", {
    x, y, "font-size": size, "text-anchor": "middle", "dominant-baseline": "central", class: "kit-text", ...attributes,
  }, words);
}
