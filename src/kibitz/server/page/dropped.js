// Records that are pasted or dropped, anywhere on the page. Their reader is loaded with the first one.

/** `open(record, tree)` is called with each game that somebody brings; the tree has its variations, if any.
 *  @param {any} open */
export function listenForRecords(open) {
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", async (event) => {
    event.preventDefault();
    const { files } = event.dataTransfer;
    if (files.length) await (await import("./records.js")).readFiles(files, open);
    else if (event.dataTransfer.getData("text")) await (await import("./records.js")).readText(event.dataTransfer.getData("text"), open);
  });
  document.addEventListener("paste", (event) => {
    if (/** @type {Element} */ (event.target).matches("input, textarea")) return;
    const text = event.clipboardData.getData("text");
    if (text.trim()) { event.preventDefault(); import("./records.js").then(({ readText }) => readText(text, open)); }
  });
}
