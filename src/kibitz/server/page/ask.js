// Questions about the position: why, why not, refute, line, threat, what changed (docs/why.md).

import { analyses } from "./api.js";
import { button, el } from "./dom.js";
import { errorText, t, word } from "./i18n.js";
import { changed, requestOf } from "./state.js";
import { whyList } from "./why.js";

const SECONDS = 3;
/** The questions as the server reads them, and whether moves belong to them. */
/** @type {Record<string, boolean>} */
const KINDS = { "why not": true, why: true, refute: true, line: true, threat: false, "what changed": false };

/** What was asked at each position.
 *  @type {WeakMap<GameNode, { running: boolean, error: string, refused: Sentence[], replies: Reply[] }>} */
const asked = new WeakMap();
/** What stands in the fields. */
const typed = { kind: "why not", moves: "" };

/** @param {State} state */
function ask(state) {
  const { node } = state;
  const moves = KINDS[typed.kind] ? typed.moves.trim() : "";
  const found = { running: true, error: "", refused: /** @type {Sentence[]} */ ([]), replies: /** @type {Reply[]} */ ([]) };
  asked.set(node, found);
  const request = requestOf(state, { budget: { seconds: SECONDS } });
  request.steering = { ...(request.steering || {}), ask: [`${typed.kind} ${moves}`.trim()] };
  analyses.start("ask", request, (message) => {
    if (message.type === "report" && message.report.final) {
      found.replies = message.report.replies || [];
      found.refused = message.report.steering.refused.filter((/** @type {any} */ item) => item.kind === "ask").map((/** @type {any} */ item) => item.why);
    }
    if (message.type === "error") found.error = errorText(message);
    if (message.type === "lost") found.error = t("error.away");
    if (message.type !== "report") found.running = false;
    changed(state);
  }).catch((error) => { found.running = false; found.error = error.message; changed(state); });
  changed(state);
}

/** The reply: what was found, then the facts, whose evidence is drawn where it is of this position.
 *  @param {State} state
 *  @param {Reply} reply */
function replyText(state, reply) {
  const reasons = reply.facts.filter((fact) => fact.sentence && reply.said.some((one) => one.code === fact.sentence.code && one.text === fact.sentence.text));
  const here = !reply.position;
  const said = reply.said.filter((one) => !here || !reasons.some((fact) => fact.sentence.text === one.text));
  return el("li", { "data-move": reply.question },
    el("b", {}, reply.question), " ", said.map((one) => word(one)).join("; "),
    here ? whyList(state, reasons, state.node) : null,
    reply.steps?.length ? el("ol", { class: "steps" }, reply.steps.map((step) => el("li", {},
      `${step.name}: ${(100 * step.value).toFixed(1)}%`, step.cost > 0.0005 ? el("small", {}, ` −${(100 * step.cost).toFixed(1)} (${step.bestName})`) : null))) : null);
}

/** @param {State} state */
export function askForm(state) {
  const { board } = state.node;
  if (!board || board.over || !board.legalMoves.length) return null;
  const found = asked.get(state.node);
  const kinds = Object.keys(KINDS).filter((kind) => kind !== "what changed" || state.node.parent);
  return el("div", { class: "ask" },
    el("form", { id: "ask", onsubmit: (event) => { event.preventDefault(); ask(state); } },
      el("select", { "aria-label": t("question.kind"), onchange: (event) => { typed.kind = event.target.value; changed(state); } },
        kinds.map((kind) => el("option", { value: kind, selected: kind === typed.kind }, t(`question.${kind.replace(" ", "-")}`)))),
      KINDS[typed.kind] ? el("input", {
        "aria-label": t("question.moves"), placeholder: t("question.moves"), maxlength: 400, value: typed.moves, autocomplete: "off", spellcheck: "false",
        oninput: (event) => { typed.moves = event.target.value; },
      }) : null,
      button(t("question.go"), t("question.help"), () => ask(state), { class: "quiet", disabled: found?.running || false })),
    found?.running ? el("p", { class: "dim", role: "status" }, t("question.running")) : null,
    found?.error ? el("p", { class: "error", role: "alert" }, found.error) : null,
    found?.refused.length ? el("p", { class: "error", role: "alert" }, found.refused.map((one) => word(one)).join("; ")) : null,
    found?.replies.length ? el("ul", { class: "replies", "aria-live": "polite" }, found.replies.map((reply) => replyText(state, reply))) : null);
}
