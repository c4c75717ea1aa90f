// One state object: a game as a tree of moves, where we are in it, what is asked and what was found.

import { post, analyses } from "./api.js";
import { language } from "./i18n.js";

let nextId = 1;

export function makeNode(move = "", parent = null, name = "") {
  return {
    id: nextId++, move, name, parent, children: [], comment: "", steering: emptySteering(),
    board: null, boardKey: "", report: null, lines: {},
  };
}

export const emptySteering = () => ({ include: {}, avoid: [], allow: [], weights: {} });
export const isSteered = (node) =>
  Object.keys(node.steering.include).length + node.steering.avoid.length + node.steering.allow.length +
  Object.keys(node.steering.weights).length > 0;

export function makeState(game, start = {}) {
  const root = makeNode();
  return {
    game, start, root, node: root, below: "", seat: "", error: "",
    selected: "", preview: null, running: false,
    style: { name: "", strength: 0 }, ownership: false, listeners: new Set(),
  };
}

export const changed = (state) => state.listeners.forEach((listener) => listener());

/** The moves from the root to a node. */
export function movesTo(node) {
  const moves = [];
  for (; node.parent; node = node.parent) moves.unshift(node.move);
  return moves;
}

export const plyOf = (node) => { let ply = 0; for (; node.parent; node = node.parent) ply++; return ply; };

export const recordOf = (state, node = state.node, more = []) =>
  ({ game: state.game, ...state.start, moves: [...movesTo(node), ...more] });

const viewKey = (state) => `${state.below}|${state.seat}|${language}`;

const query = (state, record) => ({
  record, below: state.below, seat: state.seat, names: language === "en" ? "english" : "chinese",
});

/** The board of a node; asked once for each way of looking at it. */
export async function boardOf(state, node) {
  const key = viewKey(state);
  if (node.board && node.boardKey === key) return node.board;
  const board = await post("/api/position", query(state, recordOf(state, node)));
  Object.assign(node, { board, boardKey: key });
  return board;
}

export const boardAfter = (state, line) => post("/api/position", query(state, recordOf(state, state.node, line)));

export async function goTo(state, node) {
  const board = await boardOf(state, node);
  state.node = node;
  state.selected = "";
  state.preview = null;
  if (board.over || !board.legalMoves.length) stopAnalysis(state, true);
  else if (state.running) startAnalysis(state);
  changed(state);
}

/** Plays a move: goes to the child that has it, or makes one. */
export async function play(state, move) {
  const node = state.node;
  const known = node.children.find((child) => child.move === move);
  if (known) return goTo(state, known);
  const child = makeNode(move, node);
  const board = await boardOf(state, child); // an illegal move ends here
  child.move = board.record.moves ? board.record.moves.at(-1) : move;
  child.name = board.line.at(-1) || move;
  const same = node.children.find((one) => one.move === child.move);
  if (!same) node.children.push(child);
  return goTo(state, same || child);
}

/** A move of the user's, as the board has it or as it was typed: played, or a try while something is to be found. */
export function makeMove(state, move) {
  if (!state.guess) return play(state, move);
  const { legalMoves, moveNames } = state.node.board;
  const known = legalMoves.includes(move) ? move : Object.keys(moveNames).find((one) => moveNames[one] === move);
  return state.guess(known || move);
}

export function removeNode(state, node) {
  if (!node.parent) return;
  const siblings = node.parent.children;
  siblings.splice(siblings.indexOf(node), 1);
}

/** Takes the last move back; a line that begins here goes with it. */
export async function undo(state) {
  const node = state.node;
  if (!node.parent) return;
  removeNode(state, node);
  await goTo(state, node.parent);
}

export function promote(node) {
  const siblings = node.parent.children;
  siblings.splice(siblings.indexOf(node), 1);
  siblings.unshift(node);
}

// -- analysis ---------------------------------------------------------------------------------------

export function requestOf(state, more = {}) {
  const { steering } = state.node;
  const asked = {};
  for (const [name, value] of Object.entries(steering)) {
    if (Array.isArray(value) ? value.length : Object.keys(value).length) asked[name] = value;
  }
  if (state.style.strength > 0) asked.style = { ...state.style };
  const request = { position: recordOf(state), lineLength: 16, top: 24, ...more };
  if (Object.keys(asked).length) request.steering = asked;
  return request;
}

export function startAnalysis(state) {
  const { node } = state;
  if (node.board && (node.board.over || !node.board.legalMoves.length)) return;
  state.running = true;
  const options = state.ownership && state.game === "go" ? { options: { ownership: true } } : {};
  analyses.start("study", requestOf(state, { budget: { seconds: 300 }, ...options }), (message) => {
    if (message.type === "report") Object.assign(node, { report: message.report, lines: message.lines });
    if (message.type === "error") state.error = message.error;
    if (message.type !== "report" && state.node === node) state.running = message.type === "lost";
    if (message.type === "lost") setTimeout(() => state.running && startAnalysis(state), 1000);
    changed(state);
  }).catch((error) => { state.running = false; state.error = error.message; changed(state); });
  state.error = "";
}

export function stopAnalysis(state, waiting = false) {
  analyses.stop("study");
  if (!waiting) state.running = false;
  changed(state);
}

export function toggleAnalysis(state) {
  if (state.running) stopAnalysis(state);
  else startAnalysis(state);
  changed(state);
}

// -- steering ---------------------------------------------------------------------------------------

const without = (list, move) => list.filter((one) => one !== move);

/** One gesture: `include` with minimum visits, `avoid`, `allow`, `weights` with a factor, or `clear`. */
export function steer(state, kind, move, amount = 0) {
  const { steering } = state.node;
  if (kind === "clear" || kind === "avoid") delete steering.include[move];
  if (kind === "clear" || kind === "include" || kind === "allow") steering.avoid = without(steering.avoid, move);
  if (kind === "clear" || kind === "avoid") steering.allow = without(steering.allow, move);
  if (kind === "clear") delete steering.weights[move];
  if (kind === "include") steering.include[move] = amount;
  if (kind === "avoid") steering.avoid.push(move);
  if (kind === "allow" && !steering.allow.includes(move)) steering.allow.push(move);
  if (kind === "weights") steering.weights[move] = amount;
  startAnalysis(state);
  changed(state);
}

export function clearSteering(state) {
  state.node.steering = emptySteering();
  if (state.running) startAnalysis(state);
  changed(state);
}

/** What is asked of a move, as the board and the list mark it. */
export function asked(node, move) {
  const { include, avoid, allow, weights } = node.steering;
  return {
    include: include[move] || 0, avoid: avoid.includes(move), allow: allow.includes(move), weight: weights[move] || 0,
  };
}
