// Texts in the reader's language; English where one is missing.

import { store } from "./dom.js";

export const LANGUAGES = { en: "English", ko: "한국어", "zh-Hans": "简体中文", "zh-Hant": "繁體中文" };

/** @type {Record<string, string>} */
let texts = {};
/** @type {Record<string, string>} */
let fallback = {};
export let language = "en";

function preferred() {
  const chosen = store.get("language", "");
  if (chosen in LANGUAGES) return chosen;
  for (const wanted of navigator.languages || []) {
    if (/^zh\b.*(Hant|TW|HK|MO)/i.test(wanted)) return "zh-Hant";
    if (/^zh\b/i.test(wanted)) return "zh-Hans";
    if (/^ko\b/i.test(wanted)) return "ko";
    if (/^en\b/i.test(wanted)) return "en";
  }
  return "en";
}

/** @param {string} name */
const read = async (name) => (await fetch(new URL(`i18n/${name}.json`, import.meta.url))).json();

/** @param {string} [name] */
export async function loadLanguage(name = preferred()) {
  [fallback, texts] = await Promise.all([read("en"), name === "en" ? null : read(name)]);
  texts ??= fallback;
  language = name;
  document.documentElement.lang = name;
}

/** @param {string} name */
export function chooseLanguage(name) {
  store.set("language", name);
  return loadLanguage(name);
}

/** The text of a key, its `{names}` filled in; `{name%1}` is a share as per cent with one digit.
 *  @param {string} key
 *  @param {Record<string, any>} [values]
 *  @returns {string} */
export function t(key, values = {}) {
  const text = texts[key] ?? fallback[key] ?? key;
  return text.replace(/\{(\w+)(?:%(\d))?\}/g, (_, name, digits) => {
    const value = values[name] ?? "";
    if (digits) return `${(100 * value).toFixed(digits)}%`;
    if (typeof value === "number") return String(Number(value.toPrecision(6)));
    if (Array.isArray(value)) return value.some(isSentence) ? enumerated(value.map((one) => word(one))) : value.join(" ");
    return isSentence(value) ? word(value) : value;
  });
}

/** @param {any} value */
const isSentence = (value) => typeof value?.code === "string";

/** @param {string[]} words */
const enumerated = (words) => (words.length > 1 ? words.slice(0, -1).join(t("list.comma")) + t("list.and") + words.at(-1) : words[0]);

/** @param {string} key */
export const has = (key) => key in texts || key in fallback;

/** A level of an opponent: its place among those of the game, and its name.
 *  @param {string[]} levels
 *  @param {string} name */
export const levelName = (levels, name) => t("play.levelName", { level: levels.indexOf(name) + 1, name: textOr(`strength.${name}`, name) });

/** What to expect of a level, the same in every game, and its rating above the first; "" for one that a game names itself.
 *  @param {GameInfo} info
 *  @param {string} name */
export const levelAbout = ({ levels, ratings }, name) => [textOr(`strength.${name}.about`, ""),
  ratings[name] ? t("play.rating", { elo: ratings[name], level: textOr(`strength.${levels[0]}`, levels[0]) }) : ""].filter(Boolean).join(" · ");

/** The text of a key, where there is one; otherwise another.
 *  @param {string} key
 *  @param {any} otherwise */
const textOr = (key, otherwise) => (has(key) ? t(key) : otherwise);

/** A side's or seat's name.
 *  @param {string} name */
export const sideName = (name) => textOr(`side.${name}`, name);

/** A game's name; `title` is the server's.
 *  @param {{ name: string, title?: string }} given */
export const gameName = ({ name, title = name }) => textOr(`game.${name}`, title);

/** A style's name.
 *  @param {string} name */
export const styleName = (name) => textOr(`style.${name}`, name);

/** A kind of file that games are saved as, explained.
 *  @param {string} kind */
export const fileName = (kind) => textOr(`save.${kind}`, `.${kind}`);

/** What a record is: its format, or a position or moves that were pasted.
 *  @param {string} kind */
export const recordName = (kind) => textOr(`record.kind.${kind}`, textOr(`game.${kind}`, kind.toUpperCase()));

/** A text by its key; what is no key is the text itself.
 *  @param {string} text */
export const label = (text) => textOr(text, text);

/** A sentence that came as a code with values, in the reader's language; English where it has no words for it.
 *  @param {Sentence} sentence
 *  @param {(move: string) => string} [name] how moves are written */
export function word({ code, values, text }, name = (move) => move) {
  if (!has(code)) return text ?? code;
  const named = { ...values };
  for (const key of ["seat", "side", "mover"]) if (named[key]) named[key] = sideName(named[key]);
  if (named.game) named.game = gameName({ name: named.game });
  for (const key of ["move", "best"]) if (named[key]) named[key] = name(named[key]);
  return t(code, named);
}

/** Several sentences about one thing.
 *  @param {Sentence[]} sentences
 *  @param {string} [between]
 *  @param {(move: string) => string} [name] */
export const worded = (sentences, between = ", ", name = undefined) => sentences.map((sentence) => word(sentence, name)).join(between);

/** An error that the server sent.
 *  @param {{ error: string, code?: string, values?: Record<string, any> }} message */
export const errorText = ({ error, code, values }) => (code ? word({ code, values: values || {}, text: error }) : error);
