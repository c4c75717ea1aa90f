// The analysis panel: value, candidates, the answers about moves that were asked about, the audit.

import { button, el } from "./dom.js";
import { styleName, t, worded } from "./i18n.js";
import { lossClass, lossOf, short } from "./kit/overlay.js";
import { signed, valueText } from "./values.js";
import { asked, boardAfter, changed, clearSteering, isSteered, minVisits, play, steer, toggleAnalysis } from "./state.js";
import { nameOf } from "./names.js";
import { whyList } from "./why.js";
import { askForm } from "./ask.js";

const ROWS = 12;
const STEP = 550;
/** Moves of a refutation that are shown. */
const SAID = 3;
/** Whether an audit says no more than the wish itself.
 *  @param {Sentence} sentence */
const isRepeated = ({ code }) => code === "audit.atLeast" || code === "audit.times";

/** The menu of a move is loaded when it is first asked for.
 *  @param {Parameters<typeof import("./gesture.js").openGesture>} given */
const openGesture = async (...given) => (await import("./gesture.js")).openGesture(...given);

/** @param {number} value
 *  @param {number} [digits] */
export const percent = (value, digits = 1) => `${(100 * value).toFixed(digits)}%`;

/** A line as people write it.
 *  @param {State} state
 *  @param {MoveInfo} info */
const lineText = (state, info) => (state.node.lines[info.move] || info.line).join(" ");

// -- a line, played out on the board ------------------------------------------------------------------

let playing = 0;

/** @param {State} state */
export function stopPreview(state) {
  clearTimeout(playing);
  if (!state.preview) return;
  state.preview = null;
  changed(state);
}

/** @param {State} state
 *  @param {string[]} line */
export function playLine(state, line) {
  clearTimeout(playing);
  const hidden = state.info.hides; // what an attack brings is not known before it is made
  let count = 0;
  const step = async () => {
    count++;
    const shown = line.slice(0, count);
    try {
      const board = hidden ? null : await boardAfter(state, shown);
      if (state.preview?.source !== line) return;
      state.preview = { source: line, line: shown, board };
      changed(state);
      if (count < line.length) playing = setTimeout(step, STEP);
    } catch { /* a search may go on where the rules end the game */ }
  };
  state.preview = { source: line, line: [], board: null };
  playing = setTimeout(step, 120);
}

// -- the panel ----------------------------------------------------------------------------------------

/** @param {State} state */
export function analysisPanel(state) {
  const { report, board } = state.node;
  const over = !board || board.over || !board.legalMoves.length;
  return el("section", { class: "panel analysis", "aria-label": t("analysis") },
    el("header", {},
      button(state.running ? t("stop") : report ? t("goOn") : t("analyze"), t("analyze.help"), () => toggleAnalysis(state),
        { class: state.running ? "primary running" : "primary", id: "analyze", disabled: over }),
      report ? summary(state, report) : el("span", { class: "dim" }, over ? "" : t("analyze.hint"))),
    state.error ? el("p", { class: "error", role: "alert" }, state.error) : null,
    answers(state, report),
    report ? whyList(state, state.node.why || [], state.node) : null,
    askForm(state),
    report && report.moves.length ? candidateTable(state, report) : null);
}

/** What a search family counts: [for the whole search, for a move]; docs/report.md, `search`. */
/** @type {Record<string, [string, string]>} */
const COUNTED = { alphabeta: ["nodes", "nodesHead"], worlds: ["nodes", "worldsHead"], solver: ["nodes", "nodesHead"] };
/** @param {Report} report */
export const counted = (report) => COUNTED[report.search] ?? ["visits", "visitsHead"];

/** @param {State} state */
const hasScore = (state) => state.info.page.points;

/** @param {State} state
 *  @param {Report} report */
