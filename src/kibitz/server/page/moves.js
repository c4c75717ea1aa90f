// The move tree: the main line, variations, comments.

import { button, el } from "./dom.js";
import { t } from "./i18n.js";
import { capturedList, playerOf } from "./names.js";
import { lossClass } from "./kit/overlay.js";
import { changed, goTo, isSteered, plyOf, promote, removeNode } from "./state.js";

/** The number before a move: of every ply, or of the first of several that have one. A line may `begin` inside.
 *  @param {number} plies
 *  @param {number} ply
 *  @param {boolean} [begins] */
export function moveNumber(plies, ply, begins = false) {
  const number = Math.ceil(ply / plies);
  if ((ply - 1) % plies === 0) return `${number}.`;
  return begins ? `${number}…` : "";
}

/** @param {State} state */
export function movesPanel(state) {
  const players = (state.node.board?.sides || []).map((side) => playerOf(state, side));
  const score = (state.headers?.Result || "").replace(/^[*?]$/, "");
  return el("section", { class: "panel moves", "aria-label": t("moves") },
    players.some(Boolean) ? el("p", { class: "players", id: "players" }, players.map((name) => name || "?").join(" – "), score ? el("small", {}, ` ${score}`) : null) : null,
    state.node.board?.opening ? el("p", { class: "opening", id: "opening" }, state.node.board.opening) : null,
    capturedList(state.info, state.node.board),
    el("div", { class: "tree", id: "tree" }, state.root.children.length ? lines(state, state.root) : el("p", { class: "dim" }, t("moves.none"))),
    state.node.parent ? el("div", { class: "row small" },
      state.node.parent.children[0] !== state.node ? button(t("promoteLine"), t("promoteLine"), () => { promote(state.node); changed(state); }, { class: "quiet" }) : null,
      button(t("deleteLine"), t("deleteLine"), () => { const { node } = state; removeNode(state, node); goTo(state, node.parent); }, { class: "quiet" })) : null,
    el("textarea", {
      id: "comment", rows: 2, maxlength: 4000, placeholder: t("comment"), "aria-label": t("comment"),
      value: state.node.comment, "data-of": String(state.node.id), oninput: (event) => { state.node.comment = event.target.value; state.saver?.follow(); },
    }));
}

/** The line from a node, with side lines in brackets after the move they replace.
 *  @param {State} state
 *  @param {GameNode} parent
 *  @returns {any[]} */
function lines(state, parent) {
  const out = [];
  for (let node = parent.children[0], above = parent; node; above = node, node = node.children[0]) {
    out.push(moveButton(state, node));
    for (const other of above.children.slice(1)) {
      out.push(el("div", { class: "variation" }, moveButton(state, other, true), lines(state, other)));
    }
  }
  return out;
}

/** How annotators write the first six NAGs of PGN, and the labels of a review. */
const SIGNS = ["", "!", "?", "!!", "??", "!?", "?!"];
const LABELS = /** @type {Record<string, string>} */ ({ brilliant: "!!", inaccuracy: "?!", mistake: "?", blunder: "??" });

/** What a record says of a move, or else what a review does.
 *  @param {GameNode} node */
const signOf = ({ nags, review }) => (nags || []).map((nag) => SIGNS[nag] || "").join("") || LABELS[review?.label] || "";

/** @param {State} state
 *  @param {GameNode} node
 *  @param {boolean} [first] */
function moveButton(state, node, first = false) {
  const label = moveNumber(state.info.page.numbering, plyOf(node), first);
  const loss = node.loss;
  const dot = loss !== undefined ? el("i", { class: `swatch ${lossClass(loss)}` }) : null;
  return el("button", {
    type: "button", class: `move${node === state.node ? " current" : ""}`, "data-node": String(node.id),
    "aria-current": node === state.node ? "true" : null, onclick: () => goTo(state, node), title: node.comment || null,
  }, label ? el("small", {}, label) : null, node.name || node.move, signOf(node), dot, node.comment ? el("sup", {}, "✎") : null, isSteered(node) ? el("sup", {}, "◎") : null);
}
