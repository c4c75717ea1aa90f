// A game against the engine, at a level from beginner up, with hint and take-back.

import { analyses, post } from "./api.js";
import { button, el, store, toast } from "./dom.js";
import { CLOCKS, clockName, clockRow, newClock } from "./clock.js";
import { hintMark } from "./kit/marks.js";
import { levelAbout, levelName, sideName, t } from "./i18n.js";
import { headerOf } from "./names.js";
import { backOff, isPassing } from "./retry.js";
import { confirmResign } from "./sure.js";
import { boardOf, changed, goTo, play, recordOf, removeNode, requestOf, stopAnalysis } from "./state.js";

/** @param {State} state */
export function opponentPanel(state) {
  const { opponent, node } = state;
  const { page } = state.info;
  const label = t("play.title");
  if (state.info.hides) {
    return el("section", { class: "panel opponent", "aria-label": label },
      el("h3", {}, label),
      el("div", { class: "wishes" },
        choose(state, page.seatsBy, t(`new.${page.seatsBy}`), seatings(page).map((count) => [count, t("play.players", { count })])), levelChoice(state),
        button(t("play.start"), t("play.start"), () => beginInRoom(state).catch((error) => toast(error.message)), { class: "primary", id: "play-start" })),
      el("p", { class: "dim", id: "level-about" }, levelAbout(state.info, state.wishes.level)),
      el("p", { class: "dim" }, t("play.inRoom")));
  }
  if (!opponent) {
    return el("section", { class: "panel opponent", "aria-label": label },
      el("h3", {}, label),
      el("div", { class: "wishes" },
        choose(state, "side", t("play.side"), state.info.sides.map((side) => [side, sideName(side)])),
        levelChoice(state),
        choose(state, "clock", t("room.clock"), CLOCKS.map((clock) => [clock, clock ? clockName(clock) : t("play.noClock")])),
        button(t("play.start"), t("play.start"), () => begin(state), { class: "primary", id: "play-start" })),
      el("p", { class: "dim", id: "level-about" }, levelAbout(state.info, state.wishes.level)));
  }
  return el("section", { class: "panel opponent", "aria-label": label },
    el("div", { class: "row" },
      el("b", {}, t("play.now", { side: sideName(opponent.you), level: levelName(state.info.levels, opponent.level) })),
      opponent.thinking ? el("span", { class: "dim", id: "thinking" }, t("play.thinking")) : null),
    clockRow(state),
    opponent.failedAt === node ? el("p", { class: "error" }, t("play.noAnswer"), " ", button(t("play.retry"), t("play.retry"), () => tryAgain(state, opponent), { id: "play-retry" })) : null,
    opponent.hint && opponent.hintAt === node ? el("p", { id: "hint-text" }, t("play.hintText", { move: opponent.hint })) : null,
    el("div", { class: "row" },
      button(t("play.hint"), t("play.hint"), () => hint(state), { id: "hint", disabled: opponent.thinking || node.board.over }),
      button(t("play.takeBack"), t("play.takeBack"), () => takeBack(state), { id: "take-back", disabled: opponent.thinking || !state.node.parent }),
      node.board.over ? null : button(t("room.resign"), t("room.resign"), () => confirmResign(() => { if (state.opponent === opponent) resign(state); }), { id: "play-resign" }),
      button(t("play.end"), t("play.end.help"), () => stopPlaying(state), { id: "play-end" })));
}

/** A choice that is kept in the state, so that the panel can be drawn anew meanwhile, and for the next board of the game.
 *  @param {State} state
 *  @param {string} name
 *  @param {string} label
 *  @param {string[][]} options
 *  @param {number} [usual] */
function choose(state, name, label, options, usual = 0) {
  state.wishes ??= {};
  state.wishes[name] ??= (options.find(([value]) => value === lastWishes(state)[name]) || options[usual])[0];
  const chosen = (/** @type {any} */ { target }) => {
    state.wishes[name] = target.value;
    store.set("play", { ...store.get("play", {}), [state.game]: { ...lastWishes(state), [name]: target.value } });
    changed(state);
  };
  return el("label", {}, el("span", {}, label), el("select", { id: `play-${name}`, onchange: chosen },
    options.map(([value, text]) => el("option", { value, selected: value === state.wishes[name] }, text))));
}

/** What was chosen last for the game.
 *  @param {State} state */
const lastWishes = (state) => store.get("play", {})[state.game] || {};

/** @param {State} state */
const levelChoice = (state) => choose(state, "level", t("play.level"), state.info.levels.map((name) => [name, levelName(state.info.levels, name)]), 2);

/** The choices of seats, as the game's field has them.
 *  @param {Descriptor} page */
