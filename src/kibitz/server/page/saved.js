// The document of a saved game (docs/saved-games.md): what of the state is saved, what has changed, and back again.

import { emptySteering, isSteered, makeNode } from "./state.js";

/** Moves of an analysis that are saved, and moves of their lines. */
const [MOVES, LINE] = [5, 12];
const FIELDS = ["title", "start", "headers", "at", "below", "style", "opponent", "clock", "result", "review"];
/** Fields that are no reason to begin saving a board. */
const LOOKS = ["at", "below", "style", "clock"];

/** The name of a node: the same moves have the same name in every tab.
 *  @param {string} parent
 *  @param {string} move */
export function nodeId(parent, move) {
  return ["1", "2"].map((prefix) => {
    let value = 0x811c9dc5;
    for (const letter of `${prefix}${parent} ${move}`) value = Math.imul(value ^ letter.codePointAt(0), 0x01000193);
    return (value >>> 0).toString(16).padStart(8, "0");
  }).join("");
}

/** All nodes with their names, parents first, siblings in their order.
 *  @param {GameNode} root
 *  @returns {Map<string, GameNode>} */
export function namedNodes(root) {
  const found = new Map();
  /** @type {[GameNode, string][]} */
  const waiting = [[root, ""]];
  while (waiting.length) {
    const [node, name] = waiting.pop();
    found.set(name, node);
    for (const child of node.children.slice().reverse()) waiting.push([child, nodeId(name, child.move)]);
  }
  return found;
}

/** @param {number | null | undefined} value */
const rounded = (value) => (typeof value === "number" ? Number(value.toPrecision(5)) : value);

/** What is saved of a report: enough to show the analysis again.
 *  @param {Report} report
 *  @param {Record<string, string[]>} lines */
function cut(report, lines) {
  const { ownership, ...root } = report.root;
  const moves = report.moves.slice(0, MOVES).map(({ move, order, visits, value, score, proven, line, minVisits, guaranteed }) =>
    ({ move, order, visits, value: rounded(value), score: rounded(score), proven, line: line.slice(0, LINE), minVisits, guaranteed }));
  return {
    best: report.best, final: true, search: report.search, seconds: rounded(report.seconds), simulations: report.simulations,
    root: { ...root, value: rounded(root.value), score: rounded(root.score) }, moves,
    lines: Object.fromEntries(moves.filter(({ move }) => lines[move]).map(({ move }) => [move, lines[move].slice(0, LINE)])),
  };
}

/** Cutting is done once for each report.
 *  @type {WeakMap<Report, any>} */
const cuts = new WeakMap();

/** @param {GameNode} node */
function analysisOf({ report, lines }) {
  if (!report) return null;
  if (!cuts.has(report)) cuts.set(report, cut(report, lines));
  return cuts.get(report);
}

/** @param {GameNode} node
 *  @param {string} name
 *  @param {string | null} parent
 *  @returns {Record<string, any>} */
const plain = (node, name, parent) => ({
  id: name, ...(parent === null ? {} : { parent, move: node.move }),
  name: parent === null || node.name === node.move ? null : node.name || null,
  order: node.order || null, comment: node.comment || null, nags: node.nags?.length ? node.nags : null, marks: node.marks?.length ? node.marks : null,
  steering: isSteered(node) ? node.steering : null, seconds: node.seconds ?? null, analysis: analysisOf(node), review: node.review ?? null,
});

/** @param {State} state
 *  @returns {Record<string, any>} */
function fieldsOf(state) {
  const { opponent, style } = state;
  return {
    title: state.title || null, start: state.start, headers: Object.keys(state.headers || {}).length ? state.headers : null,
    below: state.below || null, style: style.strength > 0 ? style : null,
    opponent: opponent ? { you: opponent.you, level: opponent.level } : null,
    clock: state.clock ?? null, result: state.result ?? null, review: state.reviewed ?? null,
  };
}

