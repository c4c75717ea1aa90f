// Two settings side by side on one position: what each of them visits over time, and the trees they grow.

import { analyses, get } from "./api.js";
import { $, button, el, redraw, toast } from "./dom.js";
import { errorText, has, styleName, t } from "./i18n.js";
import { SERIES, drawCurves, drawTree } from "./kit/charts.js";
import { short } from "./kit/overlay.js";
import { counted } from "./analysis.js";
import { nameOf } from "./names.js";
import { changed, requestOf } from "./state.js";

const SECONDS = 60;
const POINTS = 120;
const CURVES = 5;
const DEPTH = 5;
/** Moves of a report: one that comes up late has a history, too. */
const MOVES = 100;

/** The textbook methods, as options over plain UCT: the same in every game that has the tree search. */
/** @type {Record<string, Record<string, any>>} */
const METHODS = {
  flat: { tree_depth: 1, choice: "winrate" },
  uct: {},
  pruned: { prune: "progressive", prune_period: 1000 },
  classic: { rule: "classic", choice: "winrate" },
};

/** What can be chosen in a game, by key.
 *  @param {State} state
 *  @param {NetworkRow[]} networks */
function settingsOf(state, networks) {
  const { info } = state;
  /** @type {Record<string, { preset: string, options?: any, style?: Style, network?: string }>} */
  const settings = { default: { preset: "default" } };
  if (info.presets.includes("uct")) {
    for (const [name, options] of Object.entries(METHODS)) settings[name] = { preset: "uct", options };
  }
  for (const name of info.presets) if (!(name in settings) && name !== "lc0") settings[name] = { preset: name };
  for (const name of info.styles) {
    if (info.presets.includes(name)) continue;
    for (const [level, strength] of Object.entries(info.styleLevels)) if (strength > 0) settings[`style ${name} ${level}`] = { preset: "default", style: { name, strength } };
  }
  for (const network of networks.filter((one) => one.game === state.game && !one.error)) settings[`network ${network.name}`] = { preset: "default", network: network.name };
  return settings;
}

/** @param {string} key */
export function settingName(key) {
  const [kind, ...rest] = key.split(" ");
  if (kind === "style") return t("compare.style", { name: styleName(rest[0]), level: has(`level.${rest[1]}`) ? t(`level.${rest[1]}`) : rest[1] });
  if (kind === "network") return t("compare.network", { name: rest.join(" ") });
  return has(`setting.${key}`) ? t(`setting.${key}`) : key;
}

/** @type {NetworkRow[]} */
let networks = null;

/** @param {State} state */
export async function toggleCompare(state) {
  if (state.compare) { stop(state); state.compare = null; changed(state); return; }
  const first = state.info.presets.includes("uct") ? ["flat", "uct"] : ["classic", "default"];
  state.compare = { chosen: first, sides: [blank(), blank()], node: null, running: 0 };
  changed(state);
  networks ??= await get("/api/networks").catch(() => /** @type {NetworkRow[]} */ ([]));
  changed(state);
  $("compare").scrollIntoView({ block: "nearest" });
}

/** @returns {CompareSide} */
const blank = () => ({ report: null, history: [], error: "" });

/** @param {State} state */
function start(state) {
  const { compare } = state;
  const settings = settingsOf(state, networks || []);
  compare.node = state.node;
  compare.running = 2;
  compare.sides = compare.chosen.map((key, number) => {
    const side = blank();
    const { preset, options = {}, style, network } = settings[key];
    const request = requestOf(state, { budget: { seconds: SECONDS }, treeDepth: DEPTH, top: MOVES, lineLength: DEPTH, options });
    const steering = { ...(request.steering || {}) };
    delete steering.style;
    if (style) steering.style = style;
    request.steering = steering;
    analyses.start(`compare-${number}`, request, (message) => {
      if (message.type === "report") take(side, message.report);
      else {
        compare.running = Math.max(0, compare.running - 1);
        if (message.type === "error") side.error = errorText(message);
      }
      changed(state);
    }, preset, 0.25, network ? { network } : {}).catch((error) => toast(error.message));
    return side;
  });
  changed(state);
}

/** @param {State} state */
function stop(state) {
  for (const number of [0, 1]) analyses.stop(`compare-${number}`);
  if (state.compare) state.compare.running = 0;
}

/** Keeps a report and what it says of visits; of a long run only every other point.
 *  @param {CompareSide} side
 *  @param {Report} report */
function take(side, report) {
  side.report = report;
  const visits = Object.fromEntries(report.moves.map((info) => [info.move, info.visits]));
  side.history.push({ seconds: report.seconds, visits });
  if (side.history.length > POINTS) side.history = side.history.filter((_, n) => n % 2 === 0);
}

