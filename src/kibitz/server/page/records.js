// Records that are pasted, dropped or chosen: read by the server, one game of many chosen from a list.

import { $, el, store, toast } from "./dom.js";
import { post } from "./api.js";
import { recordName, t } from "./i18n.js";

/** Letters of a text that are sent at once; a longer one is sent in pieces. */
const PIECE = 1_000_000;
/** Where a record with many games in a text may be divided. */
const NEXT = "\n[Event ";

/** @param {File} file */
async function base64(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let letters = "";
  for (let i = 0; i < bytes.length; i += 0x8000) letters += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(letters);
}

/** The games of a long text, as texts that are short enough to be sent.
 *  @param {string} text */
export function piecesOf(text) {
  const pieces = [];
  for (let from = 0; from < text.length;) {
    let to = text.length;
    if (to - from > PIECE) {
      const last = text.lastIndexOf(NEXT, from + PIECE);
      const next = last > from ? last : text.indexOf(NEXT, from + PIECE);
      if (next > 0) to = next + 1;
    }
    pieces.push(text.slice(from, to));
    from = to;
  }
  return pieces;
}

/** Files that were chosen or dropped together: a record, and tables of names if any.
 *  @param {FileList} files
 *  @param {any} open */
export async function readFiles(files, open) {
  const [file, ...others] = files;
  const title = file.name.replace(/\.\w+$/, "");
  if (file.size > PIECE) {
    const text = await file.text();
    if (!text.includes("\0") && text.includes(NEXT)) return readRecord(piecesOf(text).map((piece) => ({ text: piece })), open, title);
  }
  const beside = await Promise.all(others.map(async (one) => ({ name: one.name, data: await base64(one) })));
  return readRecord([{ data: await base64(file), name: file.name, beside }], open, title);
}

/** @param {string} text
 *  @param {any} open */
export const readText = (text, open) => readRecord(text.length > PIECE ? piecesOf(text).map((piece) => ({ text: piece })) : [{ text }], open);

/** Opens a record, whose pieces are as they are sent: its only game, or the one that is chosen of all.
 *  @param {Record<string, any>[]} pieces
 *  @param {any} open
 *  @param {string} [title] */
async function readRecord(pieces, open, title = "") {
  try {
    let kind = "";
    /** @type {any[]} */
    const rows = [];
    for (const piece of pieces) {
      if (pieces.length > 1) toast(t("record.reading", { count: rows.length }));
      const found = await post("/api/record", { ...piece, listed: true });
      if (found.layout) { keepLayout(title || found.kind, found.layout); return; }
      kind = found.kind;
      rows.push(...found.games.map((/** @type {any} */ game, /** @type {number} */ number) => ({ game, piece, number })));
    }
    const { chooseGame } = rows.length > 1 ? await import("./recordlist.js") : { chooseGame: async () => rows[0] };
    const row = await chooseGame(rows);
    if (!row) return;
    const game = row.game.record ? row.game : (await post("/api/record", { ...row.piece, number: row.number })).games[0];
    await open(game.record, game.tree, game.headers);
    toast(t(game.moves === 1 ? "record.openedOne" : "record.opened", { kind: recordName(kind), count: game.moves }));
  } catch (error) { toast(error.message); }
}

/** A layout is no game: it waits for the set-up of one, among those of one's own.
 *  @param {string} name
 *  @param {string} layout */
function keepLayout(name, layout) {
  store.set("layouts", { ...store.get("layouts", {}), [name.slice(0, 40)]: layout });
  toast(t("record.layout", { name }));
}

/** The dialog to paste or choose a file: for phones, and for those who look for a button.
 *  @param {any} open */
export function askRecord(open) {
  const dialog = $("dialog");
  const text = el("textarea", { rows: 7, id: "record-text", "aria-label": t("record.text"), placeholder: t("record.text") });
  const file = el("input", { type: "file", multiple: true, id: "record-file", "aria-label": t("record.file") });
  const form = el("form", { class: "form", onsubmit: async (event) => {
    event.preventDefault();
    dialog.close();
    if (file.files.length) await readFiles(file.files, open);
    else if (text.value.trim()) await readText(text.value, open);
  } }, el("h2", {}, t("record.title")), el("p", { class: "dim" }, t("record.help")), text, file,
    el("div", { class: "row end" }, el("button", { type: "button", onclick: () => dialog.close() }, t("cancel")),
      el("button", { type: "submit", class: "primary", id: "record-open" }, t("record.open"))));
  dialog.replaceChildren(form);
  dialog.onclose = null;
  dialog.showModal();
}
