"""What a style costs by the values of a network: measured once, kept by the network's digest."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import kibitz
from kibitz import _native
from kibitz.engine import Engine
from kibitz.games import registry
from kibitz.network import EngineNetwork, FunctionNetwork
from kibitz.request import make_request
from kibitz.running import style_scale
from tests.style.test_horizon import Judge

pytestmark = pytest.mark.skipif(not _native.HAS_STYLE, reason="a core without style")


class NamedNetwork(EngineNetwork):
    """A function that has a digest, as a file has."""

    def __init__(self, digest: str) -> None:
        self.judge = Judge(0.5)
        self._digest = digest

    @property
    def digest(self) -> str:
        return self._digest

    def for_search(self) -> Any:
        return self.judge


@pytest.fixture(autouse=True)
def forgotten(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(style_scale, "_known", {})
    monkeypatch.setenv("KIBITZ_CACHE", str(tmp_path))


def scale_of(network: EngineNetwork | None) -> float:
    return style_scale.measured_scale(registry.get("chess"), "default", network, Engine)


def test_a_network_to_which_all_moves_are_alike_has_the_least_scale() -> None:
    assert scale_of(NamedNetwork("a" * 64)) == 0.5


def test_a_scale_is_kept_by_the_digest(monkeypatch: pytest.MonkeyPatch) -> None:
    first, again, other = NamedNetwork("a" * 64), NamedNetwork("a" * 64), NamedNetwork("b" * 64)
    measured = scale_of(first)
    monkeypatch.setattr(style_scale, "_known", {})  # another process
    assert scale_of(again) == measured
    assert (first.judge.asked > 0, again.judge.asked) == (True, 0)
    scale_of(other)
    assert other.judge.asked > 0


def test_a_function_is_not_measured() -> None:
    judge = Judge(0.5)
    assert scale_of(FunctionNetwork(judge)) == 1.0
    assert judge.asked == 0


def test_engines_use_it_unless_it_is_set() -> None:
    """The hand-written evaluation tells moves apart more than the bundled network does."""
    asked = make_request(kibitz.chess.Position(), visits=10, style="strong")
    with Engine("chess", network="none") as plain, Engine("chess") as bundled:
        budgets = [engine.plan(asked).audit.honoured[0].detail for engine in (plain, bundled)]
    by_percent = [float(detail.split("budget ")[1].split("%")[0]) for detail in budgets]
    assert by_percent[0] == pytest.approx(5 * scale_of(None), abs=0.01)
    assert by_percent[0] > by_percent[1] >= 2.5
    with Engine("chess", network="none", style_scale=0.2) as engine:
        assert "budget 1.00% a move" in engine.plan(asked).audit.honoured[0].detail


def test_off_measures_nothing() -> None:
    network = NamedNetwork("c" * 64)
    with Engine("chess", network=network) as engine:
        engine.plan(make_request(kibitz.chess.Position(), visits=10, style="off"))
        engine.plan(make_request(kibitz.chess.Position(), visits=10))
    assert network.judge.asked == 0
