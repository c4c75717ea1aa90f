"""Every game and every family answers each question, or says why it cannot."""

from __future__ import annotations

from typing import Any

import pytest

import kibitz
from kibitz.games import registry

VERDICTS = {
    "why": {"best", "equal", "worse"},
    "whyNot": {"best", "equal", "worse"},
    "line": {"best", "leaves"},
    "threat": {"threat", "none"},
    "refute": {"refuted", "unclear", "sound"},
    "changed": {"changed", "same"},
}
#: Games where a pass can be modelled, and what a game with hidden pieces cannot answer.
PASSES = ("othello", "chess", "go")
HIDDEN = {"threat", "line", "refute"}


@pytest.mark.parametrize("family", ["tree", "alphabeta"])
@pytest.mark.parametrize("game", registry.names())
def test_every_question_is_answered_or_refused(game: str, family: str) -> None:
    info = registry.get(game)
    budget: dict[str, Any] = {"visits": 300}
    if family == "alphabeta":
        if info.searches.alpha_beta is None:
            pytest.skip("has no alpha-beta")
        budget = {"simulations": 3000, "options": {"search": family}}
    position = info.position() if game != "go" else kibitz.go.Position(9)
    for _ in range(len(position.seat_names)):
        position = position.play(position.legal_moves[len(position.legal_moves) // 2])
    seen = position.mover_view()
    first = seen.legal_moves[0]
    second = "" if seen.hides else seen.play(first).legal_moves[0]
    line = f"line {first} {second or first}"
    ask = [f"why {first}", f"why not {first}", line, "threat", f"refute {first}", "what changed"]
    report = kibitz.analyze(position, ask=ask, **budget)
    refused = {item.move for item in report.steering.refused if item.kind == "ask"}
    answered = {str(reply.question) for reply in report.replies}
    assert answered | refused == set(ask)
    assert not answered & refused
    expected = HIDDEN if seen.hides else set() if game in PASSES else {"threat"}
    assert {question.split()[0] for question in refused} == expected
    for reply in report.replies:
        assert reply.verdict in VERDICTS[reply.question.kind]
        assert reply.said
        for step in reply.steps:
            assert 0.0 <= step.value <= 1.0
            assert step.visits > 0
    assert all(item.reason for item in report.steering.refused)
