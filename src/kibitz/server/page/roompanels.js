// The panels of a room: offers, what you can do, seats, links, the moves so far.

import { $, button, el, store, toast } from "./dom.js";
import { fileName, levelAbout, levelName, sideName, t } from "./i18n.js";
import { moveNumber } from "./moves.js";
import { capturedList, wordedOf } from "./names.js";
import { askRoom } from "./rooms.js";
import { confirmResign } from "./sure.js";
import { linkTo } from "./links.js";
import { saveGame } from "./share.js";

/** What is going on, in one line.
 *  @param {Room} room */
export function status(room) {
  if (room.phase === "set-up") {
    if (room.seats.some((one) => !one.taken)) return t("room.waiting");
    return t("room.settingUp");
  }
  if (room.phase === "playing") return room.mover === room.you ? t("room.yourMove") : t("toMove", { side: sideName(room.mover) });
  if (room.phase === "counting") return t("count.title");
  const { sides } = room.board;
  const how = room.ending ? ` (${t(`room.by.${room.ending}`)})` : "";
  return (room.result === 0.5 ? t("over.draw") : t("over.win", { side: sideName(sides[room.result === 1 ? 0 : 1]) })) + how;
}

/** What is on the stage before a game: who is ready, and the set-up that you have chosen.
 *  @param {Here} given */
export function waitingView({ room, info }) {
  const { layout } = room;
  const { setUp } = info.page;
  return el("div", { class: "waiting-view" }, el("h2", {}, status(room)),
    el("ul", { class: "seats" }, room.seats.map((one) => el("li", { "data-node": one.seat }, el("span", { class: "side-name" }, sideName(one.seat)),
      el("span", { class: "who" }, one.ready ? `✓ ${t("room.isReady")}` : one.taken ? t("room.setsUpNow") : t("room.empty"))))),
    layout && setUp ? el("div", { class: "army", id: "my-army", role: "img", "aria-label": t("layout.army") },
      [...layout.replaceAll("/", "")].map((kind, n) => el("div", { class: kind === "-" ? "camp" : `stands${setUp.marked.includes(n) ? " home" : ""}` }, kind === "-" ? "" : t(`kind.${kind}`)))) : null);
}

/** A draw or a take-back that somebody asks for.
 *  @param {Here} given */
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

/** @param {Room} room */
const namesOf = (room) => Object.fromEntries(room.seats.filter((one) => one.name).map((one) => [one.seat, one.name]));

/** Whether somebody of the seat is connected, where that is known.
 *  @param {any} one */
export const presence = (one) => (one.online === null ? null
  : el("i", { class: `presence ${one.online ? "online" : "away"}`, role: "img", title: t(one.online ? "room.online" : "room.away"), "aria-label": t(one.online ? "room.online" : "room.away") }));

/** What can be done with a game that is over: looked at with the engine, saved.
 *  @param {Room} room */
const afterwards = (room) => [
  button(t("room.replay"), t("room.replay.help"), () => location.assign(linkTo({ record: room.record, below: room.you || "" }, "./")), { class: "primary", id: "replay" }),
  room.board.saves.map((kind) => button(t("room.save", { kind: `.${kind}` }), fileName(kind), () => saveGame(kind, room.record, namesOf(room)), { id: `save-${kind}` }))];

/** What to do after a game: the buttons of its result.
 *  @param {Here} here */
export const resultActions = (here) => [rematchButton(here), ...afterActions(here)];

/** @param {Here} here */
function rematchButton(here) {
  const { room, send } = here;
  if (room.next) return button(t("rematch.go"), t("rematch.go"), () => goToNext(here), { class: "primary", id: "result-next" });
  if (!room.you) return null;
  const asked = room.rematch.includes(room.you);
  const others = room.rematch.filter((seat) => seat !== room.you);
  return [button(t(asked ? "rematch.waiting" : "result.rematch"), t("result.rematch.help"), () => send({ type: "rematch" }), { class: "primary", id: "result-rematch", disabled: asked }),
    others.length ? el("span", { class: "dim", id: "rematch-asked" }, t("rematch.asked", { sides: others.map(sideName).join(", ") })) : null];
}

/** To the room of the next game; your seat there is yours by the same secret.
 *  @param {Here} given */
export function goToNext({ room, token }) {
  if (token) store.set(`seat.${room.next}`, token);
  location.assign(`/room.html?id=${encodeURIComponent(room.next)}`);
}

/** @param {Here} given */
const afterActions = ({ room, info }) => [
  button(t("review"), t("room.replay.help"), () => location.assign(linkTo({ record: room.record, below: room.you || "" }, "./")), { id: "result-review" }),
  button(t("result.newRoom"), t("room.help"), () => askRoom(info), { id: "result-new" }),
  room.board.saves.map((kind) => button(t("room.save", { kind: `.${kind}` }), fileName(kind), () => saveGame(kind, room.record, namesOf(room)), { id: `result-save-${kind}` }))];

/** What you can do in a game.
 *  @param {Here} given */
