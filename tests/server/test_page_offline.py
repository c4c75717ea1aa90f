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
        server.kill()
    page.reload()
    page.wait_for_selector("body[data-ready]")
    assert tree(page) == ["e4", "e5"]
    page.click("#walk-back")
    page.locator("#tree .move.current", has_text="e4").wait_for()
    # A move that nobody has made needs the server: the page says so in its language.
    page.fill("#move-input input", "c7c5")
    page.press("#move-input input", "Enter")
    page.locator("#toast.shown", has_text="서버에 연결할 수 없습니다").wait_for()
    context.close()
