"""Analyses over a WebSocket: they stream as they deepen, several at once, and end when the browser leaves.

The client sends `{"type": "start", "id": ..., "request": {...}, "preset": ..., "every": 0.25}`, where the
request is a `Request` as docs/report.md has it (`"network": NAME` adds one of `/api/networks`), and
`{"type": "stop", "id": ...}`. The server answers with `{"type": "report", "id": ..., "report": {...},
"lines": {...}, "why": [...]}` (facts about the best move, docs/why.md), at last `{"type": "end", "id": ...}`.
`{"type": "review", "id": ..., "record": {...}, "effort": "normal"}` (or `"seconds": 0.5`) reviews a whole
game: a `turn` for each move, at last a `summary`. A review goes on when the client leaves; `stop` stops it.
What goes wrong is sent as `{"type": "error", "id": ..., "error": ...}`.
"""

from __future__ import annotations

import asyncio
import json
import math
import secrets
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from typing import Any

from fastapi import APIRouter, WebSocket, WebSocketDisconnect

from kibitz import explanation
from kibitz.errors import BadRequest, KibitzError
from kibitz.games import registry
from kibitz.json_form import decode_fields, encode, load
from kibitz.pool import Pool
from kibitz.report import Report
from kibitz.request import Budget, Request
from kibitz.sentences import Sentence
from kibitz.server.errors import error_form, explain
from kibitz.server.networks import NetworkPools
from kibitz.server.positions import read_position
from kibitz.server.reviews import Reviews
from kibitz.server.settings import Limits

router = APIRouter()

#: Options a client may not set: what they cost is everybody's.
_KEPT = frozenset({"threads", "memory_mb", "cache_mb", "batch", "weights"})
_MOST_ID = 64
#: Seconds until the first message, and the code with which a silent connection is ended.
_PATIENCE, _SILENT = 30.0, 4408
#: The share of the thread's time for telling of reports (making them takes as much again), and the most that
#: one is said to take: the thread may have waited for a core meanwhile.
_REPORTS_SHARE, _MOST_COST = 0.05, 0.02


def read_request(data: Any, limits: Limits) -> Request:
    """The request of a client, within the limits of the server."""
    if not isinstance(data, Mapping):
        raise BadRequest("request must be a table of fields")
    place = data.get("position")
    if not isinstance(place, Mapping):
        raise BadRequest("request needs the field position, a table with game, start and moves")
    fields = decode_fields(Request, data, skip=("position",))
    kept = _KEPT & set(fields.get("options") or {})
    if kept:
        raise BadRequest(f"the server sets {', '.join(sorted(kept))} itself")
    request = Request(position=read_position(place).mover_view(), **fields)
    seconds = min(request.budget.seconds or math.inf, limits.analysis_seconds)
    return replace(
        request,
        budget=Budget(request.budget.simulations, request.budget.visits, seconds),
        line_length=min(request.line_length, limits.line),
        top=min(request.top or limits.top, limits.top),
    ).with_analysis_defaults()


def named_lines(report: Report) -> dict[str, list[str]]:
    """The lines of a report as people of the game write them, by first move, where that differs."""
    names = {}
    for info in report.moves:
        with suppress(KibitzError):  # a search may play on where the rules end the game
            line = report.position.line_text(info.line)
            if line != list(info.line):
                names[info.move] = line
    return names


class _ClientLeft(Exception):
    """The connection ended while something was sent."""


class Pace:
    """How often analyses report: the thread that answers has time for everything else, too."""

    def __init__(self) -> None:
        #: What it took of late to tell of a report, in seconds.
        self._cost = 0.0

    def after(self, seconds: float, running: int) -> float:
        """The time between two reports of each search that runs, after a report that took so long."""
        self._cost += 0.1 * (min(seconds, _MOST_COST) - self._cost)
        return self._cost * running / _REPORTS_SHARE


