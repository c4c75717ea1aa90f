// Studies: the tree of moves, kept by the server.

import { $, button, el, toast } from "./dom.js";
import { answer, get, post } from "./api.js";
import { t } from "./i18n.js";
import { emptySteering, makeNode } from "./state.js";

const plain = (node) => ({
  move: node.move, name: node.name, comment: node.comment || undefined, steering: node.steering, children: node.children.map(plain),
});

export const treeOf = (state) => ({ start: state.start, below: state.below, style: state.style, root: plain(state.root) });

/** The nodes of a kept tree, below a node. */
function grow(node, kept) {
  node.comment = String(kept.comment || "");
  node.steering = { ...emptySteering(), ...kept.steering };
  for (const one of kept.children || []) {
    const child = makeNode(String(one.move), node, String(one.name || one.move));
    node.children.push(child);
    grow(child, one);
  }
}

export function restore(state, tree) {
  Object.assign(state, { start: tree.start || {}, below: tree.below || "", style: tree.style || state.style });
  grow(state.root, tree.root || {});
}

const send = async (path, method, body) => answer(await fetch(path, {
  method, headers: { "Content-Type": "application/json" }, body: body && JSON.stringify(body),
}));

async function keep(state, title) {
  const text = { game: state.game, title, tree: treeOf(state) };
  const row = state.study ? await send(`/api/studies/${state.study.id}`, "PUT", text) : await post("/api/studies", text);
  state.study = row;
  toast(t("study.kept", { title }));
}

/** Lists what is kept; `open(study)` is called with the one that is chosen. */
export async function studiesDialog(state, open) {
  const dialog = $("dialog");
  const rows = await get("/api/studies").catch((error) => { toast(error.message); return []; });
  const usual = state.study?.title || `${t(`game.${state.game}`)} ${new Date().toLocaleDateString()}`;
  const title = el("input", { id: "study-title", maxlength: 200, value: usual, "aria-label": t("study.title") });
  const save = (event) => {
    event.preventDefault();
    keep(state, title.value.trim() || usual).then(() => dialog.close(), (error) => toast(error.message));
  };
  dialog.replaceChildren(el("h2", {}, t("studies")),
    el("form", { class: "row", onsubmit: save }, title, el("button", { type: "submit", class: "primary", id: "study-keep" }, state.study ? t("study.again") : t("study.keep"))),
    rows.length ? el("ul", { class: "studies" }, rows.map((row) => el("li", {},
      button(`${row.title}`, t("study.open"), async () => { dialog.close(); open(await get(`/api/studies/${row.id}`)); }, { class: "link", "data-study": row.id }),
      el("span", { class: "dim" }, ` ${t(`game.${row.game}`)} · ${new Date(row.updated).toLocaleDateString()} `),
      button("×", t("study.delete"), async () => { await send(`/api/studies/${row.id}`, "DELETE"); if (state.study?.id === row.id) state.study = null; studiesDialog(state, open); }, { class: "quiet" }))))
      : el("p", { class: "dim" }, t("study.none")),
    el("div", { class: "row end" }, button(t("close"), t("close"), () => dialog.close())));
  dialog.onclose = null;
  if (!dialog.open) dialog.showModal();
}
