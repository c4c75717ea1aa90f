"""One request being carried out, step by step, so that its caller may block for the steps or await them.

A job is a generator of steps. A `Pause` asks to wait for the native search, a `Blocking` call takes long and
is made where it holds nobody up, everything else is a report. `engine.py` blocks for them, `report_stream.py`
awaits them; neither needs a Python thread for a search that runs.
"""

from __future__ import annotations

import contextlib
import math
import threading
import time
from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from typing import Any

from kibitz.audit import finalize_audit
from kibitz.errors import BadRequest
from kibitz.games.base import Exact, GameInfo, NativeSearch
from kibitz.network import EngineNetwork
from kibitz.plan import Prepared, plan_look
from kibitz.questions import Reply
from kibitz.questions.inquiry import Look
from kibitz.report import Report, from_exact, from_native
from kibitz.request import MOST_VISITS, Request
from kibitz.running.precision import Precision, rounds
from kibitz.running.search_tree import tree_of_rows, with_lines
from kibitz.running.shutdown import NativeWork
from kibitz.steering import Audit

#: The least that a search is given.
_LEAST_SECONDS = 0.001
#: Brief looks that have the time of one search.
_GLANCES = 6

#: How long a wait may hold the interpreter up before it looks for Ctrl-C and `stop`.
TICK = 0.05

#: Seconds between two looks at whether the search of a reader who left has ended.
_ABANDONED_TICK = 0.002

#: What alpha-beta says of an included move; its visits are nodes.
_ALPHA_BETA_GUARANTEE = "audit.exactScore"

#: A move of a reported tree (`Request.tree_depth`) has at least one visit in so many of the root's.
_TREE_SHARE = 1000

#: The share of a time limit that may go into solving the root before searching it.
_SOLVE_SHARE = 0.6


@dataclass(frozen=True)
class Watch:
    """How a job is watched by whoever asked for it."""

    #: Seconds to the first report, and between the others.
    pace: tuple[float, float]
    #: Ends the search early once it holds.
    until: Callable[[], bool] = lambda: False
    #: Reports show the tree as text.
    debug: bool = False
    #: Called with what the search will obey, before it begins.
    audited: Callable[[Audit], None] = lambda _: None


@dataclass(frozen=True)
class Pause:
    """Wait for the search: `wait(seconds)` says whether it has ended, which is the step's answer."""

    wait: Callable[[float], bool]
    seconds: float


@dataclass(frozen=True)
class Blocking:
    """A call that may take long; what it returns is the step's answer."""

    call: Callable[[], Any]


@dataclass(frozen=True)
class Start(Blocking):
    """Starts the native search, which is quick."""


Step = Report | Pause | Blocking


