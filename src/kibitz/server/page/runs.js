// Matches as they stand, and the curves of training runs; what is being written is drawn again as it grows.

import { get } from "./api.js";
import { el, redraw, toast } from "./dom.js";
import { drawCurves } from "./kit/charts.js";
import { has, t } from "./i18n.js";

const AGAIN = 3000;

/** @param {HTMLElement} place
 *  @param {string} name */
export const matchesPage = (place, name) => follow(place, "match", name, matchView);
/** @param {HTMLElement} place
 *  @param {string} name */
export const trainingPage = (place, name) => follow(place, "training", name, trainingView);

/** A list and what was chosen of it, asked again while something is written; gives what ends the asking.
 *  @param {HTMLElement} place
 *  @param {string} kind
 *  @param {any} chosen
 *  @param {any} view */
async function follow(place, kind, chosen, view) {
  let ended = false;
  /** @type {ReturnType<typeof setTimeout>} */
  let timer = null;
  async function draw() {
    const { configured, runs } = await get("/api/runs");
    const rows = runs.filter((/** @type {any} */ run) => run.kind === kind);
    const name = chosen || rows[0]?.name || "";
    const details = name ? await get(`/api/runs/${kind}/${name.split("/").map(encodeURIComponent).join("/")}`) : null;
    if (ended) return;
    redraw(place, rows.length ? list(kind, rows, name) : empty(kind, configured), details ? view(details) : null);
    if (rows.some((/** @type {any} */ row) => row.alive)) timer = setTimeout(() => draw().catch((error) => toast(error.message)), AGAIN);
  }
  await draw();
  return () => { ended = true; clearTimeout(timer); };
}

/** @param {string} kind
 *  @param {any} configured */
const empty = (kind, configured) => el("p", { class: "dim", id: "no-runs" }, t(configured ? `runs.none.${kind}` : "runs.folder"));

/** @param {string} kind
 *  @param {any[]} rows
 *  @param {any} chosen */
const list = (kind, rows, chosen) => el("ul", { class: "panel run-list" }, rows.map((row) =>
  el("li", {}, el("a", { href: `#${kind === "match" ? "matches" : kind}/${row.name}`, "aria-current": row.name === chosen ? "true" : null }, row.title),
    row.alive ? el("span", { class: "badge win" }, t("runs.alive")) : null, el("small", { class: "dim" }, ` ${row.name} · ${new Date(1000 * row.changed).toLocaleString()}`))));

/** @param {number} value
 *  @param {number} [digits] */
const signed = (value, digits = 1) => (value === null || value === undefined ? "∞" : (value > 0 ? "+" : "") + value.toFixed(digits));

/** @param {any} match */
function matchView(match) {
  const { summary } = match;
  const { score, elo, sprt } = summary;
  const facts = [
    ["match.games", `${summary.games} / ${match.of}`],
    ["match.wdl", `${summary.wins} – ${summary.draws} – ${summary.losses}`],
    ["match.score", `${(100 * score.value).toFixed(1)}% (${(100 * score.low).toFixed(1)}–${(100 * score.high).toFixed(1)}%)`],
    ["match.elo", `${signed(elo.value)} (${signed(elo.low)} … ${signed(elo.high)})`],
    ["match.los", `${(100 * summary.los).toFixed(1)}%`],
    ["match.pairs", summary.pairs.join(" · ")],
    ["match.time", summary.secondsPerMove.map((/** @type {number} */ one) => `${one.toFixed(3)} s`).join(" · ")],
    summary.forfeits.some(Boolean) ? ["match.forfeits", summary.forfeits.join(" · ")] : null,
    sprt ? ["match.sprt", `H0 ${sprt.elo0}, H1 ${sprt.elo1}: LLR ${signed(sprt.llr, 2)} (${sprt.lower.toFixed(2)} … ${sprt.upper.toFixed(2)})${sprt.decision ? ` ${sprt.decision} ✓` : ""}`] : null,
  ].filter(Boolean);
  /** @param {number} value */
  const percent = (value) => `${value}%`;
  return el("section", { class: "run-view", "aria-label": match.name },
    el("header", { class: "panel", id: "match-head" }, el("h2", {}, `${match.a} – ${match.b}`),
      el("p", {}, has(`game.${match.game}`) ? t(`game.${match.game}`) : match.game, " ", el("span", { class: `badge ${match.alive ? "win" : ""}` }, t(`stopped.${summary.stopped}`))),
      el("dl", { class: "facts" }, facts.map(([key, value]) => [el("dt", {}, t(key)), el("dd", { "data-fact": key }, value)]))),
    figure("match.score", drawCurves([{ ...match.score, colour: 0 }], { label: t("match.score"), x: String, y: percent, fromZero: false, lines: [{ y: 50, name: "" }], across: t("match.gamesAxis") })),
    figure("match.elo", drawCurves([{ ...match.elo, colour: 2 }], { label: t("match.elo"), x: String, y: (value) => signed(value, 0), fromZero: false, lines: [{ y: 0, name: "" }], across: t("match.gamesAxis") })),
    match.llr ? figure("match.sprt", drawCurves([{ ...match.llr, colour: 3 }], { label: t("match.sprt"), x: String, y: String, fromZero: false, across: t("match.gamesAxis"),
      lines: [{ y: sprt.upper, name: `H1: ${sprt.elo1} Elo` }, { y: sprt.lower, name: `H0: ${sprt.elo0} Elo` }] })) : null);
}

/** @param {string} key
 *  @param {any} picture
 *  @param {any} [caption] */
const figure = (key, picture, caption = t(key)) => el("figure", { class: "panel", "data-figure": key }, el("figcaption", {}, caption), picture);

/** @param {any} run */
function trainingView(run) {
  const names = [...new Set([...run.training, ...run.held].map((one) => one.name))];
  /** @param {any} curves
   *  @param {string} name */
  const find = (curves, name) => curves.find((/** @type {any} */ one) => one.name === name);
  /** @param {number} value */
  const number = (value) => String(Number(value.toPrecision(3)));
  return el("section", { class: "run-view", "aria-label": run.name },
    el("header", { class: "panel", id: "run-head" }, el("h2", {}, run.name),
      el("p", {}, t("training.steps", { steps: run.steps.toLocaleString() }), run.rate ? ` · ${t("training.rate", { rate: Math.round(run.rate).toLocaleString() })}` : "",
        run.alive ? el("span", { class: "badge win" }, t("runs.alive")) : null),
      el("ul", { class: "legend" }, el("li", {}, el("i", { class: "swatch series-0" }), t("training.training")), el("li", {}, el("i", { class: "swatch series-1" }), t("training.held")))),
    names.map((name) => {
      const series = [[find(run.training, name), 0], [find(run.held, name), 1]].filter(([one]) => one).map(([one, colour]) => ({ ...one, colour }));
      const caption = name.replaceAll("_", " "); // a loss term or measure of the configuration: not a word of ours
      return figure(name, drawCurves(series, { label: caption, x: (value) => value.toLocaleString(), y: number, fromZero: false, across: t("training.axis") }), caption);
    }));
}
