// What the keys and the pointer do.

import { $, el } from "./dom.js";
import { t } from "./i18n.js";

export function help() {
  const dialog = $("dialog");
  const keys = [["← →", "help.walk"], ["↑ ↓", "help.variations"], ["Space, 1–9", "help.play"], ["a", "help.analyze"], ["g x o w c", "help.steer"], ["f", "flip"], ["Ctrl+Z", "help.undo"], ["b", "help.board"], ["Esc", "help.escape"]];
  dialog.replaceChildren(el("h2", {}, t("help")), el("p", {}, t("help.text")),
    el("dl", { class: "keys" }, keys.map(([key, text]) => [el("dt", {}, key), el("dd", {}, t(text))])),
    el("div", { class: "row end" }, el("button", { type: "button", class: "primary", onclick: () => dialog.close() }, t("close"))));
  dialog.onclose = null;
  dialog.showModal();
}
