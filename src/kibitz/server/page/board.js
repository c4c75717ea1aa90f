// The board of the page: shows the state. What a pointer does is in pointer.js, the keyboard's grid in kit/cells.js.

import { $, el, store, toast } from "./dom.js";
import { has, sideName, t } from "./i18n.js";
import { Cells } from "./kit/cells.js";
import { drawCount } from "./kit/count.js";
import { drawMarks } from "./kit/marks.js";
import { drawAnalysis, drawBeliefs, drawEvidence, drawLegal, drawLine, drawOwnership, drawSquares, drawTargets, drawJudged } from "./kit/overlay.js";
import { animateChanges, changesOf, motionTime, piecesOf } from "./kit/pieces.js";
import { playSound, soundOf } from "./kit/sound.js";
import { endsOf, hasOrigin, picture, placeAt, restOf, shape, text } from "./kit/svg.js";
import { seatWindow, whole, zoomed } from "./kit/zoom.js";
import { look } from "./look.js";
import { pieceName, placeName } from "./names.js";
import { changed, makeMove } from "./state.js";
import { listenToPointer } from "./pointer.js";
import { valueText } from "./values.js";

/** A place is at least so large where a game asks for it, in pixels: on a phone, and elsewhere. */
const [FINGER, MOUSE] = [38, 30];
/** A screen that is smaller than this, in one way, is a phone's. */
const PHONE = [860, 520];

/** Whether two boards have their places at the same points.
 *  @param {Places} a
 *  @param {Places} b */
const samePlaces = (a, b) => a.width === b.width && a.height === b.height
  && Object.entries(a.at).every(([name, [x, y]]) => b.at[name]?.[0] === x && b.at[name][1] === y);

/** Who the user plays for: a side, "" for nobody, null for everybody.
 *  @param {State} state */
export const playerOf = (state) => state.plays ?? (state.opponent && state.result?.ending === "time" ? "" : state.opponent?.you) ?? null;

export class BoardView {
  /** @param {HTMLElement} host
   *  @param {State} state */
  constructor(host, state) {
    this.host = host;
    this.state = state;
    this.shown = /** @type {Board | null} */ (null);
    this.svg = /** @type {SVGSVGElement} */ (null);
    /** What is drawn below the pieces, and above them. */
    this.under = /** @type {SVGElement} */ (null);
    this.layer = /** @type {SVGElement} */ (null);
    this.pieces = /** @type {Piece[]} */ ([]);
    /** A move that is to be played when it is the user's turn. */
    this.premove = /** @type {string[] | null} */ (null);
    this.drawing = /** @type {OwnMark | null} */ (null);
    this.window = /** @type {ViewWindow | null} */ (null);
    /** Whether a right click asks for nothing, as in a room. */
    this.nogesture = false;
    /** Where marks on suspects are kept. */
    this.keep = "";
    this.cells = new Cells(host, (place) => this.act(place), () => this.escape());
    this.said = el("div", { class: "unseen", role: "status", "aria-live": "polite" });
    this.tools = el("div", { class: "zoom", hidden: true },
      [["+", "zoom.in", 1.4], ["−", "zoom.out", 1 / 1.4], ["⤢", "zoom.all", 0]].map(([sign, key, factor]) =>
        el("button", { type: "button", "data-zoom": String(sign), "aria-label": t(String(key)), title: t(String(key)), onclick: () => this.zoom(Number(factor)) }, sign)));
    listenToPointer(this);
    // The stage has other proportions after a phone is turned.
    new ResizeObserver(() => { if (this.shown && host.classList.contains("fills")) { this.window = null; this.showWindow(this.shown.places); } }).observe(host);
  }

  board() {
    const { preview, node } = this.state;
    return preview?.board || node.board;
  }

  /** The moves that the user can make now. */
  legal() {
    const { board } = this.state.node;
    const player = playerOf(this.state);
    return board && (player === null || player === board.mover) ? board.legalMoves : [];
  }

  /** The places a move of this position names.
   *  @param {string} move */
  ends(move) { return endsOf(this.state.node.board.places, move); }

  /** @param {string} from */
  targets(from) {
    return new Set(this.legal().map((move) => this.ends(move)).filter((ends) => ends[0] === from).map((ends) => ends[1]));
  }

  /** @param {string} place */
  pieceAt(place) { return this.pieces.find((piece) => piece.place === place); }

  /** Whether a piece waits for its side's turn: it can be moved in advance.
   *  @param {string} place */
  waits(place) {
    const player = playerOf(this.state);
    const { board } = this.state.node;
    return Boolean(player && !board.over && board.mover !== player && hasOrigin(board.places) && this.pieceAt(place)?.side === player);
  }

  /** @param {string} place */
  canMove(place) { return this.targets(place).size > 0 || this.waits(place); }

