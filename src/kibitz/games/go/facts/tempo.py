"""Sente and gote: whether a move is answered where it was played."""

from __future__ import annotations

from collections.abc import Iterator

from kibitz.facts import Evidence, Fact
from kibitz.games.go.facts.board import other
from kibitz.games.go.facts.steps import Line, side_of
from kibitz.sentences import Sentence

#: Steps to a reply that is local, and to a move that is elsewhere.
LOCAL, ELSEWHERE = 4, 7
_SENTE, _GOTE = 0.02, 0.012


def find_tempo(line: Line) -> Iterator[Fact]:
    """Sente: the reply is local, and the side that moved goes on elsewhere. Gote: the reply is elsewhere."""
    if len(line.steps) < 2:
        return
    move, reply = line.steps[:2]
    away = line.board.distance(move.at, reply.at)
    values = {"move": move.move, "reply": reply.move}
    if away <= LOCAL and len(line.steps) > 2:
        free = line.steps[2]
        leaves = line.board.distance(reply.at, free.at)
        if min(leaves, line.board.distance(move.at, free.at)) >= ELSEWHERE:
            yield Fact(
                "sente",
                0,
                side_of(move.stone),
                {**values, "next": free.move},
                Evidence(line.moves(3), (move.move, reply.move), ((move.move, reply.move),),
                         numbers={"distance": away, "leaves": leaves}),
                _SENTE,
                Sentence("go.sente", {**values, "next": free.move}),
            )  # fmt: skip
    elif away >= ELSEWHERE:
        yield Fact(
            "gote",
            0,
            side_of(other(move.stone)),
            values,
            Evidence(line.moves(2), (move.move, reply.move), numbers={"distance": away}),
            _GOTE,
            Sentence("go.gote", values),
        )
