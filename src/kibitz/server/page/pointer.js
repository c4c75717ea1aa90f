// What a pointer does on the board: a piece follows it, a click selects and plays, the right button draws, two fingers zoom.

import { colourOf, toggled } from "./kit/marks.js";
import { hasOrigin } from "./kit/svg.js";
import { clamped, zoomed } from "./kit/zoom.js";
import { changed } from "./state.js";

const LONG_PRESS = 480;
/** So far goes a mouse, or a finger, before a press is a drag. */
const [NEAR, FAR] = [4, 10];

/** @param {import("./board.js").BoardView} view */
export function listenToPointer(view) {
  const { host } = view;
  /** @type {{ id: number, place: string, x: number, y: number, was: string, long: boolean, touch: boolean, drag: Piece | null, pan: ViewWindow | null, timer?: ReturnType<typeof setTimeout> } | null} */
  let press = null;
  const fingers = /** @type {Map<number, any>} */ (new Map());
  /** @type {{ apart: number, x: number, y: number } | null} */
  let pinch = null;

  /** A point of the screen in the picture.
   *  @param {number} x
   *  @param {number} y */
  const inside = (x, y) => new DOMPoint(x, y).matrixTransform(view.svg.getScreenCTM().inverse());

  function drop() {
    clearTimeout(press?.timer);
    host.classList.remove("dragging");
    const { drag } = press || {};
    press = null;
    return drag;
  }

  /** A press that became something else: the piece goes back. */
  function giveUp() {
    const drag = drop();
    if (drag) drag.element.style.transform = "";
  }

  /** @param {PointerEvent} event */
  function down(event) {
    if (/** @type {Element} */ (event.target).closest(".zoom") || !view.svg) return;
    if (event.pointerType === "touch") fingers.set(event.pointerId, event);
    if (fingers.size === 2) { giveUp(); startPinch(); return; }
    const place = view.placeAt(event);
    if (event.button === 2) {
      if (view.premove || press) { view.premove = null; giveUp(); view.select(""); return; }
      view.drawing = place ? { from: place, to: place, colour: colourOf(event) } : null;
      host.setPointerCapture(event.pointerId);
      return;
    }
    if (event.button !== 0 || view.state.preview?.fixed) return;
    const touch = event.pointerType !== "mouse";
    const movable = Boolean(place) && hasOrigin(view.state.node.board.places) && view.canMove(place);
    press = { id: event.pointerId, place, x: event.clientX, y: event.clientY, was: view.state.selected, long: false, touch, drag: null, pan: null };
    if (touch) {
      const held = press;
      press.timer = setTimeout(() => { held.long = true; if (held === press && !held.drag && !held.pan) view.gesture(event); }, LONG_PRESS);
    }
    if (movable && !(view.state.selected && view.targets(view.state.selected).has(place))) {
      view.premove = null;
      view.select(place);
      host.setPointerCapture(event.pointerId);
    }
  }

  /** @param {PointerEvent} event */
  function move(event) {
    if (fingers.has(event.pointerId)) fingers.set(event.pointerId, event);
    if (pinch) { followPinch(); return; }
    if (view.drawing) {
      const to = view.placeAt(event) || view.drawing.from;
      if (to !== view.drawing.to) { view.drawing = { ...view.drawing, to, colour: colourOf(event) }; view.render(); }
      return;
    }
    if (!press) {
      if (event.pointerType === "mouse") {
        const place = view.placeAt(event);
        const origin = place && hasOrigin(view.state.node.board.places);
        host.classList.toggle("pointing", Boolean(place) && (origin ? view.canMove(place) || (view.state.selected && view.targets(view.state.selected).has(place)) : view.legal().includes(place)));
      }
      return;
    }
    if (press.id !== event.pointerId || press.long) return;
    if (!press.drag && !press.pan && Math.hypot(event.clientX - press.x, event.clientY - press.y) > (press.touch ? FAR : NEAR)) begin();
    if (press.pan) {
      const { width } = host.getBoundingClientRect();
      const scale = press.pan.width / width;
      const { places } = view.shown;
      view.window = clamped({ ...press.pan, x: press.pan.x - (event.clientX - press.x) * scale, y: press.pan.y - (event.clientY - press.y) * scale }, places, view.aspect());
      view.showWindow(places);
    }
    if (press.drag) {
      const [x, y] = view.shown.places.at[press.place];
      const at = inside(event.clientX, event.clientY);
      press.drag.element.style.transform = `translate(${at.x - x}px, ${at.y - y}px)`;
      event.preventDefault();
    }
  }

  /** A press has moved: a piece is taken along, or the part of the board that is shown. */
  function begin() {
    clearTimeout(press.timer);
    const origin = hasOrigin(view.state.node.board.places);
    const piece = origin && press.place && view.canMove(press.place) ? view.pieceAt(press.place) : null;
    if (piece && !view.state.preview) {
      press.drag = piece;
      if (view.state.selected !== press.place) view.select(press.place);
      piece.element.parentNode.append(piece.element);
      piece.element.getAnimations().forEach((animation) => animation.cancel());
      view.svg.append(view.layer);
      host.classList.add("dragging");
    } else if (host.classList.contains("zoomed")) press.pan = view.window;
  }

  /** @param {PointerEvent} event */
  function up(event) {
    fingers.delete(event.pointerId);
    if (pinch) { if (fingers.size < 2) pinch = null; return; }
    if (view.drawing && event.button === 2) { endDrawing(event); return; }
    if (!press || press.id !== event.pointerId || event.button !== 0) return;
    const { place: from, was, long, pan } = press;
    const dragged = press.drag;
    const drag = drop();
    if (long || pan) { if (drag) drag.element.style.transform = ""; return; }
    const place = view.placeAt(event);
    if (dragged) {
      if (place && place !== from && view.tryMove(from, place)) { if (view.premove) drag.element.style.transform = ""; return; }
      drag.element.style.transform = "";
      if (place !== from) view.select("");
      return;
    }
    if (!place) { view.premove = null; view.select(""); return; }
    if (!hasOrigin(view.state.node.board.places)) {
      if (from === place) view.act(place);
      return;
    }
    // A press has selected the piece already: it stays so, unless it was before.
    if (from === place && view.state.selected === place) { if (was === place) view.select(""); return; }
    view.act(place, from);
  }

  /** @param {PointerEvent} event */
  function endDrawing(event) {
    const mark = view.drawing;
    view.drawing = null;
    const circle = mark.from === mark.to;
    if (circle && !mark.colour && view.gesture(event)) { view.render(); return; }
    view.state.node.marks = toggled(view.state.node.marks || [], mark);
    view.render();
    changed(view.state);
  }

  // -- two fingers ---------------------------------------------------------------------------------------

  const span = () => {
    const [a, b] = [...fingers.values()];
    return { apart: Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY), x: (a.clientX + b.clientX) / 2, y: (a.clientY + b.clientY) / 2 };
  };

  function startPinch() { pinch = host.classList.contains("drags") ? span() : null; }

  function followPinch() {
    if (fingers.size !== 2) return;
    const now = span();
    const { places } = view.shown;
    const before = inside(pinch.x, pinch.y);
    view.window = zoomed(view.window, places, view.aspect(), [before.x, before.y], now.apart / Math.max(1, pinch.apart));
    const scale = view.window.width / host.clientWidth;
    view.window = clamped({ ...view.window, x: view.window.x - (now.x - pinch.x) * scale, y: view.window.y - (now.y - pinch.y) * scale }, places, view.aspect());
    view.showWindow(places);
    pinch = now;
  }

  host.addEventListener("pointerdown", down);
  host.addEventListener("pointermove", move);
  host.addEventListener("pointerup", up);
  host.addEventListener("pointercancel", (event) => { fingers.delete(event.pointerId); pinch = null; view.drawing = null; giveUp(); });
  host.addEventListener("contextmenu", (event) => event.preventDefault());
  host.addEventListener("wheel", (event) => {
    if (!event.ctrlKey || !view.shown) return;
    event.preventDefault();
    const at = inside(event.clientX, event.clientY);
    view.window = zoomed(view.window, view.shown.places, view.aspect(), [at.x, at.y], Math.exp(-0.005 * event.deltaY));
    view.showWindow(view.shown.places);
  }, { passive: false });
}
