"""The page in Chromium: play, walk, branch; analyze; steer. Results are read from the page."""

from __future__ import annotations

import re
from typing import Any

import pytest

from kibitz.games import registry
from kibitz.style.measured import level_facts
from tests.server.conftest import open_page
from tests.server.pages import (
    at_place,
    choose_game,
    click_place,
    gesture,
    play_on_board,
    shown_moves,
    stop_analysis,
    use_tool,
)

#: Playwright keeps an event loop running in its thread: these tests have a process of their own.
pytestmark = pytest.mark.browser

GAMES = registry.names()


@pytest.mark.parametrize("game", GAMES)
def test_play_walk_branch_and_undo(page: Any, game: str) -> None:
    choose_game(page, game)
    info = registry.get(game)
    start = info.position()
    first, second = info.demo[0], info.demo[1]
    other = next(move for move in reversed(start.legal_moves) if move not in ("pass", first))
    after = play_on_board(page, start, first)
    play_on_board(page, after, second)
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    page.locator("#walk-back:disabled").wait_for()
    play_on_board(page, start, other)  # a variation
    assert page.locator("#tree .move").count() == 3
    assert page.locator("#tree .variation .move").count() == 1
    page.fill("#comment", "a try")
    page.keyboard.press("Tab")
    page.locator("#walk-back").click()
    page.locator("#walk-on").click()
    assert page.locator("#tree .move.current").inner_text() == f"1.{start.line_text([first])[0]}"
    page.keyboard.press("ArrowDown")
    page.locator("#tree .variation .move.current").wait_for()
    assert page.locator("#comment").input_value() == "a try"
    page.keyboard.press("Control+z")
    page.locator("#tree .variation").wait_for(state="detached")
    assert page.locator("#tree .move").count() == 2


@pytest.mark.parametrize("game", GAMES)
def test_analysis_and_the_same_steering_in_every_game(page: Any, game: str) -> None:
    choose_game(page, game)
    page.click("#analyze")
    rows = page.locator(".candidates tbody tr")
    rows.nth(2).wait_for()
    assert re.search(r"\d+\.\d%", page.locator("#summary").inner_text())
    assert page.locator("#board .candidate").count() >= 1
    stop_analysis(page)
    rows.nth(1).wait_for()
    asked = shown_moves(page)[1]
    gesture(page, asked, "include")
    answer = page.locator(f'.chip[data-kind="include"][data-move="{asked}"]')
    answer.locator(".answer", has_text="%").wait_for()
    page.locator("#analyze.running").wait_for()  # a gesture lets the analysis go on
    rows.nth(1).wait_for()
    stop_analysis(page)  # the rows of a search that runs change places, or go
    avoided = next(row for row in shown_moves(page) if row != asked)
    gesture(page, avoided, "avoid")
    page.locator(f'.chip[data-kind="avoid"][data-move="{avoided}"] .mark', has_text="✓").wait_for()
    page.locator(f'.candidates tr[data-move="{avoided}"]').wait_for(state="detached")
    assert page.locator(f'#board .steer-avoid[data-move="{avoided}"]').count() == 1
    assert page.locator(f'#board .steer-include[data-move="{asked}"]').count() == 1
    row = page.locator(f'.candidates tr[data-move="{asked}"]')
    row.wait_for()  # a search that has just begun has not been everywhere
    stop_analysis(page)
    gesture(page, asked, "weights-4")
    page.locator('.chip[data-kind="weights"] .mark', has_text="✓").wait_for()
    row.wait_for()
    stop_analysis(page)
    gesture(page, asked, "allow")
    page.locator('.chip[data-kind="allow"] .mark', has_text="✓").wait_for()
    page.locator(".candidates tbody tr").nth(1).wait_for(state="detached")
    answer.locator(".answer", has_text="the best move").wait_for()
    page.click("#analyze")
    # Nothing is wider than the screen: a phone would show the page smaller than it is.
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


