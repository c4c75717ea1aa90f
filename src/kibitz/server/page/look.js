// How the user likes boards: colours, pieces, sounds, pace, figures. Kept in the browser.

import { store } from "./dom.js";
import { language } from "./i18n.js";

export const THEMES = ["wood", "green", "blue", "grey"];
/** How long a move is seen to move, in milliseconds. */
export const PACES = /** @type {Record<string, number>} */ ({ none: 0, fast: 120, normal: 220, slow: 450 });
/** Where a game hides something, moves are to be followed one by one. */
const HIDING = 2;
const NAMES = /** @type {Record<string, string>} */ ({ en: "english", ko: "korean", "zh-Hans": "chinese", "zh-Hant": "traditional" });

export const look = {
  theme: () => store.get("boardTheme", THEMES[0]),
  sounds: () => store.get("sounds", true),
  /** @param {GameInfo} info */
  pace: (info) => (PACES[store.get("pace", "normal")] ?? PACES.normal) * (info.hides ? HIDING : 1),
  /** @param {GameInfo} info */
  figures: (info) => store.get(`figures.${info.name}`, "percent"),
  /** The set of pieces, as the server is asked for it.
   *  @param {GameInfo} info */
  pieces: (info) => store.get(`pieces.${info.name}`, info.page.pieceSets?.[0] || ""),
  /** The language of names on pieces. */
  names: () => NAMES[language],
};

export function applyLook() { document.documentElement.dataset.board = look.theme(); }

/** Light or dark, the other of what is shown. */
export function toggleTheme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  store.set("theme", root.dataset.theme);
}
