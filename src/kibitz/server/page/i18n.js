// Texts in the reader's language; English where one is missing.

import { store } from "./dom.js";

export const LANGUAGES = { en: "English", ko: "한국어", "zh-Hans": "简体中文", "zh-Hant": "繁體中文" };

let texts = {};
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

const read = async (name) => (await fetch(new URL(`i18n/${name}.json`, import.meta.url))).json();

export async function loadLanguage(name = preferred()) {
  [fallback, texts] = await Promise.all([read("en"), read(name)]);
  language = name;
  document.documentElement.lang = name;
}

export function chooseLanguage(name) {
  store.set("language", name);
  return loadLanguage(name);
}

/** The text of a key, its `{names}` filled in. */
export function t(key, values = {}) {
  const text = texts[key] ?? fallback[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

export const has = (key) => key in texts || key in fallback;

/** A level of an opponent: its place among those of the game, and its name. */
export const levelName = (levels, name) => t("play.levelName", { level: levels.indexOf(name) + 1, name: has(`strength.${name}`) ? t(`strength.${name}`) : name });

/** A side's or seat's name. */
export const sideName = (name) => (has(`side.${name}`) ? t(`side.${name}`) : name);
