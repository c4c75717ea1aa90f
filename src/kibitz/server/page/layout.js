// The set-up of Junqi: swap pieces by dragging, by clicking one and then another, or with the keyboard.

import { button, el, store, toast } from "./dom.js";
import { get, post } from "./api.js";
import { said, t } from "./i18n.js";
import { save } from "./share.js";

const COLUMNS = 5;
const HOMES = [26, 28]; // the headquarters
const saved = () => store.get("layouts", {});

export class LayoutEditor {
  /** `done(layout)` is called when the set-up is to stand. What is not sent yet is kept under `name`. */
  constructor(host, name, done) {
    Object.assign(this, { host, draft: `draft.${name}`, done, cells: null, faults: [], jql: "", chosen: -1, press: null, named: {} });
    host.addEventListener("dragover", (event) => event.preventDefault());
    host.addEventListener("drop", (event) => { event.preventDefault(); if (event.dataTransfer.files[0]) this.read(event.dataTransfer.files[0]); });
  }

  /** Shows the editor, with what was set up so far. */
  start(layout) {
    if (this.cells) return;
    this.cells = [];
    get("/api/layouts").then((named) => { this.named = named; this.draw(); }, () => {});
    const known = layout || store.get(this.draft, "");
    this.ask(known ? { layout: known } : { act: "random" });
  }

  get layout() {
    return Array.from({ length: 6 }, (_, row) => this.cells.slice(COLUMNS * row, COLUMNS * (row + 1)).join("")).join("/");
  }

  /** Has the server check, mirror, shuffle or read a layout. */
  async ask(query) {
    try {
      const answer = await post("/api/layout", query);
      this.cells = [...answer.layout.replaceAll("/", "")];
      Object.assign(this, { faults: answer.faults, jql: answer.jql, chosen: -1 });
      store.set(this.draft, answer.layout);
    } catch (error) { toast(error.message); }
    this.draw();
  }

  swap(a, b) {
    if (a === b || a < 0 || b < 0 || this.cells[a] === "-" || this.cells[b] === "-") return;
    [this.cells[a], this.cells[b]] = [this.cells[b], this.cells[a]];
    this.ask({ layout: this.layout });
  }

  choose(place) {
    if (this.chosen < 0) this.chosen = place;
    else { const { chosen } = this; this.chosen = -1; this.swap(chosen, place); }
    this.draw();
  }

  async read(file) {
    const bytes = new Uint8Array(await file.slice(0, 64).arrayBuffer());
    await this.ask({ data: btoa(String.fromCharCode(...bytes)) });
  }

  save() {
    const bytes = Uint8Array.from(atob(this.jql), (letter) => letter.charCodeAt(0));
    save("layout.jql", new Blob([bytes]));
  }

  keep() {
    const name = this.host.querySelector("#layout-name").value.trim().slice(0, 40);
    if (!name) return;
    store.set("layouts", { ...saved(), [name]: this.layout });
    toast(t("layout.kept", { name }));
    this.draw();
  }

  // -- drawing and listening ------------------------------------------------------------------------------

  draw() {
    if (!this.cells?.length) return;
    const focused = document.activeElement?.dataset?.place;
    const known = [...Object.entries(saved()), ...Object.entries(this.named)];
    const file = el("input", { type: "file", id: "jql-file", accept: ".jql", hidden: true, onchange: (event) => event.target.files[0] && this.read(event.target.files[0]) });
    const army = el("div", { class: "army", id: "army", role: "grid", "aria-label": t("layout.army"), onkeydown: (event) => this.walk(event) },
      Array.from({ length: 6 }, (_, row) => el("div", { role: "row", class: "army-row" }, this.cells.slice(COLUMNS * row, COLUMNS * (row + 1)).map((kind, column) => this.cell(kind, COLUMNS * row + column)))));
    this.host.replaceChildren(
      el("p", { class: "dim" }, t("layout.help")), army,
      this.faults.length ? el("ul", { class: "faults", id: "faults" }, this.faults.map((fault) => el("li", {}, said(fault)))) : "",
      el("div", { class: "row" },
        button(t("layout.mirror"), t("layout.mirror"), () => this.ask({ act: "mirror", layout: this.layout }), { id: "mirror" }),
        button(t("layout.random"), t("layout.random"), () => this.ask({ act: "random" }), { id: "random" }),
        el("select", { id: "named", "aria-label": t("layout.named"), value: "", onchange: (event) => { const chosen = known[Number(event.target.value)]; if (chosen) this.ask({ layout: chosen[1] }); } },
          el("option", { value: "" }, t("layout.named")), known.map(([name], n) => el("option", { value: String(n) }, name))),
        button(t("layout.open"), t("layout.open"), () => file.click(), { id: "jql-open" }), file,
        button(t("layout.save"), t("layout.save"), () => this.save(), { id: "jql-save", disabled: !this.jql })),
      el("form", { class: "row", onsubmit: (event) => { event.preventDefault(); this.keep(); } },
        el("input", { id: "layout-name", maxlength: 40, placeholder: t("layout.name"), "aria-label": t("layout.name") }),
        el("button", { type: "submit", id: "layout-keep" }, t("layout.keep"))),
      el("div", { class: "row" }, button(t("layout.ready"), t("layout.ready.help"), () => this.done(this.layout), { class: "primary", id: "layout-ready", disabled: this.faults.length > 0 })));
    if (focused) this.host.querySelector(`[data-place="${focused}"]`)?.focus();
  }

  cell(kind, place) {
    if (kind === "-") return el("div", { class: "camp", role: "gridcell", "aria-label": t("layout.camp") }, "○");
    return el("div", { role: "gridcell", class: "army-cell" }, el("button", {
      type: "button", "data-place": String(place), "data-kind": kind, class: HOMES.includes(place) ? "home" : "", "aria-pressed": String(this.chosen === place), tabindex: place === 0 ? 0 : -1,
      "aria-label": t("layout.piece", { kind: t(`kind.${kind}`), row: Math.floor(place / COLUMNS) + 1, column: (place % COLUMNS) + 1 }),
      onpointerdown: (event) => { if (event.button === 0) this.press = { place, moved: false, x: event.clientX, y: event.clientY }; event.target.releasePointerCapture?.(event.pointerId); },
      onpointermove: (event) => { const { press } = this; if (press && Math.hypot(event.clientX - press.x, event.clientY - press.y) > 8) press.moved = true; },
      onpointerup: (event) => this.drop(event),
      onclick: (event) => { if (event.detail === 0) this.choose(place); }, // by the keyboard
    }, t(`kind.${kind}`)));
  }

  /** The end of a press: on another piece it was a drag. */
  drop(event) {
    const { press } = this;
    this.press = null;
    if (!press) return;
    const under = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-place]");
    if (!under) return;
    const place = Number(under.dataset.place);
    if (place === press.place) this.choose(place);
    else { this.chosen = -1; this.swap(press.place, place); }
  }

  walk(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -COLUMNS, ArrowDown: COLUMNS }[event.key];
    const from = Number(event.target.dataset?.place);
    if (!step || Number.isNaN(from)) return;
    event.preventDefault();
    for (let place = from + step; place >= 0 && place < this.cells.length; place += step) {
      const next = this.host.querySelector(`[data-place="${place}"]`);
      if (next) { next.focus(); return; }
    }
  }
}
