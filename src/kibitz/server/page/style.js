// The style dial, in games that have styles, with the score S of the game so far.

import { el } from "./dom.js";
import { styleName, t } from "./i18n.js";
import { post } from "./api.js";
import { changed, recordOf, startAnalysis } from "./state.js";
import { signed } from "./values.js";

const scores = new Map();

/** @param {State} state */
export function stylePanel(state) {
  const { info, style } = state;
  if (!info.styles.length) return null;
  /** @param {string} name
   *  @param {any} strength */
  const set = (name, strength) => {
    Object.assign(style, { name, strength });
    if (state.running) startAnalysis(state);
    changed(state);
  };
  const { styleStrength, styleScore } = info.page;
  const dial = styleStrength
    ? el("input", { type: "range", id: "style-dial", min: 0, max: 1, step: 0.1, value: String(style.strength), "aria-label": t("style.dial"), oninput: (event) => set(style.name, Number(event.target.value)) })
    : el("select", { id: "style-dial", "aria-label": t("style.dial"), onchange: (event) => set(event.target.value || style.name, event.target.value ? 1 : 0) },
        ["", ...info.styles].map((name) => el("option", { value: name, selected: style.strength > 0 ? name === style.name : !name }, name ? styleName(name) : t("style.off"))));
  return el("section", { class: "panel style", "aria-label": t("style") },
    el("h3", {}, t("style"), " ", el("span", { class: "dim", id: "style-now" }, style.strength > 0 ? `${styleName(style.name)} ${styleStrength ? style.strength.toFixed(1) : ""}` : t("style.off"))),
    styleStrength && info.styles.length > 1 ? styleChoice(info.styles, style.name, (name) => set(name, style.strength)) : null,
    dial, facts(info, style), styleScore ? scoreLine(state) : null);
}

/** Which style the dial is of.
 *  @param {string[]} names
 *  @param {string} chosen
 *  @param {(name: string) => void} choose */
function styleChoice(names, chosen, choose) {
  return el("select", { id: "style-name", "aria-label": t("style.name"), onchange: (event) => choose(event.target.value) },
    names.map((name) => el("option", { value: name, selected: name === chosen }, styleName(name))));
}

/** What each level was measured to do and to cost; the one that is nearest to the dial is marked.
 *  @param {GameInfo} info
 *  @param {{name: string, strength: number}} style */
function facts(info, style) {
  const rows = info.page.styleFacts[style.name || info.styles[0]] || [];
  if (!rows.length) return null;
  const away = (/** @type {StyleFact} */ row) => Math.abs(info.styleLevels[row.level] - style.strength);
  const near = style.strength > 0 ? rows.reduce((a, b) => (away(b) < away(a) ? b : a)) : null;
  return el("table", { class: "dim", id: "style-facts", title: t("style.price.head", { engine: rows[0].engine, measure: rows[0].measure.toUpperCase() }) },
    rows.map((row) => el("tr", { class: row === near ? "on" : "" },
      el("td", {}, t(`level.${row.level}`)), el("td", {}, `${row.measure.toUpperCase()} ${signed(row.shift, 1)} σ`),
      el("td", {}, row.elo === null ? t("style.price.none") : `${signed(row.elo, 0)} Elo`))));
}

/** What is measured: the moves so far, and with the best line that was found.
 *  @param {State} state */
function measured(state) {
  const line = state.node.report?.moves[0]?.line || [];
  return [[], ...(line.length ? [line] : [])].map((more) => recordOf(state, state.node, more));
}

/** @param {State} state */
function scoreLine(state) {
  const [now, then] = measured(state).map((record) => scores.get(JSON.stringify(record)));
  const text = now ? t("style.score", { s: now.s.toFixed(2) }) + (then ? ` · ${t("style.then", { s: then.s.toFixed(2) })}` : "") : " ";
  return el("p", { class: "dim", id: "style-score" }, text);
}

/** Asks for S, once for each line of moves.
 *  @param {State} state */
export function followStyle(state) {
  if (!state.info.page.styleScore || !state.info.styles.length || !state.node.board) return;
  for (const record of measured(state)) {
    const key = JSON.stringify(record);
    if (scores.has(key)) continue;
    scores.set(key, null);
    post("/api/style", { record }).then((answer) => { scores.set(key, answer); changed(state); }, () => {});
  }
}
