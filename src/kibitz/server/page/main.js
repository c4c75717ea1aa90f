// The page: one board, its panels, and what connects them.

import { $, batched, button, el, followBar, redraw, store, toast } from "./dom.js";
import { get, post } from "./api.js";
import { LANGUAGES, chooseLanguage, language, loadLanguage, said, sideName, t } from "./i18n.js";
import { BoardView } from "./board.js";
import { analysisPanel } from "./analysis.js";
import { drawCompare, toggleCompare } from "./compare.js";
import { movesPanel } from "./moves.js";
import { answer, opponentPanel } from "./opponent.js";
import { askRecord, listenForRecords } from "./records.js";
import { reviewPanel } from "./review.js";
import { readLink, shareDialog } from "./share.js";
import { askRoom } from "./rooms.js";
import { restore, studiesDialog } from "./studies.js";
import { stylePanel } from "./style.js";
import { tablesPanel } from "./tables.js";
import { askNewGame } from "./newgame.js";
import { listen } from "./keys.js";
import { boardOf, changed, goTo, makeMove, makeNode, makeState, startAnalysis, stopAnalysis } from "./state.js";

const states = new Map();
let state = null;
let view = null;
let rows = [];

const ORDER = ["go", "chess", "othello", "uttt", "junqi"];

function stateOf(game) {
  if (!states.has(game)) {
    const made = makeState(game);
    const row = rows.find((one) => one.name === game);
    made.info = row;
    made.style.name = row.styles[0] || "";
    made.listeners.add(render);
    states.set(game, made);
  }
  return states.get(game);
}

async function openGame(game) {
  if (state) { const running = state.running; stopAnalysis(state); state.resume = running; }
  state = stateOf(game);
  store.set("game", game);
  view = new BoardView(freshBoard(), state);
  await goTo(state, state.node);
  if (state.resume) startAnalysis(state);
}

/** A board element without the listeners of the game before. */
function freshBoard() {
  const old = $("board");
  const board = old.cloneNode(false);
  old.replaceWith(board);
  return board;
}

async function newGame() {
  const record = await askNewGame(state.game);
  if (record) await openRecord(record);
}

/** A fresh board with a record on it; it stands at its last move. */
async function openRecord(record, tree = null) {
  const { game, moves, ...start } = record;
  if (state) stopAnalysis(state);
  states.delete(game);
  const made = stateOf(game);
  made.start = start;
  growRows(made.root, tree || (moves || []).map((move, n) => ({ parent: n, move })));
  let node = made.root;
  while (node.children.length) node = node.children[0];
  if (moves?.length && game === "chess") await nameMoves(made, node);
  await openGame(game);
  await goTo(state, node);
  drawTop();
}

/** The nodes of a tree as rows: the number of the one before, the move, its name, a comment. The root's own row may lead. */
function growRows(root, rows) {
  const nodes = [root];
  for (const { parent, move, name, comment } of rows) {
    const node = parent < 0 ? root : makeNode(move, nodes[parent], name || move);
    node.comment = comment || "";
    if (parent < 0) continue;
    nodes[parent].children.push(node);
    nodes.push(node);
  }
}

/** A study that was kept; it stands where it begins. */
async function openStudy({ tree, ...study }) {
  if (state) stopAnalysis(state);
  states.delete(study.game);
  const made = stateOf(study.game);
  restore(made, tree);
  made.study = study;
  await openGame(study.game);
  drawTop();
}

/** The moves of a record as people write them. */
async function nameMoves(made, last) {
  const board = await boardOf(made, last);
  let node = last;
  for (const name of board.line.slice().reverse()) { node.name = name; node = node.parent; }
}

/** A link with a position and its steering, if the address is one. */
async function openLink() {
  const shared = readLink(location.hash);
  if (!shared) return false;
  await openRecord(shared.record);
  state.node.steering = shared.steering;
  if (shared.style) state.style = shared.style;
  if (shared.below) { state.below = shared.below; await look(); }
  changed(state);
  return true;
}

/** What the seat that looks believes; asked once for each position. */
async function askBeliefs() {
  const { node, seat } = state;
  if (!state.beliefs || !seat || node.beliefsOf === seat) return;
  node.beliefsOf = seat;
  node.beliefs = null;
  node.beliefs = await post("/api/beliefs", { record: node.board.record, seat }).catch(() => null);
  changed(state);
}

