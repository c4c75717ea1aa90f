"""Draws the pages of the web app into docs/pictures, in Chromium: `python tools/screenshots.py`."""

from __future__ import annotations

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import uvicorn

import kibitz
from kibitz.errors import BadOption
from kibitz.games.go import sgf
from kibitz.server.app import create_app
from kibitz.server.run import listen
from kibitz.server.settings import Settings

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "pictures"
DESKTOP, PHONE = {"width": 1280, "height": 860}, {"width": 390, "height": 844}


def use_tool(page: Any, name: str) -> None:
    """Clicks a tool of the bar; where the bar has no room for it, it is in the menu."""
    if not page.is_visible(f"#{name}"):
        page.click("#more")
    page.click(f"#{name}")


def start_server(runs: Path) -> tuple[uvicorn.Server, str]:
    """A server in a thread, and its address."""
    listening = listen("127.0.0.1", 0)
    app = create_app(Settings(database="sqlite://", runs=runs))
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning"))
    threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True).start()
    while not server.started:
        time.sleep(0.02)
    return server, f"http://127.0.0.1:{listening.getsockname()[1]}"


def analyzed(page: Any, game: str, moves: list[str], steer: str = "") -> None:
    """A position of a game with an analysis that has run for a moment, and one move guaranteed."""
    page.click(f'[data-game="{game}"]')
    for count, move in enumerate(moves, start=1):
        page.fill("#move-input input", move)
        page.press("#move-input input", "Enter")
        page.locator("#tree .move").nth(count - 1).wait_for()
    page.click("#analyze")
    page.wait_for_selector(".candidates tbody tr")
    if steer:
        page.locator(f'.candidates tr[data-move="{steer}"] .acts button').first.click()
        page.click('[data-act="include"]')
        page.wait_for_selector(".chip .answer")
    page.wait_for_timeout(2500)
    page.click("#analyze")


def reviewed(page: Any) -> None:
    """A game of chess with a blunder, reviewed."""
    use_tool(page, "open")
    page.fill("#record-text", "1. e4 e5 2. Nf3 Nc6 3. Bc4 Qg5 4. Nxg5")
    page.click("#record-open")
    page.locator("#tree .move.current", has_text="Nxg5").wait_for()
    page.click("#review")
    page.locator("#review-progress", has_text="7 of 7").wait_for()
    page.locator(".mistakes button").first.click()
    page.wait_for_timeout(4000)  # until the note at the bottom is gone


def compared(page: Any) -> None:
    """Flat UCB beside UCT."""
    page.click('[data-game="othello"]')
    use_tool(page, "compare-open")
    page.select_option("#setting-0", "flat")
    page.select_option("#setting-1", "uct")
    page.click("#compare-run")
    deeper = page.locator(".compare-side").nth(1).locator('.tree-node[data-path*=" "]')
    deeper.first.wait_for(state="attached")
    page.wait_for_timeout(5000)
    page.click("#compare-run")
    page.locator("#compare").scroll_into_view_if_needed()
    page.evaluate("document.getElementById('compare').scrollIntoView()")


def set_up(page: Any) -> None:
    """Junqi for four against engines: the set-up."""
    page.click('[data-game="junqi"]')
    page.locator("#play-players").wait_for()
    page.select_option("#play-level", "beginner")
    page.click("#play-start")
    page.locator("#layout-ready:enabled").wait_for()
    page.select_option("#named", label="lance")
    page.wait_for_timeout(500)


def in_room(page: Any) -> None:
    """The same game after some rounds."""
    set_up(page)
    page.click("#layout-ready")
    for _ in range(3):
        page.locator('body[data-mover="S"]').wait_for()
        page.click("#hint")
        page.locator("#hint-text").wait_for()
        page.fill("#move-input input", str(page.locator("#hint-text").get_attribute("data-move")))
        page.press("#move-input input", "Enter")
        page.locator('body:not([data-mover="S"])').wait_for()
    page.locator('body[data-mover="S"]').wait_for()


#: A game of Othello with 14 empty squares left.
LATE_OTHELLO = "c4c5f6c3b5g7e3e6c2f3g3a5h8b3f4f2b4f5f7h3a3d2e2e1a6e7d7c1c6g8f1g4d1b6b1d3g6b7f8a7c7h6a8b2g5g2"


def opened(page: Any, text: str) -> None:
    use_tool(page, "open")
    page.fill("#record-text", text)
    page.click("#record-open")
    page.locator("#toast.shown").wait_for()


def steered(page: Any) -> None:
    """A move asked about: its guaranteed visits, and how far behind the best it is."""
    page.click('[data-game="chess"]')
    page.click("#analyze")
    page.wait_for_selector(".candidates tbody tr")
    page.wait_for_timeout(1000)
    page.locator(".candidates tr[data-move] .acts button").last.click()
    page.click('[data-act="include"]')
    page.wait_for_selector(".chip .answer")
    page.wait_for_timeout(2500)
    page.click("#analyze")


def proved(page: Any) -> None:
    """An ending of Othello, solved."""
    opened(page, LATE_OTHELLO)
    page.click("#analyze")
    page.locator("#summary .badge.proven").wait_for()
    page.wait_for_timeout(4000)  # until the note at the bottom is gone


def tables_shown(page: Any) -> None:
    """What the tables of ultimate tic-tac-toe say."""
    dice, position = random.Random(0), kibitz.uttt.Position()
    while position.empties > 4:
        position = position.play(dice.choice(position.legal_moves))
        if position.is_over:
            position = kibitz.uttt.Position()
    opened(page, position.notation)
    page.locator(".tables .badge.proven").wait_for()
    page.locator(".tables").scroll_into_view_if_needed()
    page.wait_for_timeout(4000)


