// The page of a room: the board as your seat sees it, seats, clocks, offers, and the set-up before a game.

import { $, batched, button, el, followBar, redraw, showRow, store, toast } from "./dom.js";
import { analyses, get } from "./api.js";
import { BoardView } from "./board.js";
import { LANGUAGES, chooseLanguage, errorText, gameName, language, levelName, loadLanguage, sideName, t } from "./i18n.js";
import { LayoutEditor } from "./layout.js";
import { RoomSocket, newToken } from "./roomsocket.js";
import { talkPanel } from "./roomtalk.js";
import { RoomWalk } from "./roomwalk.js";
import { goToNext, offerPanel, presence, resultActions, seatsPanel, linePanel, linksPanel, playPanel, status, waitingView } from "./roompanels.js";
import { saidMove, wordedOf } from "./names.js";
import { applyLook, look as wanted, toggleTheme } from "./look.js";
import { countPanel } from "./counting.js";
import { drawResult } from "./result.js";
import { hintMark } from "./kit/marks.js";
import { makeState } from "./state.js";

const address = new URLSearchParams(location.search);
const id = address.get("id") || "";
/** What the page knows: the room as it was last sent, when that was, and what is being done here. */
const here = /** @type {Here} */ ({ id, room: null, since: 0, lost: false, gone: false, token: "", levels: [], info: null, below: "", send: null, hint: null, askHint });
/** @type {BoardView} */
let view = null;
/** @type {LayoutEditor} */
let editor = null;
/** A move is shown for so many times what it takes to move. */
const PACE = 2;

// -- the seat's secret -----------------------------------------------------------------------------------

/** A seat by its link; the secret leaves the address bar. */
function readSeat() {
  const match = /^#seat=([\w-]{24,64})$/.exec(location.hash);
  if (match) {
    store.set(`seat.${id}`, match[1]);
    history.replaceState(null, "", `${location.pathname}?id=${encodeURIComponent(id)}`);
  }
  here.token = store.get(`seat.${id}`, "");
}

/** Who came to play against the engine sits down at once. */
function sitAsAsked() {
  const seat = address.get("sit");
  if (!seat || here.token) return;
  sit(seat, store.get("name", "") || t("room.guest"));
  history.replaceState(null, "", `${location.pathname}?id=${encodeURIComponent(id)}`);
}

/** A good move by what your seat knows; only where nobody but engines could mind. */
function askHint() {
  const { room } = here;
  const { notation } = room.board;
  const position = here.info.hides ? { game: room.game, seat: room.you, view: notation } : { game: room.game, start: notation };
  analyses.start("hint", { position, budget: { seconds: 1 }, top: 3 }, (message) => {
    if (message.type === "error") toast(errorText(message));
    if (message.type !== "report" || !message.report.final || here.room.number !== room.number) return;
    const { best } = message.report;
    here.hint = { move: best, text: t("play.hintText", { move: saidMove(here.info, room.board, best) }) };
    if (view) view.state.shownHint = hintMark(view.state.node, room.board.places, best);
    render();
  }).catch((error) => toast(error.message));
}

/** @param {string} seat
 *  @param {string} name */
function sit(seat, name) {
  // Kept before it is sent: whatever happens to the connection, this browser can come back to its seat.
  if (!here.token) { here.token = newToken(); store.set(`seat.${id}`, here.token); }
  store.set("name", name);
  here.send({ type: "sit", seat, name, token: here.token });
}

// -- drawing ---------------------------------------------------------------------------------------------

const render = batched(() => {
  const { room } = here;
  if (here.gone) {
    $("status").replaceChildren(el("b", { class: "lost", id: "gone" }, t("room.gone")));
    return;
  }
  if (!room) return;
  document.title = `Kibitz · ${gameName(here.info)}`;
  $("title").textContent = t("room.title", { game: gameName(here.info) });
  drawBoard(room);
  drawPlates(room);
  drawEnd(room);
  $("status").replaceChildren(el("b", {}, here.lost ? t("room.lost") : status(room)), " ", el("span", { class: "dim" }, room.board ? wordedOf(here.info, room.board.notes) : ""));
  const [talk, seats, links] = [talkPanel(here, render), seatsPanel(here, sit), linksPanel(here)];
  // Before a game it matters who sits where, in a game what was played.
  redraw($("side"), offerPanel(here), countingPanel(room), playPanel(here), linePanel(here, walk), room.phase === "set-up" ? [seats, links, talk] : [talk, seats, links]);
  showCurrentMove();
  redraw($("walk"), walk.buttons());
  document.body.dataset.phase = room.phase;
  document.body.dataset.you = room.you || "";
  document.body.dataset.mover = room.mover || "";
  document.body.dataset.number = String(room.number);
});

