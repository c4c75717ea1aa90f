// Opening a room from the page: the game that is shown, its rules, a clock.

import { $, el, toast } from "./dom.js";
import { post } from "./api.js";
import { t } from "./i18n.js";
import { FIELDS, choice, readFields } from "./newgame.js";

const CLOCKS = ["", "180+2", "300+3", "600+5", "1800+20"];

const clockName = (clock) => (clock ? t("room.clock.each", { minutes: Number(clock.split("+")[0]) / 60, seconds: clock.split("+")[1] }) : t("room.clock.none"));

function clockOf(form) {
  const chosen = form.get("clock");
  if (!chosen) return null;
  const [seconds, increment] = chosen.split("+").map(Number);
  return { seconds, increment, skip: form.get("skip") === "on" };
}

export function askRoom(game) {
  const dialog = $("dialog");
  const form = el("form", { method: "dialog", class: "form" }, el("h2", {}, t("room.title", { game: t(`game.${game}`) })), el("p", { class: "dim" }, t("room.about")),
    FIELDS[game](), choice("clock", t("room.clock"), CLOCKS.map((clock) => [clock, clockName(clock)]), ""),
    game === "junqi" ? el("label", {}, t("room.skip"), el("input", { type: "checkbox", name: "skip", checked: true })) : null,
    el("div", { class: "row end" },
      el("button", { type: "button", onclick: () => dialog.close() }, t("cancel")),
      el("button", { type: "submit", class: "primary", id: "room-open" }, t("room.open"))));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const { clock: _, skip: __, ...given } = readFields(form);
    try {
      const clock = clockOf(new FormData(form));
      const { id } = await post("/api/rooms", { new: { game, ...given }, ...(clock ? { clock } : {}) });
      location.assign(`room.html?id=${encodeURIComponent(id)}`);
    } catch (error) { toast(error.message); }
  });
  dialog.replaceChildren(form);
  dialog.onclose = null;
  dialog.showModal();
}