/** A state as what is saved of it: JSON by field, of the game and of each node. Two of them are compared by `changeOf`.
 *  @param {State} state
 *  @returns {Snapshot} */
export function snapshot(state) {
  const nodes = new Map();
  /** @type {Map<GameNode, string>} */
  const names = new Map();
  for (const [name, node] of namedNodes(state.root)) {
    names.set(node, name);
    nodes.set(name, texts(plain(node, name, node.parent ? names.get(node.parent) : null)));
  }
  return { fields: texts({ ...fieldsOf(state), at: names.get(state.node) ?? "" }), nodes };
}

/** @param {Record<string, any>} table
 *  @returns {Record<string, string>} */
const texts = (table) => Object.fromEntries(Object.entries(table).filter(([, value]) => value !== null).map(([name, value]) => [name, JSON.stringify(value)]));

/** Nothing saved yet.
 *  @returns {Snapshot} */
export const emptySnapshot = () => ({ fields: {}, nodes: new Map([["", { id: '""' }]]) });

/** Fields that differ; one that is gone is null.
 *  @param {Record<string, string>} before
 *  @param {Record<string, string>} now */
function differences(before, now) {
  const changed = /** @type {Record<string, any>} */ ({});
  for (const [name, text] of Object.entries(now)) if (before[name] !== text) changed[name] = JSON.parse(text);
  for (const name of Object.keys(before)) if (!(name in now)) changed[name] = null;
  return changed;
}

/** What has to be sent so that `before` becomes `now`; null when nothing has changed.
 *  @param {Snapshot} before
 *  @param {Snapshot} now
 *  @returns {GameChange | null} */
export function changeOf(before, now) {
  const set = differences(before.fields, now.fields);
  const nodes = [];
  for (const [id, fields] of now.nodes) {
    const changed = differences(before.nodes.get(id) || {}, fields);
    if (Object.keys(changed).length) nodes.push({ ...changed, id });
  }
  const removed = [...before.nodes.keys()].filter((id) => !now.nodes.has(id));
  return Object.keys(set).length || nodes.length || removed.length ? { set, nodes, removed } : null;
}

/** Whether a change is worth making a game of: a move, a comment, steering; not a look at the board.
 *  @param {GameChange | null} change */
export const isWorthSaving = (change) => Boolean(change) && (change.removed.length > 0
  || Object.keys(change.set).some((name) => !LOOKS.includes(name))
  || change.nodes.some((node) => Object.keys(node).some((name) => name !== "id" && name !== "analysis")));

/** Whether nothing but an analysis has gone on.
 *  @param {GameChange} change */
export const isAnalysisOnly = ({ set, nodes, removed }) => !removed.length && !Object.keys(set).length
  && nodes.every((node) => Object.keys(node).every((name) => name === "id" || name === "analysis"));

/** The change that makes a document out of nothing.
 *  @param {any} document
 *  @returns {GameChange} */
export const changeTo = (document) => ({
  set: Object.fromEntries(FIELDS.filter((name) => name in document).map((name) => [name, document[name]])),
  nodes: document.nodes.map((/** @type {any} */ { v, ...node }) => node), removed: [],
});

/** A document as it was saved, to be compared with.
 *  @param {any} document
 *  @returns {Snapshot} */
export function snapshotOf(document) {
  const { set, nodes } = changeTo(document);
  return { fields: texts(set), nodes: new Map(nodes.map((node) => [node.id, texts(node)])) };
}

/** What was saved as the server sends it: the opposite of `snapshotOf`.
 *  @param {Snapshot} snapshot */
export const documentOf = ({ fields, nodes }) => ({ ...values(fields), nodes: [...nodes.values()].map(values) });

/** @param {Record<string, string>} table
 *  @returns {Record<string, any>} */
const values = (table) => Object.fromEntries(Object.entries(table).map(([name, text]) => [name, JSON.parse(text)]));

// -- back into the state ------------------------------------------------------------------------------