export function playPanel({ room, send, hint, askHint }) {
  const me = room.seats.find((one) => one.seat === room.you);
  if (room.phase === "over") return el("section", { class: "panel", "aria-label": t("room.replay") }, el("div", { class: "row" }, afterwards(room)));
  if (room.phase === "counting" && me) {
    return el("section", { class: "panel", "aria-label": t("room.actions") }, el("div", { class: "row" },
      button(t("room.resign"), t("room.resign"), () => confirmResign(() => send({ type: "resign" })), { id: "room-resign" })));
  }
  if (room.phase !== "playing" || !me?.playing) return null;
  /** @param {any} type
   *  @param {Record<string, any>} [more] */
  const act = (type, more = {}) => button(t(`room.${type}`), t(`room.${type}`), () => send({ type }), { id: `room-${type}`, ...more });
  return el("section", { class: "panel", "aria-label": t("room.actions") },
    el("div", { class: "row" },
      room.board?.legalMoves.includes("pass") ? button(t("pass"), t("pass"), () => send({ type: "move", move: "pass" }), { id: "pass" }) : null,
      room.mover === room.you && room.seats.every((one) => one.seat === room.you || one.level) ? button(t("play.hint"), t("play.hint"), askHint, { id: "hint" }) : null,
      act("draw", { disabled: Boolean(room.offer) }), act("undo", { disabled: Boolean(room.offer) }),
      button(t("room.resign"), t("room.resign"), () => confirmResign(() => send({ type: "resign" })), { id: "room-resign" })),
    hint ? el("p", { id: "hint-text", "data-move": hint.move }, hint.text) : null);
}

/** Who sits where; empty seats can be taken, or given to the engine by who sits.
 *  @param {Here} here
 *  @param {(seat: string, name: string) => void} sit */
export function seatsPanel(here, sit) {
  const { room, send, levels } = here;
  const open = room.phase !== "over";
  const name = !room.you && open && room.seats.some((one) => !one.taken)
    ? el("label", { class: "row" }, t("room.name"), el("input", { id: "name", maxlength: 24, value: store.get("name", ""), autocomplete: "nickname", oninput: (event) => store.set("name", event.target.value) })) : null;
  /** @param {string} seat */
  const take = (seat) => {
    const given = /** @type {HTMLInputElement} */ ($("name")).value.trim();
    if (!given) { toast(t("room.nameFirst")); $("name").focus(); return; }
    sit(seat, given);
  };
  /** @param {any} one */
  const row = (one) => el("li", { "data-node": one.seat },
    el("span", { class: "side-name" }, sideName(one.seat)), presence(one),
    el("span", { class: "who" }, one.level ? t("room.engine", { level: levelName(levels, one.level) }) : one.taken ? one.name : t("room.empty"),
      one.seat === room.you ? ` (${t("room.you")})` : "", room.setsUp && room.phase === "set-up" && one.ready ? ` ✓ ${t("room.isReady")}` : ""),
    !one.taken && open && !room.you ? button(t("room.sit"), t("room.sitAt", { side: sideName(one.seat) }), () => take(one.seat), { class: "primary", "data-sit": one.seat }) : null,
    !one.taken && open && room.you ? engineChoice(one.seat, here) : null,
    one.level && room.phase === "set-up" && room.you ? button("×", t("room.engineAway"), () => send({ type: "engine", seat: one.seat, level: "" }), { class: "quiet" }) : null,
    one.seat === room.you && open ? button(t("room.leave"), t("room.leave"), () => send({ type: "leave" }), { class: "quiet", id: "leave" }) : null);
  return el("section", { class: "panel", id: "seats", "aria-label": t("room.seats") }, el("h3", {}, t("room.seats")), name, el("ul", { class: "seats" }, room.seats.map(row)));
}

/** @param {string} seat
 *  @param {Here} given */
function engineChoice(seat, { info, levels, send }) {
  return el("select", { "data-engine": seat, "aria-label": t("room.seatEngine", { side: sideName(seat) }), value: "", onchange: (event) => { if (event.target.value) send({ type: "engine", seat, level: event.target.value }); } },
    el("option", { value: "" }, t("room.engineHere")), levels.map((level) => el("option", { value: level, title: levelAbout(info, level) || null }, levelName(levels, level))));
}

/** The room's link, for everybody; and the secret one of your seat, for your other device.
 *  @param {Here} given */
export function linksPanel({ id, room, token }) {
  const link = `${location.origin}${location.pathname}?id=${encodeURIComponent(id)}`;
  /** @param {string} text */
  const copy = async (text) => {
    try { await navigator.clipboard.writeText(text); toast(t("share.copied")); } catch { toast(t("share.select")); }
  };
  return el("section", { class: "panel", "aria-label": t("room.link") }, el("h3", {}, t("room.link")), el("p", { class: "dim" }, t("room.link.help")),
    el("div", { class: "link-row" }, el("input", { id: "room-link", readonly: true, value: link, "aria-label": t("room.link"), onfocus: (event) => event.target.select() }),
      button(t("share.copy"), t("share.copy"), () => copy(link), { id: "copy-link" })),
    room.you ? el("div", { class: "row small" }, button(t("room.mySeat"), t("room.mySeat.help"), () => copy(`${link}#seat=${token}`), { class: "quiet", id: "my-seat" })) : null);
}

/** The moves so far, in words where the game has them; the opening; what is off the board. A click goes to the board after a move.
 *  @param {Here} given
 *  @param {import("./roomwalk.js").RoomWalk} walk */
export function linePanel({ room, info }, walk) {
  const { board } = room;
  const line = board?.line || [];
  if (!line.length) return null;
  const first = board.log.length ? line.length - board.log.length : 0;
  const listed = board.log.length ? board.log.map((said, n) => [`${first + n + 1}.`, wordedOf(info, said)]) : line.map((move, n) => [moveNumber(info.page.numbering, n + 1), move]);
  return el("section", { class: "panel", "aria-label": t("moves") },
    board.opening ? el("p", { class: "opening", id: "opening" }, board.opening) : null,
    el("div", { class: `line${board.log.length ? " log" : ""}`, id: "line", tabindex: 0, role: "log", "aria-label": t("moves") },
      listed.map(([number, text], n) => el("span", { class: first + n + 1 === (walk.at ?? line.length) ? "at" : null, onclick: () => walk.go(first + n + 1) }, number ? el("small", {}, number) : null, text))),
    capturedList(info, board));
}
