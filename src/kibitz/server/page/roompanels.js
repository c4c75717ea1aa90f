// The panels of a room: offers, what you can do, seats, links, the moves so far.

import { $, button, el, store, toast } from "./dom.js";
import { levelName, sideName, t } from "./i18n.js";
import { isQq, linkTo, saveJgs } from "./share.js";

/** What is going on, in one line. */
export function status(room) {
  if (room.phase === "set-up") {
    if (room.seats.some((one) => !one.taken)) return t("room.waiting");
    return t("room.settingUp");
  }
  if (room.phase === "playing") return room.mover === room.you ? t("room.yourMove") : t("toMove", { side: sideName(room.mover) });
  const sides = room.seats.length === 4 ? ["SN", "EW"] : room.seats.map((one) => one.seat);
  const how = room.ending ? ` (${t(`room.by.${room.ending}`)})` : "";
  return (room.result === 0.5 ? t("over.draw") : t("over.win", { side: sideName(sides[room.result === 1 ? 0 : 1]) })) + how;
}

/** A draw or a take-back that somebody asks for. */
export function offerPanel({ room, send }) {
  if (!room.offer) return null;
  const { kind, seat, agreed } = room.offer;
  const asked = room.you && !agreed.includes(room.you) && room.seats.find((one) => one.seat === room.you).playing;
  return el("section", { class: "panel offer", id: "offer", "aria-label": t(`room.${kind}`) },
    el("p", {}, t(`room.offer.${kind}`, { side: sideName(seat) })),
    asked ? el("div", { class: "row" },
      button(t("room.accept"), t("room.accept"), () => send({ type: "accept" }), { class: "primary", id: "accept" }),
      button(t("room.decline"), t("room.decline"), () => send({ type: "decline" }), { id: "decline" })) : el("p", { class: "dim" }, t("room.offer.wait")));
}

const namesOf = (room) => Object.fromEntries(room.seats.filter((one) => one.name).map((one) => [one.seat, one.name]));

/** Whether somebody of the seat is connected, where that is known. */
export const presence = (one) => (one.online === null ? null
  : el("i", { class: `presence ${one.online ? "online" : "away"}`, role: "img", title: t(one.online ? "room.online" : "room.away"), "aria-label": t(one.online ? "room.online" : "room.away") }));

/** What you can do in a game. */
export function playPanel({ room, send, hint, askHint }) {
  const me = room.seats.find((one) => one.seat === room.you);
  if (room.phase === "over") {
    return el("section", { class: "panel", "aria-label": t("room.replay") },
      el("div", { class: "row" }, button(t("room.replay"), t("room.replay.help"), () => location.assign(linkTo({ record: room.record, below: room.you || "" }, "./")), { class: "primary", id: "replay" }),
        isQq(room.record) ? button(t("room.save"), t("room.save.help"), () => saveJgs(room.record, namesOf(room)), { id: "save-jgs" }) : null));
  }
  if (room.phase !== "playing" || !me?.playing) return null;
  const act = (type, more = {}) => button(t(`room.${type}`), t(`room.${type}`), () => send({ type }), { id: `room-${type}`, ...more });
  return el("section", { class: "panel", "aria-label": t("room.actions") },
    el("div", { class: "row" },
      room.board?.legalMoves.includes("pass") ? button(t("pass"), t("pass"), () => send({ type: "move", move: "pass" }), { id: "pass" }) : null,
      room.mover === room.you && room.seats.every((one) => one.seat === room.you || one.level) ? button(t("play.hint"), t("play.hint"), askHint, { id: "hint" }) : null,
      act("draw", { disabled: Boolean(room.offer) }), act("undo", { disabled: Boolean(room.offer) }),
      button(t("room.resign"), t("room.resign"), () => confirmResign(send), { id: "room-resign" })),
    hint ? el("p", { id: "hint-text" }, hint) : null);
}

