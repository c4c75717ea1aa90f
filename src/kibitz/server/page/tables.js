// What exact tables say of the position, in games that have some; asked once for each position.

import { post } from "./api.js";
import { button, el } from "./dom.js";
import { nameOf } from "./names.js";
import { t } from "./i18n.js";
import { changed, play, recordOf } from "./state.js";

const SHOWN = 8;

/** Asks the tables about a position, once.
 *  @param {State} state */
export function followTables(state) {
  const { node } = state;
  if (node.tables !== undefined || !node.board?.tables) return;
  node.tables = null;
  post("/api/tables", { record: recordOf(state, node) }).then((answer) => { node.tables = answer; changed(state); }, () => {});
}

/** @param {State} state */
export function tablesPanel(state) {
  const { node } = state;
  if (!node.tables?.known) return null;
  const { source, result, moves } = node.tables;
  return el("section", { class: "panel tables", "aria-label": t("tables") },
    el("h3", {}, t("tables"), el("span", { class: `badge proven ${result}` }, t(`proven.${result}`)), el("span", { class: "dim" }, source)),
    el("ul", { class: "legend" }, moves.slice(0, SHOWN).map((row) => el("li", { "data-move": row.move },
      button(nameOf(state, row.move), t("tables.play"), () => play(state, row.move), { class: "link" }), " ",
      el("span", { class: `badge ${row.result}` }, t(`proven.${row.result}`), row.distance ? ` ${row.distance}` : "")))));
}
