"""Verifies a folder of tables: checksums, consistency, plain minimax, symmetry.

>>> from kibitz.tablebase.solver import cached_tables
>>> verify(cached_tables(), sample=200).ok
True
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from kibitz import _native
from kibitz.errors import BadTable
from kibitz.games.uttt import Position
from kibitz.games.uttt.position import RULES
from kibitz.tablebase.format import Header, list_tables, read_header


@dataclass
class Verification:
    """What was tested, and each thing that was wrong."""

    blocks: int = 0
    recomputed: int = 0
    searched: int = 0
    symmetries: int = 0
    problems: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        return not self.problems


def verify(
    folder: Path, sample: int = 1000, seed: int = 1, progress: Callable[[str], None] | None = None
) -> Verification:
    """Tests every block's checksum, `sample` worths of each file against the tables below it, and `sample`
    positions from random games against plain minimax and through every symmetry."""
    say = progress or (lambda _: None)
    verification = Verification()
    rng = random.Random(seed)
    tables = _native.UtttTables()
    headers: list[tuple[Path, Header]] = []
    paths = list(list_tables(folder))
    if not paths:
        raise BadTable(f"{folder}: no table files in it")
    for path in paths:
        try:
            header = read_header(path)
            tables.add(str(path))
            headers.append((path, header))
        except BadTable as error:
            verification.problems.append(str(error))
    for path, header in headers:
        say(f"checksums of {path.name}")
        damaged = tables.damaged_blocks(header.rule_id, header.empties, header.open)
        verification.blocks += header.blocks
        verification.problems += [f"{path}: block {block} is damaged (checksum)" for block in damaged]
    if verification.problems:
        return verification
    for path, header in headers:
        say(f"worths of {path.name}")
        _recompute(path, header, tables, sample, rng, verification)
    for rules in RULES:
        there = {(h.empties, h.open) for _, h in headers if RULES[h.rule_id] == rules}
        if there:
            say(f"plain minimax, {rules} rules")
            _search_again(tables, rules, there, sample, rng, verification)
    return verification


def _recompute(
    path: Path,
    header: Header,
    tables: _native.UtttTables,
    sample: int,
    rng: random.Random,
    verification: Verification,
) -> None:
    """Is a worth the best of what the positions after each move are worth?"""
    with path.open("rb") as file:
        for _ in range(min(sample, header.positions)):
            index = rng.randrange(header.positions)
            file.seek(header.data_offset + index)
            stored = file.read(1)[0]
            again = np.empty(1, np.uint8)
            tables.solve(header.rule_id, header.empties, header.open, index, again)
            verification.recomputed += 1
            if stored != 255 and stored != again[0]:
                verification.problems.append(
                    f"{path}: position {index} is {stored}, its moves give {again[0]}"
                )


def random_positions(
    count: int, rng: random.Random, wanted: Callable[[Position], bool], rules: str = "standard"
) -> list[Position]:
    """Positions of random games that are `wanted`; gives up when games no longer lead to new ones."""
    start = Position(f"{'/'.join(['.' * 9] * 9)} x - {rules}")
    positions: list[Position] = []
    for _ in range(200 * count + 1000):
        state = start.state
        while not state.is_over and len(positions) < count:
            state = state.play(rng.choice(state.legal_moves()))
            if not state.is_over and state.empties <= _native.UTTT_MAX_EMPTIES:
                position = Position(state.to_text())
                if wanted(position):
                    positions.append(position)
        if len(positions) >= count:
            break
    return positions


#: Plain minimax takes about a factor of the number of empty cells more for each of them.
_PLAIN_LIMIT = 9


def _search_again(
    tables: _native.UtttTables,
    rules: str,
    there: set[tuple[int, int]],
    sample: int,
    rng: random.Random,
    verification: Verification,
) -> None:
    def wanted(position: Position) -> bool:
        return position.empties <= _PLAIN_LIMIT and (position.empties, position.open_boards) in there

    for position in random_positions(sample, rng, wanted, rules):
        probed = tables.probe(position.state)
        if probed is None:
            continue  # a trial table that does not know it
        _, result, distance = _native.uttt_plain_minimax(position.state)[0]
        verification.searched += 1
        if probed != (result, distance):
            verification.problems.append(
                f"{position.notation}: tables say {probed}, minimax {(result, distance)}"
            )
        for symmetry in range(8):
            turned = position.state.transformed(symmetry)
            for same in (turned, turned.swapped()):
                verification.symmetries += 1
                if tables.probe(same) != probed:
                    verification.problems.append(f"{same.to_text()}: differs from {position.notation}")
