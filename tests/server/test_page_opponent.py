"""The page in Chromium: games against the engine, with hint and take-back."""

from __future__ import annotations

import re
from typing import Any

import pytest

from kibitz.games import registry
from kibitz.games.junqi import layouts
from tests.server.pages import choose_game, click_place

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("game", ["othello", "chess", "go", "uttt"])
def test_game_against_the_engine(page: Any, game: str) -> None:
    choose_game(page, game)
    page.select_option("#play-level", "beginner")
    page.click("#play-start")
    start = registry.get(game).position()
    ends = registry.get(game).demo[0]
    for place in [ends[:2], ends[2:4]] if game == "chess" else [ends]:
        click_place(page, start, place)
    page.locator("#tree .move").nth(1).wait_for()  # it has answered
    page.locator("#hint:not(:disabled)").click()
    page.locator("#hint-text", has_text="A good move").wait_for()
    page.click("#take-back")
    page.locator("#tree .move").first.wait_for(state="detached")
    page.click("#play-end")


def test_engine_begins_when_you_are_second(page: Any) -> None:
    choose_game(page, "chess")
    page.select_option("#play-side", "black")
    page.select_option("#play-level", "beginner")
    page.click("#play-start")
    page.locator("#tree .move").first.wait_for()
    page.locator("#status", has_text="Black to move").wait_for()


def test_choices_are_kept_for_the_next_board(page: Any) -> None:
    choose_game(page, "othello")
    page.select_option("#play-level", "novice")
    page.select_option("#play-side", "white")
    page.click("#new")
    page.click("#new-start")
    page.wait_for_url("**/g/*")
    page.click("#play-start")  # waits for the new board, beside which it stands
    page.locator("#tree .move").first.wait_for()  # Black is the engine
    assert "Novice" in page.locator(".opponent b").inner_text()
    choose_game(page, "chess")
    assert page.locator("#play-level").input_value() == "casual"


def test_game_with_secrets_against_the_engine(page: Any) -> None:
    """It is played in a room: the server keeps what is hidden."""
    choose_game(page, "junqi")
    page.select_option("#play-players", "2")
    page.select_option("#play-level", "beginner")
    page.click("#play-start")
    page.locator('body[data-you="S"]').wait_for()
    page.select_option("#named", label="lance")
    page.locator(f'[data-place="0"][data-kind="{layouts.NAMED["lance"][0]}"]').wait_for()
    page.click("#layout-ready")
    page.locator('body[data-mover="S"]').wait_for()
    page.click("#hint")
    hint = page.locator("#hint-text", has_text="A good move")
    hint.wait_for()
    said = re.fullmatch(r"A good move: (South \d\.\d)-(\w+ \d\.\d)", hint.inner_text())
    assert said
    page.fill("#move-input input", hint.get_attribute("data-move"))
    page.keyboard.press("Enter")
    page.locator("#line span").nth(1).wait_for()  # it has answered
    assert said[1] in page.locator("#line span").first.inner_text()
    page.locator('body[data-mover="S"]').wait_for()
    page.click("#room-undo")  # the engine agrees
    page.locator("#line span").nth(1).wait_for(state="detached")
    page.click("#room-resign")
    page.click("#resign-sure")
    page.locator('body[data-phase="over"]').wait_for()
    page.click("#replay")
    page.locator("#tree .move").first.wait_for()
