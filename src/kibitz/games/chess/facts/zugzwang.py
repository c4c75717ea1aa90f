"""Zugzwang: who is to move would rather pass. A short search of the position and one of the same position
with the other side to move say so."""

from __future__ import annotations

from collections.abc import Iterator

from kibitz import _native
from kibitz.facts import Evidence, Fact
from kibitz.games.chess.facts.steps import Line, Step
from kibitz.games.chess.position import Position
from kibitz.sentences import Sentence

#: Who has more moves than this finds one that does no harm (Lichess's theme has the same limit).
_MOST_MOVES = 15
#: Searches by nodes, and how much better passing must be by each, of 0 to 1. The first costs hardly anything
#: and ends most cases; the last finds what the second overlooks in pawn endings.
_LOOKS = ((500, 0.0), (20_000, 0.1), (100_000, 0.15))
_TABLE_MB = 4
_WEIGHT = 0.35
_COLORS = ("chess.white", "chess.black")


def find_zugzwang(line: Line, *, searched: bool) -> Iterator[Fact]:
    """After the own moves of a line that is given; of one that was searched, after the first alone."""
    for step in line.own[:1] if searched else line.own:
        found = _worth_of_passing(step)
        if found is None:
            continue
        value, passing = found
        yield Fact(
            "zugzwang",
            step.ply,
            Position.side_names[step.side],
            {"moves": len(step.next_position.legal_moves)},
            Evidence(
                tuple(one.move for one in line.steps[: step.ply - line.steps[0].ply + 1]),
                (step.move[2:4],),
                numbers={"moving": round(value, 3), "passing": round(passing, 3)},
            ),
            _WEIGHT,
            Sentence("chess.zugzwang", {"move": step.numbered, "side": Sentence(_COLORS[1 - step.side])}),
        )
        return


def _worth_of_passing(step: Step) -> tuple[float, float] | None:
    """What the opponent has if it moves and if it passes, where passing is much better."""
    after = step.next_position
    if step.checkers or after.is_over or len(after.legal_moves) > _MOST_MOVES:
        return None
    board, turn, castling, *_ = after.fen.split()
    passed = Position(f"{board} {'w' if turn == 'b' else 'b'} {castling} - 0 1")
    for nodes, least in _LOOKS:
        value, passing = _value(after, nodes), 1 - _value(passed, nodes)
        if passing - value <= least:
            return None
    return value, passing


def _value(position: Position, nodes: int) -> float:
    """The mover's, by the evaluation of the core, which knows pawn endings better than its networks do."""
    search = _native.ChessAlphaBeta(position.state.forgotten(), _native.Options(), 0, 1, _TABLE_MB)
    search.start(_native.Plan(), nodes)
    while not search.wait(1.0):
        pass
    return float(search.report().moves[0].value)
