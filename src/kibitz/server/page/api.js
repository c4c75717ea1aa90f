// The server: requests, and one WebSocket for all analyses.

import { said } from "./i18n.js";

export async function post(path, body) {
  const response = await fetch(path, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
  });
  return answer(response);
}

export async function get(path) {
  return answer(await fetch(path));
}

export async function answer(response) {
  const data = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error((data.error && said(data.error)) || describe(data.detail) || response.statusText);
  return data;
}

/** FastAPI's own words for a field that is wrong. */
function describe(detail) {
  return Array.isArray(detail) && detail.length ? `${detail[0].loc.join(".")}: ${detail[0].msg}` : "";
}

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
      socket.onerror = () => reject(new Error("no connection to the server"));
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

  async send(id, message, listener) {
    this.listeners.set(id, listener);
    const socket = await this.open();
    if (this.listeners.get(id) !== listener) return; // stopped or replaced meanwhile
    socket.send(JSON.stringify({ ...message, id }));
  }

  start(id, request, listener, preset = "default", every = 0.25, more = {}) {
    return this.send(id, { type: "start", request, preset, every, ...more }, listener);
  }

  stop(id) {
    if (!this.listeners.delete(id)) return;
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify({ type: "stop", id }));
  }
}

export const analyses = new Analyses();
