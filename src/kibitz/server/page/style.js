// The style dial, in games that have styles, with the score S of the game so far.

import { el } from "./dom.js";
import { t } from "./i18n.js";
import { post } from "./api.js";
import { changed, recordOf, startAnalysis } from "./state.js";

const scores = new Map();

export function stylePanel(state) {
  const { info, style } = state;
  if (!info.styles.length) return null;
  const set = (name, strength) => {
    Object.assign(style, { name, strength });
    if (state.running) startAnalysis(state);
    changed(state);
  };
  // Junqi's styles are on or off; chess has strengths.
  const dial = state.game === "chess"
    ? el("input", { type: "range", id: "style-dial", min: 0, max: 1, step: 0.1, value: String(style.strength), "aria-label": t("style.dial"), oninput: (event) => set(style.name, Number(event.target.value)) })
    : el("select", { id: "style-dial", "aria-label": t("style.dial"), onchange: (event) => set(event.target.value || style.name, event.target.value ? 1 : 0) },
        ["", ...info.styles].map((name) => el("option", { value: name, selected: style.strength > 0 ? name === style.name : !name }, name ? t(`style.${name}`) : t("style.off"))));
  return el("section", { class: "panel style", "aria-label": t("style") },
    el("h3", {}, t("style"), " ", el("span", { class: "dim", id: "style-now" }, style.strength > 0 ? `${t(`style.${style.name}`)} ${state.game === "chess" ? style.strength.toFixed(1) : ""}` : t("style.off"))),
    dial, state.game === "chess" ? scoreLine(state) : null);
}

/** S of the moves so far, and with the best line that was found; asked once for each. */
function scoreLine(state) {
  const { node } = state;
  const line = node.report?.moves[0]?.line || [];
  const now = score(state, []), then = line.length ? score(state, line) : null;
  const text = now ? t("style.score", { s: now.s.toFixed(2) }) + (then ? ` · ${t("style.then", { s: then.s.toFixed(2) })}` : "") : " ";
  return el("p", { class: "dim", id: "style-score" }, text);
}

function score(state, line) {
  const record = recordOf(state, state.node, line);
  const key = JSON.stringify(record);
  if (!scores.has(key)) {
    scores.set(key, null);
    post("/api/style", { record }).then((answer) => { scores.set(key, answer); changed(state); }, () => {});
  }
  return scores.get(key);
}
