// The places of a board for the keyboard and for screen readers: a grid of cells over the picture, each with a name.

/** Rows of places from above, each from the left.
 *  @param {Places} places
 *  @returns {string[][]} */
export function rowsOf(places) {
  const rows = /** @type {Map<number, [number, string][]>} */ (new Map());
  for (const [name, [x, y]] of Object.entries(places.at)) {
    const key = Math.round(y / (0.5 * places.cell));
    if (!rows.has(key)) rows.set(key, []);
    rows.get(key).push([x, name]);
  }
  return [...rows].sort((a, b) => a[0] - b[0]).map(([, row]) => row.sort((a, b) => a[0] - b[0]).map(([, name]) => name));
}

/** The nearest place in a direction; the same one at an edge.
 *  @param {Places} places
 *  @param {string} from
 *  @param {Point} direction */
export function nextPlace(places, from, [dx, dy]) {
  const [x, y] = places.at[from];
  let [best, least] = [from, Infinity];
  for (const [name, [a, b]] of Object.entries(places.at)) {
    const along = (a - x) * dx + (b - y) * dy;
    const aside = Math.abs((a - x) * dy - (b - y) * dx);
    if (along < 0.4 * places.cell || aside > 2 * along) continue;
    const distance = along + 3 * aside;
    if (distance < least) [best, least] = [name, distance];
  }
  return best;
}

/** @type {Record<string, Point>} */
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Cells {
  /** `act(place)` is called for Enter, Space, and the activation of a screen reader; `leave()` for Escape, which goes on
   *  (and closes a dialog) where it says that there was nothing to leave.
   *  @param {HTMLElement} host
   *  @param {(place: string) => void} act
   *  @param {() => boolean} leave */
  constructor(host, act, leave) {
    this.host = host;
    this.act = act;
    this.leave = leave;
    this.places = /** @type {Places | null} */ (null);
    this.cells = /** @type {Map<string, HTMLElement>} */ (new Map());
    this.at = "";
    this.grid = document.createElement("div");
    this.grid.className = "cells";
    this.grid.setAttribute("role", "grid");
    this.grid.addEventListener("keydown", (event) => this.key(event));
    this.grid.addEventListener("click", (event) => {
      const { place } = /** @type {HTMLElement} */ (event.target).dataset;
      if (place && event.detail === 0) this.act(place);
    });
    this.grid.addEventListener("focusin", (event) => { const { place } = /** @type {HTMLElement} */ (event.target).dataset; if (place) this.go(place, false); });
  }

  /** Follows a board: new cells where its places are others, and what each is called.
   *  @param {Places} places
   *  @param {string} title
   *  @param {(place: string) => string} name */
  show(places, title, name) {
    const same = this.places && this.places.width === places.width && this.places.height === places.height
      && Object.keys(places.at).every((place) => String(this.places.at[place]) === String(places.at[place]));
    if (!same) this.build(places);
    this.grid.setAttribute("aria-label", title);
    for (const [place, cell] of this.cells) {
      const label = name(place);
      if (cell.getAttribute("aria-label") !== label) cell.setAttribute("aria-label", label);
    }
  }

  /** @param {Places} places */
  build(places) {
    const focused = this.grid.contains(document.activeElement);
    this.places = places;
    this.cells.clear();
    this.grid.replaceChildren(...rowsOf(places).map((names) => {
      const row = document.createElement("div");
      row.setAttribute("role", "row");
      for (const place of names) {
        const cell = document.createElement("div");
        const [x, y] = places.at[place];
        cell.setAttribute("role", "gridcell");
        cell.tabIndex = -1;
        cell.dataset.place = place;
        cell.style.left = `${100 * (x - places.cell / 2) / places.width}%`;
        cell.style.top = `${100 * (y - places.cell / 2) / places.height}%`;
        cell.style.width = `${100 * places.cell / places.width}%`;
        cell.style.height = `${100 * places.cell / places.height}%`;
        this.cells.set(place, cell);
        row.append(cell);
      }
      return row;
    }));
    if (!this.cells.has(this.at)) this.at = [...this.cells.keys()][0] || "";
    this.go(this.at, focused);
  }

  /** @param {string} place
   *  @param {boolean} [focus] */
  go(place, focus = true) {
    const cell = this.cells.get(place);
    if (!cell) return;
    const old = this.cells.get(this.at);
    if (old) old.tabIndex = -1;
    this.at = place;
    cell.tabIndex = 0;
    if (focus) cell.focus({ preventScroll: true });
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = STEPS[event.key];
    if (step) this.go(nextPlace(this.places, this.at, step));
    else if (event.key === "Home" || event.key === "End") {
      const row = rowsOf(this.places).find((names) => names.includes(this.at));
      this.go(row.at(event.key === "Home" ? 0 : -1));
    } else if (event.key === "Enter" || event.key === " ") this.act(this.at);
    else if (event.key !== "Escape" || !this.leave()) return;
    event.preventDefault();
    event.stopPropagation();
  }
}
