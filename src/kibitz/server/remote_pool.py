"""A pool whose engines run on the nodes of a Ray cluster; to whoever asks it is a `Pool`.

    >>> pool = RemotePool(address="10.0.0.1:6379")                                    # doctest: +SKIP
    >>> [report async for report in pool.arun(request, every=0.5)]                    # doctest: +SKIP

Every node with CPUs has one actor with a `Pool` of its own, whose engines are loaded before the first request
comes. Who is next is decided here, by the same turns as on one machine; a request goes to the node with the
most room, or to the one that has the client's tree. Reports come back as they are made. When a node is lost
its searches begin again on another; a node that joins gets an actor within seconds.

Threads: as a `Pool`, but all reports are read in event loops.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import threading
from collections import OrderedDict
from collections.abc import Generator, Hashable, Iterable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from kibitz.errors import BadRequest, KibitzError
from kibitz.fleet.content import Travelling
from kibitz.fleet.ray_cluster import import_ray, ray_connection
from kibitz.games import registry
from kibitz.pool import CLOCKED_PER_CORE, ENGINES_PER_CORE, Pool, Priority, Turn, Turns
from kibitz.report import Report
from kibitz.request import Request
from kibitz.running.stream import ReportStream

#: Seconds between two looks at which nodes there are.
_LOOK_SECONDS = 2.0
#: Clients whose node is remembered, for the tree that it may still have.
_MOST_CLIENTS = 10_000
#: How often a search begins again before it is given up: it may be what kills the nodes.
_MOST_TRIES = 5
#: By so much of itself the time between two reports must change before a node is asked for it.
_PACE_STEP = 0.25


class EngineHost:
    """The actor: the engines of one node."""

    def __init__(
        self, games: tuple[str, ...], cores: int, nice: int, network: tuple[Travelling, list[Any]] | None
    ) -> None:
        place = None
        if network is not None:
            file, (reference,) = network
            place = file.here(partial(import_ray().get, reference))
        known = set(registry.names())  # a game that only the server has is refused when it is asked for
        here = tuple(game for game in games if game in known)
        self._pool = Pool(here, cores=cores, nice=nice, network=place)
        self._streams: dict[int, ReportStream] = {}
        self._left: set[int] = set()

    def warm(self) -> int:
        """Make an engine of each game, with its network; the number of the process."""
        for game in self._pool.games:
            with contextlib.suppress(KibitzError):
                self._pool.configuration(game)
        return os.getpid()

    async def search(
        self,
        key: int,
        request: Request,
        every: float | None,
        client: Hashable,
        preset: str | None,
        priority: Priority,
    ) -> Any:
        """Gives the reports, or the error, which Ray would wrap."""
        stream = self._streams[key] = self._pool.arun(
            request, every, client=client, preset=preset, priority=priority
        )
        try:
            if key in self._left:
                stream.stop()
            async with stream:
                async for report in stream:
                    yield report
        except KibitzError as error:
            yield error
        finally:
            self._left.discard(key)
            del self._streams[key]

    async def stop(self, key: int) -> None:
        """End a search early; its reader may have left."""
        stream = self._streams.get(key)
        if stream is not None:
            stream.stop()
        else:
            self._left.add(key)
            if len(self._left) > _MOST_CLIENTS:
                self._left.clear()

    async def report_every(self, key: int, seconds: float) -> None:
        """Change the time between two reports of a search."""
        stream = self._streams.get(key)
        if stream is not None:
            stream.report_every(seconds)


@dataclass(eq=False)
class _Node:
    """A node with engines."""

    id: str
    actor: Any
    room: int
    ready: bool = False
    running: set[int] = field(default_factory=set)


class RemotePool(Pool):
    """Engines on a cluster: `address` of one that runs, empty for one of this machine."""

    def __init__(
        self,
        games: str | Iterable[str] | None = None,
        preset: str = "default",
        *,
        address: str = "",
        network: str | os.PathLike[str] | None = None,
        nice: int = 0,
    ) -> None:
        # What this machine knows of the settings; its own engines are asked nothing.
        super().__init__(games, preset, engines=1, cores=1)
        self._nice = nice
        self._ray = import_ray(local=not address)
        self._connection = contextlib.ExitStack()
        self._connection.enter_context(ray_connection(address, 0))
        self._keys = itertools.count()
        self._nodes: dict[str, _Node] = {}
        self._node_of: OrderedDict[Hashable, str] = OrderedDict()
        self._file: tuple[Travelling, list[Any]] | None = None
        self._ended = threading.Event()
        #: How often in a row a node's engines could not be started, and the last reason.
        self._failed, self._reason = 0, ""
        #: Searches that began again since their node was lost.
        self.restarted = 0
        try:
            if network is not None:
                path = str(network)
                self._file = Travelling.of(path), [self._ray.put(Path(path).read_bytes())]
            self._look()
            if not self._nodes:
                raise BadRequest("the cluster has no node with CPUs for engines")
        except BaseException:
            self._connection.close()
            raise
        self._watcher = threading.Thread(target=self._watch, daemon=True, name="kibitz-nodes")
        self._watcher.start()

    def arun(
        self,
        request: Request,
        every: float | None = None,
        *,
        client: Hashable = None,
        preset: str | None = None,
        party: Hashable = None,
        priority: Priority = "normal",
    ) -> ReportStream:
        self._check(request)
        asked = (request, client, preset or self.preset)
        return RemoteStream(self, asked, every, client if party is None else party, priority)

    def run(
        self,
        request: Request,
        every: float | None = None,
        *,
        client: Hashable = None,
        preset: str | None = None,
    ) -> Generator[Report, None, None]:
        stream = self.arun(request, every, client=client, preset=preset)
        loop = asyncio.new_event_loop()
        try:
            while True:
                try:
                    yield loop.run_until_complete(anext_of(stream))
                except StopAsyncIteration:
                    return
        finally:
            loop.run_until_complete(stream.aclose())
            loop.close()

    def nodes(self) -> list[dict[str, Any]]:
        """What runs where."""
        with self._lock:
            return [
                {"node": node.id, "ready": node.ready, "room": node.room, "running": len(node.running)}
                for node in self._nodes.values()
            ]

    def close(self) -> None:
        if self._ended.is_set():
            return
        self._ended.set()
        self._turns.close()
        self._watcher.join()
        with self._lock:
            nodes = list(self._nodes.values())  # one that is still starting may be given up meanwhile
        for node in nodes:
            with contextlib.suppress(Exception):
                self._ray.kill(node.actor)
        self._connection.close()

    # -- nodes ------------------------------------------------------------------------------------

    def _watch(self) -> None:
        while not self._ended.wait(_LOOK_SECONDS):
            with contextlib.suppress(Exception):  # a head that is away for a moment
                self._look()

    def _look(self) -> None:
        """Give every node that has CPUs an actor; forget those that are gone."""
        alive = {
            node["NodeID"]: max(1, int(node["Resources"]["CPU"]))
            for node in self._ray.nodes()
            if node["Alive"] and node["Resources"].get("CPU", 0) >= 1
        }
        with self._lock:
            new = [name for name in alive if name not in self._nodes]
            gone = [name for name in self._nodes if name not in alive]
        for name in gone:
            self.lost(name)
        for name in new:
            self._start(name, alive[name])

    def _start(self, name: str, cores: int) -> None:
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        actor = (
            self._ray.remote(EngineHost)
            .options(
                num_cpus=0,
                max_concurrency=10_000,
                scheduling_strategy=NodeAffinitySchedulingStrategy(node_id=name, soft=False),
            )
            .remote(self.games, cores, self._nice, self._file)
        )
        node = _Node(name, actor, ENGINES_PER_CORE * cores)
        with self._lock:
            self._nodes[name] = node
        threading.Thread(target=self._warm, args=(node,), daemon=True, name="kibitz-warm").start()

    def _warm(self, node: _Node) -> None:
        try:
            self._ray.get(node.actor.warm.remote())
        except Exception as error:
            self._failed += 1
            self._reason = str(error).strip().splitlines()[-1] if str(error).strip() else repr(error)
            self.lost(node.id)
            return
        node.ready = True
        self._failed = 0
        self._resize()

    def lost(self, name: str) -> None:
        """A node is gone, or its actor; it gets another if it is there at the next look."""
        with self._lock:
            node = self._nodes.pop(name, None)
        if node is not None:
            with contextlib.suppress(Exception):
                self._ray.kill(node.actor)
            self._resize()

    def _resize(self) -> None:
        with self._lock:
            ready = [node for node in self._nodes.values() if node.ready]
        self.engines = max(1, sum(node.room for node in ready))
        self.cores = self.engines // ENGINES_PER_CORE or 1
        self._turns.resize(self.engines, CLOCKED_PER_CORE * self.cores)

    async def choose(self, client: Hashable) -> _Node:
        """The node for a request: the one with the client's tree while it has room, or the emptiest."""
        while True:
            with self._lock:
                ready = [node for node in self._nodes.values() if node.ready]
                if ready:
                    own = next((node for node in ready if node.id == self._node_of.get(client)), None)
                    node = min(ready, key=lambda one: len(one.running) / one.room)
                    if client is not None:
                        if own is not None and len(own.running) < own.room:
                            node = own
                        self._node_of[client] = node.id
                        self._node_of.move_to_end(client)
                        if len(self._node_of) > _MOST_CLIENTS:
                            self._node_of.popitem(last=False)
                    return node
            if self._ended.is_set():
                raise BadRequest("the pool was closed")
            if self._failed >= _MOST_TRIES:
                raise BadRequest(f"no node of the cluster can run engines: {self._reason}")
            await asyncio.sleep(0.05)

    @property
    def turns(self) -> Turns:
        return self._turns

    def next_key(self) -> int:
        return next(self._keys)


