"""Games in plain Python that a network can play with itself, to make positions for calibration."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import chess
import numpy as np

from kibitz.nets.lc0_moves import moves
from tests.nets.plain_chess import planes_of, policy_name
from tests.nets.plain_features import Array, Game, features
from tests.nets.plain_go import Board

_PLACES = {move: place for place, move in enumerate(moves())}
_LETTERS = "ABCDEFGHJKLMNOPQRST"
_NOTHING = np.zeros(0, np.float32)


class GoPlayer:
    """Area scoring, simple ko; a game ends with two passes or when two thirds of the board are played."""

    def __init__(self, size: int) -> None:
        self.game = Game(Board(size, size), "SIMPLE", "AREA", "NONE", False, 7.0)
        self.left = 2 * size * size // 3

    def features(self) -> tuple[Array, Array]:
        return features(self.game)

    def policy_places(self) -> list[int]:
        over = self.game.passes >= 2 or not self.left
        return [] if over else [*self.game.legal_points(), len(self.game.board.colours)]

    def play(self, number: int) -> None:
        place = self.policy_places()[number]
        board = self.game.board
        self.left -= 1
        row, column = divmod(place, board.columns)
        is_pass = place == len(board.colours)
        self.game.play(self.game.to_move, "pass" if is_pass else f"{_LETTERS[column]}{board.rows - row}")


class ChessPlayer:
    """A game ends by the rules or after 120 plies."""

    def __init__(self) -> None:
        self.board = chess.Board()

    def features(self) -> tuple[Array, Array]:
        return planes_of(self.board), _NOTHING

    def legal(self) -> list[chess.Move]:
        if len(self.board.move_stack) >= 120 or self.board.is_game_over(claim_draw=True):
            return []
        return list(self.board.legal_moves)

    def policy_places(self) -> list[int]:
        return [_PLACES[policy_name(self.board, move)] for move in self.legal()]

    def play(self, number: int) -> None:
        self.board.push(self.legal()[number])


def go_games(size: int) -> Iterator[GoPlayer]:
    return (GoPlayer(size) for _ in itertools.count())


def chess_games() -> Iterator[ChessPlayer]:
    return (ChessPlayer() for _ in itertools.count())
