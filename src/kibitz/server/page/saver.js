// Saves a board by itself: what has changed is sent a moment later, again while the server is away, and merged with
// what another tab has made of the same game.

import { get, send } from "./api.js";
import { store } from "./dom.js";
import { keepGame } from "./offline.js";
import { backOff, isPassing } from "./retry.js";
import { applyChange, changeOf, changeTo, documentOf, emptySnapshot, isAnalysisOnly, isWorthSaving, snapshot, snapshotOf } from "./saved.js";
import { changed, goTo } from "./state.js";

/** Milliseconds until a change is sent, and until an analysis that goes on is. */
const [SOON, LATER] = [400, 3000];
/** Bytes of a request that may outlive its page. */
const KEEPALIVE = 60_000;

/** A random name, which is the secret of the game's link. */
export function newGameId() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return btoa(String.fromCharCode(...bytes)).replace(/\+/g, "-").replace(/\//g, "_");
}

/** What this browser could not send yet.
 *  @param {string} id */
export const draftOf = (id) => store.get(`unsaved.${id}`, null);

/** Saves one state. `status` is "new" (nothing to save yet), "saved", "saving", "unsaved" or "foreign" (somebody else's). */
export class Saver {
  /** @param {State} state
   *  @param {string} [id] */
  constructor(state, id = newGameId()) {
    this.state = state;
    this.id = id;
    this.version = 0;
    this.own = true;
    this.pinned = false;
    this.status = "new";
    this.error = "";
    /** What the server has. */
    this.synced = emptySnapshot();
    /** What is shown without having been changed by anybody. */
    this.initial = snapshot(state);
    this.failures = 0;
    this.sending = false;
    this.sentAt = 0;
    /** Whether the timer waits for an analysis that goes on. */
    this.waiting = false;
    this.onsaved = () => {};
    this.ongone = () => {};
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
  }

  get path() { return `/api/saved/${this.id}`; }

  /** The game as the server sent it.
   *  @param {{ version: number, own?: boolean, document: any }} saved */
  begin({ version, own = true, document }) {
    applyChange(this.state, changeTo(document));
    Object.assign(this, { version, own, synced: snapshotOf(document), status: own ? "saved" : "foreign" });
    this.initial = snapshot(this.state);
    const draft = draftOf(this.id);
    if (own && draft) applyChange(this.state, draft.change);
    return document.at || "";
  }

  /** A board that this browser has not saved yet.
   *  @param {{ change: GameChange, pinned?: boolean }} draft */
  beginUnsaved(draft) {
    this.initial = snapshot(this.state);
    applyChange(this.state, draft.change);
    if (draft.pinned) this.pin();
    return draft.change.set.at || "";
  }

  /** What is not saved yet, or null. */
  pending() {
    if (!this.own) return null;
    const now = snapshot(this.state);
    return this.status === "new" ? null : changeOf(this.synced, now);
  }

  /** Whether the board has an address of its own: it is saved, is about to be, or this browser keeps it. */
  isKept() { return this.status !== "new" || this.pinned; }

  /** A new board that is kept in this browser until its first move. */
  pin() {
    this.pinned = true;
    this.initial = snapshot(this.state);
    this.keepDraft();
  }

  /** Saves even what nobody has changed: a record that was opened, a copy. */
  force() {
    this.status = "saving";
    this.follow();
  }

  /** Called after every change of the state. */
  follow() {
    // The address is there with the first change, not when it is sent.
    if (this.status === "new" && isWorthSaving(changeOf(this.initial, snapshot(this.state)))) this.status = "saving";
    if (this.own && (this.timer === undefined || (this.waiting && !this.state.running))) this.again(SOON);
  }

