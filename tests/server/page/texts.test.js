// Texts, numbers of moves, links.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { readFile } from "node:fs/promises";
import { errorText, gameName, levelName, loadLanguage, sideName, t, word, worded } from "../../../src/kibitz/server/page/i18n.js";
import { moveNumber } from "../../../src/kibitz/server/page/moves.js";
import { linkTo, readLink } from "../../../src/kibitz/server/page/links.js";
import { asCommand, asPython } from "../../../src/kibitz/server/page/share.js";
import { emptySteering, makeState, steered } from "../../../src/kibitz/server/page/state.js";

/** The server joins the page's texts with those of sentences; so does this. */
async function texts(url) {
  const own = JSON.parse(await readFile(url, "utf8"));
  const name = url.pathname.split("/").at(-1);
  const read = async (/** @type {string} */ path) => JSON.parse(await readFile(new URL(`../../../src/kibitz/texts/${path}`, import.meta.url), "utf8"));
  return { json: async () => ({ ...own, ...(await read(name)), ...(await read(`reasons/${name}`)) }) };
}

before(async () => {
  globalThis.document = { documentElement: {} };
  globalThis.fetch = texts;
  await loadLanguage("ko");
});

test("texts have their values, and keys without a text are shown", () => {
  assert.equal(t("no such key"), "no such key");
  assert.equal(sideName("black"), "흑");
  assert.equal(sideName("purple"), "purple");
  assert.equal(gameName({ name: "connect-four", title: "Connect Four" }), "Connect Four");
  assert.match(levelName(["beginner", "full"], "full"), /^2 · /);
});

test("sentences are worded from their codes, seats by name", () => {
  const said = worded([{ code: "junqi.flagAt", values: { seat: "E", place: "E62" } }, { code: "junqi.drawAgreed", values: {} }], "; ");
  assert.equal(said, `${sideName("E")} 군기 위치: E62; 무승부 합의`);
  assert.notEqual(sideName("E"), "E");
});

test("values are shares, lists, moves and numbers", () => {
  const values = { by: 0.0213, best: "g1f3", line: ["e5", "…"] };
  assert.equal(word({ code: "answer.behindRefuted", values }, (move) => (move === "g1f3" ? "Nf3" : move)), "Nf3보다 2.1% 뒤짐; 응징: e5 …");
  assert.equal(word({ code: "audit.times", values: { factor: 0.1 + 0.2 } }), "0.3배");
  assert.equal(word({ code: "of.tomorrow", values: {}, text: "in English" }), "in English");
});

test("values may be sentences", () => {
  const corner = (move) => ({ code: "othello.corner", values: { move } });
  assert.equal(word({ code: "text", values: { text: corner("a1") } }), "a1: 귀를 차지");
  assert.equal(word({ code: "text", values: { text: [corner("a1"), corner("h8")] } }), "a1: 귀를 차지, h8: 귀를 차지");
});

test("errors are worded where they have a code", () => {
  assert.equal(errorText({ error: "S is taken", code: "error.taken", values: { seat: "S" } }), `${sideName("S")}: 이미 사람이 있습니다`);
  assert.equal(errorText({ error: "something else" }), "something else");
});

test("moves are numbered by one ply or by two", () => {
  assert.deepEqual([1, 2, 3].map((ply) => moveNumber(1, ply)), ["1.", "2.", "3."]);
  assert.deepEqual([1, 2, 3, 4].map((ply) => moveNumber(2, ply)), ["1.", "", "2.", ""]);
  assert.equal(moveNumber(2, 4, true), "2…"); // a line that begins with the second side's move
});

test("a link gives back what went into it", () => {
  const shared = { record: { game: "x", moves: ["é", "中"] }, steering: steered(emptySteering(), "include", "é", 7) };
  const link = linkTo(shared, "https://host/");
  assert.deepEqual(readLink(new URL(link).hash), shared);
  assert.equal(readLink("#s=!!"), null);
  assert.equal(readLink("#s=abc"), null);
});

test("the same request for Python and the command line", () => {
  const state = makeState({ name: "othello", styles: [], page: { layers: [] } });
  state.node.board = { record: { game: "othello", start: "-- X" }, notation: "-- X" };
  state.node.steering = steered(steered(emptySteering(), "include", "d3", 40), "avoid", "c4");
  assert.match(asPython(state), /kibitz\.analyze\(position, seconds=5, include=\{"d3": 40\}, avoid=\["c4"\]\)/);
  assert.equal(asCommand(state), "kibitz analyze othello ' -- X' --seconds 5 --include d3 --min-visits 40 --avoid c4");
});
