// The board of the page: shows the state, and turns clicks, drags and long presses into moves and gestures.

import { $, el, toast } from "./dom.js";
import { t } from "./i18n.js";
import { drawAnalysis, drawBeliefs, drawLine, drawOwnership, drawTargets } from "./kit/overlay.js";
import { endsOf, hasOrigin, picture, placeAt, shape } from "./kit/svg.js";
import { makeMove } from "./state.js";
import { openGesture } from "./gesture.js";

const LONG_PRESS = 480;
const GO_COLUMNS = "ABCDEFGHJKLMNOPQRST";

export class BoardView {
  constructor(host, state) {
    this.host = host;
    this.state = state;
    this.shown = null;
    this.press = null;
    host.addEventListener("pointerdown", (event) => this.down(event));
    host.addEventListener("pointerup", (event) => this.up(event));
    host.addEventListener("pointermove", (event) => this.move(event));
    host.addEventListener("pointercancel", () => this.cancel());
    host.addEventListener("contextmenu", (event) => { event.preventDefault(); this.gesture(event); });
  }

  board() {
    const { preview, node } = this.state;
    return preview?.board || node.board;
  }

  render() {
    const { state } = this;
    const board = this.board();
    if (!board) return;
    if (this.shown !== board) {
      this.svg = picture(board.svg);
      this.svg.setAttribute("role", "img");
      this.svg.setAttribute("aria-label", board.notation);
      this.layer = shape("g");
      this.svg.append(this.layer);
      this.host.replaceChildren(this.svg);
      this.host.style.setProperty("--ratio", board.places.width / board.places.height);
      this.shown = board;
    }
    this.layer.replaceChildren();
    const { places } = board;
    const report = state.node.report;
    if (state.preview) {
      drawLine(this.layer, state.game, state.preview.line, places, !state.preview.board);
      return;
    }
    if (state.ownership && state.game === "go") {
      // What a network says of the points; without one, the score as the board stands.
      const owners = report?.root.ownership?.length ? report.root.ownership : board.facts.owners.join("").split("").map((one) => ({ X: 1, O: -1 })[one] || 0);
      drawOwnership(this.layer, owners, board.facts.size, places, (x, y) => `${GO_COLUMNS[x]}${board.facts.size[1] - y}`);
    }
    if (state.beliefs && state.node.beliefs) drawBeliefs(this.layer, state.node.beliefs, places);
    drawAnalysis(this.layer, state, state.node, state.showCandidates === false ? null : report, places);
    if (state.selected) drawTargets(this.layer, state, state.selected, this.targets(state.selected), places);
  }

  targets(from) {
    return new Set(this.legal().filter((move) => endsOf(this.state.game, move)[0] === from).map((move) => endsOf(this.state.game, move)[1]));
  }

  legal() { return this.state.node.board?.legalMoves || []; }

  /** The place under a pointer, if there is one. */
  placeAt(event) {
    const board = this.board();
    return board && this.svg ? placeAt(this.svg, board.places, event) : "";
  }

  down(event) {
    if (event.button !== 0 || this.state.preview?.fixed) return;
    const place = this.placeAt(event);
    this.press = { place, x: event.clientX, y: event.clientY, long: false };
    if (event.pointerType !== "mouse") {
      this.press.timer = setTimeout(() => { this.press.long = true; this.gesture(event); }, LONG_PRESS);
    }
  }

  move(event) {
    const { press } = this;
    if (press && Math.hypot(event.clientX - press.x, event.clientY - press.y) > 12) clearTimeout(press.timer);
    const legal = new Set(this.legal().flatMap((move) => endsOf(this.state.game, move)));
    const place = this.placeAt(event);
    this.host.classList.toggle("pointing", legal.has(place));
  }

  cancel() {
    clearTimeout(this.press?.timer);
    this.press = null;
  }

  up(event) {
    const { press } = this;
    this.cancel();
    if (!press || press.long || event.button !== 0) return;
    const place = this.placeAt(event);
    if (!place) { this.select(""); return; }
    if (hasOrigin(this.state.game)) this.clickPiece(press.place, place);
    else if (press.place === place && this.legal().includes(place)) this.play([place]);
  }

  clickPiece(pressed, place) {
    const { state } = this;
    const from = pressed && pressed !== place ? pressed : state.selected;
    const moves = this.legal().filter((move) => { const [a, b] = endsOf(state.game, move); return a === from && b === place; });
    if (from && moves.length) this.play(moves);
    else this.select(this.targets(place).size && place !== state.selected ? place : "");
  }

  select(place) {
    this.state.selected = place;
    this.render();
  }

  async play(moves) {
    const move = moves.length > 1 ? await choosePromotion(moves) : moves[0];
    this.state.selected = "";
    if (!move) return this.render();
    this.render();
    return Promise.resolve(makeMove(this.state, move)).catch((error) => toast(error.message));
  }

  /** Right click, long press: what to ask of the moves that end (or begin) here. */
  gesture(event) {
    if (this.nogesture) return;
    const place = this.placeAt(event);
    const { state } = this;
    if (!place) return;
    const selected = state.selected;
    let moves = this.legal().filter((move) => endsOf(state.game, move).at(-1) === place);
    const fromHere = this.legal().filter((move) => endsOf(state.game, move)[0] === place);
    if (selected && selected !== place) moves = moves.filter((move) => endsOf(state.game, move)[0] === selected);
    if (!moves.length) moves = fromHere;
    if (moves.length) openGesture(state, moves, event.clientX, event.clientY);
  }
}

function choosePromotion(moves) {
  const dialog = $("dialog");
  return new Promise((resolve) => {
    const choose = (move) => { dialog.close(); resolve(move); };
    dialog.replaceChildren(el("h2", {}, t("promote")), el("div", { class: "row" },
      moves.map((move) => el("button", { type: "button", onclick: () => choose(move) }, t(`piece.${move.at(-1)}`)))));
    dialog.onclose = () => resolve("");
    dialog.showModal();
  });
}
