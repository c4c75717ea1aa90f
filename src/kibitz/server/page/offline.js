// What the page tells the service worker (sw.js), so that boards and games are there while the server is away.

/** Starts the worker. On the first visit the page was loaded without it: the worker is given what was loaded, and
 *  the answer is true once it sees the requests of this page.
 *  @returns {Promise<boolean>} */
export async function startWorker() {
  const workers = navigator.serviceWorker;
  if (!workers) return false; // not in every browser, and not over plain HTTP
  const first = !workers.controller;
  const sees = new Promise((resolve) => { workers.oncontrollerchange = resolve; });
  await workers.register("/sw.js");
  if (!first) return false;
  const { active } = await workers.ready;
  active.postMessage({ files: ["/", ...performance.getEntriesByType("resource").map(({ name }) => name)] });
  if (!workers.controller) await sees;
  return true;
}

/** A game as the server has it now. What the worker keeps by itself is the game as the page once read it.
 *  @param {string} path
 *  @param {unknown} game */
export function keepGame(path, game) {
  navigator.serviceWorker?.controller?.postMessage({ path, text: JSON.stringify(game) });
}
