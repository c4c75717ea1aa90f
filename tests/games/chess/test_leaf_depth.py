"""`leaf_depth`: a few plies of alpha-beta judge the leaves of a tree search."""

from __future__ import annotations

from typing import Any

import chess
import pytest

import kibitz
from kibitz.errors import BadOption

#: Paul Morphy's problem: 1. Ra6, and whatever Black does is mate.
MATE_IN_TWO = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"
FORK = "r3k3/pp3p2/8/3N4/8/8/5PPP/6K1 w q - 0 1"
QUIET = "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9"


def report(fen: str, visits: int, include: Any = (), **options: Any) -> kibitz.Report:
    with kibitz.Engine("chess", "own", **{"threads": 1, "seed": 1, "search": "tree", **options}) as engine:
        return engine.analyze(kibitz.chess.Position(fen), visits=visits, include=include)


def test_python_chess_agrees_that_it_is_mate_in_two() -> None:
    board = chess.Board(MATE_IN_TWO)

    def mates(board: chess.Board, plies: int) -> bool:
        if board.is_checkmate():
            return board.ply() % 2 == 1
        if plies == 0 or board.is_game_over():
            return False
        results = []
        for move in list(board.legal_moves):
            board.push(move)
            results.append(mates(board, plies - 1))
            board.pop()
        return any(results) if board.turn == chess.WHITE else all(results)

    assert mates(board, 3)


@pytest.mark.parametrize("network", ["bundled", "none"])
def test_one_visit_sees_a_mate(network: str) -> None:
    named: dict[str, Any] = {} if network == "bundled" else {"network": "none", "evaluator": "hand"}
    plain, deep = (
        next(info.value for info in found.moves if info.move == "a1a6")
        for found in (report(MATE_IN_TWO, 1, {"a1a6": 1}, leaf_depth=depth, **named) for depth in (0, 3))
    )
    assert plain < 0.95
    assert deep > 0.99


def test_what_it_says_depends_on_the_position_alone() -> None:
    alone = report(QUIET, visits=60, leaf_depth=3)
    with kibitz.Engine("chess", "own", threads=1, seed=1, search="tree", leaf_depth=3) as engine:
        engine.analyze(kibitz.chess.Position(MATE_IN_TWO), visits=40)
        after = engine.analyze(kibitz.chess.Position(QUIET), visits=60)
    assert [(info.move, info.visits, info.value) for info in after.moves] == [
        (info.move, info.visits, info.value) for info in alone.moves
    ]


def test_its_move_gets_half_of_the_priors() -> None:
    plain, deep = (
        {info.move: info.prior for info in report(FORK, 40, {"d5c7": 1}, leaf_depth=depth).moves}
        for depth in (0, 3)
    )
    assert deep["d5c7"] == pytest.approx(0.5 + 0.5 * plain["d5c7"], abs=0.02)


def test_a_repetition_of_the_game_is_a_draw() -> None:
    """The game's past reaches the leaves: a queen ahead, but every move back repeats."""
    position = kibitz.chess.Position("7k/8/8/8/8/8/q7/7K w - - 0 1")
    position = position.play("h1g1", "a2a3", "g1h1", "a3a2", "h1g1", "a2a3", "g1h1")
    with kibitz.Engine("chess", "own", threads=1, seed=1, search="tree", leaf_depth=2) as engine:
        report = engine.analyze(position, visits=200, include={"a3a2": 1})
    moves = {info.move: info.value for info in report.moves}
    assert moves["a3a2"] == pytest.approx(0.5, abs=0.01)
    assert max(moves.values()) > 0.9


def test_several_threads() -> None:
    found = report(QUIET, visits=400, leaf_depth=2, threads=4)
    assert found.root.visits >= 400


def test_it_has_limits() -> None:
    with pytest.raises(BadOption, match="leaf_depth"):
        report(QUIET, 1, leaf_depth=17)
