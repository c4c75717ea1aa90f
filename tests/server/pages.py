"""What tests do with the page."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from kibitz.games.base import Position

__all__ = [
    "at_place",
    "choose_game",
    "click_place",
    "gesture",
    "open_text",
    "picture",
    "play_on_board",
    "point_on_screen",
    "shown_moves",
    "stop_analysis",
    "use_tool",
]


def choose_game(page: Any, game: str) -> None:
    page.click(f'[data-game="{game}"]')
    page.locator(f'[data-game="{game}"][aria-pressed="true"]').wait_for()


def use_tool(page: Any, name: str) -> Any:
    """A tool of the bar, clicked or (a choice) shown; where the bar has no room for it, it is in the menu."""
    page.locator("#more").wait_for()
    tool = page.locator(f"#{name}")
    if not tool.is_visible():
        page.click("#more")
    if tool.evaluate("one => one.tagName") != "SELECT":
        tool.click()
    return tool


def at_place(page: Any, position: Position, place: str) -> tuple[float, float]:
    """The middle of a square, point or node on the screen."""
    x, y = position.places().at[place]
    return point_on_screen(page, x, y)


def point_on_screen(page: Any, x: float, y: float) -> tuple[float, float]:
    """A point of the board's picture on the screen."""
    at = page.evaluate(
        """([x, y]) => {
          const picture = document.querySelector("#board svg");
          const point = new DOMPoint(x, y).matrixTransform(picture.getScreenCTM());
          return [point.x, point.y];
        }""",
        [x, y],
    )
    return at[0], at[1]


def click_place(page: Any, position: Position, place: str) -> None:
    page.locator("#board").scroll_into_view_if_needed()
    height = page.viewport_size["height"]
    if not 0 < at_place(page, position, place)[1] < height:  # a phone that lies
        page.evaluate("(by) => scrollBy(0, by)", at_place(page, position, place)[1] - height / 2)
    page.mouse.click(*at_place(page, position, place))


def play_on_board(page: Any, position: Position, move: str) -> Position:
    """Clicks a move and waits until it stands in the list; the position after it."""
    ends = {"chess": [move[:2], move[2:4]], "junqi": [move[:3], move[-3:]]}.get(position.game, [move])
    for end in ends:
        click_place(page, position, end)
    after = position.play(move)
    name = position.san(move) if position.game == "chess" else move  # type: ignore[attr-defined]
    # With its number: a name may have the digits of another move's number, or be the name of the move before.
    number = (len(after.moves) + 1) // 2 if position.game == "chess" else len(after.moves)
    label = re.compile(
        rf"^({number}[.…])?{re.escape(name)}"
        if position.game == "chess"
        else rf"^{number}\.{re.escape(name)}"
    )
    page.locator("#tree .move.current").filter(has_text=label).wait_for()
    return after


def open_text(page: Any, text: str) -> None:
    """Opens a record by the dialog."""
    use_tool(page, "open")
    page.fill("#record-text", text)
    page.click("#record-open")


def stop_analysis(page: Any) -> None:
    """Stops the analysis unless it has ended by itself: its rows stay where they are from now on."""
    page.evaluate("document.querySelector('#analyze.running')?.click()")
    page.locator("#analyze:not(.running)").wait_for()


def shown_moves(page: Any) -> list[str]:
    """The moves of the list of candidates, best first."""
    return [row.get_attribute("data-move") for row in page.locator(".candidates tbody tr").all()]


def gesture(page: Any, row: str, act: str) -> None:
    """Steers a candidate by the menu of its row."""
    page.locator(f'.candidates tr[data-move="{row}"] .acts button').click()
    page.click(f'#popover [data-act="{act}"]')
    page.mouse.move(1, 1)  # a row under the pointer would play its line on the board


def picture(page: Any, name: str) -> None:
    """A picture of the page to be looked at, where KIBITZ_PICTURES names a folder."""
    folder = os.environ.get("KIBITZ_PICTURES", "")
    if folder:
        page.wait_for_timeout(300)
        page.screenshot(path=str(Path(folder) / f"{name}-{page.viewport_size['width']}.png"))
