// The server: requests, and one WebSocket for all analyses.

import { errorText, t } from "./i18n.js";

/** @param {string} path
 *  @param {unknown} body */
export async function post(path, body) {
  return send(path, "POST", body);
}

/** @param {string} path */
export const get = (path) => reach(path);

/** @param {string} path
 *  @param {string} method
 *  @param {unknown} body
 *  @param {boolean} [keepalive] */
export const send = (path, method, body, keepalive = false) => reach(path, {
  method, headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), keepalive,
});

/** @param {string} path
 *  @param {RequestInit} [how] */
async function reach(path, how) {
  const response = await fetch(path, how).catch(() => { throw new Error(t("error.away")); });
  return answer(response);
}

/** @param {Response} response */
export async function answer(response) {
  const data = await response.json().catch(() => ({}));
  if (!response.ok) {
    const text = response.status >= 500 ? t("error.server", { id: response.headers.get("X-Request-Id") || "" }) : (data.error && errorText(data)) || describe(data.detail) || response.statusText;
    throw Object.assign(new Error(text), { status: response.status });
  }
  return data;
}

/** FastAPI's own words for a field that is wrong.
 *  @param {any} detail */
function describe(detail) {
  return Array.isArray(detail) && detail.length ? `${detail[0].loc.join(".")}: ${detail[0].msg}` : "";
}

/** @param {string} path */
export const socketUrl = (path) => `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}`;

/** Analyses by name; a name that starts again replaces what ran before. */
class Analyses {
  constructor() {
    this.socket = null;
    this.listeners = new Map();
  }

  async open() {
    if (this.socket && this.socket.readyState <= WebSocket.OPEN) return this.ready;
    const socket = new WebSocket(socketUrl("/api/analyses"));
    this.socket = socket;
    this.ready = new Promise((resolve, reject) => {
      socket.onopen = () => resolve(socket);
      socket.onerror = () => reject(new Error(t("error.away")));
    });
    socket.onmessage = (event) => {
      const message = JSON.parse(event.data);
      this.listeners.get(message.id)?.(message);
    };
    socket.onclose = () => {
      for (const [id, listener] of this.listeners) listener({ type: "lost", id });
    };
    return this.ready;
  }

  /** @param {string} id
   *  @param {any} message
   *  @param {Listener} listener */
  async send(id, message, listener) {
    this.listeners.set(id, listener);
    const socket = await this.open();
    if (this.listeners.get(id) !== listener) return; // stopped or replaced meanwhile
    socket.send(JSON.stringify({ ...message, id }));
  }

  /** @param {string} id
   *  @param {Record<string, any>} request
   *  @param {Listener} listener
   *  @param {string} [preset]
   *  @param {number} [every]
   *  @param {Record<string, any>} [more] */
  start(id, request, listener, preset = "default", every = 0.25, more = {}) {
    return this.send(id, { type: "start", request, preset, every, ...more }, listener);
  }

  /** @param {string} id */
  stop(id) {
    if (!this.listeners.delete(id)) return;
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify({ type: "stop", id }));
  }
}

export const analyses = new Analyses();
