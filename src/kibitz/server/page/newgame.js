// The dialog for a new board.

import { $, el, toast } from "./dom.js";
import { post } from "./api.js";
import { t } from "./i18n.js";

const RULES = ["chinese", "japanese", "korean", "aga", "new-zealand", "tromp-taylor"];

export function choice(name, label, options, value) {
  return el("label", {}, label, el("select", { name }, options.map(([key, text]) => el("option", { value: key, selected: key === value }, text))));
}

export const FIELDS = {
  go: () => [
    choice("size", t("new.size"), [9, 13, 19].map((size) => [String(size), `${size} × ${size}`]), "19"),
    choice("rules", t("new.rules"), RULES.map((name) => [name, t(`rules.${name}`)]), "chinese"),
    el("label", {}, t("new.komi"), el("input", { name: "komi", type: "number", step: "0.5", min: "-400", max: "400", placeholder: t("new.usual") })),
  ],
  uttt: () => [choice("rules", t("new.rules"), [["standard", t("rules.standard")], ["codingame", t("rules.codingame")]], "standard")],
  junqi: () => [choice("players", t("new.players"), [["4", "4"], ["2", "2"]], "4"), choice("rules", t("new.rules"), [["standard", t("rules.junqi")], ["qq", t("rules.qq")]], "standard")],
  chess: () => [choice("variant", t("new.variant"), [["chess", t("game.chess")], ["chess960", "Chess960"]], "chess")],
  othello: () => [],
};

/** What a form says, numbers as numbers; empty fields are left out. */
export function readFields(form) {
  const given = Object.fromEntries([...new FormData(form)].filter(([, value]) => value !== ""));
  for (const name of ["size", "komi", "players"]) if (name in given) given[name] = Number(given[name]);
  return given;
}

/** Asks what is needed for a new game; null when it was closed. */
export function askNewGame(game) {
  const dialog = $("dialog");
  return new Promise((resolve) => {
    const form = el("form", { method: "dialog", class: "form" }, el("h2", {}, t("new.title", { game: t(`game.${game}`) })), FIELDS[game](),
      el("div", { class: "row end" },
        el("button", { type: "button", onclick: () => dialog.close() }, t("cancel")),
        el("button", { type: "submit", class: "primary", id: "new-start" }, t("new.start"))));
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      try {
        const record = await post("/api/new", { game, ...readFields(form) });
        resolve(record);
        dialog.close();
      } catch (error) { toast(error.message); }
    });
    dialog.replaceChildren(form);
    dialog.onclose = () => resolve(null);
    dialog.showModal();
  });
}
