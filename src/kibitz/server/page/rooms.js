// Opening a room from the page: the game that is shown, its rules, a clock.

import { $, el, toast } from "./dom.js";
import { get, post } from "./api.js";
import { gameName, t } from "./i18n.js";
import { CLOCKS, clockName } from "./clock.js";
import { choice, inputs, readFields } from "./newgame.js";

/** @param {FormData} form
 *  @param {Field[]} fields */
function clockOf(form, fields) {
  const chosen = String(form.get("clock") || "");
  if (!chosen) return null;
  const [seconds, increment] = chosen.split("+").map(Number);
  return { seconds, increment, ...Object.fromEntries(fields.map(({ name }) => [name, form.get(name) === "on"])) };
}

/** Rooms whose people want to be found, as links.
 *  @param {HTMLElement} place */
async function listOpenRooms(place) {
  try {
    const rooms = await get("/api/rooms");
    place.replaceChildren(el("h3", {}, t("room.listTitle")), rooms.length ? el("ul", {}, rooms.map((/** @type {any} */ room) => {
      const who = room.seats.map((/** @type {any} */ one) => one.name || (one.level ? "Kibitz" : t("room.empty"))).join(" – ");
      const clock = room.clock ? t("room.clock.each", { minutes: room.clock.seconds / 60, seconds: room.clock.increment }) : t("room.clock.none");
      return el("li", {}, el("a", { href: `/room.html?id=${encodeURIComponent(room.id)}`, "data-room": room.id }, `${gameName({ name: room.game })}: ${who}`), el("span", { class: "dim" }, ` ${clock}`));
    })) : el("p", { class: "dim" }, t("room.listNone")));
  } catch (error) { toast(error.message); }
}

/** @param {GameInfo} info */
export function askRoom(info) {
  const dialog = $("dialog");
  const { name: game, page } = info;
  const form = el("form", { method: "dialog", class: "form" }, el("h2", {}, t("room.title", { game: gameName(info) })), el("p", { class: "dim" }, t("room.about")),
    inputs(page.new), choice("clock", t("room.clock"), CLOCKS.map((clock) => [clock, clockName(clock)]), ""),
    inputs(page.clock), el("label", {}, t("room.listed"), el("input", { type: "checkbox", name: "listed", id: "room-listed" })),
    el("div", { class: "row end" },
      el("button", { type: "button", onclick: () => dialog.close() }, t("cancel")),
      el("button", { type: "submit", class: "primary", id: "room-open" }, t("room.open"))));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      const clock = clockOf(new FormData(form), page.clock);
      const { id } = await post("/api/rooms", { new: { game, ...readFields(form, page.new) }, ...(clock ? { clock } : {}), ...(new FormData(form).get("listed") ? { listed: true } : {}) });
      location.assign(`/room.html?id=${encodeURIComponent(id)}`);
    } catch (error) { toast(error.message); }
  });
  const found = el("div", { class: "open-rooms", id: "open-rooms" });
  dialog.replaceChildren(form, found);
  listOpenRooms(found);
  dialog.onclose = null;
  dialog.showModal();
}
