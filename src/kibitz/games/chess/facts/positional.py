"""Pawn structure, king safety and activity: what a line changes of them, weighed by the evaluation's own
terms. Only what can be counted on the board is said: pawns that become isolated, doubled or passed, pieces
that attack a king, squares that pieces reach."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from kibitz.facts import Evidence, Fact
from kibitz.games.chess.facts import words
from kibitz.games.chess.facts.board import NAMES, Board, near
from kibitz.games.chess.facts.steps import Line
from kibitz.games.chess.facts.terms import SLOPE, terms_of
from kibitz.games.chess.position import Position
from kibitz.sentences import Sentence

#: Moves of a line that are looked at; a change of the expected result that is one; and the most that is said.
_SEEN, _LEAST, _MOST = 6, 0.02, 0.15
#: Squares that pieces reach more or less, attackers of a king, to be worth a word.
_SQUARES, _ATTACKERS = 5, 1


@dataclass(frozen=True)
class _Change:
    """Something that can be counted: whose it is, before and after."""

    sentence: str
    values: dict[str, Any]
    places: tuple[str, ...]
    parameters: dict[str, Any]
    numbers: dict[str, float]


def find_positional(line: Line) -> Iterator[Fact]:
    """Facts of the side that gains by each subject."""
    steps = line.steps[:_SEEN]
    start, end = steps[0], steps[-1]
    if start.before.material(0) != end.after.material(0) or end.next_position.is_over:
        return
    before, after = terms_of(start.position), terms_of(end.next_position)
    text = words.line_text(steps)
    for subject, count in _COUNTED.items():
        change = SLOPE * (after[subject] - before[subject])
        if abs(change) < _LEAST:
            continue
        winner = 0 if change > 0 else 1
        for seen in count(start.before, end.after, winner):
            yield Fact(
                subject,
                end.ply,
                Position.side_names[winner],
                {**seen.parameters, "change": round(abs(change), 3)},
                Evidence(
                    tuple(step.move for step in steps),
                    seen.places,
                    numbers={**seen.numbers, "change": round(abs(change), 3)},
                ),
                min(_MOST, abs(change)),
                Sentence(seen.sentence, {**seen.values, "line": text}),
            )
            break


def _side(number: int) -> Sentence:
    return Sentence("chess.white" if number == 0 else "chess.black")


def _pawns(before: Board, after: Board, winner: int) -> Iterator[_Change]:
    """A new weakness of the loser, or a new passed pawn of the winner."""
    for code, find, side in (
        ("chess.isolatedPawn", isolated, 1 - winner),
        ("chess.doubledPawn", doubled, 1 - winner),
        ("chess.passedPawn", passed, winner),
    ):
        new = sorted(find(after, side) - find(before, side))
        # A pawn that moved and was isolated before is no news.
        old = {at % 8 for at in find(before, side)}
        new = [at for at in new if at % 8 not in old]
        if new:
            square, kind = NAMES[new[0]], find.__name__
            yield _Change(code, {"square": square}, (square,), {"kind": kind, "square": square}, {})


def _files(board: Board, side: int) -> dict[int, list[int]]:
    files: dict[int, list[int]] = {}
    for at, piece in board.pieces(side):
        if piece.lower() == "p":
            files.setdefault(at % 8, []).append(at)
    return files


def isolated(board: Board, side: int) -> set[int]:
    """Pawns without a pawn of their side on the files beside them."""
    files = _files(board, side)
    return {at for file, pawns in files.items() for at in pawns if not {file - 1, file + 1} & files.keys()}


def doubled(board: Board, side: int) -> set[int]:
    """Pawns with another of their side on the file."""
    return {at for pawns in _files(board, side).values() if len(pawns) > 1 for at in pawns}


def passed(board: Board, side: int) -> set[int]:
    """Pawns that no pawn of the other side can stop."""
    foes = _files(board, 1 - side)
    forward = 1 if side == 0 else -1
    return {
        at
        for file, pawns in _files(board, side).items()
        for at in pawns
        if not any(
            forward * (foe // 8 - at // 8) > 0
            for beside in (file - 1, file, file + 1)
            for foe in foes.get(beside, ())
        )
    }


def _king(before: Board, after: Board, winner: int) -> Iterator[_Change]:
    """More pieces that attack the squares around the loser's king."""
    loser = 1 - winner
    was, now = (len(king_attackers(board, loser)) for board in (before, after))
    if now - was >= _ATTACKERS and now > 1:
        places = tuple(NAMES[at] for at in king_attackers(after, loser))
        yield _Change(
            "chess.kingAttacked",
            {"side": _side(loser), "before": was, "after": now},
            (NAMES[after.kings[loser]], *places),
            {"king": NAMES[after.kings[loser]]},
            {"before": was, "after": now},
        )


def king_attackers(board: Board, side: int) -> list[int]:
    """Pieces of the other side, pawns and king left out, that attack the king's square or one beside it."""
    king = board.kings[side]
    zone = {king, *near(king)}
    return [
        at
        for at, piece in board.pieces(1 - side)
        if piece.lower() not in "pk" and zone & set(board.attacks(at))
    ]


def _activity(before: Board, after: Board, winner: int) -> Iterator[_Change]:
    """Squares that a side's pieces reach: more of the winner's or fewer of the loser's."""
    if any(_force(before, side) != _force(after, side) for side in (0, 1)):
        return  # fewer pieces reach fewer squares
    changes = {side: (reach(before, side), reach(after, side)) for side in (0, 1)}
    gains = {winner: 1, 1 - winner: -1}
    side = max(gains, key=lambda one: gains[one] * (changes[one][1] - changes[one][0]))
    was, now = changes[side]
    if gains[side] * (now - was) >= _SQUARES:
        yield _Change(
            "chess.activity",
            {"side": _side(side), "before": was, "after": now},
            (),
            {"of": Position.side_names[side]},
            {"before": was, "after": now},
        )


def _force(board: Board, side: int) -> Sequence[str]:
    return sorted(piece for _, piece in board.pieces(side) if piece.lower() not in "pk")


def reach(board: Board, side: int) -> int:
    """Squares that knights, bishops, rooks and queens attack, each counted for each piece, own pieces left
    out."""
    return sum(
        1
        for at, piece in board.pieces(side)
        if piece.lower() not in "pk"
        for to in board.attacks(at)
        if not board.squares[to] or board.squares[to].isupper() != piece.isupper()
    )


_COUNTED = {"pawnStructure": _pawns, "kingSafety": _king, "activity": _activity}
