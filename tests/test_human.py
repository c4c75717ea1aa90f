"""The human model: what a person would play gets its visits, and a report says what it means to them."""

from __future__ import annotations

import io
import random
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from rich.console import Console

import kibitz
from kibitz.cli.common import show_report
from kibitz.engine import Engine
from kibitz.errors import BadSteering
from kibitz.human import HumanPolicy, Plausible, human_view, make_plausible, mark_of, plausible_moves
from kibitz.levels import choose_as_human
from kibitz.report import MoveInfo, Report
from kibitz.steering import Steering
from tests.paths import SHARED

MAIA = SHARED / "nets" / "maia-1100.pb.gz"
STRONGER = SHARED / "nets" / "maia-1900.pb.gz"
#: The Blackburne Shilling Gambit: people take the pawn on e5, and 4...Qg5 refutes it.
SHILLING = ("e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "c6d4")


@dataclass(frozen=True)
class Judged:
    move: str
    value: float
    visits: int = 10
    proven: str | None = None


def low_network(planes: Any, globals_: Any) -> tuple[Any, Any]:
    """A player of Go who likes the first points of the board, the first most."""
    policy = np.tile(-np.arange(82, dtype=np.float32), (len(planes), 1))
    outcomes = np.zeros((len(planes), 4), np.float32)
    outcomes[:, 0] = outcomes[:, 2] = 0.5
    return policy, outcomes


def test_plausible_moves_are_the_likeliest_above_the_share() -> None:
    policy = {"a": 0.5, "b": 0.3, "c": 0.1, "d": 0.06, "e": 0.04, "f": 0.0}
    assert list(plausible_moves(policy, Plausible(0.05))) == ["a", "b", "c", "d"]
    assert list(plausible_moves(policy, Plausible(0.05, most=2))) == ["a", "b"]
    assert list(plausible_moves(policy, Plausible(0.0))) == ["a", "b", "c", "d", "e"]


@pytest.mark.parametrize("wrong", [-0.1, 1.5, float("nan"), "x"])
def test_a_share_is_from_0_to_1(wrong: Any) -> None:
    with pytest.raises(BadSteering):
        make_plausible(wrong)


def test_traps_hard_finds_and_expected_loss() -> None:
    human = HumanPolicy("people", 0.05, {"natural": 0.6, "trap": 0.3, "find": 0.01, "odd": 0.09})
    moves = [Judged("find", 0.7), Judged("natural", 0.6), Judged("trap", 0.3), Judged("odd", 0.58, 0)]
    marks = {move.move: mark_of(move, moves, human) for move in moves}
    assert marks == {"find": "hard find", "natural": "trap", "trap": "trap", "odd": ""}
    view = human_view(moves, human)
    assert view.expected_loss == pytest.approx(0.6 * 0.1 + 0.3 * 0.4)
    assert view.covered == pytest.approx(0.9)  # `odd` was not searched
    assert view.traps == ("natural", "trap")
    assert view.hard_finds == ("find",)


def test_a_quiet_position_has_no_hard_finds() -> None:
    human = HumanPolicy("people", 0.05, {"natural": 0.9, "other": 0.01})
    moves = [Judged("other", 0.51), Judged("natural", 0.5)]
    assert human_view(moves, human).hard_finds == ()


def test_what_a_person_would_play_gets_its_visits() -> None:
    position = kibitz.go.Position(9)
    with Engine("go", human=low_network, seed=1) as engine:
        report = engine.analyze(position, visits=200, plausible=Plausible(0.05, min_visits=20))
    assert report.human is not None
    # exp(-k) over the first points: 0.63, 0.23, 0.09, then 0.03.
    plausible = [move for move, share in report.human.policy.items() if share >= 0.05]
    assert sorted(plausible) == ["A9", "B9", "C9"]
    infos = {info.move: info for info in report.moves}
    assert all(infos[move].visits >= 20 for move in plausible)
    assert [item.move for item in report.steering.honoured] == ["A9", "B9", "C9"]
    assert {answer.move for answer in report.answers} == set(plausible)
    assert infos["A9"].human == pytest.approx(1 / sum(np.exp(-np.arange(82.0))), abs=1e-4)


def test_a_move_that_was_named_too_keeps_its_own_number() -> None:
    with Engine("go", human=low_network, seed=1) as engine:
        report = engine.analyze(
            kibitz.go.Position(9), visits=100, include={"A9": 40}, plausible=Plausible(0.05, min_visits=5)
        )
    least = {info.move: info.min_visits for info in report.moves if info.min_visits}
    assert least == {"A9": 40, "B9": 5, "C9": 5}


def test_plausible_moves_without_a_human_model_are_refused() -> None:
    report = kibitz.analyze(kibitz.othello.Position(), simulations=100, plausible=0.05)
    assert [(item.kind, item.reason) for item in report.steering.refused] == [
        ("plausible", "the engine has no human model")
    ]


def test_steering_and_report_go_through_json() -> None:
    steering = Steering(plausible=Plausible(0.1, most=3))
    assert Steering.from_dict(steering.to_dict()) == steering
    with Engine("go", human=low_network, seed=1) as engine:
        report = engine.analyze(kibitz.go.Position(9), visits=50, plausible=0.05)
    again = Report.from_dict(report.to_dict())
    assert again.human == report.human
    assert again.human_view == report.human_view
    assert again.moves[0].human == report.moves[0].human


@pytest.mark.skipif(not MAIA.is_file(), reason="the Maia networks of ../shared are not here")
def test_a_known_trap_of_chess() -> None:
    position = kibitz.chess.Position().play(*SHILLING)
    with Engine("chess", network=STRONGER, human=MAIA, threads=1) as engine:
        alone = engine.analyze(position, visits=300)
        report = engine.analyze(position, visits=300, plausible=0.05)
    assert report.human_view is not None
    assert "f3e5" in report.human_view.traps
    assert report.best == alone.best != "f3e5"
    info = next(info for info in report.moves if info.move == "f3e5")
    assert info.line[1] == "d8g5"
    assert info.human is not None
    assert info.human > 0.2
    assert "trap: f3e5" in str(report)


@pytest.mark.skipif(not MAIA.is_file(), reason="the Maia networks of ../shared are not here")
def test_playing_like_a_person_with_a_limit_on_losses() -> None:
    position = kibitz.chess.Position().play(*SHILLING)
    with Engine("chess", network=STRONGER, human=MAIA, threads=1) as engine:
        report = engine.analyze(position, visits=300, plausible=0.05)
    rng = random.Random(1)
    free = {choose_as_human(report, 1.0, rng) for _ in range(200)}
    careful = {choose_as_human(report, 0.06, rng) for _ in range(200)}
    assert "f3e5" in free
    assert not careful & {"f3e5", "f3g5"}
    assert "f3d4" in careful


def own_visits(report: Report) -> list[tuple[str, int, int]]:
    """The moves that the search itself visited, in its order, with these visits and their votes."""
    return [
        (info.move, info.visits - info.guaranteed, info.votes)
        for info in report.moves
        if info.visits > info.guaranteed
    ]


def ranked_network(planes: Any, globals_: Any) -> tuple[Any, Any]:
    """A judge of Go whose opinion depends on the symmetry in which the board is shown."""
    policy = np.tile(-0.05 * np.arange(82, dtype=np.float32), (len(planes), 1))
    slope = np.arange(81, dtype=np.float32).reshape(9, 9) / 81
    ahead = ((planes[:, 1] - planes[:, 2]) * slope).sum(axis=(1, 2))
    outcomes = np.zeros((len(planes), 4), np.float32)
    outcomes[:, 0] = 1 / (1 + np.exp(-ahead))
    outcomes[:, 2] = 1 - outcomes[:, 0]
    return policy, outcomes


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"batch": 8, "virtual_loss": True},
        {"rule": "gumbel"},
        {"rule": "katago", "choice": "katago"},
        {"symmetry": "random"},
        {"root_noise": 0.04, "early_stop": 1},
    ],
    ids=lambda options: ",".join(f"{name}={value}" for name, value in options.items()) or "default",
)
@pytest.mark.parametrize("network", [None, ranked_network], ids=["playouts", "network"])
def test_the_search_is_the_same_as_without_plausible_moves(network: Any, options: dict[str, Any]) -> None:
    position = kibitz.go.Position(9).play("E5", "C3")
    given = {"seed": 3, "threads": 1, **options}
    reports = []
    for wish in (None, Plausible(0.05, min_visits=25)):
        with Engine("go", network=network, human=low_network, **given) as engine:
            first = engine.analyze(position, visits=120, plausible=wish)
            again = engine.analyze(position, visits=200, plausible=wish)  # goes on with the tree
            later = engine.analyze(position.play(first.best), visits=100, plausible=wish)
        reports.append((first, again, later))
    for alone, steered in zip(*reports, strict=True):
        assert steered.best == alone.best
        assert own_visits(steered) == own_visits(alone)
        assert steered.root.value == alone.root.value
        asked = [info for info in steered.moves if info.min_visits]
        assert len(asked) == 3
        assert all(info.visits >= 25 for info in asked)


