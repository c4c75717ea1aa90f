"""The page in Chromium: how games end. Counting a game of Go, and the result of every game."""

from __future__ import annotations

from typing import Any

import pytest

from kibitz.games.go import Position, sgf
from tests.server.pages import choose_game, click_place, open_text, picture

pytestmark = pytest.mark.browser


def walls(rules: str = "chinese") -> Position:
    """A wall down the middle, and a lone white stone in Black's half."""
    black = [f"E{row}" for row in range(1, 10)]
    white = [f"D{row}" for row in range(1, 10)]
    return Position(9, rules=rules, komi=7.5, black=black, white=[*white, "G5"])


def stop_play(page: Any, position: Position) -> None:
    """Opens the board, and both sides pass."""
    open_text(page, sgf.write(sgf.Record(position)))
    page.locator('#board [data-place="J9"]').wait_for(state="attached")
    page.locator('#board [data-place="T19"]').wait_for(state="detached")  # no longer the board before
    for number in range(2):
        page.locator("#pass:not(:disabled)").click()
        page.locator("#tree .move").nth(number).wait_for()
    page.locator("#count-accept").wait_for()


def result(page: Any) -> str:
    page.locator("#result:not([hidden])").wait_for()
    return str(page.inner_text("#result"))


def test_dead_stones_on_a_board(page: Any) -> None:
    position = walls()
    stop_play(page, position)
    assert page.locator('[data-dead="G5"]').count() == 1
    assert "Black: 9 stones + 36 territory = 45" in page.inner_text("#count")
    assert "Black wins by 1.5 points" in page.inner_text("#count")
    picture(page, "counting")
    click_place(page, position, "G5")  # alive
    page.locator("#count", has_text="White wins by 35.5 points").wait_for()
    click_place(page, position, "G5")
    page.locator("#count", has_text="Black wins by 1.5 points").wait_for()
    page.click("#count-accept")
    said = result(page)
    assert "Black won" in said
    assert "White: 9 stones + 27 territory + komi 7.5 = 43.5" in said
    picture(page, "result-go")
    assert page.locator('#board [data-dead="G5"]').count() == 1  # the score stays on the board
    assert page.locator('#board [data-owner="first"]').count() == 36
    assert page.locator('#board [data-owner="second"]').count() == 27
    page.reload()
    page.wait_for_selector("body[data-ready]")
    assert "Black wins by 1.5 points" in result(page)
    page.click("#result-close")
    page.locator("#result").wait_for(state="hidden")


def test_play_goes_on(desktop: Any) -> None:
    stop_play(desktop, walls("japanese"))  # two passes are enough
    assert "prisoners" in desktop.inner_text("#count")
    desktop.click("#count-resume")
    desktop.locator("#count").wait_for(state="detached")
    desktop.locator("#pass").wait_for()


def test_count_against_the_engine(desktop: Any) -> None:
    """The engine agrees to its own proposal, not to marks that cost it points."""
    position = walls()
    stop_play(desktop, position)
    desktop.select_option("#play-side", "white")
    desktop.select_option("#play-level", "beginner")
    desktop.click("#play-start")
    click_place(desktop, position, "G5")
    desktop.locator("#count", has_text="White wins by 35.5 points").wait_for()
    desktop.click("#count-accept")
    desktop.locator("#count-refused").wait_for()
    desktop.locator("#count", has_text="Black wins by 1.5 points").wait_for()
    desktop.click("#count-accept")
    assert "Black won" in result(desktop)
    desktop.click("#result-rematch")
    desktop.locator("#result").wait_for(state="hidden")
    desktop.locator(".opponent", has_text="You are Black").wait_for()


def test_resigning_against_the_engine(page: Any) -> None:
    choose_game(page, "chess")
    page.click("#play-start")
    page.click("#play-resign")
    page.get_by_role("button", name="Cancel").click()  # it asks first
    assert page.locator("#play-resign").is_visible()
    page.click("#play-resign")
    page.click("#resign-sure")
    said = result(page)
    assert "Black won" in said
    assert "White resigned" in said
    picture(page, "result-resigned")
    page.click("#result-rematch")
    page.locator(".opponent", has_text="You are Black").wait_for()


def test_mate_is_said(desktop: Any) -> None:
    open_text(desktop, "1. f3 e5 2. g4 Qh4#")
    said = result(desktop)
    assert "Black won" in said
    assert "checkmate" in said.lower()
