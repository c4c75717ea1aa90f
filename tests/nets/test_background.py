"""Tuning does not keep the first answer waiting, and is used from the next search on."""

from __future__ import annotations

import functools
import os
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import kibitz
from kibitz import nets
from kibitz.nets import background, tune
from kibitz.request import make_request
from tests.nets.lc0_writer import Lc0Writer


@pytest.fixture
def network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> nets.Network:
    monkeypatch.setattr(tune, "_SECONDS", 0.01)
    monkeypatch.setattr(tune, "_is_busy", lambda cores: False)
    path = tmp_path / "net.pb"
    path.write_bytes(Lc0Writer().file())
    return nets.load(path, runtime="native")


def test_the_first_answer_comes_before_any_measurement(network: nets.Network) -> None:
    tunings: list[tune.Tuning] = []
    first = network.tune_later(measured=tunings.append)
    assert (first.runtime, first.per_second, tunings) == ("native", 0.0, [])
    assert str(first).endswith("not measured yet")
    (tuner,) = network._tuners.values()
    assert tuner.join(60)
    assert len(tunings) == 1
    assert tunings[0].per_second > 0
    assert network.tuning == tunings[0]
    # The next program on this machine finds it at once, and no thread is started.
    again = nets.load(network.path, runtime="native")
    assert again.tune_later() == tunings[0]
    assert again._tuners == {}


def test_a_busy_machine_keeps_what_it_measured(
    network: nets.Network, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By processor time, so that what else runs does not count, and not again at the next start."""
    own = threading.local()

    def thread_time() -> float:
        """A second for every measurement of a thread."""
        own.now = getattr(own, "now", 0.0) + 1.0
        return float(own.now)

    monkeypatch.setattr(tune, "_is_busy", lambda cores: True)
    monkeypatch.setattr(time, "thread_time", thread_time)
    monkeypatch.setattr(tune, "measure", functools.partial(tune.measure, seconds=0.0))
    best = network.tune()
    # One call a stream, in one second each.
    assert best.per_second == best.batch * best.streams
    assert nets.load(network.path, runtime="native").tune_later() == best


def test_nothing_is_measured_while_a_search_runs(
    network: nets.Network, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background, "QUIET_SECONDS", 0.05)
    with network.usage.search():
        network.tune_later()
        (tuner,) = network._tuners.values()
        assert not tuner.join(0.5)
    assert network.usage.idle_seconds < 5
    assert tuner.join(60)


def test_a_disturbed_measurement_is_made_again(network: nets.Network) -> None:
    turns: list[bool] = []

    def pause() -> object:
        turns.append(len(turns) > 1)  # the call before the session is opened, then two disturbed ones
        return lambda: len(turns) < 4

    best = tune.tuned(network, network.shape(), pause=pause)  # type: ignore[arg-type]
    assert best.per_second > 0
    assert len(turns) >= 5


@pytest.mark.parametrize(
    ("speeds", "batch"),
    [
        ({1: 100, 2: 103, 4: 106, 8: 109, 16: 112, 32: 113}, 8),  # small gains add up
        ({1: 100, 2: 90, 4: 90, 8: 130, 16: 150, 32: 152}, 16),  # a gain behind a loss
        ({1: 100, 2: 101, 4: 103, 8: 102, 16: 99, 32: 90}, 1),
    ],
)
def test_the_smallest_batch_that_is_as_good_as_the_best(
    network: nets.Network, monkeypatch: pytest.MonkeyPatch, speeds: dict[int, int], batch: int
) -> None:
    rounds: dict[int, int] = dict.fromkeys(speeds, 0)

    def measure(session: object, inputs: dict[str, Any], streams: int, busy: bool) -> float:
        size = len(next(iter(inputs.values())))
        rounds[size] += 1
        # A program beside it slows down one round of each.
        return speeds[size] * (0.5 if rounds[size] == 2 else 1.0)

    monkeypatch.setattr(tune, "measure", measure)
    best = tune.tuned(network, network.shape())
    assert (best.batch, best.per_second) == (batch, speeds[batch])
    assert best.per_second > 0.95 * max(speeds.values())


def test_one_process_tunes(network: nets.Network) -> None:
    name = tune.cache_name(network, network.shape())
    mark = background._claim(name)
    assert mark is not None
    assert background._claim(name) is None
    network.tune_later()
    (tuner,) = network._tuners.values()
    assert tuner.join(60)
    assert network.tuning is not None
    assert network.tuning.per_second == 0
    old = time.time() - 3600
    os.utime(mark, (old, old))  # left behind by a process that was killed
    assert background._claim(name) == mark


def test_an_engine_takes_threads_and_batch_from_the_tuning(network: nets.Network) -> None:
    network._use(tune.Tuning("native", 1, 4, 8, 1000.0))
    with kibitz.Engine("chess", network=network) as engine:
        width = {}
        for visits in (10, 256, 10**6):
            options = engine.plan(make_request(kibitz.chess.Position(), visits=visits)).options
            width[visits] = (options.threads, options.batch)
        assert width == {10: (1, 1), 256: (4, 1), 10**6: (4, 8)}
        assert engine.analyze(kibitz.chess.Position(), visits=300).root.visits == 300


def test_an_engine_opens_a_file(network: nets.Network) -> None:
    with kibitz.Engine("chess", network=network.path, seed=1) as engine:
        assert engine.preset == "lc0"
        assert engine.analyze(kibitz.chess.Position(), visits=30).root.visits == 30
    with pytest.raises(nets.BadNetwork, match="an Lc0 network for chess, not a network for go"):
        kibitz.Engine("go", network=str(network.path))