function summary(state, report) {
  const { root } = report;
  const speed = report.seconds > 0.05 ? ` · ${short(Math.round(report.simulations / report.seconds))}/s` : "";
  return el("span", { class: "summary", id: "summary" },
    el("b", {}, valueText(root, state.info)),
    root.proven ? el("span", { class: `badge proven ${root.proven}` }, t("proved"), " ", t(`proven.${root.proven}`),
      root.score !== null && hasScore(state) ? ` ${root.score > 0 ? "+" : ""}${root.score}` : "") : null,
    hasScore(state) && root.lead !== undefined && root.lead !== null ? ` ${t("points", { points: signed(root.lead, 1) })}` : "",
    state.info.page.mateScore && root.depth ? el("span", { class: "dim" }, ` ${t("depth", { depth: root.depth })} ·`) : "",
    el("span", { class: "dim" }, ` ${t(counted(report)[0], { visits: short(report.simulations || root.nodes) })}${speed}`));
}

/** Has a move had the visits that it was promised? A proof needs no more of them.
 *  @param {Report} report
 *  @param {string} move
 *  @param {number} visits */
function isDone(report, move, visits) {
  const info = report.moves.find((one) => one.move === move);
  return report.final || report.root.proven || info?.proven || (info?.visits || 0) >= visits;
}

/** What is always said about the moves that were asked about, and what became of each wish.
 *  @param {State} state
 *  @param {Report} report */
function answers(state, report) {
  const { node } = state;
  if (!isSteered(node) && !(state.style.strength > 0)) return null;
  const audit = /** @type {Map<string, [string, Sentence[]]>} */ (new Map());
  for (const item of report?.steering.honoured || []) audit.set(`${item.kind} ${item.move}`, ["✓", item.said]);
  for (const item of report?.steering.refused || []) audit.set(`${item.kind} ${item.move}`, ["✗", [item.why]]);
  const chips = /** @type {HTMLElement[]} */ ([]);
  /** @param {string} kind
   *  @param {string} move
   *  @param {string} label */
  const chip = (kind, move, label) => {
    const answer = kind === "include" && report?.answers.find((one) => one.move === move);
    const [judged, said] = audit.get(`${kind} ${move}`) || ["…", /** @type {Sentence[]} */ ([])];
    const detail = worded(said, ", ", (one) => nameOf(state, one));
    const mark = judged === "✓" && answer && !isDone(report, move, node.steering.include[move]) ? "…" : judged;
    chips.push(el("li", { class: `chip ${kind}${mark === "✗" ? " refused" : ""}`, "data-kind": kind, "data-move": move },
      el("span", { class: "mark", title: detail }, mark),
      el("span", { class: "what" }, el("b", {}, label),
        answer ? el("span", { class: "answer" }, answerText(state, answer)) : null,
        mark === "✗" ? el("span", { class: "answer" }, detail) : null,
        detail && mark === "✓" && !said.every(isRepeated) ? el("span", { class: "dim" }, ` ${detail}`) : null),
      kind === "style" ? null : button("×", t("steer.clear"), () => steer(state, "clear", move), { class: "quiet" })));
  };
  const { include, avoid, allow, weights } = node.steering;
  for (const [move, count] of Object.entries(include)) chip("include", move, t("chip.include", { move: nameOf(state, move), count }));
  for (const move of avoid) chip("avoid", move, t("chip.avoid", { move: nameOf(state, move) }));
  for (const move of allow) chip("allow", move, t("chip.allow", { move: nameOf(state, move) }));
  for (const [move, factor] of Object.entries(weights)) chip("weights", move, t("chip.weights", { move: nameOf(state, move), factor: `×${factor}` }));
  if (state.style.strength > 0) {
    const styleKey = [...audit.keys()].find((key) => key.startsWith("style"));
    chip("style", styleKey ? styleKey.slice(6) : "", t("chip.style", { name: styleName(state.style.name), strength: state.style.strength }));
  }
  return el("div", { class: "steering", id: "steering" },
    el("h3", {}, t("steering"), isSteered(node) ? button(t("steer.clearAll"), t("steer.clearAll"), () => clearSteering(state), { class: "quiet" }) : null),
    el("ul", { class: "chips" }, chips));
}

/** @param {State} state
 *  @param {Answer} answer */
