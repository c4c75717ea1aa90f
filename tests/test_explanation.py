"""Facts ranked and worded, for any game."""

from __future__ import annotations

import json

import pytest

import kibitz
from kibitz import explanation
from kibitz.facts import Evidence, Fact
from kibitz.games import registry
from kibitz.sentences import LANGUAGES, Sentence

START = kibitz.othello.Position()


def test_a_position_needs_a_line() -> None:
    with pytest.raises(kibitz.KibitzError, match="needs a line"):
        kibitz.explain(START)


def test_an_illegal_line_is_rejected() -> None:
    with pytest.raises(kibitz.KibitzError, match="illegal move a1"):
        kibitz.explain(START, line=["d3", "a1"])


def test_a_line_or_a_move_of_a_report() -> None:
    report = kibitz.analyze(START, simulations=500)
    other = report.moves[1]
    assert kibitz.explain(report).line == report.moves[0].line
    assert kibitz.explain(report, move=other.move).line == other.line
    assert report.facts == kibitz.explain(report).facts
    with pytest.raises(kibitz.KibitzError, match="no move 'a1'"):
        kibitz.explain(report, move="a1")
    with pytest.raises(kibitz.KibitzError, match="not both"):
        kibitz.explain(report, ["d3"], move="d3")


def test_facts_are_ranked_and_at_most_three_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    info = registry.get("othello")
    weights = (0.2, 0.005, 0.5, 0.1, 0.3)

    def find(subject: object) -> list[Fact]:
        return [
            Fact("corner", 0, "black", weight=weight, sentence=Sentence("text", {"text": str(weight)}))
            for weight in weights
        ]

    monkeypatch.setattr(explanation.registry, "get", lambda name: _with(info, find))
    why = kibitz.explain(START, line=["d3"])
    assert [fact.weight for fact in why.facts] == sorted(weights, reverse=True)
    assert why.sentences() == ["0.5", "0.3", "0.2"]


def test_without_a_reason_the_reply_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explanation.registry, "get", lambda name: _with(registry._built_in(name), None))
    assert kibitz.explain(START, line=["d3"]).sentences() == ["no single reason found"]
    why = kibitz.explain(kibitz.chess.Position(), line=["e4", "e5", "Nf3"])
    assert why.line == ("e2e4", "e7e5", "g1f3")
    assert why.sentences() == ["no single reason found; best reply e5 Nf3"]


def _with(info: object, find: object) -> object:
    from dataclasses import replace

    return replace(info, facts=find)  # type: ignore[type-var]


def test_a_fact_as_json() -> None:
    fact = Fact(
        "fork",
        2,
        "white",
        {"piece": "knight", "targets": ("a8", "e8")},
        Evidence(("b5c7",), ("a8",), (("c7", "a8"),), {"material": 5}),
        0.5,
        Sentence("text", {"text": [Sentence("fact.none"), Sentence("fact.none")]}),
    )
    assert Fact.from_dict(json.loads(json.dumps(fact.to_dict()))) == fact
    assert fact.sentence is not None
    assert str(fact.sentence) == "no single reason found and no single reason found"


@pytest.mark.parametrize("game", registry.BUILT_IN)
def test_the_demo_of_every_game_is_explained_in_every_language(game: str) -> None:
    info = registry.get(game)
    position = info.position()
    line = info.demo or position.mover_view().legal_moves[:1]
    why = kibitz.explain(position, line=line)
    for language in LANGUAGES:
        assert 1 <= len(why.sentences(language)) <= 3
        assert all(why.sentences(language))
    assert json.loads(json.dumps(why.to_dict()))["line"] == list(why.line)
