"""KataGo's V7 input features in plain Python, for queries of the main phase without pre-root history.

The facts are those of KataGo's `cpp/neuralnet/nninputs.cpp` at v1.17.2.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tests.nets import plain_go
from tests.nets.plain_go import BLACK, EMPTY, WHITE, Board

Array = npt.NDArray[np.float32]

_LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
_PRESETS: dict[str, tuple[str, str, str, bool]] = {
    "tromp-taylor": ("POSITIONAL", "AREA", "NONE", True),
    "chinese": ("SIMPLE", "AREA", "NONE", False),
    "japanese": ("SIMPLE", "TERRITORY", "SEKI", False),
    "korean": ("SIMPLE", "TERRITORY", "SEKI", False),
    "new-zealand": ("SITUATIONAL", "AREA", "NONE", True),
    "bga": ("SITUATIONAL", "AREA", "NONE", False),
}


@dataclass
class Game:
    """A game with one of KataGo's rule sets, given as an analysis query gives it."""

    board: Board
    ko: str
    scoring: str
    tax: str
    suicide: bool
    komi: float
    to_move: int = BLACK
    passes: int = 0
    bonus: float = 0.0

    def __post_init__(self) -> None:
        self.seen = {self._key(self.board, self.to_move)}

    @staticmethod
    def of_query(query: dict[str, Any]) -> Game:
        rules = query["rules"]
        if isinstance(rules, str):
            ko, scoring, tax, suicide = _PRESETS[rules]
        else:
            ko, scoring, tax, suicide = (rules[name] for name in ("ko", "scoring", "tax", "suicide"))
        board = Board(query["boardXSize"], query["boardYSize"])
        game = Game(board, ko, scoring, tax, suicide, query["komi"])
        for player, text in query["moves"]:
            game.play(BLACK if player == "B" else WHITE, text)
        return game

    def _key(self, board: Board, to_move: int) -> tuple[int, ...]:
        return (*board.colours, to_move if self.ko == "SITUATIONAL" else EMPTY)

    def point(self, text: str) -> int:
        column, row = _LETTERS.index(text[0]), self.board.rows - int(text[1:])
        return self.board.columns * row + column

    def play(self, colour: int, text: str) -> None:
        if text == "pass":
            self.board = self.board.copy()
            self.board.ko = None
            self.passes += 1
        else:
            self.board = self.board.played(self.point(text), colour)
            self.passes = 0
            if self.scoring == "TERRITORY":
                self.bonus += 1.0 if colour == BLACK else -1.0
        self.to_move = plain_go.opponent(colour)
        self.seen.add(self._key(self.board, self.to_move))

    def superko_banned(self) -> set[int]:
        if self.ko == "SIMPLE":
            return set()
        banned = set()
        for point, colour in enumerate(self.board.colours):
            if colour == EMPTY and self.board.is_legal(point, self.to_move, self.suicide):
                after = self.board.played(point, self.to_move)
                if self._key(after, plain_go.opponent(self.to_move)) in self.seen:
                    banned.add(point)
        return banned

    def is_legal(self, point: int) -> bool:
        return self.board.is_legal(point, self.to_move, self.suicide) and point not in self.superko_banned()

    def legal_points(self) -> list[int]:
        banned = self.superko_banned()
        points = range(len(self.board.colours))
        return [p for p in points if self.board.is_legal(p, self.to_move, self.suicide) and p not in banned]


def features(game: Game) -> tuple[Array, Array]:
    """(planes [22, rows, columns], globals [19]) as KataGo's analysis makes them for a root."""
    board = game.board
    planes = np.zeros((22, len(board.colours)), np.float32)
    planes[0] = 1
    for point, colour in enumerate(board.colours):
        if colour != EMPTY:
            planes[1 if colour == game.to_move else 2, point] = 1
            liberties = len(board.chain(point)[1])
            if liberties <= 3:
                planes[2 + liberties, point] = 1
    for point in game.superko_banned() | ({board.ko} if board.ko is not None else set()):
        planes[6, point] = 1
    caught, starts = plain_go.ladders(board)
    for point in caught:
        planes[14:17, point] = 1
    for point, moves in starts.items():
        if board.colours[point] != game.to_move:
            planes[17, list(moves)] = 1
    if game.scoring == "AREA" and game.tax == "NONE":
        for point, owner in enumerate(plain_go.area(board, game.suicide)):
            if owner != EMPTY:
                planes[18 if owner == game.to_move else 19, point] = 1
    return planes.reshape(22, board.rows, board.columns), _globals(game)


def _globals(game: Game) -> Array:
    values = np.zeros(19, np.float32)
    points = len(game.board.colours)
    white = game.komi + game.bonus
    komi = white if game.to_move == WHITE else -white
    values[5] = max(-points - 20.0, min(points + 20.0, komi)) / 20
    if game.ko != "SIMPLE":
        values[6] = 1
        values[7] = 0.5 if game.ko == "POSITIONAL" else -0.5
    values[8] = game.suicide
    values[9] = game.scoring == "TERRITORY"
    values[10] = game.tax != "NONE"
    values[11] = game.tax == "ALL"
    values[14] = game.passes >= 1
    if game.scoring == "AREA":
        odd = points % 2
        above = komi - (math.floor((komi - odd) / 2) * 2 + odd)
        values[18] = above if above < 0.5 else 1 - above if above < 1.5 else above - 2
    return values
