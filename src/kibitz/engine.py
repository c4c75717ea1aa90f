"""The engine: requests in, reports out. Synchronous, as an iterator, or asynchronous.

>>> import kibitz
>>> engine = kibitz.Engine("othello", preset="uct", seed=7)
>>> report = engine.analyze(kibitz.othello.Position(), simulations=2000)
>>> report.simulations
2000

Threads: one engine serves one request at a time. `stop` may be called from any thread; everything else
from the thread that owns the engine. A search runs in native threads, so waiting for it holds nobody up
and Ctrl-C works.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import os
import threading
import time
import weakref
from collections.abc import AsyncIterator, Callable, Generator, Iterator, Mapping
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Any

from kibitz.errors import BadOption, BadRequest
from kibitz.games import registry
from kibitz.games.base import NativeSearch, Position
from kibitz.games.networks import load_network
from kibitz.options import native_options, search_width
from kibitz.report import Report, from_exact, from_native
from kibitz.request import Budget, Request
from kibitz.shutdown import NativeWork
from kibitz.steering import (
    Audit,
    Honoured,
    Steering,
    Style,
    compile_plan,
    make_steering,
    make_style,
    style_options,
)

__all__ = ["Engine", "analyze"]

#: How long a wait may hold the interpreter up before it looks for Ctrl-C and `stop`.
_TICK = 0.05

#: Options that go into the numbers a tree keeps; a tree that was grown with others is not taken over.
_GROWN_WITH = (
    "history", "policy_temperature", "backup", "value_bias", "symmetry", "score_static", "score_dynamic",
    "score_center_zero", "score_scale", "two_fold_draws", "solve_leaves", "proofs", "policy_optimism",
)  # fmt: skip

#: The share of a time limit that may go into solving the root before searching it.
_SOLVE_SHARE = 0.6


@dataclass(frozen=True)
class _Task:
    """A request as it is carried out."""

    request: Request
    values: Mapping[str, Any]
    options: Any
    plan: Any
    audit: Audit
    #: Seconds to the first report, and between the others.
    pace: tuple[float, float]
    until: Callable[[], bool]
    debug: bool


class Engine:
    """An engine for one game, with a preset and options of its own. Keeps its tree between requests of one
    game when `reuse` is on."""

    def __init__(
        self,
        game: str,
        preset: str = "default",
        *,
        network: Callable[..., Any] | str | os.PathLike[str] | None = None,
        precision: str = "fp32",
        style: Style | str | float | None = None,
        **options: Any,
    ) -> None:
        """`network` is a file, a name that `kibitz nets list` shows, a `kibitz.nets.Network` or a function. A
        file is run as fast as was measured on this machine: threads and batch come from there unless the
        options name them, and the first answer does not wait for the measurement."""
        self.info = registry.get(game)
        presets = dict(self.info.presets)
        if isinstance(network, (str, os.PathLike)):
            network = load_network(game, os.fspath(network), precision=precision)
            network.tune_later()
        #: Whose tuning a search takes its threads and its batch from.
        self._tuned_by: Any = network if hasattr(network, "tuning") else None
        if network is not None:
            presets.update(self.info.network_presets)
            if preset == "default":
                preset = next(iter(self.info.network_presets), preset)
            if hasattr(network, "for_search"):  # a kibitz.nets.Network, which is not imported without need
                network = network.for_search()
        if preset not in presets:
            raise BadOption(f"unknown preset {preset!r} of {game}, expected {', '.join(presets)}")
        self.game = game
        self.preset = preset
        self.options: dict[str, Any] = {**presets[preset], **options}
        self._native_options(self.options)  # refuse bad ones now, not at the first request
        #: How it plays when a request does not say: `Engine("chess", style="medium")`.
        self.style = make_style(style)
        if self.style is not None and not style_options(self.style, game):
            known = ", ".join(self.info.styles) or "none"
            raise BadOption(f"{game} has no style {str(self.style)!r}; its styles: {known}")
        self._described = preset + "".join(f" {name}={value}" for name, value in sorted(options.items()))
        if self.style is not None:
            self._described += f" style={self.style}"
        self._network = network
        self._search: NativeSearch | None = None
        self._shape: tuple[Any, ...] = ()
        self._position: Position | None = None
        self._grown: tuple[Any, ...] = ()
        self._steering = Steering()
        self._stop = threading.Event()
        self._running = threading.Lock()
        self._work = _native_work(self)

    def _tuned_options(self, budget: Budget) -> Mapping[str, Any]:
        """Threads and batch that suit the network and the budget, as far as they are known."""
        tuning = None if self._tuned_by is None else self._tuned_by.tuning
        if tuning is None:
            return {}
        return search_width(budget.visits or budget.simulations, tuning.streams, tuning.batch)

    def _in_use(self) -> contextlib.AbstractContextManager[None]:
        return contextlib.nullcontext() if self._tuned_by is None else self._tuned_by.in_use()

    def _native_options(self, values: Mapping[str, Any]) -> Any:
        return (self.info.options or native_options)(values)

    # -- asking -----------------------------------------------------------------------------------

    def analyze(self, position: Position, **wishes: Any) -> Report:
        """The final report. Keywords: `simulations`, `visits`, `seconds`; `allow`, `avoid`, `include`,
        `min_visits`, `weights`, `prune`, `style`; `options` for this request only."""
        *_, last = self.run(make_request(position, **wishes), every=None)
        return last

    def stream(self, position: Position, every: float = 0.25, **wishes: Any) -> Generator[Report, None, None]:
        """Reports while the search runs, about every so many seconds; the last one is final."""
        return self.run(make_request(position, **wishes), every)

    async def aanalyze(self, position: Position, **wishes: Any) -> Report:
        """`analyze` for asyncio; a cancelled task stops the search."""
        return [report async for report in self.astream(position, every=3600.0, **wishes)][-1]

    async def astream(self, position: Position, every: float = 0.25, **wishes: Any) -> AsyncIterator[Report]:
        """`stream` for asyncio; a cancelled task stops the search."""
        reports = self.run(make_request(position, **wishes), every)
        step: asyncio.Future[Report | None] | None = None
        try:
            while True:
                step = asyncio.ensure_future(asyncio.to_thread(next, reports, None))
                report = await asyncio.shield(step)
                if report is None:
                    return
                yield report
        finally:
            self.stop()
            # A thread may still be inside the generator; it hears the stop and comes out.
            if step is not None and not step.done():
                await asyncio.wait([step])
            await asyncio.to_thread(reports.close)

    def best_move(self, position: Position, **wishes: Any) -> str:
        return self.analyze(position, **wishes).best

    def stop(self) -> None:
        """Ends the request under way, which then gives its final report; from any thread."""
        self._stop.set()
        search = self._search
        if search is not None:
            search.stop()

    def new_game(self, seed: int | None = None) -> None:
        """Forgets the tree, and takes a new random seed if one is given."""
        self._search = None
        self._position = None
        if seed is not None:
            self.options["seed"] = seed

    def clear_cache(self) -> None:
        """Forgets evaluations that were kept for positions met again, and the tree; from any thread."""
        search, self._position = self._search, None
        if search is not None:
            search.clear_cache()

    @property
    def has_network(self) -> bool:
        return self._network is not None

    def close(self) -> None:
        self.stop()
        self.new_game()

    def __enter__(self) -> Engine:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    # -- running ----------------------------------------------------------------------------------

    def run(
        self,
        request: Request,
        every: float | None = None,
        debug: bool = False,
        *,
        first: float | None = None,
        until: Callable[[], bool] = lambda: False,
    ) -> Generator[Report, None, None]:
        """Carries out a request: reports about every `every` seconds (the `first` one after as many as that
        says), then the final one. It ends early once `until()` holds, also where that came before it began,
        when a `stop` would not be heard."""
        if request.position.game != self.game:
            raise BadRequest(f"this engine plays {self.game}, not {request.position.game}")
        values = {**self._tuned_options(request.budget), **self.options, **request.options}
        if request.steering.style is None and self.style is not None:
            request = replace(request, steering=replace(request.steering, style=self.style))
        if request.steering.prune:
            values["prune"] = request.steering.prune
        if request.steering.style is not None:
            values.update(style_options(request.steering.style, self.game))
        options = self._native_options(values)
        has_priors = getattr(options, "rule", "") == "puct" or getattr(options, "bias", 0) > 0
        leaning = ""
        if has_priors and request.steering.style is not None:
            leaning = f"root priors, strength {request.steering.style.strength:g}"
        elif hasattr(options, "style"):
            leaning = "behaviour at the first ply"
        plan, audit = compile_plan(request.steering, request.position, leaning)
        if not self._running.acquire(blocking=False):
            raise BadRequest("the engine is busy with another request; stop it or wait for it")
        try:
            pace = (first or every or math.inf, every or math.inf)
            task = _Task(request, values, options, plan, audit, pace, until, debug)
            with self._in_use():
                yield from self._steps(self._reports(task))
        finally:
            self._running.release()

    def _steps(self, reports: Generator[Report, None, None]) -> Generator[Report, None, None]:
        """The same reports, each waited for where the exit handler can stop the wait."""
        try:
            while True:
                with self._work:
                    report = next(reports, None)
                if report is None:
                    return
                yield report
        finally:
            with self._work:
                reports.close()

    def _reports(self, task: _Task) -> Generator[Report, None, None]:
        self._stop.clear()
        if task.until():
            self._stop.set()
        started = time.monotonic()
        solved = self._solve(task.request, task.options, task.audit)
        if solved is not None:
            yield solved
            return
        yield from self._searched(task, started)

    def _solve(self, request: Request, options: Any, audit: Audit) -> Report | None:
        """The exact answer when the position is within the solver's reach and nothing is steered."""
        info, position = self.info, request.position
        if not info.solve or not info.remaining or request.steering:
            return None
        if info.remaining(position) > options.solve_root:
            return None
        limit = request.budget.seconds
        seconds = limit * _SOLVE_SHARE if limit else float("inf")
        exact = info.solve(position, seconds, self._stop.is_set, options.solve_all)
        return from_exact(position, exact, audit, self._described) if exact else None

    def _searched(self, task: _Task, started: float) -> Iterator[Report]:
        request, options = task.request, task.options
        search = self._prepared(request, task.values, options)
        limits = request.budget.limits()
        if "seconds" in limits:  # solving, and walking the tree to the position, took their time
            limits["seconds"] = max(0.001, limits["seconds"] - (time.monotonic() - started))
        search.start(task.plan, **limits)
        if self._stop.is_set():  # a stop that came before the search could hear it
            search.stop()

        def report(final: bool) -> Report:
            found = search.report(request.line_length, request.move_ownership)
            audit = task.audit
            return from_native(
                request.position,
                found,
                _with_visits(audit, found, request.position, self.info.guarantee) if final else audit,
                engine=self._described,
                final=final,
                has_score=options.evaluator in ("network", "scoring"),
                has_details=options.evaluator == "network",
                unvisited=request.unvisited,
                thoughts=search.dump(3, max(1, found.visits // 50)) if task.debug else "",
            )

        try:
            due = time.monotonic() + task.pace[0]
            while not search.wait(min(_TICK, *task.pace)):
                if task.until():
                    search.stop()
                if time.monotonic() >= due:
                    yield report(final=False)
                    due = time.monotonic() + task.pace[1]
        finally:
            # Also when the reader leaves the loop early or presses Ctrl-C: no thread stays behind.
            search.stop()
            while not search.wait(_TICK):
                pass
        yield report(final=True)

    def continues(self, position: Position) -> bool:
        """Whether the tree of the last request leads to this position."""
        before = self._position
        return before is not None and _leads_to(before, position)

    def _prepared(self, request: Request, values: Mapping[str, Any], options: Any) -> NativeSearch:
        """The native search standing at the position, with what its tree knows of it."""
        position = request.position
        grown = tuple(values.get(name) for name in _GROWN_WITH)
        shape = (values.get("evaluator"), values.get("playout"), values.get("memory_mb"))
        search = self._search
        if search is None or shape != self._shape:
            try:
                search = self.info.search(position.state, options, self._network)
            except ValueError as error:
                raise BadOption(str(error)) from None
            self._shape = shape
        else:
            search.configure(options)
            ahead = _moves_between(self._position, position) if options.reuse else None
            fits = grown == self._grown and _agree(self._steering, request.steering, bool(ahead))
            if ahead is None or not fits:
                search.reset(position.state)
            else:
                for move in ahead:
                    search.advance(move)
        self._search = search
        self._position = position
        self._grown = grown
        self._steering = request.steering
        return search


def _native_work(engine: Engine) -> NativeWork:
    """The lock around waits for an engine. It does not keep the engine alive."""
    known = weakref.ref(engine)

    def stop() -> None:
        if (engine := known()) is not None:
            engine.stop()

    def finish() -> None:
        stop()
        search = engine._search if (engine := known()) is not None else None
        while search is not None and not search.wait(_TICK):
            search.stop()

    return NativeWork(stop, finish)


def _agree(before: Steering, now: Steering, moved: bool) -> bool:
    """Whether a tree that was steered in one way tells the truth under another. What is asked for at the root
    does no harm once the game has moved on; what holds below it, or forbids moves now, does."""
    if before == now and not moved:
        return True
    restricted = now.allow or now.avoid or now.weights
    deep = before.weights or any(
        getattr(rule, "until_depth", 1) > 1 for rule in (*before.allow, *before.avoid)
    )
    asked = before.allow or before.avoid or before.include
    return not (restricted or deep or (asked and not moved))


def _leads_to(before: Position, after: Position) -> bool:
    return after.moves_since(before) is not None


def _moves_between(before: Position | None, after: Position) -> list[int] | None:
    """The native moves that lead from one position of a game to a later one, if they do."""
    texts = None if before is None else after.moves_since(before)
    if before is None or texts is None:
        return None
    state, ahead = before.state, []
    for text in texts:
        move = state.parse_move(text)
        ahead.append(move)
        state = state.play(move)
    return ahead


def _with_visits(audit: Audit, found: Any, position: Position, guarantee: str) -> Audit:
    """The audit with the visits that guaranteed moves really got, told as the game's `guarantee` says."""
    visits = {position.state.move_text(item.move): item.visits for item in found.moves}
    honoured: list[Honoured] = []
    for item in audit.honoured:
        if item.kind == "include":
            name = position.state.move_text(position.parse_move(item.move))
            told = guarantee.format(asked=item.detail, visits=visits.get(name, 0))
            item = Honoured(item.kind, item.move, told)
        honoured.append(item)
    return Audit(tuple(honoured), audit.refused)


def make_request(
    position: Position,
    *,
    simulations: int | None = None,
    visits: int | None = None,
    seconds: float | None = None,
    unlimited: bool = False,
    allow: Any = None,
    avoid: Any = None,
    include: Any = None,
    min_visits: int = 1,
    weights: Mapping[str, float] | None = None,
    prune: str | None = None,
    style: Style | str | float | None = None,
    options: Mapping[str, Any] | None = None,
    line_length: int = 32,
    unvisited: bool = False,
) -> Request:
    """A request from keywords, as `Engine.analyze` takes them."""
    steering = make_steering(allow, avoid, include, min_visits, weights, prune, style)
    budget = Budget(simulations, visits, seconds, unlimited)
    return Request(position, steering, budget, options or {}, line_length, unvisited)


def analyze(position: Position, *, preset: str = "default", **wishes: Any) -> Report:
    """Analyses a position with a fresh engine: `kibitz.analyze(position, simulations=50_000)`.

    Takes what `Engine.analyze` takes; `options` are search options.
    """
    with Engine(position.game, preset) as engine:
        return engine.analyze(position, **wishes)
