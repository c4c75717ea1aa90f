"""The rooms that are in use in this process.

An action is checked on the room in memory, written to the database, and only then becomes the room that
everybody sees; when another process was first, the room is read anew. `_sweep` looks after what nobody asks
for: clocks that run out, engines that are to move, rooms that nobody uses any more.

Everything runs in one event loop, except calls of the database, which have threads of their own.
"""

from __future__ import annotations

import asyncio
import json
import logging
import math
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, TypeVar

from sqlalchemy.exc import SQLAlchemyError

from kibitz.errors import BadRequest, KibitzError
from kibitz.pool import Pool
from kibitz.sentences import Sentence
from kibitz.server.errors import first_line, is_machine
from kibitz.server.rooms.live import LiveRoom
from kibitz.server.rooms.log import RoomLog
from kibitz.server.rooms.opponent import Opponent
from kibitz.server.rooms.permissions import check_right
from kibitz.server.rooms.record import Action, Room
from kibitz.server.rooms.settings import RoomSettings
from kibitz.server.rooms.traffic import Traffic
from kibitz.server.store.database import Database

T = TypeVar("T")

#: Seconds between two looks at the rooms in use, and at the database for others.
_LOOK, _LOOK_FURTHER = 0.2, 2.0
#: How long another process leaves an engine's step to the one that took it on.
_PATIENCE = 15.0
#: A server that was away longer stopped the clocks.
_LAPSE = 6.0
#: A room that nobody uses is forgotten after so long.
_IDLE = 60.0
_TRIES = 5

_log = logging.getLogger(__name__)


