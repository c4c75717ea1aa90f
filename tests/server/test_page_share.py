"""The page in Chromium: a link that holds position and steering, pictures, data, Python and a command."""

from __future__ import annotations

import json
import shlex
from typing import Any

import pytest

from kibitz.games import registry
from tests.server.pages import choose_game, gesture, play_on_board, shown_moves, stop_analysis, use_tool

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("game", registry.names())
def test_share_holds_position_and_steering(page: Any, game: str) -> None:
    choose_game(page, game)
    first = registry.get(game).demo[0]
    after = play_on_board(page, registry.get(game).position(), first)
    page.click("#analyze")
    page.locator(".candidates tbody tr").nth(1).wait_for()
    stop_analysis(page)
    asked = shown_moves(page)[1]
    gesture(page, asked, "include")
    page.locator(".chip .answer", has_text="%").wait_for()
    stop_analysis(page)
    use_tool(page, "share")
    link = page.input_value("#share-link")
    python, command = page.input_value("#share-python"), page.input_value("#share-command")
    variables: dict[str, Any] = {}
    exec(python.replace("seconds=5", "simulations=200").replace("print(report)", ""), variables)
    assert variables["report"].answers[0].move == asked
    assert variables["position"] == after
    words = shlex.split(command)
    assert words[:3] == ["kibitz", "analyze", game]
    assert type(after)(words[3].strip()).legal_moves == after.legal_moves
    assert words[words.index("--include") + 1] == asked
    for kind in ("svg", "png", "json"):
        with page.expect_download() as download:
            page.click(f"#save-{kind}")
        data = download.value.path().read_bytes()
        assert data.startswith({"svg": b"<svg", "png": b"\x89PNG", "json": b"{"}[kind])
        if kind == "json":
            assert any(one["move"] == asked for one in json.loads(data)["answers"])
    other = page.context.new_page()
    other.goto(link)
    name = after.start.san(first) if game == "chess" else first  # type: ignore[attr-defined]
    other.locator("#tree .move.current", has_text=name).wait_for()
    assert "at least 100 visits" in other.locator(f'.chip[data-move="{asked}"]').inner_text()
    other.close()


def test_game_of_four_is_saved_as_jgs(page: Any) -> None:
    choose_game(page, "junqi")
    page.click("#new")
    page.select_option("dialog [name=rules]", "qq")
    page.click("#new-start")
    page.locator("#status", has_text="East to move").wait_for()
    use_tool(page, "share")
    with page.expect_download() as download:
        page.click("#save-jgs")
    assert download.value.path().read_bytes().startswith(b"QQGame JQS")
