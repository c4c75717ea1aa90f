"""Connect Four as a game of Kibitz: rules, a picture, and what a network sees. docs/own-game.md explains it.

python examples/connect_four.py analyze connect_four "d d d" --simulations 2000
python examples/connect_four.py play connect_four
python examples/connect_four.py serve
"""

from __future__ import annotations

import numpy as np

import kibitz
from kibitz.draw import Svg

COLUMNS, ROWS = "abcdefg", 6
#: A column has seven bits, the lowest first; the one above its six cells is always empty.
HEIGHT = ROWS + 1
FULL = sum(((1 << ROWS) - 1) << HEIGHT * column for column in range(len(COLUMNS)))


def four_in_a_row(stones: int) -> bool:
    pairs = ((stones & stones >> step, step) for step in (1, HEIGHT - 1, HEIGHT, HEIGHT + 1))
    return any(pair & pair >> 2 * step for pair, step in pairs)


class ConnectFour:
    """A move is a column, `a` to `g`; the disc falls to its lowest free cell. Four in a row win."""

    name = "connect_four"
    title = "Connect Four"
    sides = ("red", "yellow")
    demo = ("d", "d", "c", "b")
    cell = 60

    def __init__(self, red: int = 0, yellow: int = 0) -> None:
        self.stones = (red, yellow)

    def moves(self) -> list[str]:
        top = (self.stones[0] | self.stones[1]) >> ROWS - 1
        return [name for column, name in enumerate(COLUMNS) if not top >> HEIGHT * column & 1]

    def landing(self, move: str) -> int:
        """The bit of the cell that a disc falls to."""
        taken = self.stones[0] | self.stones[1]
        return taken + (1 << HEIGHT * COLUMNS.index(move)) & ~taken

    def play(self, move: str) -> ConnectFour:
        red, yellow = self.stones
        disc = self.landing(move)
        return ConnectFour(red, yellow | disc) if self.to_move() else ConnectFour(red | disc, yellow)

    def to_move(self) -> int:
        return (self.stones[0] | self.stones[1]).bit_count() % 2

    def result(self) -> float | None:
        red, yellow = self.stones
        # Only the side that moved last can have made four.
        if four_in_a_row(red if self.to_move() else yellow):
            return float(self.to_move())
        return 0.5 if red | yellow == FULL else None

    def text(self) -> str:
        return "/".join("".join(".xo"[self.at(row, x)] for x in range(len(COLUMNS))) for row in range(ROWS))

    def at(self, row: int, column: int) -> int:
        """What stands in a cell, rows counted from above: 0 nothing, 1 red, 2 yellow."""
        bit = HEIGHT * column + ROWS - 1 - row
        return (self.stones[0] >> bit & 1) + 2 * (self.stones[1] >> bit & 1)

    # -- optional: positions from text, a picture, a network ----------------------------------------

    @classmethod
    def parse(cls, text: str) -> ConnectFour:
        rows = text.split("/")
        if len(rows) != ROWS or any(len(row) != len(COLUMNS) or set(row) - set(".xo") for row in rows):
            raise ValueError("expected six rows of seven cells, . x or o, joined by /")
        stones = [
            sum(
                1 << HEIGHT * column + ROWS - 1 - row
                for row, cells in enumerate(rows)
                for column, cell in enumerate(cells)
                if cell == colour
            )
            for colour in "xo"
        ]
        if stones[0].bit_count() - stones[1].bit_count() not in (0, 1):
            raise ValueError("red has as many discs as yellow, or one more")
        below = (stones[0] | stones[1]) << 1 | sum(1 << HEIGHT * column for column in range(len(COLUMNS)))
        if (stones[0] | stones[1]) & ~below:
            raise ValueError("a disc has an empty cell below it")
        return cls(*stones)

    def svg(self) -> Svg:
        size = self.cell
        picture = Svg(size * len(COLUMNS), size * (ROWS + 0.5))
        picture.rect(0, 0, picture.width, picture.height, fill="#1d4e89", rx=10)
        for column, name in enumerate(COLUMNS):
            for row in range(ROWS):
                fill = ("#0f2a4a", "#d1495b", "#f4c430")[self.at(row, column)]
                picture.circle((column + 0.5) * size, (row + 0.5) * size, 0.4 * size, fill=fill)
            picture.text((column + 0.5) * size, (ROWS + 0.2) * size, name, 18, fill="#ffffff")
        return picture

    def places(self) -> dict[str, tuple[float, float]]:
        """Where a move is marked and clicked."""
        points = {move: divmod(self.policy_index(move), len(COLUMNS)) for move in self.moves()}
        return {
            move: ((column + 0.5) * self.cell, (row + 0.5) * self.cell)
            for move, (row, column) in points.items()
        }

    def features(self) -> np.ndarray:
        """Planes of the mover's discs and of the opponent's."""
        cells = np.array([[self.at(row, column) for column in range(len(COLUMNS))] for row in range(ROWS)])
        return np.stack([cells == 1 + self.to_move(), cells == 2 - self.to_move()])

    def policy_index(self, move: str) -> int:
        """The policy has an output for each cell; a move's is where its disc lands."""
        column, height = divmod(self.landing(move).bit_length() - 1, HEIGHT)
        return (ROWS - 1 - height) * len(COLUMNS) + column


if __name__ in ("__main__", "__mp_main__"):  # worker processes of the commands know the game too
    kibitz.register(ConnectFour)

if __name__ == "__main__":
    from kibitz.cli import main

    main()
