"""The board in Chromium: dragging, premoves, marks of one's own, checks, promotion, themes, the keyboard."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from kibitz.games import chess, junqi, registry
from kibitz.games.base import Position
from tests.server.conftest import DESKTOP, PHONE
from tests.server.pages import at_place, choose_game, click_place, open_text, play_on_board, use_tool

pytestmark = pytest.mark.browser

LYING = {"width": 844, "height": 390}
START = chess.Position()


def drag(page: Any, start: tuple[float, float], end: tuple[float, float], button: str = "left") -> None:
    page.mouse.move(*start)
    page.mouse.down(button=button)
    page.mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2, steps=3)
    page.mouse.move(*end)
    page.mouse.up(button=button)


def drag_move(page: Any, move: str, button: str = "left") -> None:
    drag(page, at_place(page, START, move[:2]), at_place(page, START, move[2:4]), button)


def current(page: Any, name: str) -> None:
    page.locator("#tree .move.current", has_text=name).wait_for()


def transform_of(page: Any, place: str) -> str:
    return str(
        page.locator(f'#board [data-place="{place}"].piece').evaluate("(piece) => piece.style.transform")
    )


def test_piece_follows_the_mouse_and_is_played(desktop: Any) -> None:
    choose_game(desktop, "chess")
    start, end = at_place(desktop, START, "e2"), at_place(desktop, START, "e4")
    desktop.mouse.move(*start)
    desktop.mouse.down()
    assert desktop.locator("#board .kit-target").count() == 2
    desktop.mouse.move(start[0] + 20, start[1] - 30, steps=2)
    assert "translate" in transform_of(desktop, "e2")
    desktop.mouse.move(*end)
    desktop.mouse.up()
    current(desktop, "e4")
    assert desktop.locator('#board [data-place="e4"][data-piece="P"]').count() == 1
    drag_move(desktop, "d7d4")  # no such move: the piece goes back
    assert transform_of(desktop, "d7") == ""
    assert desktop.locator("#tree .move").count() == 1


@pytest.mark.phone
def test_piece_follows_a_finger(browser: Any, address: str) -> None:
    context = browser.new_context(viewport=PHONE, has_touch=True, locale="en-GB")
    page = context.new_page()
    page.goto(address)
    page.wait_for_selector("body[data-ready]")
    choose_game(page, "chess")
    (x1, y1), (x2, y2) = at_place(page, START, "g1"), at_place(page, START, "f3")
    fingers = page.context.new_cdp_session(page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        at = [{"x": x, "y": y} for x, y in points]
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})

    touch("touchStart", (x1, y1))
    touch("touchMove", (x1 - 15, y1 - 20))
    assert "translate" in transform_of(page, "g1")
    touch("touchMove", (x2, y2))
    touch("touchEnd")
    current(page, "Nf3")
    context.close()


def test_moves_are_animated_unless_less_motion_is_wanted(browser: Any, address: str) -> None:
    for motion in ("no-preference", "reduce"):
        context = browser.new_context(viewport=DESKTOP, locale="en-GB", reduced_motion=motion)
        page = context.new_page()
        page.goto(address)
        page.wait_for_selector("body[data-ready]")
        choose_game(page, "chess")
        page.evaluate("""() => {
          window.animated = 0;
          const plain = Element.prototype.animate;
          Element.prototype.animate = function (frames, options) {
            if (options.duration) window.animated++;
            return plain.call(this, frames, options);
          };
        }""")
        play_on_board(page, START, "e2e4")
        page.keyboard.press("ArrowLeft")
        page.locator('#board [data-place="e2"].piece').wait_for()
        assert (page.evaluate("window.animated") > 0) == (motion == "no-preference")
        context.close()


@pytest.fixture
def against_engine(desktop: Any) -> Iterator[tuple[Any, list[Any]]]:
    """A game of chess with white against an engine whose answers wait until they are let go."""
    held: list[Any] = []
    desktop.route("**/api/move", lambda route: held.append(route))
    choose_game(desktop, "chess")
    desktop.click("#play-start")
    play_on_board(desktop, START, "e2e4")
    desktop.locator("#thinking").wait_for()
    yield desktop, held
    desktop.unroute("**/api/move")


def answer(held: list[Any], move: str) -> None:
    held.pop().fulfill(json={"move": move})


def test_engines_pieces_cannot_be_moved(against_engine: tuple[Any, list[Any]]) -> None:
    page, held = against_engine
    click_place(page, START, "e7")
    assert page.locator("#board .kit-target").count() == 0
    click_place(page, START, "e5")
    drag_move(page, "d7d5")
    assert page.locator("#tree .move").count() == 1
    answer(held, "c7c5")
    current(page, "c5")


def test_premove_is_played_or_cancelled(against_engine: tuple[Any, list[Any]]) -> None:
    page, held = against_engine
    drag_move(page, "g1f3")
    assert page.locator("#board .kit-premove").count() == 2
    answer(held, "e7e5")
    current(page, "Nf3")
    page.locator("#thinking").wait_for()
    click_place(page, START, "b1")  # by clicks
    click_place(page, START, "c3")
    assert page.locator("#board .kit-premove").count() == 2
    page.keyboard.press("Escape")
    assert page.locator("#board .kit-premove").count() == 0
    answer(held, "b8c6")
    current(page, "Nc6")
    assert page.locator("#tree .move").count() == 4
    page.keyboard.press("Control+z")  # takes the engine's answer and one's own move back
    page.locator("#tree .move").nth(2).wait_for(state="detached")
    assert page.locator("#tree .move").count() == 2


def test_check_and_mate_are_shown_on_the_king(desktop: Any) -> None:
    open_text(desktop, "1. f3 e5 2. g4 Qh4#")
    desktop.locator('#board .kit-mate[data-at="e1"]').wait_for()
    open_text(desktop, "1. e4 f5 2. Qh5+")
    desktop.locator('#board .kit-check[data-at="e8"]').wait_for()


def test_opening_is_named_beside_the_moves(desktop: Any) -> None:
    open_text(desktop, "1. e4 e5 2. Nf3 Nc6 3. Bc4")
    desktop.locator("#opening", has_text="Italian Game").wait_for()
    desktop.click("#walk-first")
    desktop.locator("#opening").wait_for(state="detached")


def test_promotion_is_chosen_beside_the_square(page: Any) -> None:
    open_text(page, "8/P6k/8/8/8/8/7K/8 w - - 0 1")
    position = chess.Position("8/P6k/8/8/8/8/7K/8 w - - 0 1")
    page.locator('#board [data-place="a7"].piece').wait_for()
    click_place(page, position, "a7")
    click_place(page, position, "a8")
    assert page.locator(".chooser button").count() == 4
    page.click('.chooser [data-choice="n"]')
    current(page, "a8=N")
    assert page.locator('#board [data-place="a8"][data-piece="N"]').count() == 1


def test_arrows_and_circles_of_ones_own(desktop: Any) -> None:
    choose_game(desktop, "chess")
    drag_move(desktop, "g1f3", "right")
    desktop.keyboard.down("Shift")
    drag_move(desktop, "b1c3", "right")
    desktop.mouse.click(*at_place(desktop, START, "d4"), button="right")
    desktop.keyboard.up("Shift")
    marks = desktop.locator("#board .own-mark")
    assert [marks.nth(n).get_attribute("data-colour") for n in range(3)] == ["0", "1", "1"]
    drag_move(desktop, "g1f3", "right")  # again: it goes
    assert marks.count() == 2
    play_on_board(desktop, START, "e2e4")  # marks belong to a position
    assert marks.count() == 0
    desktop.keyboard.press("ArrowLeft")
    desktop.locator("#board .own-mark").first.wait_for()
    desktop.keyboard.press("Escape")
    assert marks.count() == 0


def test_numbers_on_arrows_hide_no_piece(desktop: Any) -> None:
    choose_game(desktop, "chess")
    desktop.click("#analyze")
    desktop.locator("#board .candidate").nth(2).wait_for()
    desktop.click("#analyze")
    boxes = """(selector) => [...document.querySelectorAll(selector)].map((one) => {
      const { left, right, top, bottom } = one.getBoundingClientRect();
      return [left, right, top, bottom]; })"""
    numbers = desktop.evaluate(boxes, "#board .candidate rect")
    pieces = desktop.evaluate(boxes, "#board .piece")
    assert len(numbers) >= 3
    for left, right, top, bottom in numbers:
        middle = ((left + right) / 2, (top + bottom) / 2)
        for a, b, c, d in pieces:
            assert not (a <= middle[0] <= b and c <= middle[1] <= d)


def test_board_and_pieces_are_chosen_and_kept(desktop: Any) -> None:
    choose_game(desktop, "chess")
    use_tool(desktop, "look")
    desktop.select_option("#look-theme", "green")
    desktop.select_option("#look-pieces", "letters")
    desktop.select_option("#look-figures", "both")
    desktop.uncheck("#look-sounds")
    desktop.locator('#board [data-place="e1"] text', has_text="K").wait_for()
    desktop.keyboard.press("Escape")
    dark = desktop.locator("#board .dark").first.evaluate("(square) => getComputedStyle(square).fill")
    assert dark == "rgb(118, 150, 86)"
    desktop.reload()
    desktop.wait_for_selector("body[data-ready]")
    desktop.locator('#board [data-place="e1"] text', has_text="K").wait_for()
    desktop.click("#analyze")
    desktop.locator("#summary b", has_text=re.compile(r"% [+\u2212]?\d+\.\d\d")).wait_for()
    desktop.click("#analyze")
    assert desktop.evaluate("JSON.parse(localStorage['kibitz.sounds'])") is False


def test_playable_squares_of_othello_are_marked(page: Any) -> None:
    choose_game(page, "othello")
    marked = {mark.get_attribute("data-at") for mark in page.locator("#board .kit-legal").all()}
    assert marked == set(registry.get("othello").position().legal_moves)


@pytest.mark.parametrize("size", [DESKTOP, PHONE, LYING], ids=["desktop", "phone", "lying"])
@pytest.mark.parametrize("game", registry.BUILT_IN)
def test_whole_board_is_on_the_screen(browser: Any, address: str, game: str, size: dict[str, int]) -> None:
    context = browser.new_context(viewport=size, locale="en-GB")
    page = context.new_page()
    page.goto(f"{address}/?game={game}")
    page.wait_for_selector("body[data-ready]")
    page.wait_for_timeout(100)
    box = page.locator("#board svg").bounding_box()
    assert box["x"] >= 0
    assert box["y"] >= 0
    assert box["x"] + box["width"] <= size["width"]
    assert box["y"] + box["height"] <= size["height"]
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    page.click("#more")
    tools = page.locator("#tools > *, #menu > *").all()
    assert len(tools) > 10
    for tool in tools:
        tool.scroll_into_view_if_needed()  # the menu scrolls where a phone is low
        at = tool.bounding_box()
        assert at["x"] >= 0
        assert at["x"] + at["width"] <= size["width"]
        assert at["y"] + at["height"] <= size["height"]
    context.close()


@pytest.mark.parametrize("game", ["go", "chess", "othello", "uttt"])
def test_board_stays_while_one_reads_below_it(browser: Any, address: str, game: str) -> None:
    context = browser.new_context(viewport=PHONE, has_touch=True, locale="en-GB")
    page = context.new_page()
    page.goto(f"{address}/?game={game}")
    page.wait_for_selector("body[data-ready]")
    page.locator("#review").scroll_into_view_if_needed()
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    board, review = page.locator("#board").bounding_box(), page.locator("#review").bounding_box()
    assert board["y"] >= 0
    assert board["y"] + board["height"] < review["y"]
    assert review["y"] + review["height"] <= PHONE["height"]
    context.close()


# -- the keyboard ---------------------------------------------------------------------------------


def focused(page: Any) -> str:
    return str(page.evaluate("document.activeElement.dataset.place || ''"))


def walk_to(page: Any, places: Any, target: str) -> None:
    """Goes to a place by arrow keys alone."""
    for _ in range(60):
        here = focused(page)
        if here == target:
            return
        (x, y), (to_x, to_y) = places.at[here], places.at[target]
        across = abs(to_x - x) >= abs(to_y - y)
        page.keyboard.press(
            ("ArrowRight" if to_x > x else "ArrowLeft")
            if across
            else ("ArrowDown" if to_y > y else "ArrowUp")
        )
    raise AssertionError(f"{target} was not reached, only {focused(page)}")


#: A whole game each, the shortest that is known; of Go two passes, of Junqi a race to a flag.
SHORTEST = {
    "chess": "f2f3 e7e5 g2g4 d8h4",
    "othello": "e6 f4 e3 f6 g5 d6 e7 f5 c5",
    "go": "E5 pass pass",
    "uttt": "",
    "junqi": "S11-N15 N13-N22 S12-N25 N51-N42 S21-N25 N14-N13 N25-N35 N34-N24 "
    "N35-N44 N43-N33 N44-N53 N33-N34 N53-N63 N32-N33 N63-N62",
}


def start_of(game: str) -> Position:
    return junqi.deal(7, 2) if game == "junqi" else registry.get(game).position()


def whole_game(game: str) -> list[str]:
    if SHORTEST[game]:
        return SHORTEST[game].split()
    position, moves = start_of(game), []
    while not position.is_over:  # the first move there is, again and again
        moves.append(position.legal_moves[0])
        position = position.play(moves[-1])
    return moves


def open_link(page: Any, position: Position) -> None:
    """Opens a position by a link that holds it."""
    record = json.dumps({"record": position.open_dict()}).encode()
    packed = base64.urlsafe_b64encode(record).decode().rstrip("=")
    page.evaluate("(packed) => { location.hash = `#s=${packed}`; }", packed)


@pytest.mark.parametrize("game", SHORTEST)
def test_whole_game_by_keyboard(desktop: Any, game: str) -> None:
    choose_game(desktop, game)
    position = start_of(game)
    ends = {"chess": lambda move: [move[:2], move[2:4]], "junqi": lambda move: move.split("-")}
    places = position.places()
    if game == "junqi":  # set-ups are dealt at random otherwise
        open_link(desktop, position)
        desktop.locator('#board [data-place="C11"]').wait_for(state="detached")
    for number, move in enumerate(whole_game(game), 1):
        if move == "pass":
            desktop.focus("#pass")
            desktop.keyboard.press("Enter")
        else:
            if not focused(desktop):  # the board keeps the focus from move to move
                assert number == 1 or whole_game(game)[number - 2] == "pass"
                desktop.keyboard.press("b")
            for end in ends.get(game, lambda move: [move])(move):
                walk_to(desktop, places, end)
                desktop.keyboard.press("Enter")
        desktop.locator("#tree .move").nth(number - 1).wait_for()
    assert desktop.locator("#tree .move").count() == len(whole_game(game))
    if game == "go":  # it ends when its score is accepted
        desktop.focus("#count-accept")
        desktop.keyboard.press("Enter")
    desktop.locator("#status b", has_text="won").wait_for()


@pytest.mark.parametrize(
    ("game", "place", "name"),
    [
        ("chess", "e2", "e2, White Pawn, can move"),
        ("go", "D4", "D4, empty, can be played"),
        ("othello", "d3", "d3, empty, can be played"),
        ("uttt", "42", "board centre, cell top right, empty, can be played"),
        ("junqi", "S11", "South, row 1, column 1, South "),
    ],
)
def test_places_are_named_for_a_screen_reader(desktop: Any, game: str, place: str, name: str) -> None:
    choose_game(desktop, game)
    cell = desktop.locator(f'#board [role="gridcell"][data-place="{place}"]')
    assert str(cell.get_attribute("aria-label")).startswith(name)
    position = registry.get(game).position()
    assert desktop.locator("#board [role=gridcell]").count() == len(position.places().at)
