"""Rooms in Chromium: how a game ends there, rematch, talk, stepping back, rooms that want to be found."""

from __future__ import annotations

import json
import urllib.request
from typing import Any

import pytest

from kibitz.games import go
from tests.server.conftest import DESKTOP, PHONE
from tests.server.pages import choose_game, click_place, picture, use_tool

pytestmark = pytest.mark.browser
WHITE_STONE = '#board svg [data-side="white"]'


def test_count_talk_and_rematch(browser: Any, address: str) -> None:
    room = f"{address}/room.html?id={open_room_at(address, 'go', size=5, komi=0.5)}"
    pages = [context_page(browser, phone) for phone in (False, True)]
    for page, name, seat in zip(pages, ("Ann", "Bob"), ("black", "white"), strict=True):
        page.goto(room)
        page.fill("#name", name)
        page.click(f'[data-sit="{seat}"]')
        page.locator(f'body[data-you="{seat}"]').wait_for()
    black, white = pages
    say(white, "hello")
    black.locator("#talk", has_text="Bob hello").wait_for()
    black.click("#talk-mute")
    black.locator("#talk-text").wait_for(state="detached")
    board = go.Position(5, komi=0.5)
    for page, move in ((black, "C3"), (white, "A1")):
        page.locator("body[data-mover='black']" if page is black else "body[data-mover='white']").wait_for()
        click_place(page, board, move)
        black.locator("#line span", has_text=move).wait_for()
    black.click("#walk-back")  # while the game goes on
    black.locator("#walk-last.primary").wait_for()
    black.locator(WHITE_STONE).wait_for(state="detached")
    picture(black, "room-back")
    black.click("#walk-last")
    black.locator("#walk-last:disabled").wait_for()
    black.locator(WHITE_STONE).wait_for()
    for page in (black, white):
        page.locator("#pass:not(:disabled)").click()
    for page in (black, white):
        page.locator("#count-accept").wait_for()
        page.locator('[data-dead="A1"]').wait_for(state="attached")
    picture(white, "room-counting")
    for page in (white, black):
        page.click("#count-accept")
    for page in (white, black):
        page.locator("#result:not([hidden])", has_text="Black wins by 24.5 points").wait_for()
    picture(white, "room-result")
    picture(black, "room-result")
    black.click("#result-rematch")
    white.locator("#rematch-asked", has_text="Black").wait_for()
    white.click("#result-rematch")
    black.locator('body[data-you="white"]').wait_for()
    white.locator('body[data-you="black"]').wait_for()
    for page in pages:
        page.context.close()


def test_room_that_wants_to_be_found(desktop: Any, browser: Any, address: str) -> None:
    choose_game(desktop, "othello")
    use_tool(desktop, "room")
    desktop.check("#room-listed")
    desktop.click("#room-open")
    desktop.fill("#name", "Host")
    desktop.click('[data-sit="black"]')
    desktop.locator('body[data-you="black"]').wait_for()
    guest = context_page(browser, False)
    guest.goto(address)
    guest.wait_for_selector("body[data-ready]")
    use_tool(guest, "room")
    guest.locator("#open-rooms a", has_text="Host").wait_for()
    picture(guest, "open-rooms")
    guest.locator("#open-rooms a", has_text="Host").first.click()
    guest.locator("#seats", has_text="Host").wait_for()
    guest.context.close()


def context_page(browser: Any, phone: bool) -> Any:
    """A page of somebody else."""
    context = browser.new_context(viewport=PHONE if phone else DESKTOP, has_touch=phone, locale="en-GB")
    page = context.new_page()
    page.set_default_timeout(20_000)
    return page


def open_room_at(address: str, game: str, **new: Any) -> str:
    body = json.dumps({"new": {"game": game, **new}}).encode()
    request = urllib.request.Request(f"{address}/api/rooms", body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        return str(json.load(answer)["id"])


def say(page: Any, text: str) -> None:
    page.fill("#talk-text", text)
    page.press("#talk-text", "Enter")
