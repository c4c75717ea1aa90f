// Clocks of a game against the engine. What a move took is charged when it is made; while no page has the game
// open, they stand.

import { el, toast } from "./dom.js";
import { sideName, t } from "./i18n.js";
import { changed, isMainLine } from "./state.js";

/** Seconds and increment of the clocks that are offered. */
export const CLOCKS = ["", "180+2", "300+3", "600+5", "1800+20"];

/** @param {string} clock */
export const clockName = (clock) => (clock ? t("room.clock.each", { minutes: Number(clock.split("+")[0]) / 60, seconds: clock.split("+")[1] }) : t("room.clock.none"));

/** @param {string} chosen
 *  @param {string[]} sides
 *  @returns {SavedClock | null} */
export function newClock(chosen, sides) {
  if (!chosen) return null;
  const [seconds, increment] = chosen.split("+").map(Number);
  return { seconds, increment, left: Object.fromEntries(sides.map((side) => [side, seconds])) };
}

/** Seconds that a side has left at a moment, in milliseconds of `performance.now`.
 *  @param {State} state
 *  @param {string} side
 *  @param {number} now */
export function leftOf({ clock, turn }, side, now) {
  return Math.max(0, clock.left[side] - (turn && turn.side === side ? (now - turn.since) / 1000 : 0));
}

/** Follows the game: charges a move that was made, and starts the clock of who is to move.
 *  @param {State} state
 *  @param {number} [now] */
export function followClock(state, now = performance.now()) {
  const { clock, node, opponent, turn } = state;
  const runs = clock && opponent && !state.result && !node.board.over && !node.children.length && isMainLine(node);
  if (turn && (!runs || turn.node !== node)) {
    if (clock && node.parent === turn.node) { // a move was made
      const spent = (now - turn.since) / 1000;
      const left = Math.max(0, clock.left[turn.side] - spent) + clock.increment;
      state.clock = { ...clock, left: { ...clock.left, [turn.side]: Number(left.toFixed(2)) } };
      node.seconds = Number(spent.toFixed(2));
    }
    state.turn = null;
  }
  if (runs && !state.turn) state.turn = { node, side: node.board.mover, since: now };
}

/** Ends the game of a side whose time is up. True when it has.
 *  @param {State} state
 *  @param {number} [now] */
export function checkFlag(state, now = performance.now()) {
  const { turn } = state;
  if (!turn || !state.clock || leftOf(state, turn.side, now) > 0) return false;
  const { sides } = state.node.board;
  state.clock = { ...state.clock, left: { ...state.clock.left, [turn.side]: 0 } };
  state.result = { value: turn.side === sides[0] ? 0 : 1, ending: "time" };
  state.turn = null;
  toast(t("clock.up", { side: sideName(turn.side) }));
  changed(state);
  return true;
}

/** @param {number} seconds */
export function clockText(seconds) {
  const whole = Math.ceil(seconds);
  return seconds < 10 ? seconds.toFixed(1) : `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** The clocks of both sides, the one that runs marked.
 *  @param {State} state */
export function clockRow(state) {
  const { clock, turn } = state;
  if (!clock) return null;
  return el("div", { class: "row clocks" }, Object.keys(clock.left).map((side) => el("span", { class: turn?.side === side ? "plate moves" : "plate", "data-node": side },
    el("b", {}, sideName(side)), " ", el("span", { class: "clock", "data-clock": side, role: "timer" }, clockText(leftOf(state, side, performance.now()))))));
}
