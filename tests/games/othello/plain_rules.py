"""Othello in plain Python, written from the rule book only, as an oracle for the fast code.

A board is a dict from square name to "X" (black) or "O" (white). Nothing here is shared with the
package, so an agreement between the two is evidence and not an echo.

    >>> game = Game()
    >>> sorted(game.moves())
    ['c4', 'd3', 'e6', 'f5']
"""

from __future__ import annotations

FILES = "abcdefgh"
RANKS = "12345678"
SQUARES = [file + rank for rank in RANKS for file in FILES]
DIRECTIONS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0)]
START = "-" * 27 + "OX" + "-" * 6 + "XO" + "-" * 27


def _step(square: str, dx: int, dy: int) -> str | None:
    x, y = FILES.index(square[0]) + dx, RANKS.index(square[1]) + dy
    return FILES[x] + RANKS[y] if 0 <= x < 8 and 0 <= y < 8 else None


# Every walk from a square to the edge, once: the oracle replays hundreds of thousands of moves.
RAYS: dict[str, list[list[str]]] = {}
for _square in SQUARES:
    RAYS[_square] = []
    for _dx, _dy in DIRECTIONS:
        _ray: list[str] = []
        _next = _step(_square, _dx, _dy)
        while _next is not None:
            _ray.append(_next)
            _next = _step(_next, _dx, _dy)
        if len(_ray) > 1:
            RAYS[_square].append(_ray)


class Game:
    """A game in progress; `play` changes it."""

    def __init__(self, squares: str = START, side: str = "X") -> None:
        self.board = {name: disc for name, disc in zip(SQUARES, squares, strict=True) if disc != "-"}
        self.side = side

    @property
    def other(self) -> str:
        return "O" if self.side == "X" else "X"

    def flips(self, square: str, side: str) -> list[str]:
        """The discs `side` would turn by playing on `square`."""
        if square in self.board:
            return []
        turned: list[str] = []
        for ray in RAYS[square]:
            run: list[str] = []
            for name in ray:
                disc = self.board.get(name)
                if disc is None:
                    break
                if disc == side:
                    turned += run
                    break
                run.append(name)
        return turned

    def moves(self, side: str | None = None) -> list[str]:
        side = side or self.side
        return [name for name in SQUARES if self.flips(name, side)]

    def is_over(self) -> bool:
        return not self.moves("X") and not self.moves("O")

    def play(self, move: str) -> None:
        if move == "pass":
            if self.moves():
                raise ValueError(f"{self.side} may not pass")
        else:
            turned = self.flips(move, self.side)
            if not turned:
                raise ValueError(f"{move} turns nothing for {self.side}")
            for name in [move, *turned]:
                self.board[name] = self.side
        self.side = self.other

    def discs(self) -> tuple[int, int]:
        colours = list(self.board.values())
        return colours.count("X"), colours.count("O")

    def final_score(self) -> int:
        """Black minus white, the empty squares counted for the winner."""
        black, white = self.discs()
        if black == white:
            return 0
        empty = 64 - black - white
        return black - white + (empty if black > white else -empty)

    def squares(self) -> str:
        return "".join(self.board.get(name, "-") for name in SQUARES)
