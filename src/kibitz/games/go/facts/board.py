"""Stones, chains and liberties of a position, for facts; and ladders read out to their end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

BLACK, WHITE, EMPTY = "XO."


def other(stone: str) -> str:
    return WHITE if stone == BLACK else BLACK


@cache
def neighbours(columns: int, rows: int) -> tuple[tuple[int, ...], ...]:
    """The points beside each point, counted row by row from the top left."""
    return tuple(
        tuple(
            columns * b + a
            for a, b in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1))
            if 0 <= a < columns and 0 <= b < rows
        )
        for y in range(rows)
        for x in range(columns)
    )


@dataclass(frozen=True)
class Chain:
    stone: str
    points: frozenset[int]
    liberties: frozenset[int]


class Board:
    """Stones only. `play` gives a new board and knows neither ko nor suicide."""

    def __init__(self, columns: int, rows: int, cells: Sequence[str]) -> None:
        self.columns, self.rows, self.cells = columns, rows, cells
        self.beside = neighbours(columns, rows)
        self._chains: dict[int, Chain] = {}

    def chain(self, at: int) -> Chain:
        if at in self._chains:
            return self._chains[at]
        stone, cells = self.cells[at], self.cells
        points, liberties, open_points = {at}, set(), [at]
        while open_points:
            for near in self.beside[open_points.pop()]:
                if cells[near] == EMPTY:
                    liberties.add(near)
                elif cells[near] == stone and near not in points:
                    points.add(near)
                    open_points.append(near)
        chain = Chain(stone, frozenset(points), frozenset(liberties))
        self._chains.update(dict.fromkeys(points, chain))
        return chain

    def chains(self) -> Iterator[Chain]:
        seen: set[int] = set()
        for at, stone in enumerate(self.cells):
            if stone != EMPTY and at not in seen:
                chain = self.chain(at)
                seen |= chain.points
                yield chain

    def touching(self, at: int, stone: str) -> list[Chain]:
        """Chains of a colour beside a point, each once."""
        found = {min(self.chain(near).points): near for near in self.beside[at] if self.cells[near] == stone}
        return [self.chain(near) for near in found.values()]

    def attackers(self, chain: Chain) -> list[Chain]:
        """The other side's chains that touch one."""
        foe = other(chain.stone)
        found = {
            min(self.chain(near).points): near
            for at in chain.points
            for near in self.beside[at]
            if self.cells[near] == foe
        }
        return [self.chain(near) for near in found.values()]

    def play(self, at: int, stone: str) -> tuple[Board, frozenset[int]]:
        """The board after a stone, and what it takes."""
        taken: set[int] = set()
        for chain in self.touching(at, other(stone)):
            if chain.liberties == {at}:
                taken |= chain.points
        cells = list(self.cells)
        cells[at] = stone
        for point in taken:
            cells[point] = EMPTY
        return Board(self.columns, self.rows, cells), frozenset(taken)

    def distance(self, one: int, two: int) -> int:
        """Steps along the lines of the board."""
        (a, b), (c, d) = divmod(one, self.columns), divmod(two, self.columns)
        return abs(a - c) + abs(b - d)


#: In a line that was read: a side that has no move that would not be suicide.
PASS = -1
#: Positions that reading a ladder looks at.
_MOST_READ = 600


class _Reading:
    def __init__(self) -> None:
        self.left = _MOST_READ


def ladder_line(board: Board, prey: int, *, to_capture: bool) -> tuple[int, ...] | None:
    """The moves that capture the chain of `prey` by ataris alone, to the last; None where it gets away. The
    chain has at most two liberties; `to_capture`: the attacker moves first. Both sides' ways out are read:
    running and taking a chain that gives the atari."""
    reading = _Reading()
    return _attacked(board, prey, -1, reading) if to_capture else _defended(board, prey, -1, reading)


def _attacked(board: Board, prey: int, ko: int, reading: _Reading) -> tuple[int, ...] | None:
    reading.left -= 1
    chain = board.chain(prey)
    foe = other(chain.stone)
    if reading.left <= 0 or len(chain.liberties) > 2:
        return None
    if len(chain.liberties) == 1:
        (last,) = chain.liberties
        return (last,) if last != ko and _may(board, last, foe) else None
    for at in sorted(chain.liberties):
        if at == ko or not _may(board, at, foe):
            continue
        after, taken = board.play(at, foe)
        rest = _defended(after, prey, _ko(after, at, taken), reading)
        if rest is not None:
            return (at, *rest)
    return None


def _defended(board: Board, prey: int, ko: int, reading: _Reading) -> tuple[int, ...] | None:
    """The longest resistance, if every one fails."""
    reading.left -= 1
    chain = board.chain(prey)
    if reading.left <= 0 or len(chain.liberties) > 1:
        return None
    (last,) = chain.liberties
    ways = [last]
    for attacker in board.attackers(chain):
        if len(attacker.liberties) == 1:
            ways += [at for at in attacker.liberties if at not in ways]
    best: tuple[int, ...] | None = None
    for at in ways:
        if at == ko:
            return None  # a capture that hangs on a ko is no ladder
        if not _may(board, at, chain.stone):
            continue
        after, taken = board.play(at, chain.stone)
        if len(after.chain(prey).liberties) > 2:
            return None
        rest = _attacked(after, prey, _ko(after, at, taken), reading)
        if rest is None:
            return None
        if best is None or len(rest) + 1 > len(best):
            best = (at, *rest)
    return (PASS, last) if best is None else best  # it cannot even try


def _may(board: Board, at: int, stone: str) -> bool:
    """No suicide."""
    after, _ = board.play(at, stone)
    return bool(after.chain(at).liberties)


def _ko(after: Board, at: int, taken: frozenset[int]) -> int:
    """The point that may not be retaken; -1 where there is none."""
    if len(taken) == 1:
        chain = after.chain(at)
        if len(chain.points) == 1 and chain.liberties == taken:
            return next(iter(taken))
    return -1


def ko_point(after: Board, at: int, taken: frozenset[int]) -> int:
    """The point of a ko that the move at `at` took; -1 where it took none."""
    return _ko(after, at, taken)