async function flip() {
  const seats = state.node.board.seats;
  const names = state.game === "junqi" ? seats : state.game === "chess" ? ["white", "black"] : [""];
  const now = Math.max(0, names.indexOf(state.below));
  state.below = names[(now + 1) % names.length];
  await look();
}

/** Draws the same place again, from another side or in other words. */
async function look() {
  await boardOf(state, state.node);
  changed(state);
}

// -- drawing -------------------------------------------------------------------------------------------

const render = batched(() => {
  if (!state?.node.board) return;
  view.render();
  if ($("seat")) $("seat").value = state.seat; // learning looks as the player did
  drawBar();
  drawUnder();
  const scrolled = $("tree")?.scrollTop || 0;
  const panels = [opponentPanel(state), analysisPanel(state), tablesPanel(state), stylePanel(state), movesPanel(state)];
  const review = reviewPanel(state); // what is to be found, and whether it was, is above everything else
  redraw($("side"), state.review?.learn ? [review, ...panels] : [...panels, review]);
  drawCompare(state);
  answer(state);
  askBeliefs();
  const tree = $("tree");
  tree.scrollTop = scrolled;
  const current = tree.querySelector(".current");
  if (current) {
    const [top, bottom] = [current.offsetTop - tree.offsetTop, current.offsetTop - tree.offsetTop + current.offsetHeight];
    if (top < tree.scrollTop) tree.scrollTop = top;
    if (bottom > tree.scrollTop + tree.clientHeight) tree.scrollTop = bottom - tree.clientHeight;
  }
});

function drawBar() {
  const bar = $("evalbar");
  const { report, board } = state.node;
  const value = board.over ? board.result : report ? (board.toMove === 0 ? report.root.value : 1 - report.root.value) : null;
  bar.classList.toggle("unknown", value === null);
  bar.classList.toggle("light-first", state.game === "chess");
  bar.querySelector("i").style.width = `${100 * (value ?? 0.5)}%`;
  const first = sideName(state.info.sides[0]);
  bar.querySelector("span").textContent = value === null ? "" : `${first} ${(100 * value).toFixed(1)}%`;
  bar.setAttribute("aria-label", value === null ? t("noValue") : `${first} ${(100 * value).toFixed(1)}%`);
}

function status(board) {
  if (board.over) {
    const [first, second] = state.info.sides.map(sideName);
    return board.result === 0.5 ? t("over.draw") : t("over.win", { side: board.result === 1 ? first : second });
  }
  return t("toMove", { side: sideName(board.mover) });
}

function facts(board) {
  const { facts } = board;
  if (state.game === "othello") return `● ${facts.discs[0]} – ${facts.discs[1]} ○`;
  if (state.game === "go") return facts.score !== null ? t("go.score", { score: (facts.score > 0 ? "+" : "") + facts.score }) : t("go.captures", { black: facts.captures[0], white: facts.captures[1], komi: facts.komi });
  if (state.game === "chess" && facts.check && !board.over) return t("check");
  if (state.game === "junqi") return said(board.told);
  return "";
}

function drawUnder() {
  const { node } = state;
  const { board } = node;
  const step = (label, title, target, id) => button(label, title, () => goTo(state, target), { disabled: !target, id });
  let end = node;
  while (end.children.length) end = end.children[0];
  redraw($("walk"),
    step("⇤", t("walk.first"), node.parent && state.root, "walk-first"), step("◀", t("walk.back"), node.parent, "walk-back"),
    step("▶", t("walk.on"), node.children[0], "walk-on"), step("⇥", t("walk.last"), node.children[0] && end, "walk-last"),
    board.legalMoves.includes("pass") && button(t("pass"), t("pass"), () => makeMove(state, "pass"), { id: "pass" }));
  $("status").replaceChildren(el("b", {}, status(board)), " ", el("span", { class: "dim" }, facts(board)));
}

/** Moves typed as text: for those who cannot or do not want to use a pointer. */
function listenToTyping() {
  const form = $("move-input"), input = form.querySelector("input");
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const move = input.value.trim();
    if (!move) return;
    input.value = "";
    try { await makeMove(state, move); } catch (error) { input.value = move; toast(error.message); }
  });
}