/** @param {Room} room */
function countingPanel({ phase, count, you }) {
  if (phase !== "counting" || !count) return null;
  const mine = you && !count.agreed.includes(you);
  return countPanel(count, { accept: mine ? () => here.send({ type: "agree", move: count.move }) : null, resume: you ? () => here.send({ type: "resume" }) : null, agreed: count.agreed });
}

let shownMove = 0;
/** The list of moves follows the board; who scrolls in it meanwhile stays there until the next move. */
function showCurrentMove() {
  const list = $("line"), at = walk.at ?? here.room.board?.line.length ?? 0;
  if (!list || at === shownMove) return;
  shownMove = at;
  showRow(list, list.querySelector(".at"));
}

/** @param {Room} room */
function drawEnd(room) {
  drawResult(room.phase === "over" && !here.resultClosed ? {
    info: here.info, sides: room.board.sides, value: room.result, ending: room.ending || "rules", said: room.board.ending,
    close: () => { here.resultClosed = true; render(); }, actions: resultActions(here),
  } : null);
}

/** @param {Room} room */
function drawBoard(room) {
  const mine = room.seats.find((one) => one.seat === room.you);
  const settingUp = room.setsUp && room.phase === "set-up" && mine && !mine.ready;
  $("set-up").hidden = !settingUp;
  $("board").hidden = !room.board;
  $("waiting").hidden = Boolean(settingUp || room.board);
  if (!room.board && !settingUp) redraw($("waiting"), waitingView(here));
  $("move-input").hidden = !(room.you && room.phase === "playing");
  if (settingUp) {
    if (!editor) editor = new LayoutEditor($("set-up"), here.info.page.setUp, id, (layout) => { here.send({ type: "layout", layout }); here.send({ type: "ready" }); });
    editor.start(room.layout);
  }
  if (!room.board) return;
  if (!view) {
    const state = makeState(here.info);
    state.guess = (move) => here.send({ type: "move", move });
    state.markDead = (place) => { if (here.room.you) here.send({ type: "mark", place }); };
    view = new BoardView($("board"), state);
    view.nogesture = true;
    view.keep = `suspects.${id}`;
    state.suspects = store.get(view.keep, {});
  }
  const { state } = view;
  const shown = walk.board();
  state.plays = walk.at === null ? room.you || "" : "";
  state.count = room.count && walk.at === null ? { node: state.node, counted: room.count, refused: false } : null;
  if (state.node.board?.line.length !== shown.line.length) state.node.marks = [];
  if (state.node.board?.svg !== shown.svg || walk.at === null) state.node.board = shown;
  view.render();
  view.nameCells();
}

/** Who sits where, with their clocks: you below, the others above.
 *  @param {Room} room */
function drawPlates(room) {
  /** @param {any} one */
  const below = (one) => one.seat === (here.below || room.you || room.seats[0].seat);
  /** @param {any} one */
  const plate = (one) => el("div", { class: `plate${one.seat === room.mover ? " moves" : ""}${room.phase === "playing" && !one.playing ? " out" : ""}`, "data-node": one.seat },
    el("b", {}, sideName(one.seat)), presence(one), el("span", { class: "who" }, whoIs(one)),
    one.seat in room.clocks ? el("span", { class: "clock", "data-clock": one.seat }, "") : null);
  redraw($("plates-above"), room.seats.filter((one) => !below(one)).map(plate));
  redraw($("plates-below"), room.seats.filter(below).map(plate));
  drawClocks();
}

/** @param {any} one */
const whoIs = (one) => (one.level ? t("room.engine", { level: levelName(here.levels, one.level) }) : one.taken ? one.name : t("room.empty"));

function drawClocks() {
  const { room } = here;
  if (!room) return;
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-clock]"))) {
    const seat = element.dataset.clock;
    const passed = seat === room.mover ? (performance.now() - here.since) / 1000 : 0;
    const left = Math.max(0, (room.clocks[seat] ?? 0) - passed);
    const text = `${Math.floor(left / 60)}:${String(Math.floor(left % 60)).padStart(2, "0")}`;
    if (element.textContent !== text) element.textContent = text;
    element.classList.toggle("low", left < 20);
  }
}

