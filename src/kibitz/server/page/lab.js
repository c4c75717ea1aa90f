// Matches, training runs, networks, style reports and the cluster: what lies beside the boards.

import { $, el, store, toast } from "./dom.js";
import { loadLanguage, t } from "./i18n.js";
import { matchesPage, trainingPage } from "./runs.js";
import { clusterPage } from "./cluster.js";
import { networksPage } from "./networks.js";
import { styleReportPage } from "./stylereport.js";

/** @type {Record<string, (place: HTMLElement, name: string) => Promise<(() => void) | null>>} */
const PAGES = { matches: matchesPage, training: trainingPage, networks: networksPage, style: styleReportPage, cluster: clusterPage };

/** @type {(() => void) | null} */
let leave = null;

/** Shows the page that the address names: `#matches`, `#matches/NAME`. */
async function show() {
  const [name, ...rest] = decodeURIComponent(location.hash.slice(1)).split("/");
  const page = name in PAGES ? name : "matches";
  $("tabs").replaceChildren(...Object.keys(PAGES).map((one) => el("a", { href: `#${one}`, class: "tab", "aria-current": one === page ? "page" : null }, t(`lab.${one}`))));
  leave?.();
  const place = el("div", { class: "lab-page", id: `page-${page}` });
  $("lab").replaceChildren(el("h1", {}, t(`lab.${page}`)), place);
  document.title = `${t(`lab.${page}`)} · Kibitz`;
  leave = await PAGES[page](place, rest.join("/"));
}

async function start() {
  const theme = store.get("theme", "");
  if (theme) document.documentElement.dataset.theme = theme;
  await loadLanguage();
  await show();
  addEventListener("hashchange", () => show().catch((error) => toast(error.message)));
  document.body.dataset.ready = "true";
}

start().catch((error) => toast(error.message));
