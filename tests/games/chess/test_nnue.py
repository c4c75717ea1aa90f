"""The chess network's score: features by python-chess, integers by NumPy."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import chess
import numpy as np
import pytest

import kibitz
from kibitz import Engine, _native
from kibitz.nets import load
from kibitz.nets.files import BadNetwork
from kibitz.nets.own.architecture import Architecture
from kibitz.nets.own.core import core_network
from kibitz.nets.own.file import write_own
from tests.games.chess.test_terms import boards

WIDTH = 64
#: Steps of sums and of output weights, and centipawns of a logit (native/games/chess/evaluate/nnue.h).
SUM, OUTPUT, CENTIPAWNS = 255, 128, 173717

ARCH = Architecture(
    game="chess",
    layout="accumulator",
    planes=112,
    globals=0,
    rows=8,
    columns=8,
    filters=32,
    blocks=1,
    policy_filters=16,
    score_filters=WIDTH,
)


def random_tensors(seed: int = 2) -> dict[str, Any]:
    """Weights that are whole numbers of steps."""
    dice = np.random.default_rng(seed)

    def whole(shape: tuple[int, ...], most: float, steps: int) -> Any:
        return (np.rint(dice.uniform(-most, most, shape) * steps) / steps).astype(np.float32)

    return {
        "pieces.weights": whole((768, 32), 0.2, 512),
        "pieces.bias": whole((32,), 0.2, 512),
        "policy.hidden.weights": whole((64, 16), 0.2, 512),
        "policy.hidden.bias": whole((16,), 0.2, 512),
        "policy.moves.weights": whole((16, 1858), 0.2, 512),
        "policy.moves.bias": whole((1858,), 0.2, 512),
        "hand.weights": whole((24,), 0.2, 512),
        "score.pieces.weights": whole((_native.CHESS_NNUE_FEATURES, WIDTH), 0.3, SUM),
        "score.pieces.bias": whole((WIDTH,), 0.5, SUM),
        "score.output.weights": whole((2 * WIDTH, _native.CHESS_NNUE_OUTPUTS), 0.2, OUTPUT),
        "score.output.bias": whole((_native.CHESS_NNUE_OUTPUTS,), 0.5, SUM * OUTPUT),
    }


TENSORS = random_tensors()


@pytest.fixture(scope="module")
def core() -> Any:
    return core_network(ARCH, TENSORS)


def features(board: chess.Board, viewer: chess.Color) -> list[int]:
    king = board.king(viewer)
    assert king is not None
    mirror = chess.square_file(king) < 4

    def seen(square: int) -> int:
        if viewer == chess.BLACK:
            square = chess.square_mirror(square)
        return square ^ 7 if mirror else square

    rank, file = chess.square_rank(seen(king)), chess.square_file(seen(king))
    region = {0: 0 if file in (4, 5) else 1, 1: 2}.get(rank, 3)
    return [
        768 * region + 64 * ((0 if piece.color == viewer else 6) + piece.piece_type - 1) + seen(square)
        for square, piece in board.piece_map().items()
    ]


def centipawns(board: chess.Board) -> int:
    """What the core computes, in whole numbers; endings that the core knows apart."""
    steps = {
        name: np.rint(TENSORS[f"score.{name}"].astype(np.float64) * scale).astype(np.int64)
        for name, scale in (
            ("pieces.weights", SUM),
            ("pieces.bias", SUM),
            ("output.weights", OUTPUT),
            ("output.bias", SUM * OUTPUT),
        )
    }
    held = [
        np.clip(steps["pieces.bias"] + steps["pieces.weights"][features(board, viewer)].sum(0), 0, SUM) ** 2
        for viewer in (board.turn, not board.turn)
    ]
    group = min(7, (len(board.piece_map()) - 1) // 4)
    total = int(np.concatenate(held) @ steps["output.weights"][:, group])
    logit = int(total / SUM) + int(steps["output.bias"][group])
    return int(logit * CENTIPAWNS / (1000 * SUM * OUTPUT))


def score_of(core: Any, fen: str) -> int:
    return round(core.logit(kibitz.chess.Position(fen).state) * 173.7178)


@pytest.mark.parametrize("board", boards(60, seed=9), ids=lambda board: board.fen())
def test_integers_are_those_of_numpy(core: Any, board: chess.Board) -> None:
    sides = (chess.WHITE, chess.BLACK)
    if any(not board.pieces(chess.PAWN, side) for side in sides):
        pytest.skip("the core corrects scores of such endings")
    assert score_of(core, board.fen()) == centipawns(board)


def test_colours_and_wings_are_alike(core: Any) -> None:
    fen = "3r2k1/5ppp/8/3P4/8/2N5/1P3PPP/6K1 w - - 0 1"
    mirrored = "1k2r3/ppp5/8/4P3/8/5N2/PPP3P1/1K6 w - - 0 1"
    turned = chess.Board(fen).mirror().fen()
    assert score_of(core, fen) == score_of(core, mirrored) == score_of(core, turned)


def test_a_line_equals_its_positions(core: Any) -> None:
    """Positions of several games in any order: sums from those before are sums from nothing."""
    dice = random.Random(4)
    states: list[Any] = []
    for _ in range(12):
        position = kibitz.chess.Position()
        for _ in range(60):
            if position.is_over:
                break
            position = position.play(dice.choice(position.legal_moves))
            states.append(position.state)
    expected = [round(core.logit(state) * 173.7178) for state in states]
    assert len(set(expected)) > 100
    assert _native.chess_nnue_line(core, states) == expected
    order = dice.sample(range(len(states)), len(states))
    assert _native.chess_nnue_line(core, [states[i] for i in order]) == [expected[i] for i in order]


def test_a_search_uses_it(tmp_path: Path) -> None:
    """At depth 1 a quiet move's score is the network's judgement of the position after it."""
    path = tmp_path / "random.knet"
    path.write_bytes(write_own(ARCH, TENSORS, {"name": "random"}, "fp32"))
    network = load(path, game="chess")
    fen = "6k1/5ppp/8/8/8/8/5PPP/6K1 w - - 0 1"
    with Engine("chess", search="alphabeta", network=str(path), threads=1) as engine:
        assert engine.network_name == "random"
        report = engine.analyze(kibitz.chess.Position(fen), options={"depth": 1})
    scores = []
    for move in kibitz.chess.Position(fen).legal_moves:
        after = kibitz.chess.Position(fen).play(move)
        scores.append(-score_of(network.definition.core, after.fen))
    assert report.moves[0].score == pytest.approx(max(scores) / 100, abs=0.005)


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("score_filters", 48, "multiple of 32"),
        ("score_filters", 2048, "from 0 to 1024"),
        ("terms", _native.CHESS_TERMS, "without terms"),
    ],
)
def test_bad_architectures_are_rejected(name: str, value: int, reason: str) -> None:
    with pytest.raises(BadNetwork, match=reason):
        Architecture.from_dict({**ARCH.to_dict(), name: value})


def test_output_weights_that_overflow_are_rejected() -> None:
    wide = Architecture.from_dict({**ARCH.to_dict(), "score_filters": 1024})
    tensors = {
        **TENSORS,
        "score.pieces.weights": np.zeros((_native.CHESS_NNUE_FEATURES, 1024), np.float32),
        "score.pieces.bias": np.zeros(1024, np.float32),
        "score.output.weights": np.ones((2048, _native.CHESS_NNUE_OUTPUTS), np.float32),
    }
    with pytest.raises(BadNetwork, match="32 bits"):
        core_network(wide, tensors)
