"""Questions about a position: what is asked, how the budget is shared, and replies that others can check."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import chess
import pytest

import kibitz
from kibitz.questions import Question, make_questions
from kibitz.report import Report
from kibitz.request import Request, make_request
from kibitz.sentences import LANGUAGES

START = kibitz.chess.Position()
#: Black to move; white threatens mate on f7.
SCHOLAR = START.play("e4", "e5", "Bc4", "Nc6", "Qh5")
#: Both families, by counts: nothing here depends on the speed of the machine.
BUDGETS: tuple[dict[str, Any], ...] = (
    {"simulations": 20_000, "options": {"search": "alphabeta"}},
    {"visits": 4000},
)


# -- what is asked ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "kind", "moves", "since"),
    [
        ("why e4", "why", ("e4",), -1),
        ("Why not e4", "whyNot", ("e4",), -1),
        ("refute h4", "refute", ("h4",), -1),
        ("line D4 Q16 C3", "line", ("D4", "Q16", "C3"), -1),
        ("threat", "threat", (), -1),
        ("what changed", "changed", (), -1),
        ("what changed since 12", "changed", (), 12),
        ("what changed since -3", "changed", (), -3),
    ],
)
def test_a_question_is_read_from_text(text: str, kind: str, moves: tuple[str, ...], since: int) -> None:
    question = Question.read(text)
    assert (question.kind, question.moves, question.since) == (kind, moves, since)
    assert Question.read(str(question)) == question


@pytest.mark.parametrize(
    "text",
    [
        *("", "how", "why", "why e4 d4", "refute", "line", "threat e4", "what changed since"),
        *("what changed since x", "what changed yesterday", "line " + "e4 " * 65, "why " + "x" * 3000),
    ],
)
def test_a_wrong_question_is_refused(text: str) -> None:
    with pytest.raises(kibitz.KibitzError):
        Question.read(text)


def test_several_questions_in_one_text() -> None:
    assert [question.kind for question in make_questions("threat; why e4;; what changed")] == [
        "threat",
        "why",
        "changed",
    ]
    with pytest.raises(kibitz.KibitzError, match="at most 8"):
        make_questions([f"why {square}" for square in "abcdefghi"])
    with pytest.raises(kibitz.KibitzError):
        make_questions(5)  # type: ignore[arg-type]


def test_a_request_keeps_its_questions_as_json() -> None:
    request = make_request(START, ask="why not f3; line e4 e5", visits=10)
    data = json.loads(request.to_json())
    assert data["steering"]["ask"] == ["why not f3", "line e4 e5"]
    assert Request.from_dict(data) == request
    for wrong in (["how"], [5], {"why": "e4"}, 7):
        with pytest.raises(kibitz.KibitzError):
            Request.from_dict({**data, "steering": {"ask": wrong}})


# -- replies, checked with python-chess ----------------------------------------------------------------


@pytest.mark.parametrize("budget", BUDGETS, ids=str)
def test_threat_is_a_move_after_a_null_move(budget: dict[str, Any]) -> None:
    [reply] = kibitz.analyze(SCHOLAR, ask="threat", **budget).replies
    assert reply.verdict == "threat"
    board = chess.Board(SCHOLAR.fen)
    board.push(chess.Move.null())
    assert reply.position.split()[:3] == board.fen().split()[:3]
    board.push_uci(reply.move)
    assert board.is_checkmate()
    assert reply.by > 0.2
    assert any(fact.code == "mateIn1" for fact in reply.facts)


def test_a_side_in_check_cannot_pass() -> None:
    position = START.play("e4", "d5", "Bb5")
    report = kibitz.analyze(position, ask="threat", visits=50)
    assert report.replies == ()
    [refused] = report.steering.refused
    assert (refused.kind, refused.move) == ("ask", "threat")
    assert refused.reason == "black is in check and cannot pass"


@pytest.mark.parametrize("budget", BUDGETS, ids=str)
def test_refutation_ends_where_the_loss_is_plain(budget: dict[str, Any]) -> None:
    [reply] = kibitz.analyze(SCHOLAR, ask="refute Nf6", **budget).replies
    assert reply.verdict == "refuted"
    assert reply.line == ("g8f6", "h5f7")  # no shorter line shows it, and no longer one is needed
    board = chess.Board(SCHOLAR.fen)
    for move in reply.line:
        board.push_uci(move)
    assert board.is_checkmate()


def test_a_sound_move_is_not_refuted() -> None:
    [reply] = kibitz.analyze(START, ask="refute e4", visits=4000).replies
    assert reply.verdict == "sound"
    assert reply.by < 0.05


@pytest.mark.parametrize("budget", BUDGETS, ids=str)
def test_every_step_of_a_line_is_searched(budget: dict[str, Any]) -> None:
    ask = "line Nc6 Bc4 Nf6 Qxf7"
    [reply] = kibitz.analyze(START.play("e4", "e5", "Qh5"), ask=ask, **budget).replies
    assert [step.move for step in reply.steps] == ["b8c6", "f1c4", "g8f6", "h5f7"]
    assert [step.side for step in reply.steps] == ["black", "white", "black", "white"]
    assert all(step.visits > 0 for step in reply.steps)
    assert all(step.cost == max(0.0, step.best_value - step.value) for step in reply.steps)
    assert reply.verdict == "leaves"
    blunder = reply.steps[2]
    assert blunder.cost > 0.3
    assert reply.steps[3].value == 1.0  # mate
    assert max(reply.steps, key=lambda step: step.cost) == blunder


@pytest.mark.parametrize("budget", BUDGETS, ids=str)
def test_why_and_why_not(budget: dict[str, Any]) -> None:
    report = kibitz.analyze(SCHOLAR, ask=["why g6", "why not Nf6"], **budget)
    good, bad = report.replies
    assert good.verdict in ("best", "equal", "worse")
    assert bad.verdict == "worse"
    assert bad.by > 0.3
    assert bad.best == report.best
    assert bad.line[:2] == ("g8f6", "h5f7")
    assert "mateIn1" in {fact.code for fact in bad.facts}
    assert "allows mate in 1" in str(bad)


@pytest.mark.parametrize("budget", BUDGETS, ids=str)
def test_what_changed_names_the_costly_move(budget: dict[str, Any]) -> None:
    position = START.play("f3", "e5", "g4")
    report = kibitz.analyze(position, ask="what changed since 0", **budget)
    [reply] = report.replies
    assert [step.move for step in reply.steps] == ["f2f3", "e7e5", "g2g4"]
    assert (reply.verdict, reply.move) == ("changed", "g2g4")
    assert kibitz.chess.Position(reply.position).play(*reply.line[:2]).ending == "checkmate"
    [last] = kibitz.analyze(position, ask="what changed", visits=2000).replies
    assert [step.move for step in last.steps] == ["g2g4"]


def test_what_changed_needs_an_earlier_position() -> None:
    for ask in ("what changed", "what changed since 5", "what changed since -9"):
        report = kibitz.analyze(START, ask=ask, visits=20)
        assert [item.move for item in report.steering.refused] == [ask]
        assert "no earlier position" in report.steering.refused[0].reason


def test_why_in_go_rests_on_who_owns_what() -> None:
    """The bundled network predicts ownership: a question asks for it, before and after the move."""
    position = kibitz.go.Position(9).play("E5", "C3", "C4", "D3", "G3")
    report = kibitz.analyze(position, ask="why not A1", visits=60)
    assert len(report.root.ownership) == 81
    assert report.replies[0].verdict == "worse"
    plain = kibitz.analyze(position, visits=20)
    assert plain.root.ownership == ()


# -- the one budget --------------------------------------------------------------------------------------

EVERY = "threat; why g6; why not Qe7; refute Nf6; line g6 Qf3 Nf6; what changed since 2"


@pytest.mark.parametrize("name", ["visits", "simulations"])
def test_all_searches_share_the_budget(name: str) -> None:
    report = kibitz.analyze(SCHOLAR, ask=EVERY, **{name: 3000})  # type: ignore[arg-type]
    assert len(report.replies) == 6
    assert 1500 < report.simulations <= 3000
    alone = kibitz.analyze(SCHOLAR, **{name: 3000})  # type: ignore[arg-type]
    assert report.root.visits < alone.root.visits


def test_a_question_changes_neither_family_nor_network() -> None:
    with kibitz.Engine("chess") as engine:
        for budget, family in (({"seconds": 1.0}, "alphabeta"), ({"visits": 100}, "tree")):
            plain = engine.plan(make_request(SCHOLAR, **budget))  # type: ignore[arg-type]
            asked = engine.plan(make_request(SCHOLAR, ask=EVERY, **budget))  # type: ignore[arg-type]
            assert plain.family == asked.family == family


def test_a_question_needs_a_budget_that_ends() -> None:
    with kibitz.Engine("othello") as engine:
        reports = engine.stream(kibitz.othello.Position(), every=0.01, ask="why d3", unlimited=True)
        report = next(reports)
        engine.stop()
        report = [*reports][-1]
    assert [item.reason for item in report.steering.refused] == ["a question needs a budget that ends"]


def test_a_search_that_is_stopped_leaves_questions_open() -> None:
    with kibitz.Engine("chess") as engine:
        request = make_request(SCHOLAR, ask="threat", seconds=60)
        *_, report = engine.run(request, every=0.01, until=lambda: True)
    assert report.final
    assert [reply.verdict for reply in report.replies] == ["unanswered"]


def test_reports_stream_while_questions_are_answered() -> None:
    async def ask() -> list[Report]:
        with kibitz.Engine("chess") as engine:
            return [report async for report in engine.astream(SCHOLAR, 0.01, ask="threat", seconds=0.3)]

    *running, last = asyncio.run(ask())
    assert last.final
    assert [reply.verdict for reply in last.replies] == ["threat"]
    assert running
    assert not any(report.final for report in running)


def test_an_engine_goes_on_after_questions() -> None:
    with kibitz.Engine("chess") as engine:
        engine.analyze(SCHOLAR, ask=EVERY, visits=500)
        after = engine.analyze(SCHOLAR, visits=300)
    assert after.position == SCHOLAR
    assert after.root.visits >= 300
    assert after.replies == ()


# -- together with steering ------------------------------------------------------------------------------


def test_restrictions_and_questions_compose() -> None:
    report = kibitz.analyze(SCHOLAR, ask="why not Nf6", avoid=["g6", "Qe7"], style="light", visits=2000)
    assert report.best not in ("g7g6", "d8e7")
    assert report.replies[0].best == report.best
    kinds = {item.kind for item in report.steering.honoured}
    assert {"ask", "avoid"} <= kinds
    # The move asked about is looked at even where the search may not choose it.
    only = kibitz.analyze(SCHOLAR, ask="why not Nf6", allow=["g6"], visits=2000)
    assert only.best == "g7g6"
    assert only.replies[0].verdict == "worse"


def test_a_question_has_a_reply_and_an_included_move_an_answer() -> None:
    report = kibitz.analyze(SCHOLAR, ask="why Nf6", include=["a6"], min_visits=5, visits=500)
    assert [answer.move for answer in report.answers] == ["a7a6"]
    assert [reply.move for reply in report.replies] == ["g8f6"]


def test_restrictions_reach_below_the_root() -> None:
    deep = kibitz.steering.Restriction(("h5f7", "c4f7"), side=0, until_depth=3)
    position, ask = SCHOLAR, "line d6 Qxf7"
    with kibitz.Engine("chess") as engine:
        free = engine.analyze(position, ask=ask, visits=2000).replies[0]
        bound = engine.analyze(position, ask=ask, avoid=[deep], visits=2000).replies[0]
    assert free.steps[1].best == "h5f7"
    assert bound.steps[1].best not in ("h5f7", "c4f7")
    assert bound.steps[1].move == "h5f7"


# -- forms ------------------------------------------------------------------------------------------------


def test_json_keeps_replies() -> None:
    report = kibitz.analyze(SCHOLAR, ask=EVERY, visits=2000)
    data = json.loads(report.to_json())
    assert [reply["question"] for reply in data["replies"]] == [
        str(reply.question) for reply in report.replies
    ]
    assert Report.from_dict(data).replies == report.replies


def test_replies_are_worded_in_every_language() -> None:
    report = kibitz.analyze(SCHOLAR, ask=EVERY, visits=2000)
    for reply in report.replies:
        texts = {" ".join(reply.sentences(language)) for language in LANGUAGES}
        assert len(texts) >= 3
    assert str(report.replies[0]) in str(report)
