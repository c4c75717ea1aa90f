// Why a move is good or bad: sentences whose evidence is drawn on the board while one points at them.

import { el } from "./dom.js";
import { t, word } from "./i18n.js";
import { boardAfter, changed } from "./state.js";

/** Boards of evidence that were asked for. */
const boards = /** @type {WeakMap<Fact, Board | null>} */ (new WeakMap());

/** Shows what a fact rests on: the position after the moves of its evidence, with its places and arrows.
 *  @param {State} state
 *  @param {Fact} fact
 *  @param {GameNode} from the position that the evidence starts at
 *  @param {string} [place] only this one of its places */
async function showEvidence(state, fact, from, place = "") {
  const { evidence } = fact;
  const line = evidence.line || [];
  const shown = place
    ? { places: [place], arrows: (evidence.arrows || []).filter((arrow) => arrow.includes(place)) }
    : evidence;
  const source = [fact.code, place]; // what the answer of the server is compared with
  state.preview = { source, line, board: null, evidence: {} };
  if (!boards.has(fact)) boards.set(fact, state.info.hides ? null : await boardAfter(state, line, from));
  if (state.preview?.source !== source) return;
  state.preview = { source, line, board: boards.get(fact) || null, evidence: shown };
  changed(state);
}

/** @param {State} state */
function hideEvidence(state) {
  if (!state.preview?.evidence) return;
  state.preview = null;
  changed(state);
}

/** The sentence, with the places that it names as words of their own.
 *  @param {State} state
 *  @param {Fact} fact
 *  @param {GameNode} from */
function sentence(state, fact, from) {
  const places = state.node.board?.places.at || {};
  return word(fact.sentence).split(/([A-Za-z0-9]+)/).filter(Boolean).map((part) => (part in places
    ? el("span", { class: "place", onmouseenter: () => showEvidence(state, fact, from, part), onmouseleave: () => showEvidence(state, fact, from) }, part)
    : part));
}

/** One line for each fact.
 *  @param {State} state
 *  @param {Fact[]} facts
 *  @param {GameNode} from */
export function whyList(state, facts, from) {
  if (!facts.length) return null;
  return el("ul", { class: "why", "aria-label": t("why") }, facts.map((fact) => el("li", {},
    el("button", {
      type: "button", class: "link", title: t("why.help"),
      onmouseenter: () => showEvidence(state, fact, from), onmouseleave: () => hideEvidence(state),
      onfocus: () => showEvidence(state, fact, from), onblur: () => hideEvidence(state),
      onclick: () => showEvidence(state, fact, from),
    }, sentence(state, fact, from)))));
}
