"""The plan of a request: which search carries it out, with which options and limits; the native plan that the
search obeys; and the audit, which says what is honoured and what is rejected, with the reason.

All of it is decided here and nowhere else, by one pure function. It needs no engine, no thread and no loaded
network.

>>> import kibitz
>>> from kibitz.request import make_request
>>> start = kibitz.othello.Position()
>>> plan(make_request(start, seconds=1.0), configure("othello")).family
'alphabeta'
>>> prepared = plan(make_request(start, simulations=1000, include=["d3", "a1"]), configure("othello"))
>>> prepared.family, [refusal.move for refusal in prepared.audit.refused]
('tree', ['a1'])
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from kibitz import _native
from kibitz.audit import AuditWriter, admitted
from kibitz.errors import BadOption, BadRequest
from kibitz.games import registry
from kibitz.games.base import GameInfo, Position, StyleEffect
from kibitz.human import HumanPolicy
from kibitz.network import NetworkTraits, StreamTuning
from kibitz.options import native_options, search_width
from kibitz.questions.inquiry import Inquiry, Look
from kibitz.request import Budget, Request
from kibitz.steering import Audit, Restriction, Steering, Style, open_style

#: Options that do not ask for a tree: those of both families, and those that only say how a tree is run.
NEUTRAL_OPTIONS = frozenset(
    {
        *("depth", "memory_mb", "multi_pv", "reuse", "search", "seed", "solve_all", "solve_root", "threads"),
        *("batch", "cache_mb", "early_stop", "solve_leaves", "table_mb"),
    }
)

#: Of a search's visits, the part for moves that it is asked about; their number where only time limits it.
_ASKED_SHARE, _ASKED_VISITS = 4, 200
#: Visits of a glance, and the part of a search's share that they are at most.
_GLANCE, _GLANCES = 32, 6
#: A budget of this many visits is no limit.
_NO_LIMIT = 2**50

#: Options of a search that explores with the human model's policy: how often it does.
_EXPLORING = tuple(
    f"human_{where}_{kind}" for where in ("root", "pla", "opp") for kind in ("weightless", "weightful")
)


@dataclass(frozen=True)
class Configuration:
    """The settings of an engine, checked; `configure` makes it."""

    game: str
    #: The preset in force: the default one depends on the network.
    preset: str = "default"
    #: Values of the preset, of the style's file, and of the user.
    options: Mapping[str, Any] = field(default_factory=dict)
    #: Those that the user set.
    named: frozenset[str] = frozenset()
    network: NetworkTraits | None = None
    #: How it plays when a request does not say.
    style: Style | None = None
    has_human: bool = False
    #: Carries out requests where a style is active: that of a network that was trained for the style.
    styled: Configuration | None = None

    @property
    def has_slow_network(self) -> bool:
        return self.network is not None and not self.network.in_core


@dataclass(frozen=True)
class Prepared:
    """A request as it is carried out."""

    #: With the position as the mover sees it, and the steering in force.
    request: Request
    #: `tree` or `alphabeta`; a game with one search of its own has `tree`.
    family: str
    options: Any
    #: Those of the game alone, where it has some.
    own_options: Any
    #: The native plan; the search obeys all of it.
    plan: _native.Plan
    audit: Audit
    #: Keywords of the native search's `start`.
    limits: Mapping[str, Any]
    #: What the style does at the position.
    effect: StyleEffect
    #: What the human model says of the position, where there is one.
    human: HumanPolicy | None = None
    #: The style's network judges it, not the engine's own.
    by_style_network: bool = False
    #: Questions, to be answered after the search of the position.
    inquiries: tuple[Inquiry, ...] = ()
    #: How well the included moves are to be known, where that is obeyed; and those moves.
    within: float | None = None
    included: tuple[str, ...] = ()

    @property
    def searches(self) -> int:
        """Searches that share the budget."""
        return 1 + sum(inquiry.looks for inquiry in self.inquiries)


def configure(
    game: str,
    preset: str = "default",
    options: Mapping[str, Any] | None = None,
    *,
    named: Iterable[str] | None = None,
    network: NetworkTraits | None = None,
    style: Style | str | float | None = None,
    has_human: bool = False,
) -> Configuration:
    """A checked configuration; BadOption says what is wrong. `options` are the user's, over the preset's;
    `named` are those of them that were really asked for, where a protocol sets others to its defaults."""
    info, given = registry.get(game), dict(options or {})
    presets = dict(info.presets)
    if network is not None:
        presets.update(info.network_presets)
        if preset == "default":
            slow = next(iter(info.network_presets), preset)
            preset = info.core_preset if network.in_core else slow
    if preset not in presets:
        raise BadOption(f"unknown preset {preset!r} of {game}, expected {', '.join(presets)}")
    made, brought = open_style(game, style)
    if made is not None and (made.name or next(iter(info.styles), None)) not in info.styles:
        known = ", ".join(info.styles) or "none"
        raise BadOption(f"{game} has no style {str(made)!r}; its styles: {known}")
    configuration = Configuration(
        game,
        preset,
        {**presets[preset], **brought, **given},
        frozenset(given if named is None else named),
        network,
        made,
        has_human,
    )
    _check_exploring(configuration, _native_options(info, configuration.options))
    return configuration


def plan(
    request: Request,
    configuration: Configuration,
    *,
    human: HumanPolicy | None = None,
    tuning: StreamTuning | None = None,
    style_scale: float | None = None,
) -> Prepared:
    """How a request is carried out. `human` is what the human model says of the position, `tuning` how the
    network runs fastest, `style_scale` what a style costs by its values; all may be unknown."""
    if request.position.game != configuration.game:
        raise BadRequest(f"this engine plays {configuration.game}, not {request.position.game}")
    info = registry.get(configuration.game)
    # Nothing hidden goes into a search or comes out in a report.
    request = replace(request, position=request.position.mover_view())
    if request.steering.style is None and configuration.style is not None:
        request = replace(request, steering=replace(request.steering, style=configuration.style))
    values = {**_tuned_options(tuning, request.budget), **configuration.options, **request.options}
    if style_scale is not None:
        values.setdefault("style_scale", style_scale)
    network = configuration.network
    if network is not None and not network.has_ownership:
        values.pop("ownership", None)
    elif network is not None and request.steering.ask and info.sample is not None:
        values.setdefault("ownership", info.sample.has_ownership)  # facts say who gains and loses what
    if request.steering.prune:
        values["prune"] = request.steering.prune
    effect = _style_effect(info, request.steering.style, request.position, values)
    values.update(effect.options)
    options = _native_options(info, values)
    # A rule without priors refuses a style that has no budget.
    active = effect.acts and (effect.budget > 0 or getattr(options, "uses_priors", True))
    if configuration.styled is not None and active and values.get("search") != "alphabeta":
        styled = plan(request, configuration.styled, human=human, tuning=tuning, style_scale=style_scale)
        return replace(styled, by_style_network=True)
    _check_exploring(configuration, options)
    own_options = None if info.options.own is None else info.options.own.native(values)
    by_priors = effect.acts and effect.budget == 0
    family = _family(info, request, configuration, getattr(own_options, "search", "tree"), by_priors)
    if family == "alphabeta" and effect.budget > 0:  # a style may cost another budget there
        effect = _style_effect(info, request.steering.style, request.position, {**values, "search": family})
    writer = AuditWriter(request.position)
    if info.options.shape_plan is not None:
        info.options.shape_plan(writer.plan, values)
    budget, deep = request.budget, family == "alphabeta" and bool(values.get("depth"))
    searches = 1 + writer.open_questions(request.steering.ask, not budget.endless or deep)
    asked = len({move for inquiry in writer.inquiries for move in inquiry.root_moves})
    # Alpha-beta makes no visits for a move that is asked about; it gives it an exact score.
    own, asked_visits = _shared(budget.shared_by(searches), 0 if family == "alphabeta" else asked)
    if info.searches.family != "tree" or family == "alphabeta":
        writer.refuse_within(request.steering)
    writer.compile(request.steering, effect, human, asked_visits)
    refusals = _refusals(family, writer.plan, options, request.position, configuration.network)
    audit = admitted(writer.audit, refusals, request.position)
    return Prepared(
        request,
        family,
        options,
        own_options,
        writer.plan,
        audit,
        own.limits(),
        effect,
        human,
        inquiries=writer.inquiries,
        within=request.steering.within if writer.included and writer.may_be_precise else None,
        included=tuple(writer.included.values()),
    )


def plan_look(prepared: Prepared, look: Look, seconds: float | None) -> Request:
    """The search that a question needs, as a request of its own: the same family and options, its share of
    the visits, the `seconds` that it may take, and of the steering what reaches its position."""
    request = prepared.request
    share = request.budget.shared_by(prepared.searches)
    options = dict(request.options)
    if registry.get(request.position.game).searches.alpha_beta is not None:
        options["search"] = prepared.family
    if getattr(prepared.options, "ownership", False):
        options["ownership"] = True
    if look.brief:
        if prepared.family == "alphabeta":
            options["depth"] = 1
            share = Budget(unlimited=True)
        else:
            most = min((limit for limit in (share.visits, share.simulations) if limit), default=_GLANCE)
            share = Budget(visits=min(_GLANCE, max(1, most // _GLANCES)))
    own, visits = _shared(share, 0 if prepared.family == "alphabeta" else len(look.include))
    return Request(
        look.position,
        _below(request.steering, request.position, look, visits),
        replace(own, seconds=seconds),
        options,
        request.line_length,
    )


def _shared(share: Budget, asked: int) -> tuple[Budget, int]:
    """A search's own visits, and those for each of the moves that it is asked about; both are its share."""
    counts = {name: getattr(share, name) for name in ("visits", "simulations")}
    limited = [count for count in counts.values() if count is not None]
    if not asked or not limited:
        return share, _ASKED_VISITS
    visits = max(1, min(limited) // (_ASKED_SHARE * asked))
    left = {name: max(1, count - asked * visits) for name, count in counts.items() if count is not None}
    return replace(share, **left), visits


def _below(steering: Steering, root: Position, look: Look, visits: int) -> Steering:
    """What holds of the steering `look.depth` plies below the root."""

    def rules(given: tuple[str | Restriction, ...]) -> tuple[Restriction, ...]:
        deep = [rule for rule in given if isinstance(rule, Restriction) and rule.until_depth > look.depth]
        return tuple(
            replace(
                rule,
                side=root.to_move if rule.side is None else rule.side,
                until_depth=rule.until_depth - look.depth,
            )
            for rule in deep
        )

    reached = look.depth >= 0
    return Steering(
        rules(steering.allow) if reached else (),
        rules(steering.avoid) if reached else (),
        dict.fromkeys(look.include, visits),
        prune=steering.prune,
        style=steering.style if look.position.to_move == root.to_move else Style(strength=0.0),
    )


def uses_alpha_beta(configuration: Configuration) -> bool:
    """Whether a request by time alone goes to alpha-beta, which takes the option `depth`."""
    info = registry.get(configuration.game)
    wanted = str(configuration.options.get("search", "tree"))
    asked = Request(info.position(), budget=Budget(seconds=1.0))
    return _family(info, asked, configuration, wanted) == "alphabeta"


def exploring_option(options: Any) -> str | None:
    """The first option that has a search explore with a human model's policy; None where none does."""
    return next((name for name in _EXPLORING if getattr(options, name, 0.0) > 0.0), None)


def _family(
    info: GameInfo, request: Request, configuration: Configuration, wanted: str, by_priors: bool = False
) -> str:
    """With `auto` a request gets a tree where it asks for what only a tree has: simulations, visits, weights,
    pruning, ownership, the human model's moves, a style that acts on priors (`by_priors`), an option of the
    tree search, or a network that is too slow to judge every position."""
    if info.searches.alpha_beta is None:
        return "tree"
    if wanted != "auto":
        return wanted
    budget, steering = request.budget, request.steering
    counted = any(limit is not None and limit < _NO_LIMIT for limit in (budget.simulations, budget.visits))
    needs_tree = (
        counted
        or configuration.has_slow_network
        or request.move_ownership
        or any(kind.needs_tree for kind in steering.kinds)
        or by_priors
        or any(minimum > 1 for minimum in steering.include.values())
        or any(_asks_for_tree(name) for name in configuration.named.union(request.options))
    )
    return "tree" if needs_tree else "alphabeta"


def _asks_for_tree(option: str) -> bool:
    # Both families obey a style; whether it acts on priors is seen from what it does.
    return option not in NEUTRAL_OPTIONS and not option.startswith("style_")


def _refusals(
    family: str, native_plan: _native.Plan, options: Any, position: Position, network: NetworkTraits | None
) -> list[_native.Refusal]:
    """What the search cannot obey of the plan; it is taken out of the plan."""
    if family == "alphabeta":
        return _native.admit_alpha_beta(native_plan)
    asks_network = getattr(options, "evaluator", "") == "network"
    predicts_style = network is not None and network.predicts_style and asks_network
    return _native.admit(native_plan, options, position.state, predicts_style)


def _style_effect(
    info: GameInfo, style: Style | None, position: Position, options: Mapping[str, Any]
) -> StyleEffect:
    """What a style does at a position. Without one it is what the game's own options say of its first style;
    nothing where the game does not have it."""
    if style is None:
        if not info.style_strength or not info.styles:
            return StyleEffect()
        style = Style(strength=float(options.get(info.style_strength, 0.0)))
    name = style.name or next(iter(info.styles), "")
    return info.styles[name](position, style.strength, options) if name in info.styles else StyleEffect()


def _native_options(info: GameInfo, values: Mapping[str, Any]) -> Any:
    """The search's options, checked; those of the game alone are checked and left out."""
    if info.options.own is not None:
        info.options.own.native(values)
        names = info.options.own.table()
        values = {name: value for name, value in values.items() if name not in names}
    return (info.options.check or native_options)(values)


def _tuned_options(tuning: StreamTuning | None, budget: Budget) -> Mapping[str, Any]:
    if tuning is None:
        return {}
    return search_width(budget.visits or budget.simulations, tuning.streams, tuning.batch)


def _check_exploring(configuration: Configuration, options: Any) -> None:
    if not configuration.has_human and (name := exploring_option(options)) is not None:
        raise BadOption(f"{name} needs a human model")
