// The page: one board, its panels, and what connects them.

import { $, batched, button, el, followBar, redraw, showRow, store, toast } from "./dom.js";
import { get, post } from "./api.js";
import { gameName, loadLanguage, sideName, t } from "./i18n.js";
import { BoardView } from "./board.js";
import { explainLink } from "./account.js";
import { applyLook } from "./look.js";
import { wordedOf } from "./names.js";
import { analysisPanel } from "./analysis.js";
import { checkFlag, clockText, followClock, leftOf } from "./clock.js";
import { movesPanel } from "./moves.js";
import { followCount, studyCountPanel, toggleDead } from "./counting.js";
import { beginAgainst, followOpponent, opponentPanel } from "./opponent.js";
import { drawResult } from "./result.js";
import { refreshDeck, useBoards } from "./deck.js";
import { restoreReview, reviewPanel, startReview } from "./review.js";
import { listenForRecords } from "./dropped.js";
import { readLink } from "./links.js";
import { startWorker } from "./offline.js";
import { Saver, draftOf, followTabs } from "./saver.js";
import { applyChange, changeOf, emptySnapshot, namedNodes, nodeNamed, snapshot } from "./saved.js";
import { isPassing } from "./retry.js";
import { followStyle, stylePanel } from "./style.js";
import { followTables, tablesPanel } from "./tables.js";
import { listen } from "./keys.js";
import { drawTop as drawToolBar, followTop } from "./toolbar.js";
import { boardOf, changed, goTo, isMainLine, makeMove, makeNode, makeState, startAnalysis, stopAnalysis } from "./state.js";

/** Boards that are open, by the name of their saved game.
 *  @type {Map<string, State>} */
const boards = new Map();
/** @type {State} */
let state = null;
/** @type {BoardView} */
let view = null;
/** @type {GameInfo[]} */
let rows = [];

// -- boards and their addresses --------------------------------------------------------------------------

/** A board that nobody has changed yet; with the name of a saved game it is to become that.
 *  @param {string} game
 *  @param {string} [id] */
function makeBoard(game, id = undefined) {
  const made = makeState(rows.find((one) => one.name === game));
  made.style.name = made.info.styles[0] || "";
  made.saver = new Saver(made, id);
  made.markDead = (place) => toggleDead(made, place);
  made.listeners.add(() => follow(made));
  made.listeners.add(render);
  boards.set(made.saver.id, made);
  return made;
}

/** @param {State} made */
const addressOf = ({ saver, game }) => (saver.isKept() ? `/g/${saver.id}` : `/?game=${encodeURIComponent(game)}`);

/** @param {State} made
 *  @param {boolean} [push] whether the board before is one step back */
async function showBoard(made, push = true) {
  if (state && state !== made) { const running = state.running; stopAnalysis(state); state.resume = running; }
  const first = !state;
  state = made;
  store.set("game", made.game);
  view = new BoardView(freshBoard(), made);
  if (push && !first && addressOf(made) !== location.pathname + location.search) history.pushState(null, "", addressOf(made));
  $("side").inert = true;  // what stands beside the board is of the one before until the new one is there
  try {
    await goTo(made, made.node);
  } finally {
    if (state === made) $("side").inert = false;
  }
  if (made.resume) startAnalysis(made);
  drawTop();
}

/** The address of the board and what is to be opened next time follow what is saved.
 *  @param {State} made */
function keepAddress(made) {
  if (!made.saver.isKept()) return;
  if (location.pathname !== addressOf(made)) history.replaceState(null, "", addressOf(made));
  const current = store.get("current", {});
  if (made.saver.own && current[made.game] !== made.saver.id) store.set("current", { ...current, [made.game]: made.saver.id });
}

/** The board of a game that was last used here, or a fresh one.
 *  @param {string} game
 *  @param {boolean} [push] */
