// What places and pieces are called, as a game's descriptor and the texts say it.

import { el } from "./dom.js";
import { has, sideName, t, worded } from "./i18n.js";
import { endsOf } from "./kit/svg.js";

/** @param {GameInfo} info
 *  @param {string} place
 *  @param {boolean} [brief] */
export function placeName({ page }, place, brief = false) {
  const groups = page.placeForm && new RegExp(page.placeForm).exec(place)?.slice(1);
  if (!groups) return place;
  const text = brief && has(`${page.placeText}.short`) ? `${page.placeText}.short` : page.placeText;
  const words = groups.map((group) => (has(`${page.placeText}.${group}`) ? t(`${page.placeText}.${group}`) : group));
  return t(text, { a: words[0], b: words[1], c: words[2] });
}

/** Who plays a side, by the headers of the game; empty where they do not say.
 *  @param {State} state
 *  @param {string} side */
export const playerOf = ({ headers }, side) => headers?.[headerOf(side)]?.replace(/^\?$/, "") || "";

/** A side as headers name it.
 *  @param {string} side */
export const headerOf = (side) => side[0].toUpperCase() + side.slice(1);

/** @param {GameInfo} info
 *  @param {string} kind */
export const pieceName = ({ page }, kind) => (page.pieces[kind] ? t(page.pieces[kind]) : kind);

/** Sentences about a game, places by the names they have for its players.
 *  @param {GameInfo} info
 *  @param {Sentence[]} sentences */
export const named = (info, sentences) => sentences.map((one) => ({ ...one,
  values: Object.fromEntries(Object.entries(one.values).map(([key, value]) => [key, ["from", "to", "place"].includes(key) ? placeName(info, value, true) : value])) }));

/** @param {GameInfo} info
 *  @param {Sentence[]} sentences */
export const wordedOf = (info, sentences) => worded(named(info, sentences), "; ");

/** Kinds with how often each is there, in their first order.
 *  @param {string[]} kinds
 *  @returns {[string, number][]} */
export function counted(kinds) {
  const counts = /** @type {Map<string, number>} */ (new Map());
  for (const kind of kinds) counts.set(kind, (counts.get(kind) || 0) + 1);
  return [...counts];
}

/** What is off the board, side by side; nothing where nothing is.
 *  @param {GameInfo} info
 *  @param {Board} board */
export function capturedList(info, board) {
  const rows = Object.entries(board?.captured || {}).filter(([, kinds]) => kinds.length);
  if (!rows.length) return null;
  return el("dl", { class: "captured", id: "captured", "aria-label": t("captured") }, el("dt", { class: "title" }, t("captured")), rows.map(([side, kinds]) => [el("dt", {}, sideName(side)),
    el("dd", {}, counted(kinds).map(([kind, count]) => el("span", { "data-kind": kind }, pieceName(info, kind), count > 1 ? ` ×${count}` : "")))]));
}

/** A move of the position that is shown, as people write it.
 *  @param {State} state
 *  @param {string} move */
export function nameOf(state, move) {
  return state.node.board?.moveNames[move] || move;
}

/** A move as the list of a room's moves says it, where its places have short names for players.
 *  @param {GameInfo} info
 *  @param {Board} board
 *  @param {string} move */
export const saidMove = (info, board, move) => (has(`${info.page.placeText}.short`)
  ? endsOf(board.places, move).map((place) => placeName(info, place, true)).join("-") : board.moveNames[move] || move);
