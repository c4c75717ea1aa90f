// The steering gesture, the same in every game: a small menu for a move, from the board or from the list.

import { $, button, el, store } from "./dom.js";
import { t } from "./i18n.js";
import { nameOf, pieceName } from "./names.js";
import { asked, minVisits, steer } from "./state.js";

/** @param {State} state
 *  @param {string[]} moves
 *  @param {number} x
 *  @param {number} y */
export function openGesture(state, moves, x, y) {
  const place = $("popover");
  let move = moves[0];
  const close = () => { place.hidden = true; };
  /** @param {string} kind
   *  @param {number} amount */
  const act = (kind, amount = 0) => { state.preview = null; steer(state, kind, move, amount); close(); };

  function draw() {
    const now = asked(state.node, move);
    const visits = el("input", { type: "number", min: 1, max: 1000000, value: String(now.include || minVisits()), "aria-label": t("steer.minVisits") });
    const guarantee = () => {
      const amount = Math.max(1, Math.round(Number(visits.value)) || 1);
      store.set("minVisits", amount);
      act("include", amount);
    };
    visits.addEventListener("keydown", (event) => { if (event.key === "Enter") guarantee(); });
    place.replaceChildren(...[
      moves.length > 1
        ? el("select", { "aria-label": t("move"), onchange: (event) => { move = event.target.value; draw(); } },
            moves.slice(0, 60).map((one) => el("option", { value: one, selected: one === move }, nameOf(state, one))))
        : el("strong", {}, nameOf(state, move)),
      el("div", { class: "gesture-row" },
        button(t("steer.include"), t("steer.include.help"), guarantee, { class: "include", "data-act": "include", "aria-pressed": String(Boolean(now.include)) }), visits),
      el("div", { class: "gesture-row" },
        button(t("steer.avoid"), t("steer.avoid.help"), () => act("avoid"), { class: "avoid", "data-act": "avoid", "aria-pressed": String(now.avoid) }),
        button(t("steer.allow"), t("steer.allow.help"), () => act("allow"), { class: "allow", "data-act": "allow", "aria-pressed": String(now.allow) })),
      el("div", { class: "gesture-row" }, el("span", {}, t("steer.weights")),
        [0.25, 0.5, 2, 4].map((factor) => button(`×${{ 0.25: "¼", 0.5: "½" }[factor] || factor}`, t("steer.weights.help"), () => act("weights", factor),
          { class: "weights", "data-act": `weights-${factor}`, "aria-pressed": String(now.weight === factor) }))),
      now.include || now.avoid || now.allow || now.weight
        ? button(t("steer.clear"), t("steer.clear"), () => act("clear"), { class: "quiet", "data-act": "clear" }) : "",
    ].filter(Boolean));
  }

  draw();
  showAt(place, x, y, close);
}

/** Shows the popover at a point; a press elsewhere or Escape closes it.
 *  @param {HTMLElement} place
 *  @param {number} x
 *  @param {number} y
 *  @param {() => void} close */
function showAt(place, x, y, close) {
  place.hidden = false;
  const box = place.getBoundingClientRect();
  place.style.left = `${Math.max(8, Math.min(x + 6, innerWidth - box.width - 8))}px`;
  place.style.top = `${Math.max(8, Math.min(y + 6, innerHeight - box.height - 8))}px`;
  /** @param {any} event */
  const outside = (event) => {
    if (!place.hidden && place.contains(event.target)) return;
    document.removeEventListener("pointerdown", outside, true);
    if (!place.hidden) close();
  };
  setTimeout(() => document.addEventListener("pointerdown", outside, true));
  place.onkeydown = (event) => { if (event.key === "Escape") { event.stopPropagation(); close(); $("board").focus(); } };
  place.querySelector("button")?.focus({ preventScroll: true });
}

/** What a hidden piece may be: the player's own note, which goes with the piece.
 *  @param {State} state
 *  @param {Piece} piece
 *  @param {number} x
 *  @param {number} y
 *  @param {() => void} noted */
export function openSuspects(state, piece, x, y, noted) {
  const place = $("popover");
  const key = `${piece.side}${piece.number}`;
  const close = () => { place.hidden = true; };
  /** @param {string} kind */
  const note = (kind) => {
    const { [key]: _, ...rest } = state.suspects || {};
    state.suspects = kind ? { ...rest, [key]: kind } : rest;
    close();
    noted();
  };
  place.replaceChildren(el("strong", {}, t("suspect")), el("div", { class: "suspects" },
    state.info.page.suspects.map((kind) => button(pieceName(state.info, kind), t("suspect.help"), () => note(kind), { "data-suspect": kind, "aria-pressed": String(state.suspects?.[key] === kind) })),
    button("×", t("suspect.none"), () => note(""), { "data-suspect": "" })));
  showAt(place, x, y, close);
}
