"""How fast the page is: first paint, bytes sent, and frames a second while analyses stream, in Chromium.

    python -m tools.page_speed

It starts `kibitz serve` itself. Every visit of the first part has an empty cache. In the second, an analysis
of each game runs for some seconds; the frames are those that the browser calls back for. The command fails
when a first paint takes longer than 0.3 s, more than 200 KB are sent, or fewer than 55 frames a second are
drawn.
"""

from __future__ import annotations

import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

_VISITS, _SECONDS = 9, 8
_PAINT, _BYTES, _FRAMES = 300, 200_000, 55
_GAMES = ("go", "chess", "othello", "uttt", "junqi")

_TIMES = """() => ({
  paint: performance.getEntriesByName("first-contentful-paint")[0].startTime,
  sent: performance.getEntriesByType("resource").concat(performance.getEntriesByType("navigation"))
    .reduce((sum, entry) => sum + entry.transferSize, 0),
})"""
#: The times between frames, in milliseconds.
_BETWEEN = """(seconds) => new Promise((done) => {
  const times = [];
  const step = (now) => {
    times.push(now);
    if (now - times[0] < 1000 * seconds) requestAnimationFrame(step);
    else done(times.slice(1).map((time, n) => time - times[n]));
  };
  requestAnimationFrame(step);
})"""


def visit(browser: Any, address: str) -> tuple[float, int]:
    """Milliseconds to the first paint, and bytes, of somebody who was never here."""
    context = browser.new_context(service_workers="block")
    page = context.new_page()
    page.goto(address)
    page.wait_for_selector("body[data-ready]")
    times = page.evaluate(_TIMES)
    context.close()
    return times["paint"], times["sent"]


def frames(browser: Any, address: str, game: str) -> tuple[float, float]:
    """Frames a second during an analysis, and the longest time between two in milliseconds."""
    page = browser.new_page(viewport={"width": 1280, "height": 860})
    page.goto(f"{address}?game={game}")
    page.wait_for_selector("body[data-ready]")
    page.click("#analyze")
    page.wait_for_selector(".candidates tbody tr")
    between = page.evaluate(_BETWEEN, _SECONDS)
    page.close()
    return 1000 * len(between) / sum(between), max(between)


def main() -> int:
    kibitz = Path(sys.executable).with_name("kibitz")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as play:
        command = [str(kibitz), "serve", "--cores", "1", "--database", f"sqlite:///{folder}/kept.db"]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert server.stdout is not None
        address = next(word for line in server.stdout for word in line.split() if word.startswith("http://"))
        browser = play.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        try:
            seen = [visit(browser, address) for _ in range(_VISITS)]
            paint, sent = statistics.median(one for one, _ in seen), max(two for _, two in seen)
            print(
                f"first paint: median {paint:.0f} ms, worst {max(one for one, _ in seen):.0f} ms of {_VISITS}"
            )
            print(f"sent: {sent / 1000:.1f} KB")
            rates = []
            for game in _GAMES:
                rate, longest = frames(browser, address, game)
                rates.append(rate)
                print(f"{game}: {rate:.1f} frames a second, longest gap {longest:.0f} ms")
        finally:
            browser.close()
            server.terminate()
            server.wait()
    return int(paint > _PAINT or sent > _BYTES or min(rates) < _FRAMES)


if __name__ == "__main__":
    sys.exit(main())