async function openGame(game, push = true) {
  const id = store.get("current", {})[game];
  const fresh = [...boards.values()].find((one) => one.game === game && !one.saver.isKept());
  if (!id || !(await openSaved(id, push, true))) await showBoard(fresh || makeBoard(game), push);
}

/** A saved game; false when there is none of that name. `known` says that this browser has just asked for it.
 *  @param {string} id
 *  @param {boolean} [push]
 *  @param {boolean} [quiet] */
async function openSaved(id, push = true, quiet = false) {
  if (!boards.has(id)) {
    try {
      const draft = draftOf(id);
      const saved = draft && !draft.version ? null : await get(`/api/saved/${id}`);
      const made = makeBoard((saved || draft).game, id);
      const at = saved ? made.saver.begin(saved) : made.saver.beginUnsaved(draft);
      made.node = /** @type {ShownNode} */ (nodeNamed(made, draft?.change.set.at ?? at));
      restoreReview(made);
    } catch (error) {
      if (!quiet || isPassing(error)) toast(error.message);
      return false;
    }
  }
  await showBoard(boards.get(id), push);
  return true;
}

/** A board element without the listeners of the game before. */
function freshBoard() {
  const old = $("board");
  const board = /** @type {HTMLElement} */ (old.cloneNode(false));
  old.replaceWith(board);
  return board;
}

// What few visits need is loaded when it is asked for.

/** @type {typeof import("./compare.js") | null} */
let compare = null;
async function comparing() {
  compare ??= await import("./compare.js");
  await compare.toggleCompare(state);
}
const share = async () => (await import("./share.js")).shareDialog(state);
const newRoom = async () => (await import("./rooms.js")).askRoom(state.info);
const chooseLook = async () => (await import("./lookdialog.js")).lookDialog(state.info, look);
const help = async () => (await import("./help.js")).help();
const openFile = async () => (await import("./records.js")).askRecord(openRecord);

async function newGame() {
  const { askNewGame } = await import("./newgame.js");
  const record = await askNewGame(state.info);
  if (!record) return;
  const made = boardWith(record);
  made.saver.pin();
  await showBoard(made);
}

/** A board with a record on it, and the moves of a tree.
 *  @param {GameRecord} record
 *  @param {any} [tree] */
function boardWith({ game, moves, ...start }, tree = null) {
  const made = makeBoard(game);
  made.start = start;
  growRows(made.root, tree || (moves || []).map((move, n) => ({ parent: n, move })));
  return made;
}

/** A board to practise on: it stands before the last move, and is not saved unless it is played on.
 *  @param {GameRecord} record
 *  @param {string} move */
async function openTask(record, move) {
  const made = boardWith({ ...record, moves: [...(record.moves || []), move] });
  await stepToEnd(made);
  made.node = /** @type {ShownNode} */ (made.node.parent);
  made.saver.initial = snapshot(made);
  await showBoard(made);
  return made;
}

/** A new game with a record on it; it stands at its last move. Nothing that is open is lost.
 *  @param {GameRecord} record
 *  @param {any} [tree]
 *  @param {Record<string, string>} [headers] */
async function openRecord(record, tree = null, headers = {}) {
  const made = boardWith(record, tree);
  made.headers = headers;
  await stepToEnd(made);
  made.saver.force();
  await showBoard(made);
}

/** @param {State} made */
async function stepToEnd(made) {
  let node = made.root;
  while (node.children.length) node = node.children[0];
  if (node.parent) await nameMoves(made, node);
  made.node = /** @type {ShownNode} */ (node);
}

/** The nodes of a tree as rows: the number of the one before, the move, its name, a comment. The root's own row may lead.
 *  @param {GameNode} root
 *  @param {any[]} rows */
function growRows(root, rows) {
  const nodes = [root];
  for (const { parent, move, name, comment, nags } of rows) {
    const node = parent < 0 ? root : makeNode(move, nodes[parent], name || move);
    node.comment = comment || "";
    node.nags = nags || [];
    if (parent < 0) continue;
    nodes[parent].children.push(node);
    nodes.push(node);
  }
}

