"""The page in Chromium: what single games have (territory, proved results, discs, beliefs)."""

from __future__ import annotations

from typing import Any

import pytest

from kibitz.games import registry
from tests.server.pages import choose_game, open_text, play_on_board, use_tool
from tests.server.test_tables import late_position

#: Playwright keeps an event loop running in its thread: these tests have a process of their own.
pytestmark = pytest.mark.browser

#: A game of Othello with 14 empty squares left.
LATE_OTHELLO = "c4c5f6c3b5g7e3e6c2f3g3a5h8b3f4f2b4f5f7h3a3d2e2e1a6e7d7c1c6g8f1g4d1b6b1d3g6b7f8a7c7h6a8b2g5g2"


def test_territory_of_go(page: Any) -> None:
    choose_game(page, "go")
    play_on_board(page, registry.get("go").position(), "Q16")
    use_tool(page, "ownership")
    page.locator("#board .kit-owner").first.wait_for(state="attached")


def test_beliefs_of_junqi(page: Any) -> None:
    choose_game(page, "junqi")
    use_tool(page, "seat").select_option("S")
    use_tool(page, "beliefs")
    page.locator('#board .belief[data-node="E62"]').wait_for(state="attached")
    assert page.locator("#board .belief").count() == 75
    assert "%" in page.locator('#board .belief[data-node="E62"] title').text_content()


@pytest.mark.parametrize("game", ["othello", "uttt"])
def test_proved_result_has_a_badge(page: Any, game: str) -> None:
    open_text(page, LATE_OTHELLO if game == "othello" else late_position().notation)
    page.locator(f'[data-game="{game}"][aria-pressed="true"]').wait_for()
    page.locator("#toast.shown").wait_for()
    page.click("#analyze")
    page.locator("#summary .badge.proven").wait_for()
    assert "proved" in page.locator("#summary").inner_text()


def test_discs_of_othello_are_counted(page: Any) -> None:
    choose_game(page, "othello")
    play_on_board(page, registry.get("othello").position(), "d3")
    page.locator("#status", has_text="● 4").wait_for()
