"""Why: the facts of a line of play, ranked, and the sentences they make.

>>> import kibitz
>>> why = kibitz.explain(kibitz.othello.Position(), line=["d3", "c5"])
>>> why.sentences()[0]
'd3 leaves the opponent 3 moves'

A game's extractor finds the facts (`GameInfo.facts`); what it does not explain is said.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, Protocol

from kibitz.errors import BadRequest
from kibitz.explanation.evidence import evidence_picture
from kibitz.facts import Fact, Subject
from kibitz.games import registry
from kibitz.games.base import Position
from kibitz.json_form import encode
from kibitz.sentences import Sentence

#: Sentences for one move.
MOST_SENTENCES = 3
#: A fact that carries less of the value is no reason.
LEAST_WEIGHT = 0.01
#: Moves of a reply that are shown.
_REPLY = 3


class _Move(Protocol):
    @property
    def move(self) -> str: ...
    @property
    def line(self) -> tuple[str, ...]: ...


class _Searched(Protocol):
    """What is used of a `Report`."""

    @property
    def position(self) -> Position: ...
    @property
    def moves(self) -> Sequence[_Move]: ...


@dataclass(frozen=True)
class Explanation:
    """Why a move is good or bad: facts of the line that begins with it.

    >>> why = kibitz.explain(kibitz.chess.Position("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"), ["a1a8"])
    >>> why.line, [fact.code for fact in why.facts]
    (('a1a8',), ['mateIn1', 'backRankMate'])
    """

    position: Position
    line: tuple[str, ...]
    #: The one that carries most of the value first.
    facts: tuple[Fact, ...]

    @property
    def reasons(self) -> tuple[Fact, ...]:
        """The facts that are worth a sentence, at most three."""
        found: list[Fact] = []
        for fact in self.facts:
            said = [one.sentence for one in found]
            if fact.sentence and fact.weight >= LEAST_WEIGHT and fact.sentence not in said:
                found.append(fact)
        return tuple(found[:MOST_SENTENCES])

    @property
    def said(self) -> tuple[Sentence, ...]:
        """One to three sentences as codes. Where no fact carries weight, that is what they say."""
        sentences = tuple(fact.sentence for fact in self.reasons if fact.sentence)
        return sentences or (self.no_reason,)

    @property
    def no_reason(self) -> Sentence:
        """What is said where no fact is: the reply."""
        reply = self.position.line_text(self.line)[1 : 1 + _REPLY]
        return Sentence("fact.noneButReply", {"line": reply}) if reply else Sentence("fact.none")

    def sentences(self, language: str = "en") -> list[str]:
        """The same in the reader's language: `en`, `ko`, `zh-Hans` or `zh-Hant`."""
        return [sentence.worded(language) for sentence in self.said]

    def __str__(self) -> str:
        return "; ".join(self.sentences())

    def html(self, language: str = "en") -> str:
        """A board for each of the reasons with its evidence drawn, the sentence below."""
        figure = "<figure style='display:inline-block;margin:0 1em 1em 0;width:300px;vertical-align:top'>"
        fitting = "<svg style='width:100%;height:auto' "
        parts = [
            f"{figure}{evidence_picture(self.position, fact).replace('<svg ', fitting, 1)}"
            f"<figcaption>{escape(fact.sentence.worded(language))}</figcaption></figure>"
            for fact in self.reasons
            if fact.sentence
        ]
        return "".join(parts) or f"<p>{escape(self.no_reason.worded(language))}</p>"

    def _repr_html_(self) -> str:
        return self.html()

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "game": self.position.game,
            "record": self.position.mover_view().to_dict(),
            "line": list(self.line),
            "facts": encode(self.facts),
            "said": encode(self.said),
        }


def explain(
    what: Position | _Searched,
    line: Sequence[str] | None = None,
    *,
    move: str | None = None,
    after: _Searched | None = None,
) -> Explanation:
    """Explains a move. `what` is a position, and `line` the moves to explain, without a search; or a report,
    and `line` is by default the one it found for its best move, or for `move`. `after` is a report of the
    position after the first move, for games whose facts need one.

    >>> mate = kibitz.chess.Position("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1")
    >>> print(kibitz.explain(mate, ["a1a8"]))
    1.Ra8# is mate; 1.Ra8# is a back-rank mate
    """
    report = None if isinstance(what, Position) else what
    position = what if isinstance(what, Position) else what.position
    if line is None:
        if report is None:
            raise BadRequest("explaining a position needs a line of moves; a report brings its own")
        line = _line_of(report, move)
    elif move is not None:
        raise BadRequest("give a line or a move, not both")
    position = position.mover_view()
    if position.hides:  # what follows depends on pieces that nobody may know
        moves, positions = list(line), [position]
    else:
        moves, positions = _played(position, line, strict=report is None)
    find = registry.get(position.game).facts
    subject = Subject(position, tuple(moves), tuple(positions), report, after)
    facts = sorted(find(subject), key=lambda fact: (-fact.weight, fact.ply)) if find and moves else []
    return Explanation(position, subject.line, tuple(facts))


def _line_of(report: _Searched, move: str | None) -> Sequence[str]:
    if not report.moves:
        return ()
    if move is None:
        return report.moves[0].line
    for info in report.moves:
        if info.move == move:
            return info.line or (move,)
    raise BadRequest(f"the report has no move {move!r}")


def _played(position: Position, line: Sequence[str], *, strict: bool) -> tuple[list[str], list[Position]]:
    """The moves in the game's own spelling, and the positions between them. A search may go on where the
    rules end the game; its line ends there."""
    moves, positions = [], [position]
    for text in line:
        at = positions[-1]
        if at.is_over and not strict:
            break
        positions.append(at.play(text))
        moves.append(positions[-1].moves[-1])
    return moves, positions
