// The dialog for a new board.

import { $, el, toast } from "./dom.js";
import { post } from "./api.js";
import { gameName, label, t } from "./i18n.js";

/** @param {string} name
 *  @param {string} label
 *  @param {string[][]} options
 *  @param {string} value */
export function choice(name, label, options, value) {
  return el("label", {}, label, el("select", { name }, options.map(([key, text]) => el("option", { value: key, selected: key === value }, text))));
}

/** The inputs of a game's fields, as its descriptor has them.
 *  @param {Field[]} fields */
export const inputs = (fields) => fields.map((field) => {
  if (field.kind === "check") return el("label", {}, label(field.text), el("input", { type: "checkbox", name: field.name, checked: Boolean(field.initial) }));
  if (field.kind === "number") return el("label", {}, label(field.text), el("input", { name: field.name, type: "number", step: String(field.step), min: String(field.minimum), max: String(field.maximum), placeholder: t("new.usual") }));
  return choice(field.name, label(field.text), field.choices.map(({ value, text }) => [value, label(text)]), field.initial);
});

/** What a form says of the fields, numbers as numbers; empty ones are left out.
 *  @param {HTMLFormElement} form
 *  @param {Field[]} fields */
export function readFields(form, fields) {
  const given = new FormData(form);
  return Object.fromEntries(fields.filter(({ name }) => given.get(name)).map(({ name }) => {
    const value = String(given.get(name));
    return [name, /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value];
  }));
}

/** Asks what is needed for a new game; null when it was closed.
 *  @param {GameInfo} info */
export function askNewGame(info) {
  const dialog = $("dialog");
  const { name: game, page } = info;
  return new Promise((resolve) => {
    const form = el("form", { method: "dialog", class: "form" }, el("h2", {}, t("new.title", { game: gameName(info) })), inputs(page.new),
      el("div", { class: "row end" },
        el("button", { type: "button", onclick: () => dialog.close() }, t("cancel")),
        el("button", { type: "submit", class: "primary", id: "new-start" }, t("new.start"))));
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      try {
        const record = await post("/api/new", { game, ...readFields(form, page.new) });
        resolve(record);
        dialog.close();
      } catch (error) { toast(error.message); }
    });
    dialog.replaceChildren(form);
    dialog.onclose = () => resolve(null);
    dialog.showModal();
  });
}
