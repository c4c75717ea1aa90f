// The page of a room: the board as your seat sees it, seats, clocks, offers, and the set-up of Junqi.

import { $, batched, button, el, followBar, redraw, store, toast } from "./dom.js";
import { analyses, get } from "./api.js";
import { BoardView } from "./board.js";
import { LANGUAGES, chooseLanguage, language, levelName, loadLanguage, said, sideName, t } from "./i18n.js";
import { LayoutEditor } from "./layout.js";
import { RoomSocket, newToken } from "./roomsocket.js";
import { offerPanel, presence, seatsPanel, linePanel, linksPanel, playPanel, status } from "./roompanels.js";
import { makeState } from "./state.js";

const address = new URLSearchParams(location.search);
const id = address.get("id") || "";
/** What the page knows: the room as it was last told, when that was, and what is being done here. */
const here = { id, room: null, since: 0, lost: false, gone: false, token: "", levels: [], below: "", send: null, hint: "", askHint };
let view = null;
let editor = null;

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
  const position = room.game === "junqi" ? { game: room.game, seat: room.you, view: notation } : { game: room.game, start: notation };
  analyses.start("hint", { position, budget: { seconds: 1 }, top: 3 }, (message) => {
    if (message.type === "error") toast(message.error);
    if (message.type !== "report" || !message.report.final || here.room.number !== room.number) return;
    const { best } = message.report;
    here.hint = t("play.hintText", { move: room.board.moveNames[best] || best });
    render();
  }).catch((error) => toast(error.message));
}

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
  document.title = `Kibitz · ${t(`game.${room.game}`)}`;
  $("title").textContent = t("room.title", { game: t(`game.${room.game}`) });
  drawBoard(room);
  drawPlates(room);
  $("status").replaceChildren(el("b", {}, here.lost ? t("room.lost") : status(room)), " ", el("span", { class: "dim" }, room.game === "junqi" && room.board ? said(room.board.told) : ""));
  redraw($("side"), offerPanel(here), playPanel(here), seatsPanel(here, sit), linksPanel(here), linePanel(here));
  document.body.dataset.phase = room.phase;
  document.body.dataset.you = room.you || "";
  document.body.dataset.mover = room.mover || "";
  document.body.dataset.number = String(room.number);
});

function drawBoard(room) {
  const mine = room.seats.find((one) => one.seat === room.you);
  const settingUp = room.setsUp && room.phase === "set-up" && mine && !mine.ready;
  $("set-up").hidden = !settingUp;
  $("board").hidden = !room.board;
  $("move-input").hidden = !(room.you && room.phase === "playing");
  if (settingUp) {
    if (!editor) editor = new LayoutEditor($("set-up"), id, (layout) => { here.send({ type: "layout", layout }); here.send({ type: "ready" }); });
    editor.start(room.layout);
  }
  if (!room.board) return;
  if (!view) {
    const state = makeState(room.game);
    state.guess = (move) => here.send({ type: "move", move });
    view = new BoardView($("board"), state);
    view.nogesture = true;
  }
  const { state } = view;
  if (state.node.board !== room.board) { state.node.board = room.board; state.selected = ""; }
  view.render();
}

/** Who sits where, with their clocks: you below, the others above. */
function drawPlates(room) {
  const below = (one) => one.seat === (here.below || room.you || room.seats[0].seat);
  const plate = (one) => el("div", { class: `plate${one.seat === room.mover ? " moves" : ""}${room.phase === "playing" && !one.playing ? " out" : ""}`, "data-node": one.seat },
    el("b", {}, sideName(one.seat)), presence(one), el("span", { class: "who" }, whoIs(one)),
    one.seat in room.clocks ? el("span", { class: "clock", "data-clock": one.seat }, "") : null);
  redraw($("plates-above"), room.seats.filter((one) => !below(one)).map(plate));
  redraw($("plates-below"), room.seats.filter(below).map(plate));
  drawClocks();
}

const whoIs = (one) => (one.level ? t("room.engine", { level: levelName(here.levels, one.level) }) : one.taken ? one.name : t("room.empty"));

function drawClocks() {
  const { room } = here;
  if (!room) return;
  for (const element of document.querySelectorAll("[data-clock]")) {
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
  $("tools").replaceChildren(button("⇅", t("flip"), flip, { id: "flip" }), button("◐", t("theme"), toggleTheme, { id: "theme" }), languages);
}

function toggleTheme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  store.set("theme", root.dataset.theme);
}

const names = () => (language === "en" ? "english" : "chinese");
const look = () => here.send({ type: "look", below: here.below, names: names() });

/** The next seat sits below. */
function flip() {
  if (!here.room) return;
  const seats = here.room.seats.map((one) => one.seat);
  here.below = seats[(seats.indexOf(here.below || here.room.you || seats[0]) + 1) % seats.length];
  look();
  render();
}

// -- what is told ----------------------------------------------------------------------------------------

function told(message) {
  if (message.type === "error") { toast(said(message.error)); view?.render(); return; }
  if (message.type !== "room") return;
  // Of a board that everybody sees the moves are those of the side to move.
  if (message.board && message.you !== message.mover) message.board.legalMoves = [];
  if (here.room?.number !== message.number) here.hint = "";
  here.room = message;
  here.since = performance.now();
  render();
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
    if (event.target.matches("input, textarea, select") || document.querySelector("dialog[open]")) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "f") { event.preventDefault(); flip(); }
    if (event.key === "m") { event.preventDefault(); input.focus(); }
  });
}

async function start() {
  followBar();
  const theme = store.get("theme", "");
  if (theme) document.documentElement.dataset.theme = theme;
  const [, games] = await Promise.all([loadLanguage(), get("/api/games")]);
  here.games = games;
  readSeat();
  drawTop();
  listenToKeys();
  const socket = new RoomSocket(id, () => ({ type: "join", ...(here.token ? { token: here.token } : {}), below: here.below, names: names() }), {
    told: (message) => { here.levels = games.find((row) => row.name === (message.game || here.room?.game))?.levels || []; told(message); },
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
