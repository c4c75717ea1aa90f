// The part of a picture that is shown: made larger by two fingers, the wheel with Ctrl, or buttons; moved by one finger.
// A window has the proportions of its stage (`aspect`), which may be others than the picture's.

/** Cells across the smallest part. */
const LEAST = 4;

/** The whole picture, in the middle of the stage.
 *  @param {Places} places
 *  @param {number} aspect
 *  @returns {ViewWindow} */
export function whole({ width, height }, aspect) {
  const wide = Math.max(width, height * aspect);
  return { x: (width - wide) / 2, y: (height - wide / aspect) / 2, width: wide, height: wide / aspect };
}

/** @param {number} start
 *  @param {number} length
 *  @param {number} room */
const within = (start, length, room) => (length >= room ? (room - length) / 2 : Math.min(room - length, Math.max(0, start)));

/** @param {number} width
 *  @param {Places} places
 *  @param {number} aspect */
const limited = (width, places, aspect) => Math.min(whole(places, aspect).width, Math.max(LEAST * places.cell * Math.max(1, aspect), width));

/** A window that shows as much of the picture as it can.
 *  @param {ViewWindow} window
 *  @param {Places} places
 *  @param {number} aspect
 *  @returns {ViewWindow} */
export function clamped({ x, y, width }, places, aspect) {
  const wide = limited(width, places, aspect);
  const high = wide / aspect;
  return { x: within(x, wide, places.width), y: within(y, high, places.height), width: wide, height: high };
}

/** The window after zooming by a factor around a point of the picture, which stays where it is.
 *  @param {ViewWindow} window
 *  @param {Places} places
 *  @param {number} aspect
 *  @param {Point} point
 *  @param {number} factor */
export function zoomed(window, places, aspect, [px, py], factor) {
  const width = limited(window.width / factor, places, aspect);
  const ratio = width / window.width;
  return clamped({ x: px - (px - window.x) * ratio, y: py - (py - window.y) * ratio, width, height: 0 }, places, aspect);
}

/** The window at the bottom of the picture in which a place is as large as a finger needs; the whole where it is so anyway.
 *  @param {Places} places
 *  @param {number} shown the width of the stage on the screen
 *  @param {number} aspect
 *  @param {number} finger */
export function seatWindow(places, shown, aspect, finger) {
  const width = shown * places.cell / finger;
  return clamped({ x: (places.width - width) / 2, y: places.height, width, height: 0 }, places, aspect);
}