/** A game of one's own with all that is in the one that is shown. */
async function makeCopy() {
  const made = makeBoard(state.game);
  applyChange(made, changeOf(emptySnapshot(), snapshot(state)));
  made.title = t("saved.copyOf", { title: state.title || gameName(state.info) });
  made.node = /** @type {ShownNode} */ (nodeNamed(made, JSON.parse(snapshot(state).fields.at)));
  restoreReview(made);
  made.saver.force();
  await showBoard(made);
}

/** The list of what this browser has saved; its module is loaded when it is first asked for. */
async function openMyGames() {
  try {
    const { myGames } = await import("./mygames.js");
    await Promise.all([...boards.values()].map(({ saver }) => saver.save()));
    await myGames({
      rows, open: openSaved,
      changed: (id) => boards.get(id)?.saver.pull(), deckChanged: () => refreshDeck(state),
      deleted: (id) => {
        const [game] = Object.entries(store.get("current", {})).find(([, one]) => one === id) || [];
        if (game) store.set("current", { ...store.get("current", {}), [game]: undefined });
        boards.delete(id);
        if (state.saver.id === id) showBoard(makeBoard(state.game));
      },
    });
  } catch (error) { toast(error.message); }
}

/** The moves of a record as people write them.
 *  @param {State} made
 *  @param {GameNode} last */
async function nameMoves(made, last) {
  const board = await boardOf(made, last);
  let node = last;
  for (const name of board.line.slice().reverse()) { node.name = name; node = node.parent; }
}

/** A link with a position and its steering, if the address is one. It is saved once it is changed. */
async function openLink() {
  const shared = readLink(location.hash);
  if (!shared) return false;
  const made = boardWith(shared.record);
  await stepToEnd(made);
  made.node.steering = shared.steering;
  if (shared.style) made.style = shared.style;
  if (shared.below) made.below = shared.below;
  made.saver.initial = snapshot(made);
  await showBoard(made, false);
  return true;
}

/** What the address says: a saved game, a link, a kind of game. */
async function openAddress() {
  const [, id] = /^\/g\/([\w-]{16,32})$/.exec(location.pathname) || [];
  if (id && await openSaved(id, false)) return;
  if (await openLink()) return;
  const wanted = new URLSearchParams(location.search).get("game") || store.get("game", "");
  await openGame(rows.some((row) => row.name === wanted) ? wanted : rows[0].name, false);
}

/** Asks what the seat that looks believes, once for each position.
 *  @param {State} state */
function followBeliefs(state) {
  const { node, seat } = state;
  if (!state.layers.has("beliefs") || !seat || !node.board || node.beliefsOf === seat) return;
  Object.assign(node, { beliefsOf: seat, beliefs: null });
  post("/api/beliefs", { record: node.board.record, seat }).then((answer) => { node.beliefs = answer; changed(state); }, () => {});
}

/** Shows the clocks as they run, and ends a game whose time is up. */
function tick() {
  if (!state?.clock || checkFlag(state)) return;
  for (const place of document.querySelectorAll("#side [data-clock]")) {
    place.textContent = clockText(leftOf(state, /** @type {HTMLElement} */ (place).dataset.clock, performance.now()));
  }
}

/** What the page does by itself when the state has changed. Drawing only reads the state.
 *  @param {State} changedState */
function follow(changedState) {
  changedState.saver.follow();
  if (changedState !== state || !state.node.board) return;
  keepAddress(state);
  followResult(state);
  followCount(state);
  followClock(state);
  followOpponent(state);
  compare?.followCompare(state);
  followBeliefs(state);
  followTables(state);
  followStyle(state);
  view.follow();
}

/** A game that the rules have ended has its result saved with it.
 *  @param {State} state */