export function answerText(state, answer) {
  const reply = state.node.lines[answer.move]?.slice(1, SAID + 1);
  const said = answer.said.map((one) => (one.values.line && reply
    ? { ...one, values: { ...one.values, line: [...reply, ...(answer.refutation.length > SAID ? ["…"] : [])] } } : one));
  return worded(said, ", ", (move) => nameOf(state, move));
}

/** @param {State} state
 *  @param {Report} report */
function candidateTable(state, report) {
  const best = report.moves[0];
  const rows = report.moves.filter((info) => info.order < ROWS || info.minVisits);
  const scored = hasScore(state) && rows.some((info) => info.score !== null);
  const proven = rows.some((info) => info.proven);
  const head = ["move", "value", scored && "score", counted(report)[1], proven && "proved", "line"].filter(Boolean);
  return el("div", { class: "scroll" }, el("table", { class: "candidates", onmouseleave: () => { state.pointed = ""; stopPreview(state); } },
    el("thead", {}, el("tr", {}, head.map((key) => el("th", { scope: "col", class: key }, t(key))), el("th", { class: "acts" }, el("span", { class: "unseen" }, t("steering"))))),
    el("tbody", {}, rows.map((info) => candidateRow(state, info, best, scored, proven)))));
}

/** @param {State} state
 *  @param {MoveInfo} info
 *  @param {MoveInfo} best
 *  @param {boolean} scored
 *  @param {any} proven */
function candidateRow(state, info, best, scored, proven) {
  const loss = best.value - info.value;
  const bound = () => (info.upperBound ? el("span", { title: t("upperBound") }, "≤") : null);
  const now = asked(state.node, info.move);
  /** @param {any} event */
  const gesture = (event) => {
    const box = event.currentTarget.getBoundingClientRect();
    openGesture(state, [info.move], box.left, box.bottom);
  };
  const row = el("tr", {
    "data-move": info.move, class: now.include || now.avoid || now.allow || now.weight ? "asked" : "",
    // A row that is drawn anew under a pointer at rest is no reason to begin again.
    onmouseenter: () => { if (state.pointed !== info.move) { state.pointed = info.move; playLine(state, info.line); } },
    oncontextmenu: (event) => { event.preventDefault(); openGesture(state, [info.move], event.clientX, event.clientY); },
  },
    el("td", { class: "move" }, swatch(lossOf(best, info)), el("button", {
      type: "button", class: "link", onclick: () => { stopPreview(state); play(state, info.move); },
      onfocus: () => { state.pointed = info.move; },
    }, nameOf(state, info.move))),
    el("td", { class: "value" }, bound(), valueText(info, state.info), loss > 0.0005 ? el("small", {}, ` −${(100 * loss).toFixed(1)}`) : null),
    scored ? el("td", {}, info.score === null ? "" : [bound(), signed(info.score, 1)]) : null,
    el("td", {}, info.visits ? short(info.visits) : "", info.guaranteed ? el("small", { title: t("guaranteed") }, ` +${short(info.guaranteed)}`) : null),
    proven ? el("td", {}, info.proven ? el("span", { class: `badge proven ${info.proven}` }, t(`proven.${info.proven}`)) : "") : null,
    el("td", { class: "line", title: info.line.join(" ") }, lineText(state, info)),
    el("td", { class: "acts" }, button("⋯", t("steer.open"), gesture, { class: "quiet", "aria-haspopup": "true" })));
  return row;
}

/** @param {number} loss */
const swatch = (loss) => el("i", { class: `swatch ${lossClass(loss)}` });

/** Keys for the candidate the pointer is at, the same in every game.
 *  @param {State} state
 *  @param {string} key */
export function steerByKey(state, key) {
  const move = state.pointed || state.node.report?.moves[0]?.move;
  if (!move) return;
  if (key === "g") steer(state, "include", move, minVisits());
  if (key === "x") steer(state, "avoid", move);
  if (key === "o") steer(state, "allow", move);
  if (key === "w") steer(state, "weights", move, 2);
  if (key === "c") steer(state, "clear", move);
}
