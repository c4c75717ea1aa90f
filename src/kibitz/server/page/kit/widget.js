// The board of notebooks: the same pictures, marks and gestures as the page's, over a model of anywidget.

import { drawAnalysis, drawTargets, short } from "./overlay.js";
import { endsOf, hasOrigin, picture, placeAt, shape } from "./svg.js";

const MENU = [["include", "Guarantee 100 visits", 100], ["avoid", "Avoid", 0], ["allow", "Only this", 0], ["weights", "Weigh ×2", 2], ["clear", "Clear", 0]];
const PRESS = 480;

/** @param {string} tag
 *  @param {Record<string, any>} [attributes]
 *  @param {...any} children */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) Object.assign(element, { [name]: value });
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

/** @param {any} given */
function render({ model, el }) {
  const host = make("div", { class: "kibitz-picture", tabindex: "0", role: "application", "aria-label": "Board" });
  const status = make("div", { class: "kibitz-status", role: "status" });
  const list = make("div", { class: "kibitz-list" });
  const menu = make("div", { class: "kibitz-menu", hidden: "" });
  const run = /** @type {HTMLButtonElement} */ (make("button", { type: "button", class: "kibitz-run", onclick: () => model.send({ type: model.get("running") ? "stop" : "analyze" }) }));
  const back = /** @type {HTMLButtonElement} */ (make("button", { type: "button", class: "kibitz-undo", onclick: () => model.send({ type: "undo" }) }, "◀ Undo"));
  el.classList.add("kibitz-board");
  el.replaceChildren(host, make("div", { class: "kibitz-side" }, make("div", { class: "kibitz-row" }, run, back), status, list), menu);
  /** @type {SVGSVGElement} */
  let svg = null;
  /** @type {SVGElement} */
  let layer = null;
  /** @type {ReturnType<typeof setTimeout>} */
  let timer = null;
  let selected = "", long = false;

  /** @returns {Board} */
  const board = () => model.get("board");
  const legal = () => board().legalMoves;
  /** @returns {Report | null} */
  const report = () => (model.get("report_data").moves ? model.get("report_data") : null);
  /** @param {string} move */
  const nameOf = (move) => board().moveNames[move] || move;
  const wishes = () => {
    const { include, avoid, allow, weights } = model.get("steering");
    return { steering: { include, weights, avoid: Object.keys(avoid), allow: Object.keys(allow) } };
  };

  function drawBoard() {
    svg = picture(board().svg);
    layer = shape("g");
    svg.append(layer);
    host.replaceChildren(svg);
    selected = "";
    drawMarks();
  }

  function drawMarks() {
    const { places } = board();
    layer.replaceChildren();
    drawAnalysis(layer, wishes(), report(), places);
    if (selected) drawTargets(layer, selected, targets(selected), places);
  }

  /** @param {string} from */
  const targets = (from) => new Set(legal().filter((move) => endsOf(board().places, move)[0] === from).map((move) => endsOf(board().places, move)[1]));

  function drawSide() {
    run.textContent = model.get("running") ? "Stop" : "Analyze";
    run.disabled = board().over;
    back.disabled = !board().line.length;
    const shown = report();
    const value = shown ? ` · ${(100 * shown.root.value).toFixed(1)}% · ${short(shown.simulations || shown.root.nodes)} visits` : "";
    status.textContent = model.get("problem") || (board().over ? "The game is over" : `${board().mover} to move${value}`);
    list.replaceChildren(...(shown ? shown.moves.slice(0, 6).map((info) => make("div", { class: "kibitz-line", "data-move": info.move },
      make("button", { type: "button", onclick: () => model.send({ type: "play", move: info.move }), oncontextmenu: (/** @type {MouseEvent} */ event) => { event.preventDefault(); openMenu([info.move], event); } }, nameOf(info.move)),
      ` ${(100 * info.value).toFixed(1)}% ${short(info.visits)} ${info.line.slice(1, 5).join(" ")}`)) : []),
      ...((shown?.answers || []).map((answer) => make("div", { class: "kibitz-answer", "data-move": answer.move }, answer.text))),
      ...((shown?.replies || []).map((reply) => make("div", { class: "kibitz-answer", "data-ask": reply.question }, make("b", {}, reply.question), ` ${reply.said.map((one) => one.text).join(", ")}`))));
  }

  /** @param {string[]} moves
   *  @param {any} event */
  function openMenu(moves, event) {
    menu.replaceChildren(make("b", {}, moves.map(nameOf).slice(0, 3).join(", ")), ...MENU.map(([kind, words, amount]) =>
      make("button", { type: "button", "data-act": kind, onclick: () => { menu.hidden = true; model.send({ type: "steer", kind, move: moves[0], amount }); } }, words)));
    const box = el.getBoundingClientRect();
    menu.style.left = `${event.clientX - box.left}px`;
    menu.style.top = `${event.clientY - box.top}px`;
    menu.hidden = false;
  }

  /** @param {any} event */
  function gesture(event) {
    const place = placeAt(svg, board().places, event);
    const moves = legal().filter((move) => endsOf(board().places, move).at(-1) === place);
    const from = legal().filter((move) => endsOf(board().places, move)[0] === place);
    if (moves.length || from.length) openMenu(moves.length ? moves : from, event);
  }

  /** @param {string} place */
  function click(place) {
    if (!hasOrigin(board().places)) { if (legal().includes(place)) model.send({ type: "play", move: place }); return; }
    const moves = legal().filter((move) => { const [a, b] = endsOf(board().places, move); return a === selected && b === place; });
    if (moves.length) model.send({ type: "play", move: moves.find((move) => move.endsWith("q")) || moves[0] });
    else { selected = place !== selected && targets(place).size ? place : ""; drawMarks(); }
  }

  host.addEventListener("pointerdown", (event) => {
    menu.hidden = true;
    long = false;
    if (event.pointerType !== "mouse") timer = setTimeout(() => { long = true; gesture(event); }, PRESS);
  });
  host.addEventListener("pointerup", (event) => {
    clearTimeout(timer);
    if (event.button === 0 && !long) click(placeAt(svg, board().places, event));
  });
  host.addEventListener("contextmenu", (event) => { event.preventDefault(); gesture(event); });

  const all = () => { drawBoard(); drawSide(); };
  const some = () => { drawMarks(); drawSide(); };
  model.on("change:board", all);
  for (const name of ["report_data", "steering", "running", "problem"]) model.on(`change:${name}`, some);
  all();
  return () => { model.off("change:board", all); for (const name of ["report_data", "steering", "running", "problem"]) model.off(`change:${name}`, some); };
}

export default { render };
