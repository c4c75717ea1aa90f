// Stepping back through the moves of a room while the game goes on. What was received is kept; in a game that hides
// nothing the boards before that are asked for.

import { button, toast } from "./dom.js";
import { post } from "./api.js";
import { t } from "./i18n.js";

export class RoomWalk {
  /** @param {() => Record<string, any>} wishes how boards are to be drawn
   *  @param {() => void} render */
  constructor(wishes, render) {
    this.wishes = wishes;
    this.render = render;
    /** Boards by the number of their moves. */
    this.seen = /** @type {Map<number, Board>} */ (new Map());
    /** The number of moves that is shown; null for the game as it is. */
    this.at = /** @type {number | null} */ (null);
    this.room = /** @type {Room | null} */ (null);
  }

  /** A new state of the room; moves may have been taken back.
   *  @param {Room} room */
  update(room) {
    this.room = room;
    if (!room.board) return;
    const { length } = room.board.line;
    for (const number of this.seen.keys()) if (number > length) this.seen.delete(number);
    this.seen.set(length, room.board);
    if (this.at !== null && this.at >= length) this.at = null;
  }

  /** Boards are drawn in another way from now on. */
  forget() { this.seen.clear(); this.at = null; }

  /** The board that is shown; on one of the past nothing can be played. */
  board() {
    const past = this.at === null ? null : this.seen.get(this.at);
    return past ? { ...past, legalMoves: [], counting: false } : this.room.board;
  }

  /** The numbers of moves that can be gone to. */
  first() { return this.room.record ? 0 : Math.min(...this.seen.keys()); }

  /** @param {number} number */
  async go(number) {
    const { length } = this.room.board.line;
    if (number >= length) { this.at = null; this.render(); return; }
    const wanted = Math.max(number, this.first());
    if (!this.seen.has(wanted)) await this.ask(wanted);
    if (this.seen.has(wanted)) { this.at = wanted; this.render(); }
  }

  /** @param {number} number */
  async ask(number) {
    const { record } = this.room;
    if (!record) return;
    try {
      this.seen.set(number, await post("/api/position", { record: { ...record, moves: record.moves.slice(0, number) }, ...this.wishes() }));
    } catch (error) { toast(error.message); }
  }

  /** @param {number} by */
  step(by) { return this.go((this.at ?? this.room.board.line.length) + by); }

  buttons() {
    if (!this.room.board?.line.length) return [];
    const here = this.at ?? this.room.board.line.length;
    const back = here > this.first();
    const live = this.at === null;
    return [
      button("⇤", t("walk.first"), () => this.go(0), { disabled: !back, id: "walk-first" }), button("◀", t("walk.back"), () => this.step(-1), { disabled: !back, id: "walk-back" }),
      button("▶", t("walk.on"), () => this.step(1), { disabled: live, id: "walk-on" }), button(live ? "⇥" : t("walk.live"), t("walk.last"), () => this.go(Infinity), { disabled: live, id: "walk-last", class: live ? "" : "primary" })];
  }
}