class Analyses:
    """The analyses of one connection."""

    def __init__(
        self,
        pool: Pool,
        limits: Limits,
        socket: WebSocket,
        networks: NetworkPools,
        reviews: Reviews,
        pace: Pace,
    ) -> None:
        self._pool, self._limits, self._socket, self._networks = pool, limits, socket, networks
        self._reviews, self._pace = reviews, pace
        #: What was asked of the reviews that are followed, by name.
        self._reviewed: dict[str, Mapping[str, Any]] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        #: The engines are shared by addresses, so that more connections bring no more of them.
        self._party = socket.client.host if socket.client else ""

    async def serve(self) -> None:
        """Answers until the client leaves."""
        await self._socket.accept()
        try:
            await self._take(await asyncio.wait_for(self._socket.receive_text(), _PATIENCE))
            while True:
                await self._take(await self._socket.receive_text())
        except (WebSocketDisconnect, _ClientLeft, KeyError):  # KeyError: a message of bytes
            pass
        except asyncio.TimeoutError:
            await self._socket.close(_SILENT)
        finally:
            for task in self._tasks.values():
                task.cancel()  # each stops its search and gives its engine back

    async def _take(self, text: str) -> None:
        name = ""
        try:
            if len(text) > self._limits.message:
                raise BadRequest(Sentence("error.messageTooLarge"))
            message = load(text)
            if not isinstance(message, Mapping):
                raise BadRequest("a message is a table with type and id")
            name = message.get("id", "")
            if not isinstance(name, str) or len(name) > _MOST_ID:
                name = ""
                raise BadRequest("id must be text")
            kind = message.get("type")
            if kind == "start":
                await self._start(name, message)
            elif kind == "review":
                await self._start_review(name, message)
            elif kind == "stop":
                await self._stop(name)
                if asked := self._reviewed.pop(name, None):
                    await self._reviews.cancel(asked)
            else:
                raise BadRequest("type must be start, review or stop")
        except (_ClientLeft, WebSocketDisconnect):
            raise
        except Exception as error:
            await self._send(_error(error, name))

    async def _start(self, name: str, message: Mapping[str, Any]) -> None:
        await self._stop(name)
        if len(self._tasks) >= self._limits.analyses:
            raise BadRequest(Sentence("error.analysesRun", {"most": self._limits.analyses}))
        request = read_request(message.get("request"), self._limits)
        presets = registry.get(request.position.game).presets
        preset = message.get("preset", "default")
        if not isinstance(preset, str) or preset not in presets:
            raise BadRequest(f"no preset {str(preset)[:40]!r}; there are {', '.join(presets)}")
        every = message.get("every", 0.25)
        if isinstance(every, bool) or not isinstance(every, (int, float)) or not math.isfinite(every):
            raise BadRequest("every must be a number of seconds")
        network = message.get("network", "")
        if not isinstance(network, str):
            raise BadRequest("network must be the name of one")
        work = self._run(name, request, preset, max(float(every), self._limits.every), network)
        self._tasks[name] = asyncio.create_task(work)

    async def _start_review(self, name: str, message: Mapping[str, Any]) -> None:
        await self._stop(name)
        if len(self._tasks) >= self._limits.analyses:
            raise BadRequest(Sentence("error.analysesRun", {"most": self._limits.analyses}))
        self._reviewed[name] = message
        self._tasks[name] = asyncio.create_task(self._review(name, message))

    async def _review(self, name: str, message: Mapping[str, Any]) -> None:
        async with self._ending(name):
            async for part in self._reviews.follow(message, self._party):
                await self._send({**part, "id": name})
            self._reviewed.pop(name, None)

    async def _stop(self, name: str) -> None:
        task = self._tasks.pop(name, None)
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _run(self, name: str, request: Request, preset: str, every: float, network: str) -> None:
        client = (id(self), name)
        async with self._ending(name):
            pool = self._pool
            if network:  # reading its file takes a while
                pool = await asyncio.to_thread(self._networks.pool, request.position.game, network)
            stream = pool.arun(
                request, every, client=client, preset=preset, party=self._party, priority="background"
            )
            async with stream as reports:
                async for report in reports:
                    begun = time.perf_counter()
                    lines = named_lines(report)
                    why = encode(explanation.explain(report).reasons)
                    shown = {"report": report.to_dict(), "lines": lines, "why": why}
                    stream.report_every(
                        max(every, self._pace.after(time.perf_counter() - begun, pool.running))
                    )
                    await self._send({"type": "report", "id": name, **shown})

    @asynccontextmanager
    async def _ending(self, name: str) -> AsyncIterator[None]:
        """Tells the client how a task ended, unless it has left."""
        last: dict[str, Any] = {"type": "end", "id": name}
        try:
            yield
        except _ClientLeft:
            return
        except Exception as error:
            last = _error(error, name)
        if self._tasks.get(name) is asyncio.current_task():
            del self._tasks[name]
        with suppress(_ClientLeft):
            await self._send(last)

    async def _send(self, message: dict[str, Any]) -> None:
        try:
            await self._socket.send_text(json.dumps(message, allow_nan=False, separators=(",", ":")))
        except (RuntimeError, WebSocketDisconnect):
            raise _ClientLeft from None


def _error(error: Exception, name: str) -> dict[str, Any]:
    """What is sent of an error; a name is the client's own, so the log has another."""
    _, text = explain(error, secrets.token_hex(6), "an analysis")
    return {"type": "error", "id": name, **error_form(text)}


@router.websocket("/api/analyses")
async def analyses(socket: WebSocket) -> None:
    state = socket.app.state
    limits = state.settings.limits
    await Analyses(state.pool, limits, socket, state.networks, state.reviews, state.pace).serve()
