// The move tree: the main line, variations, comments.

import { button, el } from "./dom.js";
import { t } from "./i18n.js";
import { lossClass } from "./kit/overlay.js";
import { changed, goTo, isSteered, plyOf, promote, removeNode } from "./state.js";

export function movesPanel(state) {
  return el("section", { class: "panel moves", "aria-label": t("moves") },
    el("div", { class: "tree", id: "tree" }, state.root.children.length ? lines(state, state.root) : el("p", { class: "dim" }, t("moves.none"))),
    state.node.parent ? el("div", { class: "row small" },
      state.node.parent.children[0] !== state.node ? button(t("promoteLine"), t("promoteLine"), () => { promote(state.node); changed(state); }, { class: "quiet" }) : null,
      button(t("deleteLine"), t("deleteLine"), () => { const { node } = state; removeNode(state, node); goTo(state, node.parent); }, { class: "quiet" })) : null,
    el("textarea", {
      id: "comment", rows: 2, maxlength: 4000, placeholder: t("comment"), "aria-label": t("comment"),
      value: state.node.comment, "data-of": String(state.node.id), oninput: (event) => { state.node.comment = event.target.value; },
    }));
}

function number(state, node) {
  const ply = plyOf(node);
  return state.game === "chess" ? (ply % 2 ? `${(ply + 1) / 2}.` : "") : `${ply}.`;
}

/** The line from a node, with side lines in brackets after the move they replace. */
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

function moveButton(state, node, first = false) {
  const label = number(state, node) || (first && state.game === "chess" ? `${plyOf(node) / 2}…` : "");
  const loss = node.loss;
  const dot = loss !== undefined ? el("i", { class: `swatch ${lossClass(loss)}` }) : null;
  return el("button", {
    type: "button", class: `move${node === state.node ? " current" : ""}`, "data-node": String(node.id),
    "aria-current": node === state.node ? "true" : null, onclick: () => goTo(state, node), title: node.comment || null,
  }, label ? el("small", {}, label) : null, node.name || node.move, dot, node.comment ? el("sup", {}, "✎") : null, isSteered(node) ? el("sup", {}, "◎") : null);
}
