"""A report: what a search found, the same for every game, and how it reads as text, JSON and a picture.

The JSON form is documented in docs/report.md and stable: fields are added, never renamed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from kibitz.draw import Mark
from kibitz.errors import BadRequest
from kibitz.games import registry
from kibitz.games.base import Exact, Position
from kibitz.human import HumanPolicy, HumanView, human_lines, human_view, mark_of
from kibitz.json_form import JsonForm, decode_fields, encode
from kibitz.search_tree import PROOFS, TreeNode
from kibitz.steering import Audit

__all__ = ["Answer", "MoveInfo", "Report", "RootInfo"]

JSON_VERSION = 1
#: Moves that a printed report shows.
_ROWS = 12
#: What a native report and these say by the same name: of a move, of the root, of the evaluator's own word.
_MOVE = (
    "visits",
    "value",
    "first_value",
    "prior",
    "lcb",
    "draw",
    "guaranteed",
    "min_visits",
    "votes",
    "pruned",
)
_ROOT = (
    "value", "visits", "guaranteed", "reused", "draw", "first_value", "nodes", "depth", "mean_depth",
    "memory_bytes", "tree_full",
)  # fmt: skip
_OWN = (
    "value", "draw", "score", "score_stdev", "lead", "turns_left_variance", "value_error", "score_error",
)  # fmt: skip
#: The same, of evaluators that predict style.
_OWN_STYLE = ("style", "mover_style")


@dataclass(frozen=True)
class MoveInfo(JsonForm):
    """A root move, judged from the side to move: `value` is its expected result in [0, 1]."""

    json_strict: ClassVar[bool] = False
    json_named: ClassVar[frozenset[str]] = frozenset({"parts"})
    json_optional: ClassVar[frozenset[str]] = frozenset(
        {
            "line_visits", "score_stdev", "lead", "utility", "utility_lcb", "weight", "selection",
            "improved", "ownership", "ownership_stdev", "parts", "belief", "human", "mark", "style",
            "upper_bound", "looks_better", "weightless",
        }
    )  # fmt: skip

    move: str
    order: int
    visits: int
    value: float
    #: What the evaluator said when it first saw the move's position, where that is still known.
    first_value: float | None = None
    prior: float = 0.0
    lcb: float = 0.0
    draw: float = 0.0
    #: Expected or exact margin for the side to move, in games that have one and know it.
    score: float | None = None
    #: `win`, `draw` or `loss` once proven, else None.
    proven: str | None = None
    #: Of the visits, the guaranteed ones (`include`, `plausible`).
    guaranteed: int = 0
    #: Of the visits, those that a human model's policy chose and that count for nothing above the move
    #: (`human_root_weightless`).
    weightless: int = 0
    #: As many visits as were asked for; 0 when nobody asked about the move.
    min_visits: int = 0
    #: Of the visits, those that speak for the move: the search's own, and guaranteed ones as far as it would
    #: have made them anyway. The recommendation counts these.
    votes: int = 0
    #: Set aside by root pruning when the report was made.
    pruned: bool = False
    #: Only by alpha-beta: value and score are upper bounds; the move was shown to be no better than others.
    upper_bound: bool = False
    #: Only of plausible moves: their guaranteed visits, which have no say in what is recommended, found the
    #: move better than the recommended one.
    looks_better: bool = False
    #: The best line found, this move first.
    line: tuple[str, ...] = ()
    #: Visits along the line.
    line_visits: tuple[int, ...] = ()
    #: Spread of the score, and the margin with best play, where the evaluator tells them.
    score_stdev: float | None = None
    lead: float | None = None
    #: What the search maximizes (-1 loss, 1 win, a little more for points) and its lower bound.
    utility: float | None = None
    utility_lcb: float | None = None
    #: What the visits count for, where that differs from their number.
    weight: float | None = None
    #: What moves are ordered by, where that is more than visits.
    selection: float | None = None
    #: Share of the policy that the search makes of the priors, where the rule is gumbel.
    improved: float | None = None
    #: Who owns each point after this move, the first side's from -1 to 1, row by row; if asked for.
    ownership: tuple[float, ...] = ()
    ownership_stdev: tuple[float, ...] = ()
    #: Named parts of an immediate score, in games whose moves are scored by hand.
    parts: Mapping[str, float] | None = None
    #: What is believed of the move's target, in games with hidden pieces.
    belief: str = ""
    #: How likely a person plays it, by the human model.
    human: float | None = None
    #: `trap` (plausible and bad) or `hard find` (good and implausible), by the human model.
    mark: str = ""
    #: Style of the game, from 0 to 1, as a network with a style head predicts it: the mean of the lines that
    #: follow the move.
    style: float | None = None


@dataclass(frozen=True)
class Answer(JsonForm):
    """What a search says about a move it was asked about (`include`): as a sentence, and in numbers."""

    move: str
    value: float
    #: How much less than the best move's value that is; 0 for the best move, and for one as good.
    behind: float
    #: The best move, which may be this one.
    best: str
    #: The line of play that answers the move, the reply first.
    refutation: tuple[str, ...]
    visits: int
    text: str


#: Moves of a refutation that its sentence tells.
_TOLD = 3


def _answer(info: MoveInfo, best: MoveInfo) -> Answer:
    behind = max(0.0, best.value - info.value)
    reply = info.line[1:]
    proof = f", a proven {info.proven}" if info.proven else ""
    text = f"{info.move}: {100 * info.value:.1f}%{proof}"
    if not info.visits:
        text = f"{info.move}: not searched yet"
    elif info.move == best.move:
        text += ", the best move"
    elif info.looks_better:
        text += f", better than {best.move} as far as its guaranteed visits tell; search longer to be sure"
    elif behind == 0:
        text += f", no worse than {best.move}"
    else:
        text += f", {100 * behind:.1f}% behind {best.move}"
        if reply:
            text += f"; refuted by {' '.join(reply[:_TOLD])}" + (" ..." if len(reply) > _TOLD else "")
    return Answer(info.move, info.value, behind, best.move, reply, info.visits, text)


@dataclass(frozen=True)
class RootInfo(JsonForm):
    """The position itself, judged from the side to move."""

    json_strict: ClassVar[bool] = False
    json_named: ClassVar[frozenset[str]] = frozenset({"own"})
    json_optional: ClassVar[frozenset[str]] = frozenset(
        {"score_stdev", "lead", "utility", "weight", "own", "ownership", "ownership_stdev", "style"}
    )

    value: float
    visits: int
    guaranteed: int = 0
    reused: int = 0
    draw: float = 0.0
    #: What the evaluator said of the position itself, where that is still known.
    first_value: float | None = None
    score: float | None = None
    proven: str | None = None
    nodes: int = 0
    #: Of the deepest line; `mean_depth` is the mean of this search's lines.
    depth: int = 0
    mean_depth: float = 0.0
    memory_bytes: int = 0
    tree_full: bool = False
    score_stdev: float | None = None
    lead: float | None = None
    utility: float | None = None
    weight: float | None = None
    #: What the evaluator says about the position itself, without any search.
    own: Mapping[str, float] | None = None
    #: Who owns each point, the first side's from -1 to 1, row by row; if asked for.
    ownership: tuple[float, ...] = ()
    ownership_stdev: tuple[float, ...] = ()
    #: Style of the game as a network with a style head predicts it, the mean of the tree; in `own` are the
    #: network's own `style`, and `mover_style`, that of the side to move.
    style: float | None = None


@dataclass(frozen=True)
class Report(JsonForm):
    """What a search found. `report.best` is the move to play."""

    position: Position
    moves: tuple[MoveInfo, ...]
    root: RootInfo
    steering: Audit
    stop_reason: str
    simulations: int
    seconds: float
    #: What searched: preset and options that differ from the defaults.
    engine: str = ""
    #: False for a report made while the search still runs.
    final: bool = True
    #: The prior of every legal move, where the evaluator gives priors.
    policy: Mapping[str, float] = field(default_factory=dict, compare=False)
    #: What the search thought, as indented text (the `debug` request).
    thoughts: str = field(default="", compare=False)
    #: How likely a person plays each legal move, where the engine has a human model.
    human: HumanPolicy | None = field(default=None, compare=False)
    #: The tree below the root, most visits first (`Request.tree_depth`).
    tree: tuple[TreeNode, ...] = field(default=(), compare=False)
    #: The search family: `tree`, `alphabeta`, `worlds` (Junqi's) or `solver`. It says what is counted as
    #: simulations and as visits (docs/report.md).
    search: str = "tree"

    @property
    def human_view(self) -> HumanView | None:
        """What the position means to the human model's player."""
        return None if self.human is None else human_view(self.moves, self.human)

    @property
    def best(self) -> str:
        """The move to play."""
        return self.moves[0].move if self.moves else self.position.legal_moves[0]

    @property
    def answers(self) -> tuple[Answer, ...]:
        """One for each move that the request asked about."""
        return tuple(_answer(info, self.moves[0]) for info in self.moves if info.min_visits)

    @property
    def simulations_per_second(self) -> float:
        return self.simulations / self.seconds if self.seconds > 0 else 0.0

    def top(self, count: int) -> tuple[MoveInfo, ...]:
        """So many of the best moves, and every move that the request asked about."""
        return tuple(info for info in self.moves if info.order < count or info.min_visits)

    def to_dict(self) -> dict[str, Any]:
        """The report as plain data (docs/report.md)."""
        position = self.position.seen()
        data = {
            "version": JSON_VERSION,
            "game": position.game,
            "position": position.notation,
            "record": position.to_dict(),
            "toMove": position.mover,
            "best": self.best,
            "final": self.final,
            "stopReason": self.stop_reason,
            "simulations": self.simulations,
            "seconds": encode(self.seconds),
            "engine": self.engine,
            "search": self.search,
            "root": self.root.to_dict(),
            "moves": encode(self.moves),
            "answers": encode(self.answers),
            "steering": self.steering.to_dict(),
        }
        if self.policy:
            data["policy"] = encode(self.policy)
        if self.human is not None and (view := self.human_view) is not None:
            data["human"] = {**self.human.to_dict(), **view.to_dict()}
        if self.thoughts:
            data["thoughts"] = self.thoughts
        if self.tree:
            data["tree"] = encode(self.tree)
        return data

    json_strict: ClassVar[bool] = False

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Report:
        """The report that `to_dict` described. Of a newer version what is not known here is left out."""
        fields = decode_fields(cls, data, skip=("position",))
        if "record" not in data:
            raise BadRequest("Report needs the field record, the position with its game")
        return cls(position=registry.position_from_dict(data["record"]), **fields)

    # -- text -------------------------------------------------------------------------------------

    def rows(self, most: int | None = None) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
        """Headings and cells of the table of moves, only with the columns that say something. Of more moves
        than `most` the best are shown, and those that were asked about."""
        moves = self.moves if most is None else self.top(most)
        columns: list[tuple[str, list[str]]] = [
            ("move", [info.move for info in moves]),
            (_counted(self.search)[1], [f"{info.visits:,}" for info in moves]),
            ("value", [f"{_bound(info)}{100 * info.value:.1f}%" for info in moves]),
        ]
        if any(info.guaranteed for info in moves):
            given = [f"{info.guaranteed:,}" if info.guaranteed else "" for info in moves]
            columns.insert(2, ("guaranteed", given))
        if any(info.weightless for info in moves):
            columns.insert(2, ("weightless", [f"{info.weightless:,}" for info in moves]))
        if any(info.score is not None for info in moves):
            scores = ["" if info.score is None else f"{_bound(info)}{info.score:+.4g}" for info in moves]
            columns.append(("score", scores))
        if any(info.proven for info in moves):
            columns.append(("proven", [info.proven or "" for info in moves]))
        if any(info.pruned and not info.upper_bound for info in moves):
            columns.append(("pruned", ["yes" if info.pruned else "" for info in moves]))
        for name in next((info.parts for info in moves if info.parts), {}):
            heading = "now" if name == "score" else name  # the searched score has its own column
            columns.append((heading, [f"{info.parts[name]:.1f}" if info.parts else "" for info in moves]))
        if any(info.belief for info in moves):
            columns.append(("target", [info.belief for info in moves]))
        if any(info.style is not None for info in moves):
            columns.append(("style", ["" if info.style is None else f"{info.style:.3f}" for info in moves]))
        if any(info.human is not None for info in moves):
            columns.append(("human", [f"{100 * (info.human or 0.0):.1f}%" for info in moves]))
        if any(info.mark for info in moves):
            columns.append(("mark", [info.mark for info in moves]))
        columns.append(("line", [" ".join(info.line[:8]) for info in moves]))
        return tuple(name for name, _ in columns), list(zip(*(cells for _, cells in columns), strict=True))

    def summary(self) -> str:
        """One line: how much was searched, how fast, why it stopped."""
        made = self.root.nodes if self.search == "solver" else self.simulations
        speed = f", {made / self.seconds:,.0f}/s" if self.seconds > 0.001 else ""
        reused = f", {self.root.reused:,} visits reused" if self.root.reused else ""
        full = ", tree full" if self.root.tree_full else ""
        words = {"running": "still running", "stopped": "stopped on request"}
        ended = words.get(self.stop_reason, f"stopped by {self.stop_reason}")
        return (
            f"{self.position.mover} to move, value {100 * self.root.value:.1f}%: "
            f"{made:,} {_counted(self.search)[0]} in {self.seconds:.2f} s{speed}{reused}{full}; {ended}"
        )

    def __str__(self) -> str:
        headings, cells = self.rows(_ROWS)
        widths = [max(len(row[i]) for row in [headings, *cells]) for i in range(len(headings))]

        def row(texts: tuple[str, ...]) -> str:
            shown = [
                text.rjust(width) if 0 < i < len(texts) - 1 else text.ljust(width)
                for i, (text, width) in enumerate(zip(texts, widths, strict=True))
            ]
            return "  ".join(shown).rstrip()

        lines = [self.summary(), row(headings), *(row(line) for line in cells)]
        if len(cells) < len(self.moves):
            lines.append(f"... and {len(self.moves) - len(cells)} more moves")
        lines += [answer.text for answer in self.answers]
        lines += human_lines(self)
        lines += [f"refused {item.kind} {item.move}: {item.reason}" for item in self.steering.refused]
        return "\n".join(lines)

    # -- pictures ---------------------------------------------------------------------------------

    def svg(self) -> str:
        """The board with each move's value and share of the visits on its square."""
        most = max((info.visits for info in self.moves), default=0) or 1
        marks = {
            info.move: Mark(
                f"{100 * info.value:.0f}",
                info.proven or _short(info.visits),
                info.visits / most,
                best=info.order == 0,
                asked=info.min_visits > 0,
            )
            for info in self.moves
        }
        return self.position.svg(marks=marks)

    def _repr_svg_(self) -> str:
        return self.svg()


