"""Facts of Othello: corners taken and given, mobility, passes, stable discs, parity, exact discs."""

from __future__ import annotations

from collections.abc import Iterator

from kibitz.facts import Evidence, Fact, Subject
from kibitz.games.othello.facts.regions import odd_regions, stable_discs
from kibitz.games.othello.position import Position
from kibitz.sentences import Sentence

PASS = "pass"
CORNERS = ("a1", "h1", "a8", "h8")
#: Parts of the result, by experience: a corner decides many games, a pass hands over the tempo.
_CORNER, _PASS, _TIGHT = 0.15, 0.10, 0.02
#: An opponent with no more moves than this is short of moves.
_FEW = 3
#: Parts of the result for each stable disc, at most so many; and for the last move of every region.
_STABLE, _MOST_STABLE, _PARITY = 0.015, 10, 0.03
#: Moves of a line after which mobility is compared, a change that is much, and the part of one move.
_BALANCED, _MUCH, _A_MOVE = 4, 5, 0.01
#: Stable discs that are worth a word, moves of a line that win them, empty squares when parity counts.
_SOME, _SEEN, _LATE = 3, 6, 16
_HALF_POINTS = {"win": 1.0, "draw": 0.5, "loss": 0.0}


def find(subject: Subject) -> Iterator[Fact]:
    for ply, move in enumerate(subject.line):
        if move in CORNERS:
            yield _corner(subject, ply)
    yield from _given_corners(subject)
    yield from _mobility(subject)
    yield from _mobility_lost(subject)
    yield from _balance(subject)
    yield from _stable(subject)
    yield from _parity(subject)
    yield from _exact(subject)


def _corner(subject: Subject, ply: int) -> Fact:
    move = subject.line[ply]
    return Fact(
        "corner",
        ply,
        subject.sides[ply],
        {"move": move},
        Evidence(subject.line[: ply + 1], (move,)),
        _CORNER / (1 + ply),
        Sentence("othello.corner", {"move": move}),
    )


def _other(side: str) -> str:
    black, white = Position.side_names
    return white if side == black else black


def _given_corners(subject: Subject) -> Iterator[Fact]:
    """Corners that the opponent can take after the first move and could not before it."""
    before, after = subject.positions[:2]
    if after.is_over:
        return
    could = _moves_of(before, after.mover)
    given = tuple(move for move in after.legal_moves if move in CORNERS and move not in could)
    if given:
        move = subject.line[0]
        yield Fact(
            "cornerGiven",
            0,
            after.mover,
            {"move": move, "corners": given},
            Evidence(subject.line[:1], given, tuple((move, corner) for corner in given)),
            _CORNER,
            Sentence("othello.cornerGiven", {"move": move, "corners": list(given)}),
        )


def _moves_of(position: Position, side: str) -> tuple[str, ...]:
    """What a side could play if it were its turn."""
    letter = "XO"[Position.side_names.index(side)]
    return Position(f"{position.squares} {letter}").legal_moves


def _mobility(subject: Subject) -> Iterator[Fact]:
    """How many moves the first move leaves the opponent."""
    after = subject.positions[1]
    side, move = subject.sides[0], subject.line[0]
    if after.is_over or move == PASS:
        return
    line = subject.line[:1]
    if after.legal_moves == (PASS,):
        evidence = Evidence(line, numbers={"moves": 0})
        yield Fact("pass", 0, side, {"move": move}, evidence, _PASS, Sentence("othello.pass", {"move": move}))
    elif (count := len(after.legal_moves)) <= _FEW:
        yield Fact(
            "mobility",
            0,
            side,
            {"move": move, "moves": count},
            Evidence(line, after.legal_moves, numbers={"moves": count}),
            _TIGHT * (_FEW + 1 - count),
            Sentence("othello.oneMove" if count == 1 else "othello.mobility", {"move": move, "moves": count}),
        )


def _mobility_lost(subject: Subject) -> Iterator[Fact]:
    """How few moves the side that moves first has after the reply."""
    if len(subject.positions) < 3:
        return
    after, side, move = subject.positions[2], subject.sides[0], subject.line[0]
    if after.is_over or after.mover != side or after.legal_moves == (PASS,):
        return
    if (count := len(after.legal_moves)) < _FEW:
        reply = subject.line[1]
        yield Fact(
            "mobilityLost",
            1,
            _other(side),
            {"move": move, "reply": reply, "moves": count},
            Evidence(subject.line[:2], after.legal_moves, numbers={"moves": count}),
            _TIGHT * (_FEW + 1 - count),
            Sentence(
                "othello.oneMoveLeft" if count == 1 else "othello.fewMovesLeft",
                {"move": move, "reply": reply} | ({} if count == 1 else {"moves": count}),
            ),
        )


