// The rules of a game in a few steps, each tried on the board.

import { $, el, redraw } from "./dom.js";
import { BoardView } from "./board.js";
import { gameName, t } from "./i18n.js";
import { boardOf, makeState, play } from "./state.js";

/** Whether a move is what a step asks for; any will do where it names none.
 *  @param {Lesson} lesson
 *  @param {string} move */
export const isAsked = ({ moves }, move) => !moves.length || moves.includes(move);

/** @param {GameInfo} info */
export async function showLessons(info) {
  const { lessons } = info.page;
  const dialog = $("dialog");
  const host = el("div", { class: "board edited lesson-board" }), words = el("div", { class: "lesson-words", role: "status", "aria-live": "polite" }), buttons = el("div", { class: "row end" });
  let at = 0;
  dialog.replaceChildren(el("div", { class: "editor" }, el("h2", {}, t("lesson.title", { game: gameName(info) })), words, host, buttons));
  dialog.onclose = null;

  /** @param {string} said */
  function draw(said) {
    const done = said === "lesson.right";
    const last = at === lessons.length - 1;
    redraw(words, el("p", {}, el("small", { class: "dim" }, `${at + 1}/${lessons.length} `), t(lessons[at].text)),
      el("p", { class: done ? "good" : "dim", id: "lesson-said" }, t(said)));
    redraw(buttons, el("button", { type: "button", id: "lesson-back", disabled: at === 0, onclick: () => step(at - 1) }, t("lesson.back")),
      el("button", { type: "button", id: "lesson-next", class: done ? "primary" : "", onclick: () => (last ? dialog.close() : step(at + 1)) }, t(last ? "close" : "lesson.next")));
  }

  /** @param {number} n */
  async function step(n) {
    at = n;
    const lesson = lessons[at];
    const state = makeState(info, { start: lesson.start });
    host.replaceChildren();
    const stage = el("div", { class: "lesson-stage" });
    host.append(stage);
    const view = new BoardView(stage, state);
    view.nogesture = true;
    state.listeners.add(() => view.render());
    state.guess = async (move) => {
      if (!isAsked(lesson, move)) { draw("lesson.wrong"); return; }
      await play(state, move);
      state.plays = "";
      view.render();
      draw("lesson.right");
    };
    const board = await boardOf(state, state.node);
    host.style.setProperty("--ratio", String(board.places.width / board.places.height));
    view.render();
    draw("lesson.try");
  }

  await step(0);
  dialog.showModal();
}
