// What people at a table say to each other. Who does not want to read it mutes it, in this browser.

import { button, el, store } from "./dom.js";
import { sideName, t } from "./i18n.js";

/** @param {Here} here
 *  @param {() => void} render */
export function talkPanel(here, render) {
  const { room, send } = here;
  const muted = store.get("muted", false);
  const toggle = button(t(muted ? "talk.unmute" : "talk.mute"), t("talk.mute.help"), () => { store.set("muted", !muted); render(); }, { class: "quiet", id: "talk-mute", "aria-pressed": String(muted) });
  /** @param {any} event */
  const say = (event) => {
    event.preventDefault();
    const text = (here.draft || "").trim();
    if (!text) return;
    send({ type: "say", text });
    here.draft = "";
    event.target.querySelector("input").value = "";
  };
  return el("section", { class: "panel talk", id: "talk", "aria-label": t("talk.title") },
    el("div", { class: "row" }, el("h3", {}, t("talk.title")), toggle),
    muted ? null : el("ul", { class: "talk-lines", role: "log", tabindex: 0, "aria-label": t("talk.title") }, room.talk.map(({ seat, name, text }) => el("li", {}, el("b", {}, name || sideName(seat)), ` ${text}`))),
    muted || !room.you ? null : el("form", { onsubmit: say }, el("input", {
      id: "talk-text", maxlength: 200, autocomplete: "off", placeholder: t("talk.say"), "aria-label": t("talk.say"), value: here.draft || "",
      oninput: (event) => { here.draft = event.target.value; },
    })));
}
