// The set-up before a game: swap pieces by dragging, by clicking one and then another, or with the keyboard.

import { button, el, store, toast } from "./dom.js";
import { get, post } from "./api.js";
import { t, word } from "./i18n.js";
import { save } from "./share.js";

const saved = () => store.get("layouts", {});

export class LayoutEditor {
  /** `form` has the columns, the rows and the marked cells. `done(layout)` is called when the set-up is to stand. What
   *  is not sent yet is kept under `name`.
   *  @param {HTMLElement} host
   *  @param {SetUp} form
   *  @param {string} name
   *  @param {(layout: string) => void} done */
  constructor(host, form, name, done) {
    this.host = host;
    this.form = form;
    this.draft = `draft.${name}`;
    this.done = done;
    this.cells = /** @type {string[] | null} */ (null);
    this.faults = /** @type {Sentence[]} */ ([]);
    this.jql = "";
    this.chosen = -1;
    this.press = /** @type {{ place: number, moved: boolean, x: number, y: number } | null} */ (null);
    this.named = /** @type {Record<string, string>} */ ({});
    host.addEventListener("dragover", (event) => event.preventDefault());
    host.addEventListener("drop", (event) => { event.preventDefault(); if (event.dataTransfer.files[0]) this.read(event.dataTransfer.files[0]); });
  }

  /** Shows the editor, with what was set up so far.
   *  @param {string} layout */
  start(layout) {
    if (this.cells) return;
    this.cells = [];
    get("/api/layouts").then((named) => { this.named = named; this.draw(); }, () => {});
    const known = layout || store.get(this.draft, "");
    this.ask(known ? { layout: known } : { act: "random" });
  }

  get layout() {
    return this.rows().map((row) => row.join("")).join("/");
  }

  rows() {
    const { columns, rows } = this.form;
    return Array.from({ length: rows }, (_, row) => this.cells.slice(columns * row, columns * (row + 1)));
  }

  /** Has the server check, mirror, shuffle or read a layout.
   *  @param {any} query */
  async ask(query) {
    try {
      const answer = await post("/api/layout", query);
      this.cells = [...answer.layout.replaceAll("/", "")];
      Object.assign(this, { faults: answer.faults, jql: answer.jql, chosen: -1 });
      store.set(this.draft, answer.layout);
    } catch (error) { toast(error.message); }
    this.draw();
  }

  /** @param {number} a
   *  @param {number} b */
  swap(a, b) {
    if (a === b || a < 0 || b < 0 || this.cells[a] === "-" || this.cells[b] === "-") return;
    [this.cells[a], this.cells[b]] = [this.cells[b], this.cells[a]];
    this.ask({ layout: this.layout });
  }

  /** @param {number} place */
  choose(place) {
    if (this.chosen < 0) this.chosen = place;
    else { const { chosen } = this; this.chosen = -1; this.swap(chosen, place); }
    this.draw();
  }

  /** @param {File} file */
  async read(file) {
    const bytes = new Uint8Array(await file.slice(0, 64).arrayBuffer());
    await this.ask({ data: btoa(String.fromCharCode(...bytes)) });
  }

  save() {
    const bytes = Uint8Array.from(atob(this.jql), (letter) => letter.charCodeAt(0));
    save("layout.jql", new Blob([bytes]));
  }

  keep() {
    const name = /** @type {HTMLInputElement} */ (this.host.querySelector("#layout-name")).value.trim().slice(0, 40);
    if (!name) return;
    store.set("layouts", { ...saved(), [name]: this.layout });
    toast(t("layout.kept", { name }));
    this.draw();
  }

  // -- drawing and listening ------------------------------------------------------------------------------

  draw() {
    if (!this.cells?.length) return;
    const focused = /** @type {HTMLElement} */ (document.activeElement)?.dataset?.place;
    const known = [...Object.entries(saved()), ...Object.entries(this.named)];
    const file = el("input", { type: "file", id: "jql-file", accept: ".jql", hidden: true, onchange: (event) => event.target.files[0] && this.read(event.target.files[0]) });
    const army = el("div", { class: "army", id: "army", role: "grid", "aria-label": t("layout.army"), onkeydown: (event) => this.walk(event) },
      this.rows().map((cells, row) => el("div", { role: "row", class: "army-row" }, cells.map((kind, column) => this.cell(kind, this.form.columns * row + column)))));
    this.host.replaceChildren(
      el("p", { class: "dim" }, t("layout.help")), army,
      this.faults.length ? el("ul", { class: "faults", id: "faults" }, this.faults.map((fault) => el("li", {}, word(fault)))) : "",
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
    if (focused) /** @type {HTMLElement} */ (this.host.querySelector(`[data-place="${focused}"]`))?.focus();
  }

  /** @param {string} kind
   *  @param {number} place */
  cell(kind, place) {
    const { columns, marked } = this.form;
    if (kind === "-") return el("div", { class: "camp", role: "gridcell", "aria-label": t("layout.camp") }, "○");
    return el("div", { role: "gridcell", class: "army-cell" }, el("button", {
      type: "button", "data-place": String(place), "data-kind": kind, class: marked.includes(place) ? "home" : "", "aria-pressed": String(this.chosen === place), tabindex: place === 0 ? 0 : -1,
      "aria-label": t("layout.piece", { kind: t(`kind.${kind}`), row: Math.floor(place / columns) + 1, column: (place % columns) + 1 }),
      onpointerdown: (event) => { if (event.button === 0) this.press = { place, moved: false, x: event.clientX, y: event.clientY }; event.target.releasePointerCapture?.(event.pointerId); },
      onpointermove: (event) => { const { press } = this; if (press && Math.hypot(event.clientX - press.x, event.clientY - press.y) > 8) press.moved = true; },
      onpointerup: (event) => this.drop(event),
      onclick: (event) => { if (event.detail === 0) this.choose(place); }, // by the keyboard
    }, t(`kind.${kind}`)));
  }

  /** The end of a press: on another piece it was a drag.
   *  @param {any} event */
  drop(event) {
    const { press } = this;
    this.press = null;
    if (!press) return;
    const under = /** @type {HTMLElement} */ (document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-place]"));
    if (!under) return;
    const place = Number(under.dataset.place);
    if (place === press.place) this.choose(place);
    else { this.chosen = -1; this.swap(press.place, place); }
  }

  /** @param {any} event */
  walk(event) {
    /** @type {Record<string, number>} */
    const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -this.form.columns, ArrowDown: this.form.columns };
    const step = steps[event.key];
    const from = Number(event.target.dataset?.place);
    if (!step || Number.isNaN(from)) return;
    event.preventDefault();
    for (let place = from + step; place >= 0 && place < this.cells.length; place += step) {
      const next = /** @type {HTMLElement} */ (this.host.querySelector(`[data-place="${place}"]`));
      if (next) { next.focus(); return; }
    }
  }
}