/** @param {GameNode} node
 *  @param {any} saved */
function setFields(node, saved) {
  if ("name" in saved) node.name = saved.name || node.move;
  if ("order" in saved) node.order = saved.order || 0;
  if ("comment" in saved) node.comment = saved.comment || "";
  if ("nags" in saved) node.nags = saved.nags || [];
  if ("marks" in saved) node.marks = saved.marks;
  if ("seconds" in saved) node.seconds = saved.seconds ?? undefined;
  if ("steering" in saved) node.steering = { ...emptySteering(), ...saved.steering };
  if ("review" in saved) { node.review = saved.review; node.loss = saved.review?.loss; }
  if ("analysis" in saved) {
    const { lines, ...report } = saved.analysis || {};
    const found = saved.analysis ? { answers: [], steering: { honoured: [], refused: [] }, ...report } : null;
    if (found) cuts.set(found, saved.analysis);
    Object.assign(node, { report: found, lines: lines || {} });
  }
}

/** @param {State} state
 *  @param {Record<string, any>} set */
function setGame(state, set) {
  if ("title" in set) state.title = set.title || "";
  if ("start" in set) state.start = set.start || {};
  if ("headers" in set) state.headers = set.headers || {};
  if ("below" in set) state.below = set.below || "";
  if (set.style) state.style = set.style;
  if ("clock" in set) state.clock = set.clock;
  if ("result" in set) state.result = set.result;
  if ("review" in set) state.reviewed = set.review;
  if ("opponent" in set) {
    state.opponent = set.opponent ? { ...set.opponent, thinking: false, hint: "", failures: 0, failedAt: null, retry: 0 } : null;
    state.showCandidates = !set.opponent;
  }
}

/** Brings a change into the state: of this browser, kept while the server was away, or of another tab. Where we are
 *  is left alone unless that is gone.
 *  @param {State} state
 *  @param {GameChange} change
 *  @returns {GameNode} where we are then */
export function applyChange(state, { set, nodes, removed }) {
  setGame(state, set);
  const known = namedNodes(state.root);
  for (const saved of nodes) {
    if (!known.has(saved.id)) {
      const parent = known.get(saved.parent);
      if (!parent) continue;
      const made = makeNode(saved.move, parent, saved.move);
      parent.children.push(made);
      known.set(saved.id, made);
    }
    setFields(known.get(saved.id), saved);
  }
  for (const node of known.values()) node.children.sort((one, other) => (one.order || 0) - (other.order || 0));
  for (const id of removed) {
    const node = known.get(id);
    if (!node?.parent) continue;
    node.parent.children = node.parent.children.filter((one) => one !== node);
  }
  let here = /** @type {GameNode} */ (state.node);
  for (let node = here; node.parent; node = node.parent) if (!node.parent.children.includes(node)) here = node.parent;
  return here;
}

/** The tree as rows, each after its parent, as records have them; values are the first side's.
 *  @param {State} state */
export function rowsOf(state) {
  /** @type {Map<GameNode, number>} */
  const numbers = new Map();
  return [...namedNodes(state.root).values()].map((node, number) => {
    numbers.set(node, number);
    const { report, review } = node;
    const first = node.board ? node.board.toMove === 0 : null;
    const value = review?.value ?? (report && first !== null ? (first ? report.root.value : 1 - report.root.value) : null);
    const lead = report?.root.lead ?? report?.root.score ?? null;
    return {
      parent: node.parent ? numbers.get(node.parent) : -1, move: node.move, name: node.name, comment: node.comment, nags: node.nags || [],
      value, lead: lead === null || first === null ? null : first ? lead : -lead, marks: (node.marks || []).map(({ from, to, colour }) => [from, to, colour]),
    };
  });
}

/** The node of that name; the root where there is none.
 *  @param {State} state
 *  @param {string} name */
export const nodeNamed = (state, name) => namedNodes(state.root).get(name) || state.root;
