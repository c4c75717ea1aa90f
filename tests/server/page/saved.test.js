// What is saved of a game: names of nodes, changes, and the state that comes back from them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { applyChange, changeOf, changeTo, documentOf, isAnalysisOnly, isWorthSaving, namedNodes, nodeId, nodeNamed, snapshot, snapshotOf } from "../../../src/kibitz/server/page/saved.js";
import { makeNode, makeState, promote, steered } from "../../../src/kibitz/server/page/state.js";

const INFO = { name: "draughts", title: "Draughts", sides: ["black", "white"], styles: [], page: { layers: [], new: [] } };

function play(parent, ...moves) {
  let node = parent;
  for (const move of moves) {
    const child = makeNode(move, node, move);
    node.children.push(child);
    node = child;
  }
  return node;
}

const REPORT = {
  best: "b", final: false, search: "tree", seconds: 1.23456789, simulations: 100, answers: [], steering: { honoured: [], refused: [] },
  root: { value: 0.123456789, proven: null, score: null, nodes: 9, visits: 100, depth: 7, ownership: [1, 2, 3] },
  moves: Array.from({ length: 9 }, (_, order) => ({ move: `m${order}`, order, visits: 1, value: 0.5, score: null, proven: null, line: Array(40).fill("x"), minVisits: 0, guaranteed: 0 })),
};

/** A game with a variation, a comment, steering, an analysis, a review. */
function full() {
  const state = makeState(INFO, { size: 8 });
  const last = play(state.root, "a", "b", "c");
  const other = play(state.root.children[0], "d");
  last.comment = "good";
  other.steering = steered(other.steering, "include", "e", 50);
  last.parent.report = REPORT;
  last.review = { label: "best", value: 0.5, loss: 0.25, best: "c", line: ["c"], depth: 9 };
  promote(other);
  Object.assign(state, { title: "mine", headers: { Black: "Ann" }, node: last, result: { value: 1, ending: "rules" }, opponent: { you: "black", level: "casual", thinking: true } });
  return state;
}

test("the same moves have the same name", () => {
  assert.equal(nodeId("", "e2e4"), nodeId("", "e2e4"));
  assert.match(nodeId("", "e2e4"), /^[0-9a-f]{16}$/);
  assert.notEqual(nodeId("", "e2e4"), nodeId(nodeId("", "e2e4"), "e2e4"));
  assert.equal(nodeId("", "e2e4"), "f99a1d322b0e8e25");
});

test("a state comes back from its document", () => {
  const state = full();
  const document = documentOf(snapshot(state));
  const again = makeState(INFO);
  applyChange(again, changeTo(document));
  again.node = nodeNamed(again, document.at);
  assert.deepEqual(snapshot(again), snapshot(state));
  assert.deepEqual(again.root.children[0].children.map(({ move }) => move), ["d", "b"]);
  assert.equal(again.node.move, "c");
  assert.equal(again.node.loss, 0.25);
  const { report } = again.node.parent;
  assert.equal(report.moves.length, 5);
  assert.equal(report.moves[0].line.length, 12);
  assert.equal(report.root.depth, 7);
  assert.equal("ownership" in report.root, false);
  assert.equal(changeOf(snapshotOf(document), snapshot(again)), null);
});

test("a change has what changed and nothing else", () => {
  const state = full();
  const before = snapshot(state);
  assert.equal(changeOf(before, before), null);
  const b = state.root.children[0].children[1];
  b.comment = "why";
  b.children[0].comment = "";
  const made = play(b.children[0], "z");
  const change = changeOf(before, snapshot(state));
  const [nameB, nameC] = [nodeId(nodeId("", "a"), "b"), nodeId(nodeId(nodeId("", "a"), "b"), "c")];
  assert.deepEqual(change, {
    set: {}, removed: [],
    nodes: [{ id: nameB, comment: "why" }, { id: nameC, comment: null }, { id: nodeId(nameC, "z"), parent: nameC, move: "z" }],
  });
  made.parent.children.pop();
  b.comment = "";
  b.children[0].comment = "good";
  assert.equal(changeOf(before, snapshot(state)), null);
  b.parent.children.pop();
  assert.deepEqual(changeOf(before, snapshot(state)).removed.sort(), [nameB, nameC].sort());
});

test("looking is no reason to save, and an analysis can wait", () => {
  const state = makeState(INFO);
  const fresh = snapshot(state);
  state.below = "white";
  state.node.report = REPORT;
  const looked = changeOf(fresh, snapshot(state));
  assert.equal(isWorthSaving(looked), false);
  assert.equal(isWorthSaving(null), false);
  state.below = "";
  assert.equal(isAnalysisOnly(changeOf(fresh, snapshot(state))), true);
  state.node.comment = "x";
  assert.equal(isWorthSaving(changeOf(fresh, snapshot(state))), true);
  assert.equal(isAnalysisOnly(changeOf(fresh, snapshot(state))), false);
  state.node.comment = "";
  play(state.root, "a");
  assert.equal(isWorthSaving(changeOf(fresh, snapshot(state))), true);
});

test("what another tab has done joins what was done here", () => {
  const state = full();
  const document = documentOf(snapshot(state));
  const here = state.node;
  const added = { id: nodeId("", "q"), parent: "", move: "q", comment: "theirs" };
  const at = applyChange(state, { set: { title: "theirs" }, nodes: [...document.nodes, added], removed: [] });
  assert.equal(at, here);
  assert.equal(state.title, "theirs");
  assert.deepEqual([...namedNodes(state.root).values()].map(({ move }) => move), ["", "a", "d", "b", "c", "q"]);
  // The line that we stand in is removed: we stand where it began.
  const back = applyChange(state, { set: {}, nodes: [], removed: [nodeId(nodeId("", "a"), "b")] });
  assert.equal(back.move, "a");
});
