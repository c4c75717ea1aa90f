"""The rules against published counts and against python-chess, which shares no code with us."""

from __future__ import annotations

import json
from pathlib import Path

import chess
import pytest

import kibitz
from kibitz.errors import BadPosition, IllegalMove
from tests.games.chess.random_boards import random_boards

PERFT = json.loads((Path(__file__).parent / "perft.json").read_text(encoding="utf-8"))
MOST_LEAVES = 20_000_000


@pytest.mark.parametrize(
    "entry", PERFT["positions"] + PERFT["chess960"], ids=lambda entry: str(entry["name"]).replace(" ", "-")
)
def test_published_counts(entry: dict[str, object]) -> None:
    position = kibitz.chess.Position(str(entry["fen"]))
    leaves = entry["leaves"]
    assert isinstance(leaves, list)
    for depth, count in enumerate(leaves, 1):
        if count <= MOST_LEAVES:
            assert kibitz.chess.perft(position, depth) == count


def perft(board: chess.Board, depth: int) -> int:
    if depth == 0:
        return 1
    total = 0
    for move in board.legal_moves:
        board.push(move)
        total += perft(board, depth - 1)
        board.pop()
    return total


def ours(board: chess.Board) -> kibitz.chess.Position:
    root = board.root()
    start = kibitz.chess.Position(root.fen())
    if board.chess960 and not start.chess960:
        start = start.as_chess960()
    return start.play_on(*(move.uci() for move in board.move_stack))


@pytest.mark.parametrize("chess960", [False, True], ids=["standard", "chess960"])
def test_random_positions_have_the_same_moves(chess960: bool) -> None:
    for board in random_boards(500, seed=1, chess960=chess960):
        position = ours(board)
        fen = board.shredder_fen() if position.chess960 else board.fen()
        assert position.fen == fen
        moves = {position.state.move_text(move) for move in position.state.board_moves()}
        assert moves == {move.uci() for move in board.legal_moves}
        assert kibitz.chess.perft(position, 1) == len(moves)


def test_random_positions_have_the_same_lines() -> None:
    for board in random_boards(25, seed=2) + random_boards(25, seed=3, chess960=True):
        assert kibitz.chess.perft(ours(board), 2) == perft(board, 2)


def test_endings_agree() -> None:
    seen = set()
    for board in random_boards(400, seed=4):
        position = ours(board)
        expected = None
        if board.is_checkmate():
            expected = "checkmate"
        elif board.is_stalemate():
            expected = "stalemate"
        elif board.is_repetition(3):
            expected = "threefold repetition"
        elif board.halfmove_clock >= 100:
            expected = "fifty moves"
        elif board.is_insufficient_material():
            expected = "insufficient material"
        assert position.ending == expected
        assert position.in_check == board.is_check()
        seen.add(expected)
    assert {None, "checkmate"} <= seen


def test_every_chess960_start_round_trips() -> None:
    for number in range(0, 960, 7):
        board = chess.Board.from_chess960_pos(number)
        for fen in (board.fen(), board.shredder_fen()):
            position = kibitz.chess.Position(fen)
            assert kibitz.chess.Position(position.fen) == position
            assert len(position.legal_moves) == board.legal_moves.count()


@pytest.mark.parametrize(
    ("fen", "reason"),
    [
        ("8/8/8/8/8/8/8/8 w - - 0 1", "white has 0 kings"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN w KQkq - 0 1", "rank 1 has 7 squares"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1 w KQkq - 0 1", "no rook of white"),
        ("4k3/8/8/8/8/8/8/4K2R b - - 0 1 extra", "7 fields"),
        ("4k2R/8/8/8/8/8/8/4K3 w - - 0 1", "black's king is in check"),
    ],
)
def test_illegal_fens_say_why(fen: str, reason: str) -> None:
    with pytest.raises(BadPosition, match=reason):
        kibitz.chess.Position(fen)


def test_play_reads_uci_and_san() -> None:
    position = kibitz.chess.Position().play("e4", "e7e5", "Nf3", "b8c6", "Bb5", "a6", "O-O")
    assert position.moves[-1] == "e1g1"
    assert position.line_san(["g8f6", "f1e1"]) == ["Nf6", "Re1"]
    with pytest.raises(IllegalMove, match="no piece can go there"):
        position.play("Qh4", "Ke3")
    with pytest.raises(IllegalMove, match="illegal move e7e5 for white"):
        kibitz.chess.Position().play("e7e5")


def test_playing_on_past_a_draw() -> None:
    shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"]
    drawn = kibitz.chess.Position().play(*shuffle, *shuffle)
    assert drawn.ending == "threefold repetition"
    with pytest.raises(IllegalMove, match="the game is over"):
        drawn.play("e2e4")
    assert drawn.play_on("e2e4").ending is None
    assert drawn.unclaimed().ending is None
    assert drawn.unclaimed().fen.split()[:4] == drawn.fen.split()[:4]
