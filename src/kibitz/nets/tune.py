"""How a network runs fastest on this machine: which runtime, how many threads, how large a batch.

Measured once and kept in the cache; `Tuning` prints as one line for the user. `background.py` measures while
nobody waits.
"""

from __future__ import annotations

import json
import os
import platform
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import cache as cached
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from kibitz import _native
from kibitz.nets import cache
from kibitz.nets.program_builder import Unsupported
from kibitz.nets.session import Session, installed_runtimes, usable_cores

if TYPE_CHECKING:
    from kibitz.nets.family import Shape
    from kibitz.nets.runtime import Network

Array = npt.NDArray[np.float32]

_BATCHES = (1, 2, 4, 8, 16, 32)
#: A larger batch must be this much faster: it makes a search look at leaves it knows less about.
_WORTH_IT = 1.04
_ALONE = 1.15
_SECONDS = 0.1
_ROUNDS = 4
_SLOWEST_CALL = 1.0
#: Part of every cache key: a new number when the core's own layers get faster or round in another way.
_NATIVE_FORM = 3


@dataclass(frozen=True)
class Tuning:
    """`streams` calls at once, each with `threads` threads and `batch` positions."""

    runtime: str
    threads: int
    streams: int
    batch: int
    per_second: float

    def __str__(self) -> str:
        calls = f"{self.streams} x {self.threads} thread{'s' if self.threads > 1 else ''}"
        speed = f"{self.per_second:,.0f} evaluations/s" if self.per_second else "not measured yet"
        return f"{self.runtime}, {calls}, batch {self.batch}: {speed}"


@cached
def _cpu_lines() -> dict[str, str]:
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="ascii", errors="replace")
    except OSError:
        return {}
    pairs = (line.partition(":") for line in text.split("\n\n")[0].splitlines())
    return {name.strip(): value.strip() for name, _, value in pairs}


def cpu_name() -> str:
    return _cpu_lines().get("model name") or platform.processor() or platform.machine()


def has_vnni() -> bool:
    """Whether int8 products are summed without overflow. Without, weights keep to seven bits."""
    if platform.machine().lower() not in ("x86_64", "amd64"):
        return True
    flags = _cpu_lines().get("flags", "").split()
    return "avx512_vnni" in flags or "avx_vnni" in flags


@cached
def versions() -> str:
    """The versions a measurement or a graph depends on."""
    others = installed_runtimes()[1:]
    own = f"native={_NATIVE_FORM}-{_native.LEVEL}"
    if not others:
        return own
    from importlib import metadata  # slow to import

    return " ".join([own, *(f"{name}={metadata.version(name)}" for name in ("onnx", *others))])


def measure(
    session: Session, inputs: dict[str, Array], streams: int, seconds: float = _SECONDS, *, busy: bool = False
) -> float:
    """Positions a second of `streams` threads that call the session at the same time. On a `busy` machine
    they are counted by the processor time of each thread: what it would do with a core to itself."""
    count = len(next(iter(inputs.values())))
    outputs = ("policy", "outcome")
    start = time.perf_counter()
    end = start + seconds
    done = [0] * streams
    rates = [0.0] * streams

    def work(number: int) -> None:
        begun = time.thread_time()
        while time.perf_counter() < end or not done[number]:
            session.run(outputs, inputs)
            done[number] += count
        rates[number] = done[number] / max(time.thread_time() - begun, 1e-6)

    workers = [threading.Thread(target=work, args=(number,)) for number in range(1, streams)]
    for worker in workers:
        worker.start()
    work(0)
    for worker in workers:
        worker.join()
    return sum(rates) if busy else sum(done) / (time.perf_counter() - start)


def _plans(runtime: str, cores: int, busy: bool) -> Iterator[tuple[int, int]]:
    """(threads, streams): every core works for itself, or all work on one batch, which native cannot. The
    processor time of the calling thread says nothing about the second, so it is not tried on a busy
    machine."""
    yield 1, cores
    if cores > 1 and runtime != "native" and not busy:
        yield cores, 1