  /** The place under a pointer, if there is one.
   *  @param {any} event */
  placeAt(event) {
    const board = this.board();
    return board && this.svg ? placeAt(this.svg, board.places, event) : "";
  }

  // -- drawing -----------------------------------------------------------------------------------------

  render() {
    const { state } = this;
    const board = this.board();
    if (!board) return;
    if (this.shown !== board) this.show(board);
    const { places } = board;
    this.under.replaceChildren();
    this.layer.replaceChildren();
    for (const [place, why] of Object.entries(board.warned || {})) drawSquares(this.under, [place], places, `kit-warned kit-${why}`);
    if (state.preview) {
      if (state.preview.evidence) drawEvidence(this.layer, state.preview.evidence, places);
      else drawLine(this.layer, state.preview.line, places, !state.preview.board);
      return;
    }
    if (state.judged?.node === state.node) drawJudged(this.layer, state.judged.moves, places);
    else this.drawAsked(board);
    const counted = state.count?.node === state.node ? state.count.counted : null;
    const ended = board.over && board.owners.length ? { dead: board.facts.dead || [], owners: board.owners } : null; // the score as it was agreed
    if (counted || ended) drawCount(this.layer, counted || ended, places, new Set(this.pieces.map(({ place }) => place)));
    drawMarks(this.layer, [...(state.node.marks || []), ...(state.shownHint?.node === state.node ? [state.shownHint.mark] : []), ...(this.drawing ? [this.drawing] : [])], places);
    this.drawSuspects(places);
    const occupied = new Set(this.pieces.map(({ place }) => place));
    if (state.selected) drawTargets(this.under, state.selected, this.targets(state.selected), places, occupied);
    else if (state.info.page.markLegal && playerOf(state) !== "") drawLegal(this.under, this.legal().flatMap((move) => this.ends(move)), places);
    if (this.premove) drawSquares(this.under, this.premove, places, "kit-premove");
    this.host.classList.toggle("drags", hasOrigin(places));
  }

  /** What was asked of an analysis, or of what is believed.
   *  @param {Board} board */
  drawAsked(board) {
    const { state } = this;
    const { node } = state;
    const report = node.report;
    // What a network says of the places; without one, the score as the board stands.
    if (state.layers.has("ownership")) drawOwnership(this.layer, report?.root.ownership?.length ? report.root.ownership : board.owners, board.places);
    if (state.layers.has("beliefs") && node.beliefs) drawBeliefs(this.layer, node.beliefs, board.places);
    drawAnalysis(this.layer, node, state.showCandidates === false ? null : report, board.places, this.pieces.map(({ place }) => place),
      (info) => valueText(info, state.info, true));
  }

  /** Kinds that the player has noted on hidden pieces.
   *  @param {Places} places */
  drawSuspects(places) {
    const { cell } = places;
    for (const { place, side, number, kind } of this.pieces) {
      const noted = kind === "?" && this.state.suspects?.[`${side}${number}`];
      if (!noted || !places.at[place]) continue;
      const [x, y] = places.at[place];
      const name = pieceName(this.state.info, noted);
      const group = shape("g", { class: "suspect", "data-at": place, "data-kind": noted });
      group.append(shape("rect", { x: x - 0.42 * cell, y: y - 0.28 * cell, width: 0.84 * cell, height: 0.56 * cell, rx: 0.08 * cell }),
        text(x, y, Math.min(0.32, 1.1 / [...name].length) * cell, name));
      this.layer.append(group);
    }
  }

  /** Puts a board on the stage; what has changed since the one before is seen to move.
   *  @param {Board} board */
  show(board) {
    const { places } = board;
    const before = this.shown;
    const old = this.pieces.filter(({ element }) => element.isConnected);
    const last = this.svg;
    this.svg = picture(board.svg);
    this.svg.setAttribute("aria-hidden", "true");
    this.pieces = piecesOf(this.svg);
    [this.under, this.layer] = [shape("g", { class: "under" }), shape("g", { class: "over" })];
    this.svg.insertBefore(this.under, this.pieces[0]?.element || null);
    this.svg.append(this.layer);
    // The grid stays where it is: moved, it would lose the focus.
    if (last?.parentNode === this.host) last.replaceWith(this.svg);
    else this.host.replaceChildren(this.svg, this.cells.grid, this.said, this.tools);
    this.host.style.setProperty("--ratio", String(places.width / places.height));
    this.host.classList.toggle("tall", places.width < 0.9 * places.height);
    this.shown = board;
    const same = before && samePlaces(before.places, places);
    if (!same) this.window = null;
    this.showWindow(places);
    if (same) {
      const changes = changesOf(old, this.pieces, places, hasOrigin(places));
      const time = motionTime(look.pace(this.state.info));
      animateChanges(this.svg, changes, places, time);
      this.svg.append(this.layer);
      const played = board.line.length === before.line.length + 1 && board.line[0] === (before.line[0] ?? board.line[0]);
      if (played && look.sounds()) playSound(soundOf(board, changes.gone.length > 0));
      if (played) this.say(board);
    }
    this.nameCells();
  }