def _balance(subject: Subject) -> Iterator[Fact]:
    """The moves that both sides have after some moves of the line, where that is much better for one of them
    than before."""
    last = min(_BALANCED, len(subject.positions) - 1)
    start, end = subject.positions[0], subject.positions[last]
    if end.is_over:
        return
    (black, white), (then_black, then_white) = (
        tuple(len([move for move in _moves_of(at, side) if move != PASS]) for side in Position.side_names)
        for at in (start, end)
    )
    change = (then_black - then_white) - (black - white)
    winner, loser = Position.side_names if change > 0 else Position.side_names[::-1]
    more, fewer = (then_black, then_white) if change > 0 else (then_white, then_black)
    if abs(change) >= _MUCH and more > fewer:
        line = subject.line[:last]
        yield Fact(
            "mobilityBalance",
            last - 1,
            winner,
            {"more": more, "fewer": fewer, "change": abs(change)},
            Evidence(line, numbers={"more": more, "fewer": fewer, "change": abs(change)}),
            _A_MOVE * min(_MOST_STABLE, abs(change)),
            Sentence(
                "othello.balance",
                {
                    "line": list(line),
                    "winner": Sentence(_SIDES[winner]),
                    "loser": Sentence(_SIDES[loser]),
                    "more": more,
                    "fewer": fewer,
                },
            ),
        )


def _stable(subject: Subject) -> Iterator[Fact]:
    """Discs that can never be turned again, and that the line wins for one side or the other."""
    last = min(_SEEN, len(subject.positions) - 1)
    before, after = subject.positions[0], subject.positions[last]
    for side, letter in zip(Position.side_names, "XO", strict=True):
        known = stable_discs(before.squares, letter)
        gained = sorted(stable_discs(after.squares, letter) - known)
        if len(gained) >= _SOME:
            line = subject.line[:last]
            yield Fact(
                "stable",
                last - 1,
                side,
                {"discs": len(gained), "all": len(known) + len(gained)},
                Evidence(line, tuple(gained), numbers={"discs": len(gained)}),
                _STABLE * min(_MOST_STABLE, len(gained)),
                Sentence(
                    "othello.stable",
                    {"line": list(line), "side": Sentence(_SIDES[side]), "discs": len(gained)},
                ),
            )


def _parity(subject: Subject) -> Iterator[Fact]:
    """The first move leaves regions of even size only, so that its side can have the last move in each."""
    before, after = subject.positions[:2]
    if after.is_over or after.empties > _LATE or subject.line[0] == PASS or after.mover == before.mover:
        return
    if odd_regions(before.squares) and not odd_regions(after.squares):
        move = subject.line[0]
        empty = tuple(sorted(_empty(after)))
        yield Fact(
            "parity",
            0,
            subject.sides[0],
            {"move": move, "empties": len(empty)},
            Evidence(subject.line[:1], empty, numbers={"empties": len(empty)}),
            _PARITY,
            Sentence("othello.parity", {"move": move}),
        )


def _empty(position: Position) -> list[str]:
    return [
        f"{'abcdefgh'[at % 8]}{at // 8 + 1}" for at, disc in enumerate(position.squares) if disc not in "XO"
    ]


_SIDES = {"black": "othello.black", "white": "othello.white"}


def _exact(subject: Subject) -> Iterator[Fact]:
    """The result of the first move where the search proved it, with its discs where they are known."""
    for info in getattr(subject.before, "moves", ()):
        if info.move == subject.line[0] and info.proven:
            side, won = subject.sides[0], _HALF_POINTS[info.proven]
            values = {"move": info.move, "result": info.proven}
            numbers = {"result": won}
            sentence = Sentence(_RESULTS[info.proven], {"move": info.move})
            if info.score is not None:
                values["discs"] = numbers["discs"] = round(info.score)
                if discs := round(info.score):
                    code = "othello.exactWin" if discs > 0 else "othello.exactLoss"
                    sentence = Sentence(code, {"move": info.move, "discs": abs(discs)})
            yield Fact(
                "exact",
                0,
                _other(side) if info.proven == "loss" else side,
                values,
                Evidence(subject.line, numbers=numbers),
                0.5,
                sentence,
            )


_RESULTS = {"win": "othello.provenWin", "draw": "othello.provenDraw", "loss": "othello.provenLoss"}
