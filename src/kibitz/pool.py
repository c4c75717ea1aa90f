"""A pool of engines for many clients: it shares the cores fairly and keeps who waits in order.

>>> import asyncio, kibitz
>>> async def ask(pool):
...     positions = [kibitz.othello.Position().play(move) for move in ("d3", "c4", "f5", "e6")]
...     return await asyncio.gather(*(pool.aanalyze(one, simulations=200) for one in positions))
>>> async def main():
...     async with kibitz.Pool("othello", engines=2) as pool:
...         return await ask(pool)
>>> len(asyncio.run(main()))
4

At most `engines` requests run at once, and a few with clocks (`CLOCKED_PER_CORE`) beside them; their
threads share the cores, in a server by turns of some milliseconds. The others wait; the next to begin is
of the client with the fewest that run. A request that waits is a future, not a thread.

Threads: a pool may be used from any number of threads and event loops.
"""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Generator, Hashable, Iterable
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

from kibitz import _native
from kibitz.engine import Engine
from kibitz.errors import BadOption, BadRequest
from kibitz.games import registry
from kibitz.games.bundled import NONE
from kibitz.games.networks import NetworkSource, load_network
from kibitz.games.registry import GameName, PresetName
from kibitz.plan import Configuration
from kibitz.report import Report
from kibitz.request import AnalyzeArgs, PositionLike, Request, make_request, with_analyze_args
from kibitz.running.job import SearchJob
from kibitz.running.shutdown import NativeWork
from kibitz.running.stream import ReportStream
from kibitz.steering import Style

if TYPE_CHECKING:
    from typing_extensions import Unpack

#: `clock`: as in a game with clocks; has engines of its own. `background`: may be stopped early, with its
#: final report, when another client has less than its share.
Priority = Literal["clock", "normal", "background"]

#: Requests that run at once for each core, unless `engines` says it: enough that nobody waits long for a
#: request limited by time, few enough that each still gets somewhere.
ENGINES_PER_CORE = 16
#: Requests with clocks that run at once for each core, beside the others: few, so that each ends soon.
CLOCKED_PER_CORE = 4
#: Memory for all trees together, unless `memory_mb` says it; and what a tree needs to be of use.
_MEMORY_MB, _LEAST_MEMORY_MB = 4096, 16


#: Seconds that a background request has when more clients ask than there are engines.
_SLICE = 10.0


@dataclass(eq=False)
class Turn:
    """A request that waits for an engine, then has one. `stop` is there once it can be stopped early."""

    party: Hashable
    priority: Priority
    ready: Future[None] = field(default_factory=Future)
    begun: float = 0.0
    stop: Callable[[], None] | None = None
    stopped: bool = False


class _Group:
    """Requests of one kind: who waits, party by party, and who runs."""

    def __init__(self, engines: int) -> None:
        self.engines = engines
        self.queues: OrderedDict[Hashable, deque[Turn]] = OrderedDict()
        self.running: list[Turn] = []
        self.shares: Counter[Hashable] = Counter()

    @property
    def waiting(self) -> int:
        return sum(map(len, self.queues.values()))

    def next_party(self) -> Hashable:
        return min(self.queues, key=self.shares.__getitem__)  # of equal ones who waits longest

    def begin(self, party: Hashable) -> None:
        queue = self.queues.pop(party)
        turn = queue.popleft()
        if queue:
            self.queues[party] = queue  # behind the others
        if turn.ready.set_running_or_notify_cancel():
            turn.begun = time.monotonic()
            self.running.append(turn)
            self.shares[party] += 1
            turn.ready.set_result(None)

    def end(self, turn: Turn) -> None:
        self.running.remove(turn)
        self.shares[turn.party] -= 1
        if not self.shares[turn.party]:
            del self.shares[turn.party]


