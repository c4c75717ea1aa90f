"""Replays the facts of ultimate tic-tac-toe with plain rules; shares no code with the extractor."""

from __future__ import annotations

from typing import Any

import kibitz
from tests.games.uttt import plain_rules

#: Empty cells up to which plain minimax, which has no shortcut, proves results and distances again; further
#: up a plain alpha-beta proves the result, where it can within so many nodes.
_PLAIN, _NODES = 7, 4_000


def replayed(start: plain_rules.Board, line: tuple[str, ...]) -> plain_rules.Board:
    for move in line:
        start = start.play(int(move[0]), int(move[1]))
    return start


def rows_of(marks: str, side: str) -> set[str]:
    return {"".join(map(str, row)) for row in plain_rules.LINES if all(marks[at] == side for at in row)}


def holds(board: plain_rules.Board, line: tuple[str, ...], fact: kibitz.Fact) -> bool:
    """Whether a fact is so, by its evidence alone."""
    seen, values = fact.evidence, fact.parameters
    before = replayed(board, line[: fact.ply])
    after = replayed(board, seen.line)
    side = fact.side.upper()
    if values["move"] != line[fact.ply] or seen.line != line[: fact.ply + 1]:
        return False
    where = int(values["move"][0])
    moves = {f"{b}{c}" for b, c in after.moves()}
    wins = {
        move for move in moves if after.play(int(move[0]), int(move[1])).owners[int(move[0])] == after.side
    }
    if fact.code == "sentTo":
        free = after.constraint is None
        where_to = {move[0] for move in moves}
        return (
            set(values["boards"]) == where_to
            and seen.numbers["moves"] == len(moves)
            and (side == after.side) == free
            and set(seen.places) == (set() if free else moves)
        )
    if fact.code == "boardWon":
        cells = "".join(place[1] for place in seen.places)
        return (
            side == before.side
            and values["board"] == where
            and before.owners[where] == "."
            and after.owners[where] == side
            and cells in rows_of(after.boards[where], side)
        )
    if fact.code in ("boardGiven", "gameGiven"):
        if fact.code == "gameGiven":
            wins = {move for move in wins if after.play(int(move[0]), int(move[1])).outcome == after.side}
        return (
            side == after.side
            and set(values["replies"]) == set(seen.places) == wins != set()
            and set(values["boards"]) == {move[0] for move in wins}
        )
    if fact.code == "lineThreat":
        third = values["third"]
        two = {int(board) for board in values["boards"]}
        filled = after.boards[third].replace(".", side)
        return (
            side == before.side
            and any(set(row) == two | {third} for row in plain_rules.LINES)
            and where in two
            and all(after.owners[at] == side for at in two)
            and after.owners[third] == "."
            and bool(rows_of(filled, side))
            and {place[1] for place in seen.places}
            == {str(at) for at, mark in enumerate(after.boards[third]) if mark == "."}
        )
    if fact.code == "gameWon":
        row = "".join(values["boards"])
        counts = (after.owners.count(side), after.owners.count("O" if side == "X" else "X"))
        return (
            after.outcome == side
            and (row in rows_of(after.owners, side) if row else not rows_of(after.owners, side))
            and (seen.numbers["boards"], seen.numbers["opponent"]) == counts
        )
    assert fact.code == "proved"
    if sum(cells.count(".") for cells in before.boards) > _PLAIN:
        known = _result(after, -1, 1, [_NODES])
        return known is None or values["result"] == ("draw", "loss", "win")[known]
    result, distance = plain_rules.rate(before)[where, int(values["move"][1])]
    return (
        values["result"] == ("draw", "win", "loss")[result]
        and seen.numbers["result"] == (result + 1) / 2
        and values.get("plies", 0) == distance
        and (side == before.side) == (result >= 0)
    )


def _result(board: plain_rules.Board, low: int, high: int, left: list[int]) -> int | None:
    """The result for the side to move, 1, 0 or -1; None where it takes too long."""
    outcome = board.outcome
    if outcome is not None:
        return 0 if outcome == "=" else 1 if outcome == board.side else -1
    left[0] -= 1
    if left[0] < 0:
        return None
    best = -1
    for move in board.moves():
        below = _result(board.play(*move), -high, -max(low, best), left)
        if below is None:
            return None
        best = max(best, -below)
        if best >= high:
            break
    return best


def problems(why: kibitz.Explanation, before: Any = None, after: Any = None) -> list[str]:
    """What is false about the facts of an explanation."""
    board = plain_rules.Board.read(why.position.notation)
    return [
        f"{why.position.notation} {why.line}: {fact}"
        for fact in why.facts
        if not holds(board, why.line, fact)
    ]
