"""Questions about a position, and their replies.

>>> ask = make_questions("why not e4; line d4 d5 c4")
>>> [str(question) for question in ask]
['why not e4', 'line d4 d5 c4']
>>> ask[1].moves
('d4', 'd5', 'c4')

What a question needs to be searched, and how its reply follows from that, is in inquiry.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from kibitz.errors import BadSteering
from kibitz.facts import Fact
from kibitz.json_form import JsonForm
from kibitz.sentences import Sentence, joined

__all__ = ["LineStep", "Question", "Reply", "make_questions"]

#: Questions of one request, and moves of a line.
MOST_QUESTIONS = 8
MOST_MOVES = 64
_MOST_LETTERS = 2000

#: How each kind is written, the longest first, as one may begin another.
_WORDS = {
    "whyNot": "why not",
    "changed": "what changed",
    "why": "why",
    "line": "line",
    "refute": "refute",
    "threat": "threat",
}
_SINCE = "since"
#: Kinds that ask about one move.
_ONE_MOVE = ("why", "whyNot", "refute")
_EXPECTED = "why MOVE, why not MOVE, refute MOVE, line MOVES, threat, what changed [since MOVE NUMBER]"


@dataclass(frozen=True)
class Question:
    """A question: `Question("whyNot", ("e4",))`, as people write it, and as JSON has it, `why not e4`.

    >>> Question("whyNot", ("e4",)).kind
    'whyNot'
    """

    #: `line`, `threat`, `refute`, `why`, `whyNot` or `changed`.
    kind: str
    moves: tuple[str, ...] = ()
    #: Only of `changed`: moves played before the earlier position, from the start of the game; below 0 it is
    #: counted back from now.
    since: int = -1

    def __post_init__(self) -> None:
        if self.kind not in _WORDS:
            raise BadSteering(f"a question is {_EXPECTED}; got {str(self.kind)[:40]!r}")
        if self.kind in _ONE_MOVE and len(self.moves) != 1:
            raise BadSteering(f"{_WORDS[self.kind]} asks about one move, got {len(self.moves)}")
        if self.kind in ("threat", "changed") and self.moves:
            raise BadSteering(f"{_WORDS[self.kind]} takes no moves, got {self.moves[0]!r}")
        if self.kind == "line" and not 1 <= len(self.moves) <= MOST_MOVES:
            raise BadSteering(f"a line has 1 to {MOST_MOVES} moves, got {len(self.moves)}")

    @classmethod
    def read(cls, text: Any) -> Question:
        """The question that a text asks."""
        if not isinstance(text, str) or len(text) > _MOST_LETTERS:
            raise BadSteering(
                f"a question is text of at most {_MOST_LETTERS} letters, got {str(text)[:40]!r}"
            )
        words = text.split()
        for kind, name in _WORDS.items():
            head = name.split()
            if [word.lower() for word in words[: len(head)]] == head:
                return _read(cls, kind, words[len(head) :])
        raise BadSteering(f"a question is {_EXPECTED}; got {text[:40]!r}")

    def __str__(self) -> str:
        since = (_SINCE, str(self.since)) if self.kind == "changed" and self.since != -1 else ()
        return " ".join((_WORDS[self.kind], *self.moves, *since))

    def to_dict(self) -> str:
        """As JSON has it."""
        return str(self)


def _read(cls: type[Question], kind: str, words: list[str]) -> Question:
    if kind != "changed" or not words:
        return cls(kind, tuple(words))
    if len(words) != 2 or words[0].lower() != _SINCE or not words[1].lstrip("-").isdecimal():
        raise BadSteering(f"what changed takes `since NUMBER`, got {' '.join(words)[:40]!r}")
    return cls(kind, (), int(words[1][:9]))


def make_questions(
    wish: str | Question | Iterable[str | Question] | None,
) -> tuple[Question, ...]:
    """Questions from what people write: one text, `;` between several, or a list.

    >>> [question.kind for question in make_questions("why not c4; threat")]
    ['whyNot', 'threat']
    """
    if wish is None:
        return ()
    if isinstance(wish, (str, Question)):
        wish = [wish]
    if not isinstance(wish, Iterable) or isinstance(wish, Mapping):
        raise BadSteering(f"ask takes questions, got {wish!r}")
    found: list[Question] = []
    for one in wish:
        if isinstance(one, Question):
            found.append(one)
        elif isinstance(one, str) and ";" in one:
            found += [Question.read(part) for part in one.split(";") if part.strip()]
        else:
            found.append(Question.read(one))
    unique = tuple(dict.fromkeys(found))
    if len(unique) > MOST_QUESTIONS:
        raise BadSteering(f"at most {MOST_QUESTIONS} questions at once, got {len(unique)}")
    return unique


@dataclass(frozen=True)
class LineStep(JsonForm):
    """A move of a line, beside the best one at its place. Values are of the side that plays it.

    >>> report = kibitz.analyze(kibitz.othello.Position(), ask="line d3 c5", simulations=200)
    >>> [step.move for step in report.replies[0].steps]
    ['d3', 'c5']
    """

    json_strict: ClassVar[bool] = False

    move: str
    #: The move and the best one as people of the game write them.
    name: str
    best_name: str
    side: str
    value: float
    best: str
    best_value: float
    #: What the move costs beside the best; 0 for the best, and for one as good.
    cost: float
    visits: int


@dataclass(frozen=True)
class Reply(JsonForm):
    """What a search says to a question.

    `verdict` is, by the kind of the question: `best`, `equal` or `worse` of why and why not; `best` or
    `leaves` of a line; `threat` or `none`; `refuted`, `unclear` or `sound`; `changed` or `same`; `unanswered`
    of any, where the search was stopped before.

    >>> report = kibitz.analyze(kibitz.othello.Position(), ask="why not c4", simulations=200)
    >>> report.replies[0].question.kind
    'whyNot'
    """

    json_strict: ClassVar[bool] = False
    json_optional: ClassVar[frozenset[str]] = frozenset({"position", "steps", "line", "move", "best"})
    json_readers: ClassVar[Mapping[str, Callable[[Any], Any]]] = {"question": Question.read}

    question: Question
    verdict: str
    #: The move it is about: the one asked about, the threat, the one that left the best play or cost most.
    move: str = ""
    #: The best move in its place.
    best: str = ""
    #: What the move costs or, of a threat, what it is worth: a share of the result from 0 to 1.
    by: float = 0.0
    #: The line that shows it, from `position`.
    line: tuple[str, ...] = ()
    #: The notation of the position that line, steps and facts start from; empty for the one asked about.
    position: str = ""
    #: Only of a line, and of what changed: every move.
    steps: tuple[LineStep, ...] = ()
    facts: tuple[Fact, ...] = ()
    said: tuple[Sentence, ...] = ()

    def sentences(self, language: str = "en") -> list[str]:
        """The reply in the reader's language: `en`, `ko`, `zh-Hans` or `zh-Hant`."""
        return [sentence.worded(language) for sentence in self.said]

    def __str__(self) -> str:
        return f"{self.question}: {joined(self.said)}"
