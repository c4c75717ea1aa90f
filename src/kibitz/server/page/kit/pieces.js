// The pieces of a picture: what stands where, what has changed since the picture before, and how that is shown.

/** @param {Element} svg
 *  @returns {Piece[]} */
export function piecesOf(svg) {
  return [.../** @type {NodeListOf<SVGGElement>} */ (svg.querySelectorAll("g.piece"))].map((element) => {
    const { place, piece, side, number } = element.dataset;
    return { place, kind: piece, side, number, element };
  });
}

/** @param {Piece} a
 *  @param {Piece} b */
const alike = (a, b) => a.side === b.side && (a.number ? a.number === b.number : a.kind === b.kind);

/** What has become of the pieces between two pictures with the same places. Where moves have an `origin`, a piece that is
 *  gone here and there elsewhere has moved; the nearest of its kind is taken.
 *  @param {Piece[]} before
 *  @param {Piece[]} now
 *  @param {Places} places
 *  @param {boolean} origin
 *  @returns {Changes} */
export function changesOf(before, now, places, origin) {
  const old = new Map(before.map((piece) => [piece.place, piece]));
  const rest = new Set(before);
  const changes = /** @type {Changes} */ ({ moved: [], born: [], gone: [], turned: [] });
  const left = now.filter((piece) => {
    const same = old.get(piece.place);
    if (!same || !alike(piece, same)) return true;
    rest.delete(same);
    return false;
  });
  /** @param {Piece} piece
   *  @param {(old: Piece) => boolean} fits */
  const nearest = (piece, fits) => {
    const [x, y] = places.at[piece.place] || [0, 0];
    /** @param {Piece} one */
    const distance = (one) => { const [a, b] = places.at[one.place] || [0, 0]; return (a - x) ** 2 + (b - y) ** 2; };
    return [...rest].filter(fits).sort((a, b) => distance(a) - distance(b))[0];
  };
  for (const piece of left) {
    const same = !origin ? undefined : nearest(piece, (one) => alike(piece, one)) ?? nearest(piece, (one) => one.side === piece.side && left.length === 1);
    const under = old.get(piece.place);
    if (same) { rest.delete(same); changes.moved.push([same, piece]); }
    else if (!origin && under && rest.delete(under)) changes.turned.push(piece);
    else changes.born.push(piece);
  }
  changes.gone.push(...rest);
  return changes;
}

const LEAST_MOVED = 10;

/** Shows the changes: pieces glide, turn, come and go. `time` is in milliseconds; 0 shows nothing.
 *  @param {SVGSVGElement} svg
 *  @param {Changes} changes
 *  @param {Places} places
 *  @param {number} time */
export function animateChanges(svg, { moved, born, gone, turned }, places, time) {
  if (!time || moved.length > LEAST_MOVED) return;
  const first = svg.querySelector("g.piece");
  for (const piece of gone) {
    const ghost = /** @type {SVGGElement} */ (piece.element.cloneNode(true));
    ghost.setAttribute("class", "ghost");
    svg.insertBefore(ghost, first);
    ghost.animate([{ opacity: 1 }, { opacity: 0 }], { duration: time, fill: "forwards" }).finished.then(() => ghost.remove(), () => {});
  }
  for (const [from, to] of moved) {
    const [[x1, y1], [x2, y2]] = [places.at[from.place], places.at[to.place]];
    to.element.parentNode.append(to.element);
    to.element.animate([{ transform: `translate(${x1 - x2}px, ${y1 - y2}px)` }, { transform: "none" }], { duration: time, easing: "ease-in-out" });
  }
  for (const piece of turned) piece.element.animate([{ transform: "scaleX(0)" }, { transform: "none" }], { duration: time });
  for (const piece of born) piece.element.animate([{ opacity: 0, transform: "scale(.6)" }, { opacity: 1, transform: "none" }], { duration: time });
}

/** How long an animation takes: nothing for who asks the system for less motion.
 *  @param {number} pace */
export const motionTime = (pace) => (matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : pace);