function drawTop() {
  const typing = $("move-input").querySelector("input");
  typing.placeholder = t("typeMove");
  typing.setAttribute("aria-label", t("typeMove"));
  const languages = el("select", { id: "language", "aria-label": t("language"), onchange: async (event) => { await chooseLanguage(event.target.value); drawTop(); look(); editor?.draw(); render(); } },
    Object.entries(LANGUAGES).map(([name, title]) => el("option", { value: name, selected: name === language }, title)));
  $("tools").replaceChildren(button("⇅", t("flip"), flip, { id: "flip" }), button("◐", t("theme"), toggleTheme, { id: "theme" }), here.info ? button("♟", t("look"), async () => (await import("./lookdialog.js")).lookDialog(here.info, look), { id: "look" }) : "", languages);
}

const wishes = () => ({ below: here.below, names: wanted.names(), pieces: here.info ? wanted.pieces(here.info) : "" });
const look = () => { walk.forget(); here.send({ type: "look", ...wishes() }); };
const walk = new RoomWalk(wishes, () => render());

/** The next seat sits below. */
function flip() {
  if (!here.room) return;
  const seats = here.room.seats.map((one) => one.seat);
  here.below = seats[(seats.indexOf(here.below || here.room.you || seats[0]) + 1) % seats.length];
  look();
  render();
}

// -- messages --------------------------------------------------------------------------------------------

/** Boards that wait: where engines answer at once, each move is shown for a while before the next.
 *  @type {any[]} */
const waiting = [];
let free = 0;

/** @param {any} message */
function received(message) {
  const pace = message.type === "room" && here.info?.hides && here.room?.phase === "playing" ? PACE * wanted.pace(here.info) : 0;
  if (!pace || document.hidden) { while (waiting.length) tell(waiting.shift()); tell(message); return; }
  waiting.push(message);
  if (waiting.length === 1) setTimeout(tellNext, Math.max(0, free - performance.now()));
}

function tellNext() {
  const message = waiting.shift();
  if (!message) return;
  const moved = message.board && message.board.line.length !== here.room?.board?.line.length;
  tell(message);
  free = performance.now() + (moved ? PACE * wanted.pace(here.info) : 0);
  if (waiting.length) setTimeout(tellNext, Math.max(0, free - performance.now()));
}

/** @param {any} message */
function tell(message) {
  if (message.type === "error") { toast(errorText(message)); view?.reset(); return; }
  if (message.type !== "room") return;
  // Of a board that everybody sees the moves are those of the side to move.
  if (message.board && message.you !== message.mover) message.board.legalMoves = [];
  if (here.room?.number !== message.number) { here.hint = null; if (view) view.state.shownHint = null; }
  const before = here.room;
  here.room = message;
  walk.update(message);
  if (before && !before.next && message.next && message.you) { goToNext(here); return; }
  here.since = performance.now();
  render();
  requestAnimationFrame(() => view?.follow());
}

function listenToKeys() {
  const form = $("move-input"), input = form.querySelector("input");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const typed = input.value.trim();
    if (!typed) return;
    const known = Object.entries(here.room.board?.moveNames || {}).find(([, name]) => name === typed);
    here.send({ type: "move", move: known ? known[0] : typed });
    input.value = "";
  });
  document.addEventListener("keydown", (event) => {
    if (/** @type {Element} */ (event.target).matches("input, textarea, select") || document.querySelector("dialog[open]")) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "f") { event.preventDefault(); flip(); }
    if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
      if (/** @type {Element} */ (event.target).closest("#board") || !here.room?.board) return; // there they go from place to place
      event.preventDefault();
      walk.step(event.key === "ArrowLeft" ? -1 : 1);
    }
    if (event.key === "m") { event.preventDefault(); input.focus(); }
  });
}

async function start() {
  followBar();
  applyLook();
  const theme = store.get("theme", "");
  if (theme) document.documentElement.dataset.theme = theme;
  const [, games] = await Promise.all([loadLanguage(), get("/api/games")]);
  here.games = games;
  readSeat();
  drawTop();
  listenToKeys();
  const socket = new RoomSocket(id, () => ({ type: "join", ...(here.token ? { token: here.token } : {}), ...wishes() }), {
    message: (message) => {
      here.info ??= games.find((/** @type {GameInfo} */ row) => row.name === message.game) || null;
      if (!here.levels.length && here.info) { here.levels = here.info.levels; drawTop(); if (wanted.pieces(here.info) !== here.info.page.pieceSets[0]) look(); }
      received(message);
    },
    lost: () => { here.lost = true; render(); },
    connected: () => { here.lost = false; render(); },
    gone: () => { here.gone = true; render(); },
  });
  here.send = (message) => socket.send(message);
  socket.open();
  sitAsAsked();
  setInterval(drawClocks, 200);
  document.body.dataset.ready = "true";
}

start().catch((error) => toast(error.message));
