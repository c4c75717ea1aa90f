"""What is known without looking at pieces: names of openings, and lines that repeat."""

from __future__ import annotations

from collections.abc import Iterator

from kibitz.facts import Evidence, Fact
from kibitz.games.chess.facts import words
from kibitz.games.chess.facts.board import NAMES
from kibitz.games.chess.facts.steps import Line
from kibitz.games.chess.openings import name_of
from kibitz.games.chess.position import Position
from kibitz.sentences import Sentence

_OPENING, _PERPETUAL, _IDLE = 0.011, 0.3, 0.005


def find_known(line: Line, *, quiet: bool) -> Iterator[Fact]:
    """`quiet`: nothing is won, so that the name of the opening is worth a word."""
    yield from _opening(line, _OPENING if quiet else _IDLE)
    yield from _perpetual(line)


def _opening(line: Line, weight: float) -> Iterator[Fact]:
    """The name that the first move gives the game, or the named opening that it leaves."""
    step = line.steps[0]
    before, after = name_of(step.position), name_of(step.next_position)
    if not (before or after):
        return
    code, name = ("opening", after) if after else ("leavesOpening", before)
    yield Fact(
        code,
        0,
        Position.side_names[step.side],
        {"name": name},
        Evidence((step.move,), (NAMES[step.to],)),
        weight,
        Sentence("chess.opening" if after else "chess.leavesOpening", {"move": step.numbered, "name": name}),
    )


def _perpetual(line: Line) -> Iterator[Fact]:
    """A line that comes back to a position of its own, all moves of one side being checks."""
    seen = [" ".join(line.steps[0].position.fen.split()[:4])]
    for number, step in enumerate(line.steps):
        board = " ".join(step.next_position.fen.split()[:4])
        if board in seen:
            first = seen.index(board)
            round_ = line.steps[first : number + 1]
            for side in (0, 1):
                own = [one for one in round_ if one.side == side]
                if own and all(one.checkers for one in own):
                    yield Fact(
                        "perpetual",
                        step.ply,
                        Position.side_names[side],
                        {"moves": len(own)},
                        Evidence(tuple(one.move for one in line.steps[: number + 1])),
                        _PERPETUAL,
                        Sentence("chess.perpetual", {"line": words.line_text(round_)}),
                    )
            return
        seen.append(board)
