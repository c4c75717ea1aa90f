"""The pieces of a chess position and what they attack, for detectors of motifs.

>>> board = Board("4k3/8/8/8/8/2n5/8/R3K3")
>>> [NAMES[square] for square in board.attackers(NAMES.index("a4"), 1)]
['c3']

Squares are numbers from a1 = 0 to h8 = 63, sides 0 for white and 1 for black, pieces letters as in FEN.
"""

from __future__ import annotations

from functools import cached_property

NAMES = tuple(f"{'abcdefgh'[square % 8]}{square // 8 + 1}" for square in range(64))
#: Material in pawns.
VALUES = {"p": 1, "n": 3, "b": 3, "r": 5, "q": 9, "k": 0}
#: The same where a king is what nobody can give up.
RANKED = {**VALUES, "k": 99}

_STRAIGHT = ((1, 0), (-1, 0), (0, 1), (0, -1))
_SLANTED = ((1, 1), (1, -1), (-1, 1), (-1, -1))
_JUMPS = ((1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1))


def _step(square: int, x: int, y: int) -> int | None:
    column, row = square % 8 + x, square // 8 + y
    return 8 * row + column if 0 <= column < 8 and 0 <= row < 8 else None


def _steps(square: int, directions: tuple[tuple[int, int], ...]) -> tuple[int, ...]:
    found = (_step(square, x, y) for x, y in directions)
    return tuple(one for one in found if one is not None)


def _ray(square: int, x: int, y: int) -> tuple[int, ...]:
    squares: list[int] = []
    at = _step(square, x, y)
    while at is not None:
        squares.append(at)
        at = _step(at, x, y)
    return tuple(squares)


_KNIGHT = tuple(_steps(square, _JUMPS) for square in range(64))
_KING = tuple(_steps(square, _STRAIGHT + _SLANTED) for square in range(64))
#: What a pawn of a side attacks; from which squares one attacks is the other side's row.
_PAWN = tuple(
    tuple(_steps(square, ((-1, forward), (1, forward))) for square in range(64)) for forward in (1, -1)
)
_ROOK = tuple(tuple(_ray(square, x, y) for x, y in _STRAIGHT) for square in range(64))
_BISHOP = tuple(tuple(_ray(square, x, y) for x, y in _SLANTED) for square in range(64))
_RAYS = {"r": _ROOK, "b": _BISHOP, "q": tuple(_ROOK[square] + _BISHOP[square] for square in range(64))}

_BETWEEN: dict[tuple[int, int], frozenset[int]] = {
    (square, ray[reach]): frozenset(ray[:reach])
    for square in range(64)
    for ray in _RAYS["q"][square]
    for reach in range(len(ray))
}
_NOTHING: frozenset[int] = frozenset()


def between(one: int, other: int) -> frozenset[int]:
    """The squares between two that share a rank, a file or a diagonal; none for others."""
    return _BETWEEN.get((one, other), _NOTHING)


def in_line(one: int, two: int, three: int) -> bool:
    """Whether three squares lie on one rank, file or diagonal."""
    x1, y1, x2, y2 = one % 8, one // 8, two % 8, two // 8
    x3, y3 = three % 8, three // 8
    return x1 == x2 == x3 or y1 == y2 == y3 or x1 - y1 == x2 - y2 == x3 - y3 or x1 + y1 == x2 + y2 == x3 + y3


def near(square: int) -> tuple[int, ...]:
    """The squares a king on this one could step to on an empty board."""
    return _KING[square]


def side_of(piece: str) -> int:
    return 0 if piece.isupper() else 1


