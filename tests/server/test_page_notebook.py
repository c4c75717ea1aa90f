"""The notebook's board in Chromium: its own module over a stand-in for the notebook's connection, with the
real Python side behind it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.server.pages import at_place

pytestmark = pytest.mark.browser

#: What anywidget gives a module: a model with traits, whose changes are heard, and `send`.
STAND_IN = """
const heard = {}, traits = TRAITS;
window.sent = [];
window.model = {
  get: (name) => traits[name],
  send: (message) => window.sent.push(message),
  on: (name, listener) => (heard[name] ||= []).push(listener),
  off: (name, listener) => { heard[name] = (heard[name] || []).filter((one) => one !== listener); },
};
window.change = (values) => {
  for (const [name, value] of Object.entries(values)) traits[name] = value;
  for (const name of Object.keys(values)) for (const listener of heard[`change:${name}`] || []) listener();
};
"""
NAMES = ("board", "report_data", "steering", "running", "problem")


@pytest.fixture
def opened(browser: Any) -> Any:
    page = browser.new_page()
    page.set_default_timeout(60_000)
    yield page
    page.close()


def show(page: Any, board: Any) -> Callable[[], None]:
    """The board on a page; gives what carries messages and changes between the two sides."""
    import json

    traits = {name: getattr(board, name) for name in NAMES}
    module = board._esm.replace("export default { render };", "window.widget = { render };")
    page.set_content('<div id="board"></div>')
    page.add_style_tag(content=board._css)
    page.add_script_tag(content=STAND_IN.replace("TRAITS", json.dumps(traits)))
    page.add_script_tag(content=module, type="module")
    page.wait_for_function("window.widget")
    # `void`: what it returns is a function, which ends the widget, and would be called.
    page.evaluate("void (window.end = widget.render({ model, el: document.getElementById('board') }))")

    def carry() -> None:
        page.wait_for_function("window.sent.length")
        for message in page.evaluate("window.sent.splice(0)"):
            board._take(board, message, [])
        page.evaluate("window.change", {name: getattr(board, name) for name in NAMES})

    return carry


@pytest.mark.parametrize("game", ["othello", "chess"])
def test_click_steer_and_stream(opened: Any, game: str) -> None:
    pytest.importorskip("anywidget", reason="anywidget is not installed (the extra notebook)")
    from kibitz.notebook import Board

    board = Board(game, preset="uct")
    carry = show(opened, board)
    start = board.position
    for place in ("d3",) if game == "othello" else ("e2", "e4"):
        opened.mouse.click(*at_place(opened, start, place))
    carry()
    assert board.position.moves == (("d3",) if game == "othello" else ("e2e4",))
    assert "to move" in opened.locator(".kibitz-status").inner_text()
    target = board.position.legal_moves[0]
    ends = [target] if game == "othello" else [target[2:4]]
    opened.mouse.click(*at_place(opened, board.position, ends[0]), button="right")
    opened.click('.kibitz-menu [data-act="include"]')
    carry()
    assert board.running
    board.stop()
    opened.evaluate("window.change", {name: getattr(board, name) for name in NAMES})
    (asked,) = board.steering["include"]
    assert opened.locator(f'.steer-include[data-move="{asked}"]').count() == 1
    assert opened.locator(".candidate").count() >= 1
    assert asked in opened.locator(".kibitz-answer").inner_text()
    opened.click(".kibitz-undo")
    carry()
    assert board.position == start
    opened.click(".kibitz-run")
    carry()
    assert opened.locator(".kibitz-run").inner_text() == "Stop"
    board.close()