class Turns:
    """Which request is next: at most `clocked` of those with clocks at once, and `engines` of the others.

    Threads: any. No lock is held while a request is stopped.
    """

    def __init__(self, engines: int, clocked: int) -> None:
        self._lock = threading.Lock()
        self._clocked, self._others = _Group(clocked), _Group(engines)
        self._timer: threading.Timer | None = None
        self.closed = False

    @property
    def running(self) -> int:
        return len(self._clocked.running) + len(self._others.running)

    @property
    def waiting(self) -> int:
        with self._lock:
            return self._clocked.waiting + self._others.waiting

    @property
    def crowding(self) -> float:
        """How many requests with clocks there are for each that can run."""
        with self._lock:
            return (len(self._clocked.running) + self._clocked.waiting) / self._clocked.engines

    def shares(self) -> dict[Hashable, int]:
        """How many requests without clocks run of each party."""
        with self._lock:
            return dict(self._others.shares)

    def resize(self, engines: int, clocked: int) -> None:
        """So many may run from now on; none that runs is ended for it."""
        with self._lock:
            self._others.engines, self._clocked.engines = engines, clocked
        self._serve()

    def queue(self, party: Hashable, priority: Priority) -> Turn:
        """A turn, which is ready when an engine is free for it."""
        turn = Turn(party, priority)
        with self._lock:
            if self.closed:
                raise BadRequest("the pool was closed")
            self._group(turn).queues.setdefault(party, deque()).append(turn)
        self._serve()
        return turn

    def may_stop(self, turn: Turn, stop: Callable[[], None]) -> None:
        """From here on the turn can be ended early; somebody may wait for that already."""
        turn.stop = stop
        self._serve()

    def give_up(self, turn: Turn) -> None:
        """Ends the wait for a turn, which may just have come."""
        if not turn.ready.cancel() and turn.ready.exception() is None:
            self.end(turn)

    def end(self, turn: Turn) -> None:
        with self._lock:
            self._group(turn).end(turn)
        self._serve()

    def close(self) -> None:
        """Refuses what waits and what comes."""
        waiting: list[Turn] = []
        with self._lock:
            self.closed = True
            for group in (self._clocked, self._others):
                waiting += [turn for queue in group.queues.values() for turn in queue]
                group.queues.clear()
            if self._timer is not None:
                self._timer.cancel()
        for turn in waiting:
            if turn.ready.set_running_or_notify_cancel():
                turn.ready.set_exception(BadRequest("the pool was closed"))

    def _group(self, turn: Turn) -> _Group:
        return self._clocked if turn.priority == "clock" else self._others

    def _serve(self) -> None:
        """Lets who waits begin while there are engines; where there are none, may stop one that runs."""
        victim = None
        with self._lock:
            for group in (self._clocked, self._others):
                while group.queues and len(group.running) < group.engines:
                    group.begin(group.next_party())
            if self._others.queues:
                victim = self._victim(self._others.next_party())
        if victim is not None and victim.stop is not None:
            victim.stop()

    def _victim(self, party: Hashable) -> Turn | None:
        """A background request that makes room for a party: one of the client that has most."""
        running, shares = self._others.running, self._others.shares
        if any(turn.stopped for turn in running):
            return None
        able = [turn for turn in running if turn.stop is not None]
        if not able:
            return None
        victim = max(able, key=lambda turn: (shares[turn.party], -turn.begun))
        if shares[victim.party] <= shares[party] + 1:
            left = victim.begun + _SLICE - time.monotonic()
            if shares[party] or victim.party == party:
                return None
            if left > 0:
                self._look_again(left)
                return None
        victim.stopped = True
        return victim

    def _look_again(self, seconds: float) -> None:
        if self._timer is None or not self._timer.is_alive():
            self._timer = threading.Timer(seconds, self._serve)
            self._timer.daemon = True
            self._timer.start()


@dataclass
class _Seat:
    """An engine of the pool and whom it served last, whose tree it still has."""

    engine: Engine
    preset: str
    client: Hashable
    #: Its game has another network now.
    outdated: bool = False


