// The installed networks.

import { get } from "./api.js";
import { el } from "./dom.js";
import { errorText, has, t } from "./i18n.js";

/** @param {HTMLElement} place
 *  @returns {Promise<null>} */
export async function networksPage(place) {
  const rows = await get("/api/networks");
  if (!rows.length) {
    place.append(el("p", { class: "dim", id: "no-networks" }, t("networks.none")));
    return null;
  }
  const heads = ["name", "game", "family", "boards", "blocks", "channels", "megabytes"];
  place.append(el("div", { class: "panel scroll-x" }, el("table", { class: "plain", id: "networks" },
    el("thead", {}, el("tr", {}, heads.map((key) => el("th", { scope: "col" }, t(`networks.${key}`))))),
    el("tbody", {}, rows.map((/** @type {NetworkRow} */ row) => el("tr", { "data-network": row.name },
      el("th", { scope: "row", title: row.sha256 }, row.name, row.bundled ? el("span", { class: "badge" }, t("networks.bundled")) : null,
        row.title && row.title !== row.name ? el("small", { class: "dim" }, ` ${row.title}`) : null),
      row.error ? el("td", { colspan: String(heads.length - 1), class: "error" }, errorText(/** @type {any} */ (row)))
        : [has(`game.${row.game}`) ? t(`game.${row.game}`) : row.game, row.family, row.boards, row.blocks, row.channels, `${row.megabytes} MB`].map((value) => el("td", {}, String(value)))))))));
  return null;
}