class SearchJob:
    """One request of an engine. `prepare` gives the native search that stands at its position, `network` is
    the one that judges it, `plan` says how the searches that follow from it are carried out.

    Threads: `steps` is used by one at a time, `stop` and `abandon` by any.
    """

    def __init__(
        self,
        info: GameInfo,
        described: str,
        prepared: Prepared,
        watch: Watch,
        prepare: Callable[[Prepared], NativeSearch],
        network: EngineNetwork | None = None,
        plan: Callable[[Request], Prepared] | None = None,
    ) -> None:
        self.info = info
        self.prepared = prepared
        self._watch = watch
        #: Seconds between reports; may be changed while it runs.
        self.every = watch.pace[1]
        #: Its reader has left: the engine is free once `ended` holds.
        self.abandoned = False
        self._described = described
        self._prepare = prepare
        self._network = network
        self._plan = plan
        self._search: NativeSearch | None = None
        self._stopping = threading.Event()
        self._solving = threading.Lock()
        self._started = 0.0
        #: When the next report is due.
        self._due = math.inf

    def stop(self) -> None:
        """Ends the work, of which the last report then tells."""
        self._stopping.set()
        if self._search is not None:
            self._search.stop()

    def abandon(self) -> None:
        """Ends the work that nobody reads any more; returns at once."""
        self.abandoned = True
        self.stop()

    def ended(self, seconds: float) -> bool:
        """Whether no native work of it runs any more; waits up to `seconds` for that."""
        if not self._solving.acquire(timeout=max(seconds, 0.0)):
            return False
        self._solving.release()
        # An error of the evaluator was for the reader who has left.
        with contextlib.suppress(Exception):
            return self._search is None or self._search.wait(seconds)
        return True

    def end(self) -> None:
        """Stops the work and waits for it: no thread stays behind."""
        self.stop()
        while not self.ended(TICK):
            self.stop()

    # -- steps ------------------------------------------------------------------------------------

    def steps(self) -> Generator[Step, Any, None]:
        if self._watch.until():
            self._stopping.set()
        self._started = time.monotonic()
        exact = yield from self._solve()
        if exact is not None:
            request = self.prepared.request
            yield from_exact(request.position, exact, self.prepared.audit, self._described, request.top)
            return
        with contextlib.nullcontext() if self._network is None else self._network.in_use():
            yield from self._searched()

    def _solve(self) -> Generator[Step, Any, Exact | None]:
        """The exact answer when the position is within the solver's reach and nothing is steered."""
        info, request, options = self.info, self.prepared.request, self.prepared.options
        if not info.solve or request.steering:
            return None
        if self._alpha_beta and not options.solve_all:  # it hands over to the solver by itself
            return None
        if request.position.remaining > options.solve_root:
            return None
        exact: Exact | None = yield Blocking(self._solved)
        return exact

    def _solved(self) -> Exact | None:
        assert self.info.solve is not None
        limit = self.prepared.request.budget.seconds
        seconds = float("inf")
        if limit:  # the call may have waited for a thread
            seconds = limit * _SOLVE_SHARE - (time.monotonic() - self._started)
        if seconds <= 0 or self._stopping.is_set():
            return None
        with self._solving:
            position, every_move = self.prepared.request.position, self.prepared.options.solve_all
            return self.info.solve(position, seconds, self._stopping.is_set, every_move)

    def _searched(self) -> Generator[Step, Any, None]:
        prepared = self.prepared
        search = self._prepare(prepared)
        self._watch.audited(prepared.audit)
        self._due = time.monotonic() + self._watch.pace[0]
        limits = dict(prepared.limits)
        if "seconds" in limits:  # solving, and walking the tree to the position, took their time
            limits["seconds"] = max(_LEAST_SECONDS, limits["seconds"] - (time.monotonic() - self._started))
        if prepared.within is not None and self._plan is not None:
            report = yield from self._rounds(search, limits, prepared.within)
        else:
            yield from self._until_ended(
                search, prepared.plan, limits, lambda: self._report(search, final=False)
            )
            report = self._report(search, final=True)
        if prepared.inquiries:
            report = yield from self._asked(report)
        yield report

    def _until_ended(
        self,
        search: NativeSearch,
        native_plan: Any,
        limits: dict[str, Any],
        shown: Callable[[], Report],
    ) -> Generator[Step, Any, None]:
        """Runs a native search to its end; `shown` makes the reports while it runs."""
        watch = self._watch
        yield Start(lambda: self._start(search, native_plan, limits))
        while not (yield Pause(search.wait, min(TICK, *watch.pace))):
            if watch.until():
                self.stop()
            if time.monotonic() >= self._due:
                yield shown()
                self._due = time.monotonic() + self.every

    def _rounds(
        self, search: NativeSearch, limits: dict[str, Any], within: float
    ) -> Generator[Step, Any, Report]:
        """A search whose included moves are to be known with a precision (running/precision.py)."""
        assert self._plan is not None
        request, ends = self.prepared.request, time.monotonic() + limits.get("seconds", math.inf)
        position = request.position
        moves = {position.parse_move(text): text for text in self.prepared.included}
        counts = [limit for name, limit in limits.items() if name != "seconds"]
        precision = Precision(within, moves, min(counts, default=MOST_VISITS))
        simulations, stop, shares = 0, "", rounds(limits)
        own: dict[str, Any] | None = next(shares)
        while (wanted := precision.next_visits()) or own is not None:
            steering = replace(request.steering, include={**request.steering.include, **wanted})
            round_plan = self._plan(replace(request, steering=steering)).plan
            # Rounds after the search's own visits are for included moves alone.
            allowed = dict(
                own or {"simulations": 1, **({"visits": limits["visits"]} if "visits" in limits else {})}
            )
            if "seconds" in limits:
                left = ends - time.monotonic()
                allowed["seconds"] = max(_LEAST_SECONDS, min(allowed.get("seconds", left), left))
            yield from self._until_ended(
                search, round_plan, allowed, lambda: self._report(search, final=False, precision=precision)
            )
            native = search.report(1, False)
            simulations += native.simulations
            stop = native.stop if own is not None else stop
            more = precision.note(native)
            stuck = own is None and not more  # the tree is full, or the game is proven
            own = next(shares, None)
            if stuck or self._stopping.is_set() or time.monotonic() >= ends:
                break
        report = self._report(search, final=True, precision=precision)
        seconds = time.monotonic() - self._started
        return replace(report, simulations=simulations, seconds=seconds, stop_reason=stop)

    def _asked(self, root: Report) -> Generator[Step, Any, Report]:
        """The report with the replies to the questions: positions are searched one after the other."""
        replies: list[Reply] = []
        left, simulations = self.prepared.searches - 1, root.simulations
        shown = replace(root, final=False)
        for inquiry in self.prepared.inquiries:
            after = left - inquiry.looks
            steps = inquiry.steps(root)
            try:
                look = next(steps)
                while not self._stopping.is_set():
                    found = yield from self._look(look, max(1, left), shown)
                    simulations += found.simulations
                    left -= not look.brief
                    look = steps.send(found)
                replies.append(inquiry.unanswered())
            except StopIteration as end:
                replies.append(end.value)
            left = after
            shown = replace(shown, replies=tuple(replies))
        seconds = time.monotonic() - self._started
        return replace(root, replies=tuple(replies), simulations=simulations, seconds=seconds)

    def _look(self, look: Look, left: int, shown: Report) -> Generator[Step, Any, Report]:
        """The report of a search that a question needs; `left` searches share what is left of the time."""
        assert self._plan is not None
        limits = self.prepared.request.budget.limits()
        seconds = None
        if "seconds" in limits:
            seconds = (limits["seconds"] - (time.monotonic() - self._started)) / (
                left * (_GLANCES if look.brief else 1)
            )
            seconds = max(_LEAST_SECONDS, seconds)
        prepared = self._plan(plan_look(self.prepared, look, seconds))
        search = self._prepare(prepared)
        yield from self._until_ended(search, prepared.plan, dict(prepared.limits), lambda: shown)
        return self._report(search, final=True, prepared=prepared)

    def _start(self, search: NativeSearch, native_plan: Any, limits: dict[str, Any]) -> None:
        with self._solving:  # who asks whether the work has ended waits until it has begun
            search.start(native_plan, **limits)
            self._search = search
            if self._stopping.is_set():  # a stop that came before the search could hear it
                search.stop()

    @property
    def _alpha_beta(self) -> bool:
        return self.prepared.family == "alphabeta"

    @property
    def _evaluator(self) -> str:
        """What evaluates a leaf; a search of sampled worlds has one way only."""
        return "scoring" if self.info.searches.family == "worlds" else str(self.prepared.options.evaluator)

    def _report(
        self,
        search: NativeSearch,
        final: bool,
        prepared: Prepared | None = None,
        precision: Precision | None = None,
    ) -> Report:
        prepared = prepared or self.prepared
        request, audit = prepared.request, prepared.audit
        native = search.report(request.line_length, request.move_ownership)
        errors = None if precision is None else precision.errors(request.position.state.move_text)
        if final:
            guarantee = _ALPHA_BETA_GUARANTEE if self._alpha_beta else self.info.searches.guarantee
            audit = finalize_audit(audit, native, request.position, guarantee, errors)
        # Networks of chess and ultimate tic-tac-toe tell no margin.
        by_network = self._evaluator == "network" and (
            self.info.sample is not None and self.info.sample.has_score
        )
        report = from_native(
            request.position,
            native,
            audit,
            engine=self._described,
            final=final,
            has_score=self._alpha_beta or by_network or self._evaluator == "scoring",
            search="alphabeta" if self._alpha_beta else self.info.searches.family,
            has_details=not self._alpha_beta and self._evaluator == "network",
            unvisited=request.unvisited,
            top=request.top,
            tree_dump=search.dump(3, max(1, native.visits // 50)) if self._watch.debug else "",
            human=prepared.human,
            compare=request.steering.compare if prepared.plan.compares else None,
        )
        if errors is not None:
            moves = tuple(replace(info, error=errors.get(info.move)) for info in report.moves)
            report = replace(report, moves=moves)
        if not request.tree_depth:
            return report
        least = max(1, native.visits // _TREE_SHARE)
        tree = tree_of_rows(search.tree(request.tree_depth, least))
        return replace(report, tree=with_lines(tree, report.moves, request.tree_depth))


class JobSlot:
    """The place for the one job that an engine works on. `work` is the lock around waits for its search.

    A job whose reader has left stays until its native work has ended; the next one waits for that.
    """

    def __init__(self, work: NativeWork) -> None:
        self.work = work
        self._job: SearchJob | None = None
        self._taking = threading.Lock()

    @property
    def busy(self) -> bool:
        job = self._job
        return job is not None and not job.abandoned

    def stop(self) -> None:
        """Ends the job under way; from any thread."""
        job = self._job
        if job is not None:
            job.stop()

    def take(self, job: SearchJob) -> None:
        """Puts a job in, or raises where another is at work."""
        with self._taking:
            before = self._job
            if before is not None:
                if not before.abandoned:
                    raise BadRequest("the engine is busy with another request; stop it or wait for it")
                with self.work:
                    before.end()
            self._job = job

    async def wait_and_take(self, job: SearchJob) -> None:
        """`take` that does not block the event loop."""
        import asyncio  # slow to import, and in use where this is called

        while (before := self._job) is not None and before.abandoned:
            with self.work:
                if before.ended(0):
                    break
            await asyncio.sleep(_ABANDONED_TICK)
        self.take(job)

    def release(self, job: SearchJob) -> None:
        """Lets the next job in, once this one's native work has ended."""
        with self._taking:
            if self._job is job:
                job.abandoned = True
                with self.work:
                    if job.ended(0):
                        self._job = None


def blocking_reports(job: SearchJob, work: NativeWork) -> Generator[Report, None, None]:
    """The reports of a job, each waited for where the exit handler can stop the wait."""
    steps, answer = job.steps(), None
    try:
        while True:
            with work:
                step = steps.send(answer)
                while not isinstance(step, Report):
                    answer = step.wait(step.seconds) if isinstance(step, Pause) else step.call()
                    step = steps.send(answer)
            answer = None
            yield step
    except StopIteration:
        return
    finally:
        steps.close()