class Hub:
    """All rooms in use. `now` is in seconds since 1970, so that clocks go on after a restart."""

    def __init__(self, database: Database, pool: Pool, now: Callable[[], float] = time.time) -> None:
        self.log = RoomLog(database)
        self.now = now
        self._pool = pool
        #: No other process shares the rooms.
        self.alone = database.engine.dialect.name == "sqlite"
        # One writer at a time is what SQLite has.
        self._threads = ThreadPoolExecutor(1 if self.alone else 8, "rooms")
        self._rooms: dict[str, LiveRoom] = {}
        self._loading = asyncio.Lock()
        self._traffic = None if self.alone else Traffic(database, self._heard)
        self._tasks: set[asyncio.Task[Any]] = set()
        self._beaten = now()
        self._beating = asyncio.Lock()
        self._unwritten: list[tuple[Room, Action, asyncio.Future[bool]]] = []
        self._writer: asyncio.Task[None] | None = None
        #: Why clocks and engines are not looked after at the moment; "" while all is well.
        self._problem = ""

    # -- life -------------------------------------------------------------------------------------

    async def start(self) -> None:
        """Takes up what was under way when the last server ended."""
        if self.alone:
            await self._run(self.log.take_over, self.now())
        await self._beat()
        if self._traffic is not None:
            self._spawn(self._traffic.run())
        self._spawn(self._sweep_forever())

    async def stop(self) -> None:
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._writer is not None:
            await self._writer
        self._threads.shutdown()

    @property
    def in_use(self) -> tuple[int, int]:
        """Rooms in use, and connections to them."""
        return len(self._rooms), sum(len(live.clients) for live in self._rooms.values())

    def problems(self) -> list[str]:
        """What does not work at the moment, a line each."""
        return [problem for problem in (self._problem, self._traffic and self._traffic.problem) if problem]

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            known = is_machine(error) or isinstance(error, KibitzError)
            _log.warning("a task of rooms ended: %s", first_line(error), exc_info=None if known else error)

    async def _run(self, call: Callable[..., T], *arguments: Any) -> T:
        """A call of the database, in a thread."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, call, *arguments)

    # -- rooms ------------------------------------------------------------------------------------

    async def open(self, settings: RoomSettings) -> str:
        """A new room; the engines that were wished for sit down."""
        name = await self._run(self.log.open, settings, self.now())
        if settings.engines:
            live = await self.room(name)
            assert live is not None
            for seat, level in settings.engines.items():
                await self.act(live, seat, "engine", level)
        return name

    async def room(self, name: str) -> LiveRoom | None:
        """A room in use, read from the database when it was not."""
        async with self._loading:
            if name not in self._rooms:
                room = await self._run(self.log.load, name)
                if room is None:
                    return None
                self._rooms[name] = LiveRoom(room, Opponent(self._pool), self.now())
            return self._rooms[name]

    def look_after(self, live: LiveRoom) -> None:
        """Lets the engine move where it is to: somebody has come, or something has happened."""
        room = live.room
        watched = room.has_people() or bool(live.clients)
        if watched and room.engines_turn() is not None and not live.is_driven:
            live.driver = self._spawn(self._drive(live))

    # -- actions ----------------------------------------------------------------------------------

    async def act(
        self,
        live: LiveRoom,
        seat: str,
        kind: str,
        text: str = "",
        *,
        token: str | None = None,
        after: int | None = None,
    ) -> None:
        """Lets something happen at a seat; KibitzError when it may not. `token` is the hash of who acts, None
        for the server itself; `after` the last step that was known to it, if that matters."""
        await self._beat(self.now() - _LAPSE)  # a machine that slept: its clocks did, too
        async with live.lock:
            for _ in range(_TRIES):
                now = self.now()
                if live.room.time_is_up(now) and not await self._add(live, now, "", "tick"):
                    continue
                if after is not None and live.room.step != after:
                    raise BadRequest(Sentence("error.otherFirst"))
                if token is not None:
                    check_right(live.room, token, seat, kind)
                if await self._add(live, now, seat, kind, text):
                    break
            else:
                raise BadRequest(Sentence("error.roomBusy"))
        if kind == "rematch" and live.room.wants_rematch():
            await self._open_next(live)
        self.look_after(live)

    async def _open_next(self, live: LiveRoom) -> None:
        """The room of another game between the same people, who change seats where there are two."""
        room = live.room
        names = list(room.seats)
        other = (
            dict(zip(names, reversed(names), strict=True))
            if len(names) == 2
            else dict(zip(names, names, strict=True))
        )
        engines = {other[name]: seat.level for name, seat in room.seats.items() if seat.level}
        name = await self.open(room.settings.model_copy(update={"engines": engines, "listed": False}))
        following = await self.room(name)
        assert following is not None
        for seat, one in room.seats.items():
            if one.token:
                who = json.dumps({"name": one.name, "token": one.token})
                await self.act(following, other[seat], "sit", who)
        await self.act(live, "", "next", name)

    async def listed(self) -> list[Room]:
        """Rooms whose people want to be found and that wait for others."""
        rooms = [await self.room(name) for name in await self._run(self.log.listed, self.now())]
        return [live.room for live in rooms if live is not None and live.room.is_open()]

    async def _add(self, live: LiveRoom, now: float, seat: str, kind: str, text: str = "") -> bool:
        """One action, with the lock held: checked, to the disk, to everybody. False when another process was
        first; the room is as that left it."""
        room = live.room
        action = Action(room.number + 1, max(now, room.at), seat, kind, text)
        following = room.after(action)
        try:
            written = await self._append(following, action)
        except SQLAlchemyError as error:
            _log.warning("room %s cannot be written: %s", room.name, first_line(error))
            await self._reload(live)
            raise BadRequest(Sentence("error.notKept")) from None
        except asyncio.CancelledError:
            self._rooms.pop(room.name, None)  # whether it is written is not known here
            live.close()
            raise
        if not written:
            await self._reload(live)
            return False
        live.room = following
        live.tell(self.now())
        return True

    async def _append(self, room: Room, action: Action) -> bool:
        """To the disk. Of SQLite, which has one writer, actions that come while others are written share the
        next transaction: it waits for the disk once."""
        if not self.alone:
            return (await self._run(self.log.append, [(room, action)], _PATIENCE))[0]
        written: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._unwritten.append((room, action, written))
        if self._writer is None or self._writer.done():
            self._writer = asyncio.create_task(self._write())
        return await written

    async def _write(self) -> None:
        """Writes what there is, until there is nothing."""
        while self._unwritten:
            entries, self._unwritten = self._unwritten, []
            answers: list[bool] | Exception
            try:
                actions = [(room, action) for room, action, _ in entries]
                answers = await self._run(self.log.append, actions, _PATIENCE)
            except Exception as error:
                answers = error
            for number, (_, _, written) in enumerate(entries):
                if written.done():  # who asked has left
                    continue
                if isinstance(answers, Exception):
                    written.set_exception(answers)
                else:
                    written.set_result(answers[number])

    async def _reload(self, live: LiveRoom) -> None:
        """The room as the database has it. When even that fails, nobody goes on with this one."""
        self._rooms.pop(live.room.name, None)
        try:
            room = await self._run(self.log.load, live.room.name)
        except SQLAlchemyError:
            room = None
        if room is None:
            live.close()
            raise BadRequest(Sentence("error.roomUnread"))
        live.room = room
        self._rooms[room.name] = live
        live.tell(self.now())

    async def _heard(self, name: str, number: int) -> None:
        """Another process has written an action. A `name` of "" stands for all: some may have been missed."""
        wanted = [name] if name else list(self._rooms)
        for live in [self._rooms[one] for one in wanted if one in self._rooms]:
            if name and number <= live.room.number:
                continue
            async with live.lock:
                await self._catch_up(live)
            live.tell(self.now())

    async def _catch_up(self, live: LiveRoom) -> None:
        """What another process wrote. A room for which that fails is closed; its people come again."""
        try:
            for action in await self._run(self.log.since, live.room.name, live.room.number):
                live.room = live.room.after(action)
        except (SQLAlchemyError, KibitzError) as error:
            _log.warning("room %s: what another process wrote: %s", live.room.name, first_line(error))
            with suppress(BadRequest):
                await self._reload(live)

    # -- what nobody asks for ---------------------------------------------------------------------

    async def _drive(self, live: LiveRoom) -> None:
        """Plays for the engines of a room until a person is to move."""
        while (seat := live.room.engines_turn()) is not None and (live.room.has_people() or live.clients):
            step = live.room.step
            kind, text = await live.opponent.decide(live.room, seat)
            try:
                await self.act(live, seat, kind, text, after=step)
            except BadRequest:
                if live.room.step == step:
                    raise  # the database failed; `_sweep_further` tries again
                # Something else happened while it thought: look again.

    async def _sweep_forever(self) -> None:
        further = 0.0
        while True:
            await asyncio.sleep(_LOOK)
            try:
                await self._sweep()
                if time.monotonic() >= further:
                    further = time.monotonic() + _LOOK_FURTHER
                    await self._beat()
                    await self._sweep_further()
                    self._problem = ""
            except Exception as error:  # without this task clocks and engines would stand for good
                problem = f"rooms cannot be looked after: {first_line(error)}"
                if problem != self._problem:
                    _log.warning(problem, exc_info=not (is_machine(error) or isinstance(error, KibitzError)))
                self._problem = problem

    async def _sweep(self) -> None:
        """Ends turns whose time is up; forgets rooms that nobody uses."""
        now = self.now()
        for live in list(self._rooms.values()):
            if live.room.time_is_up(now):
                async with live.lock:
                    if live.room.time_is_up(now):
                        await self._add(live, now, "", "tick")
                self.look_after(live)
            if live.clients or live.is_driven:
                live.used = now
            elif now - live.used > _IDLE and not live.lock.locked():
                self._rooms.pop(live.room.name, None)

    async def _sweep_further(self) -> None:
        """Takes on rooms that are not in use here: after a crash, or with nobody connected."""
        now = self.now()
        for name in await self._run(self.log.due, now):
            live = await self.room(name)
            if live is None:
                continue
            live.room.pass_time(now)
            if await self._run(self.log.claim, name, now, live.room.due(_PATIENCE)):
                self.look_after(live)

    async def _beat(self, before: float = math.inf) -> None:
        """Says that this server is there, if the last time was `before`; when no server was for long, the
        clocks did not run. Of many who ask at once the first does it."""
        if self._beaten >= before:
            return
        async with self._beating:
            if self._beaten < before:
                await self._beat_once()

    async def _beat_once(self) -> None:
        now = self.now()
        since, rooms = await self._run(self.log.lapse, now, _LAPSE)
        self._beaten = now
        for name in rooms:
            live = await self.room(name)
            if live is not None:
                async with live.lock:
                    await self._add(live, now, "", "away", repr(since))
        await self._run(self.log.beat, now)