  /** Says the last move to a screen reader.
   *  @param {Board} board */
  say(board) {
    const move = board.line.at(-1);
    const warned = Object.values(board.warned || {})[0];
    this.said.textContent = [t("board.played", { move }), warned && t(`board.${warned}`)].filter(Boolean).join(", ");
  }

  nameCells() {
    const board = this.board();
    if (!board) return;
    const { info, selected } = this.state;
    const pieces = new Map(this.pieces.map((piece) => [piece.place, piece]));
    const targets = selected ? this.targets(selected) : new Set(this.legal().map((move) => this.ends(move)[0]));
    /** @param {string} place */
    const name = (place) => {
      const piece = pieces.get(place);
      const suspect = piece && this.state.suspects?.[`${piece.side}${piece.number}`];
      return [placeName(info, place), piece ? t("board.piece", { side: sideName(piece.side), piece: pieceName(info, piece.kind) }) : t("board.empty"),
        suspect && t("board.suspect", { piece: pieceName(info, suspect) }), place === selected && t("board.selected"),
        targets.has(place) && t(selected || !piece ? "board.target" : "board.movable"), board.warned?.[place] && t(`board.${board.warned[place]}`)].filter(Boolean).join(", ");
    };
    this.cells.show(board.places, t("board.of", { side: sideName(board.mover) }), name);
  }

  // -- zooming ---------------------------------------------------------------------------------------------

  /** @param {Places} places */
  showWindow(places) {
    const { info, seat } = this.state;
    const fills = Boolean(info.page.zoom && (this.state.plays || seat));
    this.host.classList.toggle("fills", fills);
    if (!this.window) {
      const { clientWidth: shown } = this.host;
      const finger = innerWidth <= PHONE[0] || innerHeight <= PHONE[1] ? FINGER : MOUSE;
      this.window = fills && shown ? seatWindow(places, shown, this.aspect(), finger) : whole(places, this.aspect());
    }
    const { x, y, width, height } = this.window;
    this.svg.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
    const { style } = this.cells.grid;
    style.left = `${-100 * x / width}%`;
    style.top = `${-100 * y / height}%`;
    style.width = `${100 * places.width / width}%`;
    style.height = `${100 * places.height / height}%`;
    this.tools.hidden = !info.page.zoom;
    this.host.classList.toggle("zoomed", width < places.width || height < places.height);
  }

  /** The proportions of the stage. */
  aspect() {
    const { clientWidth, clientHeight } = this.host;
    const { width, height } = this.shown.places;
    return this.host.classList.contains("fills") && clientWidth && clientHeight ? clientWidth / clientHeight : width / height;
  }

  /** By a factor around the middle; 0 for the whole board.
   *  @param {number} factor */
  zoom(factor) {
    const { places } = this.shown;
    const { x, y, width, height } = this.window;
    this.window = factor ? zoomed(this.window, places, this.aspect(), [x + width / 2, y + height / 2], factor) : whole(places, this.aspect());
    this.showWindow(places);
  }

  // -- acting ----------------------------------------------------------------------------------------------

  /** A place is clicked, or chosen by the keyboard.
   *  @param {string} place
   *  @param {string} [pressed] where a swipe began */
  act(place, pressed = "") {
    const { state } = this;
    if (!hasOrigin(state.node.board.places)) {
      if (state.node.board.counting && state.markDead) { if (this.pieceAt(place)) state.markDead(place); }
      else if (this.legal().includes(place)) this.play([place]);
      else this.clearMarks();
      return;
    }
    const from = pressed && pressed !== place ? pressed : state.selected;
    if (from && from !== place && this.tryMove(from, place)) return;
    if (!this.canMove(place) && !state.selected) this.clearMarks();
    this.premove = null;
    this.select(this.canMove(place) && place !== state.selected ? place : "");
  }

  /** Plays from a place to another, or remembers it for the user's turn; whether it could be done.
   *  @param {string} from
   *  @param {string} to */
  tryMove(from, to) {
    const moves = this.legal().filter((move) => { const [a, b] = this.ends(move); return a === from && b === to; });
    if (moves.length) { this.play(moves, true); return true; }
    if (!this.waits(from)) return false;
    this.premove = [from, to];
    this.select("");
    return true;
  }

  /** @param {string} place */
  select(place) {
    this.state.selected = place;
    this.render();
    this.nameCells();
  }

  /** Gives up what was begun, or clears marks; whether there was something. */
  escape() {
    if (!this.premove && !this.state.selected) return this.clearMarks();
    this.premove = null;
    this.select("");
    return true;
  }

