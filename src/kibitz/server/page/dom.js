// Small helpers for building and finding elements.

/** An element of the page that is always there.
 *  @template {string} I
 *  @param {I} id
 *  @returns {I extends "dialog" ? HTMLDialogElement : HTMLElement} */
export const $ = (id) => /** @type {any} */ (document.getElementById(id));

/** Names of handlers in use; `morph` hands them on. */
const HANDLERS = /** @type {Set<string>} */ (new Set());

/** An element with attributes, listeners (`onclick`) and children; null children are left out.
 *  @template {keyof HTMLElementTagNameMap} T
 *  @param {T} tag
 *  @param {Attributes} [attributes]
 *  @param {...any} children
 *  @returns {HTMLElementTagNameMap[T]} */
export function el(tag, attributes = {}, ...children) {
  const element = /** @type {any} */ (document.createElement(tag));
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) { element[name] = value; HANDLERS.add(name); }
    else if (name === "class") element.className = value;
    else if (name === "value" && tag !== "option") continue; // set below, once the children are there
    else if (name in element && name !== "list" && typeof value !== "string") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  if (attributes.value !== undefined && tag !== "option") element.value = attributes.value;
  return element;
}

/** Draws a part of the page anew. Elements stay where they can, so that a click, a focus or a hover that is under
 *  way while an analysis runs is not lost.
 *  @param {any} place
 *  @param {...any} children */
export function redraw(place, ...children) {
  const next = children.flat(Infinity).filter(Boolean);
  const known = new Map([...place.children].filter(keyOf).map((child) => [keyOf(child), child]));
  next.forEach((child, index) => {
    let old = place.childNodes[index] || null;
    const key = keyOf(child);
    if (key && keyOf(old) !== key) { // a row goes where its move is now; it never becomes another's
      const same = known.get(key) || child;
      place.insertBefore(same, old);
      if (same === child) return;
      old = same;
    }
    if (old) morph(old, child);
    else place.append(child);
  });
  while (place.childNodes.length > next.length) place.lastChild.remove();
}

/** What a row is about: a move, with the wish in a list of wishes, or a node of the tree.
 *  @param {any} node */
const keyOf = (node) => (node?.dataset?.move || node?.dataset?.node ? `${node.dataset.kind || ""} ${node.dataset.move || node.dataset.node}` : "");

/** @param {any} old
 *  @param {any} next */
function morph(old, next) {
  if (typeof next === "string") next = document.createTextNode(next);
  if (old.nodeType !== next.nodeType || old.nodeName !== next.nodeName || old.id !== next.id) {
    old.replaceWith(next);
    return;
  }
  if (old.nodeType === Node.TEXT_NODE) {
    if (old.data !== next.data) old.data = next.data;
    return;
  }
  for (const { name } of [...old.attributes]) if (!next.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of next.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  for (const name of HANDLERS) if (old[name] !== next[name]) old[name] = next[name];
  redraw(old, ...next.childNodes);
  if ("value" in next && next.nodeName !== "BUTTON" && next.nodeName !== "LI" && document.activeElement !== old) old.value = next.value;
  if ("disabled" in next) old.disabled = next.disabled;
}

/** A button. Its name for a screen reader has the words that it shows, too: voice control goes by them.
 *  @param {string} label
 *  @param {string} title
 *  @param {(event: any) => unknown} onclick
 *  @param {Record<string, any>} [more] */
export function button(label, title, onclick, more = {}) {
  const worded = typeof label === "string" && /[\p{L}\p{N}]/u.test(label) && !title.toLowerCase().includes(label.toLowerCase());
  return el("button", { type: "button", title, "aria-label": worded ? `${label}: ${title}` : title, onclick, ...more }, label);
}

/** Boards are as high as the bar at the top leaves room for, which may take two lines. */
export function followBar() {
  const bar = /** @type {HTMLElement} */ (document.querySelector(".bar"));
  new ResizeObserver(() => document.documentElement.style.setProperty("--bar", `${bar.offsetHeight}px`)).observe(bar);
}

/** Calls once for many changes, before the next frame is drawn.
 *  @param {() => void} work */
export function batched(work) {
  let waiting = false;
  return () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => { waiting = false; work(); });
  };
}

/** Scrolls a list by as little as shows one of its rows whole; the page stays where it is.
 *  @param {HTMLElement} list
 *  @param {HTMLElement | null} row */
export function showRow(list, row) {
  if (!row) return;
  const top = row.offsetTop - list.offsetTop, bottom = top + row.offsetHeight;
  if (top < list.scrollTop) list.scrollTop = top;
  if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight;
}

let fading = 0;
/** @param {string} text */
export function toast(text) {
  const place = $("toast");
  place.textContent = text;
  place.classList.add("shown");
  clearTimeout(fading);
  fading = setTimeout(() => place.classList.remove("shown"), 3500);
}

export const store = {
  /** @param {string} name
   *  @param {any} otherwise
   *  @returns {any} */
  get(name, otherwise) {
    try { return JSON.parse(localStorage.getItem(`kibitz.${name}`)) ?? otherwise; } catch { return otherwise; }
  },
  /** @param {string} name
   *  @param {unknown} value */
  set(name, value) {
    try {
      if (value === null) localStorage.removeItem(`kibitz.${name}`);
      else localStorage.setItem(`kibitz.${name}`, JSON.stringify(value));
    } catch { /* private window */ }
  },
};