def _short(count: int) -> str:
    for size, unit in ((1_000_000, "M"), (1_000, "k")):
        if count >= size:
            return f"{count / size:.3g}{unit}"
    return str(count)


def from_native(
    position: Position,
    native: Any,
    audit: Audit,
    *,
    engine: str,
    final: bool,
    has_score: bool,
    has_details: bool,
    search: str = "tree",
    unvisited: bool = False,
    top: int | None = None,
    thoughts: str = "",
    human: HumanPolicy | None = None,
) -> Report:
    """The report of a native search (native/search/report.h), in words instead of numbers."""
    state = position.state
    has_lead = search == "alphabeta"
    # A position where no move was visited yet still has moves, by prior; a reused tree may know moves that
    # are forbidden now.
    every = unvisited or not any(item.visits > item.guaranteed for item in native.moves)
    shown = [item for item in native.moves if item.min_visits or (item.permitted and (every or item.visits))]
    kept = [
        (order, item) for order, item in enumerate(shown) if top is None or order < top or item.min_visits
    ]
    moves = tuple(_move_info(state, item, order, has_score, has_details, has_lead) for order, item in kept)
    if human is not None:
        moves = tuple(
            replace(info, human=human.policy.get(info.move, 0.0), mark=mark_of(info, moves, human))
            for info in moves
        )
    return Report(
        position,
        moves,
        _root_info(native, has_score, has_details, has_lead),
        audit,
        native.stop,
        native.simulations,
        native.seconds,
        engine,
        final,
        {state.move_text(item.move): item.prior for item in native.moves} if has_details else {},
        thoughts,
        human,
        search=search,
    )


