// One state object: a game as a tree of moves, where we are in it, what is asked and what was found.

import { post, analyses } from "./api.js";
import { store } from "./dom.js";
import { errorText, language } from "./i18n.js";
import { look } from "./look.js";
import { backOff } from "./retry.js";

let nextId = 1;

/** @param {string} [move]
 *  @param {GameNode} [parent]
 *  @param {string} [name]
 *  @returns {GameNode} */
export function makeNode(move = "", parent = null, name = "") {
  return {
    id: nextId++, move, name, parent, children: [], comment: "", steering: emptySteering(),
    board: null, boardKey: "", report: null, lines: {},
  };
}

/** @returns {Steering} */
export const emptySteering = () => ({ include: {}, avoid: [], allow: [], weights: {} });
/** @param {GameNode} node */
export const isSteered = (node) =>
  Object.keys(node.steering.include).length + node.steering.avoid.length + node.steering.allow.length +
  Object.keys(node.steering.weights).length > 0;

/** `info` is the game as the server lists it; `info.page` says how it is shown and played.
 *  @param {GameInfo} info
 *  @param {Record<string, any>} [start]
 *  @returns {State} */
export function makeState(info, start = {}) {
  const root = makeNode();
  return {
    game: info.name, info, start, root, node: root, below: "", seat: "", error: "",
    selected: "", preview: null, running: false,
    style: { name: "", strength: 0 }, layers: new Set(), failures: 0, retry: 0, listeners: new Set(),
  };
}

/** @param {State} state */
export const changed = (state) => state.listeners.forEach((listener) => listener());

/** The moves from the root to a node.
 *  @param {GameNode} node */
export function movesTo(node) {
  const moves = [];
  for (; node.parent; node = node.parent) moves.unshift(node.move);
  return moves;
}

/** @param {GameNode} node */
export const plyOf = (node) => { let ply = 0; for (; node.parent; node = node.parent) ply++; return ply; };

/** @param {State} state
 *  @param {GameNode} [node]
 *  @param {string[]} [more]
 *  @returns {GameRecord} */
export const recordOf = (state, node = state.node, more = []) =>
  ({ game: state.game, ...state.start, moves: [...movesTo(node), ...more] });

/** @param {State} state */
const viewKey = (state) => `${state.below}|${state.seat}|${language}|${look.pieces(state.info)}`;

/** @param {State} state
 *  @param {GameRecord} record */
const query = (state, record) => ({
  record, below: state.below, seat: state.seat, names: look.names(), pieces: look.pieces(state.info),
});

/** The board of a node; asked once for each way of looking at it.
 *  @param {State} state
 *  @param {GameNode} node */
export async function boardOf(state, node) {
  const key = viewKey(state);
  if (node.board && node.boardKey === key) return node.board;
  const board = await post("/api/position", query(state, recordOf(state, node)));
  Object.assign(node, { board, boardKey: key });
  return board;
}

/** @param {State} state
 *  @param {string[]} line
 *  @param {GameNode} [node] */
export const boardAfter = (state, line, node = state.node) => post("/api/position", query(state, recordOf(state, node, line)));

/** @param {State} state
 *  @param {GameNode} node */
export async function goTo(state, node) {
  const board = await boardOf(state, node);
  state.node = node;
  state.selected = "";
  state.preview = null;
  if (board.over || !board.legalMoves.length) stopAnalysis(state, true);
  else if (state.running) startAnalysis(state);
  changed(state);
}

/** Plays a move: goes to the child that has it, or makes one.
 *  @param {State} state
 *  @param {string} move */
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

/** A move of the user's, as the board has it or as it was typed: played, or a try while something is to be found.
 *  @param {State} state
 *  @param {string} move */
export function makeMove(state, move) {
  if (!state.guess) return play(state, move);
  const { legalMoves, moveNames } = state.node.board;
  const known = legalMoves.includes(move) ? move : Object.keys(moveNames).find((one) => moveNames[one] === move);
  return state.guess(known || move);
}

/** @param {State} state
 *  @param {GameNode} node */
export function removeNode(state, node) {
  if (!node.parent) return;
  const siblings = node.parent.children;
  siblings.splice(siblings.indexOf(node), 1);
}

/** Takes the last move back; a line that begins here goes with it.
 *  @param {State} state */
export async function undo(state) {
  const node = state.node;
  if (!node.parent) return;
  removeNode(state, node);
  await goTo(state, node.parent);
}

/** @param {GameNode} node */
export function isMainLine(node) {
  for (; node.parent; node = node.parent) if (node.parent.children[0] !== node) return false;
  return true;
}

