"""Exact answers: from the tables where they reach, from the solver where they do not."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kibitz import _native
from kibitz.errors import BadOption, BadRequest, BadTable, NotInTable
from kibitz.games.uttt import Position, rate_moves, solve
from kibitz.games.uttt.position import RULES
from kibitz.games.uttt.tables import cache_folder
from kibitz.tablebase.builder import build
from kibitz.tablebase.format import list_tables, read_header

#: What is built at first use: a second's work, a few megabytes.
SMALL_EMPTY, SMALL_LONG = 4, 9


@cache
def cached_tables(rules: str = "standard") -> Path:
    """The folder with the small tables, built at first use: all of level 4, and one open sub-board.

    Those of the standard rules take a second or two. Where sub-boards count there are fifty times as many
    positions; their tables are built when they are first asked for by name, in half a minute of one core.
    """
    folder = cache_folder()
    for path in list_tables(folder) if folder.is_dir() else ():
        try:
            read_header(path)
        except BadTable:
            path.unlink()  # it can be made again, so there is no reason to complain
    build(folder, SMALL_EMPTY, rules=rules, wait_for_others=True)
    build(folder, SMALL_LONG, 1, rules=rules, wait_for_others=True)
    return folder


class Tablebase:
    """A folder of table files, memory-mapped; without one, the small tables of `rules`.

    >>> tables = Tablebase()                     # the small ones, built into the cache at first use
    >>> tables.levels("standard")[:3]
    ((1, 1), (2, 1), (2, 2))
    """

    def __init__(self, folder: str | os.PathLike[str] | None = None, rules: str = "standard") -> None:
        if rules not in RULES:
            raise BadOption(f"rules must be {' or '.join(RULES)}, got {rules!r}")
        self.folder = Path(folder) if folder is not None else cached_tables(rules)
        self.native = _native.UtttTables()
        self._levels: dict[str, list[tuple[int, int]]] = {rules: [] for rules in RULES}
        paths = list(list_tables(self.folder))
        if not paths:
            raise BadTable(f"{self.folder}: no table files in it")
        for path in paths:
            self.native.add(str(path))
            _, rules, empties, open_boards = path.stem.split("-")
            self._levels[rules].append((int(empties[1:]), int(open_boards[1:])))

    def levels(self, rules: str = "standard") -> tuple[tuple[int, int], ...]:
        """The levels that are there: empty cells and open sub-boards."""
        return tuple(self._levels[rules])

    def probe(self, position: Position) -> tuple[int, int]:
        """Result (1, 0, -1 for the side to move) and distance (0 for a draw).

        NotInTable when no table has the position."""
        if position.is_over:
            raise BadRequest("the game is over; there is nothing to probe")
        entry = self.native.probe(position.state)
        if entry is None:
            raise _missing(position)
        return entry

    def probe_moves(self, position: Position) -> list[tuple[str, int, int]]:
        """Every move with its result and distance (0 for a draw) for the side to move, best first."""
        if position.is_over:
            raise BadRequest("the game is over")
        entries = self.native.probe_moves(position.state)
        if entries is None:
            raise _missing(position)
        text = position.state.move_text
        return [(text(move), result, distance) for move, result, distance in entries]

    def probe_many(
        self, positions: Sequence[Position] | NDArray[np.uint8], rules: str = "standard"
    ) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
        """Results and distances of many positions; a distance of -1 says that no table has the position.

        Takes positions, or rows of 83 bytes as `encode` makes them (of `rules`).
        """
        results, distances = np.empty(len(positions), np.int8), np.empty(len(positions), np.int8)
        try:
            if isinstance(positions, np.ndarray):
                self.native.probe_rows(positions, RULES.index(rules), results, distances)
            else:
                states = [position.state for position in positions]
                self.native.probe_list(states, results, distances)
        except BadTable:
            raise
        except (TypeError, ValueError) as error:
            raise BadRequest(str(error).splitlines()[0]) from None
        return results, distances


def _missing(position: Position) -> NotInTable:
    return NotInTable(
        f"not in the tables: {position.empties} empty cells in {position.open_boards} open sub-boards "
        f"({position.rules} rules); `kibitz solve uttt` searches what no table has"
    )


def _unknown(position: Position, nodes: int, seconds: float) -> BadRequest:
    return BadRequest(
        f"unknown after {nodes:,} nodes in {seconds:.1f} s: a limit ended the search with "
        f"{position.empties} empty cells left; a larger `seconds` goes further"
    )


def encode(positions: Sequence[Position]) -> NDArray[np.uint8]:
    """Positions as rows for `probe_many`: 81 cells (0 empty, 1 X, 2 O), the side to move (0 X, 1 O), the
    constraint (9 for any).

    >>> encode([kibitz.uttt.Position()]).shape[0]
    1
    """
    values = {".": 0, "X": 1, "O": 2}
    rows = np.empty((len(positions), 83), np.uint8)
    for row, position in zip(rows, positions, strict=True):
        row[:81] = [values[cell] for cell in "".join(position.boards)]
        row[81] = position.to_move
        row[82] = 9 if position.constraint is None else position.constraint
    return rows


class TablebaseSolver:
    """Exact answers for any position it can reach in time.

    >>> solver = TablebaseSolver()                          # or TablebaseSolver(base_tablebase_path="DIR")
    >>> from kibitz.games.uttt import Position
    >>> end = "OOXXXOXXX/XO.X..XXX/OOXOOXXX./..X..X..X/O.OOXXXX./...OOXOOO/OO.OOXOXX/OOO...O../XOOOXX.XO o -"
    >>> solver.solve(Position(end))
    (1, 3, (2, 8))
    >>> solver.moves(Position(end))
    [('28', 1, 3), ('48', 0, 0), ('41', -1, 2), ('86', -1, 2)]
    """

    def __init__(
        self,
        base_tablebase_path: str | os.PathLike[str] | None = None,
        *,
        seconds: float | None = None,
        table_mb: int = 64,
    ) -> None:
        self.tables = Tablebase(base_tablebase_path)
        self.seconds = seconds
        self._native = _native.UtttSolver(table_mb, self.tables.native)

    def solve(self, board: Position) -> tuple[int, int, tuple[int, int]]:
        """Result, distance and best move (sub-board, cell): `result, dtw, best_move = solver.solve(board)`.

        The result is 1, 0 or -1 for the side to move; the distance counts plies to the end of the game, wins
        as fast and losses as slow as possible. A draw has the distance 0: best play does not say how long it
        takes, for neither side gains by ending it sooner or later. BadRequest when the limit is not enough:
        `seconds`, or without them the solver's own (`kibitz.games.uttt.endgame.DEFAULT_NODES`).
        """
        if board.is_over:
            raise BadRequest("the game is over; there is nothing to solve")
        try:
            moves = self.tables.probe_moves(board)
        except NotInTable:
            solution = solve(board, seconds=self.seconds, solver=self._native)
            if not solution.solved:
                raise _unknown(board, solution.nodes, solution.seconds) from None
            assert solution.result is not None
            assert solution.distance is not None
            assert solution.best is not None
            return solution.result, solution.distance, (int(solution.best[0]), int(solution.best[1]))
        move, result, distance = moves[0]
        return result, distance, (int(move[0]), int(move[1]))

    def moves(self, board: Position) -> list[tuple[str, int, int]]:
        """Every move with its result and distance, best first."""
        try:
            return self.tables.probe_moves(board)
        except NotInTable:
            rated = rate_moves(board, seconds=self.seconds, solver=self._native)
            if not rated.solved:
                raise _unknown(board, rated.nodes, rated.seconds) from None
            return list(rated.moves)

    def probe_many(
        self, positions: Any, rules: str = "standard"
    ) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
        """See `Tablebase.probe_many`."""
        return self.tables.probe_many(positions, rules)