@pytest.mark.parametrize("game", GAMES)
def test_pointing_at_a_row_plays_its_line_on_the_board(page: Any, game: str) -> None:
    choose_game(page, game)
    page.click("#analyze")
    page.locator(".candidates tbody tr").nth(1).wait_for()
    stop_analysis(page)
    # A tap on a phone sends the same events; after one, Chromium would go back to where its mouse rests.
    page.locator(".candidates tbody tr").first.locator("td.line").hover()
    page.locator("#board .kit-number-text", has_text="1").first.wait_for()
    page.locator("#comment").click()
    page.locator("#board .kit-number-text").first.wait_for(state="detached")
    assert page.locator("#board .candidate").count() >= 1


@pytest.mark.parametrize("game", GAMES)
def test_analysis_is_stopped_and_goes_on(page: Any, game: str) -> None:
    choose_game(page, game)
    page.click("#analyze")
    page.locator(".candidates tbody tr").nth(1).wait_for()
    stop_analysis(page)
    assert page.locator("#analyze").inner_text() == "Go on"
    before = page.locator("#summary").inner_text()
    page.wait_for_timeout(400)
    assert page.locator("#summary").inner_text() == before
    page.click("#analyze")
    page.locator("#summary", has_not_text=before).wait_for()
    stop_analysis(page)


@pytest.mark.parametrize("game", GAMES)
def test_long_press_on_a_phone_steers(browser: Any, address: str, game: str) -> None:
    for page in open_page(browser, address, phone=True):
        choose_game(page, game)
        move = registry.get(game).demo[0]
        place = {"chess": move[2:4], "junqi": move[-3:]}.get(game, move)
        page.locator("#board").scroll_into_view_if_needed()
        x, y = at_place(page, registry.get(game).position(), place)
        fingers = page.context.new_cdp_session(page)
        fingers.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
        page.locator("#popover").wait_for()
        fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        page.locator('#popover [data-act="avoid"]').tap()
        page.locator('.chip[data-kind="avoid"] .mark', has_text="✓").wait_for()
        stop_analysis(page)


def test_right_click_on_the_board_steers(desktop: Any) -> None:
    choose_game(desktop, "go")
    start = registry.get("go").position()
    desktop.mouse.click(*at_place(desktop, start, "C3"), button="right")
    desktop.fill("#popover input", "40")
    desktop.click('#popover [data-act="include"]')
    chip = desktop.locator('.chip[data-move="C3"]')
    chip.locator(".answer", has_text=re.compile("behind|no worse|the best move")).wait_for()
    chip.locator(".mark", has_text="✓").wait_for()
    assert "C3: at least 40 visits" in chip.inner_text()
    # The search runs; the places of the board stay where they are.
    desktop.mouse.click(*at_place(desktop, start, "Q16"), button="right")
    desktop.click('#popover [data-act="avoid"]')
    desktop.locator('.chip[data-kind="avoid"][data-move="Q16"] .mark', has_text="✓").wait_for()
    desktop.click("#analyze")


def test_refused_wish_says_why(desktop: Any) -> None:
    choose_game(desktop, "othello")
    desktop.click("#analyze")
    rows = desktop.locator(".candidates tbody tr")
    rows.nth(3).wait_for()
    for move in ("d3", "c4", "f5", "e6"):
        desktop.mouse.click(*at_place(desktop, registry.get("othello").position(), move), button="right")
        desktop.click('#popover [data-act="avoid"]')
    refused = desktop.locator(".chip.refused").first
    refused.wait_for()
    assert "it would leave no move to search" in refused.inner_text()
    desktop.click("#analyze")


def test_style_of_junqi_is_chosen(page: Any) -> None:
    choose_game(page, "junqi")
    page.select_option("#style-dial", index=1)
    page.click("#analyze")
    page.locator('.chip[data-kind="style"] .mark', has_text="✓").wait_for()
    stop_analysis(page)