#: Waits until the network may be measured; what it returns tells whether the measurement was disturbed.
Pause = Callable[[], Callable[[], bool]]


def _no_pause() -> Callable[[], bool]:
    return lambda: False


def _runtimes(network: Network) -> tuple[str, ...]:
    return installed_runtimes() if network.wanted == "auto" else (network.wanted,)


def cache_name(network: Network, shape: Shape) -> str:
    """Where the cache keeps the tuning of a network for a board size."""
    parts = (network.digest, shape, network.precision, _runtimes(network), usable_cores(), _BATCHES)
    return "tuning/" + cache.key_of(*parts, cpu_name(), versions())


def kept(network: Network, shape: Shape) -> Tuning | None:
    """What was measured on this machine before."""
    data = cache.read(cache_name(network, shape))
    return None if data is None else Tuning(**json.loads(data))


def untuned(runtime: str) -> Tuning:
    """What is good enough before anything was measured: the core gains little from batches, others need
    them."""
    return Tuning(runtime, 1, usable_cores(), 1 if runtime == "native" else 8, 0.0)


def tuned(
    network: Network,
    shape: Shape,
    *,
    progress: Callable[[Tuning], None] | None = None,
    pause: Pause = _no_pause,
) -> Tuning:
    """The fastest way to run the network, from the cache or measured now (some seconds)."""
    known = kept(network, shape)
    if known is not None:
        return known
    cores = usable_cores()
    busy = _is_busy(cores)
    best: Tuning | None = None
    for runtime in _runtimes(network):
        for threads, streams in _plans(runtime, cores, busy):
            pause()
            try:
                session = network.open(shape, runtime, threads, streams)
            except Unsupported as error:
                refused = error
                break
            timing = _best_batch(network, session, shape, threads, streams, pause, busy)
            if progress is not None:
                progress(timing)
            # All cores on one batch are idle while the search looks for the next.
            gain = _WORTH_IT if streams == cores else _ALONE
            if best is None or timing.per_second > best.per_second * gain:
                best = timing
    if best is None:
        raise refused
    cache.write(cache_name(network, shape), json.dumps(asdict(best)).encode())
    return best


def _is_busy(cores: int) -> bool:
    return hasattr(os, "getloadavg") and os.getloadavg()[0] > 2 * cores


def _best_batch(
    network: Network,
    session: Session,
    shape: Shape,
    threads: int,
    streams: int,
    pause: Pause,
    busy: bool,
) -> Tuning:
    """The smallest batch that is as good as the best. All are measured in turns, some rounds of it:
    whatever else runs on the machine then meets all alike, and the best of the rounds counts."""
    speeds: dict[int, float] = {}
    for _ in range(_ROUNDS):
        for batch in _BATCHES:
            # Calls twice as long are not begun: whoever leaves the program waits for the last one.
            if speeds and batch * streams > _SLOWEST_CALL * max(speeds.values()):
                break
            feed = network.inputs_of(session, *example(shape, batch))
            speeds[batch] = max(speeds.get(batch, 0.0), _undisturbed(pause, session, feed, streams, busy))
    best = max(speeds.values())
    batch = min(batch for batch, speed in speeds.items() if speed * _WORTH_IT >= best)
    return Tuning(session.runtime, threads, streams, batch, speeds[batch])


def _undisturbed(pause: Pause, session: Session, feed: dict[str, Array], streams: int, busy: bool) -> float:
    """The speed measured while nobody else used the network."""
    while True:
        disturbed = pause()
        session.run(("policy", "outcome"), feed)
        speed = measure(session, feed, streams, busy=busy)
        if not disturbed():
            return speed


def example(shape: Shape, count: int) -> tuple[Array, Array]:
    """Inputs that look like positions; for speed it matters only that they are no special numbers."""
    random = np.random.default_rng(count)
    planes = (random.random((count, shape.planes, shape.rows, shape.columns)) < 0.2).astype(np.float32)
    planes[:, 0] = 1
    return planes, np.zeros((count, shape.globals), np.float32)
