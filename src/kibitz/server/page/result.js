// How a game ended: who won and why, and what to do next. One view for every game, on the board and in rooms.

import { $, button, el, redraw } from "./dom.js";
import { sideName, t } from "./i18n.js";
import { named } from "./names.js";
import { scoreLines } from "./counting.js";

/** Who won.
 *  @param {string[]} sides
 *  @param {number | null} value the first side's */
export const winnerText = (sides, value) =>
  (value === null ? t("over.none") : value === 0.5 ? t("over.draw") : t("over.win", { side: sideName(sides[value === 1 ? 0 : 1]) }));

/** The side that lost, for sentences about it.
 *  @param {string[]} sides
 *  @param {number | null} value */
const loser = (sides, value) => sideName(sides[value === 1 ? 1 : 0]);

/** Why, where it was not by the rules: the code of an ending as rooms and saved games have them.
 *  @param {string} ending
 *  @param {string[]} sides
 *  @param {number | null} value */
export function endingText(ending, sides, value) {
  const name = { resign: "resigned", resigned: "resigned", time: "time", agreed: "agreed" }[ending];
  return name ? t(`result.${name}`, { side: loser(sides, value) }) : "";
}

/** Shows or hides the view over the board. `actions` are buttons.
 *  @param {{ info: GameInfo, sides: string[], value: number | null, ending: string, said: Sentence[], actions: any[], close: () => void } | null} given */
export function drawResult(given) {
  const place = $("result");
  place.hidden = !given;
  if (!given) return;
  const { info, sides, value, ending, said, actions, close } = given;
  const why = endingText(ending, sides, value);
  place.setAttribute("aria-label", t("result.title"));
  redraw(place,
    button("×", t("close"), close, { class: "quiet result-close", id: "result-close" }),
    el("h2", { id: "result-winner" }, winnerText(sides, value)),
    why ? el("p", { id: "result-why" }, why) : null,
    !why && said.length ? scoreLines(named(info, said)) : null,
    el("div", { class: "row", id: "result-actions" }, actions));
}