def test_style_dial_shows_s(page: Any) -> None:
    choose_game(page, "chess")
    page.locator("#style-score", has_text="S of the game").wait_for()
    page.click("#analyze")
    page.locator("#style-score", has_text="with the best line").wait_for()
    page.locator("#style-dial").fill("0.6")
    page.locator('.chip[data-kind="style"] .mark', has_text="✓").wait_for()
    said = page.locator('.chip[data-kind="style"]').inner_text()
    assert re.search(r"strength 0\.6, budget \d\.\d\d% a move", said)
    # Beside the dial: what the level was measured to do and to cost.
    fact = next(fact for fact in level_facts("hypermodern") if fact.level == "medium")
    assert fact.elo is not None
    row = page.locator("#style-facts tr.on").inner_text()
    assert row.split("\t") == [
        "medium",
        f"S {fact.shift:+.1f} \u03c3",
        f"{fact.elo:+.0f} Elo".replace("-", "\u2212"),
    ]
    page.select_option("#style-name", "solid")
    page.locator("#style-facts", has_text="EX").wait_for()
    page.select_option("#style-name", "hypermodern")
    page.click("#analyze")


def test_keyboard_alone_plays_and_steers(desktop: Any) -> None:
    choose_game(desktop, "othello")
    desktop.fill("#move-input input", "d3")
    desktop.keyboard.press("Enter")
    desktop.locator("#tree .move.current", has_text="d3").wait_for()
    desktop.locator("#board").focus()
    desktop.keyboard.press("a")
    desktop.locator(".candidates tbody tr").nth(1).wait_for()
    desktop.keyboard.press("g")
    desktop.locator('.chip[data-kind="include"]').wait_for()
    desktop.keyboard.press("a")
    desktop.keyboard.press("2")
    desktop.locator("#tree .move").nth(1).wait_for()


def test_promotion_is_asked(desktop: Any) -> None:
    choose_game(desktop, "chess")
    for move in ("h4", "g5", "hxg5", "Nf6", "g6", "Rg8", "gxf7+", "Kxf7", "a3", "h5", "a4", "h4", "a5", "h3",
                 "a6", "hxg2", "axb7", "gxf1=N"):  # fmt: skip
        count = desktop.locator("#tree .move").count()
        desktop.fill("#move-input input", move)
        desktop.keyboard.press("Enter")
        desktop.locator("#tree .move").nth(count).wait_for()
    position = registry.get("chess").position()
    click_place(desktop, position, "b7")
    click_place(desktop, position, "a8")
    desktop.get_by_role("button", name="Rook").click()
    desktop.locator("#tree .move.current", has_text="bxa8=R").wait_for()


def test_languages_and_themes(desktop: Any) -> None:
    for name, text in (("ko", "분석"), ("zh-Hans", "分析"), ("zh-Hant", "引導"), ("en", "Analyze")):
        use_tool(desktop, "language").select_option(name)
        if name != "zh-Hant":
            desktop.locator("#analyze", has_text=text).wait_for()
        desktop.locator(f'html[lang="{name}"]').wait_for(state="attached")
    use_tool(desktop, "theme")
    assert desktop.locator("html").get_attribute("data-theme") == "dark"


def test_first_paint_is_fast_and_small(browser: Any, address: str) -> None:
    page = browser.new_context().new_page()
    page.goto(address)
    page.wait_for_selector("#board svg")
    timing = page.evaluate(
        """() => ({
            paint: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0,
            sent: performance.getEntriesByType("resource").concat(performance.getEntriesByType("navigation"))
                .reduce((sum, entry) => sum + entry.transferSize, 0),
            bytes: performance.getEntriesByType("resource").concat(performance.getEntriesByType("navigation"))
                .reduce((sum, entry) => sum + entry.decodedBodySize, 0),
        })"""
    )
    page.close()
    assert 0 < timing["paint"] < 1000
    assert 20_000 < timing["bytes"] < 330_000  # unpacked
    assert 10_000 < timing["sent"] < 200_000