def _counted(search: str) -> tuple[str, str]:
    """What a search family counts as simulations, and what as the visits of a move."""
    names = {"alphabeta": ("nodes", "nodes"), "worlds": ("nodes", "worlds"), "solver": ("nodes", "nodes")}
    return names.get(search, ("simulations", "visits"))


def _bound(info: MoveInfo) -> str:
    return "<=" if info.upper_bound else ""


def _move_info(
    state: Any, item: Any, order: int, has_score: bool, has_details: bool, has_lead: bool
) -> MoveInfo:
    more: dict[str, Any] = {}
    if getattr(item, "weightless", 0):
        more["weightless"] = item.weightless
    if has_score:
        more["score"] = item.score
    if has_score and not has_lead:
        more["score_stdev"] = item.score_stdev
    if has_score and has_details:
        more["lead"] = item.lead
    if has_lead:
        more["lead"] = item.lead
        more["upper_bound"] = item.pruned
    if has_details:
        more |= _copied(item, ("utility", "utility_lcb", "weight", "selection"))
        more |= _ownership(item)
    return MoveInfo(
        move=state.move_text(item.move),
        order=order,
        proven=PROOFS.get(item.proven),
        line=_line(state, item.line),
        line_visits=tuple(item.line_visits),
        improved=getattr(item, "improved", None),
        looks_better=getattr(item, "looks_better", False),
        style=getattr(item, "style", None),
        parts=getattr(item, "parts", None),
        belief=getattr(item, "belief", ""),
        **_copied(item, _MOVE),
        **more,
    )


