// The API as /openapi.json describes it; nothing is loaded from elsewhere.

import { $, el } from "./dom.js";

/** @param {any} description */
const schemas = (description) => description.components?.schemas || {};

/** @param {any} schema */
function fields(schema) {
  return Object.entries(schema.properties || {}).map(([name, one]) => el("tr", {}, el("td", {}, name, (schema.required || []).includes(name) ? "" : el("small", {}, " ?")),
    el("td", { class: "dim" }, kind(one))));
}

/** @param {any} one
 *  @returns {string} */
function kind(one) {
  if (one.$ref) return one.$ref.split("/").at(-1);
  if (one.anyOf) return one.anyOf.map(kind).join(" | ");
  if (one.enum) return one.enum.map((/** @type {unknown} */ value) => JSON.stringify(value)).join(" | ");
  if (one.type === "array") return `[${kind(one.items || {})}]`;
  return one.type || "any";
}

const description = await (await fetch("/openapi.json")).json();
$("docs").append(
  el("section", { class: "panel" }, el("h2", {}, "Paths"), el("p", { class: "dim" }, "Analyses stream over the WebSocket /api/analyses (docs/web.md)."),
    Object.entries(description.paths).flatMap(([path, methods]) => Object.entries(methods).map(([method, one]) => el("p", {}, el("b", {}, method.toUpperCase(), " ", path), el("br"), el("span", { class: "dim" }, one.description || one.summary))))),
  el("section", { class: "panel" }, el("h2", {}, "Types"), Object.entries(schemas(description)).map(([name, schema]) => el("div", {}, el("h3", {}, name), el("p", { class: "dim" }, schema.description || ""), el("table", { class: "candidates" }, el("tbody", {}, fields(schema)))))));
