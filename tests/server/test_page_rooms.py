"""Rooms in Chromium: two browsers, one of them a phone, play a game of each kind."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from kibitz.games import base, registry
from kibitz.games.junqi import Position, layouts
from kibitz.games.junqi.records import parse_jql
from tests.server.conftest import open_page
from tests.server.pages import choose_game, point_on_screen, use_tool

pytestmark = pytest.mark.browser


@pytest.fixture
def two(browser: Any, address: str) -> Iterator[tuple[Any, Any]]:
    """A desktop and a phone."""
    desktop, phone = (open_page(browser, address, phone=phone) for phone in (False, True))
    yield next(desktop), next(phone)
    for page in (phone, desktop):
        with pytest.raises(StopIteration):
            next(page)


def open_room(page: Any, game: str, clock: str = "", **fields: str) -> str:
    """Opens a room from the page of a game; its link."""
    choose_game(page, game)
    use_tool(page, "room")
    for name, value in fields.items():
        page.select_option(f"dialog [name={name}]", value)
    page.select_option("dialog [name=clock]", clock)
    page.click("#room-open")
    page.locator("#room-link").wait_for()
    return str(page.input_value("#room-link"))


def sit(page: Any, seat: str, name: str) -> None:
    page.fill("#name", name)
    page.click(f'[data-sit="{seat}"]')
    page.locator(f'body[data-you="{seat}"]').wait_for()


def click_places(page: Any, position: base.Position, move: str, below: str) -> None:
    """Plays a move by clicking where the seat sees it."""
    page.locator(f'body[data-mover="{below}"]').wait_for()
    places = position.places(below)
    ends = {"chess": [move[:2], move[2:4]], "junqi": [move[:3], move[-3:]]}.get(position.game, [move])
    page.locator("#board svg").scroll_into_view_if_needed()
    for end in ends:
        page.mouse.click(*point_on_screen(page, *places.at[end]))


def wait_for_moves(pages: tuple[Any, ...], count: int) -> None:
    for page in pages:
        page.locator("#line span").nth(count - 1).wait_for()


@pytest.mark.parametrize("game", ["chess", "go", "othello", "uttt"])
def test_two_browsers_play(two: tuple[Any, Any], game: str) -> None:
    first, second = two
    link = open_room(first, game, "600+5")
    position = registry.get(game).position()
    sit(first, position.seat_names[0], "Ann")
    second.goto(link)
    sit(second, position.seat_names[1], "Ben")
    pages = dict(zip(position.seat_names, two, strict=True))
    for number, move in enumerate(registry.get(game).demo[:4], 1):
        click_places(pages[position.mover], position, move, position.mover)
        wait_for_moves(two, number)
        position = position.play(move)
    assert first.locator("#plates-above .who").inner_text() == "Ben"
    assert first.locator("#plates-above .clock").inner_text().count(":") == 1
    second.reload()  # it comes back to its seat
    second.locator(f'body[data-you="{position.seat_names[1]}"]').wait_for()
    first.click("#room-undo")
    second.click("#accept")
    first.locator("#line span").nth(3).wait_for(state="detached")
    second.click("#room-draw")
    first.click("#decline")
    second.locator("#offer").wait_for(state="detached")
    second.click("#room-resign")
    second.click("#resign-sure")
    first.locator('body[data-phase="over"]').wait_for()
    assert "won (resignation)" in first.locator("#status").inner_text()
    first.click("#replay")
    first.locator("#tree .move").first.wait_for()


def test_junqi_is_set_up_and_played(two: tuple[Any, Any], tmp_path: Any) -> None:
    first, second = two
    link = open_room(first, "junqi", players="2")
    sit(first, "S", "南")
    second.goto(link)
    sit(second, "N", "北")
    # Everything about the set-up, on the desktop.
    kind = '[data-place="{}"]'.format
    first.select_option("#named", label="lance")
    lance = layouts.NAMED["lance"].replace("/", "")
    first.locator(f'[data-place="0"][data-kind="{lance[0]}"]').wait_for()
    places = [number for number in range(30) if lance[number] not in "-FMB"]
    a, b = places[0], next(one for one in places if lance[one] != lance[places[0]])
    first.drag_and_drop(kind(a), kind(b))
    first.locator(f'[data-place="{a}"][data-kind="{lance[b]}"]').wait_for()
    first.click(kind(a))
    first.click(kind(b))
    first.locator(f'[data-place="{a}"][data-kind="{lance[a]}"]').wait_for()
    first.focus(kind(a))
    first.keyboard.press("Enter")
    first.locator(f'[data-place="{a}"][aria-pressed="true"]').wait_for()
    first.keyboard.press("Enter")  # and not, after all
    first.locator(f'[data-place="{a}"][aria-pressed="false"]').wait_for()
    flag = lance.index("F")
    first.click(kind(flag))
    first.click(kind(0))
    first.locator("#faults", has_text="flag").wait_for()
    assert first.locator("#layout-ready").is_disabled()
    first.click(kind(flag))
    first.click(kind(0))
    first.locator("#faults").wait_for(state="detached")
    first.click("#mirror")
    mirrored = layouts.mirrored(layouts.NAMED["lance"]).replace("/", "")
    first.locator(f'[data-place="29"][data-kind="{mirrored[29]}"]').wait_for()
    with first.expect_download() as download:
        first.click("#jql-save")
    file = tmp_path / "mine.jql"
    file.write_bytes(download.value.path().read_bytes())
    assert parse_jql(file.read_bytes()).replace("/", "") == mirrored
    first.fill("#layout-name", "my own")
    first.click("#layout-keep")
    first.locator("#toast.shown", has_text="my own").wait_for()
    first.click("#random")
    first.set_input_files("#jql-file", str(file))
    first.locator(f'[data-place="29"][data-kind="{mirrored[29]}"]').wait_for()
    first.click("#random")
    first.select_option("#named", label="my own")
    first.locator(f'[data-place="0"][data-kind="{mirrored[0]}"]').wait_for()
    first.click("#layout-ready")
    second.locator("#seats", has_text="ready").wait_for()
    # A random one, on the phone.
    second.click("#layout-ready")
    for page in two:
        page.locator('body[data-phase="playing"]').wait_for()
    position = Position.deal([layouts.mirrored(layouts.NAMED["lance"]), "lance"])
    click_places(first, position, quiet_move(position), "S")
    wait_for_moves(two, 1)
    assert first.locator("#plates-below .who").inner_text() == "南"
    assert second.locator("#plates-below .who").inner_text() == "北"


def test_four_players_two_of_them_engines(browser: Any, two: tuple[Any, Any]) -> None:
    first, second = two
    link = open_room(first, "junqi", players="4")
    sit(first, "S", "Ann")
    second.goto(link)
    sit(second, "E", "Ben")
    for seat in ("N", "W"):
        first.select_option(f'[data-engine="{seat}"]', "beginner")
    for page in two:
        page.select_option("#named", label="lance")
        page.locator(f'[data-place="0"][data-kind="{layouts.NAMED["lance"][0]}"]').wait_for()
        page.click("#layout-ready")
    position = Position.deal(["lance"] * 4)
    for seat, page in zip("SE", two, strict=True):
        page.locator(f'body[data-mover="{seat}"]').wait_for()
        move = quiet_move(position)
        page.fill("#move-input input", move)  # typed, for the keyboard
        page.keyboard.press("Enter")
        position = position.play(move)
        wait_for_moves(two, position.ply)
    wait_for_moves(two, 4)  # the engines have moved
    first.locator('body[data-mover="S"]').wait_for()
    watcher = browser.new_page()  # with a storage of its own: it has no seat
    watcher.goto(link)
    watcher.locator('body[data-you=""][data-phase="playing"]').wait_for()
    assert watcher.locator("#board svg").count() == 1
    assert watcher.locator("#room-resign").count() == 0
    watcher.close()


def quiet_move(position: Position) -> str:
    """A move to where nobody stands, whatever the others have set up."""
    taken = {node for node, *_ in position.state.standing()}
    return next(move for move in position.legal_moves if move[-3:] not in taken)


def test_room_that_is_not_there(desktop: Any, address: str) -> None:
    desktop.goto(f"{address}/room.html?id=nowhere")
    desktop.locator("#gone").wait_for()
