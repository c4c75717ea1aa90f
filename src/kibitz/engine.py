"""The engine: requests in, reports out. Synchronous, as an iterator, or asynchronous.

>>> import kibitz
>>> engine = kibitz.Engine("othello", preset="uct", seed=7)
>>> report = engine.analyze(kibitz.othello.Position(), simulations=2000)
>>> report.simulations
2000

An engine is a configuration, a tree and a slot for the request under way. How a request is carried out,
`plan.py` decides.

Threads: one engine serves one request at a time. `stop` may be called from any thread; everything else
from the thread that owns the engine. A search runs in native threads, so waiting for it holds nobody up
and Ctrl-C works.
"""

from __future__ import annotations

import math
import weakref
from collections.abc import Callable, Generator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from kibitz._native import Cost
from kibitz.errors import BadOption
from kibitz.games import registry
from kibitz.games.base import NativeSearch, Position, moves_between
from kibitz.games.networks import NetworkSource, described, load_network
from kibitz.games.registry import GameName, PresetName
from kibitz.human.model import HumanModel
from kibitz.plan import Configuration, Prepared, configure, exploring_option, plan, uses_alpha_beta
from kibitz.report import Report
from kibitz.request import AnalyzeArgs, PositionLike, Request, make_request, with_analyze_args
from kibitz.running.job import TICK, JobSlot, SearchJob, Watch, blocking_reports
from kibitz.running.shutdown import NativeWork
from kibitz.running.style_scale import measured_scale
from kibitz.steering import Audit, Steering, Style

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from kibitz.running.stream import ReportStream


