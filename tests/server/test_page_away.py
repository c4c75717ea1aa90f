"""The page in Chromium while the server is away: requests are few and spaced out, and drawing sends none."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest

from kibitz.games import registry
from tests.server.conftest import DESKTOP
from tests.server.pages import choose_game, click_place

pytestmark = pytest.mark.browser

OTHELLO = registry.get("othello").position()


class Line:
    """Counts requests for moves, and cuts them off while `away`."""

    def __init__(self, page: Any) -> None:
        self.away, self.page = True, page
        self.times: list[float] = []
        page.route("**/api/move", self._pass)

    def _pass(self, route: Any) -> None:
        self.times.append(time.monotonic())
        if self.away:
            route.abort("connectionrefused")
        else:
            route.continue_()


@pytest.fixture
def away(browser: Any, address: str) -> Iterator[Line]:
    context = browser.new_context(viewport=DESKTOP, locale="en-GB")
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.goto(address)
    page.wait_for_selector("body[data-ready]")
    line = Line(page)
    choose_game(page, "othello")
    page.select_option("#play-level", "beginner")
    page.click("#play-start")
    click_place(page, OTHELLO, "d3")
    page.locator("#play-retry").wait_for()
    yield line
    context.close()


def test_requests_for_a_move_are_spaced_out(away: Line) -> None:
    away.page.wait_for_timeout(5000)
    assert 2 <= len(away.times) <= 4
    gaps = [later - earlier for earlier, later in zip(away.times, away.times[1:], strict=False)]
    assert min(gaps) >= 0.9
    assert gaps == sorted(gaps)


def test_drawing_asks_for_nothing(away: Line) -> None:
    """Whatever is drawn anew meanwhile, the next try comes when it was due."""
    before = len(away.times)
    for _ in range(10):
        away.page.keyboard.press("a")  # starts and stops an analysis: the page is drawn each time
        away.page.wait_for_timeout(30)
    assert len(away.times) - before <= 1


def test_the_move_comes_when_the_server_is_back(away: Line) -> None:
    away.away = False
    away.page.locator("#tree .move").nth(1).wait_for()
    assert away.page.locator("#play-retry").count() == 0


def test_a_click_tries_at_once(away: Line) -> None:
    away.page.wait_for_timeout(2500)  # the next try is some seconds away
    away.away = False
    tried = len(away.times)
    away.page.click("#play-retry")
    away.page.locator("#tree .move").nth(1).wait_for()
    assert len(away.times) == tried + 1


def test_an_ended_game_asks_no_more(away: Line) -> None:
    away.page.click("#play-end")
    away.page.wait_for_timeout(100)
    tried = len(away.times)
    away.page.wait_for_timeout(4000)
    assert len(away.times) == tried
