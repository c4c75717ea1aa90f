// The bar at the top: the games, the tools that are used most, and the others in a menu.

import { $, button, el } from "./dom.js";
import { LANGUAGES, chooseLanguage, gameName, language, sideName, t } from "./i18n.js";
import { toggleTheme } from "./look.js";

/** Where a bar with all its tools has no room: a phone, upright or lying. */
const narrow = matchMedia("(max-width: 860px), (max-height: 520px)");

/** @typedef {{ state: State | null, rows: GameInfo[], acts: Record<string, (event?: any) => unknown>, open: (game: string) => unknown, redrawn: () => unknown }} TopGiven */

/** @param {() => TopGiven} given */
export function followTop(given) {
  narrow.addEventListener("change", () => drawTop(given()));
  document.addEventListener("pointerdown", (event) => { if (!$("tools").contains(/** @type {Node} */ (event.target))) showMenu(false); }, true);
}

/** @param {boolean} shown */
function showMenu(shown) {
  const menu = $("menu"), opener = $("more");
  if (!menu || menu.hidden === !shown) return;
  menu.hidden = !shown;
  opener.setAttribute("aria-expanded", String(shown));
  if (shown) /** @type {HTMLElement} */ (menu.querySelector("button, a, select"))?.focus();
}

/** @param {TopGiven} given */
export function drawTop(given) {
  const { state, rows, acts, open } = given;
  const typing = $("move-input").querySelector("input");
  typing.placeholder = t("typeMove");
  typing.setAttribute("aria-label", t("typeMove"));
  $("games").replaceChildren(...rows.map((row) => button(gameName(row), gameName(row), () => open(row.name),
    { "aria-pressed": String(state?.game === row.name), "data-game": row.name })));
  $("games").querySelector('[aria-pressed="true"]')?.scrollIntoView({ block: "nearest", inline: "nearest" });
  const [inBar, inMenu] = tools(given);
  const opener = button("☰", t("more"), () => showMenu($("menu").hidden), { id: "more", "aria-expanded": "false", "aria-controls": "menu" });
  const menu = el("div", { class: "menu", id: "menu", hidden: true, onclick: (event) => { if (event.target.closest("button")) showMenu(false); } }, inMenu);
  menu.addEventListener("keydown", (event) => { if (event.key === "Escape") { event.stopPropagation(); showMenu(false); opener.focus(); } });
  $("tools").replaceChildren(...inBar, opener, menu);
}

/** The tools of the bar, and those of the menu.
 *  @param {TopGiven} given
 *  @returns {[any[], any[]]} */
function tools(given) {
  const { state, acts } = given;
  const make = button(t("new"), t("new.help"), acts.newGame, { id: "new" });
  const mine = button(t("mine"), t("mine.help"), acts.openMyGames, { id: "my-games" });
  const flip = state?.info.page.turns ? [button("⇅", t("flip"), acts.flip, { id: "flip" })] : [];
  const views = state ? [
    ...(state.info.hides ? [seatChoice(state, given)] : []),
    ...state.info.page.layers.filter(({ kind }) => kind !== "beliefs" || state.seat).map(({ kind }) => toggle(kind, given))] : [];
  const often = [
    button(t("open"), t("record.title"), acts.openFile, { id: "open" }),
    button(t("share"), t("share"), acts.share, { id: "share" }),
    button(t("room"), t("room.help"), acts.newRoom, { id: "room" }),
    ...(state?.info.page.lessons?.length ? [button(t("rules"), t("rules.help"), acts.rules, { id: "rules" })] : [])];
  const seldom = [
    ...(state ? [button(`✎ ${t("edit")}`, t("edit"), acts.edit, { id: "edit" })] : []),
    button(t("compare"), t("compare.help"), acts.comparing, { id: "compare-open" }),
    el("a", { href: "/lab.html", class: "tool", id: "lab-link" }, t("lab")),
    ...(state ? [button(`♟ ${t("look")}`, t("look"), acts.chooseLook, { id: "look" })] : []),
    button(`◐ ${t("theme")}`, t("theme"), toggleTheme, { id: "theme" }),
    button(`? ${t("help")}`, t("help"), acts.help, { id: "help" }),
    languageChoice(given)];
  return narrow.matches ? [[make, ...flip, mine], [...views, ...often, ...seldom]] : [[make, ...flip, ...views, mine, ...often], seldom];
}

/** @param {TopGiven} given */
const languageChoice = (given) => el("select", { id: "language", "aria-label": t("language"), onchange: async (event) => { await chooseLanguage(event.target.value); drawTop(given); await given.redrawn(); } },
  Object.entries(LANGUAGES).map(([name, title]) => el("option", { value: name, selected: name === language }, title)));

/** Something that is drawn over the board, or not.
 *  @param {string} name
 *  @param {TopGiven} given */
function toggle(name, given) {
  const { layers } = given.state;
  return button(t(name), t(`${name}.help`), () => {
    if (!layers.delete(name)) layers.add(name);
    drawTop(given);
    given.redrawn();
  }, { id: name, "aria-pressed": String(layers.has(name)) });
}

/** @param {State} state
 *  @param {TopGiven} given */
function seatChoice(state, given) {
  const seats = ["", ...(state.node.board?.seats || [])];
  return el("select", { id: "seat", "aria-label": t("seat"), onchange: async (event) => { state.seat = event.target.value; if (state.seat) state.below = state.seat; await given.redrawn(); drawTop(given); } },
    seats.map((seat) => el("option", { value: seat, selected: seat === state.seat }, seat ? t("seat.view", { seat: sideName(seat) }) : t("seat.all"))));
}
