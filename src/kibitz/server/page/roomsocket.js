// The connection to a room. It comes back by itself: what is sent then is the room as it is.

import { socketUrl } from "./api.js";

const NOT_HERE = 4404;
const [FIRST_WAIT, LONGEST_WAIT] = [400, 5000];

/** A secret for a seat. */
export function newToken() {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  return btoa(String.fromCharCode(...bytes)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

export class RoomSocket {
  /** `hello()` is the first message; `on` has `message`, `lost`, `connected` and `gone`.
   *  @param {string} room
   *  @param {() => unknown} hello
   *  @param {SocketListeners} on */
  constructor(room, hello, on) {
    this.room = room;
    this.hello = hello;
    this.on = on;
    this.wait = FIRST_WAIT;
    this.socket = /** @type {WebSocket | null} */ (null);
    this.waiting = /** @type {unknown[]} */ ([]);
  }

  open() {
    const socket = new WebSocket(socketUrl(`/api/rooms/${encodeURIComponent(this.room)}`));
    this.socket = socket;
    socket.onopen = () => {
      this.wait = FIRST_WAIT;
      socket.send(JSON.stringify(this.hello()));
      for (const message of this.waiting.splice(0)) socket.send(JSON.stringify(message));
      this.on.connected();
    };
    socket.onmessage = (event) => this.on.message(JSON.parse(event.data));
    socket.onclose = (event) => {
      if (event.code === NOT_HERE) { this.on.gone(); return; }
      this.on.lost();
      setTimeout(() => this.open(), this.wait);
      this.wait = Math.min(LONGEST_WAIT, 2 * this.wait);
    };
  }

  /** @param {any} message */
  send(message) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
    else if (this.waiting.length < 10 && message.type !== "look") this.waiting.push(message);
  }
}
