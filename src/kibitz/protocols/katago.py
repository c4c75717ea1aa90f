"""KataGo's analysis engine: JSON lines in, JSON lines out, several positions at once.

Threads: one reads, each worker has an engine of its own and takes the waiting position of the highest
priority, all write through one lock. Nothing a client sends ends the loop but the end of its input.
"""

from __future__ import annotations

import heapq
import itertools
import json
import re
import threading
from collections.abc import Callable
from typing import IO, Any

from kibitz.engine import Engine
from kibitz.errors import KibitzError
from kibitz.protocols.katago_answer import answer, empty_answer
from kibitz.protocols.katago_human import without_human_model
from kibitz.protocols.katago_query import Job, Problem, parse_query
from kibitz.protocols.katago_settings import Settings
from kibitz.protocols.refusals import refusals
from kibitz.protocols.streams import Output, lines_of, unforeseen
from kibitz.request import Budget, Request
from kibitz.steering import Audit

#: Longer lines are not read: no query needs them, and memory is not the client's to fill.
LONGEST_LINE = 16 * 2**20
_ID = re.compile(rb'"id"\s*:\s*("(?:[^"\\]|\\.)*")')
_ACTIONS = ("query_version", "query_models", "clear_cache", "terminate", "terminate_all")
_TURNS = "If provided, must be an array of integers indicating turns to terminate"


