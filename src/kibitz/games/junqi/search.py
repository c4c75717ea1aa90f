"""The search of a seat by the classic functions' names: thin faces of the native search that
`kibitz.Engine("junqi")` runs, with budgets, steering and reports as in every game.

>>> from kibitz.games import junqi
>>> view = junqi.Position().view("S")
>>> result = alpha_beta_search(view, "S", SearchConfig(depth=2, time_limit_ms=0, options={"worlds": 2}))
>>> result.best in view.legal_moves
True

A `View` is all a search is given, so it cannot peek.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from kibitz import _native
from kibitz.errors import BadRequest
from kibitz.games.junqi.behaviors import COUNTERATTACK, category_named
from kibitz.games.junqi.history import HistoryRecorder
from kibitz.games.junqi.position import View, seat_number
from kibitz.games.junqi.presets import options
from kibitz.games.junqi.scoring import MoveParts, _find_counterattack_targets, asked_view, evaluate_moves
from kibitz.games.junqi.weights import Weights
from kibitz.running.shutdown import NativeWork


@dataclass(frozen=True)
class SearchConfig:
    """How to search: the classic parameters with the classic values. All else is the engine's own
    (`kibitz.games.junqi.presets.table`) unless `options` says otherwise."""

    depth: int = 3
    beam_width: int = 8
    discount: float = 0.95
    #: 0 is no limit.
    time_limit_ms: int = 5000
    use_alpha_beta: bool = True
    apply_style_filter_first_ply: bool = True
    #: Nodes in all; 0 is no limit.
    nodes: int = 0
    #: Other options of the engine by name: `{"worlds": 4, "mode": "classic"}`.
    options: Mapping[str, Any] = field(default_factory=dict)

    def values(self) -> dict[str, Any]:
        """Options of the engine."""
        return {
            "depth": self.depth,
            "beam_width": self.beam_width,
            "discount": self.discount,
            "use_alpha_beta": self.use_alpha_beta,
            "apply_style_filter_first_ply": self.apply_style_filter_first_ply,
            **self.options,
        }

    def limits(self) -> dict[str, Any]:
        """The budget."""
        limits: dict[str, Any] = {}
        if self.time_limit_ms > 0:
            limits["seconds"] = self.time_limit_ms / 1000
        if self.nodes > 0:
            limits["simulations"] = self.nodes
        return limits


@dataclass(frozen=True)
class MoveResult:
    """A root move: `value` in points for the mover's side, cautious over the worlds."""

    move: str
    value: float
    parts: MoveParts
    category: str
    belief: str
    line: tuple[str, ...]


@dataclass(frozen=True)
class SearchResult:
    """What a search found, the best move first."""

    moves: tuple[MoveResult, ...]
    depth: int
    nodes: int
    seconds: float
    stop: str

    @property
    def best(self) -> str:
        return self.moves[0].move

    @property
    def value(self) -> float:
        return self.moves[0].value


def alpha_beta_search(
    board: View,
    start_player: str | int | None = None,
    config: SearchConfig | None = None,
    history: HistoryRecorder | None = None,
    first_ply_moves: Sequence[str] | None = None,
    preferred_category: str | None = None,
    *,
    include: Sequence[str] = (),
    weights: Weights | None = None,
) -> SearchResult:
    """The best move of the view's seat.

    `start_player` must be that seat. `history` says who invades and who is restless, in the place
    of the view's own.
    `first_ply_moves` restricts the first ply, `include` names moves the beam never cuts,
    `preferred_category` prefers a behaviour (docs/junqi.md has their names).
    """
    category = category_named(preferred_category)
    if category == COUNTERATTACK:
        counters = counterattack_pool(board)
        pool = [move for move in first_ply_moves or counters if move in counters]
        first_ply_moves, category = pool or first_ply_moves, None
    styled = {"style": category or "none", "counterattack": False}
    return _searched(board, start_player, config, history, first_ply_moves, styled, include, weights)


