"""The board for notebooks, on the side of Python: what a click or a gesture of the page does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("anywidget", reason="anywidget is not installed (the extra notebook)")

import kibitz
from kibitz.errors import BadRequest
from kibitz.notebook import Board, module_text


@pytest.fixture
def board() -> Iterator[Board]:
    made = Board("othello", preset="uct", seconds=30)
    yield made
    made.close()


def tell(board: Board, **message: Any) -> None:
    """A message of the page."""
    board._handle_msg({"content": {"data": {"method": "custom", "content": message}}, "buffers": []})


def test_shows_the_position_as_the_page_does(board: Board) -> None:
    assert board.board["record"]["game"] == "othello"
    assert board.board["legalMoves"] == ["d3", "c4", "f5", "e6"]
    assert board.board["svg"].startswith("<svg")
    assert set(board.board["places"]["at"]) >= {"d3", "h8"}
    assert board.get_state()["board"] == board.board


def test_click_plays_and_undo_takes_back(board: Board) -> None:
    tell(board, type="play", move="d3")
    assert board.position == kibitz.othello.Position().play("d3")
    assert board.board["line"] == ["d3"]
    tell(board, type="play", move="a1")
    assert "a1" in board.problem
    tell(board, type="undo")
    assert board.position.moves == ()


def test_gesture_steers_and_streams(board: Board) -> None:
    seen: list[int] = []
    board.observe(lambda change: change["new"] and seen.append(change["new"]["simulations"]), "report_data")
    tell(board, type="steer", kind="include", move="d3", amount=40)
    assert board.running
    while len(seen) < 2:
        assert board.running
    tell(board, type="stop")
    assert not board.running
    assert board.report is not None
    assert board.report.answers[0].move == "d3"
    assert board.report_data["answers"][0]["visits"] >= 40
    assert seen == sorted(seen)
    tell(board, type="steer", kind="avoid", move="d3")
    board.stop()
    assert board.steering == {"include": {}, "avoid": {"d3": 100.0}, "allow": {}, "weights": {}}
    assert board.report.best != "d3"


def test_analysis_from_a_cell(board: Board) -> None:
    board.analyze(seconds=0.2)
    report = board.wait()
    assert report is not None
    assert report.final
    board.play("d3")
    assert (board.report, board.report_data) == (None, {})


def test_questions_are_answered_and_shown(board: Board) -> None:
    line, threat = board.ask("line d3 c5", "threat", seconds=0.2)
    assert [step.move for step in line.steps] == ["d3", "c5"]
    assert threat.verdict in ("threat", "none")
    assert [reply["question"] for reply in board.report_data["replies"]] == ["line d3 c5", "threat"]
    with pytest.raises(BadRequest, match="illegal move a1"):
        board.ask("why a1")


def test_what_is_wrong_is_told(board: Board) -> None:
    for message in ({"kind": "sing", "move": "d3"}, {"kind": "avoid", "move": "z9"}, {"kind": "include"}):
        board.problem = ""
        tell(board, type="steer", **message)
        assert board.problem
    with pytest.raises(BadRequest, match="this board is for othello"):
        board.position = kibitz.chess.Position()


def test_every_game_has_a_board() -> None:
    for game in ("go", "chess", "uttt", "junqi"):
        made = Board(game)
        assert made.board["legalMoves"]
        made.close()


def test_module_is_one_file() -> None:
    text = module_text()
    assert "import " not in text
    assert text.count("export ") == 1
    assert "function drawCandidates" in text
