"""The page in Chromium: why a move is best, and its evidence on the board."""

from __future__ import annotations

from typing import Any

import pytest

from tests.server.pages import open_text

pytestmark = pytest.mark.browser

#: White forks the king and a rook.
FORK = "r3k3/6pp/8/1N6/8/8/6PP/4K3 w - - 0 1"


def test_evidence_is_drawn_while_a_sentence_is_pointed_at(page: Any) -> None:
    open_text(page, FORK)
    page.locator('[data-game="chess"][aria-pressed="true"]').wait_for()
    page.click("#analyze")
    sentence = page.locator(".why button", has_text="Nc7+ forks the king on e8 and the rook on a8")
    sentence.wait_for()
    page.click("#analyze")
    assert page.locator(".kit-evidence").count() == 0
    sentence.locator(".place", has_text="a8").hover()
    page.locator('.kit-evidence [data-place="a8"]').wait_for()
    assert page.locator(".kit-evidence circle").count() == 1
    sentence.hover(position={"x": 2, "y": 4})
    page.locator('.kit-evidence [data-place="c7"]').wait_for()  # the knight, after its move
    assert page.locator(".kit-evidence circle").count() == 3
    assert page.locator(".kit-evidence path").count() == 2
    page.mouse.move(2, 2)
    page.locator(".kit-evidence").wait_for(state="detached")


def test_a_review_says_why(page: Any) -> None:
    open_text(page, "1. e4 e5 2. Nf3 Nc6 3. Bc4 Qg5 4. Nxg5")
    page.locator('[data-game="chess"][aria-pressed="true"]').wait_for()
    page.click("#review")
    page.locator("#review-progress", has_text="7 of 7").wait_for()
    reason = page.locator(".mistakes .why button", has_text="3...Qg5 loses a queen: 4.Nxg5")
    reason.hover()
    page.locator('.kit-evidence [data-place="g5"]').wait_for()
