// An account by link: whoever opens the link has the same games in another browser.

import { $, button, el, toast } from "./dom.js";
import { post, send } from "./api.js";
import { t } from "./i18n.js";

/** Makes a link, makes another in its place, or ends it. `back` shows what was there before.
 *  @param {() => unknown} back */
export function accountLink(back) {
  const dialog = $("dialog");
  const link = el("input", { type: "text", id: "account-link", readonly: true, "aria-label": t("account") });
  const copy = button(t("account.copy"), t("account.copy"), () => copyLink(link), { id: "account-copy" });
  const made = el("div", { class: "row" });
  const make = button(t("account.make"), t("account.make"), async () => {
    try {
      const found = await post("/api/account", {});
      link.value = new URL(found.link, location.href).href;
      made.replaceChildren(link, copy);
      make.textContent = t("account.another");
      link.select();
    } catch (error) { toast(error.message); }
  }, { id: "account-make", class: "primary" });
  const end = button(t("account.end"), t("account.end.help"), async () => {
    try {
      await send("/api/account", "DELETE", undefined);
      link.value = "";
      made.replaceChildren();
      make.textContent = t("account.make");
      toast(t("account.ended"));
    } catch (error) { toast(error.message); }
  }, { id: "account-end" });
  dialog.replaceChildren(el("h2", {}, t("account")), el("p", {}, t("account.help")), made,
    el("div", { class: "row" }, make, end),
    el("div", { class: "row end" }, button(t("account.back"), t("account.back"), back)));
}

/** Shows why the link to an account that was opened led nowhere: the server names the reason in the address.
 *  @param {string} hash */
export function explainLink(hash) {
  const [, code] = /^#(error\.link\w+)$/.exec(hash) || [];
  if (!code) return;
  const dialog = $("dialog");
  dialog.replaceChildren(el("h2", {}, t("account")), el("p", { id: "account-problem" }, t(code)),
    el("div", { class: "row end" }, button(t("close"), t("close"), () => dialog.close())));
  dialog.onclose = null;
  dialog.showModal();
}

/** @param {HTMLInputElement} link */
async function copyLink(link) {
  link.select();
  try {
    await navigator.clipboard.writeText(link.value);
    toast(t("account.copied"));
  } catch { toast(t("account.selected")); } // without the right to write there, it is selected
}
