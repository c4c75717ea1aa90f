// Records that are pasted or dropped, anywhere on the page.

import { $, el, store, toast } from "./dom.js";
import { post } from "./api.js";
import { t } from "./i18n.js";

/** `open(record, tree)` is called with each game that somebody brings; the tree has its variations, if any. */
export function listenForRecords(open) {
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", async (event) => {
    event.preventDefault();
    const file = event.dataTransfer.files[0];
    if (file) await readFile(file, open);
    else if (event.dataTransfer.getData("text")) await readText(event.dataTransfer.getData("text"), open);
  });
  document.addEventListener("paste", (event) => {
    if (event.target.matches("input, textarea")) return;
    const text = event.clipboardData.getData("text");
    if (text.trim()) { event.preventDefault(); readText(text, open); }
  });
}

async function readFile(file, open) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let letters = "";
  for (let i = 0; i < bytes.length; i += 0x8000) letters += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return readRecord({ data: btoa(letters) }, open, file.name.replace(/\.\w+$/, ""));
}

const readText = (text, open) => readRecord({ text }, open);

async function readRecord(sent, open, title = "") {
  try {
    const answer = await post("/api/record", sent);
    if (answer.layout) { keepLayout(title || answer.kind, answer.layout); return; }
    const game = answer.games.length > 1 ? await choose(answer.games) : answer.games[0];
    if (!game) return;
    await open(game.record, game.tree);
    toast(t("record.opened", { kind: answer.kind.toUpperCase(), count: game.record.moves?.length || 0 }));
  } catch (error) { toast(error.message); }
}

/** A layout is no game: it waits for the set-up of one, among those of one's own. */
function keepLayout(name, layout) {
  store.set("layouts", { ...store.get("layouts", {}), [name.slice(0, 40)]: layout });
  toast(t("record.layout", { name }));
}

function choose(games) {
  const dialog = $("dialog");
  return new Promise((resolve) => {
    dialog.replaceChildren(el("h2", {}, t("record.which")), el("div", { class: "choices" }, games.map((game, n) => el("button", {
      type: "button", onclick: () => { resolve(game); dialog.close(); },
    }, `${n + 1}. ${game.title || "–"} (${game.record.moves?.length || 0})`))));
    dialog.onclose = () => resolve(null);
    dialog.showModal();
  });
}

/** The dialog to paste or choose a file: for phones, and for those who look for a button. */
export function askRecord(open) {
  const dialog = $("dialog");
  const text = el("textarea", { rows: 7, id: "record-text", "aria-label": t("record.text"), placeholder: t("record.text") });
  const file = el("input", { type: "file", id: "record-file", "aria-label": t("record.file") });
  const form = el("form", { class: "form", onsubmit: async (event) => {
    event.preventDefault();
    dialog.close();
    if (file.files[0]) await readFile(file.files[0], open);
    else if (text.value.trim()) await readText(text.value, open);
  } }, el("h2", {}, t("record.title")), el("p", { class: "dim" }, t("record.help")), text, file,
    el("div", { class: "row end" }, el("button", { type: "button", onclick: () => dialog.close() }, t("cancel")),
      el("button", { type: "submit", class: "primary", id: "record-open" }, t("record.open"))));
  dialog.replaceChildren(form);
  dialog.onclose = null;
  dialog.showModal();
}