class Pool:
    """Engines for one game, for several or for all. `client` names who asks: clients share the engines alike,
    and a client's tree is kept for its next request; without a name every request starts afresh. Where
    several clients of `arun` are one `party`, the share is the party's.

    >>> with kibitz.Pool("othello", engines=1, seed=1) as pool:
    ...     report = pool.analyze(kibitz.othello.Position(), simulations=50)
    >>> report.simulations
    50
    """

    def __init__(
        self,
        games: GameName | str | Iterable[str] | None = None,
        preset: PresetName | str = "default",
        *,
        engines: int | None = None,
        cores: int | None = None,
        memory_mb: int | None = None,
        network: NetworkSource | None = None,
        human: NetworkSource | None = None,
        style: Style | str | float | None = None,
        nice: int = 0,
        **options: Any,
    ) -> None:
        names = registry.names() if games is None else (games,) if isinstance(games, str) else games
        self.games = tuple(registry.get(name).name for name in names)
        self.preset = preset
        self.cores = _at_least_one("cores", cores) or usable_cores()
        self.engines = _at_least_one("engines", engines) or ENGINES_PER_CORE * self.cores
        total = _at_least_one("memory_mb", memory_mb) or _MEMORY_MB
        self._clocked = min(self.engines, CLOCKED_PER_CORE * self.cores)
        self._memory_mb = max(_LEAST_MEMORY_MB, total // (self.engines + self._clocked))
        if network not in (None, NONE) and len(self.games) != 1:
            raise BadOption("a network is for one game; name it: Pool('go', network=...)")
        if network not in (None, NONE):  # once for all engines
            network = load_network(self.games[0], network, tune=True)
        self._network = network
        if human is not None and len(self.games) != 1:
            raise BadOption("a human model is for one game; name it: Pool('chess', human=...)")
        self._human = None if human is None else load_network(self.games[0], human)
        self._style = style
        self._options = options
        if games is not None:  # refuse bad options now, not at the first request
            for name in self.games:
                self._new_engine(name, preset).close()
        self._lock = threading.Lock()
        self._idle: list[_Seat] = []  # the one used last is the last
        self._configurations: dict[str, Configuration] = {}
        self._running: list[_Seat] = []
        self._turns = Turns(self.engines, self._clocked)
        #: Above 0 searches take turns on the cores, from the first one on, in threads of a lower priority
        #: (Linux), so that many of them leave a server time to answer.
        self._nice = min(int(nice), 19)
        self._shares_cores = False

    # -- asking -----------------------------------------------------------------------------------

    @with_analyze_args
    def analyze(
        self, position: PositionLike, client: Hashable = None, **wishes: Unpack[AnalyzeArgs]
    ) -> Report:
        """The final report, like `Engine.analyze`; blocks for a turn."""
        *_, last = self.run(make_request(position, **wishes), client=client)
        return last

    @with_analyze_args
    async def aanalyze(
        self, position: PositionLike, client: Hashable = None, **wishes: Unpack[AnalyzeArgs]
    ) -> Report:
        """The final report, for asyncio; a cancelled task gives up its turn or stops its search."""
        request = make_request(position, **wishes)
        return [report async for report in self.arun(request, client=client)][-1]

    @with_analyze_args
    def astream(
        self,
        position: PositionLike,
        every: float = 0.25,
        client: Hashable = None,
        **wishes: Unpack[AnalyzeArgs],
    ) -> ReportStream:
        """Reports while the search runs, for `async for`; the last one is final."""
        return self.arun(make_request(position, **wishes), every, client=client)

    def run(
        self,
        request: Request,
        every: float | None = None,
        *,
        client: Hashable = None,
        preset: PresetName | str | None = None,
    ) -> Generator[Report, None, None]:
        """Carries out a request as `Engine.run` does, when its turn comes."""
        self._check(request)
        turn = self._turns.queue(client, "normal")
        try:
            turn.ready.result()
        except BaseException:
            self._turns.give_up(turn)
            raise
        seat: _Seat | None = None
        try:
            seat, request = self._take(request, client, preset)
            yield from seat.engine.run(request, every)
        finally:
            self._give_back(turn, seat)

    def arun(
        self,
        request: Request,
        every: float | None = None,
        *,
        client: Hashable = None,
        preset: PresetName | str | None = None,
        party: Hashable = None,
        priority: Priority = "normal",
    ) -> ReportStream:
        """`run` for asyncio: `async for report in pool.arun(request, every=0.5)`."""
        self._check(request)
        taken: list[tuple[Turn, _Seat, SearchJob]] = []

        async def begin() -> tuple[SearchJob, NativeWork]:
            turn = self._turns.queue(client if party is None else party, priority)
            try:
                await asyncio.wrap_future(turn.ready)
            except BaseException:
                self._turns.give_up(turn)
                raise
            seat: _Seat | None = None
            try:
                seat, asked = self._take(request, client, preset)
                job = seat.engine.new_job(asked, every)
                if priority == "background":
                    self._turns.may_stop(turn, job.stop)
                await seat.engine.slot.wait_and_take(job)
            except BaseException:
                self._give_back(turn, seat)
                raise
            taken.append((turn, seat, job))
            return job, seat.engine.slot.work

        def end() -> None:
            turn, seat, job = taken[0]
            seat.engine.slot.release(job)
            self._give_back(turn, seat)

        return ReportStream(begin, end, urgent=priority == "clock")

    def configuration(self, game: str) -> Configuration:
        """The settings of its engines for a game."""
        with self._lock:
            known = self._configurations.get(game)
        if known is None:
            with self._new_engine(game, self.preset) as engine:
                known = engine.configuration
            with self._lock:
                self._configurations[game] = known
        return known

    def renew(self, game: str) -> None:
        """New engines for a game from the next request on: its default network is another one."""
        with self._lock:
            self._configurations.pop(game, None)
            for seat in (*self._idle, *self._running):
                seat.outdated = seat.outdated or seat.engine.game == game
            old = [seat for seat in self._idle if seat.outdated]
            self._idle = [seat for seat in self._idle if not seat.outdated]
        for seat in old:
            seat.engine.close()

    @property
    def human(self) -> str:
        """The name of the human model; "" without one."""
        return "" if self._human is None else self._human.name or "a human model"

    @property
    def running(self) -> int:
        """Requests under way."""
        return self._turns.running

    @property
    def waiting(self) -> int:
        """Requests that wait for their turn."""
        return self._turns.waiting

    @property
    def crowding(self) -> float:
        """How many requests with clocks there are for each that can run at once; above 1 some wait."""
        return self._turns.crowding

    def close(self) -> None:
        """Stops what runs, which then gives its final report, and refuses what waits and what comes."""
        self._turns.close()
        with self._lock:
            seats, self._idle = list(self._running), []
            shared, self._shares_cores = self._shares_cores, False
        if shared:
            _native.stop_sharing_cores()
        for seat in seats:
            seat.engine.stop()

    async def __aenter__(self) -> Pool:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- turns ------------------------------------------------------------------------------------

    def _check(self, request: Request) -> None:
        if request.position.game not in self.games:
            raise BadRequest(f"this pool plays {', '.join(self.games)}, not {request.position.game}")

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
            elif self._idle and len(self._idle) + self.running > self.engines + self._clocked:
                self._idle.pop(0).engine.close()
            share = max(1, self.cores // (self.running + self.waiting))
        if seat is None:
            seat = _Seat(self._new_engine(game, preset), preset, client)
        seat.client = client
        with self._lock:
            self._running.append(seat)
            if self._nice > 0 and not (self._shares_cores or self._turns.closed):
                self._shares_cores = True
                _native.share_cores(self.cores, self._nice)
        if (
            share > 1
            and self._network in (None, NONE)
            and "threads" not in {**seat.engine.options, **request.options}
        ):
            request = replace(request, options={"threads": share, **request.options})
        return seat, request

    def _give_back(self, turn: Turn, seat: _Seat | None) -> None:
        with self._lock:
            if seat is not None:
                self._running.remove(seat)
                if not self._turns.closed and not seat.outdated:
                    self._idle.append(seat)
        self._turns.end(turn)

    def _new_engine(self, game: str, preset: str) -> Engine:
        options = dict(self._options)
        if registry.get(game).options.check is None:  # the tree search's
            options.setdefault("memory_mb", self._memory_mb)
        return Engine(game, preset, network=self._network, human=self._human, style=self._style, **options)


def _at_least_one(name: str, value: int | None) -> int | None:
    if value is not None and (type(value) is not int or value < 1):
        raise BadOption(f"{name} must be a whole number of at least 1, got {value!r}")
    return value


def usable_cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@cache
def _common_pool() -> Pool:
    return Pool()


@with_analyze_args
async def aanalyze(
    position: PositionLike, *, preset: PresetName | str = "default", **wishes: Unpack[AnalyzeArgs]
) -> Report:
    """`kibitz.analyze` for asyncio, by a pool that all callers share: any number of requests may be made at
    once.

    >>> import kibitz
    >>> asyncio.run(kibitz.aanalyze(kibitz.othello.Position(), simulations=100)).simulations
    100
    """
    reports = _common_pool().arun(make_request(position, **wishes), preset=preset)
    return [report async for report in reports][-1]
