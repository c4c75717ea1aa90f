"""What a line wins: material, where it is safe, and threats of mate."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kibitz.games.chess.facts.board import VALUES
from kibitz.games.chess.facts.steps import Line, Step
from kibitz.games.chess.position import Position


@dataclass(frozen=True)
class Gain:
    """Material that a side has won after some moves of a line, in pawns, and the pieces that make it up."""

    side: int
    pawns: int
    #: What is left of it after the opponent's best exchange.
    kept: int
    #: How many moves of the line it takes.
    moves: int
    won: tuple[str, ...]
    given: tuple[str, ...]


def find_gain(line: Line, side: int) -> Gain | None:
    """What a side wins: at the first place of the line from which on it has about what it keeps at the end,
    and the other cannot win that back at once."""
    steps, last = line.steps, line.steps[-1]
    start = steps[0].before.material(side)
    earlier: list[Step] = []
    before = line.last
    # Taking back wins nothing, nor does taking what was just promoted.
    if before and before.before.material(side) > start:
        earlier, start = [before], before.before.material(side)
    if last.after.material(side) - start <= (last.won_back if last.side == side else 0):
        return None  # what was won on the way is lost again
    kept = {
        number: step.after.material(side) - start - step.won_back
        for number, step in enumerate(steps)
        if step.side == side and not _is_drawn(step)
    }
    # Where an exchange is under way, what was taken is not yet won.
    settled = {
        number
        for number, pawns in kept.items()
        if pawns > 0 and pawns >= _SETTLED * (steps[number].after.material(side) - start)
    }
    if not settled:
        return None
    final = max(settled)
    chosen, pawns = final, kept[final]
    for number in sorted((one for one in kept if one < final), reverse=True):
        if not _LESS * pawns <= kept[number] <= pawns / _LESS:
            break
        chosen = number if number in settled else chosen
    won, given = _traded([*earlier, *steps[: chosen + 1]], side)
    return Gain(side, steps[chosen].after.material(side) - start, kept[chosen], chosen + 1, won, given)


#: About the same gain; and as much of what was taken must be kept.
_LESS, _SETTLED = 0.7, 0.5


def _is_drawn(step: Step) -> bool:
    return step.next_position.is_over and not step.is_mate


def _traded(steps: Sequence[Step], side: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What each side took, without what is the same on both sides."""
    taken: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
    for step in steps:
        if step.is_capture:
            taken[step.side != side][step.taken or "p"] += 1
        if step.promotion:  # a pawn for a piece
            taken[step.side != side][step.promotion] += 1
            taken[step.side == side]["p"] += 1
    won, given = taken
    common = won & given
    won, given = won - common, given - common
    minor = min(won["n"] + won["b"], given["n"] + given["b"])  # a bishop for a knight
    for counter in (won, given):
        for kind, count in (("n", min(minor, counter["n"])), ("b", minor - min(minor, counter["n"]))):
            counter[kind] -= count
    order = sorted(VALUES, key=lambda kind: -VALUES[kind])
    return (
        tuple(kind for kind in order for _ in range(won[kind])),
        tuple(kind for kind in order for _ in range(given[kind])),
    )


def mate_threats(step: Step) -> Iterator[str]:
    """Moves that would mate if the opponent passed after a quiet move."""
    if step.checkers or step.next_position.is_over:
        return
    board, turn, *rest = step.next_position.fen.split()
    passed = Position(" ".join([board, "w" if turn == "b" else "b", rest[0], "-", "0", "1"]))
    state = passed.state
    for move in state.legal_moves():
        after = state.play(move)
        if after.in_check and after.ending == "checkmate":
            yield str(state.move_text(move))
