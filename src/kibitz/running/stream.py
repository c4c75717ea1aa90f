"""The reports of a request for asyncio, without a thread for a search that runs.

The native search has its own threads; the event loop looks at it now and then. Only an exact solver, which
blocks, is given a Python thread, of which there are as many as cores.
"""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import Future
from functools import cache
from queue import SimpleQueue
from typing import Any

from kibitz import _native
from kibitz.report import Report
from kibitz.running.job import TICK, Blocking, Pause, SearchJob, Start
from kibitz.running.shutdown import NativeWork

#: Seconds between two looks at a search: a share of its age, within limits.
_LOOK_SHARE, _LOOK_LEAST, _LOOK_MOST = 0.05, 0.001, 0.25


class ReportStream(AsyncIterator[Report]):
    """`async for report in engine.astream(...)`; the last report is final.

    The search ends and its engine is free as soon as the loop is left: by `break`, an exception, a cancelled
    task. Who keeps the stream in a variable calls `aclose`, or uses it in `async with`.
    """

    def __init__(
        self,
        begin: Callable[[], Awaitable[tuple[SearchJob, NativeWork]]],
        end: Callable[[], None],
        urgent: bool = False,
    ) -> None:
        """`begin` gives the job once its engine is free, `end` gives the engine back. Where searches take
        turns, an `urgent` one goes before the others."""
        self._urgent = urgent
        self._begin: Callable[[], Awaitable[tuple[SearchJob, NativeWork]]] | None = begin
        self._end = end
        self._job: SearchJob | None = None
        self._stopping = False
        self._answer: Any = None

    def __aiter__(self) -> ReportStream:
        return self

    async def __anext__(self) -> Report:
        try:
            if self._begin is not None:
                begin, self._begin = self._begin, None
                self._job, self._work = await begin()
                self._steps = self._job.steps()
                self._begun = time.monotonic()
                if self._stopping:
                    self._job.stop()
            if self._job is None:
                raise StopAsyncIteration
            report = await self._next_report()
        except BaseException:
            self._leave()
            raise
        if report.final:
            self._leave()
        return report

    async def _next_report(self) -> Report:
        while True:
            try:
                with self._work:
                    step = self._steps.send(self._answer)
            except StopIteration:
                raise StopAsyncIteration from None
            self._answer = None
            if isinstance(step, Report):
                return step
            if isinstance(step, Pause):
                self._answer = await self._wait(step)
            else:
                self._answer = await self._call(step)

    async def _wait(self, pause: Pause) -> bool:
        # A look of no seconds keeps the interpreter's lock: the event loop need not wait to get it back.
        age = time.monotonic() - self._begun
        most = pause.seconds if pause.seconds < TICK else _LOOK_MOST  # TICK is for who blocks
        await asyncio.sleep(min(max(_LOOK_SHARE * age, _LOOK_LEAST), most))
        with self._work:
            return pause.wait(0)

    async def _call(self, step: Blocking) -> Any:
        if not isinstance(step, Start):
            return await asyncio.wrap_future(_solvers().submit(step.call))
        with self._work:
            # Said each time: a start that failed has not taken what was said before it.
            _native.make_next_start_urgent(self._urgent)
            step.call()
        return None

    def stop(self) -> None:
        """Ends the search, or the wait for it, early: the next report is the final one."""
        self._stopping = True
        if self._job is not None:
            self._job.stop()

    def report_every(self, seconds: float) -> None:
        """Changes the time between two reports."""
        if self._job is not None:
            self._job.every = seconds

    def _leave(self) -> None:
        """Ends what runs, without waiting for it, and gives the engine back; a second time does nothing."""
        job, self._job, self._begin = self._job, None, None
        if job is not None:
            job.abandon()
            self._steps.close()
            self._end()

    async def aclose(self) -> None:
        """Ends the search and waits for its threads."""
        job = self._job
        self._leave()
        while job is not None:
            with self._work:
                if job.ended(0):
                    return
            await asyncio.sleep(_LOOK_LEAST)

    async def __aenter__(self) -> ReportStream:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    def __del__(self) -> None:
        self._leave()


class _Threads:
    """Calls on at most so many daemon threads. The threads of concurrent.futures would not do: Python joins
    them at exit before anybody can stop what they wait for."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._calls: SimpleQueue[tuple[Future[Any], Callable[[], Any]]] = SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._starting = threading.Lock()

    def submit(self, call: Callable[[], Any]) -> Future[Any]:
        future: Future[Any] = Future()
        self._calls.put((future, call))
        with self._starting:
            if len(self._threads) < self._most:
                thread = threading.Thread(target=self._work, name="kibitz-solver", daemon=True)
                self._threads.append(thread)
                thread.start()
        return future

    def _work(self) -> None:
        while True:
            future, call = self._calls.get()
            if not future.set_running_or_notify_cancel():
                continue
            try:
                future.set_result(call())
            except BaseException as error:
                future.set_exception(error)
            del future, call  # nothing of a request is kept while the thread waits for the next


@cache
def _solvers() -> _Threads:
    return _Threads(os.cpu_count() or 1)
