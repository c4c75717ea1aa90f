// The service worker: the page and the boards that were seen stay there while the server is away. What needs the
// server's rules, a search or a room fails as it would without it.

const NAME = "kibitz-1";
/** Answers that are kept of requests to the server; the oldest go first. */
const MOST = 600;
const worker = /** @type {any} */ (self);

worker.addEventListener("install", () => worker.skipWaiting());
worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(worker.clients.claim()));

/** What a request is kept under, or null where it is not kept. A position is asked for by its record, in the body.
 *  @param {Request} request */
async function keyOf(request) {
  const { pathname } = new URL(request.url);
  if (request.mode === "navigate") return pathname === "/" || pathname.startsWith("/g/") ? "/" : null;
  if (request.method === "GET") return pathname.startsWith("/v/") || pathname === "/api/games" || /^\/api\/saved\/[\w-]+$/.test(pathname) ? pathname : null;
  if (request.method !== "POST" || pathname !== "/api/position") return null;
  const digest = await crypto.subtle.digest("SHA-256", await request.clone().arrayBuffer());
  return `/kept/position/${Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** @param {string} key
 *  @param {Response} answer */
async function keep(key, answer) {
  const cache = await caches.open(NAME);
  await cache.put(key, answer);
  const keys = await cache.keys();
  if (keys.length > MOST) await Promise.all(keys.filter(({ url }) => url.includes("/kept/")).slice(0, keys.length - MOST).map((one) => cache.delete(one)));
}

/** The server's answer; the one that was kept where there is none. Files with a version never change.
 *  @param {Request} request */
async function respond(request) {
  const key = await keyOf(request);
  if (!key) return fetch(request);
  const kept = await caches.match(key);
  if (kept && key.startsWith("/v/")) return kept;
  try {
    const answer = await fetch(request);
    if (answer.ok) keep(key, answer.clone()).catch(() => {});
    return answer;
  } catch (error) {
    if (kept) return kept;
    throw error;
  }
}

/** A file that the page loaded before the worker was there.
 *  @param {string} url */
async function keepFile(url) {
  const key = url === "/" ? url : await keyOf(new Request(url));
  if (!key || await caches.match(key)) return;
  const answer = await fetch(url);
  if (answer.ok) await keep(key, answer);
}

// What the page tells (offline.js): files it has loaded, or a game as it was saved.
worker.addEventListener("message", (/** @type {any} */ event) => {
  const { files = [], path, text } = event.data;
  event.waitUntil(path ? keep(path, new Response(text, { headers: { "Content-Type": "application/json" } })) : Promise.allSettled(files.map(keepFile)));
});

worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  if (request.mode === "navigate" || request.method === "GET" || new URL(request.url).pathname === "/api/position") event.respondWith(respond(request));
});