// -- the bar at the top ----------------------------------------------------------------------------------

function drawTop() {
  const typing = $("move-input").querySelector("input");
  typing.placeholder = t("typeMove");
  typing.setAttribute("aria-label", t("typeMove"));
  $("games").replaceChildren(...ORDER.map((game) => button(t(`game.${game}`), t(`game.${game}`), async () => { await openGame(game); drawTop(); },
    { "aria-pressed": String(state?.game === game), "data-game": game })));
  $("games").querySelector('[aria-pressed="true"]')?.scrollIntoView({ block: "nearest", inline: "nearest" });
  const languages = el("select", { id: "language", "aria-label": t("language"), onchange: async (event) => { await chooseLanguage(event.target.value); drawTop(); await look(); } },
    Object.entries(LANGUAGES).map(([name, title]) => el("option", { value: name, selected: name === language }, title)));
  $("tools").replaceChildren(
    button(t("new"), t("new.help"), newGame, { id: "new" }),
    ["chess", "junqi"].includes(state?.game) ? button("⇅", t("flip"), flip, { id: "flip" }) : "",
    state?.game === "junqi" ? seatChoice() : "",
    state?.game === "junqi" && state.seat ? toggle("beliefs") : "",
    state?.game === "go" ? toggle("ownership") : "",
    button(t("open"), t("record.title"), () => askRecord(openRecord), { id: "open" }),
    button(t("studies"), t("studies"), () => studiesDialog(state, openStudy), { id: "studies" }),
    button(t("compare"), t("compare.help"), () => toggleCompare(state), { id: "compare-open" }),
    button(t("share"), t("share"), () => shareDialog(state), { id: "share" }),
    el("a", { href: "lab.html", class: "tool", id: "lab-link" }, t("lab")),
    button(t("room"), t("room.help"), () => askRoom(state.game), { id: "room" }),
    button("◐", t("theme"), toggleTheme, { id: "theme" }),
    button("?", t("help"), help, { id: "help" }),
    languages);
}

/** Something that is drawn over the board, or not. */
function toggle(name) {
  return button(t(name), t(`${name}.help`), () => { state[name] = !state[name]; drawTop(); changed(state); }, { id: name, "aria-pressed": String(Boolean(state[name])) });
}

function seatChoice() {
  const seats = ["", ...(state.node.board?.seats || [])];
  return el("select", { id: "seat", "aria-label": t("seat"), onchange: async (event) => { state.seat = event.target.value; if (state.seat) state.below = state.seat; await look(); drawTop(); } },
    seats.map((seat) => el("option", { value: seat, selected: seat === state.seat }, seat ? t("seat.view", { seat: sideName(seat) }) : t("seat.all"))));
}

function toggleTheme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  store.set("theme", root.dataset.theme);
}

function help() {
  const dialog = $("dialog");
  const keys = [["← →", "help.walk"], ["↑ ↓", "help.variations"], ["Space, 1–9", "help.play"], ["a", "help.analyze"], ["g x o w c", "help.steer"], ["f", "flip"], ["Ctrl+Z", "help.undo"]];
  dialog.replaceChildren(el("h2", {}, t("help")), el("p", {}, t("help.text")),
    el("dl", { class: "keys" }, keys.map(([key, text]) => [el("dt", {}, key), el("dd", {}, t(text))])),
    el("div", { class: "row end" }, el("button", { type: "button", class: "primary", onclick: () => dialog.close() }, t("close"))));
  dialog.onclose = null;
  dialog.showModal();
}

async function start() {
  followBar();
  const theme = store.get("theme", "");
  if (theme) document.documentElement.dataset.theme = theme;
  const [, games] = await Promise.all([loadLanguage(), get("/api/games")]);
  rows = games;
  const wanted = new URLSearchParams(location.search).get("game") || store.get("game", "go");
  drawTop();
  if (!(await openLink())) await openGame(ORDER.includes(wanted) ? wanted : "go");
  drawTop();
  listenToTyping();
  listenForRecords(openRecord);
  addEventListener("hashchange", openLink);
  listen(() => state, { flip, newGame, help });
  document.body.dataset.ready = "true";
}

start().catch((error) => toast(error.message));
