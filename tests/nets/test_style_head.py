"""The style head: in the network's file, in Lc0's, in the search that backs it up, in reports."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kibitz
from kibitz import _native
from kibitz.engine import Engine
from kibitz.errors import BadOption
from kibitz.nets import load
from kibitz.nets.files import BadNetwork
from kibitz.nets.own.architecture import Architecture, tensor_shapes
from kibitz.nets.own.file import write_own
from kibitz.training.export import export_network

PLANES = " ".join(_native.STYLE_PLANES)


def architecture(planes: str = "", outputs: int = 2) -> Architecture:
    count = 112 + len(planes.split())
    return Architecture(
        "chess", "residual", count, 0, 8, 8, 8, 1,
        policy_filters=8, value_filters=2, value_hidden=8, has_pass=False,
        style=True, style_outputs=outputs, style_planes=planes,
    )  # fmt: skip


def network_file(path: Path, planes: str = "", outputs: int = 2) -> Path:
    dice = np.random.default_rng(1)
    arch = architecture(planes, outputs)
    tensors = {
        name: dice.normal(0, 0.3, shape).astype(np.float32) for name, shape in tensor_shapes(arch).items()
    }
    path.write_bytes(write_own(arch, tensors, {"name": "styled"}, "fp32"))
    return path


@pytest.mark.parametrize("planes", ["", "tension", PLANES])
def test_a_search_shows_what_the_head_says(tmp_path: Path, planes: str) -> None:
    network = load(network_file(tmp_path / "a.knet", planes), game="chess", runtime="native")
    assert network.details == ("moves_left", "style", "mover_style")
    assert network.definition.facts.get("stylePlanes", "") == planes
    position = kibitz.chess.Position().play("d4", "Nf6", "c4", "g6")
    state = network.definition.shown(position)
    assert state.style_planes == planes.split()
    said = network.evaluate(state.encode()[0][None])
    with Engine("chess", network=network, threads=1, seed=1) as engine:
        report = engine.analyze(position, visits=40)
    assert report.root.raw_evaluation is not None
    assert report.root.raw_evaluation["style"] == pytest.approx(float(said["style"][0]), abs=1e-5)
    assert report.root.raw_evaluation["mover_style"] == pytest.approx(float(said["mover_style"][0]), abs=1e-5)
    visited = [move for move in report.moves if move.visits]
    assert all(0 < move.style < 1 for move in visited if move.style is not None)
    # The tree's mean is that of its children and of the root's own evaluation.
    total = sum(move.style * move.visits for move in visited if move.style is not None)
    mean = (total + report.root.raw_evaluation["style"]) / report.root.visits
    assert report.root.style == pytest.approx(mean, abs=1e-4)
    assert "style" in report.rows()[0]
    again = type(report).from_dict(report.to_dict())
    assert again.root.style == pytest.approx(report.root.style)
    assert again.moves[0].style == pytest.approx(report.moves[0].style)


def test_lc0_files_carry_the_head(tmp_path: Path) -> None:
    own = network_file(tmp_path / "a.knet")
    export_network(own, tmp_path / "a.pb.gz")
    ours, theirs = (load(tmp_path / name, game="chess", runtime="native") for name in ("a.knet", "a.pb.gz"))
    planes = kibitz.chess.Position().play("g3").state.encode()[0][None]
    one, other = ours.evaluate(planes), theirs.evaluate(planes)
    for name in ("style", "mover_style"):
        assert float(other[name][0]) == pytest.approx(float(one[name][0]), abs=1e-3)
    assert theirs.definition.facts["style"] is True
    # Who does not know field 1000 of the weights skips it: the rest is read as without it.
    np.testing.assert_allclose(one.outcomes, other.outcomes, atol=1e-3)


def test_lc0_files_have_no_style_planes(tmp_path: Path) -> None:
    with pytest.raises(BadOption, match="112 planes, this one 113"):
        export_network(network_file(tmp_path / "a.knet", "tension"), tmp_path / "a.pb.gz")


@pytest.mark.parametrize(
    ("planes", "count", "words"),
    [
        ("pins", 113, "style_planes are"),
        ("tension locked_own", 114, "in that order"),
        ("tension", 112, "behind"),
    ],
)
def test_wrong_planes_are_refused(planes: str, count: int, words: str) -> None:
    fields = {**architecture().to_dict(), "style_planes": planes, "planes": count}
    with pytest.raises(BadNetwork, match=words):
        Architecture.from_dict(fields)


class Judge:
    """A network that thinks all moves equal but for the style that it predicts after 1.g3, and its cost."""

    predicts_style = True

    def __init__(self, cost: float) -> None:
        self.cost = cost

    def __call__(self, planes: Any, numbers: Any) -> tuple[Any, Any]:
        count = len(planes)
        policy = np.zeros((count, 1858), np.float32)
        outcomes = np.zeros((count, 11), np.float32)
        outcomes[:, 6:9] = -1
        # Black to move sees White's pawn on g3 on its own sixth rank; White sees it on the third.
        black = planes[:, 108, 0, 0] > 0
        stepped = np.where(black, planes[:, 6, 5, 6], planes[:, 0, 2, 6]) > 0
        lost = np.where(stepped, self.cost, 0.0)
        win = 0.5 + np.where(black, lost, -lost)
        outcomes[:, 0], outcomes[:, 2] = win, 1 - win
        outcomes[:, 9] = np.where(stepped, 0.9, 0.3)
        outcomes[:, 10] = 0.5
        return policy, outcomes


def best(cost: float, visits: int = 1500, **options: Any) -> Any:
    with Engine("chess", network=Judge(cost), threads=1, seed=1, policy_temperature=1.0) as engine:
        return engine.analyze(
            kibitz.chess.Position(), visits=visits, style="strong", options={"style_plies": 0, **options}
        )


def test_the_budget_is_spent_on_predicted_style() -> None:
    head = {"style_mode": "budget", "style_budget": 0.03, "style_source": "head"}
    report = best(0.01, **head)
    assert report.best == "g2g3"
    assert "by the style head" in report.steering.honoured[0].detail
    assert report.steering.honoured[0].detail.endswith("spent")
    assert best(0.2, **head).best != "g2g3"


def test_predicted_style_is_felt_in_priors() -> None:
    plain, biased = (
        {
            move.move: move.visits
            for move in best(0.0, style_mode="priors", style_source=source, style_quiet=0.0).moves
        }
        for source in ("heuristic", "head")
    )
    others = [move for move in plain if move not in ("g2g3", "b2b3")]
    assert biased["g2g3"] > 1.5 * max(biased[move] for move in others)
    assert biased["g2g3"] > plain["e2e4"]


def test_the_style_gives_way_where_it_costs_too_much() -> None:
    head = {"style_mode": "budget", "style_budget": 0.05, "style_source": "head"}
    kept, gone = (best(0.03, **head, style_price=price) for price in (0.04, 0.01))
    assert kept.best == "g2g3"
    assert gone.best != "g2g3"
    assert "gave way: it would cost" in gone.steering.honoured[0].detail
    assert "gave way" not in kept.steering.honoured[0].detail


def test_a_rule_without_priors_refuses_the_head_too() -> None:
    head = {"rule": "ucb1", "bias": 0.0, "style_source": "head"}
    report = best(0.0, visits=300, style_mode="priors", **head)
    assert not report.steering.honoured
    assert "ucb1" in report.steering.refused[0].reason
    (honoured,) = best(0.0, visits=300, style_budget=0.03, **head).steering.honoured
    assert "by the style head" in honoured.detail


def test_without_a_head_it_is_refused() -> None:
    position = kibitz.chess.Position()
    with Engine("chess", network="none", threads=1, seed=1) as engine:
        for source, honoured in (("head", 0), ("both", 1)):
            report = engine.analyze(position, visits=50, style="strong", options={"style_source": source})
            assert len(report.steering.honoured) == honoured
            (refused,) = report.steering.refused
            assert refused.reason == "the network has no head that predicts style"


def test_the_bundled_network_of_the_style() -> None:
    """At most 4 MB, with head and planes, and it tells the style from its opposite."""
    from kibitz.games.bundled import style_file

    path = style_file("chess")
    assert path is not None
    assert path.stat().st_size <= 4 * 2**20
    network = load(path, game="chess", runtime="native")
    assert network.details == ("moves_left", "style", "mover_style")
    assert len(str(network.definition.facts["stylePlanes"]).split()) == 8
    styles = []
    for moves in (("Nf3", "d5", "g3", "Nf6", "Bg2", "g6"), ("e4", "e5", "f4", "exf4", "d4", "d5")):
        with Engine("chess", network=network, style="medium", threads=1, seed=1) as engine:
            report = engine.analyze(kibitz.chess.Position().play(*moves), visits=16)
        assert "chess-style (bundled)" in report.engine
        styles.append(report.root.style)
    assert styles[0] > styles[1] + 0.1  # a double fianchetto, and a King's Gambit
