"""The rules for a newcomer: every step can be played, and the dialog goes through them."""

from __future__ import annotations

from typing import Any

import pytest

from kibitz.games import registry
from tests.server.conftest import open_page
from tests.server.pages import choose_game, use_tool
from tests.server.test_languages import TEXTS


@pytest.mark.parametrize("game", registry.BUILT_IN)
def test_every_step_has_a_text_and_a_move(game: str) -> None:
    lessons = registry.page_of(game).descriptor.lessons
    assert len(lessons) >= 2
    for lesson in lessons:
        assert lesson.text in TEXTS["en"]
        legal = registry.get(game).position(lesson.start).legal_moves
        assert legal
        assert set(lesson.moves) <= set(legal)


@pytest.mark.browser
@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
@pytest.mark.parametrize("game", registry.BUILT_IN)
def test_rules_are_tried_on_the_board(browser: Any, address: str, game: str, phone: bool) -> None:
    for page in open_page(browser, address, phone):
        choose_game(page, game)
        use_tool(page, "rules")
        lessons = registry.page_of(game).descriptor.lessons
        for number, lesson in enumerate(lessons):
            position = registry.get(game).position(lesson.start)
            move = lesson.moves[0] if lesson.moves else position.legal_moves[0]
            ends = {"chess": [move[:2], move[2:4]], "junqi": [move[:3], move[-3:]]}.get(game, [move])
            page.locator("#lesson-said", has_text="Try it").wait_for()
            for end in ends:
                page.locator(f'.lesson-board [role="gridcell"][data-place="{end}"]').focus()
                page.keyboard.press("Enter")
            page.locator("#lesson-said.good").wait_for()
            assert page.locator("#lesson-next").inner_text() == (
                "Next" if number + 1 < len(lessons) else "Close"
            )
            page.click("#lesson-next")
        page.locator("dialog[open]").wait_for(state="detached")


@pytest.mark.browser
def test_escape_leaves_the_rules_from_their_board(desktop: Any) -> None:
    choose_game(desktop, "chess")
    use_tool(desktop, "rules")
    cell = desktop.locator('.lesson-board [role="gridcell"][data-place="a1"]')
    cell.focus()
    desktop.keyboard.press("Enter")  # selected
    desktop.locator(".lesson-board .kit-selected").wait_for(state="attached")
    desktop.keyboard.press("Escape")
    desktop.locator(".lesson-board .kit-selected").wait_for(state="detached")
    desktop.locator("dialog[open]").wait_for()
    desktop.keyboard.press("Escape")
    desktop.locator("dialog[open]").wait_for(state="detached")
