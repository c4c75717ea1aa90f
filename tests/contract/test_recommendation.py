"""A question is not a recommendation: guaranteed visits never make a move the best, in any game."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest

import kibitz
from kibitz import options as search_options
from kibitz.engine import Engine
from kibitz.games import registry
from kibitz.games.base import GameInfo, Position
from kibitz.games.networks import load_file
from tests.paths import SHARED

TINY = SHARED / "nets" / "katago-tiny-b2c16.bin.gz"
GAMES = registry.names()
RULES = search_options.table()["rule"].choices
CHOICES = search_options.table()["choice"].choices
#: A visit is a sampled world in Junqi, of which there are 4,096 at most.
SIZED = [game for game in GAMES if game != "junqi"]


def opened(info: GameInfo) -> Position:
    return info.position().play(*info.demo)


@functools.cache
def worst_moves(game: str) -> tuple[str, ...]:
    """The moves that are worst for certain: by the strongest search, ten times as long as those it judges,
    and by more than it may err. A move that a symmetry makes equal to the best one is not worse."""
    info = registry.get(game)
    with Engine(game, network="none") as engine:
        report = engine.analyze(opened(info), simulations=6000 if game == "go" else 30_000, unvisited=True)
    best = report.moves[0]
    # Junqi's values are sums over worlds, and few of them: there any difference counts.
    error = 0.02 + 3 * (best.value * (1 - best.value) / max(best.visits, 1)) ** 0.5 if game in SIZED else 0.0
    clearly = [move for move in report.moves if move.visits and best.value - move.value > error]
    return tuple(move.move for move in sorted(clearly, key=lambda move: move.value)[:3])


@pytest.mark.parametrize("choice", CHOICES)
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("game", GAMES)
def test_forcing_bad_moves_does_not_make_them_best(game: str, rule: str, choice: str) -> None:
    if game == "junqi" and (rule, choice) != ("ucb1", "visits"):
        pytest.skip("Junqi's search has no selection rule and orders moves by value")
    options = {} if game == "junqi" else {"rule": rule, "choice": choice}
    worst = worst_moves(game)
    assert worst
    simulations = 600 if game == "go" else 3000
    each = simulations * 3 // 4 // len(worst)
    with Engine(game, network="none", **options) as engine:
        report = engine.analyze(
            opened(registry.get(game)), simulations=simulations // 4, include=worst, min_visits=each
        )
    visits = {info.move: info.visits for info in report.moves}
    assert all(visits[move] >= each for move in worst)
    assert report.best not in worst
    if choice != "katago":  # KataGo's bounds may be below any chance there is
        assert all(0 <= info.lcb <= info.value <= 1 for info in report.moves)


def small_network(planes: Any, globals_: Any) -> tuple[Any, Any]:
    """A network without a file: it likes every third move, and stones low on the board."""
    policy = np.zeros((len(planes), 82), np.float32)
    policy[:, ::3] = 2.0
    worth = np.linspace(-1, 1, 81, dtype=np.float32).reshape(9, 9)
    lead = ((planes[:, 1] - planes[:, 2]) * worth).sum((1, 2))
    outcomes = np.zeros((len(planes), 4), np.float32)
    outcomes[:, 0] = 0.5 + 0.4 * np.tanh(0.3 * lead)
    outcomes[:, 2] = 1 - outcomes[:, 0]
    return policy, outcomes


@pytest.mark.parametrize("rule", ["puct", "katago"])
@pytest.mark.parametrize("shared", [False, True], ids=["function", "file"])
def test_katagos_choice_with_a_network(shared: bool, rule: str) -> None:
    """`choice=katago` raises the move with the best lower bound, which guaranteed visits make narrow."""
    network: Any = small_network
    if shared:
        if not TINY.exists():
            pytest.skip(f"no {TINY.name}")
        network = load_file("go", str(TINY))
    position = kibitz.go.Position(9).play("E5", "C3", "G7", "C7", "G3")
    options = {"rule": rule, "choice": "katago", "network": network}
    with Engine("go", **options) as engine:
        plain = engine.analyze(position, simulations=600, unvisited=True)
        seen = sorted((info for info in plain.moves if info.visits > 1), key=lambda info: info.value)
        worst = [info.move for info in seen if info.value < plain.moves[0].value - 0.01][:3]
        assert worst
        engine.new_game()
        report = engine.analyze(position, simulations=60, include=worst, min_visits=60)
    asked = [info for info in report.moves if info.move in worst]
    assert all(info.guaranteed > 0 for info in asked)
    assert report.best not in worst
    # What KataGo's clients sort by still counts every visit.
    assert report.moves[0].votes > max(info.votes for info in asked)


def test_equal_moves_are_not_worse() -> None:
    """The four first moves of Othello are one move, seen through symmetries: none is a bad one to ask about,
    and whichever is recommended is as good."""
    with Engine("othello") as engine:
        report = engine.analyze(
            kibitz.othello.Position(), simulations=400, include=["d3", "c4"], min_visits=200
        )
    assert report.best in ("d3", "c4", "f5", "e6")
    assert {answer.move for answer in report.answers} == {"d3", "c4"}


def test_the_move_of_the_issue_is_not_best() -> None:
    report = kibitz.analyze(kibitz.chess.Position(), simulations=200, include=["a2a3"], min_visits=150)
    asked = next(info for info in report.moves if info.move == "a2a3")
    assert report.best != "a2a3"
    assert asked.visits >= 150
    assert asked.votes < report.moves[0].votes


@pytest.mark.parametrize("game", GAMES)
def test_an_avoided_move_that_was_asked_about_is_answered_and_not_best(game: str) -> None:
    position = opened(registry.get(game))
    with Engine(game, network="none") as engine:
        best = engine.analyze(position, simulations=800).best
        engine.new_game()
        report = engine.analyze(position, simulations=800, include=[best], min_visits=50, avoid=[best])
    assert report.best != best
    assert [answer.move for answer in report.answers] == [best]
    assert report.answers[0].visits >= (50 if game in SIZED else 1)


def test_a_move_that_proves_better_is_recommended() -> None:
    queen_hangs = kibitz.chess.Position("rnb1kbnr/pppp1ppp/8/4p3/4P2q/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 1")
    # With next to no prior the search does not look at the capture by itself.
    report = kibitz.analyze(
        queen_hangs, simulations=60, include=["f3h4"], min_visits=200, weights={"f3h4": 0.0001}
    )
    assert report.best == "f3h4"
    assert report.moves[0].guaranteed > 0
    assert report.moves[0].votes > report.moves[1].votes


@pytest.mark.parametrize("game", SIZED)
def test_a_search_that_is_stopped_has_been_fair(game: str) -> None:
    position = opened(registry.get(game))
    asked = position.legal_moves[:3]
    with Engine(game, proofs=False) as engine:
        report = engine.analyze(position, seconds=0.1, include=asked, min_visits=10**9)
    served = [info.guaranteed for info in report.moves if info.move in asked]
    assert len(served) == len(asked)
    assert max(served) - min(served) <= 1
    assert abs(2 * sum(served) - report.simulations) <= 2


def test_votes_are_visits_where_nothing_is_guaranteed() -> None:
    report = kibitz.analyze(kibitz.othello.Position(), simulations=500)
    assert all(info.votes == info.visits for info in report.moves)
    assert report.to_dict()["moves"][0]["votes"] == report.moves[0].visits
