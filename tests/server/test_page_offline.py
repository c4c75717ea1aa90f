"""The page in Chromium as an installed app: boards that were seen are there while the server is away."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.server.conftest import DESKTOP
from tests.server.servers import Server
from tests.server.test_page_saved import saved, tree

pytestmark = pytest.mark.browser


def test_boards_are_there_without_the_server(browser: Any, tmp_path: Path) -> None:
    context = browser.new_context(viewport=DESKTOP, locale="ko-KR")
    page = context.new_page()
    page.set_default_timeout(60_000)
    with Server(f"sqlite:///{tmp_path / 'kept.db'}") as server:
        page.goto(f"http://{server.address}/?game=chess")
        page.wait_for_selector("body[data-ready]")
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        manifest = page.locator("link[rel=manifest]").get_attribute("href")
        assert page.request.get(f"http://{server.address}{manifest}").json()["display"] == "standalone"
        for move in ("e2e4", "e7e5"):
            page.fill("#move-input input", move)
            page.press("#move-input input", "Enter")
        page.locator("#tree .move").nth(1).wait_for()
        saved(page)
        page.reload()  # now by the worker, which keeps what it hands on
        page.wait_for_selector("body[data-ready]")
        page.click("#walk-back")
        page.locator("#tree .move.current", has_text="e4").wait_for()
        page.click("#walk-on")
        page.locator("#tree .move.current", has_text="e5").wait_for()
        for move in ("g1f3", "b8c6"):  # after the page has read the game from the server
            page.fill("#move-input input", move)
            page.press("#move-input input", "Enter")
        page.locator("#tree .move").nth(3).wait_for()
        saved(page)
        server.kill()
    page.reload()
    page.wait_for_selector("body[data-ready]")
    assert tree(page) == ["e4", "e5", "Nf3", "Nc6"]
    for back in ("Nf3", "e5"):
        page.click("#walk-back")
        page.locator("#tree .move.current", has_text=back).wait_for()
    page.click("#walk-back")
    page.locator("#tree .move.current", has_text="e4").wait_for()
    # A move that nobody has made needs the server: the page says so in its language.
    page.fill("#move-input input", "c7c5")
    page.press("#move-input input", "Enter")
    page.locator("#toast.shown", has_text="서버에 연결할 수 없습니다").wait_for()
    context.close()


def test_first_visit_is_there_without_the_server(browser: Any, tmp_path: Path) -> None:
    """The page was loaded before the worker was there, which is given what it has not seen."""
    context = browser.new_context(viewport=DESKTOP, locale="en-GB")
    page = context.new_page()
    page.set_default_timeout(60_000)
    with Server(f"sqlite:///{tmp_path / 'kept.db'}") as server:
        page.goto(f"http://{server.address}/?game=othello")
        page.wait_for_selector("body[data-ready]")
        page.fill("#move-input input", "d3")
        page.press("#move-input input", "Enter")
        page.locator("#tree .move").wait_for()
        saved(page)
        # The page and all that it has loaded, the game, and the boards of two positions.
        page.wait_for_function(
            """async () => {
                const pathOf = (url) => new URL(url).pathname;
                const keys = (await (await caches.open("kibitz-1")).keys()).map(({ url }) => pathOf(url));
                const loaded = performance.getEntriesByType("resource").map(({ name }) => pathOf(name));
                return ["/", "/api/games", `/api/saved/${location.pathname.slice(3)}`,
                  ...loaded.filter((path) => path.startsWith("/v/"))].every((path) => keys.includes(path))
                  && keys.filter((path) => path.startsWith("/kept/")).length === 2;
            }"""
        )
        server.kill()
    page.reload()
    page.wait_for_selector("body[data-ready]")
    assert tree(page) == ["d3"]
    page.click("#walk-back")
    page.locator("#status", has_text="Black to move").wait_for()
    context.close()