class Engine:
    """An engine for one game, with a preset and options of its own. Keeps its tree between requests of one
    game when `reuse` is on.

    >>> with kibitz.Engine("othello", preset="uct", seed=7) as engine:
    ...     report = engine.analyze(kibitz.othello.Position(), simulations=200)
    >>> report.simulations
    200
    """

    def __init__(
        self,
        game: GameName | str,
        preset: PresetName | str = "default",
        *,
        network: NetworkSource | None = None,
        precision: str = "fp32",
        style: Style | str | float | None = None,
        style_network: NetworkSource | None = None,
        human: NetworkSource | None = None,
        human_profile: str | None = None,
        defaults: Mapping[str, Any] | None = None,
        **options: Any,
    ) -> None:
        """`network` is a file, a name that `kibitz nets list` shows, a `kibitz.nets.Network` or a function. A
        file is run as fast as was measured on this machine: threads and batch come from there unless the
        options name them, and the first answer does not wait for the measurement. `human` is a network too,
        the human model: reports then say how likely a person plays each move. `human_profile` says which
        person, where it is one of KataGo's human networks (`rank_5k`, `proyear_1985`).

        Without a network the default preset uses the one that comes with Kibitz for the game, if there is
        one; `network="none"` does without. `style_network` takes its place at positions where a style is
        active, so that a network trained for a style does not play the rest of the game. `defaults` are
        options that nobody asked for, such as a protocol's: unlike `options` they ask for no tree search."""
        self.info = registry.get(game)
        self.game = game
        #: What judges positions, by who asks: the engine's own network, and that of a style.
        self._networks = {
            False: load_network(game, network, preset, options, precision=precision, tune=True),
            True: None if style_network is None else load_network(game, style_network, precision=precision),
        }
        #: Says what a person would play, where there is one.
        self.human = _human_model(game, human, human_profile)
        traits = {which: None if net is None else net.traits for which, net in self._networks.items()}
        values = {**(defaults or {}), **options}
        common: dict[str, Any] = {"named": options, "style": style, "has_human": self.human is not None}
        self.configuration = configure(game, preset, values, network=traits[False], **common)
        if traits[True] is not None:
            styled = configure(game, preset, values, network=traits[True], **common)
            self.configuration = replace(self.configuration, styled=styled)
        self._words = "".join(f" {name}={value}" for name, value in sorted(options.items()))
        self._search: NativeSearch | None = None
        #: The last request that the search was given.
        self._last: Prepared | None = None
        #: The human model's networks that the search explores with.
        self._exploring: tuple[Any, Any] = (None, None)
        searches = self.info.searches
        if searches.prepare is not None and (searches.alpha_beta is None or self.uses_alpha_beta):
            searches.prepare()
        #: The request under way, one at a time.
        self.slot = JobSlot(_native_work(self))

    # -- what it is ---------------------------------------------------------------------------------

    @property
    def preset(self) -> str:
        """The preset in force."""
        return self.configuration.preset

    @property
    def options(self) -> Mapping[str, Any]:
        """The values of the preset and of the user."""
        return self.configuration.options

    @property
    def style(self) -> Style | None:
        """How it plays when a request does not say."""
        return self.configuration.style

    @property
    def uses_alpha_beta(self) -> bool:
        """Whether a request by depth or time alone goes to alpha-beta, which takes the option `depth`."""
        return uses_alpha_beta(self.configuration)

    @property
    def has_network(self) -> bool:
        return self.configuration.network is not None

    @property
    def network_name(self) -> str:
        """The network as reports name it; empty without one."""
        return described(self.game, self._networks[False])

    def _described(self, prepared: Prepared) -> str:
        """The engine as a report of the request names it."""
        configuration = self.configuration
        if prepared.by_style_network and configuration.styled is not None:
            configuration = configuration.styled
        words = configuration.preset + self._words
        if name := described(self.game, self._networks[prepared.by_style_network]):
            words += f" network={name}"
        return words + (f" style={self.style}" if self.style is not None else "")

    # -- asking -----------------------------------------------------------------------------------

    @with_analyze_args
    def analyze(self, position: PositionLike, **wishes: Unpack[AnalyzeArgs]) -> Report:
        """The final report. Keywords: `simulations`, `visits`, `seconds`; `allow`, `avoid`, `include`,
        `min_visits`, `within`, `weights`, `prune`, `style`, `compare`, `ask`; `top`; `options` for this
        request only."""
        *_, last = self.run(make_request(position, **wishes), every=None)
        return last

    @with_analyze_args
    def stream(
        self, position: PositionLike, every: float = 0.25, **wishes: Unpack[AnalyzeArgs]
    ) -> Generator[Report, None, None]:
        """Reports while the search runs, about every so many seconds; the last one is final."""
        return self.run(make_request(position, **wishes), every)

    @with_analyze_args
    async def aanalyze(self, position: PositionLike, **wishes: Unpack[AnalyzeArgs]) -> Report:
        """`analyze` for asyncio; a cancelled task stops the search. It needs no thread of Python's."""
        return [report async for report in self.arun(make_request(position, **wishes))][-1]

    @with_analyze_args
    def astream(
        self, position: PositionLike, every: float = 0.25, **wishes: Unpack[AnalyzeArgs]
    ) -> ReportStream:
        """`stream` for asyncio; leaving the loop, or a cancelled task, ends the search."""
        return self.arun(make_request(position, **wishes), every)

    @with_analyze_args
    def best_move(self, position: PositionLike, **wishes: Unpack[AnalyzeArgs]) -> str:
        return self.analyze(position, **wishes).best

    def stop(self) -> None:
        """Ends the request under way, which then gives its final report; from any thread."""
        self.slot.stop()

    def new_game(self, seed: int | None = None) -> None:
        """Forgets the tree, and takes a new random seed if one is given."""
        self._search = self._last = None
        if seed is not None:
            self._set_option("seed", seed)

    def _set_option(self, name: str, value: Any) -> None:
        def changed(configuration: Configuration) -> Configuration:
            return replace(configuration, options={**configuration.options, name: value})

        styled = self.configuration.styled
        self.configuration = replace(
            changed(self.configuration), styled=None if styled is None else changed(styled)
        )

    def clear_cache(self) -> None:
        """Forgets evaluations that were kept for positions met again, and the tree; from any thread."""
        search, self._last = self._search, None
        if search is not None:
            search.clear_cache()

    def close(self) -> None:
        self.stop()
        self.new_game()
        if self.human is not None:
            self.human.close()

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: object) -> None:
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
        when a `stop` would not be heard. `audited` gets what the search will obey, before it begins."""
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
        from kibitz.running.stream import ReportStream  # asyncio is slow to import

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
        """The job of a request."""
        prepared = self.plan(request)
        watch = Watch((first or every or math.inf, every or math.inf), until, debug, audited)
        network = self._networks[prepared.by_style_network]
        return SearchJob(
            self.info, self._described(prepared), prepared, watch, self._prepared_search, network, self.plan
        )

    def plan(self, request: Request) -> Prepared:
        """How the engine carries out a request; nothing is searched."""
        policy = None
        if self.human is not None:
            policy = self.human.policy(request.position.mover_view(), request.steering.plausible)
        network = self._networks[False]
        tuning = None if network is None else network.tuning
        scale = self._style_scale(request)
        return plan(request, self.configuration, human=policy, tuning=tuning, style_scale=scale)

    def _style_scale(self, request: Request) -> float | None:
        """What a style costs by the values of the engine's network, where that matters."""
        style = request.steering.style or self.style
        given = self.options.keys() | request.options.keys()
        if not self.info.style_lines or style is None or style.strength <= 0 or "style_scale" in given:
            return None
        return measured_scale(self.info, self.preset, self._networks[False], Engine)

    def _explore_with_human(self, search: NativeSearch, prepared: Prepared) -> bool:
        """Gives the search the human model to explore with, where its options ask for that; whether it had
        another one before."""
        before, position, shown = self._exploring, prepared.request.position, None
        wanted: tuple[Any, Any] = (None, None)
        if self.human is not None and prepared.family == "tree" and exploring_option(prepared.options):
            wanted = self.human.for_search()
            state = self.human.shown(position)
            if state is not position.state or self._shown(prepared) is not position.state:
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

    @property
    def last_plan(self) -> Prepared | None:
        """How the last request was carried out; None after `new_game`."""
        return self._last

    def continues(self, position: Position) -> bool:
        """Whether the tree of the last request leads to this position."""
        return self._last is not None and _leads_to(self._last.request.position, position)

    def _shown(self, prepared: Prepared) -> Any:
        """The native position, written for networks the way the request's wants it."""
        network, position = self._networks[prepared.by_style_network], prepared.request.position
        return position.state if network is None else network.shown(position)

    def _new_search(self, prepared: Prepared) -> NativeSearch:
        network = self._networks[prepared.by_style_network]
        called = None if network is None else network.for_search()
        try:
            if prepared.family == "alphabeta" and self.info.searches.alpha_beta is not None:
                state = prepared.request.position.state
                return self.info.searches.alpha_beta(state, prepared.options, prepared.own_options, called)
            return self.info.searches.tree(self._shown(prepared), prepared.options, called)
        except ValueError as error:
            raise BadOption(str(error)) from None

    def _prepared_search(self, prepared: Prepared) -> NativeSearch:
        """The native search standing at the position, with what its tree knows of it as far as that holds
        under the options and the steering of this request."""
        search, before = self._search, self._last
        cost = Cost.EVALUATOR if search is None or before is None else _cost_of_change(before, prepared)
        if search is None or before is None or cost >= Cost.EVALUATOR:
            search = self._new_search(prepared)
            self._exploring = (None, None)
            self._explore_with_human(search, prepared)
        else:
            position = prepared.request.position
            reuse = "reuse" not in self.info.unsupported and prepared.options.reuse
            search.configure(prepared.options)
            ahead = _moves_between(before.request.position, position) if reuse else None
            same_human = not self._explore_with_human(search, prepared)
            fits = same_human and cost < Cost.VALUES
            fits = fits and _agree(before.request.steering, prepared.request.steering, bool(ahead))
            if ahead is None or not fits:
                search.reset(self._shown(prepared))
            else:
                for move in ahead:
                    search.advance(move)
        self._search, self._last = search, prepared
        return search


