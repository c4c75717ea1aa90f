// The position editor, the same in every game: pieces are put, moved and removed; the server makes a position of them.

import { get, post } from "./api.js";
import { $, el, redraw, toast } from "./dom.js";
import { sideName, t } from "./i18n.js";
import { Cells } from "./kit/cells.js";
import { piecesOf } from "./kit/pieces.js";
import { picture, placeAt, shape } from "./kit/svg.js";
import { look } from "./look.js";
import { pieceName, placeName } from "./names.js";
import { recordOf } from "./state.js";

const [HAND, ERASER] = [-1, -2];
/** What a board without pieces does not have. */
const LEFT_OUT = "g.piece, .owner, .last, .last-dot";
const SVG = 'xmlns="http://www.w3.org/2000/svg"';

/** The pieces after one is moved from a place to another; what stood there is gone.
 *  @param {Map<string, any>} pieces
 *  @param {string} from
 *  @param {string} to */
export function movedPiece(pieces, from, to) {
  const next = new Map(pieces);
  const piece = next.get(from);
  next.delete(from);
  if (piece && to) next.set(to, { ...piece, place: to });
  return next;
}

/** @param {State} state
 *  @param {(record: GameRecord) => unknown} open */
export async function editPosition(state, open) {
  const { info, node } = state;
  const { board } = node;
  const { places } = board;
  /** @type {{ kind: string, side: string, svg: string }[]} */
  const palette = await get(`/api/palette?game=${encodeURIComponent(state.game)}&names=${look.names()}&pieces=${encodeURIComponent(look.pieces(info))}`);
  const svg = picture(board.svg);
  const drawn = piecesOf(svg);
  /** A piece's picture around (0, 0): of the palette, else the one that stands somewhere.
   *  @param {any} piece
   *  @returns {string} */
  const pictureOf = (piece) => {
    const known = palette.find((one) => one.kind === piece.kind && one.side === piece.side);
    if (known) return known.svg;
    const { place, element } = drawn.find(({ kind, side, number }) => kind === piece.kind && side === piece.side && (number || "") === piece.number);
    const [x, y] = places.at[place];
    return `<g transform="translate(${-x} ${-y})">${element.innerHTML}</g>`;
  };
  const first = new Map(drawn.map(({ place, kind, side, number }) => [place, { place, kind, side, number: number || "" }]));
  /** @param {any} piece */
  const keyOf = (piece) => `${piece.side} ${piece.kind} ${piece.number}`;
  const pictures = new Map([...first.values()].map((piece) => [keyOf(piece), pictureOf(piece)]));
  svg.querySelectorAll(LEFT_OUT).forEach((/** @type {Element} */ one) => one.remove());
  svg.setAttribute("aria-hidden", "true");
  const layer = shape("g");
  svg.append(layer);

  let pieces = first;
  let tool = palette.length ? 0 : HAND;
  let { mover } = board;
  let held = "", error = "", pressed = "";

  const host = el("div", { class: "board edited" });
  host.style.setProperty("--ratio", String(places.width / places.height));
  const cells = new Cells(host, act, () => { const was = held; held = ""; draw(); return Boolean(was); });
  host.append(svg, cells.grid);
  const dialog = $("dialog");
  const tools = el("div", { class: "palette", role: "toolbar", "aria-label": t("edit.pieces") });
  const below = el("div", { class: "form" });

  /** @param {string} place */
  function act(place) {
    if (tool === HAND) {
      if (held && held !== place) { pieces = movedPiece(pieces, held, place); held = ""; } else held = !held && pieces.has(place) ? place : "";
    } else if (tool === ERASER) pieces = movedPiece(pieces, place, "");
    else put(place, palette[tool]);
    draw();
  }

  /** The same piece again is taken away.
   *  @param {string} place
   *  @param {{ kind: string, side: string }} piece */
  function put(place, { kind, side }) {
    const same = pieces.get(place);
    pieces = new Map(pieces);
    if (same?.kind === kind && same.side === side) pieces.delete(place);
    else pieces.set(place, { place, kind, side, number: "" });
  }

  /** @param {number} n
   *  @param {string} id
   *  @param {string} name
   *  @param {string | Element} content */
  const toolButton = (n, id, name, content) => el("button", {
    type: "button", "aria-pressed": String(tool === n), "aria-label": name, title: name, "data-tool": id, onclick: () => { tool = n; held = ""; draw(); },
  }, content);

  /** @param {{ svg: string }} one */
  const icon = (one) => picture(`<svg ${SVG} viewBox="${-places.cell / 2} ${-places.cell / 2} ${places.cell} ${places.cell}">${one.svg}</svg>`);

  /** @param {any} piece */
  const nameOf = (piece) => t("board.piece", { side: sideName(piece.side), piece: pieceName(info, piece.kind) });

  function draw() {
    layer.replaceChildren(...[...pieces.values()].map((piece) => {
      if (!pictures.has(keyOf(piece))) pictures.set(keyOf(piece), pictureOf(piece));
      const group = picture(`<svg ${SVG}><g>${pictures.get(keyOf(piece))}</g></svg>`).firstChild;
      const [x, y] = places.at[piece.place];
      group.setAttribute("transform", `translate(${x} ${y})`);
      group.setAttribute("data-edited", piece.place);
      group.setAttribute("data-kind", piece.kind);
      if (piece.place === held) group.setAttribute("opacity", "0.5");
      return group;
    }));
    cells.show(places, t("edit.board"), (place) => `${placeName(info, place)}, ${pieces.has(place) ? nameOf(pieces.get(place)) : t("board.empty")}`);
    tools.replaceChildren(toolButton(HAND, "hand", t("edit.hand"), "✥"), toolButton(ERASER, "eraser", t("edit.eraser"), "⌫"),
      ...palette.map((one, n) => toolButton(n, `${one.side}-${one.kind}`, nameOf(one), icon(one))));
    redraw(below,
      el("label", {}, t("edit.mover"), el("select", { id: "edit-mover", value: mover, onchange: (event) => { mover = event.target.value; } }, board.seats.map((seat) => el("option", { value: seat }, sideName(seat))))),
      error ? el("p", { class: "error", role: "alert", id: "edit-error" }, error) : null,
      el("div", { class: "row end" },
        el("button", { type: "button", id: "edit-clear", onclick: () => { pieces = new Map(); held = ""; draw(); } }, t("edit.clear")),
        el("button", { type: "button", id: "edit-back", onclick: () => { pieces = first; held = ""; error = ""; draw(); } }, t("edit.back")),
        el("button", { type: "button", onclick: () => dialog.close() }, t("cancel")),
        el("button", { type: "button", class: "primary", id: "edit-done", onclick: done }, t("edit.done"))));
  }

  async function done() {
    try {
      const record = await post("/api/edit", { record: recordOf(state, node), pieces: [...pieces.values()], mover });
      dialog.close();
      await open(record);
    } catch (problem) {
      error = problem.message;
      draw();
      toast(error);
    }
  }

  host.addEventListener("pointerdown", (event) => { pressed = placeAt(svg, places, event); });
  host.addEventListener("pointerup", (event) => {
    const place = placeAt(svg, places, event);
    if (pressed && place !== pressed && pieces.has(pressed)) { pieces = movedPiece(pieces, pressed, place); held = ""; draw(); } else if (place && place === pressed) act(place);
    pressed = "";
  });
  draw();
  dialog.replaceChildren(el("div", { class: "editor" }, el("h2", {}, t("edit")), tools, host, below));
  dialog.onclose = null;
  dialog.showModal();
}