const seatings = (page) => page.new.find((field) => field.name === page.seatsBy).choices.map(({ value }) => value);

/** A game with secrets is a room, where the server keeps them: you sit below, the engine everywhere else.
 *  @param {State} state */
async function beginInRoom(state) {
  const { level } = state.wishes;
  const { page } = state.info;
  const seats = state.wishes[page.seatsBy];
  const [you, ...others] = page.seats[seats];
  const engines = Object.fromEntries(others.map((seat) => [seat, level]));
  const { id } = await post("/api/rooms", { new: { game: state.game, [page.seatsBy]: Number(seats) }, engines });
  location.assign(`/room.html?id=${encodeURIComponent(id)}&sit=${you}`);
}

/** @param {State} state */
function begin(state) { return beginAgainst(state, state.wishes.side, state.wishes.level); }

/** @param {State} state
 *  @param {string} you
 *  @param {string} level */
export function beginAgainst(state, you, level) {
  stopAnalysis(state);
  state.opponent = { you, level, thinking: false, hint: "", failures: 0, failedAt: null, retry: 0 };
  state.showCandidates = false;
  state.clock = newClock(state.wishes?.clock || "", state.info.sides);
  state.result = null;
  const engine = state.info.sides.find((side) => side !== you);
  state.headers = { ...state.headers, [headerOf(you)]: store.get("name", "") || t("play.you"), [headerOf(engine)]: `Kibitz (${levelName(state.info.levels, level)})`, Date: today() };
  if (state.info.page.turns && (state.below || state.info.sides[0]) !== you) { state.below = you; return goTo(state, state.node); }
  return changed(state);
}

/** The day as PGN writes it. */
const today = () => new Date().toISOString().slice(0, 10).replaceAll("-", ".");

/** Whether the opponent is to move now and has not been asked. After a failure at a position it waits for `tryAgain`.
 *  @param {State} given */
export function isOpponentsTurn({ opponent, node, result }) {
  return Boolean(opponent && node.board) && result?.ending !== "time" && !opponent.thinking && opponent.failedAt !== node
    && !node.board.over && !node.board.counting && node.board.mover !== opponent.you && !node.children.length;
}

/** Asks the opponent for its move when it is its turn; called after every change of the state, never by drawing.
 *  @param {State} state */
export async function followOpponent(state) {
  if (!isOpponentsTurn(state)) return;
  const { opponent, node } = state;
  clearTimeout(opponent.retry);
  Object.assign(opponent, { thinking: true, hint: "", failedAt: null });
  changed(state);
  try {
    const { move } = await post("/api/move", { record: recordOf(state, node), level: opponent.level });
    opponent.failures = 0;
    if (state.opponent === opponent && state.node === node && !state.result) await play(state, move);
  } catch (error) {
    opponent.failures++;
    opponent.failedAt = node;
    if (isPassing(error)) opponent.retry = setTimeout(() => tryAgain(state, opponent), 1000 * backOff(opponent.failures));
    toast(error.message);
  }
  opponent.thinking = false;
  changed(state);
}

/** @param {State} state
 *  @param {Opponent} opponent */
function tryAgain(state, opponent) {
  clearTimeout(opponent.retry);
  opponent.failedAt = null;
  if (state.opponent === opponent) changed(state);
}

/** The engine plays no more; the board stays, and can be analysed.
 *  @param {State} state */
export function stopPlaying(state) {
  clearTimeout(state.opponent.retry);
  state.last = { you: state.opponent.you, level: state.opponent.level };
  Object.assign(state, { opponent: null, showCandidates: true });
  changed(state);
}

/** You give the game up.
 *  @param {State} state */
function resign(state) {
  const { you } = state.opponent;
  state.result = { value: state.node.board.sides[0] === you ? 0 : 1, ending: "resigned" };
  stopPlaying(state);
}

/** @param {State} state */
function hint(state) {
  const { opponent, node } = state;
  analyses.start("hint", requestOf(state, { budget: { seconds: 1 }, top: 3 }), (message) => {
    if (message.type !== "report" || !message.report.final || state.node !== node) return;
    const { best } = message.report;
    Object.assign(opponent, { hint: node.board.moveNames[best] || best, hintAt: node });
    state.shownHint = hintMark(node, node.board.places, best);
    changed(state);
  });
}

/** Back to your last turn; the moves since then are gone.
 *  @param {State} state */
export async function takeBack(state) {
  if (state.opponent.thinking || !state.node.parent) return;
  let { node } = state;
  do {
    removeNode(state, node);
    node = node.parent;
  } while (node.parent && (await boardOf(state, node)).mover !== state.opponent.you); // of a game that was reloaded, boards are not known
  if (state.result) state.result = null;
  state.opponent.hint = "";
  await goTo(state, node);
}
