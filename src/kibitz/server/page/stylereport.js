// The style of two sets of games side by side.

import { post } from "./api.js";
import { $, button, el, redraw, toast } from "./dom.js";
import { picture } from "./kit/svg.js";
import { t } from "./i18n.js";

/** @param {string} name */
const gamesOf = (name) => /** @type {HTMLTextAreaElement} */ ($(`games-${name}`));

/** @param {HTMLElement} place
 *  @returns {Promise<null>} */
export async function styleReportPage(place) {
  /** @param {string} name */
  const games = (name) => el("label", { class: "games" }, el("b", {}, t("styleReport.set", { name })),
    el("textarea", { id: `games-${name}`, rows: 7, spellcheck: false, placeholder: "1. Nf3 d5 2. g3 …" }),
    el("input", { type: "file", accept: ".pgn,text/plain", "aria-label": t("styleReport.file", { name }), onchange: async (event) => {
      const [file] = event.target.files;
      if (file) gamesOf(name).value = await file.text();
    } }));
  const answer = el("div", { id: "style-answer" });
  const compare = async () => {
    try {
      const comparison = await post("/api/style/report", { a: gamesOf("A").value, b: gamesOf("B").value });
      redraw(answer, report(comparison));
    } catch (error) { toast(error.message); }
  };
  place.append(el("section", { class: "panel" }, el("p", { class: "dim" }, t("styleReport.help")), el("div", { class: "sides" }, games("A"), games("B")),
    el("div", { class: "row end" }, button(t("styleReport.compare"), t("styleReport.compare"), compare, { class: "primary", id: "style-compare" }))), answer);
  return null;
}

/** @param {any} given */
function report({ comparison, svg }) {
  const rows = Object.values(comparison.metrics);
  /** @param {any} one */
  const mean = (one) => `${one.mean.toFixed(2)} ± ${one.sd.toFixed(2)}`;
  return el("section", { class: "panel" }, el("h2", {}, t("styleReport.games", { a: comparison.games.a, b: comparison.games.b })),
    el("div", { class: "scroll-x" }, el("table", { class: "plain", id: "style-table" },
      el("thead", {}, el("tr", {}, ["measure", "a", "b", "shift", "p"].map((key) => el("th", { scope: "col" }, t(`styleReport.${key}`))))),
      el("tbody", {}, rows.map((row) => el("tr", { "data-metric": row.metric }, el("th", { scope: "row" }, row.name), el("td", {}, mean(row.a)), el("td", {}, mean(row.b)),
        el("td", {}, row.shift ? `${row.shift.value.toFixed(2)} σ (${row.shift.low.toFixed(2)} … ${row.shift.high.toFixed(2)})` : "–"), el("td", {}, row.ks.p.toPrecision(2))))))),
    el("div", { class: "picture" }, picture(svg)));
}
