"""OBF: one position a line with the scores of its moves.

    O--OOOOX-OOOOOOX...-------- X; A2:+38; C7:+36; % FFO 40

    problems = obf.read(text)
    problems[0].start, problems[0].candidates      # (('a2', 38.0), ('c7', 36.0))

Scores are discs for the side to move. A line of comment only is skipped; a comment behind a
position is kept in `extras["comment"]`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from kibitz.errors import BadRecord
from kibitz.games.othello.records.record import Record, is_pass, number_of, number_text, position_of

_POSITION = re.compile(r"\s*(?P<squares>(?:[-.*xXoO0]\s*){64})(?P<side>[*xXoO0])\s*$")
_CANDIDATE = re.compile(r"(?P<move>[a-hA-H][1-8]|pass|pa|ps|--)(?:\s*:\s*(?P<score>\S+))?", re.IGNORECASE)


def read(text: str, name: str = "OBF") -> tuple[Record, ...]:
    """All positions of a text; BadRecord with the line's number when one cannot be read."""
    records = []
    for number, line in enumerate(text.split("\n"), 1):
        content, _, comment = line.partition("%")
        if content.strip():
            records.append(_read_line(content, comment.strip(), f"{name}, line {number}"))
    if not records:
        raise BadRecord(f"{name}: expected lines of 64 squares and a side to move, found none")
    return tuple(records)


def write(records: Iterable[Record]) -> str:
    """The text of an OBF file; the position *after* a record's moves is what is written."""
    lines = []
    for record in records:
        position = record.position()
        line = f"{position.notation};"
        for move, score in record.candidates:
            label = "PS" if is_pass(move) else move.upper()
            line += f" {label};" if score is None else f" {label}:{_score_text(score)};"
        comment = " ".join(record.extras.get("comment", "").split())
        lines.append(line + (f" % {comment}" if comment else "") + "\n")
    return "".join(lines)


def _read_line(content: str, comment: str, where: str) -> Record:
    board, *pairs = content.split(";")
    match = _POSITION.match(board)
    if match is None:
        raise BadRecord(
            f"{where}: expected 64 squares of X, O and -, and the side to move, got {board.strip()[:70]!r}"
        )
    squares = "".join(match["squares"].split())
    position = position_of(f"{squares} {match['side']}", where)
    legal = position.legal_moves
    candidates = []
    for pair in pairs:
        if not pair.strip():
            continue
        match = _CANDIDATE.fullmatch(pair.strip())
        if match is None:
            raise BadRecord(
                f"{where}: expected a move and its score such as A2:+38, got {pair.strip()[:20]!r}"
            )
        move = "pass" if is_pass(match["move"]) else match["move"].lower()
        if move not in legal:
            raise BadRecord(
                f"{where}: {move} is illegal here, expected one of {', '.join(legal) or 'nothing'}"
            )
        score = match["score"]
        known = None if score is None else number_of(score, "a score such as +38", where)
        candidates.append((move, known))
    extras = {"comment": comment} if comment else {}
    return Record(start=position.notation, candidates=tuple(candidates), extras=extras)


def _score_text(score: float) -> str:
    return f"{int(score):+d}" if score == int(score) else number_text(score, sign=True)
