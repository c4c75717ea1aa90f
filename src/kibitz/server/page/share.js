// What can be taken away: a link, a picture, data, the same request for Python and for the command line.

import { $, button, el, toast } from "./dom.js";
import { post } from "./api.js";
import { t } from "./i18n.js";
import { emptySteering, movesTo, recordOf, requestOf } from "./state.js";

// -- links ----------------------------------------------------------------------------------------------

const pack = (data) => btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(data)))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");

function unpack(text) {
  const letters = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
  return JSON.parse(new TextDecoder().decode(Uint8Array.from(letters, (letter) => letter.charCodeAt(0))));
}

/** Position and steering in the part of the address that is never sent to a server. */
export function linkOf(state) {
  const shared = { record: recordOf(state), steering: state.node.steering };
  if (state.style.strength > 0) shared.style = state.style;
  if (state.below) shared.below = state.below;
  return linkTo(shared);
}

/** A link with a record, and what is asked of its position if anything, to this page or another. */
export const linkTo = (shared, page = `${location.origin}${location.pathname}`) => `${page}#s=${pack(shared)}`;

/** What a link holds, or null. */
export function readLink(hash) {
  const match = /^#s=([\w-]+)$/.exec(hash);
  if (!match) return null;
  try {
    const shared = unpack(match[1]);
    return { ...shared, steering: { ...emptySteering(), ...shared.steering } };
  } catch { return null; }
}

// -- the same request elsewhere -----------------------------------------------------------------------

const quoted = (text) => JSON.stringify(text);
const list = (items) => `[${items.map(quoted).join(", ")}]`;
const table = (items) => `{${Object.entries(items).map(([key, value]) => `${quoted(key)}: ${value}`).join(", ")}}`;

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

const shell = (text) => (/^[\w.:=/-]+$/.test(text) && !text.startsWith("-") ? text : `'${text.replace(/'/g, "'\\''")}'`);

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
  const svg = $("board").querySelector("svg").cloneNode(true);
  const box = svg.viewBox.baseVal;
  svg.setAttribute("width", box.width);
  svg.setAttribute("height", box.height);
  // The page's style sheet is not part of the picture.
  for (const one of svg.querySelectorAll("text.kit-text")) one.setAttribute("font-family", "Segoe UI, Noto Sans, sans-serif");
  return new XMLSerializer().serializeToString(svg);
}

export function save(name, blob) {
  const link = el("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

export const saveSvg = (state) => save(`${state.game}.svg`, new Blob([svgText()], { type: "image/svg+xml" }));

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

export function saveJson(state) {
  const data = state.node.report || requestOf(state);
  save(`${state.game}.json`, new Blob([JSON.stringify(data, null, 1)], { type: "application/json" }));
}

/** By its first words: four players, by the rules of QQ's records. */
export const isQq = ({ game, start }) => game === "junqi" && /^4 [^|]*stuck-at-once/.test(start || "");

/** A finished game of four-player Junqi as a file; only games by QQ's rules have one. */
export async function saveJgs(record, names = {}) {
  try {
    const { data } = await post("/api/jgs", { record, names });
    save("game.jgs", new Blob([Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0))]));
  } catch (error) { toast(error.message); }
}

async function copy(text) {
  try { await navigator.clipboard.writeText(text); toast(t("share.copied")); } catch { toast(t("share.select")); }
}

export function shareDialog(state) {
  const dialog = $("dialog");
  const row = (key, text, id) => el("div", { class: "share-row" }, el("label", { for: id }, t(key)),
    el("textarea", { id, rows: key === "share.python" ? 6 : 2, readonly: true, value: text, onclick: (event) => event.target.select() }),
    button(t("share.copy"), t("share.copy"), () => copy(text)));
  dialog.replaceChildren(el("h2", {}, t("share")),
    row("share.link", linkOf(state), "share-link"),
    row("share.python", asPython(state), "share-python"),
    row("share.command", asCommand(state), "share-command"),
    el("div", { class: "row" },
      button("SVG", "SVG", () => saveSvg(state), { id: "save-svg" }), button("PNG", "PNG", () => savePng(state), { id: "save-png" }),
      button("JSON", "JSON", () => saveJson(state), { id: "save-json" }),
      isQq(state.node.board.record) ? button(".jgs", t("room.save.help"), () => saveJgs(recordOf(state)), { id: "save-jgs" }) : null),
    el("div", { class: "row end" }, button(t("close"), t("close"), () => dialog.close(), { class: "primary" })));
  dialog.onclose = null;
  dialog.showModal();
  dialog.querySelector("textarea").scrollTop = 0; // the focus went to the end of the link
}