  async save() {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.sending) return;
    const change = this.pending();
    if (!change) { if (this.status !== "new") this.show("saved"); return; }
    if (this.state.running && isAnalysisOnly(change) && Date.now() - this.sentAt < LATER) {
      this.show("saving");
      this.again(LATER);
      this.waiting = true;
      return;
    }
    this.sending = true;
    this.show("saving");
    const synced = snapshot(this.state); // what the server has once this has arrived
    try {
      const saved = await this.request(change);
      this.failures = 0;
      this.sentAt = Date.now();
      this.synced = synced;
      this.version = saved.version;
      if (saved.document) await this.merge(saved.document);
      CHANNEL?.postMessage({ id: this.id, version: this.version });
      this.sending = false;
      this.keepDraft();
      this.keepCopy();
      this.show(this.pending() ? "saving" : "saved");
      this.onsaved();
      if (this.status === "saving") this.follow();
    } catch (error) {
      this.sending = false;
      await this.failed(error);
    }
  }

  /** @param {GameChange} change
   *  @param {boolean} [keepalive] */
  request(change, keepalive = false) {
    const body = { base: this.version, ...change };
    if (this.version) return send(this.path, "PATCH", body, keepalive);
    return send("/api/saved", "POST", { ...body, id: this.id, game: this.state.game }, keepalive);
  }

  /** @param {any} error */
  async failed(error) {
    this.failures++;
    this.error = error.message;
    if (error.status === 404 && this.version) { // the server has lost it: it is made again
      Object.assign(this, { version: 0, synced: emptySnapshot() });
      this.again(SOON);
    } else if (error.status === 409) await this.pull().catch(() => {});
    if (error.status === 403) this.own = false;
    else if (isPassing(error) || error.status === 409) this.again(1000 * backOff(this.failures));
    this.keepDraft();
    this.show(this.own ? "unsaved" : "foreign");
  }

  /** @param {number} wait */
  again(wait) {
    clearTimeout(this.timer);
    this.waiting = false;
    this.timer = setTimeout(() => this.save(), wait);
  }

  /** @param {string} status */
  show(status) {
    if (this.status === status) return;
    this.status = status;
    changed(this.state);
  }

  /** What could not be sent yet stays in this browser. */
  keepDraft() {
    const pinned = this.pinned && this.status === "new";
    const change = this.pending() || (pinned ? changeOf(this.synced, snapshot(this.state)) : null);
    store.set(`unsaved.${this.id}`, change && this.own ? { game: this.state.game, version: this.version, change, pinned } : null);
  }

  /** What was sent stays in this browser, too, for when the server is away. */
  keepCopy() {
    if (this.own && this.version) keepGame(this.path, { game: this.state.game, version: this.version, own: true, document: documentOf(this.synced) });
  }

  /** The page goes away: what is left is sent without waiting for an answer, and kept in case it does not arrive. */
  leave() {
    const change = this.pending();
    if (!change) return;
    this.keepDraft();
    if (JSON.stringify(change).length < KEEPALIVE) this.request(change, true).catch(() => {});
  }

  /** Asks for the game as it is now, after another tab has changed it. */
  async pull() {
    const saved = await get(this.path);
    this.version = saved.version;
    await this.merge(saved.document);
  }

  /** The game as another has changed it; what was not sent yet stays.
   *  @param {any} document */
  async merge(document) {
    const { state } = this;
    const mine = changeOf(this.synced, snapshot(state));
    const theirs = changeTo(document);
    delete theirs.set.at;
    const after = snapshotOf(document);
    theirs.removed = [...this.synced.nodes.keys()].filter((id) => !after.nodes.has(id));
    const before = state.node;
    let here = applyChange(state, theirs);
    this.synced = after;
    if (mine) here = applyChange(state, mine);
    if (here !== before) await goTo(state, here);
    changed(state);
  }
}

/** Tabs of this browser tell each other what they have saved. */
const CHANNEL = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel("kibitz.saved");

/** Follows what other tabs save of the games that are open here.
 *  @param {() => Iterable<State>} states */
export function followTabs(states) {
  if (CHANNEL) CHANNEL.onmessage = ({ data }) => {
    for (const { saver } of states()) {
      if (saver && saver.id === data.id && saver.version < data.version && !saver.sending) saver.pull().catch(() => saver.follow());
    }
  };
}
