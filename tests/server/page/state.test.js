// The state: a tree of moves, steering, the request that follows from them, whose turn it is.

import assert from "node:assert/strict";
import { test } from "node:test";
import { asked, emptySteering, isSteered, makeNode, makeState, movesTo, plyOf, promote, recordOf, removeNode, requestOf, steered } from "../../../src/kibitz/server/page/state.js";
import { isOpponentsTurn } from "../../../src/kibitz/server/page/opponent.js";
import { backOff, isPassing } from "../../../src/kibitz/server/page/retry.js";

const INFO = { name: "draughts", title: "Draughts", sides: ["black", "white"], styles: [], page: { layers: [], new: [] } };

function line(root, ...moves) {
  let node = root;
  for (const move of moves) {
    const child = makeNode(move, node);
    node.children.push(child);
    node = child;
  }
  return node;
}

test("moves lead from the root to a node", () => {
  const state = makeState(INFO, { size: 8 });
  const last = line(state.root, "a", "b", "c");
  assert.deepEqual(movesTo(last), ["a", "b", "c"]);
  assert.equal(plyOf(last), 3);
  assert.deepEqual(recordOf(state, last, ["d"]), { game: "draughts", size: 8, moves: ["a", "b", "c", "d"] });
});

test("a variation is promoted and removed", () => {
  const { root } = makeState(INFO);
  line(root, "a");
  const other = line(root, "b");
  promote(other);
  assert.deepEqual(root.children.map((node) => node.move), ["b", "a"]);
  removeNode(null, other);
  assert.deepEqual(root.children.map((node) => node.move), ["a"]);
  removeNode(null, root); // the root stays
  assert.equal(root.children.length, 1);
});

test("gestures exclude each other where they must", () => {
  const one = steered(emptySteering(), "include", "d4", 50);
  assert.deepEqual(one.include, { d4: 50 });
  const avoided = steered(steered(one, "allow", "d4"), "avoid", "d4");
  assert.deepEqual(avoided, { include: {}, avoid: ["d4"], allow: [], weights: {} });
  const weighed = steered(avoided, "weights", "d4", 2);
  assert.deepEqual([weighed.avoid, weighed.weights], [["d4"], { d4: 2 }]);
  assert.deepEqual(steered(weighed, "clear", "d4"), emptySteering());
  assert.deepEqual(one, { include: { d4: 50 }, avoid: [], allow: [], weights: {} }); // what was there is not changed
});

test("allowing or avoiding twice is once", () => {
  const twice = (kind) => steered(steered(emptySteering(), kind, "d4"), kind, "d4");
  assert.deepEqual(twice("allow").allow, ["d4"]);
  assert.deepEqual(twice("avoid").avoid, ["d4"]);
});

test("a request has the steering that is there and nothing else", () => {
  const state = makeState(INFO);
  assert.equal("steering" in requestOf(state), false);
  state.node.steering = steered(emptySteering(), "avoid", "d4");
  state.style = { name: "calm", strength: 0.5 };
  assert.equal(isSteered(state.node), true);
  assert.deepEqual(asked(state.node, "d4"), { include: 0, avoid: true, allow: false, weight: 0 });
  const request = requestOf(state, { top: 3 });
  assert.deepEqual(request.steering, { avoid: ["d4"], style: { name: "calm", strength: 0.5 } });
  assert.equal(request.top, 3);
});

test("the opponent is asked once, and after a failure only when it is told to try again", () => {
  const state = makeState(INFO);
  state.node.board = { over: false, mover: "white" };
  assert.equal(isOpponentsTurn(state), false); // there is none
  state.opponent = { you: "black", thinking: false, failedAt: null };
  assert.equal(isOpponentsTurn(state), true);
  assert.equal(isOpponentsTurn({ ...state, opponent: { ...state.opponent, thinking: true } }), false);
  assert.equal(isOpponentsTurn({ ...state, opponent: { ...state.opponent, failedAt: state.node } }), false);
  assert.equal(isOpponentsTurn({ ...state, opponent: { ...state.opponent, you: "white" } }), false);
  state.node.board.over = true;
  assert.equal(isOpponentsTurn(state), false);
});

test("failures wait longer and longer", () => {
  assert.deepEqual([1, 2, 3, 4, 5, 6, 20].map(backOff), [1, 2, 4, 8, 16, 30, 30]);
  assert.equal(isPassing(new TypeError("fetch failed")), true);
  assert.deepEqual([422, 429, 503].map((status) => isPassing(Object.assign(new Error(), { status }))), [false, true, true]);
});
