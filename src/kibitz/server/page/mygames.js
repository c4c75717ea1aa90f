// My games: saved games and rooms of this browser, with search, rename, delete and undo, export and import.

import { accountLink } from "./account.js";
import { $, button, el, toast } from "./dom.js";
import { get, post, send } from "./api.js";
import { gameName, language, levelName, sideName, t } from "./i18n.js";
import { newGameId } from "./saver.js";
import { changeTo } from "./saved.js";

/** Rooms that are asked for, and cards that are sent at once. */
const [MOST_ROOMS, MOST_CARDS] = [20, 200];
/** Milliseconds until typing is taken for a search, and until an import goes on after "too much". */
const [TYPING, BUSY] = [200, 3000];

/** @typedef {{ rows: GameInfo[], open: (id: string) => unknown, changed: (id: string) => unknown, deleted: (id: string) => unknown, deckChanged: () => unknown }} Actions */

/** @param {Record<string, string>} players */
const versus = (players) => Object.values(players).filter(Boolean).join(" – ");

/** @param {number | null} result
 *  @param {string[]} sides
 *  @param {string} [score] */
function resultText(result, sides, score = "") {
  if (result === 0.5) return t("over.draw");
  if (result === 1 || result === 0) return t("over.win", { side: sideName(sides[result === 1 ? 0 : 1]) });
  return score === "*" ? "" : score;
}

/** The rooms that this browser has a seat in. One that is gone is left out. */
async function rooms() {
  const ids = Object.keys(localStorage).filter((key) => key.startsWith("kibitz.seat.")).map((key) => key.slice("kibitz.seat.".length));
  const found = await Promise.all(ids.slice(-MOST_ROOMS).map((id) => get(`/api/rooms/${id}`).catch(() => /** @type {any} */ (null))));
  return found.filter(Boolean);
}

/** @param {Actions} actions */
export async function myGames(actions) {
  const dialog = $("dialog");
  const list = el("ul", { class: "my-games", id: "my-games-list" });
  const search = el("input", { type: "search", id: "my-search", placeholder: t("mine.search"), "aria-label": t("mine.search"), maxlength: 100 });
  const file = el("input", { type: "file", id: "my-import", accept: ".json", hidden: true });
  file.onchange = () => importFile(file.files[0], draw, actions);
  let typing = 0;
  let asked = 0;
  const inRooms = rooms();

  async function draw() {
    const number = ++asked;
    const words = search.value.trim();
    try {
      const [saved, seats] = await Promise.all([get(`/api/saved?search=${encodeURIComponent(words)}`), inRooms]);
      if (number !== asked) return;
      const wanted = words.toLowerCase().split(/\s+/);
      const fitting = seats.filter((room) => wanted.every((word) => `${room.game} ${versus(room.players)}`.toLowerCase().includes(word)));
      list.replaceChildren(...fitting.map((room) => roomRow(room, actions)), ...saved.map((/** @type {any} */ row) => gameRow(row, actions, draw)));
      if (!list.children.length) list.append(el("li", { class: "dim" }, t(words ? "mine.nothing" : "mine.none")));
    } catch (error) { toast(error.message); }
  }

  search.oninput = () => { clearTimeout(typing); typing = setTimeout(draw, TYPING); };
  dialog.replaceChildren(el("h2", {}, t("mine")), el("div", { class: "row" }, search), list,
    el("div", { class: "row end" }, file,
      el("a", { href: "/api/export", download: "kibitz-games.json", class: "tool", id: "my-export", title: t("mine.export.help") }, t("mine.export")),
      button(t("mine.import"), t("mine.import.help"), () => file.click(), { id: "my-import-open" }),
      button(t("account"), t("account.help"), () => accountLink(() => myGames(actions)), { id: "my-account" }),
      button(t("close"), t("close"), () => dialog.close(), { class: "primary" })));
  dialog.onclose = null;
  await draw();
  if (!dialog.open) dialog.showModal();
}

/** @param {any} row
 *  @param {Actions} actions
 *  @param {() => unknown} draw */
