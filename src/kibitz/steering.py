"""Steering: what the user asks of a search, and what became of it.

Every kind can be given together with every other, in every game. A move that is illegal or no move at
all is refused, with a reason, in the audit; it never stops or hangs a search.

>>> import kibitz
>>> wish = Steering(include={"a1": 10, "d3": 5}, avoid=("f5",))
>>> plan, audit = compile_plan(wish, kibitz.othello.Position())
>>> [refusal.move for refusal in audit.refused]
['a1']
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypedDict

from kibitz import _native
from kibitz.errors import BadSteering, IllegalMove
from kibitz.games import registry
from kibitz.games.base import Position, StyleEffect
from kibitz.human import MOST_MIN_VISITS, HumanPolicy, Plausible, make_plausible, plausible_moves
from kibitz.json_form import JsonForm, decode_fields

__all__ = [
    "STYLE_LEVELS",
    "Audit",
    "Honoured",
    "Refused",
    "Restriction",
    "Steering",
    "SteeringWishes",
    "Style",
    "admitted",
    "compile_plan",
    "make_steering",
    "make_style",
    "open_style",
    "style_effect",
]

MOST_DEPTH = 10_000


@dataclass(frozen=True)
class Restriction(JsonForm):
    """`moves` that `side` must not (avoid) or may only (allow) choose at depths below `until_depth`;
    1 is the root only. `side` None is the side to move."""

    json_sparse: ClassVar[bool] = True

    moves: tuple[str, ...]
    side: int | None = None
    until_depth: int = 1

    def __post_init__(self) -> None:
        if self.side not in (None, 0, 1):
            raise BadSteering(f"side must be 0, 1 or None for the side to move, got {self.side!r}")
        if type(self.until_depth) is not int or not 1 <= self.until_depth <= MOST_DEPTH:
            raise BadSteering(f"until_depth must be a whole number from 1 to {MOST_DEPTH}")


#: How strongly a style is felt: names for the strength that its exponent is multiplied with.
STYLE_LEVELS: Mapping[str, float] = {"off": 0.0, "light": 0.3, "medium": 0.6, "strong": 1.0}
MOST_STYLE = 10.0


@dataclass(frozen=True)
class Style(JsonForm):
    """A way of playing, and how strongly: `Style("hypermodern", 0.6)`. Without a name it is the game's first
    style."""

    name: str = ""
    strength: float = STYLE_LEVELS["medium"]

    def __post_init__(self) -> None:
        if not 0 <= self.strength <= MOST_STYLE:
            raise BadSteering(f"the strength of a style is from 0 to {MOST_STYLE:g}, got {self.strength!r}")

    def __str__(self) -> str:
        level = next((name for name, value in STYLE_LEVELS.items() if value == self.strength), None)
        return ":".join(filter(None, [self.name, level or f"{self.strength:g}"]))


def make_style(wish: Style | str | float | None) -> Style | None:
    """A style from what people write: `medium`, `0.6`, `hypermodern`, `hypermodern:strong`; or a Style.

    >>> make_style("hypermodern:strong")
    Style(name='hypermodern', strength=1.0)
    """
    if wish is None or isinstance(wish, Style):
        return wish
    name, _, level = str(wish).strip().rpartition(":")
    if not name and not _is_level(level):
        name, level = level, "medium"
    strength = STYLE_LEVELS.get(level.lower())
    if strength is None:
        try:
            strength = float(level)
        except ValueError:
            strength = math.nan
    if not 0 <= strength <= MOST_STYLE or not isinstance(wish, (str, int, float)) or isinstance(wish, bool):
        expected = f"{', '.join(STYLE_LEVELS)} or a number from 0 to {MOST_STYLE:g}"
        raise BadSteering(f"the strength of a style is {expected}, got {wish!r}")
    return Style(name, strength)


def open_style(game: str, wish: Style | str | float | None) -> tuple[Style | None, Mapping[str, Any]]:
    """As make_style, for who may read files: `tal.json:strong` is a style that a file holds, and comes with
    the options that make it."""
    style = make_style(wish)
    if style is None or not style.name.lower().endswith(".json"):
        return style, {}
    read = registry.get(game).read_style
    if read is None:
        raise BadSteering(f"{game} has no styles that files hold")
    name, options = read(style.name)
    return Style(name, style.strength), options


def _is_level(text: str) -> bool:
    if text.lower() in STYLE_LEVELS:
        return True
    try:
        float(text)
    except ValueError:
        return False
    return True


def style_effect(style: Style | None, position: Position, options: Mapping[str, Any]) -> StyleEffect:
    """What a style does at a position. Without one it is what the game's own options say of its first style;
    nothing where the game does not have it."""
    info = registry.get(position.game)
    if style is None:
        if not info.style_strength or not info.styles:
            return StyleEffect()
        style = Style(strength=float(options.get(info.style_strength, 0.0)))
    name = style.name or next(iter(info.styles), "")
    return info.styles[name](position, style.strength, options) if name in info.styles else StyleEffect()


@dataclass(frozen=True)
class Steering(JsonForm):
    """What is asked of a search. `include` maps a move to its minimum visits, `weights` to its factor."""

    json_sparse: ClassVar[bool] = True

    allow: tuple[str | Restriction, ...] = ()
    avoid: tuple[str | Restriction, ...] = ()
    include: Mapping[str, int] = field(default_factory=dict)
    weights: Mapping[str, float] = field(default_factory=dict)
    #: Root pruning while searching: `none`, `progressive` or `statistical`; None leaves the engine's own.
    prune: str | None = None
    #: A way of playing that the game knows; None leaves the engine's own.
    style: Style | None = None
    #: Guarantees visits to what a person would play, by the engine's human model.
    plausible: Plausible | None = None

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Steering:
        return make_steering(min_visits=1, **decode_fields(cls, data))

    def __bool__(self) -> bool:
        styled = self.style is not None and self.style.strength > 0
        asked = self.include or self.plausible
        return bool(self.allow or self.avoid or asked or self.weights or self.prune or styled)


class SteeringWishes(TypedDict, total=False):
    """Steering as keywords: what `make_steering` takes, and with it `analyze` and its relatives."""

    #: Only these moves, none of these; a `Restriction` reaches below the root.
    allow: Iterable[str | Restriction] | None
    avoid: Iterable[str | Restriction] | None
    #: Moves that get at least `min_visits` visits, or each its own number.
    include: Iterable[str] | Mapping[str, int] | None
    min_visits: int
    #: A factor for each move's share of the search.
    weights: Mapping[str, float] | None
    #: Root pruning: `none`, `progressive` or `statistical`.
    prune: str | None
    #: A way of playing: `medium`, `hypermodern:strong`, 0.6.
    style: Style | str | float | None
    #: Visits for what a person would play, by the engine's human model: True, or the least share of a move.
    plausible: Plausible | float | bool | None


def make_steering(
    allow: Iterable[str | Restriction] | None = None,
    avoid: Iterable[str | Restriction] | None = None,
    include: Iterable[str] | Mapping[str, int] | None = None,
    min_visits: int = 1,
    weights: Mapping[str, float] | None = None,
    prune: str | None = None,
    style: Style | str | float | None = None,
    plausible: Plausible | float | bool | None = None,
) -> Steering:
    """Steering from keywords: `make_steering(include=["d3", "c4"], min_visits=20)`.

    `include` may also be a mapping with a minimum for each move.
    """
    _check_minimum("min_visits", min_visits)
    if isinstance(include, Mapping):
        guaranteed = dict(include)
    else:
        guaranteed = dict.fromkeys(_moves("include", include), min_visits)
    for move, minimum in guaranteed.items():
        _check_minimum(f"include[{move}]", minimum)
    factors = dict(weights or {})
    for move, factor in factors.items():
        if isinstance(factor, bool) or not isinstance(factor, (int, float)):
            raise BadSteering(f"weights[{move}] must be a number, got {factor!r}")
        if not (math.isfinite(factor) and 0 <= factor <= 1000):
            raise BadSteering(f"weights[{move}] must be from 0 to 1000, got {factor:g}")
    allowed, avoided = _moves("allow", allow), _moves("avoid", avoid)
    return Steering(
        allowed, avoided, guaranteed, factors, prune, make_style(style), make_plausible(plausible)
    )


def _moves(name: str, given: Iterable[Any] | None) -> tuple[Any, ...]:
    if given is None:
        return ()
    if isinstance(given, str):
        raise BadSteering(f"{name} takes a list of moves, got the text {given!r}")
    moves = tuple(given)
    for move in moves:
        if not isinstance(move, (str, Restriction)):
            raise BadSteering(f"{name} takes moves as text, got {move!r}")
    return moves


def _check_minimum(name: str, value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MOST_MIN_VISITS:
        raise BadSteering(f"{name} must be a whole number from 1 to 2^50, got {value!r}")


@dataclass(frozen=True)
class Honoured(JsonForm):
    """A request that is carried out."""

    json_strict: ClassVar[bool] = False

    kind: str
    move: str
    detail: str = ""


@dataclass(frozen=True)
class Refused(JsonForm):
    """A request that was rejected, with the reason."""

    json_strict: ClassVar[bool] = False

    kind: str
    move: str
    reason: str
    #: Rejected because the move is illegal, or no move at all.
    illegal: bool = False


@dataclass(frozen=True)
class Audit(JsonForm):
    """What became of every request: what the position and the search said to it."""

    json_strict: ClassVar[bool] = False

    honoured: tuple[Honoured, ...] = ()
    refused: tuple[Refused, ...] = ()


class _Compiler:
    """Checks requests against one position, writing the plan and the audit as it goes."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.plan = _native.Plan()
        self.honoured: list[Honoured] = []
        self.refused: list[Refused] = []

    def resolve(self, kind: str, text: str, root: bool = True) -> int | None:
        """The native move, or None after writing down why there is none."""
        try:
            if root:
                return self.position.parse_move(text)
            return int(self.position.state.parse_move(text))
        except (IllegalMove, ValueError) as error:
            self.refused.append(Refused(kind, text, str(error), illegal=True))
            return None

    def include(self, wishes: Mapping[str, int]) -> None:
        seen: dict[int, str] = {}
        for text, minimum in wishes.items():
            move = self.resolve("include", text)
            if move is None:
                continue
            if move in seen:
                self.refused.append(Refused("include", text, f"the same move as {seen[move]}, given twice"))
                continue
            seen[move] = text
            self.plan.include(move, minimum)
            self.honoured.append(Honoured("include", text, f"at least {minimum} visits"))

    def guarantee_plausible(
        self, wish: Plausible, human: HumanPolicy | None, included: Mapping[str, int]
    ) -> None:
        """Guarantees what a person would play. A move that was named too keeps its own number."""
        if human is None:
            self.refused.append(Refused("plausible", "", "the engine has no human model"))
            return
        named: dict[int, int] = {}
        for text, minimum in included.items():
            with contextlib.suppress(IllegalMove, ValueError):
                named[self.position.parse_move(text)] = minimum
        for text, share in plausible_moves(human.policy, wish).items():
            move = self.position.parse_move(text)
            if move not in named:
                self.plan.include(move, wish.min_visits, apart=True)
            minimum = named.get(move, wish.min_visits)
            detail = f"{100 * share:.1f}% by {human.model}, at least {minimum} visits"
            self.honoured.append(Honoured("plausible", text, detail))

    def weigh(self, wishes: Mapping[str, float]) -> None:
        for text, factor in wishes.items():
            move = self.resolve("weights", text)
            if move is not None:
                self.plan.weight(move, float(factor))
                self.honoured.append(Honoured("weights", text, f"times {factor:g}"))

    def style(self, style: Style, effect: StyleEffect) -> None:
        """Notes what becomes of a style."""
        game = self.position.game
        styles = registry.get(game).styles
        if not styles:
            self.refused.append(Refused("style", str(style), f"{game} has no styles"))
        elif style.name and style.name not in styles:
            known = ", ".join(styles)
            self.refused.append(Refused("style", str(style), f"{game} has no such style; it has {known}"))
        elif effect.nothing:
            self.refused.append(Refused("style", str(style), effect.nothing))
        elif style.strength > 0:
            named = Style(style.name or next(iter(styles)), style.strength)
            self.honoured.append(Honoured("style", str(named), effect.detail))

    def restrict(self, kind: str, wishes: tuple[str | Restriction, ...]) -> list[tuple[int, list[int], int]]:
        """Groups (side, moves, until_depth) of the wishes that stand."""
        mover = self.position.to_move
        plain = tuple(wish for wish in wishes if isinstance(wish, str))
        groups = [Restriction(plain)] if plain else []
        groups += [wish for wish in wishes if isinstance(wish, Restriction)]
        out = []
        for group in groups:
            side = mover if group.side is None else group.side
            at_root = side == mover and group.until_depth == 1
            moves = [(text, self.resolve(kind, text, at_root)) for text in group.moves]
            legal = [move for _, move in moves if move is not None]
            words = [] if side == mover else [f"for {self.position.side_names[side]}"]
            words += [f"down to depth {group.until_depth}"] if group.until_depth > 1 else []
            detail = ", ".join(words)
            self.honoured += [Honoured(kind, text, detail) for text, move in moves if move is not None]
            if legal:
                out.append((side, legal, group.until_depth))
        return out

    def allow_and_avoid(self, steering: Steering) -> None:
        allowed = self.restrict("allow", steering.allow)
        avoided = self.restrict("avoid", steering.avoid)
        mover = self.position.to_move
        left = set(self.position.state.legal_moves())
        at_root = [set(moves) for side, moves, _ in allowed if side == mover]
        if at_root:
            left &= set().union(*at_root)
        for side, moves, _ in avoided:
            if side == mover:
                left -= set(moves)
        if not left and not steering.include:
            # Nothing would be left to search; the narrower wish gives way, and the report says so.
            reason = "it would leave no move to search, so it is not applied"
            self.honoured = [item for item in self.honoured if item.kind != "avoid"]
            self.refused += [
                Refused("avoid", move, reason)
                for wish in steering.avoid
                for move in ((wish,) if isinstance(wish, str) else wish.moves)
            ]
            avoided = [group for group in avoided if group[0] != mover]
        for side, moves, depth in allowed:
            self.plan.allow(side, moves, depth)
        for side, moves, depth in avoided:
            self.plan.avoid(side, moves, depth)


