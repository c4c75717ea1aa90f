"""One position by several searches: their shares, and the report of all of them."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from typer.testing import CliRunner

import kibitz
from kibitz import Engine
from kibitz.cli.app import make_app
from kibitz.errors import BadOption
from kibitz.report.merge import merged
from kibitz.request import make_request
from kibitz.review.review_task import AnalysisTask
from kibitz.review.root_parallel import analyze_in_parallel, check, shares

START = kibitz.othello.Position()


def test_shares_add_up_to_what_was_asked() -> None:
    request = make_request(START, visits=1000, seconds=3, include={"d3": 100}, avoid=["c4"], ask="why d3")
    parts = shares(request, 3)
    assert [part.budget.visits for part in parts] == [334, 333, 333]
    assert [part.budget.seconds for part in parts] == [3] * 3
    assert [part.steering.include for part in parts] == [{"d3": 34}, {"d3": 33}, {"d3": 33}]
    assert all(part.steering.avoid == ("c4",) and not part.steering.ask for part in parts)
    assert [part.options["seed"] for part in parts] == [1, 2, 3]
    assert "root_noise" not in parts[0].options
    assert all(part.options["root_noise"] > 0 for part in parts[1:])


def test_the_first_share_is_the_plain_search() -> None:
    with Engine("othello", "uct") as engine:
        alone = engine.analyze(START, visits=200)
        part = [*engine.run(shares(make_request(START, visits=200), 1)[0])][-1]
    assert [(info.move, info.visits) for info in alone.moves] == [
        (info.move, info.visits) for info in part.moves
    ]


def test_counts_are_sums_and_values_are_means_by_visits() -> None:
    with Engine("othello", "uct") as engine:
        reports = [[*engine.run(part)][-1] for part in shares(make_request(START, visits=600), 3)]
    whole = merged(reports)
    assert whole.root.visits == sum(report.root.visits for report in reports)
    assert whole.simulations == sum(report.simulations for report in reports)
    votes = {}
    for info in whole.moves:
        parts = [one for report in reports for one in report.moves if one.move == info.move]
        assert info.visits == sum(part.visits for part in parts)
        assert info.value == pytest.approx(sum(part.value * part.visits for part in parts) / info.visits)
        # Doubts that are independent: less than each, by no more than the root of their number.
        doubts = [part.value - part.lcb for part in parts]
        assert min(doubts) / 3**0.5 - 1e-9 <= info.value - info.lcb <= max(doubts)
        votes[info.move] = sum(part.votes for part in parts)
    assert whole.best == max(votes, key=lambda move: votes[move])
    assert [info.order for info in whole.moves] == list(range(len(whole.moves)))
    assert merged(reports[:1]) == reports[0]


def test_a_proof_of_one_search_is_a_proof() -> None:
    with Engine("othello", "uct") as engine:
        first, second = (engine.analyze(START, visits=100) for _ in range(2))
    worst = second.moves[-1]
    moves = (*second.moves[:-1], replace(worst, proven="win", value=1.0))
    whole = merged([first, replace(second, moves=moves)])
    assert whole.best == worst.move
    assert whole.moves[0].proven == "win"


def test_guaranteed_visits_are_kept_over_worker_processes() -> None:
    request = make_request(START, visits=400, include={"c4": 90}, compare=["d3", "c4"])
    report = analyze_in_parallel(AnalysisTask("othello", "uct"), request, processes=2)
    asked = next(info for info in report.moves if info.move == "c4")
    assert asked.guaranteed >= 90
    assert asked.min_visits == 90
    (item,) = (item for item in report.steering.honoured if item.kind == "include")
    assert [(one.code, one.values["visits"]) for one in item.said] == [
        ("audit.atLeast", 90),
        ("audit.got", asked.visits),
    ]
    (refused,) = report.steering.refused
    assert refused.kind == "compare"
    again = analyze_in_parallel(AnalysisTask("othello", "uct"), request, processes=2)
    assert [(info.move, info.visits) for info in again.moves] == [
        (info.move, info.visits) for info in report.moves
    ]


def test_searches_without_a_tree_are_refused() -> None:
    with Engine("chess") as engine, pytest.raises(BadOption, match="search=tree"):
        check(make_request(kibitz.chess.Position(), seconds=1), engine.configuration)
    with pytest.raises(BadOption, match="their number"):
        analyze_in_parallel(AnalysisTask("othello"), make_request(START), processes=0, fleet="ray")


def test_the_command_prints_the_report_of_all() -> None:
    words = [
        "analyze",
        "othello",
        "start",
        "--preset",
        "uct",
        "--visits",
        "300",
        "--processes",
        "2",
        "--json",
    ]
    done = CliRunner().invoke(make_app(), words)
    assert done.exit_code == 0, done.output
    data = json.loads(done.stdout)
    assert data["root"]["visits"] == 300
    assert data["engine"].endswith("2 searches")
