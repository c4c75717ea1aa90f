// Clocks against the engine.

import assert from "node:assert/strict";
import { test } from "node:test";
import { clockText, followClock, leftOf, newClock } from "../../../src/kibitz/server/page/clock.js";
import { makeNode, makeState } from "../../../src/kibitz/server/page/state.js";

const INFO = { name: "draughts", title: "Draughts", sides: ["black", "white"], styles: [], page: { layers: [], new: [] } };
const board = (mover) => ({ over: false, mover, sides: ["black", "white"] });

function game() {
  const state = makeState(INFO);
  state.node.board = board("black");
  state.opponent = { you: "black", level: "casual" };
  state.clock = newClock("180+2", INFO.sides);
  return state;
}

function play(state, move, mover) {
  const node = makeNode(move, state.node);
  state.node.children.push(node);
  node.board = board(mover);
  state.node = node;
}

test("a move is charged to who made it, and the increment is added", () => {
  const state = game();
  followClock(state, 1000);
  assert.equal(leftOf(state, "black", 6000), 175);
  assert.equal(leftOf(state, "white", 6000), 180);
  play(state, "a", "white");
  followClock(state, 11000);
  assert.deepEqual(state.clock.left, { black: 172, white: 180 });
  assert.equal(state.node.seconds, 10);
  followClock(state, 12000); // nothing has changed
  play(state, "b", "black");
  followClock(state, 14000);
  assert.deepEqual(state.clock.left, { black: 172, white: 179 });
});

test("no clock runs where nobody is to move: in the past, after the end, without an opponent", () => {
  const state = game();
  followClock(state, 0);
  play(state, "a", "white");
  followClock(state, 1000);
  state.node = state.root;
  followClock(state, 2000);
  assert.equal(state.turn, null);
  state.node = state.root.children[0];
  followClock(state, 50000); // it goes on from here
  assert.equal(leftOf(state, "white", 51000), 179);
  state.node.board.over = true;
  followClock(state, 60000);
  assert.equal(state.turn, null);
  assert.equal(newClock("", INFO.sides), null);
});

test("a clock shows tenths at the end", () => {
  assert.deepEqual([300, 61.2, 10, 9.94, 0].map(clockText), ["5:00", "1:02", "0:10", "9.9", "0.0"]);
});