def _root_info(native: Any, has_score: bool, has_details: bool, has_lead: bool) -> RootInfo:
    more: dict[str, Any] = {}
    if has_score:
        more["score"] = native.score
    if has_lead:
        more["lead"] = native.lead
    if has_details:
        more |= _copied(native, ("score_stdev", "lead") if has_score else ())
        more |= _copied(native, ("utility", "weight"))
        more |= {"own": _copied(native.own, _OWN), **_ownership(native), "style": native.style}
        more["own"] |= {
            name: getattr(native.own, name) for name in _OWN_STYLE if getattr(native.own, name) >= 0
        }
    return RootInfo(proven=PROOFS.get(native.proven), **_copied(native, _ROOT), **more)


def _copied(source: Any, names: Iterable[str]) -> dict[str, Any]:
    return {name: getattr(source, name) for name in names}


def _ownership(source: Any) -> dict[str, Any]:
    return {"ownership": tuple(source.ownership), "ownership_stdev": tuple(source.ownership_stdev)}


def _line(state: Any, moves: list[int]) -> tuple[str, ...]:
    """Moves as text; each is written in its own position, which in chess changes its spelling."""
    if hasattr(state, "line_text"):  # a line through hidden pieces cannot be played on
        return tuple(state.line_text(moves))
    line = []
    if hasattr(state, "as_root"):  # a search may play on where the rules would end the game
        state = state.as_root()
    for move in moves:
        line.append(state.move_text(move))
        state = state.play(move)
    return tuple(line)


def from_exact(position: Position, exact: Exact, audit: Audit, engine: str, top: int | None = None) -> Report:
    """The report of a position that was solved instead of searched."""
    moves = tuple(
        MoveInfo(
            move=item.move,
            order=order,
            visits=0,
            value=item.half_points / 2,
            lcb=item.half_points / 2,
            draw=float(item.half_points == 1),
            score=item.score,
            proven=PROOFS[(item.half_points, item.half_points)],
            line=item.line or (item.move,),
        )
        for order, item in enumerate(exact.moves[:top])
    )
    best = exact.moves[0]
    root = RootInfo(
        value=best.half_points / 2,
        visits=0,
        draw=float(best.half_points == 1),
        score=best.score,
        proven=moves[0].proven,
        nodes=exact.nodes,
    )
    return Report(position, moves, root, audit, "solved", 0, exact.seconds, engine, search="solver")
