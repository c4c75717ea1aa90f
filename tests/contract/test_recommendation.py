"""A question is not a recommendation: guaranteed visits never make a move the best, in any game."""

from __future__ import annotations

import pytest

import kibitz
from kibitz.engine import Engine
from kibitz.games import registry
from kibitz.games.base import GameInfo, Position

GAMES = registry.names()
#: A visit is a sampled world in Junqi, of which there are 4,096 at most.
SIZED = [game for game in GAMES if game != "junqi"]


def opened(info: GameInfo) -> Position:
    return info.position().play(*info.demo)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("choice", ["visits", "winrate", "lcb"])
def test_forcing_bad_moves_does_not_make_them_best(game: str, choice: str) -> None:
    info = registry.get(game)
    position = opened(info)
    options = {"choice": choice} if game != "junqi" else {}
    if game == "junqi" and choice != "visits":
        pytest.skip("Junqi's search orders moves by value only")
    simulations = 600 if game == "go" else 3000
    with Engine(game, **options) as engine:
        plain = engine.analyze(position, simulations=10 * simulations, unvisited=True)
        by_value = sorted(plain.moves, key=lambda info: info.value)
        worst = [info.move for info in by_value[: min(3, len(by_value) // 2)]]
        engine.new_game()
        each = simulations * 3 // 4 // len(worst)
        report = engine.analyze(position, simulations=simulations // 4, include=worst, min_visits=each)
    visits = {info.move: info.visits for info in report.moves}
    assert all(visits[move] >= each for move in worst)
    assert report.best not in worst


def test_the_move_of_the_issue_is_not_best() -> None:
    report = kibitz.analyze(kibitz.chess.Position(), simulations=200, include=["a2a3"], min_visits=150)
    asked = next(info for info in report.moves if info.move == "a2a3")
    assert report.best != "a2a3"
    assert asked.visits >= 150
    assert asked.votes < report.moves[0].votes


@pytest.mark.parametrize("game", GAMES)
def test_an_avoided_move_that_was_asked_about_is_answered_and_not_best(game: str) -> None:
    position = opened(registry.get(game))
    with Engine(game) as engine:
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
    assert report.moves[0].votes > report.moves[0].visits - report.moves[0].guaranteed


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