def search_best_move_in_pool(
    board: View,
    start_player: str | int | None,
    pool: Sequence[str],
    config: SearchConfig | None = None,
    history: HistoryRecorder | None = None,
    preferred_category: str | None = None,
) -> SearchResult:
    """`alpha_beta_search` over a pool of first moves only."""
    if not pool:
        raise BadRequest("the pool of moves is empty")
    return alpha_beta_search(board, start_player, config, history, pool, preferred_category)


def choose_best_move_styled(
    board: View,
    start_player: str | int | None = None,
    style: str = "balanced",
    config: SearchConfig | None = None,
    history: HistoryRecorder | None = None,
    *,
    leave_pool: bool = False,
) -> SearchResult:
    """The move of a style. Where an invader can be met, only the pool of counter-attacks is searched. With
    `leave_pool` the engine's way is taken: a move outside the pool is played that is clearly better, wins or
    saves a flag."""
    category = category_named(style)
    preferred = "balanced" if category in (None, COUNTERATTACK) else category
    counters = counterattack_pool(asked_view(board, start_player, history))
    if counters and not leave_pool:
        return search_best_move_in_pool(board, start_player, counters, config, history)
    styled = {"style": preferred, "counterattack": True}
    return _searched(board, start_player, config, history, None, styled)


def counterattack_pool(board: View) -> tuple[str, ...]:
    """Legal moves that strike back at a piece that took one of ours lately."""
    targets = _find_counterattack_targets(board)
    return tuple(move for move in board.legal_moves if move[4:7] in targets)


def _searched(
    board: View,
    start_player: str | int | None,
    config: SearchConfig | None,
    history: HistoryRecorder | None,
    pool: Sequence[str] | None,
    styled: Mapping[str, Any],
    include: Sequence[str] = (),
    weights: Weights | None = None,
) -> SearchResult:
    """The one way into the native search."""
    config = config or SearchConfig()
    board = asked_view(board, start_player, history)
    if not board.legal_moves:
        raise BadRequest(f"{board.seat} is not to move here" if not board.is_over else "the game is over")
    native = options({**config.values(), **styled})
    if weights is not None:
        native.set_weights(weights.native)
    plan = _native.Plan()
    if pool:
        plan.allow(board.to_move, [board.parse_move(move) for move in pool])
    for move in include:
        plan.include(board.parse_move(move), 1)
    search = _native.JunqiSearch(board.state, native)
    with NativeWork(search.stop):
        search.start(plan, **config.limits())
        while not search.wait(0.05):
            pass
    report: Any = search.report()
    text = board.state.move_text
    moves = tuple(
        MoveResult(
            text(item.move),
            item.score,
            MoveParts(**item.parts),
            item.category,
            item.belief,
            tuple(text(move) for move in item.line),
        )
        for item in report.moves
    )
    return SearchResult(moves, report.depth, report.nodes, report.seconds, report.stop)


def _evaluate_state(
    board: View,
    max_player: str | int | None = None,
    history: HistoryRecorder | None = None,
    *,
    weights: Weights | None = None,
    samples: int = 96,
    seed: int = 1,
) -> float:
    """The classic static value: the best immediate score of `max_player`'s side less the other side's, on
    average over worlds sampled from what the view's seat believes. `max_player` may be any seat."""
    board = asked_view(board, None, history)
    own = seat_number(board.seat)
    asked = own if max_player is None else seat_number(max_player)
    chosen = weights or Weights.of(board.players)
    value = _native.junqi_state_value(board.state, chosen.native, samples, seed)
    allied = (asked - own) % 4 == 0 or (board.players == 4 and (asked - own) % 2 == 0)
    return value if allied else -value


def _sort_moves_for_side(
    board: View,
    player: str | int | None,
    moves: Sequence[str],
    maximizing: bool = True,
    history: HistoryRecorder | None = None,
    *,
    weights: Weights | None = None,
) -> list[tuple[float, str]]:
    """(score, move) of moves of the view's seat by their immediate scores: the best first when maximizing,
    the worst first otherwise."""
    board = asked_view(board, player, history)
    scores = {item.move: item.parts.score for item in evaluate_moves(board, weights=weights)}
    wanted = [board.state.move_text(board.parse_move(move)) for move in moves]
    return sorted(((scores[move], move) for move in wanted), key=lambda pair: pair[0], reverse=maximizing)
