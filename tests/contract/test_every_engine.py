"""Every game's engine obeys the same steering and tells the same kind of report."""

from __future__ import annotations

import json
import random
import xml.etree.ElementTree as ElementTree

import pytest

from kibitz.engine import Engine
from kibitz.errors import BadOption, BadRequest
from kibitz.games import registry
from kibitz.games.base import GameInfo, Position


@pytest.fixture(params=registry.names())
def info(request: pytest.FixtureRequest) -> GameInfo:
    return registry.get(request.param)


def needs(info: GameInfo, what: str) -> None:
    """Skips a test of something that the game does not have, with its reason."""
    if what in info.unsupported:
        pytest.skip(f"{info.name} lacks {what}: {info.unsupported[what]}")


def opened(info: GameInfo) -> Position:
    return info.position().play(*info.demo)


@pytest.mark.parametrize("preset_index", range(3))
def test_presets_analyze(info: GameInfo, preset_index: int) -> None:
    preset = list(info.presets)[preset_index % len(info.presets)]
    with Engine(info.name, preset) as engine:
        report = engine.analyze(opened(info), simulations=200)
    assert report.best in opened(info).legal_moves
    assert 0 <= report.root.value <= 1
    assert sum(move.visits for move in report.moves) <= report.root.visits <= 200
    needs(info, "exact simulations")
    assert report.simulations == 200


def test_all_steering_at_once(info: GameInfo) -> None:
    position = opened(info)
    legal = position.legal_moves
    wanted, kept, avoided = legal[0], legal[1], legal[2]
    with Engine(info.name) as engine:
        report = engine.analyze(
            position,
            simulations=300,
            include={wanted: 40, "no such move": 10},
            allow=[kept, avoided],
            avoid=[avoided],
            weights={kept: 1.5},
            prune="statistical",
        )
    visits = {move.move: move.visits for move in report.moves}
    assert visits[wanted] == 40
    assert visits.get(kept, 0) > 0
    assert visits.get(avoided, 0) == 0
    assert [item.move for item in report.steering.refused] == ["no such move"]
    assert {item.kind for item in report.steering.honoured} == {
        "include",
        "allow",
        "avoid",
        "weights",
        "prune",
    }


def test_same_seed_same_report(info: GameInfo) -> None:
    def visits() -> list[tuple[str, int]]:
        with Engine(info.name, seed=11) as engine:
            report = engine.analyze(opened(info), simulations=300)
        return [(move.move, move.visits) for move in report.moves]

    assert visits() == visits()


def test_tree_is_reused_along_a_game(info: GameInfo) -> None:
    needs(info, "reuse")
    position = opened(info)
    with Engine(info.name, solve_root=0) as engine:
        first = engine.analyze(position, simulations=500)
        following = position.play(first.best)
        if following.is_over:
            pytest.skip("the game ended at once")
        second = engine.analyze(following, simulations=50)
        assert second.root.reused == first.moves[0].visits
        assert engine.analyze(opened(info), simulations=50).root.reused == 0
        fresh = engine.analyze(following, simulations=50, options={"reuse": False})
        assert fresh.root.reused == 0


def test_games_can_be_played_to_the_end(info: GameInfo) -> None:
    position = info.position()
    rng = random.Random(3)
    with Engine(info.name) as engine:
        while not position.is_over and len(position.moves) < 300:
            # A few random moves shorten long games without making them trivial.
            if rng.random() < 0.5:
                move = rng.choice(position.legal_moves)
            else:
                move = engine.best_move(position, simulations=40)
            position = position.play(move)
    assert len(position.moves) > 5


def test_report_forms(info: GameInfo) -> None:
    with Engine(info.name) as engine:
        report = engine.analyze(opened(info), simulations=100)
    data = json.loads(report.to_json())
    assert data["game"] == info.name
    assert data["best"] == report.best
    assert data["moves"][0]["line"][0] == report.best
    assert report.best in str(report)
    assert ElementTree.fromstring(report.svg()).tag.endswith("svg")


def test_bad_requests(info: GameInfo) -> None:
    with pytest.raises(BadOption, match="unknown preset"):
        Engine(info.name, "strongest")
    with pytest.raises(BadOption, match="unknown option 'colour'"):
        Engine(info.name, colour=1)
    with pytest.raises(BadRequest, match="simulations"), Engine(info.name) as engine:
        engine.analyze(info.position(), simulations=0)
