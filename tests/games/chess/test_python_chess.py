"""Boards of python-chess become positions and come back, with their moves."""

from __future__ import annotations

import random

import chess
import pytest

import kibitz
from kibitz.games.chess import Position


def random_game(seed: int, chess960: bool) -> chess.Board:
    rng = random.Random(seed)
    board = chess.Board.from_chess960_pos(rng.randrange(960)) if chess960 else chess.Board()
    for _ in range(rng.randrange(120)):
        moves = list(board.legal_moves)
        if not moves:
            break
        board.push(rng.choice(moves))
    return board


@pytest.mark.parametrize("chess960", [False, True])
def test_random_games_go_there_and_back(chess960: bool) -> None:
    for seed in range(40):
        board = random_game(seed, chess960)
        back = Position.from_board(board).to_board()
        assert back.move_stack == board.move_stack
        assert back.root().fen(en_passant="fen") == board.root().fen(en_passant="fen")
        assert back.fen() == board.fen()
        assert back.chess960 == board.chess960


def test_positions_come_back_equal_with_their_moves() -> None:
    for seed in range(40):
        position = Position.from_board(random_game(seed, False))
        again = Position.from_board(position.to_board())
        assert again == position
        assert again.moves == position.moves
        assert again.start == position.start


def test_repetitions_and_the_last_move_survive() -> None:
    board = chess.Board()
    for move in ("g1f3", "g8f6", "f3g1", "f6g8") * 2:
        board.push_uci(move)
    position = Position.from_board(board)
    assert position.ending == "threefold repetition"
    back = position.to_board()
    assert back.is_repetition(3)
    assert back.peek() == chess.Move.from_uci("f6g8")


def test_a_game_from_a_fen_keeps_its_start() -> None:
    fen = "4k3/P7/8/8/8/8/8/4K3 w - - 12 40"
    board = Position(fen).play("a8=Q+", "Ke7").to_board()
    assert board.root().fen() == fen
    assert [move.uci() for move in board.move_stack] == ["a7a8q", "e8e7"]


def test_the_former_name_still_works() -> None:
    assert kibitz.chess.Position.of_board(chess.Board()) == kibitz.chess.Position()
