"""The page in Chromium: games that save themselves, across reloads, tabs, and kill -9 of the server."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kibitz.games import registry
from kibitz.games.base import Position
from tests.server.conftest import DESKTOP, LYING, PHONE
from tests.server.pages import (
    choose_game,
    click_place,
    gesture,
    open_text,
    play_on_board,
    shown_moves,
    stop_analysis,
)
from tests.server.servers import Server

pytestmark = pytest.mark.browser

#: Those that a server in a process of its own has.
GAMES = ["go", "chess", "junqi", "uttt", "othello"]
SIZES = {"desktop": DESKTOP, "phone": PHONE, "phone lying": LYING}


@pytest.fixture(params=SIZES)
def sized(request: pytest.FixtureRequest, browser: Any, address: str) -> Iterator[Any]:
    """The page at three sizes, in a browser that nobody has used."""
    size = SIZES[request.param]
    context = browser.new_context(viewport=size, has_touch=size is not DESKTOP, locale="en-GB")
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.goto(address)
    page.wait_for_selector("body[data-ready]")
    yield page
    context.close()


def saved(page: Any) -> None:
    page.locator('#saved[data-status="saved"]').wait_for(state="attached")


def reload(page: Any) -> None:
    page.reload()
    page.wait_for_selector("body[data-ready]")


def tree(page: Any) -> list[str]:
    """The moves of the tree as they are shown, without their numbers."""
    page.locator("#tree .move").first.wait_for()  # drawn with the next frame
    texts = page.locator("#tree .move").all_inner_texts()
    return [re.sub(r"^\d+[.…]\s*|[✎◎]", "", text).strip() for text in texts]


def count_moves(page: Any, count: int) -> None:
    """Waits until the tree has so many moves."""
    page.locator("#tree .move").nth(count - 1).wait_for()
    assert page.locator("#tree .move").count() == count


def names(position: Position) -> list[str]:
    return position.start.line_text(position.moves)


@pytest.mark.parametrize("game", registry.names())
def test_game_reloaded_after_every_move(sized: Any, game: str) -> None:
    page = sized
    choose_game(page, game)
    position = registry.get(game).position()
    for number in range(4):
        position = play_on_board(
            page, position, position.legal_moves[(7 * number) % len(position.legal_moves)]
        )
        count_moves(page, number + 1)
        reload(page)  # at once: nothing may wait for the page
        page.locator("#tree .move.current").wait_for()
        assert tree(page) == names(position)
        assert "/g/" in page.url
        assert page.locator(f'[data-game="{game}"]').get_attribute("aria-pressed") == "true"
    saved(page)


def test_everything_comes_back(page: Any) -> None:
    """Variations, comments, steering, the analysis, a promoted line: by reload, logo and a second tab."""
    choose_game(page, "chess")
    start = registry.get("chess").position()
    after = play_on_board(page, play_on_board(page, start, "e2e4"), "e7e5")
    page.fill("#comment", "the usual answer")
    page.click("#walk-back")
    page.locator("#tree .move.current", has_text="e4").wait_for()
    play_on_board(page, start.play("e2e4"), "c7c5")
    page.get_by_role("button", name="main line").click()
    page.click("#analyze")
    page.locator(".candidates tbody tr").nth(1).wait_for()
    stop_analysis(page)
    asked = shown_moves(page)[1]
    gesture(page, asked, "include")
    page.locator(".chip .answer", has_text="%").wait_for()
    stop_analysis(page)
    saved(page)
    best = shown_moves(page)[0]
    other = page.context.new_page()
    other.goto(page.url)
    other.wait_for_selector("body[data-ready]")
    reload(page)
    for one in (page, other):
        assert tree(one) == ["e4", "c5", "e5"]
        one.locator("#tree .move.current", has_text="c5").wait_for()
        assert shown_moves(one)[0] == best
        assert "at least 100 visits" in one.locator(f'.chip[data-move="{asked}"]').inner_text()
    other.click(".brand")  # the logo
    other.wait_for_selector("body[data-ready]")
    other.locator("#tree .move", has_text="e5").click()
    other.locator("#tree .move.current", has_text="e5").wait_for()
    assert other.locator("#comment").input_value() == "the usual answer"
    assert after.moves == ("e2e4", "e7e5")


def test_back_returns_to_the_board_before(page: Any) -> None:
    choose_game(page, "othello")
    play_on_board(page, registry.get("othello").position(), "d3")
    saved(page)
    first = page.url
    open_text(page, "1. e4 e5 2. Nf3")
    page.locator("#tree .move.current", has_text="Nf3").wait_for()
    saved(page)
    assert page.url != first
    page.go_back()
    page.locator('[data-game="othello"][aria-pressed="true"]').wait_for()
    assert (tree(page), page.url) == (["d3"], first)
    page.go_forward()
    page.locator("#tree .move.current", has_text="Nf3").wait_for()


def test_record_never_overwrites_a_game(page: Any) -> None:
    choose_game(page, "chess")
    play_on_board(page, registry.get("chess").position(), "d2d4")
    saved(page)
    first = page.url
    open_text(page, "1. e4 e5")
    page.locator("#tree .move.current", has_text="e5").wait_for()
    saved(page)
    page.goto(first)
    page.wait_for_selector("body[data-ready]")
    assert tree(page) == ["d4"]


def test_new_board_survives_a_reload_and_is_not_saved_before_a_move(page: Any) -> None:
    choose_game(page, "go")
    page.click("#new")
    page.select_option("dialog [name=size]", "9")
    page.click("#new-start")
    page.wait_for_url("**/g/*")
    reload(page)
    nine = registry.get("go").position(9)
    play_on_board(page, nine, "C3")
    assert (
        page.evaluate("fetch('/api/saved').then((answer) => answer.json()).then((rows) => rows.length)") <= 1
    )
    saved(page)
    reload(page)
    assert tree(page) == ["C3"]


def test_two_tabs_on_one_game(page: Any) -> None:
    choose_game(page, "chess")
    start = registry.get("chess").position()
    after = play_on_board(page, start, "e2e4")
    saved(page)
    other = page.context.new_page()
    other.goto(page.url)
    other.wait_for_selector("body[data-ready]")
    play_on_board(page, after, "e7e5")
    # The other tab is told; it stays where it is.
    other.locator("#tree .move", has_text="e5").wait_for()
    other.locator("#tree .move.current", has_text="e4").wait_for()
    # Both move before either is told of the other.
    click_place(page, after.play("e7e5"), "g1")
    click_place(page, after.play("e7e5"), "f3")
    click_place(other, after, "c7")
    click_place(other, after, "c5")
    for one in (page, other):
        one.locator("#tree .move", has_text="Nf3").wait_for()
        one.locator("#tree .move", has_text="c5").wait_for()
        saved(one)
        reload(one)
        assert sorted(tree(one)) == ["Nf3", "c5", "e4", "e5"]


def test_others_read_and_copy(browser: Any, page: Any) -> None:
    choose_game(page, "go")
    play_on_board(page, registry.get("go").position(), "K10")
    page.fill("#comment", "the centre")
    saved(page)
    context = browser.new_context(viewport=page.viewport_size, locale="en-GB")
    guest = context.new_page()
    guest.goto(page.url)
    guest.wait_for_selector("body[data-ready]")
    guest.locator("#saved", has_text="Somebody else's game").wait_for()
    # On a phone that lies the words about the owner leave room for who is to move.
    guest.set_viewport_size(LYING)
    assert guest.evaluate("""() => {
      const [line, mover] = ["", " b"].map((of) =>
        document.querySelector(`#status${of}`).getBoundingClientRect());
      return mover.bottom <= line.bottom + 1 && mover.right <= line.right + 1;
    }""")
    assert guest.locator("#make-copy").is_visible()
    guest.set_viewport_size(page.viewport_size)
    after = play_on_board(guest, registry.get("go").position().play("K10"), "Q16")
    guest.click("#make-copy")
    saved(guest)
    assert guest.url != page.url
    reload(guest)
    assert tree(guest) == ["K10", "Q16"] == list(after.moves)
    reload(page)
    assert tree(page) == ["K10"]
    context.close()


def test_killed_server_loses_nothing(browser: Any, tmp_path: Path) -> None:
    """kill -9 of a real server after a move of each game; what is done while it is away is saved later."""
    from playwright.sync_api import expect

    database = f"sqlite:///{tmp_path / 'kept.db'}"
    context = browser.new_context(viewport=DESKTOP, locale="en-GB")
    context.set_default_timeout(60_000)
    pages = {game: context.new_page() for game in GAMES}
    replies = {}
    with Server(database) as first:
        port = int(first.address.rpartition(":")[2])
        for game, page in pages.items():
            page.goto(f"http://{first.address}/?game={game}")
            page.wait_for_selector("body[data-ready]")
            type_move(page, page.evaluate(LEGAL)[0])
            saved(page)
            replies[game] = page.evaluate(LEGAL)[0]
        first.kill()
    with Server(database, port=port):
        for game, page in pages.items():
            type_move(page, replies[game])
            saved(page)
    for page in pages.values():
        page.fill("#comment", "said while the server is away")
        expect(page.locator("#saved")).to_have_attribute("data-status", "unsaved", timeout=60_000)
    with Server(database, port=port):
        for page in pages.values():
            saved(page)
            shown = tree(page)
            reload(page)
            assert tree(page) == shown
            assert len(shown) == 2
            assert page.locator("#comment").input_value() == "said while the server is away"
    context.close()


#: The legal moves of the position that is shown.
LEGAL = """async () => {
    let record = { game: new URLSearchParams(location.search).get("game") };
    if (location.pathname.startsWith("/g/")) {
        const saved = await fetch("/api/saved/" + location.pathname.slice(3));
        const { game, document } = await saved.json();
        record = { game, ...document.start, moves: document.nodes.slice(1).map((node) => node.move) };
    }
    const headers = { "Content-Type": "application/json" };
    const body = JSON.stringify({ record });
    const answer = await fetch("/api/position", { method: "POST", headers, body });
    return (await answer.json()).legalMoves;
}"""


def type_move(page: Any, move: str) -> None:
    before = page.locator("#tree .move").count()
    page.fill("#move-input input", move)
    page.press("#move-input input", "Enter")
    count_moves(page, before + 1)


def test_game_against_the_engine_comes_back_with_its_clock(page: Any) -> None:
    """Opponent, clocks and names are saved; a hint is drawn, Ctrl+Z takes a move and its answer back."""
    choose_game(page, "othello")
    page.select_option("#play-clock", "180+2")
    page.select_option("#play-level", "beginner")
    page.click("#play-start")
    page.locator('.clocks [data-clock="black"]', has_text=re.compile(r"^(2:5\d|3:0\d)$")).wait_for()
    start = registry.get("othello").position()
    click_place(page, start, "d3")
    page.locator("#tree .move").nth(1).wait_for()
    page.locator("#thinking").wait_for(state="detached")
    page.click("#hint")
    page.locator("#board .own-mark").wait_for(state="attached")
    saved(page)
    shown = tree(page)
    reload(page)
    assert tree(page) == shown
    assert len(shown) == 2
    page.locator('.clocks [data-clock="white"]').wait_for()
    page.locator("#take-back").wait_for()
    page.keyboard.press("Control+z")
    page.locator("#tree .move").first.wait_for(state="detached")
    page.locator("#status", has_text="Black to move").wait_for()
    saved(page)
    page.click("#my-games")
    row = page.locator("#my-games-list li[data-saved]").first
    row.wait_for()
    assert "Kibitz" in row.inner_text()
