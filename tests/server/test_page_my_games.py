"""The page in Chromium: the list of one's games and rooms."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kibitz.games import registry
from tests.server.pages import choose_game, open_text, play_on_board, use_tool
from tests.server.test_deck import MISTAKE

pytestmark = pytest.mark.browser

TWO_GAMES = {
    "chess": '[White "Anderssen"]\n[Black "Kieseritzky"]\n[Result "1-0"]\n\n1. e4 e5 2. f4 exf4 1-0',
    "othello": "d3c5f6f5",
}


def open_games(page: Any) -> None:
    """Two games, both saved."""
    for game, text in TWO_GAMES.items():
        open_text(page, text)
        page.locator(f'[data-game="{game}"][aria-pressed="true"]').wait_for()
        page.locator('#saved[data-status="saved"]').wait_for(state="attached")


def rows(page: Any) -> Any:
    return page.locator("#my-games-list li[data-saved]")


def test_list_has_board_players_result_and_search(page: Any) -> None:
    open_games(page)
    page.click("#my-games")
    rows(page).nth(1).wait_for()
    assert rows(page).count() == 2
    chess = rows(page).filter(has_text="Kieseritzky")
    assert "1-0" in chess.inner_text()
    assert "2 moves" in chess.inner_text()
    picture = chess.locator("img")
    picture.scroll_into_view_if_needed()
    assert (
        page.evaluate("(image) => image.decode().then(() => image.naturalWidth)", picture.element_handle())
        > 0
    )
    page.fill("#my-search", "kieser")
    rows(page).nth(1).wait_for(state="detached")
    assert rows(page).count() == 1
    page.fill("#my-search", "nobody")
    page.locator("#my-games-list", has_text="Nothing found").wait_for()
    page.fill("#my-search", "")
    chess.get_by_role("button", name="Open").last.click()
    page.locator("#tree .move.current", has_text="exf4").wait_for()


def test_rename_delete_and_undo(page: Any) -> None:
    open_games(page)
    page.click("#my-games")
    name = rows(page).filter(has_text="Anderssen").get_attribute("data-saved")
    chess = page.locator(f'li[data-saved="{name}"]')
    chess.locator('[data-act="rename"]').click()
    chess.locator("form input").fill("The immortal game")
    chess.locator("form button").click()
    rows(page).filter(has_text="The immortal game").wait_for()
    othello = rows(page).filter(has_text="Othello")
    othello.locator('[data-act="delete"]').click()
    page.locator('[data-act="undo"]').wait_for()
    # The board that is shown was deleted: a fresh one takes its place.
    page.locator("#tree .move").first.wait_for(state="detached")
    page.locator('[data-act="undo"]').click()
    rows(page).filter(has_text="Othello").locator("img").wait_for()
    page.get_by_role("button", name="Close").click()
    page.reload()
    page.wait_for_selector("body[data-ready]")
    page.click("#my-games")
    rows(page).nth(1).wait_for()
    assert rows(page).filter(has_text="The immortal game").count() == 1


def test_export_is_imported_by_another_browser(page: Any, browser: Any, tmp_path: Path) -> None:
    open_games(page)
    answer = page.request.post(f"{page.url.partition('/g/')[0]}/api/deck", data={"mistakes": [MISTAKE]})
    assert answer.ok
    page.click("#my-games")
    with page.expect_download() as download:
        page.click("#my-export")
    file = tmp_path / "all.json"
    download.value.save_as(file)
    assert {one["game"] for one in json.loads(file.read_text("utf-8"))["games"]} == set(TWO_GAMES)
    context = browser.new_context(viewport=page.viewport_size, locale="en-GB")
    other = context.new_page()
    other.goto(page.url)
    other.wait_for_selector("body[data-ready]")
    other.click("#my-games")
    other.locator("#my-games-list", has_text="Nothing is saved yet").wait_for()
    other.set_input_files("#my-import", str(file))
    rows(other).nth(1).wait_for()
    other.locator("#toast", has_text="2 games and 1 cards imported").wait_for()
    rows(other).filter(has_text="Anderssen").get_by_role("button", name="Open").last.click()
    other.locator("#tree .move.current", has_text="exf4").wait_for()
    other.locator('#saved[data-status="saved"]').wait_for(state="attached")
    other.locator("#deck-count", has_text="1 in the deck").wait_for()
    # A file of a version without a deck is an array of games.
    file.write_text(json.dumps(json.loads(file.read_text("utf-8"))["games"]), "utf-8")
    other.click("#my-games")
    other.set_input_files("#my-import", str(file))
    rows(other).nth(3).wait_for()
    context.close()


def test_rooms_are_listed(page: Any) -> None:
    choose_game(page, "othello")
    play_on_board(page, registry.get("othello").position(), "d3")
    use_tool(page, "room")
    page.click("#room-open")
    page.fill("#name", "Ann")
    page.locator("[data-sit]").first.click()
    page.locator('body[data-you="black"]').wait_for()
    room = page.url
    page.goto(page.url.partition("/room.html")[0])
    page.wait_for_selector("body[data-ready]")
    page.click("#my-games")
    row = page.locator("#my-games-list li[data-room]")
    row.wait_for()
    assert "Ann" in row.inner_text()
    assert "not begun" in row.inner_text() or "being played" in row.inner_text()
    row.locator(".about a").click()
    page.wait_for_url(room)
    page.locator('body[data-you="black"]').wait_for()


def test_link_to_my_games_is_made_rotated_and_ended(page: Any, browser: Any, address: str) -> None:
    open_games(page)
    page.click("#my-games")
    page.click("#my-account")
    page.click("#account-make")
    page.locator("#account-link").wait_for()
    first = page.input_value("#account-link")
    assert first.startswith(f"{address}/account/")
    page.click("#account-copy")
    page.locator("#toast.shown").wait_for()
    context = browser.new_context(locale="en-GB")
    other = context.new_page()
    other.goto(first)
    other.wait_for_selector("body[data-ready]")
    use_tool(other, "my-games")
    rows(other).nth(1).wait_for()
    page.click("#account-make")
    page.wait_for_function("(old) => document.getElementById('account-link').value !== old", arg=first)
    assert page.input_value("#account-link") != first
    assert other.request.get(first).status == 404
    page.click("#account-end")
    page.locator("#account-link").wait_for(state="detached")
    context.close()
