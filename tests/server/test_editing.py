"""Positions set up by hand: what stands on a board can be taken off and put elsewhere, in every game."""

from __future__ import annotations

import re
from typing import Any

import pytest
from fastapi.testclient import TestClient

from kibitz.games import registry
from tests.server.conftest import DESKTOP, PHONE
from tests.server.pages import choose_game, use_tool


def board(client: TestClient, record: dict[str, Any]) -> Any:
    return client.post("/api/position", json={"record": record}).json()


def pieces_of(shown: Any) -> list[dict[str, str]]:
    rows = [
        dict(re.findall(r'data-(\w+)="([^"]*)"', tag))
        for tag in re.findall(r'<g class="piece"[^>]*>', shown["svg"])
    ]
    return [{"kind" if key == "piece" else key: value for key, value in row.items()} for row in rows]


@pytest.mark.parametrize("game", registry.BUILT_IN)
def test_edited_position_has_these_pieces_and_this_mover(client: TestClient, game: str) -> None:
    info = registry.get(game)
    position = info.position().play(*info.demo[:5])
    shown = board(client, position.open_dict())
    pieces = pieces_of(shown)
    kings, first = ("K", "k"), (*info.position.side_names[:1], "S")
    kept = [
        one
        for one in pieces
        if one != next(p for p in reversed(pieces) if p["kind"] not in kings and p["side"] in first)
    ]
    assert len(kept) == len(pieces) - 1
    for mover in shown["seats"]:
        body = {"record": position.open_dict(), "pieces": kept, "mover": mover}
        answer = client.post("/api/edit", json=body)
        assert answer.status_code == 200, answer.text
        record = answer.json()
        after = board(client, record)
        assert after["mover"] == mover or game == "uttt"  # there it follows from the symbols
        assert sorted(map(str, pieces_of(after))) == sorted(map(str, kept))
        assert after["line"] == []
        assert after["legalMoves"]


def test_position_that_cannot_be_is_refused_with_the_reason(client: TestClient) -> None:
    start = registry.get("chess").position()
    pieces = [one for one in pieces_of(board(client, start.open_dict())) if one["kind"] != "k"]
    answer = client.post("/api/edit", json={"record": start.open_dict(), "pieces": pieces, "mover": "white"})
    assert answer.status_code == 422
    assert "king" in answer.json()["error"]
    view = {"game": "junqi", "seat": "S", "view": registry.get("junqi").position().view("S").notation}  # type: ignore[attr-defined]
    answer = client.post("/api/edit", json={"record": view, "pieces": [], "mover": "S"})
    assert (answer.status_code, answer.json()["error"]) == (
        422,
        "only a board with everything open can be edited",
    )


def test_palette_has_every_kind_of_both_sides(client: TestClient) -> None:
    rows = client.get("/api/palette", params={"game": "chess"}).json()
    assert "".join(row["kind"] for row in rows) == "KQRBNPkqrbnp"
    assert {row["side"] for row in rows} == {"white", "black"}
    assert all(row["svg"].startswith("<path") for row in rows)
    assert client.get("/api/palette", params={"game": "junqi"}).json() == []


@pytest.mark.browser
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("game", ["go", "othello", "uttt", "chess"])
def test_piece_is_put_on_the_board_and_played_from(browser: Any, address: str, game: str, size: Any) -> None:
    context = browser.new_context(viewport=size, locale="en-GB")
    page = context.new_page()
    page.goto(address)
    page.wait_for_selector("body[data-ready]")
    choose_game(page, game)
    place, tool = {"go": ("D4", "white-O"), "othello": ("c3", "white-O"), "uttt": ("44", "x-X")}.get(
        game, ("d2", "white-Q")
    )
    use_tool(page, "edit")
    page.click(f'[data-tool="{tool}"]')
    cell = page.locator(f'.edited [data-place="{place}"]')
    box = cell.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.locator(f'.edited [data-edited="{place}"]').wait_for()
    page.click("#edit-done")
    page.locator(f'#board .piece[data-place="{place}"][data-piece="{tool[-1]}"]').wait_for()
    assert page.locator("#tree .move").count() == 0
    context.close()


@pytest.mark.browser
def test_pieces_are_dragged_and_erased_in_the_editor(desktop: Any) -> None:
    choose_game(desktop, "junqi")
    use_tool(desktop, "edit")
    middle = """(place) => {
      const box = document.querySelector(`.edited [data-place="${place}"]`).getBoundingClientRect();
      return [box.x + box.width / 2, box.y + box.height / 2]; }"""
    desktop.locator('.edited [data-place="S12"]').wait_for()
    start, end = (desktop.evaluate(middle, place) for place in ("S12", "C22"))
    desktop.mouse.move(*start)
    desktop.mouse.down()
    desktop.mouse.move(*end)
    desktop.mouse.up()
    desktop.click('[data-tool="eraser"]')
    desktop.mouse.click(*desktop.evaluate(middle, "E11"))
    desktop.select_option("#edit-mover", "E")
    desktop.click("#edit-done")
    desktop.locator('#board .piece[data-place="C22"][data-side="S"]').wait_for()
    assert desktop.locator('#board .piece[data-place="E11"]').count() == 0
    desktop.locator("#status b", has_text="East to move").wait_for()