/** @param {GameNode} node */
export function promote(node) {
  const siblings = node.parent.children;
  node.order = Math.min(...siblings.map((one) => one.order || 0)) - 1;
  siblings.splice(siblings.indexOf(node), 1);
  siblings.unshift(node);
}

// -- analysis ---------------------------------------------------------------------------------------

/** @param {State} state
 *  @param {Record<string, any>} [more] */
export function requestOf(state, more = {}) {
  const { steering } = state.node;
  const asked = /** @type {Record<string, any>} */ ({});
  for (const [name, value] of Object.entries(steering)) {
    if (Array.isArray(value) ? value.length : Object.keys(value).length) asked[name] = value;
  }
  if (state.style.strength > 0) asked.style = { ...state.style };
  const request = /** @type {Record<string, any>} */ ({ position: recordOf(state), lineLength: 16, top: 24, ...more });
  if (Object.keys(asked).length) request.steering = asked;
  return request;
}

/** @param {State} state */
export function startAnalysis(state) {
  const { node } = state;
  if (node.board && (node.board.over || !node.board.legalMoves.length)) return;
  state.running = true;
  const options = Object.assign({}, ...state.info.page.layers.filter((layer) => state.layers.has(layer.kind)).map((layer) => layer.options));
  analyses.start("study", requestOf(state, { budget: { seconds: 300 }, options }), (message) => {
    if (message.type === "report") Object.assign(node, { report: message.report, lines: message.lines, why: message.why || [] });
    if (message.type === "report") state.failures = 0;
    if (message.type === "error") state.error = errorText(message);
    if (message.type !== "report" && state.node === node) state.running = message.type === "lost";
    if (message.type === "lost") analyzeLater(state);
    changed(state);
  }).catch((error) => { state.running = false; state.error = error.message; changed(state); });
  state.error = "";
}

/** Goes on once the server is back: one timer, however often the connection is lost.
 *  @param {State} state */
function analyzeLater(state) {
  clearTimeout(state.retry);
  state.failures++;
  state.retry = setTimeout(() => state.running && startAnalysis(state), 1000 * backOff(state.failures));
}

/** @param {State} state
 *  @param {boolean} [waiting] */
export function stopAnalysis(state, waiting = false) {
  analyses.stop("study");
  if (!waiting) state.running = false;
  changed(state);
}

/** @param {State} state */
export function toggleAnalysis(state) {
  if (state.running) stopAnalysis(state);
  else { state.showCandidates = true; startAnalysis(state); } // who asks for them sees them, in a game as well
  changed(state);
}

// -- steering ---------------------------------------------------------------------------------------

/** Visits that a move is guaranteed, unless another number is given. */
export const minVisits = () => store.get("minVisits", 100);

/** @param {string[]} list
 *  @param {string} move */
const without = (list, move) => list.filter((one) => one !== move);

/** Steering after one gesture: `include` with minimum visits, `avoid`, `allow`, `weights` with a factor, or `clear`.
 *  @param {Steering} steering
 *  @param {string} kind
 *  @param {string} move
 *  @param {number} [amount]
 *  @returns {Steering} */
export function steered(steering, kind, move, amount = 0) {
  const include = { ...steering.include }, weights = { ...steering.weights };
  let { avoid, allow } = steering;
  if (kind === "clear" || kind === "avoid") { delete include[move]; allow = without(allow, move); }
  if (kind !== "weights") avoid = without(avoid, move);
  if (kind === "clear") delete weights[move];
  if (kind === "include") include[move] = amount;
  if (kind === "avoid") avoid = [...avoid, move];
  if (kind === "allow") allow = [...without(allow, move), move];
  if (kind === "weights") weights[move] = amount;
  return { include, avoid, allow, weights };
}

/** @param {State} state
 *  @param {string} kind
 *  @param {string} move
 *  @param {number} [amount] */
export function steer(state, kind, move, amount = 0) {
  state.node.steering = steered(state.node.steering, kind, move, amount);
  startAnalysis(state);
  changed(state);
}

/** @param {State} state */
export function clearSteering(state) {
  state.node.steering = emptySteering();
  if (state.running) startAnalysis(state);
  changed(state);
}

/** What is asked of a move, as the board and the list mark it.
 *  @param {GameNode} node
 *  @param {string} move */
export function asked(node, move) {
  const { include, avoid, allow, weights } = node.steering;
  return {
    include: include[move] || 0, avoid: avoid.includes(move), allow: allow.includes(move), weight: weights[move] || 0,
  };
}
