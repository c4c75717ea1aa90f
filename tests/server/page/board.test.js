// The board kit: what has moved, marks of one's own, the keyboard's grid, the part that is shown, values.

import assert from "node:assert/strict";
import { test } from "node:test";
import { nextPlace, rowsOf } from "../../../src/kibitz/server/page/kit/cells.js";
import { colourOf, toggled } from "../../../src/kibitz/server/page/kit/marks.js";
import { numberPlace } from "../../../src/kibitz/server/page/kit/overlay.js";
import { changesOf } from "../../../src/kibitz/server/page/kit/pieces.js";
import { soundOf } from "../../../src/kibitz/server/page/kit/sound.js";
import { clamped, seatWindow, whole, zoomed } from "../../../src/kibitz/server/page/kit/zoom.js";
import { mateIn, valueText } from "../../../src/kibitz/server/page/values.js";

/** A board of squares a1 to c3, a1 at the bottom left. */
const PLACES = { width: 30, height: 30, cell: 10, move: "", at: Object.fromEntries([..."abc"].flatMap((file, x) => [1, 2, 3].map((rank) => [`${file}${rank}`, [5 + 10 * x, 35 - 10 * rank]]))) };
const piece = (place, kind, side = "white", number = undefined) => ({ place, kind, side, number });
const named = ({ moved, born, gone, turned }) => ({ moved: moved.map(([a, b]) => a.place + b.place), born: born.map((one) => one.place), gone: gone.map((one) => one.place), turned: turned.map((one) => one.place) });

test("a piece that left one place and came to another has moved, what stood there is gone", () => {
  const before = [piece("a1", "R"), piece("c1", "R"), piece("a3", "p", "black")];
  const now = [piece("a3", "R"), piece("c1", "R")];
  assert.deepEqual(named(changesOf(before, now, PLACES, true)), { moved: ["a1a3"], born: [], gone: ["a3"], turned: [] });
});

test("a piece that became another has moved too, and numbers tell equal pieces apart", () => {
  assert.deepEqual(named(changesOf([piece("b2", "P")], [piece("b3", "Q")], PLACES, true)).moved, ["b2b3"]);
  const before = [piece("a1", "?", "E", "1"), piece("b1", "?", "E", "2")];
  const now = [piece("b1", "?", "E", "1"), piece("c1", "?", "E", "2")];
  assert.deepEqual(named(changesOf(before, now, PLACES, true)).moved.sort(), ["a1b1", "b1c1"]);
});

test("where pieces are put, they are born, turned or taken", () => {
  const before = [piece("a1", "X", "black"), piece("b1", "O")];
  const now = [piece("a1", "X", "black"), piece("b1", "X", "black"), piece("c1", "X", "black")];
  assert.deepEqual(named(changesOf(before, now, PLACES, false)), { moved: [], born: ["c1"], gone: [], turned: ["b1"] });
  assert.deepEqual(named(changesOf(now, [now[0]], PLACES, false)).gone, ["b1", "c1"]);
});

test("the same mark again takes it away, another colour takes its place", () => {
  const arrow = { from: "a1", to: "c3", colour: 0 };
  assert.deepEqual(toggled([], arrow), [arrow]);
  assert.deepEqual(toggled([arrow], { ...arrow }), []);
  assert.deepEqual(toggled([arrow], { ...arrow, colour: 2 }), [{ ...arrow, colour: 2 }]);
  assert.deepEqual([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1]].map(([shiftKey, ctrlKey, altKey]) => colourOf({ shiftKey, ctrlKey, altKey })), [0, 1, 1, 2, 3]);
});