def compile_plan(
    steering: Steering,
    position: Position,
    options: Mapping[str, Any] | None = None,
    human: HumanPolicy | None = None,
) -> tuple[_native.Plan, Audit]:
    """The plan for a native search, and what the position says to each part of it. `options` are those of the
    search and of the game, `human` is what the human model says of the position. What the search itself says
    comes next: `admitted`."""
    options = options or {}
    compiler = _Compiler(position)
    info = registry.get(position.game)
    if info.shape_plan is not None:
        info.shape_plan(compiler.plan, options)
    effect = style_effect(steering.style, position, options)
    for move, factor in effect.prior_factors.items():
        compiler.plan.prior_factor(move, factor)
    if effect.budget > 0 or effect.scale or effect.price:
        compiler.plan.style(
            effect.budget, list(effect.bonuses.items()), effect.scale, effect.strength, effect.price
        )
    compiler.allow_and_avoid(steering)
    compiler.include(steering.include)
    if steering.plausible is not None:
        compiler.guarantee_plausible(steering.plausible, human, steering.include)
    compiler.weigh(steering.weights)
    if steering.prune:
        compiler.honoured.append(Honoured("prune", "", steering.prune))
    if steering.style is not None:
        compiler.style(steering.style, effect)
    return compiler.plan, Audit(tuple(compiler.honoured), tuple(compiler.refused))