function gameRow(row, actions, draw) {
  const info = actions.rows.find((one) => one.name === row.game);
  const moves = Math.ceil(row.moves / (info?.page.numbering || 1));
  const title = row.title || versus(row.players) || gameName(info || { name: row.game });
  const about = [gameName(info || { name: row.game }), row.title && versus(row.players), resultText(row.result, info?.sides || [], row.score),
    t(moves === 1 ? "mine.oneMove" : "mine.moves", { count: moves }), new Date(row.updated).toLocaleString(language, { dateStyle: "medium", timeStyle: "short" })];
  const item = el("li", { "data-saved": row.id });
  const open = () => { $("dialog").close(); actions.open(row.id); };
  item.append(
    el("button", { type: "button", class: "picture", onclick: open, "aria-label": t("mine.open", { title }) },
      el("img", { src: `/api/saved/${row.id}/picture?v=${row.version}`, alt: "", loading: "lazy", width: 72, height: 72 })),
    el("div", { class: "about" }, button(title, t("mine.open", { title }), open, { class: "link" }), el("small", { class: "dim" }, about.filter(Boolean).join(" · "))),
    button("✎", t("mine.rename"), () => rename(row, title, item, actions, draw), { class: "quiet", "data-act": "rename" }),
    button("×", t("mine.delete"), () => remove(row, title, item, actions, draw), { class: "quiet", "data-act": "delete" }));
  return item;
}

/** @param {any} room
 *  @param {Actions} actions */
function roomRow(room, actions) {
  const info = actions.rows.find((one) => one.name === room.game);
  const who = Object.entries(room.players).map(([seat, name]) => name || (room.levels[seat] ? levelName(info?.levels || [], room.levels[seat]) : "…")).join(" – ");
  const address = `/room.html?id=${encodeURIComponent(room.id)}`;
  return el("li", { "data-room": room.id },
    el("a", { class: "picture", href: address, "aria-label": t("mine.open", { title: who }) },
      room.svg ? el("img", { src: `data:image/svg+xml,${encodeURIComponent(room.svg)}`, alt: "", width: 72, height: 72 }) : null),
    el("div", { class: "about" }, el("a", { href: address }, who),
      el("small", { class: "dim" }, [t("room"), gameName(info || { name: room.game }), resultText(room.result, info?.sides || []) || t(`mine.room.${room.phase}`)].join(" · "))));
}

/** @param {any} row
 *  @param {string} title
 *  @param {HTMLElement} item
 *  @param {Actions} actions
 *  @param {() => unknown} draw */
function rename(row, title, item, actions, draw) {
  const input = el("input", { value: title, maxlength: 200, "aria-label": t("mine.rename") });
  const done = async (/** @type {Event} */ event) => {
    event.preventDefault();
    try {
      await send(`/api/saved/${row.id}`, "PATCH", { base: row.version, set: { title: input.value.trim() } });
      await actions.changed(row.id);
    } catch (error) { toast(error.message); }
    draw();
  };
  item.querySelector(".about").replaceChildren(el("form", { class: "row", onsubmit: done }, input, el("button", { type: "submit" }, t("mine.rename"))));
  input.select();
}

/** @param {any} row
 *  @param {string} title
 *  @param {HTMLElement} item
 *  @param {Actions} actions
 *  @param {() => unknown} draw */
async function remove(row, title, item, actions, draw) {
  /** @param {boolean} deleted */
  const set = (deleted) => send(`/api/saved/${row.id}`, "PATCH", { base: row.version, deleted });
  try {
    await set(true);
    actions.deleted(row.id);
    item.replaceChildren(el("span", { class: "dim" }, t("mine.deleted", { title })),
      button(t("mine.undo"), t("mine.undo"), async () => { await set(false).catch((error) => toast(error.message)); draw(); }, { "data-act": "undo" }));
  } catch (error) { toast(error.message); }
}

/** Games of a file that was exported become new games, its cards come into the deck.
 *  @param {File} file
 *  @param {() => unknown} draw
 *  @param {Actions} actions */
async function importFile(file, draw, actions) {
  let count = 0;
  try {
    const read = JSON.parse(await file.text());
    const { games, deck = [] } = Array.isArray(read) ? { games: read } : read || {}; // files of older versions have games alone
    if (![games, deck].every(Array.isArray) || !games.every((/** @type {any} */ one) => one && Array.isArray(one.nodes))) throw new Error(t("mine.import.wrong"));
    for (const one of games) {
      await importOne("/api/saved", { id: newGameId(), game: one.game, base: 0, ...changeTo(one) });
      count++;
    }
    for (let n = 0; n < deck.length; n += MOST_CARDS) await importOne("/api/deck", { cards: deck.slice(n, n + MOST_CARDS) });
    if (deck.length) actions.deckChanged();
    toast(t("mine.imported", { count, cards: deck.length }));
  } catch (error) { toast(error instanceof SyntaxError ? t("mine.import.wrong") : error.message); }
  draw();
}

/** @param {string} path
 *  @param {any} data */
async function importOne(path, data) {
  for (;;) {
    try { return await post(path, data); } catch (error) {
      if (error.status !== 429) throw error;
      await new Promise((resolve) => setTimeout(resolve, BUSY));
    }
  }
}
