// Links that hold a game: in the part of the address that is never sent to a server.

import { emptySteering, recordOf } from "./state.js";

/** @param {any} data */
const pack = (data) => btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(data)))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");

/** @param {string} text */
function unpack(text) {
  const letters = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
  return JSON.parse(new TextDecoder().decode(Uint8Array.from(letters, (letter) => letter.charCodeAt(0))));
}

/** Position and steering in the part of the address that is never sent to a server.
 *  @param {State} state */
export function linkOf(state) {
  /** @type {Shared} */
  const shared = { record: recordOf(state), steering: state.node.steering };
  if (state.style.strength > 0) shared.style = state.style;
  if (state.below) shared.below = state.below;
  return linkTo(shared);
}

/** A link with a record, and what is asked of its position if anything, to this page or another.
 *  @param {Shared} shared
 *  @param {string} [page] */
export const linkTo = (shared, page = `${location.origin}/`) => `${page}#s=${pack(shared)}`;

/** What a link holds, or null.
 *  @param {string} hash */
export function readLink(hash) {
  const match = /^#s=([\w-]+)$/.exec(hash);
  if (!match) return null;
  try {
    const shared = unpack(match[1]);
    return { ...shared, steering: { ...emptySteering(), ...shared.steering } };
  } catch { return null; }
}