  clearMarks() {
    if (!this.state.node.marks?.length) return false;
    this.state.node.marks = [];
    this.render();
    changed(this.state);
    return true;
  }

  /** A move that waited is played once it can be; called when the state has changed. */
  follow() {
    if (!this.premove || this.state.preview || !this.legal().length) return;
    const [from, to] = this.premove;
    this.premove = null;
    const move = this.legal().find((one) => { const [a, b] = this.ends(one); return a === from && b === to; });
    if (move) this.play([move], true);
    else this.render();
  }

  /** @param {string[]} moves
   *  @param {boolean} [shift] show it before the answer comes */
  async play(moves, shift = false) {
    const move = moves.length > 1 ? await chooseMove(this, moves) : moves[0];
    const { board } = this.state.node;
    this.state.selected = "";
    if (!move) return this.reset();
    if (shift) this.shift(this.ends(move));
    this.render();
    try { await makeMove(this.state, move); } catch (error) { toast(error.message); this.reset(); }
    if (this.state.plays === undefined && this.state.node.board === board) this.reset(); // a try that was wrong
  }

  /** Puts the piece of a move where it goes; the board that comes then has it there.
   *  @param {string[]} ends */
  shift([from, to]) {
    const [piece, other] = [this.pieceAt(from), this.pieceAt(to)];
    const places = this.shown?.places;
    if (!piece || !places?.at[to] || this.state.info.hides) return;
    if (other && other.side !== piece.side) { other.element.remove(); this.pieces = this.pieces.filter((one) => one !== other); }
    const [[x1, y1], [x2, y2]] = [places.at[from], places.at[to]];
    const { style } = piece.element;
    const now = style.transform || "none";
    style.transform = `translate(${x2 - x1}px, ${y2 - y1}px)`;
    if (now === "none") piece.element.animate([{ transform: "none" }, { transform: style.transform }], { duration: motionTime(look.pace(this.state.info)), easing: "ease-in-out" });
    piece.place = to;
  }

  /** Shows the board as it is: nothing came of what was begun. */
  reset() {
    this.shown = null;
    this.pieces = [];
    this.render();
  }

  /** Right click, long press: what to ask of the moves that end (or begin) here, or what a hidden piece may be.
   *  @param {any} event */
  gesture(event) {
    const place = this.placeAt(event);
    const { state } = this;
    if (!place) return false;
    const piece = this.pieceAt(place);
    if (state.info.page.suspects.length && piece?.kind === "?" && piece.side !== playerOf(state)) {
      import("./gesture.js").then(({ openSuspects }) => openSuspects(state, piece, event.clientX, event.clientY, () => { if (this.keep) store.set(this.keep, state.suspects); this.render(); this.nameCells(); }));
      return true;
    }
    if (this.nogesture) return false;
    const selected = state.selected;
    let moves = this.legal().filter((move) => this.ends(move).at(-1) === place);
    const fromHere = this.legal().filter((move) => this.ends(move)[0] === place);
    if (selected && selected !== place) moves = moves.filter((move) => this.ends(move)[0] === selected);
    if (!moves.length) moves = fromHere;
    if (moves.length) import("./gesture.js").then(({ openGesture }) => openGesture(state, moves, event.clientX, event.clientY));
    return moves.length > 0;
  }
}

/** Asks which one is meant of several moves with the same places, beside the place where they end.
 *  @param {BoardView} view
 *  @param {string[]} moves */
function chooseMove({ state, svg }, moves) {
  const { places, moveNames } = state.node.board;
  /** @param {string} move */
  const label = (move) => { const key = `piece.${restOf(places, move)}`; return has(key) ? t(key) : moveNames[move] || move; };
  const dialog = $("dialog");
  return new Promise((resolve) => {
    /** @param {string} move */
    const choose = (move) => { dialog.close(); resolve(move); };
    dialog.replaceChildren(el("h2", {}, t(state.info.page.choose)), el("div", { class: "row chooser" },
      moves.map((move) => el("button", { type: "button", "data-choice": restOf(places, move), onclick: () => choose(move) }, label(move)))));
    dialog.onclose = () => resolve("");
    dialog.showModal();
    const [x, y] = places.at[endsOf(places, moves[0]).at(-1)];
    const at = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM());
    dialog.style.margin = "0";
    dialog.style.left = `${Math.max(8, Math.min(at.x - dialog.offsetWidth / 2, innerWidth - dialog.offsetWidth - 8))}px`;
    dialog.style.top = `${Math.max(8, Math.min(at.y + 10, innerHeight - dialog.offsetHeight - 8))}px`;
    dialog.addEventListener("close", () => { for (const name of ["margin", "left", "top"]) dialog.style.removeProperty(name); }, { once: true });
  });
}
