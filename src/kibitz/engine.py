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

import contextlib
import math
import os
import weakref
from collections.abc import Callable, Generator, Mapping
from dataclasses import replace
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Any

from kibitz.errors import BadOption, BadRequest
from kibitz.games import registry
from kibitz.games.base import NativeSearch, Position, moves_between
from kibitz.games.bundled import NONE, chosen, described, is_bundled, load_bundled, network_of_style
from kibitz.games.networks import load_network
from kibitz.human_model import RAW_POLICY, HumanModel, exploring_option
from kibitz.options import Cost, native_options, search_width
from kibitz.report import Report
from kibitz.report_stream import ReportStream
from kibitz.request import Budget, PositionLike, Request, Wishes, make_request, with_wishes
from kibitz.search_family import family
from kibitz.search_job import TICK, JobSlot, SearchJob, Task, blocking_reports
from kibitz.shutdown import NativeWork
from kibitz.steering import Audit, Steering, Style, compile_plan, open_style, style_effect

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["Engine", "analyze"]


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
        style_network: Callable[..., Any] | str | os.PathLike[str] | None = None,
        human: Callable[..., Any] | str | os.PathLike[str] | None = None,
        human_profile: str | None = None,
        **options: Any,
    ) -> None:
        """`network` is a file, a name that `kibitz nets list` shows, a `kibitz.nets.Network` or a function. A
        file is run as fast as was measured on this machine: threads and batch come from there unless the
        options name them, and the first answer does not wait for the measurement. `human` is a network too,
        the human model: reports then say how likely a person plays each move. `human_profile` says which
        person, where it is one of KataGo's human networks (`rank_5k`, `proyear_1985`).

        Without a network the default preset uses the one that comes with Kibitz for the game, if there is
        one; `network="none"` does without. `style_network` takes its place at positions where a style has a
        say, so that a network trained for a style does not play the rest of the game; beside the network that
        comes with Kibitz it is the one that comes with it for the style, unless it is `none`."""
        self.info = registry.get(game)
        asked, presets = preset, dict(self.info.presets)
        wanted: Any = chosen(game, network, preset, options)
        #: Whose tuning a search takes its threads and its batch from.
        self._tuned_by: Any = None
        if network is None and wanted is not None:
            network = load_bundled(wanted, game, precision)
        else:
            network = wanted
            if isinstance(network, (str, os.PathLike)):
                network = load_network(game, os.fspath(network), precision=precision)
                network.tune_later()
            self._tuned_by = network if hasattr(network, "tuning") else None
        #: Whether a style brings its bundled network, which is loaded when the style first has a say.
        self._brings_style = style_network is None and is_bundled(game, network)
        self._precision = precision
        #: The network as reports name it; empty without one.
        self.network_name = "" if network is None else described(game, network)
        if network is not None:
            presets.update(self.info.network_presets)
            if hasattr(network, "for_search"):  # a kibitz.nets.Network, which is not imported without need
                network = network.for_search()
            if preset == "default":
                judges_all = getattr(network, "core", None) is not None
                preset = (
                    self.info.core_preset if judges_all else next(iter(self.info.network_presets), preset)
                )
        #: What a network without that head cannot be asked.
        self._without = () if getattr(network, "has_ownership", True) else ("ownership",)
        if preset not in presets:
            raise BadOption(f"unknown preset {preset!r} of {game}, expected {', '.join(presets)}")
        self.game = game
        self.preset = preset
        #: How it plays when a request does not say: `Engine("chess", style="medium")`.
        self.style, brought = open_style(game, style)
        self.options: dict[str, Any] = {**presets[preset], **brought, **options}
        self._native_options(self.options)  # refuse bad ones now, not at the first request
        #: The options that are not the preset's.
        self._named = frozenset(options)
        styles = self.info.styles
        if self.style is not None and (self.style.name or next(iter(styles), None)) not in styles:
            known = ", ".join(self.info.styles) or "none"
            raise BadOption(f"{game} has no style {str(self.style)!r}; its styles: {known}")
        self._described = preset + "".join(f" {name}={value}" for name, value in sorted(options.items()))
        if self.network_name:
            self._described += f" network={self.network_name}"
        if self.style is not None:
            self._described += f" style={self.style}"
        self._network = network
        self._for_style = partial(Engine, game, asked, precision=precision, style=style, **options)
        #: Carries out the requests that a style has a say in, where they are another network's.
        self._styled: Engine | None = None
        if style_network is not None and style_network != NONE:
            self._styled = self._for_style(network=style_network)
        #: Says what a person would play, where there is one.
        self.human: HumanModel[Engine] | None = None
        if human is not None:
            if isinstance(human, (str, os.PathLike)):
                human = load_network(game, os.fspath(human))
            self.human = HumanModel(human, lambda network: Engine(game, network=network, **RAW_POLICY))
        if human_profile is not None:
            if self.human is None:
                raise BadOption("human_profile needs a human model")
            self.human.imitate(human_profile)
        if self._styled is not None:
            self._styled.human = self.human
        _check_exploring(self.human, self._native_options(self.options))
        #: The human model's networks that the search explores with.
        self._exploring: tuple[Any, Any] = (None, None)
        self._search: NativeSearch | None = None
        self._family = "tree"
        #: The options of the search's last request.
        self._search_options: Any = None
        self._own_options: Any = None
        self._position: Position | None = None
        self._steering = Steering()
        if self.info.prepare is not None and (self.info.alpha_beta is None or self.deepens):
            self.info.prepare()
        #: The request under way, one at a time.
        self.slot = JobSlot(_native_work(self))

    def _tuned_options(self, budget: Budget) -> Mapping[str, Any]:
        """Threads and batch that suit the network and the budget, as far as they are known."""
        tuning = None if self._tuned_by is None else self._tuned_by.tuning
        if tuning is None:
            return {}
        return search_width(budget.visits or budget.simulations, tuning.streams, tuning.batch)

    def _in_use(self) -> contextlib.AbstractContextManager[None]:
        return contextlib.nullcontext() if self._tuned_by is None else self._tuned_by.usage.search()

    def _native_options(self, values: Mapping[str, Any]) -> Any:
        """The search's options, checked; those of the game alone are checked and left to the plan."""
        own = self.info.own_options
        if own is not None:
            own.native(values)
            names = own.table()
            values = {name: value for name, value in values.items() if name not in names}
        return (self.info.options or native_options)(values)

    # -- asking -----------------------------------------------------------------------------------

    @with_wishes
    def analyze(self, position: PositionLike, **wishes: Unpack[Wishes]) -> Report:
        """The final report. Keywords: `simulations`, `visits`, `seconds`; `allow`, `avoid`, `include`,
        `min_visits`, `weights`, `prune`, `style`; `top`; `options` for this request only."""
        *_, last = self.run(make_request(position, **wishes), every=None)
        return last

    @with_wishes
    def stream(
        self, position: PositionLike, every: float = 0.25, **wishes: Unpack[Wishes]
    ) -> Generator[Report, None, None]:
        """Reports while the search runs, about every so many seconds; the last one is final."""
        return self.run(make_request(position, **wishes), every)

    @with_wishes
    async def aanalyze(self, position: PositionLike, **wishes: Unpack[Wishes]) -> Report:
        """`analyze` for asyncio; a cancelled task stops the search. It needs no thread of Python's."""
        return [report async for report in self.arun(make_request(position, **wishes))][-1]

    @with_wishes
    def astream(self, position: PositionLike, every: float = 0.25, **wishes: Unpack[Wishes]) -> ReportStream:
        """`stream` for asyncio; leaving the loop, or a cancelled task, ends the search."""
        return self.arun(make_request(position, **wishes), every)

    @with_wishes
    def best_move(self, position: PositionLike, **wishes: Unpack[Wishes]) -> str:
        return self.analyze(position, **wishes).best

    def stop(self) -> None:
        """Ends the request under way, which then gives its final report; from any thread."""
        self.slot.stop()

    def new_game(self, seed: int | None = None) -> None:
        """Forgets the tree, and takes a new random seed if one is given."""
        self._search = None
        self._position = None
        if seed is not None:
            self.options["seed"] = seed
        if self._styled is not None:
            self._styled.new_game(seed)

    def clear_cache(self) -> None:
        """Forgets evaluations that were kept for positions met again, and the tree; from any thread."""
        search, self._position = self._search, None
        if search is not None:
            search.clear_cache()
        if self._styled is not None:
            self._styled.clear_cache()

    @property
    def deepens(self) -> bool:
        """Whether a request by depth or time alone goes to alpha-beta, which takes the option `depth`."""
        wanted = str(self.options.get("search", "tree"))
        asked = Request(self.info.position(), budget=Budget(seconds=1.0))
        return family(self.info, asked, wanted, self._named, self.has_slow_network) == "alphabeta"

    @property
    def has_network(self) -> bool:
        return self._network is not None

    @property
    def has_slow_network(self) -> bool:
        return self._network is not None and _is_slow(self._network)

    def close(self) -> None:
        self.stop()
        self.new_game()
        if self.human is not None:
            self.human.close()

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
        audited: Callable[[Audit], None] = lambda _: None,
    ) -> Generator[Report, None, None]:
        """Carries out a request: reports about every `every` seconds (the `first` one after as many as that
        says), then the final one. It ends early once `until()` holds, also where that came before it began,
        when a `stop` would not be heard. `audited` is told what the search will obey, before it begins."""
        job = self.new_job(request, every, debug, first=first, until=until, audited=audited)
        self.slot.take(job)
        try:
            yield from blocking_reports(job, self.slot.work)
        finally:
            with self.slot.work:
                job.end()
            self.slot.release(job)

    def arun(
        self, request: Request, every: float | None = None, *, first: float | None = None
    ) -> ReportStream:
        """`run` for asyncio: `async for report in engine.arun(request, every=0.5)`. An engine that is busy
        with another request refuses this one when the loop begins."""
        job = self.new_job(request, every, first=first)

        async def begin() -> tuple[SearchJob, NativeWork]:
            await self.slot.wait_and_take(job)
            return job, self.slot.work

        return ReportStream(begin, lambda: self.slot.release(job))

    def new_job(
        self,
        request: Request,
        every: float | None = None,
        debug: bool = False,
        *,
        first: float | None = None,
        until: Callable[[], bool] = lambda: False,
        audited: Callable[[Audit], None] = lambda _: None,
    ) -> SearchJob:
        """The job of a request: its options, plan and audit."""
        if request.position.game != self.game:
            raise BadRequest(f"this engine plays {self.game}, not {request.position.game}")
        # Nothing hidden goes into a search or comes out in a report.
        request = replace(request, position=request.position.seen())
        values = {**self._tuned_options(request.budget), **self.options, **request.options}
        for name in self._without:
            values.pop(name, None)
        if request.steering.style is None and self.style is not None:
            request = replace(request, steering=replace(request.steering, style=self.style))
        if request.steering.prune:
            values["prune"] = request.steering.prune
        effect = style_effect(request.steering.style, request.position, values)
        values.update(effect.options)
        options = self._native_options(values)
        if effect.acts and values.get("search") != "alphabeta":
            # A rule without priors refuses a style that has no budget.
            heard = effect.budget > 0 or getattr(options, "uses_priors", True)
            styled = _engine_of_style(self, request.steering.style) if heard else None
            if styled is not None:
                return styled.new_job(request, every, debug, first=first, until=until, audited=audited)
        _check_exploring(self.human, options)
        human = None
        if self.human is not None:
            human = self.human.policy(request.position, request.steering.plausible)
        plan, audit = compile_plan(request.steering, request.position, values, human)
        pace = (first or every or math.inf, every or math.inf)
        own = self.info.own_options
        own_options = None if own is None else own.native(values)
        named = self._named.union(request.options)
        wanted = getattr(own_options, "search", "tree")
        chosen = family(self.info, request, wanted, named, self.has_slow_network, effect.acts)
        task = Task(request, options, own_options, plan, audit, pace, until, debug, audited, chosen, human)
        return SearchJob(self.info, self._described, task, self._prepared, self._in_use)

    def _explore_with_human(self, search: NativeSearch, task: Task) -> bool:
        """Gives the search the human model to explore with, where its options ask for that; whether it had
        another one before."""
        before, position, shown = self._exploring, task.request.position, None
        wanted: tuple[Any, Any] = (None, None)
        if self.human is not None and task.family == "tree" and exploring_option(task.options):
            wanted = self.human.for_search()
            state = wanted[0].shown(position) if hasattr(wanted[0], "shown") else position.state
            if state is not position.state or self._shown(position) is not position.state:
                shown = state
        if wanted == before == (None, None):
            return False
        self._exploring = wanted
        explorer: Any = search  # only a tree search can be given one
        try:
            explorer.set_human(*wanted, shown)
        except ValueError as error:
            raise BadOption(str(error)) from None
        return wanted != before

    def continues(self, position: Position) -> bool:
        """Whether the tree of the last request leads to this position."""
        if self._styled is not None and self._styled.continues(position):
            return True
        before = self._position
        return before is not None and _leads_to(before, position)

    def _shown(self, position: Position) -> Any:
        """The native position, written for networks the way this engine's wants it."""
        shown = getattr(self._network, "shown", None)
        return position.state if shown is None else shown(position)

    def _prepared(self, task: Task) -> NativeSearch:
        """The native search standing at the position, with what its tree knows of it as far as that holds
        under the options and the steering of this request."""
        request, options, own_options = task.request, task.options, task.own_options
        position, search = request.position, self._search
        cost = Cost.EVALUATOR if search is None else self._search_options.cost_of_change(options)
        if search is not None and own_options is not None:
            cost = max(cost, self._own_options.cost_of_change(own_options))
        if search is None or cost >= Cost.EVALUATOR or task.family != self._family:
            try:
                if task.family == "alphabeta" and self.info.alpha_beta is not None:
                    search = self.info.alpha_beta(position.state, options, own_options, self._network)
                else:
                    search = self.info.search(self._shown(position), options, self._network)
            except ValueError as error:
                raise BadOption(str(error)) from None
            self._exploring = (None, None)
            self._explore_with_human(search, task)
        else:
            search.configure(options)
            ahead = _moves_between(self._position, position) if options.reuse else None
            same_human = not self._explore_with_human(search, task)
            fits = same_human and cost < Cost.VALUES
            fits = fits and _agree(self._steering, request.steering, bool(ahead))
            if ahead is None or not fits:
                search.reset(self._shown(position))
            else:
                for move in ahead:
                    search.advance(move)
        self._search = search
        self._family = task.family
        self._search_options = options
        self._own_options = own_options
        self._position = position
        self._steering = request.steering
        return search


