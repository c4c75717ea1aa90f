"""A pool of engines for many clients: it shares the cores fairly and keeps who waits in order.

>>> import asyncio, kibitz
>>> async def ask(pool):
...     positions = [kibitz.othello.Position().play(move) for move in ("d3", "c4", "f5", "e6")]
...     return await asyncio.gather(*(pool.aanalyze(one, simulations=200) for one in positions))
>>> with kibitz.Pool("othello", engines=2) as pool:
...     len(asyncio.run(ask(pool)))
4

At most `engines` requests run at once; the operating system divides the cores among their threads. The others
wait in a queue for each client, and the clients take turns. A request that waits is a future, not a thread.

Threads: a pool may be used from any number of threads and event loops.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Generator, Hashable, Iterable
from concurrent.futures import Future
from dataclasses import dataclass, replace
from functools import cache
from types import TracebackType
from typing import TYPE_CHECKING, Any

from kibitz.engine import Engine
from kibitz.errors import BadOption, BadRequest
from kibitz.games import registry
from kibitz.games.bundled import NONE
from kibitz.games.networks import load_network
from kibitz.report import Report
from kibitz.report_stream import ReportStream
from kibitz.request import PositionLike, Request, Wishes, make_request, with_wishes
from kibitz.search_job import SearchJob
from kibitz.shutdown import NativeWork
from kibitz.steering import Style

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["Pool", "aanalyze"]

#: Requests that run at once for each core, unless `engines` says it: enough that nobody waits long for a
#: request limited by time, few enough that each still gets somewhere.
_ENGINES_PER_CORE = 16
#: Memory for all trees together, unless `memory_mb` says it; and what a tree needs to be of use.
_MEMORY_MB, _LEAST_MEMORY_MB = 4096, 16


@dataclass
class _Seat:
    """An engine of the pool and whom it served last, whose tree it still has."""

    engine: Engine
    preset: str
    client: Hashable


class Pool:
    """Engines for one game, for several or for all. `client` names who asks: clients take turns, and a
    client's tree is kept for its next request; without a name every request starts afresh."""

    def __init__(
        self,
        games: str | Iterable[str] | None = None,
        preset: str = "default",
        *,
        engines: int | None = None,
        cores: int | None = None,
        memory_mb: int | None = None,
        network: Callable[..., Any] | str | os.PathLike[str] | None = None,
        style: Style | str | float | None = None,
        nice: int = 0,
        **options: Any,
    ) -> None:
        #: What `arun` runs stands back by so much for the event loop's thread, so that many searches leave a
        #: server air to answer (Linux; elsewhere nothing changes).
        self._nice = min(max(int(nice), 0), 19)
        names = registry.names() if games is None else (games,) if isinstance(games, str) else games
        self.games = tuple(registry.get(name).name for name in names)
        self.preset = preset
        self.cores = _at_least_one("cores", cores) or _usable_cores()
        self.engines = _at_least_one("engines", engines) or _ENGINES_PER_CORE * self.cores
        total = _at_least_one("memory_mb", memory_mb) or _MEMORY_MB
        self._memory_mb = max(_LEAST_MEMORY_MB, total // self.engines)
        if network not in (None, NONE) and len(self.games) != 1:
            raise BadOption("a network is for one game; name it: Pool('go', network=...)")
        if isinstance(network, (str, os.PathLike)) and network != NONE:  # once for all engines
            network = load_network(self.games[0], os.fspath(network))
            network.tune_later()
        self._network = network
        self._style = style
        self._options = options
        if games is not None:  # refuse bad options now, not at the first request
            for name in self.games:
                self._new_engine(name, preset).close()
        self._lock = threading.Lock()
        self._idle: list[_Seat] = []  # the one used last is the last
        self._running: list[_Seat | None] = []
        self._busy = 0
        self._waiting: OrderedDict[Hashable, deque[Future[None]]] = OrderedDict()
        self._closed = False

    # -- asking -----------------------------------------------------------------------------------

    @with_wishes
    def analyze(self, position: PositionLike, client: Hashable = None, **wishes: Unpack[Wishes]) -> Report:
        """The final report, like `Engine.analyze`; blocks for a turn."""
        *_, last = self.run(make_request(position, **wishes), client=client)
        return last

    @with_wishes
    async def aanalyze(
        self, position: PositionLike, client: Hashable = None, **wishes: Unpack[Wishes]
    ) -> Report:
        """The final report, for asyncio; a cancelled task gives up its turn or stops its search."""
        request = make_request(position, **wishes)
        return [report async for report in self.arun(request, client=client)][-1]

    @with_wishes
    def astream(
        self,
        position: PositionLike,
        every: float = 0.25,
        client: Hashable = None,
        **wishes: Unpack[Wishes],
    ) -> ReportStream:
        """Reports while the search runs, for `async for`; the last one is final."""
        return self.arun(make_request(position, **wishes), every, client=client)

    def run(
        self,
        request: Request,
        every: float | None = None,
        *,
        client: Hashable = None,
        preset: str | None = None,
    ) -> Generator[Report, None, None]:
        """Carries out a request as `Engine.run` does, when its turn comes."""
        self._check(request)
        turn = self._queue(client)
        try:
            turn.result()
        except BaseException:
            self._give_up(turn)
            raise
        seat: _Seat | None = None
        try:
            seat, request = self._take(request, client, preset)
            yield from seat.engine.run(request, every)
        finally:
            self._give_back(seat)

    def arun(
        self,
        request: Request,
        every: float | None = None,
        *,
        client: Hashable = None,
        preset: str | None = None,
    ) -> ReportStream:
        """`run` for asyncio: `async for report in pool.arun(request, every=0.5)`."""
        self._check(request)
        taken: list[tuple[_Seat, SearchJob]] = []

        async def begin() -> tuple[SearchJob, NativeWork]:
            turn = self._queue(client)
            try:
                await asyncio.wrap_future(turn)
            except BaseException:
                self._give_up(turn)
                raise
            seat: _Seat | None = None
            try:
                seat, asked = self._take(request, client, preset)
                job = seat.engine.new_job(asked, every)
                await seat.engine.slot.wait_and_take(job)
            except BaseException:
                self._give_back(seat)
                raise
            taken.append((seat, job))
            return job, seat.engine.slot.work

        def end() -> None:
            seat, job = taken[0]
            seat.engine.slot.release(job)
            self._give_back(seat)

        return ReportStream(begin, end, self._nice)

    @property
    def running(self) -> int:
        """Requests under way."""
        return self._busy

    @property
    def waiting(self) -> int:
        """Requests that wait for their turn."""
        with self._lock:
            return sum(map(len, self._waiting.values()))

    def close(self) -> None:
        """Stops what runs, which then gives its final report, and refuses what waits and what comes."""
        with self._lock:
            self._closed = True
            turns = [turn for queue in self._waiting.values() for turn in queue]
            self._waiting.clear()
            seats, self._idle = [seat for seat in self._running if seat], []
        for turn in turns:
            if turn.set_running_or_notify_cancel():
                turn.set_exception(BadRequest("the pool was closed"))
        for seat in seats:
            seat.engine.stop()

    def __enter__(self) -> Pool:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    # -- turns ------------------------------------------------------------------------------------

    def _check(self, request: Request) -> None:
        if request.position.game not in self.games:
            raise BadRequest(f"this pool plays {', '.join(self.games)}, not {request.position.game}")

    def _queue(self, client: Hashable) -> Future[None]:
        """A turn, which is done when an engine is free for it."""
        turn: Future[None] = Future()
        with self._lock:
            if self._closed:
                raise BadRequest("the pool was closed")
            self._waiting.setdefault(client, deque()).append(turn)
            self._serve()
        return turn

    def _serve(self) -> None:
        """Lets who waits begin while there are engines; one request of each client in turn."""
        while self._busy < self.engines and self._waiting:
            client, queue = self._waiting.popitem(last=False)
            turn = queue.popleft()
            if queue:
                self._waiting[client] = queue  # behind the other clients
            if turn.set_running_or_notify_cancel():
                self._busy += 1
                turn.set_result(None)

    def _give_up(self, turn: Future[None]) -> None:
        """Ends the wait for a turn, which may just have come."""
        if not turn.cancel() and turn.exception() is None:
            self._give_back(None)

    def _take(self, request: Request, client: Hashable, preset: str | None) -> tuple[_Seat, Request]:
        """An engine for the request, and the request with its share of the cores."""
        preset = preset or self.preset
        game = request.position.game
        with self._lock:
            fitting = [seat for seat in self._idle if (seat.engine.game, seat.preset) == (game, preset)]
            own = [seat for seat in fitting if client is not None and seat.client == client]
            seat = next((one for one in reversed(own) if one.engine.continues(request.position)), None)
            if seat is None and fitting:
                seat = next((one for one in fitting if one.client is None), fitting[0])
                seat.engine.new_game()
            if seat is not None:
                self._idle.remove(seat)
            elif self._idle and len(self._idle) + self._busy > self.engines:
                self._idle.pop(0).engine.close()
            asking = self._busy + sum(map(len, self._waiting.values()))
            share = max(1, self.cores // asking)
        if seat is None:
            seat = _Seat(self._new_engine(game, preset), preset, client)
        seat.client = client
        with self._lock:
            self._running.append(seat)
        if (
            share > 1
            and self._network in (None, NONE)
            and "threads" not in {**seat.engine.options, **request.options}
        ):
            request = replace(request, options={"threads": share, **request.options})
        return seat, request

    def _give_back(self, seat: _Seat | None) -> None:
        with self._lock:
            if seat is not None:
                self._running.remove(seat)
                if not self._closed:
                    self._idle.append(seat)
            self._busy -= 1
            self._serve()

    def _new_engine(self, game: str, preset: str) -> Engine:
        options = dict(self._options)
        if registry.get(game).options is None:  # the tree search's
            options.setdefault("memory_mb", self._memory_mb)
        return Engine(game, preset, network=self._network, style=self._style, **options)


def _at_least_one(name: str, value: int | None) -> int | None:
    if value is not None and (type(value) is not int or value < 1):
        raise BadOption(f"{name} must be a whole number of at least 1, got {value!r}")
    return value


def _usable_cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@cache
def _common_pool() -> Pool:
    return Pool()


@with_wishes
async def aanalyze(position: PositionLike, *, preset: str = "default", **wishes: Unpack[Wishes]) -> Report:
    """`kibitz.analyze` for asyncio, by a pool that all callers share: any number of requests may be made at
    once.

    >>> import kibitz
    >>> asyncio.run(kibitz.aanalyze(kibitz.othello.Position(), simulations=100)).simulations
    100
    """
    reports = _common_pool().arun(make_request(position, **wishes), preset=preset)
    return [report async for report in reports][-1]
