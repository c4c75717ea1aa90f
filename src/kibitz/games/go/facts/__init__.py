"""Facts of Go. From the rules alone: captures, atari, ladders, ko, cuts, connections, sente and gote. From
who owns what before and after a move: groups that live and die, points by region, the endgame.

>>> import kibitz
>>> position = kibitz.go.Position(9, black=["D5", "F5", "E6"], white=["E5"])
>>> str(kibitz.explain(position, line=["E4"]).facts[0].sentence)
"E4 captures White's stone at E5"
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from kibitz.facts import Fact, Subject
from kibitz.games.go.facts.owners import find_ownership, owners_of
from kibitz.games.go.facts.steps import read_line
from kibitz.games.go.facts.tactics import find_tactics
from kibitz.games.go.facts.tempo import find_tempo

#: Moves of a line that are read: what comes later was hardly searched.
_LONGEST = 8


def find(subject: Subject) -> Iterator[Fact]:
    if len(subject.line) > _LONGEST:
        subject = replace(subject, line=subject.line[:_LONGEST], positions=subject.positions[: _LONGEST + 1])
    line = read_line(subject)
    if not line.steps:
        return
    line = replace(line, owners=owners_of(line))
    yield from find_tactics(line)
    yield from find_ownership(line)
    yield from find_tempo(line)
