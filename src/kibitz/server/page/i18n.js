// Texts in the reader's language; English where one is missing.

import { store } from "./dom.js";

export const LANGUAGES = { en: "English", ko: "한국어", "zh-Hans": "简体中文", "zh-Hant": "繁體中文" };

let texts = {};
let fallback = {};
let sentences = [];
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
  sentences = Object.keys(fallback).filter((key) => key.startsWith(SAY)).sort((a, b) => b.length - a.length).map((key) => [key, pattern(key.slice(SAY.length))]);
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

// -- what the server says --------------------------------------------------------------------------------

/** Keys of its sentences: this, and the English one with what changes in braces. */
const SAY = "say.";

const pattern = (sentence) => new RegExp(`^${sentence.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\{(\w+)\}/g, "(?<$1>.+?)")}$`, "s");

function sentence(text) {
  for (const [key, form] of sentences) {
    const match = form.exec(text);
    if (!match) continue;
    const { seat, ...values } = match.groups || {};
    return t(key, { ...values, seat: seat && sideName(seat) });
  }
  return null;
}

/** What happened, or why something was refused, in the reader's language; English where it has no words for it. */
export const said = (text) => (language === "en" ? text : sentence(text) ?? text.split("; ").map((part) => sentence(part) ?? part).join("; "));
