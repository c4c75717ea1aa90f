"""The planes about style, against python-chess."""

from __future__ import annotations

import random
from itertools import combinations

import chess
import numpy as np
import pytest

import kibitz
from kibitz import _native
from tests.style import plain_planes

SET_UPS = (
    chess.STARTING_FEN,
    # A locked chain, fianchettoes on both sides, tension on the wings.
    "r1bq1rk1/pppn2bp/3p2p1/3Pp3/1PP1Pp2/2N2PP1/P2N2BP/R1BQ1RK1 b - - 0 12",
    # En passant is possible; Chess960 castling rights.
    "bnrbkr1q/ppp1ppp1/6np/3pP3/8/6N1/PPPP1PPP/BNRBKR1Q w CFcf d6 0 5",
    "8/3pp3/3PP3/2b2b2/2B2B2/8/1K4k1/8 w - - 0 60",
)


def test_names_are_those_of_the_oracle() -> None:
    assert tuple(_native.STYLE_PLANES) == plain_planes.NAMES


@pytest.mark.parametrize("fen", SET_UPS)
@pytest.mark.parametrize("seed", range(4))
def test_planes_of_random_games(fen: str, seed: int) -> None:
    dice = random.Random(f"{fen} {seed}")
    chess960 = "CFcf" in fen
    start = chess.Board(fen, chess960=chess960)
    state = kibitz.chess.Position(fen).state.written_as("classical", list(plain_planes.NAMES))
    plain = kibitz.chess.Position(fen).state
    board, moves = start.copy(), []
    for _ in range(60):
        if board.is_game_over(claim_draw=True):
            break
        move = dice.choice(list(board.legal_moves))
        text = board.uci(move, chess960=chess960)
        board.push(move)
        moves.append(move)
        native = state.parse_move(text)
        state, plain = state.replayed([native]), plain.replayed([native])
        planes, numbers = state.encode()
        assert planes.shape == (120, 8, 8)
        assert numbers.shape == (0,)
        np.testing.assert_array_equal(planes[:112], plain.encode()[0])
        expected = plain_planes.planes(start, moves)
        for at, name in enumerate(plain_planes.NAMES):
            got = planes[112 + at].ravel()
            np.testing.assert_allclose(got, expected[name], atol=1e-6, err_msg=f"{name} {board.fen()}")


@pytest.mark.parametrize("chosen", [*combinations(plain_planes.NAMES, 1), ("tension", "centre_clock")])
def test_each_plane_is_switched_alone(chosen: tuple[str, ...]) -> None:
    position = kibitz.chess.Position().play("d4", "Nf6", "c4", "g6", "Nc3", "Bg7", "e4", "d6")
    both = [_replayed(position, names).encode()[0] for names in (list(chosen), list(plain_planes.NAMES))]
    assert both[0].shape[0] == 112 + len(chosen)
    for at, name in enumerate(chosen):
        np.testing.assert_array_equal(both[0][112 + at], both[1][112 + plain_planes.NAMES.index(name)])


def _replayed(position: kibitz.chess.Position, names: list[str]) -> _native.Chess:
    state = kibitz.chess.Position().state.written_as("classical", names)
    for text in position.moves:
        state = state.replayed([state.parse_move(text)])
    return state


def test_known_position() -> None:
    """King's Indian after 1.d4 Nf6 2.c4 g6 3.Nc3 Bg7 4.e4 d6 5.d5: White's last step was two plies ago."""
    position = kibitz.chess.Position().play("d4", "Nf6", "c4", "g6", "Nc3", "Bg7", "e4", "d6", "d5", "O-O")
    planes = _replayed(position, list(plain_planes.NAMES)).encode()[0][112:]
    by_name = dict(zip(plain_planes.NAMES, planes, strict=True))
    assert by_name["locked_own"].sum() == by_name["locked_theirs"].sum() == 1  # d5 and d6
    assert by_name["locked_own"][4, 3] == by_name["locked_theirs"][5, 3] == 1
    assert by_name["tension"].sum() == 0
    assert by_name["fianchetto_theirs"][6, 6] == 1.0
    assert by_name["fianchetto_own"][1, 1] == by_name["fianchetto_own"][1, 6] == 0.5
    assert by_name["centre_clock"][0, 0] == pytest.approx(1 / 24)


def test_keys_tell_positions_with_other_clocks_apart() -> None:
    """One more round trip of knights: the board is the same, the clock of the centre is not."""
    first = kibitz.chess.Position().play("e4", "e5", "Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6")
    keys = set()
    for names in ([], ["tension"], ["centre_clock"]):
        keys.add(_replayed(first, names).cache_key)
    assert len(keys) == 3


def test_unknown_planes_are_named() -> None:
    with pytest.raises(ValueError, match="unknown style plane pins"):
        kibitz.chess.Position().state.written_as("classical", ["pins"])