function followResult(state) {
  const { node, result } = state;
  const { board } = node;
  if (node.children.length || !isMainLine(node)) return;
  if (board.over && !result) state.result = { value: board.result, ending: "rules", said: board.ending };
  if (!board.over && result?.ending === "rules") state.result = null;
}

async function flip() {
  if (!state.info.page.turns) return;
  const { seats } = state.node.board;
  const now = Math.max(0, seats.indexOf(state.below));
  state.below = seats[(now + 1) % seats.length];
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
  if ($("seat")) /** @type {HTMLSelectElement} */ ($("seat")).value = state.seat; // learning looks as the player did
  drawBar();
  drawUnder();
  drawEnd();
  const scrolled = $("tree")?.scrollTop || 0;
  redraw($("side"), panels());
  compare?.drawCompare(state);
  const tree = $("tree");
  tree.scrollTop = scrolled;
  showRow(tree, tree.querySelector(".current"));
});

/** What stands beside the board: a game that is reviewed is read, another is played or analysed. */
function panels() {
  const review = reviewPanel(state);
  const moves = movesPanel(state), analysis = [analysisPanel(state), tablesPanel(state), stylePanel(state)];
  if (state.review && !state.opponent) return [studyCountPanel(state), review, moves, ...analysis, opponentPanel(state)];
  return [studyCountPanel(state), opponentPanel(state), ...analysis, moves, review];
}

function drawBar() {
  const bar = $("evalbar");
  const { report, board, review } = state.node;
  const value = board.over ? board.result : report ? (board.toMove === 0 ? report.root.value : 1 - report.root.value) : review?.value ?? null;
  bar.classList.toggle("unknown", value === null);
  bar.classList.toggle("light-first", state.info.page.lightFirst);
  bar.querySelector("i").style.width = `${100 * (value ?? 0.5)}%`;
  const first = sideName(board.sides[0]);
  bar.querySelector("span").textContent = value === null ? "" : `${first} ${(100 * value).toFixed(1)}%`;
  bar.setAttribute("aria-label", value === null ? t("noValue") : `${first} ${(100 * value).toFixed(1)}%`);
}

/** The result of a game that has just ended, where it is shown. */
function drawEnd() {
  const { node, result } = state;
  const { board } = node;
  const ended = !node.children.length && (board.over || (result && result.ending !== "rules")) && state.resultClosed !== node;
  const against = state.opponent || state.last;
  drawResult(ended ? {
    info: state.info, sides: board.sides, value: board.over ? board.result : result.value, ending: board.over ? "rules" : result.ending, said: board.ending,
    close: () => { state.resultClosed = node; changed(state); },
    actions: [
      against ? button(t("result.rematch"), t("result.rematch.help"), () => rematch(against), { class: "primary", id: "result-rematch" }) : null,
      button(t("review"), t("review.help"), () => startReview(state), { id: "result-review" }),
      button(t("new"), t("new.help"), newGame, { id: "result-new" }),
      button(t("result.export"), t("share"), share, { id: "result-export" })],
  } : null);
}

/** The same game again with the sides changed.
 *  @param {{ you: string, level: string }} against */
async function rematch({ you, level }) {
  const made = boardWith({ game: state.game, ...state.start });
  made.saver.pin();
  const other = state.node.board.sides.find((side) => side !== you);
  await showBoard(made);
  await beginAgainst(made, other, level);
}

/** @param {Board} board */
function status(board) {
  if (board.counting) return t("count.title");
  const ended = board.over ? board.result : state.result && !state.node.children.length ? state.result.value : null;
  if (board.over || ended !== null) {
    const [first, second] = board.sides.map(sideName);
    return ended === 0.5 ? t("over.draw") : t("over.win", { side: ended === 1 ? first : second });
  }
  return t("toMove", { side: sideName(board.mover) });
}

