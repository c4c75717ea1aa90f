"""Why a move of a game was good or bad, from the reports before and after it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from kibitz.errors import KibitzError
from kibitz.explanation import Explanation, explain
from kibitz.facts import Fact
from kibitz.games.base import Position
from kibitz.report import Report
from kibitz.sentences import Sentence

#: Facts that carry less are not written into a review; of a good move only what decides the game, for what it
#: wins is said where the opponent lost it.
_LEAST, _LEAST_OF_GOOD = 0.05, 0.9
#: Sentences about what a move allowed, and about what it missed.
_MOST_WRONG, _MOST_MISSED = 2, 1


@dataclass(frozen=True)
class Reasons:
    """What is said of a move, and the facts behind it. Their evidence starts at the position before it."""

    said: tuple[Sentence, ...] = ()
    #: What the move does or allows; and what the better move would have done, whose sentences say so.
    played: tuple[Fact, ...] = ()
    missed: tuple[Fact, ...] = ()

    @property
    def facts(self) -> tuple[Fact, ...]:
        return self.played + self.missed


NO_REASONS = Reasons()


def reasons_of(
    position: Position,
    played: str,
    better: Sequence[str],
    before: Report | None,
    after: Report | None,
    *,
    is_mistake: bool,
) -> Reasons:
    """The reasons for a move; `better` is the line of the better move, empty where there is none."""
    line = [played, *(after.moves[0].line if after and after.moves else ())]
    try:
        actual = _explained(position, line, before, after)
        instead = _explained(position, better, before, None) if is_mistake and better else None
    except KibitzError:  # a record may have moves that the rules do not: nothing is said of those
        return NO_REASONS
    if not is_mistake:
        good = _worth_saying(actual.facts, position.mover, own=True, least=_LEAST_OF_GOOD)[:1]
        return Reasons(_sentences(good), tuple(good), ())
    unavoidable = [(fact.code, fact.parameters) for fact in instead.facts] if instead else []
    wrong = [
        fact
        for fact in _worth_saying(actual.facts, position.mover, own=False)
        if (fact.code, fact.parameters) not in unavoidable
    ][:_MOST_WRONG]
    missed = [
        replace(fact, sentence=Sentence("review.missed", {"reason": fact.sentence}))
        for fact in _worth_saying(instead.facts if instead else (), position.mover, own=True)[:_MOST_MISSED]
    ]
    said = _sentences([*wrong, *missed])
    return Reasons(said or (actual.no_reason,), tuple(wrong), tuple(missed))


def _explained(
    position: Position, line: Sequence[str], before: Report | None, after: Report | None
) -> Explanation:
    return explain(position if before is None else before, line, after=after)


def _worth_saying(facts: Sequence[Fact], mover: str, *, own: bool, least: float = _LEAST) -> list[Fact]:
    return [fact for fact in facts if (fact.side == mover) == own and fact.sentence and fact.weight >= least]


def _sentences(facts: Sequence[Fact]) -> tuple[Sentence, ...]:
    return tuple(fact.sentence for fact in facts if fact.sentence)
