// What can be taken away: a link, a picture, data, the same request for Python and for the command line.

import { $, button, el, toast } from "./dom.js";
import { post } from "./api.js";
import { fileName, t } from "./i18n.js";
import { linkOf } from "./links.js";
import { rowsOf } from "./saved.js";
import { movesTo, recordOf, requestOf } from "./state.js";

// -- the same request elsewhere -----------------------------------------------------------------------

/** @param {string} text */
const quoted = (text) => JSON.stringify(text);
/** @param {any} items */
const list = (items) => `[${items.map(quoted).join(", ")}]`;
/** @param {any} items */
const table = (items) => `{${Object.entries(items).map(([key, value]) => `${quoted(key)}: ${value}`).join(", ")}}`;

/** @param {State} state */
export function asPython(state) {
  const { steering } = state.node;
  const wishes = ["seconds=5"];
  if (Object.keys(steering.include).length) wishes.push(`include=${table(steering.include)}`);
  if (steering.avoid.length) wishes.push(`avoid=${list(steering.avoid)}`);
  if (steering.allow.length) wishes.push(`allow=${list(steering.allow)}`);
  if (Object.keys(steering.weights).length) wishes.push(`weights=${table(steering.weights)}`);
  if (state.style.strength > 0) wishes.push(`style=${quoted(`${state.style.name}:${state.style.strength}`)}`);
  const { record } = state.node.board;
  const start = quoted(record.start);
  const moves = movesTo(state.node).map(quoted).join(", ");
  const position = `kibitz.${state.game}.Position(${start})${moves ? `.play(${moves})` : ""}`;
  return `import kibitz\n\nposition = ${position}\nreport = kibitz.analyze(position, ${wishes.join(", ")})\nprint(report)\n`;
}

/** @param {string} text */
const shell = (text) => (/^[\w.:=/-]+$/.test(text) && !text.startsWith("-") ? text : `'${text.replace(/'/g, "'\\''")}'`);

/** @param {State} state */
export function asCommand(state) {
  const { steering } = state.node;
  // A notation that begins with a dash would be taken for an option; the command strips the space.
  const notation = state.node.board.notation.replace(/^-/, " -");
  const words = ["kibitz", "analyze", state.game, shell(notation), "--seconds", "5"];
  const included = Object.entries(steering.include);
  for (const [move] of included) words.push("--include", shell(move));
  if (included.length) words.push("--min-visits", String(Math.max(...included.map(([, count]) => count))));
  for (const move of steering.avoid) words.push("--avoid", shell(move));
  for (const move of steering.allow) words.push("--allow", shell(move));
  for (const [move, factor] of Object.entries(steering.weights)) words.push("--weight", shell(`${move}=${factor}`));
  if (state.style.strength > 0) words.push("--style", `${state.style.name}:${state.style.strength}`);
  return words.join(" ");
}

// -- pictures and data ----------------------------------------------------------------------------------

function svgText() {
  const svg = /** @type {SVGSVGElement} */ ($("board").querySelector("svg").cloneNode(true));
  const box = svg.viewBox.baseVal;
  svg.setAttribute("width", String(box.width));
  svg.setAttribute("height", String(box.height));
  // The page's style sheet is not part of the picture.
  for (const one of svg.querySelectorAll("text.kit-text")) one.setAttribute("font-family", "Segoe UI, Noto Sans, sans-serif");
  return new XMLSerializer().serializeToString(svg);
}

/** @param {string} name
 *  @param {Blob} blob */
export function save(name, blob) {
  const link = el("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** @param {State} state */
export const saveSvg = (state) => save(`${state.game}.svg`, new Blob([svgText()], { type: "image/svg+xml" }));

/** @param {State} state */
export async function savePng(state) {
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([svgText()], { type: "image/svg+xml" }));
  await image.decode();
  const canvas = el("canvas", { width: 2 * image.width, height: 2 * image.height });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(image.src);
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  save(`${state.game}.png`, blob);
}

/** @param {State} state */
export function saveJson(state) {
  const data = state.node.report || requestOf(state);
  save(`${state.game}.json`, new Blob([JSON.stringify(data, null, 1)], { type: "application/json" }));
}

/** A game as a file of a kind that its board offers (`saves`).
 *  @param {string} kind
 *  @param {GameRecord} record
 *  @param {Record<string, string>} [headers]
 *  @param {any[]} [tree] */
export async function saveGame(kind, record, headers = {}, tree = []) {
  try {
    const { data } = await post("/api/save", { record, kind, headers, tree });
    save(`game.${kind}`, new Blob([Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0))]));
  } catch (error) { toast(error.message); }
}

/** @param {string} text */
async function copy(text) {
  try { await navigator.clipboard.writeText(text); toast(t("share.copied")); } catch { toast(t("share.select")); }
}

/** @param {State} state */
export function shareDialog(state) {
  const dialog = $("dialog");
  /** @param {string} key
   *  @param {string} text
   *  @param {string} id */
  const row = (key, text, id) => el("div", { class: "share-row" }, el("label", { for: id }, t(key)),
    el("textarea", { id, rows: key === "share.python" ? 6 : 2, readonly: true, value: text, onclick: (event) => event.target.select() }),
    button(t("share.copy"), t("share.copy"), () => copy(text)));
  dialog.replaceChildren(...[el("h2", {}, t("share")),
    state.saver?.version ? row("share.game", `${location.origin}/g/${state.saver.id}`, "share-game") : null,
    row("share.link", linkOf(state), "share-link"),
    row("share.python", asPython(state), "share-python"),
    row("share.command", asCommand(state), "share-command"),
    el("div", { class: "row" },
      button("SVG", "SVG", () => saveSvg(state), { id: "save-svg" }), button("PNG", "PNG", () => savePng(state), { id: "save-png" }),
      button("JSON", "JSON", () => saveJson(state), { id: "save-json" }),
      state.node.board.saves.map((kind) => button(`.${kind}`, fileName(kind), () => saveGame(kind, recordOf(state), state.headers, rowsOf(state)), { id: `save-${kind}` }))),
    el("div", { class: "row end" }, button(t("close"), t("close"), () => dialog.close(), { class: "primary" }))].filter(Boolean));
  dialog.onclose = null;
  dialog.showModal();
  dialog.querySelector("textarea").scrollTop = 0; // the focus went to the end of the link
}