class Board:
    """Where the pieces are. It never changes."""

    def __init__(self, fen: str) -> None:
        rows = fen.partition(" ")[0].split("/")
        squares: list[str] = []
        for row in reversed(rows):
            for letter in row:
                squares += [""] * int(letter) if letter.isdigit() else [letter]
        self.squares = tuple(squares)

    def without(self, square: int) -> Board:
        """The board with a square emptied."""
        board = object.__new__(Board)
        board.squares = (*self.squares[:square], "", *self.squares[square + 1 :])
        return board

    @cached_property
    def _by_side(self) -> tuple[list[tuple[int, str]], list[tuple[int, str]]]:
        standing = [(at, piece) for at, piece in enumerate(self.squares) if piece]
        return [one for one in standing if one[1].isupper()], [one for one in standing if one[1].islower()]

    def pieces(self, side: int) -> list[tuple[int, str]]:
        """Squares and pieces of a side."""
        return self._by_side[side]

    @cached_property
    def kings(self) -> tuple[int, int]:
        return self.squares.index("K"), self.squares.index("k")

    def material(self, side: int) -> int:
        """What a side has more than the other, in pawns."""
        return self._balance if side == 0 else -self._balance

    @cached_property
    def _balance(self) -> int:
        white, black = (sum(VALUES[piece.lower()] for _, piece in pieces) for pieces in self._by_side)
        return white - black

    # -- attacks ----------------------------------------------------------------------------------

    def attacks(self, square: int) -> list[int]:
        """What the piece on a square attacks; own pieces there are guarded by it."""
        piece = self.squares[square]
        kind = piece.lower()
        if kind == "p":
            return list(_PAWN[side_of(piece)][square])
        if kind in ("n", "k"):
            return list((_KNIGHT if kind == "n" else _KING)[square])
        found = []
        for ray in _RAYS[kind][square]:
            for at in ray:
                found.append(at)
                if self.squares[at]:
                    break
        return found

    def attackers(self, square: int, side: int) -> list[int]:
        """The pieces of a side that attack a square, or guard what stands there."""
        pawn, knight, bishop, rook, queen, king = tuple("PNBRQK" if side == 0 else "pnbrqk")
        board = self.squares
        found = [at for at in _PAWN[1 - side][square] if board[at] == pawn]
        found += [at for at in _KNIGHT[square] if board[at] == knight]
        found += [at for at in _KING[square] if board[at] == king]
        for rays, slider in ((_ROOK, rook), (_BISHOP, bishop)):
            for ray in rays[square]:
                for at in ray:
                    if board[at]:
                        if board[at] in (slider, queen):
                            found.append(at)
                        break
        return found

    def checkers(self, side: int) -> list[int]:
        """The pieces that attack a side's king."""
        return self.attackers(self.kings[side], 1 - side)

    def targets(self, square: int) -> list[int]:
        """The enemy pieces that the piece on a square attacks."""
        side = side_of(self.squares[square])
        return [at for at in self.attacks(square) if self.squares[at] and side_of(self.squares[at]) != side]

    # -- safety -----------------------------------------------------------------------------------

    def is_guarded(self, square: int) -> bool:
        """Whether a capture of the piece can be answered, also by a piece behind the attacker."""
        side = side_of(self.squares[square])
        if self.attackers(square, side):
            return True
        return any(
            self.without(at).attackers(square, side)
            for at in self.attackers(square, 1 - side)
            if self.squares[at].lower() in _RAYS
        )

    def is_loose(self, square: int) -> bool:
        """Attacked, and either not guarded or by a cheaper piece: it cannot stay."""
        piece = self.squares[square]
        foes = self.attackers(square, 1 - side_of(piece))
        value = RANKED[piece.lower()]
        return bool(foes) and (
            not self.is_guarded(square) or any(RANKED[self.squares[at].lower()] < value for at in foes)
        )

    def pinner(self, square: int) -> int | None:
        """The piece that pins the one on a square to its king."""
        side = side_of(self.squares[square])
        king = self.kings[side]
        path = _BETWEEN.get((king, square))
        if path is None or any(self.squares[at] for at in path):
            return None
        return self._beyond(king, square, 1 - side)

    def _beyond(self, start: int, square: int, side: int) -> int | None:
        """The first piece behind a square, seen from another, if it is a side's and sees along that line."""
        for rays, kinds in ((_ROOK, "rq"), (_BISHOP, "bq")):
            for ray in rays[start]:
                if square in ray:
                    for at in ray[ray.index(square) + 1 :]:
                        piece = self.squares[at]
                        if piece:
                            sees = side_of(piece) == side and piece.lower() in kinds
                            return at if sees else None
                    return None
        return None

    # -- exchanges --------------------------------------------------------------------------------

    def exchange(self, square: int, side: int) -> int:
        """What a side gains by starting captures on a square, both sides taking with the cheapest piece while
        it pays; pins are not looked at."""
        piece = self.squares[square]
        takers = self.attackers(square, side)
        if not takers:
            return 0
        taker = min(takers, key=lambda at: RANKED[self.squares[at].lower()])
        after = self.without(taker)
        after.squares = (*after.squares[:square], self.squares[taker], *after.squares[square + 1 :])
        if self.squares[taker].lower() == "k" and after.attackers(square, 1 - side):
            return 0
        return max(0, VALUES[piece.lower()] - after.exchange(square, 1 - side))
