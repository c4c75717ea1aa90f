"""Lc0's own priors and values against our graph, from planes made with python-chess."""

from __future__ import annotations

from typing import Any

import chess
import numpy as np
import pytest

import kibitz
from kibitz.nets import load
from kibitz.nets.lc0_moves import conv_policy_places, moves
from tests.nets import shared
from tests.nets.lc0_prints import printed_draw, printed_priors
from tests.nets.plain_chess import Array, find_move, planes_of, policy_name

PLACES = {move: place for place, move in enumerate(moves())}


def board_of(line: dict[str, Any]) -> chess.Board:
    board = chess.Board()
    for text in line["moves"]:
        board.push(find_move(board, text))
    return board


def check(board: chess.Board, line: dict[str, Any], logits: Array, outcome: Array) -> None:
    legal = [policy_name(board, move) for move in board.legal_moves]
    expected = {policy_name(board, find_move(board, text)): p for text, p in line["priors"].items()}
    assert set(expected) == set(legal)
    mine = [float(logits[PLACES[name]]) for name in legal]
    weights = np.exp(np.array(mine) - max(mine))
    exact = dict(zip(legal, weights / weights.sum(), strict=True))
    printed = dict(zip(legal, printed_priors(mine), strict=True))
    for name in legal:
        assert exact[name] == pytest.approx(expected[name], abs=1e-3)
        # Lc0 keeps twelve bits of a prior and prints four digits.
        assert printed[name] == pytest.approx(expected[name], abs=6e-5 + 2.5e-4 * expected[name])
    win, draw, loss, score = (float(value) for value in outcome)
    assert win + draw + loss == pytest.approx(1, abs=1e-5)
    assert win - loss == pytest.approx(line["v"], abs=6e-5)
    assert printed_draw(win, draw, loss) == pytest.approx(line["d"], abs=6e-4)
    assert score == 0


@pytest.mark.parametrize("name", ["maia-1900", "maia-2200"])
def test_every_reference_position(name: str) -> None:
    network = shared.network(f"{name}.pb.gz")
    lines = list(shared.references(f"lc0-{name}-nodes1.jsonl.gz"))
    boards = [board_of(line) for line in lines]
    policy, outcomes = network(np.stack([planes_of(board) for board in boards]))
    assert len(lines) >= 100
    assert policy.shape == (len(lines), 1858)
    for board, line, logits, outcome in zip(boards, lines, policy, outcomes, strict=True):
        check(board, line, logits, outcome)


def test_the_policy_has_every_move_once() -> None:
    assert len(set(moves())) == len(moves()) == 1858
    assert moves()[0] == "a1b1"
    assert moves()[-1] == "h7h8b"
    assert moves().index("a7a8q") == 1792
    assert len(set(conv_policy_places().tolist())) == 1858
    for fen in (
        chess.STARTING_FEN,
        "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1",
        "8/P6k/8/8/8/8/p6K/1R5N b - - 0 1",
    ):
        board = chess.Board(fen)
        for move in board.legal_moves:
            assert policy_name(board, move) in PLACES


def test_openvino_answers_the_threads_of_a_search() -> None:
    pytest.importorskip("openvino")
    network = load(shared.network_path("maia-1900.pb.gz"), runtime="openvino", streams=2)
    for _ in range(2):
        with kibitz.Engine("chess", "lc0", network=network, threads=3, batch=4) as engine:
            assert engine.analyze(kibitz.chess.Position(), visits=120).root.visits == 120
