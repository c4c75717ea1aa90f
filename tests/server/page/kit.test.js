// The drawing kit: which places a move names, and what a candidate looks like.

import assert from "node:assert/strict";
import { test } from "node:test";
import { step } from "../../../src/kibitz/server/page/kit/charts.js";
import { candidates, lossClass, lossOf, short } from "../../../src/kibitz/server/page/kit/overlay.js";
import { endsOf, hasOrigin, restOf } from "../../../src/kibitz/server/page/kit/svg.js";

const POINTS = { move: "^(.+)$" }, SQUARES = { move: "^([a-h][1-8])([a-h][1-8])" };

test("moves name one place or two", () => {
  assert.deepEqual(endsOf(POINTS, "Q16"), ["Q16"]);
  assert.deepEqual(endsOf(SQUARES, "e7e8q"), ["e7", "e8"]);
  assert.deepEqual(endsOf(SQUARES, "resign:E"), []);
  assert.equal(restOf(SQUARES, "e7e8q"), "q");
  assert.deepEqual([POINTS, SQUARES].map(hasOrigin), [false, true]);
});

test("a loss is of winrate, or of discs where both are solved alike", () => {
  const best = { value: 0.6, proven: null, score: null };
  assert.equal(lossOf(best, { value: 0.5, proven: null, score: null }).toFixed(3), "0.100");
  assert.equal(lossOf({ value: 1, proven: "win", score: 10 }, { value: 1, proven: "win", score: 6 }), 0.1);
  assert.equal(lossOf({ value: 1, proven: "win", score: 10 }, { value: 0, proven: "loss", score: -6 }), 1);
  assert.deepEqual([0, 0.02, 0.05, 0.1, 0.9].map(lossClass), ["loss-0", "loss-1", "loss-2", "loss-3", "loss-4"]);
});

test("candidates are those that were asked about or got attention", () => {
  const move = (order, visits, more = {}) => ({ order, visits, minVisits: 0, proven: null, ...more });
  const moves = [move(0, 1000), move(1, 500), move(2, 5), move(3, 5, { minVisits: 1 }), move(4, 0, { proven: "loss" }), move(9, 900)];
  assert.deepEqual(candidates({ moves }, 5).map((info) => info.order), [0, 1, 3, 4]);
  assert.deepEqual(candidates({ moves: [] }, 5), []);
});

test("numbers are short, and axes have round steps", () => {
  assert.deepEqual([7, 1234, 2_500_000].map(short), ["7", "1.23k", "2.50M"]);
  assert.deepEqual([4, 10, 100, 0.3].map((span) => Number(step(span).toPrecision(3))), [1, 5, 50, 0.1]);
});
