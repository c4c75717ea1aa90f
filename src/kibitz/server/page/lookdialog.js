// The dialog in which the user says how boards look.

import { $, el, store } from "./dom.js";
import { t } from "./i18n.js";
import { PACES, THEMES, applyLook, look } from "./look.js";

/** The dialog; `changed` is called after every change.
 *  @param {GameInfo} info
 *  @param {() => void} changed */
export function lookDialog(info, changed) {
  const dialog = $("dialog");
  /** @param {string} name
   *  @param {string[]} values
   *  @param {string} value
   *  @param {string} text
   *  @param {string} key */
  const choice = (name, values, value, text, key) => (values.length < 2 ? "" : el("label", {}, t(text),
    el("select", { id: `look-${key}`, value, onchange: (event) => { store.set(name, event.target.value); applyLook(); changed(); } },
      values.map((one) => el("option", { value: one }, t(`${text}.${one}`))))));
  dialog.replaceChildren(el("div", { class: "form" }, el("h2", {}, t("look")),
    choice("boardTheme", THEMES, look.theme(), "look.theme", "theme"),
    choice(`pieces.${info.name}`, info.page.pieceSets, look.pieces(info), "look.pieces", "pieces"),
    choice("pace", Object.keys(PACES), store.get("pace", "normal"), "look.pace", "pace"),
    choice(`figures.${info.name}`, info.page.figures, look.figures(info), "look.figures", "figures"),
    el("label", {}, t("look.sounds"), el("input", { type: "checkbox", id: "look-sounds", checked: look.sounds(), onchange: (event) => { store.set("sounds", event.target.checked); changed(); } })),
    el("p", { class: "dim" }, t("look.help")),
    el("div", { class: "row end" }, el("button", { type: "button", class: "primary", onclick: () => dialog.close() }, t("close")))));
  dialog.onclose = null;
  dialog.showModal();
}