test("numbers of arrows are where no piece is", () => {
  const taken = [PLACES.at.a1, PLACES.at.a2, PLACES.at.b2];
  const at = numberPlace([PLACES.at.a1, PLACES.at.a2], taken, [], PLACES.cell);
  for (const [x, y] of taken) assert.ok(Math.hypot(at[0] - x, at[1] - y) > 6);
  // One beside an arrow of a single square, so that the arrow is seen.
  const short = numberPlace([PLACES.at.b1, PLACES.at.b2], [PLACES.at.b1], [], PLACES.cell);
  assert.notEqual(short[0], PLACES.at.b1[0]);
  // On a long free arrow it is in the middle; a second number leaves that place alone.
  assert.deepEqual(numberPlace([PLACES.at.a1, PLACES.at.c1], [PLACES.at.a1], [], PLACES.cell), [15, 25]);
  assert.notDeepEqual(numberPlace([PLACES.at.a1, PLACES.at.c1], [PLACES.at.a1], [[15, 25]], PLACES.cell), [15, 25]);
});

test("every place is in a row, and arrows reach the neighbours", () => {
  assert.deepEqual(rowsOf(PLACES), [["a3", "b3", "c3"], ["a2", "b2", "c2"], ["a1", "b1", "c1"]]);
  assert.deepEqual([[1, 0], [-1, 0], [0, -1], [0, 1]].map((step) => nextPlace(PLACES, "b2", step)), ["c2", "a2", "b3", "b1"]);
  assert.equal(nextPlace(PLACES, "a1", [-1, 0]), "a1");
  // From every place every other one can be reached.
  const seen = new Set(["a1"]);
  for (const place of seen) for (const step of [[1, 0], [-1, 0], [0, 1], [0, -1]]) seen.add(nextPlace(PLACES, place, step));
  assert.equal(seen.size, 9);
});

test("a window stays inside the picture and keeps the point that is zoomed at", () => {
  const SMALL = { ...PLACES, cell: 2 };
  assert.deepEqual(whole(PLACES, 1), { x: 0, y: 0, width: 30, height: 30 });
  assert.deepEqual(whole(PLACES, 2), { x: -15, y: 0, width: 60, height: 30 });
  const near = zoomed(whole(SMALL, 1), SMALL, 1, [10, 20], 2);
  assert.deepEqual(near, { x: 5, y: 10, width: 15, height: 15 });
  assert.deepEqual(clamped({ ...near, x: 99, y: -99 }, SMALL, 1), { x: 15, y: 0, width: 15, height: 15 });
  // A cell of 2 units is 40 pixels: 300 pixels show 15 units, at the bottom.
  assert.deepEqual(seatWindow(SMALL, 300, 1, 40), { x: 7.5, y: 15, width: 15, height: 15 });
  assert.deepEqual(seatWindow(SMALL, 600, 1, 40), whole(PLACES, 1));
});

test("values are per cent, pawns or both, and mates are counted in moves", () => {
  const game = { name: "x", page: { figures: ["percent", "pawns", "both"], mateScore: 320, points: false } };
  const even = { value: 0.523, score: 0.18, proven: null };
  assert.deepEqual(["percent", "pawns", "both"].map((figures) => valueText(even, game, false, figures)), ["52.3%", "+0.18", "52.3% +0.18"]);
  assert.deepEqual(["percent", "pawns"].map((figures) => valueText({ ...even, score: -1.26 }, game, true, figures)), ["52", "−1.3"]);
  assert.deepEqual([319.99, 319.97, 319.95].map((score) => mateIn({ score, proven: "win" }, 320)), [1, 2, 3]);
  assert.deepEqual([-319.98, -319.96].map((score) => mateIn({ score, proven: "loss" }, 320)), [-1, -2]);
  assert.equal(valueText({ value: 1, score: 319.97, proven: "win" }, game, true, "percent"), "#2");
  const discs = { name: "y", page: { figures: [], mateScore: 0, points: true } };
  assert.equal(valueText({ value: 1, score: 12, proven: "win" }, discs, true, "percent"), "+12");
});

test("what a board sounds like", () => {
  assert.deepEqual([soundOf({ over: false, warned: {} }, false), soundOf({ over: false, warned: {} }, true), soundOf({ over: false, warned: { e1: "check" } }, true), soundOf({ over: true, warned: {} }, true)], ["move", "capture", "check", "over"]);
});
