"""The table of search options: what a change costs an engine that has searched already, what other programs
call an option, older spellings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import kibitz
from kibitz import _native
from kibitz._native import Cost
from kibitz.errors import BadOption
from kibitz.games.junqi import presets as junqi
from kibitz.options import native_options, peer_options, table
from kibitz.report import Report
from tests.protocols.katago_client import corner_network
from tests.protocols.uci.test_contempt import even

#: Late enough for solvers, proofs and draws to have a say.
OTHELLO = kibitz.othello.Position().play("d3", "c3", "c4", "e3", "f4")
CHESS = kibitz.chess.Position("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1")
GO = kibitz.go.Position(5, komi=0.5).play("C3")

#: An engine for each kind of evaluator: playouts, hand-written, two kinds of networks.
ENGINES: dict[str, tuple[Any, dict[str, Any]]] = {
    "othello": (OTHELLO, {"preset": "default", "solve_root": 0, "solve_leaves": 0}),
    "chess": (CHESS, {"preset": "default", "network": "none"}),
    "chess-network": (CHESS, {"preset": "lc0", "network": even((0.3, 0.45, 0.25))}),
    "go-network": (GO, {"preset": "katago", "network": corner_network, "root_symmetry": False}),
}

#: Values that are legal everywhere and far enough apart to matter; others are their row's limits.
FAR: dict[str, tuple[Any, Any]] = {
    "bias": (4.0, 0.0),
    "corner_weight": (50.0, 1.0),
    "evaluator": ("playout", "uniform"),
    "memory_mb": (16, 8),
    "policy_temperature": (4.0, 0.5),
    "cache_mb": (0, 8),
    "solve_leaves": (8, 0),
    "tree_depth": (1, 0),
    "wdl_ratio": (3.0, 0.5),
    "wdl_shift": (2.0, -2.0),
    "batch": (2, 1),
    "prune_period": (10, 1000),
    **{
        f"human_{at}_{kind}": (0.3, 0.6)
        for at in ("root", "pla", "opp")
        for kind in ("weightless", "weightful")
    },
    "seed": (7, 8),
    "solve_root": (1, 0),
    "threads": (1, 1),
}


def two_values(row: _native.OptionInfo) -> tuple[Any, Any]:
    if row.name in FAR:
        return FAR[row.name]
    if row.kind == "flag":
        return "true", "false"
    if row.kind == "word":
        return row.choices[-1], row.choices[0]
    return (int(row.most), int(row.least)) if row.kind == "int" else (row.most, row.least)


def people(position: Any) -> Callable[..., Any]:
    """A human model that likes the first moves of the policy."""
    size = position.state.sample_shape[-1]

    def answer(planes: Any, *_: Any) -> tuple[Any, Any]:
        policy = np.tile(-0.1 * np.arange(size, dtype=np.float32), (len(planes), 1))
        return policy, np.tile(np.array([0.4, 0.2, 0.4, 0.0], np.float32), (len(planes), 1))

    return answer


def asked(engine: kibitz.Engine, position: Any, **options: Any) -> Report:
    return engine.analyze(position, simulations=120, options=options)


def numbers(report: Report) -> list[tuple[Any, ...]]:
    root = report.root
    moves = [(item.move, item.visits, item.value, item.prior, item.proven) for item in report.moves]
    return [(root.visits, root.value, root.proven), *moves]


def rows_with(*costs: Cost) -> list[Any]:
    return [pytest.param(row, id=name) for name, row in table().items() if row.cost in costs]


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize("row", rows_with(Cost.VALUES, Cost.MEMORY, Cost.EVALUATOR))
def test_after_a_change_an_engine_answers_as_a_fresh_one(row: _native.OptionInfo, name: str) -> None:
    if (row.name, name) == ("ownership", "chess-network"):
        pytest.skip("networks of chess have no ownership")
    position, settings = ENGINES[name]
    if row.name.startswith("human_"):
        settings = {**settings, "human": people(position)}
    before, after = two_values(row)
    with kibitz.Engine(position.game, **settings) as engine, kibitz.Engine(position.game, **settings) as new:
        asked(engine, position, **{row.name: before})
        assert numbers(asked(engine, position, **{row.name: after})) == numbers(
            asked(new, position, **{row.name: after})
        )


def test_a_draw_score_is_not_remembered() -> None:
    with kibitz.Engine("chess", network="none") as engine, kibitz.Engine("chess", network="none") as new:
        high = asked(engine, CHESS, draw_score=0.9).root.value
        low = asked(engine, CHESS, draw_score=-0.9).root.value
        assert low == asked(new, CHESS, draw_score=-0.9).root.value
    assert high > low + 0.1


@pytest.mark.parametrize("row", rows_with(Cost.SELECTION))
def test_what_selects_only_keeps_the_tree(row: _native.OptionInfo) -> None:
    before, after = two_values(row)
    if row.name == "reuse":
        before, after = "false", "true"
    with kibitz.Engine("chess") as engine:
        first = asked(engine, CHESS, **{row.name: before}).root.visits
        report = asked(engine, CHESS, **{row.name: after})
        assert report.root.reused == first


def test_the_dearest_change_decides() -> None:
    plain = native_options({})
    assert plain.cost_of_change(native_options({})) is Cost.SELECTION
    assert plain.cost_of_change(native_options({"c": 1.0})) is Cost.SELECTION
    assert plain.cost_of_change(native_options({"c": 1.0, "draw_score": 0.5})) is Cost.VALUES
    assert plain.cost_of_change(native_options({"memory_mb": 2, "draw_score": 0.5})) is Cost.MEMORY
    assert plain.cost_of_change(native_options({"evaluator": "hand", "memory_mb": 2})) is Cost.EVALUATOR
    # Setting a default is no change.
    assert plain.cost_of_change(native_options({"draw_score": 0.0})) is Cost.SELECTION


def test_peers_fit_their_rows() -> None:
    for program in ("katago", "lc0"):
        for row, peer in peer_options(program):
            assert peer.name
            for value in filter(None, (peer.when_true, peer.when_false)):
                native_options({row.name: value})  # raises when the option does not take it
            if program == "katago" and not peer.when_true and row.name not in ("cache_mb", "seed"):
                assert row.least <= peer.least < peer.most <= row.most, peer.name
    katago = [peer.name for _, peer in peer_options("katago")]
    assert len(katago) == len(set(katago))


def test_older_names_are_taken_and_not_shown() -> None:
    assert native_options({"forced_in_root_value": True}).guaranteed_in_root_value is True
    assert "forced_in_root_value" not in table()
    with pytest.raises(BadOption, match="unknown option 'forced_in_root_values'"):
        native_options({"forced_in_root_values": True})
    assert kibitz.Engine("othello", forced_in_root_value=True).options


def test_words_are_checked_in_every_table() -> None:
    assert native_options({"rule": "puct"}).rule == "puct"
    with pytest.raises(
        BadOption, match="option rule takes one of ucb1 puct katago gumbel classic, not 'Puct'"
    ):
        native_options({"rule": "Puct"})
    assert junqi.options({"mode": "one-ply"}).mode == "one-ply"
    with pytest.raises(BadOption, match="takes one of search classic greedy one-ply random"):
        junqi.options({"mode": "kOnePly"})


def root_priors(rule: str) -> dict[str, float]:
    """The priors of chess's first moves in a search without a network."""
    start = kibitz.chess.Position()
    with kibitz.Engine("chess", network="none", rule=rule) as engine:
        report = engine.analyze(start, simulations=50, include=start.legal_moves, min_visits=1)
    return {move.move: move.prior for move in report.moves}


@pytest.mark.parametrize("rule", ["katago", "gumbel"])
def test_rules_with_priors_get_those_of_the_game(rule: str) -> None:
    own = root_priors("puct")
    assert max(own.values()) > 1.4 * min(own.values())
    assert root_priors(rule) == own
