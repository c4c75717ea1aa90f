// Asks before something that cannot be taken back.

import { $, button, el } from "./dom.js";
import { t } from "./i18n.js";

/** Asks whether to give the game up.
 *  @param {() => unknown} resign */
export function confirmResign(resign) {
  const dialog = $("dialog");
  dialog.replaceChildren(el("h2", {}, t("room.resign.sure")), el("div", { class: "row end" },
    button(t("cancel"), t("cancel"), () => dialog.close()),
    button(t("room.resign"), t("room.resign"), () => { dialog.close(); resign(); }, { class: "primary", id: "resign-sure" })));
  dialog.onclose = null;
  dialog.showModal();
}
