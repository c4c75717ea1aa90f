// The deck: mistakes of all one's games, which come again until they are not made any more.

import { get, post } from "./api.js";
import { button, el, toast } from "./dom.js";
import { t } from "./i18n.js";
import { changed } from "./state.js";

/** Learning is loaded when somebody begins.
 *  @type {{ module: typeof import("./learn.js") | null }} */
export const learn = { module: null };

/** @param {Parameters<typeof import("./learn.js").startLearning>} given */
export async function startLearning(...given) {
  learn.module ??= await import("./learn.js");
  return learn.module.startLearning(...given);
}

/** What the server keeps for this browser; null until it has been asked.
 *  @type {{ total: number, due: number, next: number | null, cards: { id: string, game: string, mistake: any }[] } | null} */
let deck = null;
let asked = false;
/** Opens the position of a card as a board of its own; main.js says how.
 *  @type {(record: GameRecord, move: string) => Promise<State>} */
let openTask = async () => { throw new Error("no board"); };

/** @param {(record: GameRecord, move: string) => Promise<State>} open */
export const useBoards = (open) => { openTask = open; };

/** @param {State} state */
export async function refreshDeck(state) {
  try { deck = await get("/api/deck"); } catch { deck = null; }
  changed(state);
}

/** Adding the mistakes that are listed, and practising what is due.
 *  @param {State} state
 *  @param {{ turn: Turn, record: GameRecord }[]} found */
export function deckRow(state, found) {
  if (!asked) { asked = true; refreshDeck(state); }
  if (!found.length && !deck?.total) return null;
  return el("div", { class: "row deck", id: "deck" },
    found.length ? button(t("deck.add", { count: found.length }), t("deck.add.help"), () => add(state, found), { id: "deck-add" }) : null,
    deck?.due ? button(t("deck.practise", { due: deck.due }), t("deck.practise.help"), () => practise(state), { id: "deck-practise", class: "primary" }) : null,
    deck?.total ? el("span", { class: "dim", id: "deck-count" }, t("deck.count", { total: deck.total })) : null);
}

/** @param {State} state
 *  @param {{ turn: Turn, record: GameRecord }[]} found */
async function add(state, found) {
  const mistakes = found.map(({ turn, record }) => ({
    record, side: turn.side, number: turn.number, move: turn.move, played: turn.played, best: turn.best, bestName: turn.bestName,
    moves: turn.moves.slice(0, 20), line: turn.line.slice(0, 20), label: turn.label, loss: turn.loss,
  }));
  try { deck = await post("/api/deck", { mistakes }); toast(t("deck.added", { count: mistakes.length })); } catch (error) { toast(error.message); }
  changed(state);
}

/** The next card that is due, on a board of its own.
 *  @param {State} state */
async function practise(state) {
  const card = deck?.cards[0];
  if (!card) return;
  try {
    const { mistake } = card;
    const board = await openTask(mistake.record, mistake.move);
    const nodes = [];
    for (let node = board.root.children[0]; node; node = node.children[0]) nodes.push(node);
    /** @type {Review} */
    const review = { nodes, turns: [], of: nodes.length, running: false, failures: 0, learn: null, side: mistake.side, shown: null };
    board.review = review;
    await startLearning(board, review, [{ ...mistake, number: nodes.length }], async (_, good) => {
      await post(`/api/deck/${card.id}`, { good });
      await refreshDeck(board);
    }, () => (deck?.due ? () => practise(board) : null));
  } catch (error) { toast(error.message); }
}