class RemoteStream(ReportStream):
    """The reports of a search on some node; of another node when that one is lost."""

    def __init__(
        self,
        pool: RemotePool,
        asked: tuple[Any, ...],
        every: float | None,
        party: Hashable,
        priority: Priority,
    ) -> None:
        self._pool = pool
        self._asked = asked
        self._every = every
        self._party = party
        self._priority = priority
        self._turn: Turn | None = None
        self._node: _Node | None = None
        self._key = -1
        self._reports: Any = None
        self._tries = 0
        self._over = False
        self._stopping = False

    async def __anext__(self) -> Report:
        if self._over:
            raise StopAsyncIteration
        try:
            if self._turn is None:
                await self._wait_for_turn()
            while True:
                report = await self._next()
                if report is not None:
                    break
        except BaseException:
            self._leave()
            raise
        if report.final:
            self._leave()
        return report

    async def _wait_for_turn(self) -> None:
        turns = self._pool.turns
        turn = turns.queue(self._party, self._priority)
        try:
            await asyncio.wrap_future(turn.ready)
        except BaseException:
            turns.give_up(turn)
            raise
        self._turn = turn
        if self._priority == "background":
            turns.may_stop(turn, self.stop)

    async def _next(self) -> Report | None:
        """The next report; None where the search has to begin elsewhere."""
        import ray

        if self._reports is None:
            await self._begin_search()
        try:
            answer = await (await anext_of(self._reports))
        except (ray.exceptions.RayError, StopAsyncIteration) as error:
            node = self._left_node()
            if node is not None and not isinstance(error, ray.exceptions.RayTaskError):
                self._pool.lost(node.id)
            self._tries += 1
            self._pool.restarted += 1
            if self._tries >= _MOST_TRIES:
                raise BadRequest(f"a search was lost {_MOST_TRIES} times with its node") from None
            return None
        if isinstance(answer, KibitzError):
            raise answer
        assert isinstance(answer, Report)
        return answer

    async def _begin_search(self) -> None:
        request, client, preset = self._asked
        self._node = await self._pool.choose(client)
        self._key = self._pool.next_key()
        self._node.running.add(self._key)
        search = self._node.actor.search.options(num_returns="streaming")
        # Whose turn it is was decided here, and what makes room for others is stopped by its turn.
        priority = "clock" if self._priority == "clock" else "normal"
        self._reports = search.remote(self._key, request, self._every, client, preset, priority)
        if self._stopping:
            self.stop()

    def stop(self) -> None:
        self._stopping = True
        node = self._node
        if node is not None:
            with contextlib.suppress(Exception):
                node.actor.stop.remote(self._key)

    def report_every(self, seconds: float) -> None:
        """Asks the node for another pace, where the difference is worth a message."""
        if self._every is not None and abs(seconds - self._every) < _PACE_STEP * self._every:
            return
        self._every = seconds
        if self._node is not None and not self._stopping:
            with contextlib.suppress(Exception):
                self._node.actor.report_every.remote(self._key, seconds)

    def _left_node(self) -> _Node | None:
        node, self._node, self._reports = self._node, None, None
        if node is not None:
            node.running.discard(self._key)
        return node

    def _leave(self) -> None:
        if self._over:
            return
        self._over = True
        ended = self._reports is None
        if not ended:
            self.stop()  # it may have ended by itself
        self._left_node()
        if self._turn is not None:
            self._pool.turns.end(self._turn)

    async def aclose(self) -> None:
        self._leave()


def anext_of(reports: Any) -> Any:
    """Python 3.10's `anext` for what has only the method."""
    return reports.__anext__()
