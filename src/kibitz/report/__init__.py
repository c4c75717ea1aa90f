"""A report: what a search found, the same for every game, and how it reads as text, JSON and a picture.

The JSON form is documented in docs/report.md and stable: fields are added, never renamed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar

from kibitz.comparison import Compare, Comparison, comparison_of
from kibitz.draw import Mark
from kibitz.errors import BadRequest
from kibitz.explanation import explain
from kibitz.facts import Fact
from kibitz.games import registry
from kibitz.games.base import Exact, Position
from kibitz.human import HumanPolicy, HumanView, human_lines, human_view, mark_of
from kibitz.json_form import JsonForm, decode_fields, encode
from kibitz.questions import Reply
from kibitz.report.judgement import MoveInfo, RootInfo
from kibitz.report.table import counted, table
from kibitz.running.search_tree import PROOFS, TreeNode
from kibitz.sentences import Sentence, joined, verbatim
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


#: Columns of a frame that are always there, and values that say nothing.
_ALWAYS = ("move", "order", "visits", "value", "prior", "line")
_NOTHING = (None, "", ())


@dataclass(frozen=True)
class Answer(JsonForm):
    """What a search says about a move it was asked about (`include`): as sentences, and in numbers.

    >>> report = kibitz.analyze(kibitz.othello.Position(), include=["c4"], min_visits=10, simulations=100)
    >>> [answer.move for answer in report.answers]
    ['c4']
    """

    json_strict: ClassVar[bool] = False

    move: str
    value: float
    #: How much less than the best move's value that is; 0 for the best move, and for one as good.
    behind: float
    #: The best move, which may be this one.
    best: str
    #: The line of play that answers the move, the reply first.
    refutation: tuple[str, ...]
    visits: int
    said: tuple[Sentence, ...] = ()

    @property
    def text(self) -> str:
        """The move and what is said of it, in English."""
        return f"{self.move}: {joined(self.said)}"

    def to_dict(self) -> dict[str, Any]:
        """`text` is for readers of version 1."""
        return {**super().to_dict(), "text": self.text}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Answer:
        if "said" not in data and isinstance(data.get("text"), str):  # version 1
            data = {**data, "said": [verbatim(data["text"].partition(": ")[2]).to_dict()]}
        return cls(**decode_fields(cls, data))


#: Moves of a refutation that its sentence has.
_SAID = 3
_PROVEN = {"win": "answer.provenWin", "draw": "answer.provenDraw", "loss": "answer.provenLoss"}


def _answer(info: MoveInfo, best: MoveInfo) -> Answer:
    behind = max(0.0, best.value - info.value)
    reply = info.line[1:]
    said = [Sentence("answer.value", {"value": info.value})]
    if info.proven:
        said.append(Sentence(_PROVEN[info.proven]))
    if not info.visits:
        said = [Sentence("answer.none")]
    elif info.move == best.move:
        said.append(Sentence("answer.best"))
    elif info.looks_better:
        said.append(Sentence("answer.looksBetter", {"best": best.move}))
    elif behind == 0:
        said.append(Sentence("answer.equal", {"best": best.move}))
    elif reply:
        line = [*reply[:_SAID], *(["..."] if len(reply) > _SAID else [])]
        said.append(Sentence("answer.behindRefuted", {"by": behind, "best": best.move, "line": line}))
    else:
        said.append(Sentence("answer.behind", {"by": behind, "best": best.move}))
    return Answer(info.move, info.value, behind, best.move, reply, info.visits, tuple(said))


@dataclass(frozen=True)
class Report(JsonForm):
    """What a search found. `report.best` is the move to play.

    >>> report = kibitz.analyze(kibitz.othello.Position(), simulations=100)
    >>> report.best in kibitz.othello.Position().legal_moves
    True
    """

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
    tree_dump: str = field(default="", compare=False)
    #: How likely a person plays each legal move, where the engine has a human model.
    human: HumanPolicy | None = field(default=None, compare=False)
    #: The tree below the root, most visits first (`Request.tree_depth`).
    tree: tuple[TreeNode, ...] = field(default=(), compare=False)
    #: The search family: `tree`, `alphabeta`, `worlds` (Junqi's) or `solver`. It says what is counted as
    #: simulations and as visits (docs/report.md).
    search: str = "tree"
    #: The verdict on moves that were to be compared.
    comparison: Comparison | None = None
    #: One for each question that was asked (`ask`).
    replies: tuple[Reply, ...] = ()

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
        """One for each move that the request named; a question has a reply instead."""
        shown = [info for info in self.moves if info.min_visits]
        if any(item.kind == "ask" for item in self.steering.honoured):
            position = self.position.mover_view()
            named = {
                position.state.move_text(position.parse_move(item.move))
                for item in self.steering.honoured
                if item.kind in ("include", "plausible")
            }
            shown = [info for info in shown if info.move in named]
        return tuple(_answer(info, self.moves[0]) for info in shown)

    @property
    def facts(self) -> tuple[Fact, ...]:
        """Why the best move is best (`kibitz.explain`)."""
        return explain(self).facts

    @property
    def simulations_per_second(self) -> float:
        return self.simulations / self.seconds if self.seconds > 0 else 0.0

    def top(self, count: int) -> tuple[MoveInfo, ...]:
        """So many of the best moves, and every move that the request asked about."""
        return tuple(info for info in self.moves if info.order < count or info.min_visits)

    def to_dict(self) -> dict[str, Any]:
        """The report as plain data (docs/report.md)."""
        position = self.position.mover_view()
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
        if self.tree_dump:
            data["treeDump"] = data["thoughts"] = self.tree_dump
        if self.tree:
            data["tree"] = encode(self.tree)
        if self.comparison is not None:
            data["comparison"] = {**self.comparison.to_dict(), "said": encode(self.comparison.said)}
        if self.replies:
            data["replies"] = encode(self.replies)
        return data

    json_strict: ClassVar[bool] = False

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Report:
        """The report that `to_dict` described. Of a newer version what is not known here is left out."""
        known = decode_fields(cls, data, skip=("position",))
        if "record" not in data:
            raise BadRequest("Report needs the field record, the position with its game")
        return cls(position=registry.position_from_dict(data["record"]), **known)

    def to_frame(self) -> Any:
        """A pandas DataFrame with one row for each move, best first. Columns have the names of `MoveInfo`;
        those that say nothing of any move are left out."""
        try:
            import pandas  # not a dependency: only who calls this needs it
        except ImportError:
            raise BadRequest("a frame needs pandas, which is not installed: pip install pandas") from None
        names = [item.name for item in fields(MoveInfo)]
        names = ["move", *(name for name in names if name not in ("move", "line")), "line"]
        shown = [
            name
            for name in names
            if name in _ALWAYS or any(getattr(info, name) not in _NOTHING for info in self.moves)
        ]
        return pandas.DataFrame(
            [[getattr(info, name) for name in shown] for info in self.moves], columns=shown
        )

    # -- text -------------------------------------------------------------------------------------

    def rows(self, most: int | None = None) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
        """Headings and cells of the table of moves, only with the columns that say something. Of more moves
        than `most` the best are shown, and those that were asked about."""
        return table(self.moves if most is None else self.top(most), self.search)

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
            f"{made:,} {counted(self.search)[0]} in {self.seconds:.2f} s{speed}{reused}{full}; {ended}"
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
        if self.comparison is not None:
            lines += [str(sentence) for sentence in self.comparison.said]
        lines += map(str, self.replies)
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
    tree_dump: str = "",
    human: HumanPolicy | None = None,
    compare: Compare | None = None,
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
        tree_dump,
        human,
        search=search,
        comparison=None
        if compare is None
        else comparison_of(compare, [(state.move_text(item.move), item) for item in native.moves]),
    )


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
        error=getattr(item, "error", None),
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
        more |= {"raw_evaluation": _copied(native.own, _OWN), **_ownership(native), "style": native.style}
        more["raw_evaluation"] |= {
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