function confirmResign(send) {
  const dialog = $("dialog");
  dialog.replaceChildren(el("h2", {}, t("room.resign.sure")), el("div", { class: "row end" },
    button(t("cancel"), t("cancel"), () => dialog.close()),
    button(t("room.resign"), t("room.resign"), () => { send({ type: "resign" }); dialog.close(); }, { class: "primary", id: "resign-sure" })));
  dialog.onclose = null;
  dialog.showModal();
}

/** Who sits where; empty seats can be taken, or given to the engine by who sits. */
export function seatsPanel(here, sit) {
  const { room, send, levels } = here;
  const open = room.phase !== "over";
  const name = !room.you && open && room.seats.some((one) => !one.taken)
    ? el("label", { class: "row" }, t("room.name"), el("input", { id: "name", maxlength: 24, value: store.get("name", ""), autocomplete: "nickname", oninput: (event) => store.set("name", event.target.value) })) : null;
  const take = (seat) => {
    const given = $("name").value.trim();
    if (!given) { toast(t("room.nameFirst")); $("name").focus(); return; }
    sit(seat, given);
  };
  const row = (one) => el("li", { "data-node": one.seat },
    el("span", { class: "side-name" }, sideName(one.seat)), presence(one),
    el("span", { class: "who" }, one.level ? t("room.engine", { level: levelName(levels, one.level) }) : one.taken ? one.name : t("room.empty"),
      one.seat === room.you ? ` (${t("room.you")})` : "", room.setsUp && room.phase === "set-up" && one.ready ? ` ✓ ${t("room.isReady")}` : ""),
    !one.taken && open && !room.you ? button(t("room.sit"), t("room.sitAt", { side: sideName(one.seat) }), () => take(one.seat), { class: "primary", "data-sit": one.seat }) : null,
    !one.taken && open && room.you ? engineChoice(one.seat, levels, send) : null,
    one.level && room.phase === "set-up" && room.you ? button("×", t("room.engineAway"), () => send({ type: "engine", seat: one.seat, level: "" }), { class: "quiet" }) : null,
    one.seat === room.you && open ? button(t("room.leave"), t("room.leave"), () => send({ type: "leave" }), { class: "quiet", id: "leave" }) : null);
  return el("section", { class: "panel", id: "seats", "aria-label": t("room.seats") }, el("h3", {}, t("room.seats")), name, el("ul", { class: "seats" }, room.seats.map(row)));
}

function engineChoice(seat, levels, send) {
  return el("select", { "data-engine": seat, "aria-label": t("room.seatEngine", { side: sideName(seat) }), value: "", onchange: (event) => { if (event.target.value) send({ type: "engine", seat, level: event.target.value }); } },
    el("option", { value: "" }, t("room.engineHere")), levels.map((level) => el("option", { value: level }, levelName(levels, level))));
}

/** The room's link, for everybody; and the secret one of your seat, for your other device. */
export function linksPanel({ id, room, token }) {
  const link = `${location.origin}${location.pathname}?id=${encodeURIComponent(id)}`;
  const copy = async (text) => {
    try { await navigator.clipboard.writeText(text); toast(t("share.copied")); } catch { toast(t("share.select")); }
  };
  return el("section", { class: "panel", "aria-label": t("room.link") }, el("h3", {}, t("room.link")), el("p", { class: "dim" }, t("room.link.help")),
    el("div", { class: "link-row" }, el("input", { id: "room-link", readonly: true, value: link, "aria-label": t("room.link"), onfocus: (event) => event.target.select() }),
      button(t("share.copy"), t("share.copy"), () => copy(link), { id: "copy-link" })),
    room.you ? el("div", { class: "row small" }, button(t("room.mySeat"), t("room.mySeat.help"), () => copy(`${link}#seat=${token}`), { class: "quiet", id: "my-seat" })) : null);
}

export function linePanel({ room }) {
  const line = room.board?.line || [];
  if (!line.length) return null;
  return el("section", { class: "panel", "aria-label": t("moves") }, el("div", { class: "line", id: "line", tabindex: 0, role: "log", "aria-label": t("moves") },
    line.map((move, n) => el("span", {}, room.game !== "chess" || n % 2 === 0 ? el("small", {}, `${room.game === "chess" ? n / 2 + 1 : n + 1}.`) : null, move))));
}
