"""Levels for people: a ladder over the game contract that plays like weaker players."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

import kibitz
from kibitz.engine import Engine
from kibitz.errors import BadOption
from kibitz.games import registry
from kibitz.games.level import Level
from kibitz.levels import choose, get_level, play_at, request_at
from kibitz.report import MoveInfo, Report, RootInfo
from kibitz.steering import Audit

OPENED = kibitz.othello.Position().play("d3", "c5", "f6", "f5", "e6", "e3")


def report(values: dict[str, float], priors: dict[str, float] | None = None) -> Report:
    moves = tuple(
        MoveInfo(move=move, order=order, visits=1, value=value, prior=(priors or {}).get(move, 0.0))
        for order, (move, value) in enumerate(values.items())
    )
    return Report(OPENED, moves, RootInfo(value=0.5, visits=1), Audit(), "time", 1, 0.1)


def picked(shown: Report, level: Level) -> list[str]:
    return [choose(shown, level, random.Random(seed)) for seed in range(400)]


def test_better_moves_are_likelier_and_none_loses_too_much() -> None:
    level = Level("test", "", spread=0.1, most_loss=0.25)
    moves = picked(report({"a": 0.6, "b": 0.5, "c": 0.3}), level)
    assert moves.count("a") > moves.count("b") > 50
    assert "c" not in moves
    assert set(picked(report({"a": 0.6, "b": 0.5}), Level("best", ""))) == {"a"}


def test_priors_decide_among_equals() -> None:
    level = Level("test", "", spread=0.1, most_loss=0.25)
    moves = picked(report({"a": 0.5, "b": 0.5}, {"a": 0.1, "b": 0.9}), level)
    assert moves.count("b") > 3 * moves.count("a")


def test_proven_win_is_played_and_unknown_moves_are_not() -> None:
    level = Level("test", "", spread=0.1, most_loss=0.5)
    unknown = MoveInfo(move="c", order=2, visits=0, value=0.9)
    moves = (
        MoveInfo(move="a", order=0, visits=9, value=0.6),
        MoveInfo(move="b", order=1, visits=9, value=0.55),
        unknown,
    )
    shown = replace(report({"a": 0.6}), moves=moves)
    assert set(picked(shown, level)) == {"a", "b"}
    won = replace(shown, moves=(MoveInfo(move="d", order=0, visits=9, value=1.0, proven="win"), *moves))
    assert set(picked(won, level)) == {"d"}


@pytest.mark.parametrize("game", registry.names())
def test_a_ladder_grows(game: str) -> None:
    levels = registry.get(game).levels
    assert levels[0].name == "beginner"
    spreads = [level.spread for level in levels]
    assert spreads == sorted(spreads, reverse=True)
    with pytest.raises(BadOption, match="beginner, "):
        get_level(game, "grandmaster")


@pytest.mark.parametrize("game", registry.names())
def test_limits_below_full_are_not_of_time_alone(game: str) -> None:
    for level in registry.get(game).levels[:-1]:
        assert "simulations" in level.budget or "depth" in level.options, level.name


def test_best_levels_of_chess_use_alpha_beta() -> None:
    for name in ("master", "full"):
        level = get_level("chess", name)
        assert level.options["search"] == "alphabeta"
        assert "simulations" not in level.budget


def test_levels_that_search_nothing_choose_by_their_judgement() -> None:
    level = Level("test", "", spread=0.1, most_loss=0.25)
    unsearched = tuple(
        MoveInfo(move=move, order=order, visits=0, value=value)
        for order, (move, value) in enumerate([("a", 0.6), ("b", 0.5), ("c", 0.3)])
    )
    moves = picked(replace(report({"a": 0.6}), moves=unsearched), level)
    assert moves.count("a") > moves.count("b") > 50
    assert "c" not in moves


def test_a_level_sees_the_view_alone() -> None:
    position = kibitz.junqi.Position()
    assert request_at(position, get_level("junqi", "beginner")).position == position.view()


def test_a_level_plays() -> None:
    with Engine("othello") as engine:
        move, shown = play_at(engine, OPENED, get_level("othello", "casual"), random.Random(1))
    assert move in OPENED.legal_moves
    assert shown.root.depth == 2


NINE = ("beginner", "novice", "casual", "improver", "club", "strong", "expert", "master", "full")


@pytest.mark.parametrize("game", registry.BUILT_IN)
def test_levels_are_named_and_rated_alike_in_every_game(game: str) -> None:
    levels = registry.get(game).levels
    assert tuple(level.name for level in levels) == NINE
    ratings = [level.rating for level in levels if level.rating is not None]
    assert len(ratings) == len(NINE)
    assert ratings[0] == 0
    assert ratings == sorted(set(ratings))
    assert all(level.description for level in levels)