/** The moves that both sides look at most, each with its colour.
 *  @param {Compare} compare */
function coloursOf(compare) {
  const colours = new Map();
  for (let place = 0; place < CURVES; place++) {
    for (const { report } of compare.sides) {
      const info = report?.moves[place];
      if (info && !colours.has(info.move)) colours.set(info.move, colours.size % SERIES);
    }
  }
  return colours;
}

/** Stops a comparison when another position is shown: what was found is of the one before.
 *  @param {State} state */
export function followCompare(state) {
  const { compare } = state;
  if (!compare?.node || compare.node === state.node) return;
  stop(state);
  Object.assign(compare, { node: null, sides: [blank(), blank()] });
}

/** @param {State} state */
export function drawCompare(state) {
  const place = $("compare");
  const { compare } = state;
  place.hidden = !compare;
  if (!compare) { place.replaceChildren(); return; }
  const over = state.node.board.over || !state.node.board.legalMoves.length;
  const colours = coloursOf(compare);
  redraw(place,
    el("header", {}, el("h2", {}, t("compare")),
      compare.running
        ? button(t("stop"), t("stop"), () => { stop(state); changed(state); }, { id: "compare-run", class: "primary running" })
        : button(t("compare.run"), t("compare.run"), () => start(state), { id: "compare-run", class: "primary", disabled: over }),
      el("span", { class: "dim" }, t("compare.help")),
      button("×", t("close"), () => toggleCompare(state), { class: "quiet close" })),
    el("div", { class: "sides" }, compare.sides.map((side, number) => column(state, side, number, colours))));
}

/** @param {State} state
 *  @param {CompareSide} side
 *  @param {number} number
 *  @param {Map<string, number>} colours */
function column(state, side, number, colours) {
  const { compare } = state;
  const keys = Object.keys(settingsOf(state, networks || []));
  const { report } = side;
  return el("section", { class: "panel compare-side", "aria-label": settingName(compare.chosen[number]) },
    el("select", { id: `setting-${number}`, "aria-label": t("compare.setting"), onchange: (event) => {
      stop(state);
      compare.chosen[number] = event.target.value;
      Object.assign(compare, { node: null, sides: [blank(), blank()] });
      changed(state);
    } }, keys.map((key) => el("option", { value: key, selected: key === compare.chosen[number] }, settingName(key)))),
    side.error ? el("p", { class: "error", role: "alert" }, side.error) : null,
    report ? result(state, report) : el("p", { class: "dim" }, t("compare.hint")),
    report ? el("h3", {}, overTime(report)) : null,
    report ? curves(state, side, colours) : null,
    report ? legend(state, report, colours) : null,
    report ? el("h3", {}, t("compare.tree")) : null,
    report ? drawTree(report.tree || [], { label: t("compare.tree"), colourOf: (move) => colours.get(move) ?? SERIES, name: (move) => nameOf(state, move) }) : null);
}

/** @param {Report} report */
const overTime = (report) => t(counted(report)[1] === "nodesHead" ? "compare.nodes" : "compare.visits");

/** @param {State} state
 *  @param {Report} report */
function result(state, report) {
  const { root } = report;
  const facts = t(`compare.result${counted(report)[0] === "nodes" ? ".nodes" : ""}`, { move: nameOf(state, report.best), value: `${(100 * root.value).toFixed(1)}%`, visits: short(report.simulations || root.visits || root.nodes), depth: root.depth });
  return el("p", { class: "compare-result" }, facts,
    root.proven ? el("span", { class: `badge proven ${root.proven}` }, t("proved"), " ", t(`proven.${root.proven}`)) : null);
}

/** @param {State} state
 *  @param {CompareSide} side
 *  @param {Map<string, number>} colours */
function curves(state, side, colours) {
  const series = side.report.moves.slice(0, CURVES).map((info) => ({
    name: info.move, colour: colours.get(info.move) ?? SERIES, points: side.history.filter((one) => info.move in one.visits).map((one) => /** @type {Point} */ ([one.seconds, one.visits[info.move]])),
  }));
  return drawCurves(series, { label: overTime(side.report), x: (value) => `${Number(value.toFixed(2))} s` });
}

/** @param {State} state
 *  @param {Report} report
 *  @param {Map<string, number>} colours */
const legend = (state, report, colours) => el("ul", { class: "legend" }, report.moves.slice(0, CURVES).map((info) =>
  el("li", { "data-move": info.move }, el("i", { class: `swatch series-${colours.get(info.move) ?? SERIES}` }), el("b", {}, nameOf(state, info.move)),
    ` ${(100 * info.value).toFixed(1)}% · ${short(info.visits)}`, info.pruned ? el("span", { class: "badge" }, t("compare.pruned")) : null)));
