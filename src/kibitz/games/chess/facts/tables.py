"""What tables know of an ending: the result of a move for certain. Three men the core knows by itself, more
where KIBITZ_SYZYGY names folders of Syzygy tables."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from kibitz.errors import KibitzError
from kibitz.facts import Evidence, Fact
from kibitz.games.chess.facts import words
from kibitz.games.chess.facts.steps import Line
from kibitz.games.chess.position import Position
from kibitz.sentences import Sentence

if TYPE_CHECKING:
    from kibitz.games.chess.syzygy import Tables

_WORDS = {1: "win", 0: "draw", -1: "loss"}
#: Of a move that changes the result or is the only one to keep it, of others, and of a line that leads there.
_ONLY, _REACHED, _KEPT = 0.4, 0.3, 0.05
#: Sentences by the results before and after, for who moves.
_CHANGED = {(1, 0): "chess.tableWinDrawn", (1, -1): "chess.tableWinLost", (0, -1): "chess.tableDrawLost"}
_SAME = {1: "chess.tableWin", 0: "chess.tableDraw", -1: "chess.tableLoss"}
_SINGLE = {1: "chess.tableOnlyWin", 0: "chess.tableOnlyDraw"}
_COLORS = ("chess.white", "chess.black")


@cache
def syzygy() -> Tables | None:
    folders = os.environ.get("KIBITZ_SYZYGY")
    if not folders:
        return None
    from kibitz.games.chess.syzygy import Tables  # python-chess is slow to import

    try:
        return Tables(folders)
    except KibitzError:
        return None  # facts are extra; `serve` and UCI complain about folders


def result_of(position: Position) -> int | None:
    """The mover's result with best play: 1, 0 or -1; None where no table has the position."""
    men = Counter(letter for letter in position.fen.split()[0] if letter.isalpha())
    if sum(men.values()) <= 3:
        return _known(position, men)
    tables = syzygy()
    if tables is None or sum(men.values()) > tables.pieces or position.fen.split()[2] != "-":
        return None
    result = tables.probe(position.fen)
    return None if result is None else (result == 2) - (result == -2)


def _known(position: Position, men: Counter[str]) -> int | None:
    """Two kings and at most one man more."""
    if position.is_over:
        return -1 if position.ending == "checkmate" else 0
    other = next((letter for letter in men if letter not in "Kk"), "")
    if other.lower() in ("", "b", "n"):
        return 0
    mine = other.isupper() == (position.to_move == 0)
    if other.lower() == "p":
        return (1 if mine else -1) if position.state.pawn_wins else 0
    # A rook or a queen wins unless it is taken at once.
    takes = not mine and any(len(_board(position, move)) == 2 for move in position.legal_moves)
    return 1 if mine else 0 if takes else -1


def _board(position: Position, move: str) -> str:
    return "".join(letter for letter in position.play(move).fen.split()[0] if letter.isalpha())


def find_tables(line: Line) -> Iterator[Fact]:
    """What the first move does to a result that is known; or the first known ending that the line reaches."""
    first = line.steps[0]
    before = result_of(first.position)
    if before is None:
        yield from _reached(line)
        return
    after = result_of(first.next_position)
    if after is None:
        return
    after = -after
    moves = first.position.legal_moves
    keeping = sum(result_of(first.position.play(move)) == -after for move in moves) if after >= before else 0
    only = keeping == 1 and len(moves) > 1 and after in _SINGLE
    if after < before:
        weight, code = (before - after) / 2, _CHANGED[before, after]
    else:
        weight, code = (_ONLY, _SINGLE[after]) if only else (_KEPT, _SAME[after])
    side = first.side if after >= before and after >= 0 else 1 - first.side
    yield Fact(
        "tablebase",
        0,
        Position.side_names[side],
        {"before": _WORDS[before], "after": _WORDS[after], "only": only},
        Evidence((first.move,), (first.move[:2], first.move[2:4]), ((first.move[:2], first.move[2:4]),)),
        weight,
        Sentence(code, {"move": first.numbered}),
    )


def _reached(line: Line) -> Iterator[Fact]:
    for step in line.steps:
        result = None if step.next_position.is_over else result_of(step.next_position)
        if result is None:
            continue
        mover = 1 - step.side  # after the move
        side = step.side if result < 0 else mover
        steps = line.steps[: step.ply - line.steps[0].ply + 1]
        values: dict[str, object] = {"line": words.line_text(steps)}
        if result:
            values["side"] = Sentence(_COLORS[side])
        yield Fact(
            "tablebase",
            step.ply,
            Position.side_names[side],
            {"after": "draw" if result == 0 else "win", "only": False},
            Evidence(tuple(one.move for one in steps), (step.move[2:4],)),
            _REACHED,
            Sentence("chess.tableReachesWin" if result else "chess.tableReachesDraw", values),
        )
        return