function drawUnder() {
  const { node } = state;
  const { board } = node;
  /** @param {string} label
   *  @param {string} title
   *  @param {GameNode | null | undefined} target
   *  @param {string} id */
  const step = (label, title, target, id) => button(label, title, () => goTo(state, target), { disabled: !target, id });
  let end = node;
  while (end.children.length) end = end.children[0];
  redraw($("walk"),
    step("⇤", t("walk.first"), node.parent && state.root, "walk-first"), step("◀", t("walk.back"), node.parent, "walk-back"),
    step("▶", t("walk.on"), node.children[0], "walk-on"), step("⇥", t("walk.last"), node.children[0] && end, "walk-last"),
    board.legalMoves.includes("pass") && button(t("pass"), t("pass"), () => makeMove(state, "pass"), { id: "pass" }));
  $("status").replaceChildren(el("b", {}, status(board)), " ", el("span", { class: "dim" }, wordedOf(state.info, board.notes)));
  drawSaved();
}

/** Whether the board is saved, and whose it is. */
function drawSaved() {
  const { status, error } = state.saver;
  const place = $("saved");
  place.dataset.status = status;
  place.title = status === "unsaved" ? error : "";
  redraw(place, state.title ? el("b", {}, state.title) : null, status === "new" ? null : el("span", {}, t(`saved.${status}`)),
    status === "foreign" ? button(t("saved.copy"), t("saved.copy.help"), makeCopy, { id: "make-copy", class: "primary" }) : null);
}

/** Moves typed as text: for those who cannot or do not want to use a pointer. */
function listenToTyping() {
  const form = $("move-input"), input = form.querySelector("input");
  let before = /** @type {Promise<unknown>} */ (Promise.resolve()); // who types faster than the server answers still plays one move after the other
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const move = input.value.trim();
    if (!move) return;
    input.value = "";
    before = before.then(() => makeMove(state, move)).catch((error) => { input.value = move; toast(error.message); });
  });
}

// -- the bar at the top ----------------------------------------------------------------------------------

/** @returns {import("./toolbar.js").TopGiven} */
const top = () => ({ state, rows, open: openGame, redrawn: look,
  acts: { newGame, flip, openFile, openMyGames, comparing, share, newRoom, chooseLook, rules, edit, help } });
const drawTop = () => drawToolBar(top());

/** The rules of the game, step by step. */
async function rules() {
  const { showLessons } = await import("./lessons.js");
  await showLessons(state.info);
}

/** The position set up by hand, as a new game. */
async function edit() {
  const { editPosition } = await import("./editor.js");
  await editPosition(state, openRecord);
}

async function start() {
  followBar();
  applyLook();
  const theme = store.get("theme", "");
  if (theme) document.documentElement.dataset.theme = theme;
  const [, games] = await Promise.all([loadLanguage(), get("/api/games")]);
  rows = /** @type {GameInfo[]} */ (games).sort((a, b) => a.page.rank - b.page.rank);
  drawTop();
  const { hash } = location;
  await openAddress();
  explainLink(hash);
  useBoards(openTask);
  listenToTyping();
  listenForRecords(openRecord);
  addEventListener("hashchange", openLink);
  addEventListener("popstate", () => { if (!readLink(location.hash)) openAddress(); });
  addEventListener("pagehide", () => boards.forEach(({ saver }) => saver.leave()));
  followTabs(() => boards.values());
  followTop(top);
  setInterval(tick, 200);
  listen(() => state, { flip, newGame, help, escape: () => view.escape(), board: () => view.cells.go(view.cells.at) });
  document.body.dataset.ready = "true";
  if (await startWorker().catch(() => false)) await keepShown();
}

/** What was asked for before the worker was there is asked once more, for it to keep. */
async function keepShown() {
  for (const made of boards.values()) {
    made.saver.keepCopy();
    for (const node of namedNodes(made.root).values()) {
      if (!node.board) continue;
      node.boardKey = "";
      await boardOf(made, node).catch(() => {});
    }
  }
}

start().catch((error) => toast(error.message));