class _Task:
    """A job on its way."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.engine: Engine | None = None
        self.terminated = False


class AnalysisServer:
    """Serves one client. `make_engine` gives each worker its engine; `about` describes the network.

    >>> server = AnalysisServer(make_engine, Settings(), out)           # doctest: +SKIP
    >>> server.serve(sys.stdin.buffer)                                  # doctest: +SKIP
    """

    def __init__(
        self,
        make_engine: Callable[[], Engine],
        settings: Settings,
        out: IO[str],
        *,
        about: dict[str, Any] | None = None,
        version: str = "",
    ) -> None:
        self._settings = settings
        self._out = Output(out, gone=lambda: self._abandon())
        self._about = about
        self._version = version
        self._changed = threading.Condition()
        self._waiting: list[tuple[int, int, _Task]] = []
        self._running: set[_Task] = set()
        self._idle: list[Engine] = []
        self._closing = False
        self._count = itertools.count()
        self._engines = [make_engine() for _ in range(settings.analysis_threads)]
        self._threads = [
            threading.Thread(target=self._work, args=(engine,), daemon=True) for engine in self._engines
        ]
        for thread in self._threads:
            thread.start()

    # -- the client's side ------------------------------------------------------------------------

    def serve(self, source: IO[bytes], *, wait: bool = True) -> None:
        """Answers lines until the input ends; then finishes what is waiting, unless asked not to."""
        for line in lines_of(source, LONGEST_LINE):
            if len(line) > LONGEST_LINE:
                self._refuse_long(line)
            else:
                self.handle(line)
            if self._out.closed:
                break
        self.close(wait=wait and not self._out.closed)

    def _refuse_long(self, line: bytes) -> None:
        text = f"Request line was longer than {LONGEST_LINE} bytes, ignoring it"
        self._write({"error": text, **_id_in(line)})

    def handle(self, line: bytes) -> None:
        """Answers one line, or starts what will."""
        if not line.strip():
            return
        try:
            query = json.loads(line)
        except (ValueError, RecursionError) as error:
            shown = line[:200].decode("utf-8", "replace").strip()
            text = f"{error} - could not parse input line as json request: {shown}"
            self._write({"error": text, **_id_in(line)})
            return
        if not isinstance(query, dict):
            text = "Request line was valid json but was not an object, ignoring: "
            self._write({"error": text + json.dumps(query)[:200]})
            return
        if not isinstance(query.get("id"), str):
            self._write({"error": 'Request must have a string "id" field'})
            return
        try:
            if isinstance(query.get("action"), str):
                self._act(query)
            else:
                self._enqueue(query)
        except Problem as problem:
            self._write({"id": query["id"], "field": problem.field, "error": problem.text})
        except (KibitzError, RecursionError, OverflowError) as error:
            self._write({"id": query["id"], "error": str(error)})
        except Exception as error:  # whatever it is, earlier queries wait for their answers
            self._write({"id": query["id"], "error": unforeseen(error)})

    def close(self, *, wait: bool = True) -> None:
        """Ends the workers, after all that is waiting or at once."""
        with self._changed:
            self._closing = True
            if not wait:
                self._waiting.clear()
                for task in self._running:
                    self._terminate(task)
            self._changed.notify_all()
        for thread in self._threads:
            thread.join()
        for engine in self._engines:
            engine.close()

    def _abandon(self) -> None:
        """Nobody reads the answers any more."""
        with self._changed:
            self._waiting.clear()
            for task in self._running:
                self._terminate(task)
            self._changed.notify_all()

    def _act(self, query: dict[str, Any]) -> None:
        action = query["action"]
        if action == "query_version":
            query = {**query, "version": self._version, "git_hash": "kibitz"}
        elif action == "query_models":
            query = {**query, "models": [self._about] if self._about else []}
        elif action == "clear_cache":
            for engine in self._engines:
                engine.clear_cache()
        elif action == "terminate":
            if not isinstance(query.get("terminateId"), str):
                text = 'Requests for a terminate action must have a string "terminateId" field'
                raise Problem("terminateId", text)
            self._terminate_all(query, query["terminateId"])
        elif action == "terminate_all":
            self._terminate_all(query, None)
        else:
            names = " or ".join(f"'{name}'" for name in _ACTIONS)
            self._write({"id": query["id"], "error": f"'action' field must be {names}"})
            return
        self._write(query)

    def _terminate_all(self, query: dict[str, Any], wanted: str | None) -> None:
        turns = query.get("turnNumbers")
        numbers = isinstance(turns, list) and all(
            isinstance(t, int) and not isinstance(t, bool) for t in turns
        )
        if "turnNumbers" in query and not numbers:
            raise Problem("turnNumbers", _TURNS)
        with self._changed:
            tasks = [task for _, _, task in self._waiting] + list(self._running)
            for task in tasks:
                job = task.job
                if (wanted is None or job.id == wanted) and (turns is None or job.turn in turns):
                    self._terminate(task)

    def _terminate(self, task: _Task) -> None:
        task.terminated = True
        if task.engine is not None:
            task.engine.stop()

    def _enqueue(self, query: dict[str, Any]) -> None:
        jobs, warnings = parse_query(query, self._settings)
        for name, text in warnings:
            self._write({"id": query["id"], "field": name, "warning": text})
        with self._changed:
            for job in jobs:
                heapq.heappush(self._waiting, (-job.priority, next(self._count), _Task(job)))
            self._changed.notify_all()

    # -- the workers' side ------------------------------------------------------------------------

    def _work(self, engine: Engine) -> None:
        while True:
            with self._changed:
                self._idle.append(engine)
                while (task := self._next(engine)) is None:
                    if self._closing and not self._waiting:
                        return
                    self._changed.wait()
                self._idle.remove(engine)
                task.engine = engine
                self._running.add(task)
                self._changed.notify_all()
            try:
                self._analyze(engine, task)
            except Exception as error:  # whatever it is, the client hears of it and the worker goes on
                text = str(error) if isinstance(error, KibitzError) else unforeseen(error)
                self._write({"id": task.job.id, "turnNumber": task.job.turn, "error": text})
            finally:
                with self._changed:
                    self._running.discard(task)

    def _next(self, engine: Engine) -> _Task | None:
        """Takes the first of the most urgent tasks, unless the tree of another idle engine leads to it."""
        for entry in heapq.nsmallest(len(self._engines), self._waiting):
            if entry[0] != self._waiting[0][0]:
                break
            position = entry[2].job.position
            owner = next((idle for idle in self._idle if idle.continues(position)), engine)
            if owner is engine or engine.continues(position):
                self._waiting.remove(entry)
                heapq.heapify(self._waiting)
                return entry[2]
        return None

    def _analyze(self, engine: Engine, task: _Task) -> None:
        job = task.job
        if task.terminated:
            self._write(empty_answer(job))
            return
        owners = bool({"ownership", "ownership_stdev"} & job.wants)
        per_move = bool({"moves_ownership", "moves_ownership_stdev"} & job.wants)
        with self._changed:
            alone = not self._waiting and len(self._running) == 1
        options = {
            **job.settings.search_options(alone),
            "ownership": (owners or per_move) and engine.has_network,
        }
        if engine.human is not None and job.settings.human_profile and engine.human.profile:
            engine.human.imitate(job.settings.human_profile)
        if engine.human is None:
            options, lines = without_human_model(options, job.settings.human_choice)
            for text in lines:
                self._write({"id": job.id, "field": "overrideSettings", "warning": text})
        request = Request(
            job.position,
            job.steering,
            Budget(job.settings.max_playouts, job.settings.max_visits, job.settings.max_seconds),
            options,
            job.settings.pv_length + 1,  # KataGo does not count the move itself
            move_ownership=per_move,
        )
        reports = engine.run(
            request,
            job.every,
            first=job.first_after,
            until=lambda: task.terminated,
            audited=lambda audit: self._warn_refused(job, audit),
        )
        for report in reports:
            # Only the last report may become the last answer: a terminated search has one more to give.
            if report.final and task.terminated and not report.root.visits:
                self._write(empty_answer(job))
            # Before the root is evaluated its values are those of a node without visits.
            elif report.final or (report.root.visits and not task.terminated):
                self._write(answer(job, report))

    def _warn_refused(self, job: Job, audit: Audit) -> None:
        """Writes a warning for each reason why the search will not obey."""
        for kind, text in refusals(audit):
            self._write(
                {
                    "id": job.id,
                    "field": kind if kind == "ask" else f"{kind}Moves",
                    "warning": f"Turn {job.turn}: {text}",
                }
            )

    def _write(self, message: dict[str, Any]) -> None:
        self._out.say(json.dumps(message, sort_keys=True, separators=(",", ":")))


def _id_in(line: bytes) -> dict[str, str]:
    """The id of a line that could not be read whole, if it shows one."""
    match = _ID.search(line[: 2**16])
    try:
        return {"id": json.loads(match[1])} if match else {}
    except ValueError:
        return {}
