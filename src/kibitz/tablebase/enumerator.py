"""The levels a tablebase has, and how many positions are in each.

A level is a number of playable empty cells N with a number of open sub-boards k. A move always leads to a
lower N, and k never rises, so levels are filled in the order this module gives them.

>>> [(level.empties, level.open, level.positions) for level in levels(2)]
[(1, 1, 3), (2, 1, 76), (2, 2, 180)]
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass

from kibitz import _native
from kibitz.errors import BadOption, BadPosition
from kibitz.games.uttt import Position
from kibitz.games.uttt.position import RULES
from kibitz.tablebase.format import file_name

#: Above this level not all numbers of open sub-boards fit on a disk, so two are the most by default.
_WHOLE_LEVELS = 5


@dataclass(frozen=True)
class Level:
    """All positions with `empties` playable cells in `open` sub-boards, up to the reductions."""

    rules: str
    empties: int
    open: int
    positions: int

    @property
    def rule_id(self) -> int:
        return RULES.index(self.rules)

    @property
    def file_name(self) -> str:
        return file_name(self.rule_id, self.empties, self.open)


@dataclass(frozen=True)
class Place:
    """Where a position is found: its level and its number there, which is the whole key."""

    empties: int
    open: int
    index: int


def levels(max_empty: int, max_open: int | None = None, rules: str = "standard") -> list[Level]:
    """The levels up to `max_empty` empty cells and `max_open` open sub-boards, in the order to build them.

    Without `max_open` every number of open sub-boards counts up to five empty cells, and two above that:
    level 6 as a whole has more than ten thousand million positions.
    """
    if rules not in RULES:
        raise BadOption(f"rules must be {' or '.join(RULES)}, got {rules!r}")
    most = _native.UTTT_MAX_EMPTIES
    if not 1 <= max_empty <= most:
        raise BadOption(f"max-empty must be from 1 to {most}, got {max_empty}")
    if max_open is not None and not 1 <= max_open <= _native.UTTT_MAX_OPEN:
        raise BadOption(f"max-open must be from 1 to {_native.UTTT_MAX_OPEN}, got {max_open}")
    levels = []
    for empties in range(1, max_empty + 1):
        default = _native.UTTT_MAX_OPEN if empties <= _WHOLE_LEVELS else 2
        for open_boards in range(1, (max_open or default) + 1):
            positions = _native.uttt_level_size(RULES.index(rules), empties, open_boards)
            if positions:
                levels.append(Level(rules, empties, open_boards, positions))
    return levels


def place(position: Position) -> Place | None:
    """The place of a position; None when it is a certain draw or beyond all tables."""
    if position.is_over:
        raise BadPosition("the game is over; there is nothing to look up")
    place = _native.uttt_place(position.state)
    return Place(*place) if place else None


def main() -> None:
    """`python -m kibitz.tablebase.enumerator --max-empty 5`: the levels and their sizes."""
    parser = argparse.ArgumentParser(description="Lists the levels of a tablebase and their sizes.")
    parser.add_argument("--max-empty", type=int, default=10)
    parser.add_argument("--max-open", type=int)
    parser.add_argument("--rules", choices=RULES, default=RULES[0])
    options = parser.parse_args()
    total = 0
    for level in levels(options.max_empty, options.max_open, options.rules):
        total += level.positions
        print(f"{level.empties:2d} empty, {level.open} open: {level.positions:>15,}  total {total:>15,}")


if __name__ == "__main__":
    main()
