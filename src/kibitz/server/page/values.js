// Values as the user likes them: per cent, pawns, both; mates are counted in moves.

import { look } from "./look.js";

/** Plies that a mate's score is away from the score of a mate on the board, in its hundredths.
 *  @param {number} score
 *  @param {number} mate */
const pliesOf = (score, mate) => Math.round(100 * (mate - Math.abs(score)));

/** Mate in so many moves of the side that mates, below zero for who is mated; 0 where it is none.
 *  @param {{ score: number | null, proven: Proven, line?: string[] }} info
 *  @param {number} mate the score of a mate on the board, 0 in games without mates */
export function mateIn({ score, proven }, mate) {
  if (!mate || score === null || score === undefined || (proven !== "win" && proven !== "loss")) return 0;
  const plies = pliesOf(score, mate);
  if (plies < 0 || plies > 999) return 0;
  return proven === "win" ? Math.ceil(plies / 2) || 1 : -(Math.floor(plies / 2) || 1);
}

/** @param {number} value
 *  @param {number} digits */
export function signed(value, digits) {
  const size = Math.abs(value).toFixed(digits);
  return `${Number(size) === 0 ? "" : value > 0 ? "+" : "−"}${size}`;
}

/** What is written for a value: on a candidate of the board (`brief`), or in a table.
 *  @param {{ value: number, score: number | null, proven: Proven }} info
 *  @param {GameInfo} game
 *  @param {boolean} [brief]
 *  @param {string} [figures] */
export function valueText(info, game, brief = false, figures = look.figures(game)) {
  const { value, score, proven } = info;
  const { mateScore, points } = game.page;
  const mate = mateIn(info, mateScore);
  const percent = `${(100 * value).toFixed(brief ? 0 : 1)}${brief ? "" : "%"}`;
  if (mate) return brief || figures !== "percent" ? `#${mate}` : `${percent} #${mate}`;
  if (brief && points && proven && score !== null) return signed(Math.round(score), 0);
  const known = game.page.figures.length > 1 && score !== null && score !== undefined;
  if (!known || figures === "percent") return percent;
  return brief || figures === "pawns" ? signed(score, brief ? 1 : 2) : `${percent} ${signed(score, 2)}`;
}
