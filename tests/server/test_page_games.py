"""The page in Chromium: records, reviews, games against the engine, sharing, territory and beliefs."""

from __future__ import annotations

import re
import shlex
from typing import Any

import pytest

import kibitz
from kibitz.games import registry
from tests.server.pages import at_place, choose_game, click_place, play_on_board

#: Playwright keeps an event loop running in its thread: these tests have a process of their own.
pytestmark = pytest.mark.browser


def open_text(page: Any, text: str) -> None:
    page.click("#open")
    page.fill("#record-text", text)
    page.click("#record-open")


@pytest.mark.parametrize(
    ("text", "game", "last"),
    [
        ("(;GM[1]SZ[9];B[ee];W[cc])", "go", "C7"),
        ("1. e4 e5 2. Nf3", "chess", "Nf3"),
        ("d3c5f6f5", "othello", "f5"),
        ("44 40 04", "uttt", "04"),
    ],
)
def test_record_opens_the_game_it_is_of(desktop: Any, text: str, game: str, last: str) -> None:
    open_text(desktop, text)
    desktop.locator("#tree .move.current", has_text=last).wait_for()
    assert desktop.locator(f'[data-game="{game}"]').get_attribute("aria-pressed") == "true"


def test_paste_anywhere_and_wrong_records_say_why(desktop: Any) -> None:
    paste = """(text) => {
        const data = new DataTransfer();
        data.setData("text", text);
        document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
    }"""
    desktop.evaluate(paste, "f5 d6 c3")
    desktop.locator("#tree .move.current", has_text="c3").wait_for()
    desktop.evaluate(paste, "what is this")
    desktop.locator("#toast.shown", has_text="no kind of record that is known").wait_for()


def test_review_finds_the_blunder_and_teaches(page: Any) -> None:
    open_text(page, "1. e4 e5 2. Nf3 Nc6 3. Bc4 Qg5 4. Nxg5")
    page.locator("#tree .move.current", has_text="Nxg5").wait_for()
    page.click("#review")
    page.locator("#review-progress", has_text="7 of 7").wait_for()
    worst = page.locator(".mistakes button").first
    assert "6. Black Qg5" in worst.inner_text()
    worst.click()
    page.locator("#tree .move.current", has_text="Qg5").wait_for()
    assert page.locator("#curve polyline").count() == 1
    page.click("#learn")
    page.locator("#learning", has_text="Black played Qg5").wait_for()
    chess = registry.get("chess").position()
    click_place(page, chess, "d8")  # the same mistake again
    click_place(page, chess, "g5")
    page.locator("#verdict", has_text="try again").wait_for()
    assert page.locator("#tree .move").count() == 7  # a try is no variation
    page.click("#learn-show")
    assert re.search(r": \w", page.locator("#verdict").inner_text())


@pytest.mark.parametrize("game", ["othello", "chess", "go", "uttt"])
def test_game_against_the_engine(desktop: Any, game: str) -> None:
    choose_game(desktop, game)
    desktop.select_option("#play-level", "beginner")
    desktop.click("#play-start")
    start = registry.get(game).position()
    ends = registry.get(game).demo[0]
    for place in [ends[:2], ends[2:4]] if game == "chess" else [ends]:
        click_place(desktop, start, place)
    desktop.locator("#tree .move").nth(1).wait_for()  # it has answered
    desktop.locator("#hint:not(:disabled)").click()
    desktop.locator("#hint-text", has_text="A good move").wait_for()
    desktop.click("#take-back")
    desktop.locator("#tree .move").first.wait_for(state="detached")
    desktop.click("#play-end")


def test_share_holds_position_and_steering(desktop: Any) -> None:
    choose_game(desktop, "othello")
    after = play_on_board(desktop, registry.get("othello").position(), "d3")
    desktop.mouse.click(*at_place(desktop, after, "c5"), button="right")
    desktop.fill("#popover input", "30")
    desktop.click('#popover [data-act="include"]')
    desktop.click("#share")
    link = desktop.input_value("#share-link")
    python, command = desktop.input_value("#share-python"), desktop.input_value("#share-command")
    found: dict[str, Any] = {}
    exec(python.replace("seconds=5", "simulations=200").replace("print(report)", ""), found)
    assert found["report"].answers[0].move == "c5"
    assert found["position"] == kibitz.othello.Position().play("d3")
    words = shlex.split(command)
    assert words[:3] == ["kibitz", "analyze", "othello"]
    assert kibitz.othello.Position(words[3].strip()) == found["position"]
    assert words[words.index("--include") + 1] == "c5"
    for kind in ("svg", "png", "json"):
        with desktop.expect_download() as download:
            desktop.click(f"#save-{kind}")
        data = download.value.path().read_bytes()
        assert data.startswith({"svg": b"<svg", "png": b"\x89PNG", "json": b"{"}[kind])
    other = desktop.context.new_page()
    other.goto(link)
    other.locator("#tree .move.current", has_text="d3").wait_for()
    assert "c5: at least 30 visits" in other.locator('.chip[data-move="c5"]').inner_text()
    other.close()


def test_territory_and_beliefs(desktop: Any) -> None:
    choose_game(desktop, "go")
    play_on_board(desktop, registry.get("go").position(), "Q16")
    desktop.click("#ownership")
    desktop.locator("#board .kit-owner").first.wait_for(state="attached")
    choose_game(desktop, "junqi")
    desktop.select_option("#seat", "S")
    desktop.click("#beliefs")
    desktop.locator('#board .belief[data-node="E62"]').wait_for(state="attached")
    assert desktop.locator("#board .belief").count() == 75
    assert "%" in desktop.locator('#board .belief[data-node="E62"] title').text_content()


def test_proved_result_has_a_badge(desktop: Any) -> None:
    moves = "c4c5f6c3b5g7e3e6c2f3g3a5h8b3f4f2b4f5f7h3a3d2e2e1a6e7d7c1c6g8f1g4d1b6b1d3g6b7f8a7c7h6a8b2g5g2"
    open_text(desktop, moves)
    desktop.locator("#tree .move").nth(30).wait_for()
    desktop.click("#analyse")
    desktop.locator("#summary .badge.proven").wait_for()
    assert "proved" in desktop.locator("#summary").inner_text()


def test_study_is_kept_and_opened(desktop: Any) -> None:
    from playwright.sync_api import expect

    choose_game(desktop, "uttt")
    play_on_board(desktop, registry.get("uttt").position(), "44")
    desktop.fill("#comment", "the centre")
    desktop.click("#studies")
    desktop.fill("#study-title", "Centre first")
    desktop.click("#study-keep")
    desktop.locator("#toast.shown", has_text="Kept: Centre first").wait_for()
    desktop.reload()
    desktop.wait_for_selector("body[data-ready]")
    desktop.click("#studies")
    desktop.get_by_role("button", name="Open").filter(has_text="Centre first").click()
    desktop.locator("#tree .move", has_text="44").click()
    expect(desktop.locator("#comment")).to_have_value("the centre")
