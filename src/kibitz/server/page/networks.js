// The installed networks, and public ones that can be fetched.

import { get, post } from "./api.js";
import { el, redraw, toast } from "./dom.js";
import { errorText, has, t } from "./i18n.js";

const AGAIN = 500;

/** @param {HTMLElement} place */
export async function networksPage(place) {
  const offers = el("div", { id: "public-networks" }), list = el("div");
  place.append(offers, list);
  await installed(list);
  return publicNetworks(offers, list);
}

/** Public networks with a button each, asked again while one is fetched; gives what ends the asking.
 *  @param {HTMLElement} place
 *  @param {HTMLElement} list */
async function publicNetworks(place, list) {
  /** @type {ReturnType<typeof setTimeout>} */
  let timer = null;
  let ended = false, fetching = false;
  async function draw() {
    const rows = await get("/api/networks/public");
    if (ended) return;
    const busy = rows.some((/** @type {any} */ row) => row.state === "fetching");
    if (fetching && !busy) await installed(list);
    fetching = busy;
    redraw(place, rows.map(offer));
    if (busy) timer = setTimeout(() => draw().catch((error) => toast(error.message)), AGAIN);
  }
  /** @param {any} row */
  function offer(row) {
    const game = has(`game.${row.game}`) ? t(`game.${row.game}`) : row.game;
    const busy = row.state === "fetching";
    return el("section", { class: "panel", "data-public": row.game }, el("h2", {}, t("networks.public.get", { game })),
      el("p", { class: "dim" }, row.state === "used" ? t("networks.public.used", row) : t("networks.public.about", row)),
      busy ? el("progress", { max: String(row.megabytes), value: String(row.received), "aria-label": t("networks.public.get", { game }) }) : null,
      busy ? el("span", { class: "dim", role: "status" }, " ", t("networks.public.fetching", row)) : null,
      row.error ? el("p", { class: "error" }, t("networks.public.failed", row)) : null,
      busy || row.state === "used" ? null : el("button", { type: "button", onclick: () => fetchOne(row.game) }, t("networks.public.fetch")));
  }
  /** @param {string} game */
  const fetchOne = (game) => post(`/api/networks/public/${game}`, {}).then(draw).catch((error) => toast(error.message));
  await draw();
  return () => { ended = true; clearTimeout(timer); };
}

/** @param {HTMLElement} place */
async function installed(place) {
  const rows = await get("/api/networks");
  if (!rows.length) {
    redraw(place, el("p", { class: "dim", id: "no-networks" }, t("networks.none")));
    return;
  }
  const heads = ["name", "game", "family", "boards", "blocks", "channels", "megabytes"];
  redraw(place, el("div", { class: "panel scroll-x" }, el("table", { class: "plain", id: "networks" },
    el("thead", {}, el("tr", {}, heads.map((key) => el("th", { scope: "col" }, t(`networks.${key}`))))),
    el("tbody", {}, rows.map((/** @type {NetworkRow} */ row) => el("tr", { "data-network": row.name },
      el("th", { scope: "row", title: row.sha256 }, row.name, row.bundled ? el("span", { class: "badge" }, t("networks.bundled")) : null,
        row.title && row.title !== row.name ? el("small", { class: "dim" }, ` ${row.title}`) : null),
      row.error ? el("td", { colspan: String(heads.length - 1), class: "error" }, errorText(/** @type {any} */ (row)))
        : [has(`game.${row.game}`) ? t(`game.${row.game}`) : row.game, row.family, row.boards, row.blocks, row.channels, `${row.megabytes} MB`].map((value) => el("td", {}, String(value)))))))));
}
