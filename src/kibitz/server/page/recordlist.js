// The games of a file with many: a list that is searched by player, event, year.

import { $, button, el } from "./dom.js";
import { t } from "./i18n.js";

/** Rows that are drawn; a search finds the others. */
const SHOWN = 200;
/** Milliseconds until typing is taken for a search. */
const TYPING = 120;

/** @typedef {{ game: any, piece: Record<string, any>, number: number }} Row */

/** @param {any} game */
const about = ({ headers, moves }) => [headers.Event, headers.Date, headers.Result, t(moves === 1 ? "mine.oneMove" : "mine.moves", { count: moves })].filter((text) => text && text !== "?").join(" · ");

/** The rows that have every word of a search.
 *  @template {{ text: string }} T
 *  @param {T[]} rows
 *  @param {string} search
 *  @returns {T[]} */
export function found(rows, search) {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter(({ text }) => words.every((word) => text.includes(word)));
}

/** Asks which game is to be opened; null when none is.
 *  @param {Row[]} given
 *  @returns {Promise<Row | null>} */
export function chooseGame(given) {
  const dialog = $("dialog");
  const rows = given.map((row, n) => ({ row, n, text: `${row.game.title} ${Object.values(row.game.headers).join(" ")}`.toLowerCase() }));
  return new Promise((resolve) => {
    const list = el("ol", { class: "record-list", id: "record-list" });
    const count = el("span", { class: "dim", id: "record-count" });
    const search = el("input", { type: "search", id: "record-search", placeholder: t("record.search"), "aria-label": t("record.search"), maxlength: 100 });
    const draw = () => {
      const shown = found(rows, search.value);
      count.textContent = t("record.count", { count: shown.length, of: rows.length });
      list.replaceChildren(...shown.slice(0, SHOWN).map(({ row, n }) => el("li", { value: n + 1 },
        el("button", { type: "button", class: "link", onclick: () => { resolve(row); dialog.close(); } }, row.game.title || "–"), " ",
        el("small", { class: "dim" }, about(row.game)))));
    };
    let typing = 0;
    search.oninput = () => { clearTimeout(typing); typing = setTimeout(draw, TYPING); };
    draw();
    dialog.replaceChildren(el("h2", {}, t("record.which")), el("div", { class: "row" }, search, count), list,
      el("div", { class: "row end" }, button(t("cancel"), t("cancel"), () => dialog.close())));
    dialog.onclose = () => resolve(null);
    dialog.showModal();
  });
}
