// The nodes of the server's cluster, and the runs under way.

import { get } from "./api.js";
import { el, redraw, toast } from "./dom.js";
import { has, t } from "./i18n.js";

const AGAIN = 5000;

/** @param {HTMLElement} place
 *  @returns {Promise<() => void>} */
export async function clusterPage(place) {
  let ended = false;
  /** @type {ReturnType<typeof setTimeout>} */
  let timer = null;
  async function draw() {
    const { configured, nodes, runs } = await get("/api/cluster");
    if (ended) return;
    redraw(place, configured ? table("nodes", ["node", "state", "cpus", "used", "workers", "searches", "load"], nodes.map(nodeCells)) : el("p", { class: "dim", id: "no-cluster" }, t("cluster.none")),
      runs.length ? table("stores", ["run", "game", "games", "rate", "positions"], runs.map(runCells)) : null);
    timer = setTimeout(() => draw().catch((error) => toast(error.message)), AGAIN);
  }
  await draw();
  return () => { ended = true; clearTimeout(timer); };
}

/** @param {any} node */
const nodeCells = (node) => [t("cluster.number", { number: node.number }), t(`cluster.${node.alive ? (node.slow ? "slow" : "alive") : "dead"}`), node.cpus, node.used, node.workers,
  node.searches ?? "", node.load === null ? "" : node.load.toFixed(1)];

/** @param {any} run */
const runCells = (run) => [run.name, has(`game.${run.game}`) ? t(`game.${run.game}`) : run.game, `${run.games.toLocaleString()} / ${run.of.toLocaleString()}`, run.rate ?? "", run.positions.toLocaleString()];

/** @param {string} id
 *  @param {string[]} heads
 *  @param {any[][]} rows */
const table = (id, heads, rows) => el("div", { class: "panel scroll-x" }, el("table", { class: "plain", id },
  el("thead", {}, el("tr", {}, heads.map((key) => el("th", { scope: "col" }, t(`cluster.${key}`))))),
  el("tbody", {}, rows.map((cells) => el("tr", {}, cells.map((value, at) => (at ? el("td", {}, String(value)) : el("th", { scope: "row" }, value))))))));
