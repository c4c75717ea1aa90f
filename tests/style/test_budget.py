"""style_mode=budget: the best value plus budget times bonus is played, at any number of visits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

import kibitz
from kibitz.engine import Engine
from kibitz.games import registry
from kibitz.games.base import Position, StyleEffect
from kibitz.report import Report
from kibitz.sentences import verbatim
from kibitz.style.bonus import bonuses

BUDGET = {"style_mode": "budget", "style_budget": 0.05, "style_scale": 1.0}


def searched(position: Position, simulations: int, style: str = "strong", **options: Any) -> Report:
    with Engine("chess", "default", seed=1, threads=1, network="none", **options) as engine:
        return engine.analyze(position, simulations=simulations, style=style)


@pytest.mark.parametrize("simulations", [800, 4000])
@pytest.mark.parametrize("moves", [(), ("d4", "d5"), ("d4", "Nf6", "c4")])
def test_the_budget_is_kept(moves: tuple[str, ...], simulations: int) -> None:
    position = kibitz.chess.Position().play(*moves)
    report = searched(position, simulations, **BUDGET)
    liked = bonuses(position)
    known = [
        move for move in report.moves if move.visits >= max(16, 0.05 * max(m.visits for m in report.moves))
    ]
    best = max(move.value for move in known)
    chosen = report.moves[0]
    assert chosen.move == report.best
    assert chosen.value >= best - 2 * 0.05  # bonuses differ by 2 at most
    worth = {move.move: move.value + 0.05 * liked[move.move] for move in known}
    rivals = [move for move in worth if liked[move] >= liked[chosen.move]]
    assert worth[chosen.move] == max(worth[move] for move in rivals)
    assert worth[chosen.move] >= max(known, key=lambda move: move.value).value + 0.05 * min(liked.values())
    (honoured,) = report.steering.honoured
    assert honoured.detail == f"strength 1, budget 5.00% a move, {best - chosen.value:.2%} spent"


def test_it_does_not_fade_with_visits() -> None:
    """At 8,000 visits priors have no say any more; a budget has."""
    position = kibitz.chess.Position().play("d4", "Nf6", "c4")
    liked = bonuses(position)
    plain = searched(position, 8000, style="off").best
    assert liked[searched(position, 8000, style_mode="priors").best] == liked[plain]
    assert liked[searched(position, 8000, style_budget=0.15).best] > liked[plain]


def test_it_is_the_default() -> None:
    """A level alone has the budget of its style: hypermodern 0.05, the others 0.03."""
    position = kibitz.chess.Position().play("d4", "d5")
    alone, named = searched(position, 800), searched(position, 800, style_mode="budget", style_budget=0.05)
    assert [(move.move, move.visits, move.value) for move in alone.moves] == [
        (move.move, move.visits, move.value) for move in named.moves
    ]
    assert alone.steering == named.steering
    (honoured,) = searched(position, 200, style="open:medium").steering.honoured
    # 0.6 ^ 1.5 times 0.03, times the scale of the hand-written evaluation, 1.5.
    assert honoured.detail.startswith("strength 0.6, budget 2.09% a move")


def test_a_rule_without_priors_obeys_a_budget_and_refuses_the_rest() -> None:
    """What the report says is what the search does: refused is the plain search, to the last visit."""
    position = kibitz.chess.Position().play("d4", "Nf6", "c4")
    liked = bonuses(position)
    plain = searched(position, 2000, style="off", rule="ucb1")
    by_budget = searched(position, 2000, rule="ucb1", **BUDGET)
    assert by_budget.steering.honoured[0].detail.endswith("spent")
    assert not by_budget.steering.refused
    assert liked[by_budget.best] > liked[plain.best]
    for options in ({}, {"style_price": 0.01}):
        refused = searched(position, 2000, rule="ucb1", style_mode="priors", **options)
        assert not refused.steering.honoured
        assert "ucb1" in refused.steering.refused[0].reason
        assert [(move.move, move.visits) for move in refused.moves] == [
            (move.move, move.visits) for move in plain.moves
        ]


def test_off_is_the_plain_search() -> None:
    position = kibitz.chess.Position()
    plain, off = searched(position, 300, style="off"), searched(position, 300, style="off", **BUDGET)
    assert [(move.move, move.visits, move.value) for move in plain.moves] == [
        (move.move, move.visits, move.value) for move in off.moves
    ]


def test_a_small_budget_buys_little() -> None:
    position = kibitz.chess.Position()
    report = searched(position, 2000, style_mode="budget", style_budget=1e-6)
    assert report.moves[0].value >= max(move.value for move in report.moves if move.visits > 200) - 1e-6


@pytest.mark.parametrize("game", ["othello", "uttt", "go", "chess"])
def test_a_style_of_any_game_may_have_a_budget(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    info = registry.get(game)
    options: dict[str, Any] = {"seed": 1, "threads": 1}
    options |= {"search": "tree"} if game == "othello" else {}
    options |= {"network": "none"} if game in ("go", "chess") else {}
    position = info.position().play(*info.demo)

    def prefers(wanted: str) -> Any:
        def hook(at: Position, strength: float, _: Mapping[str, Any]) -> StyleEffect:
            return StyleEffect(
                bonuses={at.parse_move(wanted): strength}, budget=0.5, said=(verbatim("a test"),)
            )

        return hook

    with Engine(game, **options) as engine:
        plain = engine.analyze(position, simulations=1500)
    second = plain.moves[1].move
    styled = replace(info, styles={**info.styles, "test": prefers(second)})
    monkeypatch.setattr(registry, "get", lambda name: styled if name == game else info)
    with Engine(game, **options) as engine:
        report = engine.analyze(position, simulations=1500, style="test:strong")
    assert report.best == second
    assert [item.kind for item in report.steering.honoured] == ["style"]
    assert "spent" in report.steering.honoured[0].detail


def test_alpha_beta_obeys_it_in_any_game(monkeypatch: pytest.MonkeyPatch) -> None:
    info = registry.get("othello")
    position = info.position()

    def hook(at: Position, strength: float, _: Mapping[str, Any]) -> StyleEffect:
        return StyleEffect(
            bonuses={at.state.legal_moves()[2]: strength}, budget=0.1, said=(verbatim("a test"),)
        )

    styled = replace(info, styles={"test": hook})
    monkeypatch.setattr(registry, "get", lambda name: styled)
    with Engine("othello", search="alphabeta") as engine:
        report = engine.analyze(position, seconds=0.05, style="test:strong")
    # The four first moves of Othello are images of each other.
    assert report.best == position.legal_moves[2]
    assert "spent" in report.steering.honoured[0].detail
