"""The compare pane in Chromium: two settings side by side on one position, in every game."""

from __future__ import annotations

from typing import Any

import pytest

from kibitz.games import registry
from tests.server.pages import choose_game, use_tool

pytestmark = pytest.mark.browser


def depths(page: Any, number: int) -> set[int]:
    """How deep the nodes of a drawn tree are."""
    paths = page.locator(".compare-side").nth(number).locator(".tree-node").all()
    return {len(path.get_attribute("data-path").split(" ")) for path in paths}


@pytest.mark.parametrize("game", registry.names())
def test_two_settings_side_by_side(page: Any, game: str) -> None:
    choose_game(page, game)
    use_tool(page, "compare-open")
    page.locator("#setting-1 option").nth(2).wait_for(state="attached")
    hidden = game == "junqi"
    page.select_option("#setting-0", "one-ply" if hidden else "flat")
    page.select_option("#setting-1", "default" if hidden else "uct")
    page.click("#compare-run")
    sides = page.locator(".compare-side")
    for number in (0, 1):
        sides.nth(number).locator(".chart-line").first.wait_for(state="attached")
        sides.nth(number).locator(".tree-node").first.wait_for(state="attached")
        counted = "nodes" if hidden else "visits"
        assert counted in sides.nth(number).locator(".compare-result").inner_text()
        assert sides.nth(number).locator(".legend li").count() >= 1
    if not hidden:  # a flat search has no moves below the root's, UCT has
        sides.nth(1).locator('.tree-node[data-path*=" "]').first.wait_for(state="attached")
        assert depths(page, 0) == {1}
    page.click("#compare-run")
    page.locator("#compare-run:not(.running)").wait_for()
    page.locator("#compare .close").click()
    page.locator("#compare").wait_for(state="hidden")


def test_pruned_and_classic_and_style(desktop: Any) -> None:
    choose_game(desktop, "chess")
    use_tool(desktop, "compare-open")
    for first, second in (("pruned", "classic"), ("default", "style hypermodern strong")):
        desktop.select_option("#setting-0", first)
        desktop.select_option("#setting-1", second)
        desktop.click("#compare-run")
        for number in (0, 1):
            side = desktop.locator(".compare-side").nth(number)
            side.locator(".tree-node").nth(2).wait_for(state="attached")
            assert side.locator(".error").count() == 0
        desktop.click("#compare-run")
        desktop.locator("#compare-run:not(.running)").wait_for()
    # Another position: what was found is not of it.
    desktop.fill("#move-input input", "e4")
    desktop.keyboard.press("Enter")
    desktop.locator(".compare-side .tree-node").first.wait_for(state="detached")