def test_a_search_by_time_looks_at_plausible_moves() -> None:
    with Engine("go", human=low_network, seed=1, threads=1) as engine:
        report = engine.analyze(kibitz.go.Position(9), seconds=1.0, plausible=Plausible(0.05, min_visits=3))
    assert [info.visits >= 3 for info in report.moves if info.min_visits] == [True] * 3


def test_a_stopped_search_has_looked_at_plausible_moves() -> None:
    with Engine("go", human=low_network, seed=1, threads=1) as engine:
        wish = Plausible(0.05, min_visits=10**6)
        for report in engine.stream(kibitz.go.Position(9), every=0.05, plausible=wish):
            if report.root.visits > 50:
                engine.stop()
    assert report.final
    given = [info.guaranteed for info in report.moves if info.min_visits]
    assert len(given) == 3
    assert min(given) > 0
    assert max(given) - min(given) <= 1


def test_a_better_look_is_told_and_does_not_decide() -> None:
    best = MoveInfo(move="D4", order=0, visits=100, value=0.5)
    better = MoveInfo(
        move="C3", order=1, visits=31, value=0.8, guaranteed=30, min_visits=30, looks_better=True
    )
    report = replace(kibitz.analyze(kibitz.go.Position(9), visits=2), moves=(best, better))
    assert report.best == "D4"
    (answer,) = report.answers
    assert "better than D4 as far as its guaranteed visits tell" in answer.text
    assert report.to_dict()["moves"][1]["looksBetter"] is True
    assert "looksBetter" not in report.to_dict()["moves"][0]


def test_the_command_line_tells_what_people_lose() -> None:
    with Engine("go", human=low_network, seed=1) as engine:
        report = engine.analyze(kibitz.go.Position(9), visits=50, plausible=0.05)
    console = Console(file=io.StringIO(), width=200)
    show_report(console, report)
    assert isinstance(console.file, io.StringIO)
    assert "a player like low_network loses " in console.file.getvalue()