#: Parts of a plan by the words of those who asked for them.
_ASKED_AS = {
    "prior_factors": ("style",),
    "style_prediction": ("style",),
    "include": ("include", "plausible"),
}


def admitted(audit: Audit, refusals: Iterable[_native.Refusal], position: Position) -> Audit:
    """The audit after the search was asked what it can obey (`admit` of a native search)."""
    honoured, refused = list(audit.honoured), list(audit.refused)
    for refusal in refusals:
        if refusal.kind == "style_head":  # the rest of the style is honoured
            refused.append(Refused("style", "head", refusal.reason))
            continue
        kinds = _ASKED_AS.get(refusal.kind, (refusal.kind,))
        named = [item for item in honoured if item.kind in kinds]
        if refusal.move is not None:
            named = [item for item in named if _native_move(position, item.move) == refusal.move]
        # A move may be restricted at the root, which is obeyed, and below it, which is not.
        for item in sorted(named, key=lambda item: not item.detail)[: None if refusal.move is None else 1]:
            honoured.remove(item)
            refused.append(Refused(item.kind, item.move, refusal.reason))
    return Audit(tuple(honoured), tuple(refused))


def _native_move(position: Position, text: str) -> int:
    try:
        return position.parse_move(text)
    except IllegalMove:
        return int(position.state.parse_move(text))