def _human_model(game: str, human: NetworkSource | None, profile: str | None) -> HumanModel | None:
    network = None if human is None else load_network(game, human)
    if network is None:
        if profile is not None:
            raise BadOption("human_profile needs a human model")
        return None
    model = HumanModel(game, network)
    if profile is not None:
        model.imitate(profile)
    return model


def _cost_of_change(before: Prepared, now: Prepared) -> Cost:
    """What becomes of a search's tree when the next request comes."""
    if (before.family, before.by_style_network) != (now.family, now.by_style_network):
        return Cost.EVALUATOR
    cost: Cost = before.options.cost_of_change(now.options)
    if now.own_options is not None:
        cost = max(cost, before.own_options.cost_of_change(now.own_options))
    return cost


def _native_work(engine: Engine) -> NativeWork:
    """The lock around waits for an engine. It does not keep the engine alive."""
    known = weakref.ref(engine)

    def stop() -> None:
        if (engine := known()) is not None:
            engine.stop()

    def finish() -> None:
        stop()
        engine = known()
        search = None if engine is None else engine._search
        while search is not None and not search.wait(TICK):
            search.stop()

    return NativeWork(stop, finish)


def _agree(before: Steering, now: Steering, moved: bool) -> bool:
    """Whether a tree that was steered in one way tells the truth under another. What is asked for at the root
    does no harm once the game has moved on; what holds below it, or forbids moves now, does."""
    if before == now and not moved:
        return True
    restricted = any(kind.restricts for kind in now.kinds)
    deep = before.weights or any(
        getattr(rule, "until_depth", 1) > 1 for rule in (*before.allow, *before.avoid)
    )
    asked = any(kind.restricts or kind.guarantees for kind in before.kinds)
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


@with_analyze_args
def analyze(
    position: PositionLike,
    *,
    preset: PresetName | str = "default",
    network: NetworkSource | None = None,
    **wishes: Unpack[AnalyzeArgs],
) -> Report:
    """Analyzes a position with a fresh engine: `kibitz.analyze(position, simulations=50_000)`.

    Takes what `Engine.analyze` takes; `options` are search options, `network` is what `Engine` takes.

    >>> analyze("8/8/8/8/8/5k2/6q1/7K w - - 0 1", network="none", seconds=0.1)
    Traceback (most recent call last):
    kibitz.errors.BadRequest: the game is over (8/8/8/8/8/5k2/6q1/7K w - - 0 1); there is nothing to search
    """
    request = make_request(position, **wishes).with_analysis_defaults()
    with Engine(request.position.game, preset, network=network) as engine:
        *_, report = engine.run(request)
        return report
