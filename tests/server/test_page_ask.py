"""Questions on the page in Chromium: asked below the analysis, answered in words, with evidence drawn."""

from __future__ import annotations

from typing import Any

import pytest

from tests.server.pages import open_text

pytestmark = pytest.mark.browser


def test_questions_are_asked_and_answered(desktop: Any) -> None:
    open_text(desktop, "1. e4 e5 2. Bc4 Nc6 3. Qh5")
    desktop.locator('[data-game="chess"][aria-pressed="true"]').wait_for()
    desktop.select_option("#ask select", "threat")
    desktop.locator("#ask input").wait_for(state="detached")
    desktop.click("#ask button")
    replies = desktop.locator(".ask .replies")
    replies.wait_for(timeout=60_000)
    assert "White threatens Qxf7#" in replies.inner_text()

    desktop.select_option("#ask select", "why not")
    desktop.fill("#ask input", "Nf6")
    desktop.press("#ask input", "Enter")
    why = replies.locator(".why button").first
    why.wait_for(timeout=60_000)
    assert "mate in 1" in replies.inner_text()
    why.hover()  # the evidence is drawn on the board
    desktop.locator(".kit-evidence").wait_for(state="attached")

    desktop.fill("#ask input", "Ke4")
    desktop.press("#ask input", "Enter")
    desktop.locator(".ask .error").wait_for()
