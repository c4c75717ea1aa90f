// The keyboard.

import { goTo, makeMove, toggleAnalysis, undo } from "./state.js";
import { steerByKey, stopPreview } from "./analysis.js";
import { takeBack } from "./opponent.js";

/** @param {GameNode} node */
const last = (node) => { while (node.children.length) node = node.children[0]; return node; };

/** Takes back: a move of your own in a game against the engine, with its answer.
 *  @param {State} state */
const back = (state) => (state.opponent ? takeBack(state) : undo(state));

/** @param {() => State} getState
 *  @param {Record<string, () => unknown>} actions */
export function listen(getState, actions) {
  document.addEventListener("keydown", (event) => {
    const target = /** @type {Element} */ (event.target);
    if (target.matches("input, textarea, select") || document.querySelector("dialog[open]")) return;
    const state = getState();
    if (event.key.toLowerCase() === "z" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); back(state); return; }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { node } = state;
    const siblings = node.parent?.children || [];
    const place = siblings.indexOf(node);
    /** @type {Record<string, () => unknown>} */
    const handlers = {
      ArrowLeft: () => node.parent && goTo(state, node.parent),
      ArrowRight: () => node.children[0] && goTo(state, node.children[0]),
      ArrowUp: () => (place > 0 ? goTo(state, siblings[place - 1]) : null),
      ArrowDown: () => (place >= 0 && place < siblings.length - 1 ? goTo(state, siblings[place + 1]) : null),
      Home: () => goTo(state, state.root),
      End: () => goTo(state, last(node)),
      a: () => toggleAnalysis(state),
      f: () => actions.flip(),
      n: () => actions.newGame(),
      Backspace: () => back(state),
      "?": () => actions.help(),
      Escape: () => { stopPreview(state); actions.escape(); },
      b: () => actions.board(),
    };
    for (const key of ["g", "x", "o", "w", "c"]) handlers[key] = () => steerByKey(state, key);
    let handler = handlers[event.key];
    if (event.key === " " && !target.matches("button, a")) handler = () => node.report?.moves[0] && makeMove(state, node.report.moves[0].move);
    if (/^[1-9]$/.test(event.key)) handler = () => { const info = node.report?.moves[Number(event.key) - 1]; if (info) makeMove(state, info.move); };
    if (handler) { event.preventDefault(); handler(); }
  });
}