def _check_exploring(human: HumanModel[Engine] | None, options: Any) -> None:
    if human is None and (name := exploring_option(options)) is not None:
        raise BadOption(f"{name} needs a human model")


def _is_slow(network: Any) -> bool:
    """Whether a network judges leaves of a tree only; alpha-beta asks at every position."""
    return getattr(network, "core", None) is None


def _engine_of_style(engine: Engine, style: Style | None) -> Engine | None:
    """The engine with the network of a style, made when a bundled one is first needed; None where there is
    none."""
    if not engine._brings_style or style is None:
        return engine._styled
    file = network_of_style(engine.game, style.name)
    if file is None:
        return None
    if engine._styled is None:
        styled = engine._for_style(network=load_bundled(str(file), engine.game, engine._precision))
        styled.human = engine.human
        if "seed" in engine.options:  # that of the last new game
            styled.options["seed"] = engine.options["seed"]
        engine._styled = styled
    return engine._styled


def _native_work(engine: Engine) -> NativeWork:
    """The lock around waits for an engine. It does not keep the engine alive."""
    known = weakref.ref(engine)

    def stop() -> None:
        if (engine := known()) is not None:
            engine.stop()

    def finish() -> None:
        stop()
        engine = known()
        for one in (engine, engine and engine._styled):
            search = one._search if one is not None else None
            while search is not None and not search.wait(TICK):
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
    asked = before.allow or before.avoid or before.include or before.plausible
    return not (restricted or deep or (asked and not moved))


def _leads_to(before: Position, after: Position) -> bool:
    return moves_between(before, after) is not None and _same_start(before.start, after.start)


def _same_start(one: Position, other: Position) -> bool:
    """Whether a network, which may see moves before a position, sees the same start."""
    return getattr(one.state, "cache_key", 0) == getattr(other.state, "cache_key", 0)


def _moves_between(before: Position | None, after: Position) -> list[int] | None:
    """The native moves that lead from one position of a game to a later one, if they do."""
    if before is None or not _leads_to(before, after):
        return None
    state, ahead = before.state, []
    for text in moves_between(before, after) or ():
        move = state.parse_move(text)
        ahead.append(move)
        state = state.play(move)
    return ahead


@with_wishes
def analyze(position: PositionLike, *, preset: str = "default", **wishes: Unpack[Wishes]) -> Report:
    """Analyzes a position with a fresh engine: `kibitz.analyze(position, simulations=50_000)`.

    Takes what `Engine.analyze` takes; `options` are search options.
    """
    request = make_request(position, **wishes).for_people()
    with Engine(request.position.game, preset) as engine:
        *_, report = engine.run(request)
        return report