def territory(page: Any) -> None:
    """Who owns which points of a game of Go, by the network."""
    position = kibitz.go.Position(9)
    with kibitz.Engine("go", threads=1) as engine:
        for _ in range(36):
            position = position.play(engine.analyze(position, visits=40).best)
    moves = tuple(("BW"[number % 2], move) for number, move in enumerate(position.moves))
    opened(page, sgf.write(sgf.Record(kibitz.go.Position(9), moves)))
    page.locator('[data-game="go"][aria-pressed="true"]').wait_for()
    use_tool(page, "ownership")
    page.click("#analyze")
    page.wait_for_selector(".candidates tbody tr")
    page.wait_for_timeout(4000)
    page.click("#analyze")


def training_shown(page: Any) -> None:
    page.locator('[data-figure="total"] .chart-line').first.wait_for(state="attached")


def networks_shown(page: Any) -> None:
    page.locator("#networks, #no-networks").first.wait_for()


#: Games of two kinds of openings.
CLASSICAL = "1. e4 e5 2. Nf3 Nc6 3. Bc4 *", "1. d4 d5 2. c4 dxc4 *", "1. e4 c5 2. Nf3 d6 3. d4 cxd4 *"
HYPERMODERN = "1. Nf3 d5 2. g3 c5 3. Bg2 *", "1. b3 e5 2. Bb2 Nc6 3. e3 *", "1. d4 Nf6 2. c4 g6 3. g3 Bg7 *"


def style_compared(page: Any) -> None:
    page.fill("#games-A", "\n\n".join(CLASSICAL))
    page.fill("#games-B", "\n\n".join(HYPERMODERN))
    page.click("#style-compare")
    page.locator("#style-answer .picture svg").wait_for()


def match_shown(page: Any) -> None:
    page.locator('[data-figure="match.sprt"] .chart-line').wait_for(state="attached")


def play_match(folder: Path) -> None:
    """A short match with a sequential test, for the page of matches."""
    log = folder / "uct-flat.jsonl"
    words = ["match", "othello", "uct", "flat", "--games", "120", "--simulations", "60", "--sprt", "0", "60"]
    command = [sys.executable, "-c", "from kibitz.cli import main; main()", *words, "--output", str(log)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


#: Other pictures: the page, and what is done there.
OTHERS: dict[str, tuple[str, Callable[[Any], None]]] = {
    "review": ("", reviewed),
    "compare": ("", compared),
    "steered": ("", steered),
    "proved": ("", proved),
    "tables": ("", tables_shown),
    "territory": ("", territory),
    "match": ("/lab.html#matches", match_shown),
    "training": ("/lab.html#training", training_shown),
    "networks": ("/lab.html#networks", networks_shown),
    "style": ("/lab.html#style", style_compared),
    "set-up": ("", set_up),
    "room": ("", in_room),
}

SCENES: dict[str, tuple[str, list[str]]] = {
    "go": ("go", ["Q16", "D4", "C16", "Q4", "R14"]),
    "chess": ("chess", ["e4", "e5", "Nf3", "Nc6", "Bc4", "Nf6"]),
    "othello": ("othello", ["d3", "c5", "f6", "f5", "e6", "e3"]),
    "uttt": ("uttt", ["44", "40", "04", "48", "84"]),
    "junqi": ("junqi", ["S11-C31"]),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=FOLDER)
    parser.add_argument("--training", type=Path, help="a folder of `kibitz train`, for the page of runs")
    parser.add_argument("only", nargs="*", help="names of pictures; all by default")
    given = parser.parse_args()
    chromium = shutil.which("chromium")
    if chromium is None:
        raise BadOption("chromium is missing (Debian: apt install chromium)")
    from playwright.sync_api import sync_playwright

    given.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as runs, sync_playwright() as play:
        os.environ["KIBITZ_DATA"] = str(Path(runs) / "data")  # nothing of this user's in the pictures
        if not given.only or "match" in given.only:
            play_match(Path(runs))
        if given.training is not None:
            shutil.copytree(given.training, Path(runs) / given.training.name)
        server, address = start_server(Path(runs))
        browser = play.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for name, (game, moves) in SCENES.items():
            for kind, size in (("", DESKTOP), ("-phone", PHONE)):
                if given.only and name + kind not in given.only:
                    continue
                scheme: Any = "dark" if name in ("chess", "uttt") and not kind else "light"
                page = browser.new_page(viewport=size, color_scheme=scheme)  # type: ignore[arg-type]
                page.set_default_timeout(120_000)
                page.on("console", lambda message: print(message.type, message.text))
                page.on("pageerror", lambda error: print("page error", error))
                page.goto(address)
                page.wait_for_selector("body[data-ready]")
                analyzed(page, game, moves if not kind else [])
                page.screenshot(path=str(given.folder / f"web-{name}{kind}.png"))
                page.close()
        for name, (path, act) in OTHERS.items():
            if name not in (given.only or OTHERS) or (name == "training" and given.training is None):
                continue
            page = browser.new_page(viewport=DESKTOP)  # type: ignore[arg-type]
            page.set_default_timeout(120_000)
            page.on("pageerror", lambda error: print("page error", error))
            page.goto(address + path)
            page.wait_for_selector("body[data-ready]")
            act(page)
            page.screenshot(path=str(given.folder / f"web-{name}.png"))
            page.close()
        browser.close()
        server.should_exit = True


if __name__ == "__main__":
    main()
