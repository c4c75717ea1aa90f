"""What a `go` asks for.

>>> parse_go("wtime 60000 btime 55000 winc 1000 searchmoves e2e4 d2d4".split()).search_moves
('e2e4', 'd2d4')
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kibitz.clock import Clocks
from kibitz.errors import ProtocolError

_NUMBERS = {
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "movetime",
    "nodes",
    "depth",
    "mate",
}
_FLAGS = {"infinite", "ponder"}

#: More than anybody means by a number, and still a number of the core.
_MOST = 10**15


@dataclass(frozen=True)
class Limits:
    """One `go`. Times are in seconds."""

    remaining: tuple[float | None, float | None] = (None, None)
    increments: tuple[float, float] = (0.0, 0.0)
    moves_to_go: int | None = None
    move_time: float | None = None
    nodes: int | None = None
    depth: int | None = None
    mate: int | None = None
    infinite: bool = False
    ponder: bool = False
    search_moves: tuple[str, ...] = ()
    #: What was not understood, and skipped as the protocol wants it.
    skipped: tuple[str, ...] = ()

    def clocks(self, side: int, ply: int = 0) -> Clocks | None:
        """The mover's clock, None when none was given."""
        left = self.remaining[side]
        return None if left is None else Clocks(left, self.increments[side], self.moves_to_go, ply)

    @property
    def endless(self) -> bool:
        """True when only `stop` ends it."""
        if self.infinite or self.ponder:
            return True
        given = (*self.remaining, self.move_time, self.nodes, self.depth, self.mate)
        return all(value is None for value in given)


def parse_go(words: Sequence[str]) -> Limits:
    """Reads the words after `go`; ProtocolError names the number that is wrong, or the unknown words when
    there is nothing else."""
    numbers: dict[str, int] = {}
    flags: set[str] = set()
    moves: list[str] = []
    skipped: list[str] = []
    at = 0
    while at < len(words):
        word = words[at]
        at += 1
        if word in _FLAGS:
            flags.add(word)
        elif word in _NUMBERS:
            text = words[at] if at < len(words) else ""
            at += 1
            try:
                numbers[word] = max(-_MOST, min(int(text), _MOST))
            except ValueError:
                raise ProtocolError(f"go {word} takes a whole number, got {text!r}") from None
        elif word == "searchmoves":
            while at < len(words) and words[at] not in _NUMBERS | _FLAGS:
                moves.append(words[at])
                at += 1
        else:
            skipped.append(word)
    if len(skipped) == len(words) > 0:
        raise ProtocolError(f"unknown word {' '.join(skipped)!r} after go")
    for name in ("nodes", "depth", "mate", "movestogo"):
        if name in numbers and numbers[name] < 1:
            numbers[name] = 1

    def seconds(name: str) -> float | None:
        return numbers[name] / 1000 if name in numbers else None

    return Limits(
        remaining=(seconds("wtime"), seconds("btime")),
        increments=(seconds("winc") or 0.0, seconds("binc") or 0.0),
        moves_to_go=numbers.get("movestogo"),
        move_time=seconds("movetime"),
        nodes=numbers.get("nodes"),
        depth=numbers.get("depth"),
        mate=numbers.get("mate"),
        infinite="infinite" in flags,
        ponder="ponder" in flags,
        search_moves=tuple(moves),
        skipped=tuple(skipped),
    )
