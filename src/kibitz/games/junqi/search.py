"""The search of a seat: beam alpha-beta over worlds sampled from what the seat knows.

>>> from kibitz.games import junqi
>>> view = junqi.Position().view("S")
>>> found = alpha_beta_search(view, "S", SearchConfig(depth=2, worlds=2, time_limit_ms=0))
>>> found.best in view.legal_moves
True

A `View` is all it is given, so it cannot peek. `kibitz.Engine("junqi")` is the same search with budgets,
steering and reports as in every game.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from kibitz import _native
from kibitz.errors import BadOption, BadRequest
from kibitz.games.junqi.behaviors import CATEGORIES, find_counterattack_targets
from kibitz.games.junqi.history import HistoryRecorder
from kibitz.games.junqi.position import View, seat_number
from kibitz.games.junqi.presets import options
from kibitz.games.junqi.scoring import MoveParts
from kibitz.games.junqi.weights import Weights
from kibitz.shutdown import NativeWork

__all__ = [
    "Found",
    "FoundMove",
    "SearchConfig",
    "alpha_beta_search",
    "choose_best_move_styled",
    "search_best_move_in_pool",
]


@dataclass(frozen=True)
class SearchConfig:
    """How to search. The first six are the classic ones."""

    depth: int = 3
    beam_width: int = 8
    discount: float = 0.95
    #: 0 is no limit.
    time_limit_ms: int = 5000
    use_alpha_beta: bool = True
    apply_style_filter_first_ply: bool = True
    use_table: bool = True
    iterative: bool = True
    #: The beam at the other side's nodes; 0 is `beam_width`.
    reply_width: int = 4
    quiescence: int = 4
    worlds: int = 8
    samples: int = 96
    root_width: int = 16
    threads: int = 1
    seed: int = 1
    #: Nodes in all; 0 is no limit.
    nodes: int = 0
    #: `search`, or `classic` for the search this one grew from.
    mode: str = "search"


@dataclass(frozen=True)
class FoundMove:
    """A root move: `value` in points for the mover's side, cautious over the worlds."""

    move: str
    value: float
    parts: MoveParts
    category: str
    belief: str
    line: tuple[str, ...]


@dataclass(frozen=True)
class Found:
    """What a search found, the best move first."""

    moves: tuple[FoundMove, ...]
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
) -> Found:
    """The best move of the view's seat.

    `start_player` must be that seat, `history` that view's own (both may be left out: a view has them).
    `first_ply_moves` restricts the first ply, `include` names moves the beam never cuts,
    `preferred_category` prefers a behaviour.
    """
    config = config or SearchConfig()
    if not isinstance(board, View):
        raise BadRequest("a search is given a View; take one with position.view(seat)")
    if start_player is not None and seat_number(start_player) != seat_number(board.seat):
        raise BadRequest(f"this is the view of {board.seat}; {start_player} cannot be searched from it")
    if history is not None and history.signature != board.state.history().signature:
        raise BadRequest("the history is not the view's")
    if not board.legal_moves:
        raise BadRequest(f"{board.seat} is not to move here" if not board.is_over else "the game is over")
    if preferred_category is not None and preferred_category not in CATEGORIES:
        raise BadOption(f"no category {preferred_category!r}, expected one of {', '.join(CATEGORIES)}")
    chosen = asdict(config)
    limits: dict[str, float] = {}
    if chosen.pop("time_limit_ms") > 0:
        limits["seconds"] = config.time_limit_ms / 1000
    if chosen.pop("nodes") > 0:
        limits["simulations"] = config.nodes
    native = options({**chosen, "style": preferred_category or "none"})
    if weights is not None:
        native.set_weights(weights.native)
    plan = _native.Plan()
    if first_ply_moves:
        plan.allow(board.to_move, [board.parse_move(move) for move in first_ply_moves])
    for move in include:
        plan.include(board.parse_move(move), 1)
    search = _native.JunqiSearch(board.state, native)
    with NativeWork(search.stop):
        search.start(plan, **limits)  # type: ignore[arg-type]
        while not search.wait(0.05):
            pass
    found: Any = search.report()
    text = board.state.move_text
    moves = tuple(
        FoundMove(
            text(item.move),
            item.score,
            MoveParts(**item.parts),
            item.category,
            item.belief,
            tuple(text(move) for move in item.line),
        )
        for item in found.moves
    )
    return Found(moves, found.depth, found.nodes, found.seconds, found.stop)


def search_best_move_in_pool(
    board: View,
    start_player: str | int | None,
    pool: Sequence[str],
    config: SearchConfig | None = None,
    history: HistoryRecorder | None = None,
) -> Found:
    """`alpha_beta_search` over a pool of first moves only."""
    if not pool:
        raise BadRequest("the pool of moves is empty")
    return alpha_beta_search(board, start_player, config, history, pool)


#: A counter-attack may be worth so many points less than the best move and still be played.
_COUNTER_MARGIN = 5.0


def choose_best_move_styled(
    board: View,
    start_player: str | int | None = None,
    style: str = "balanced",
    config: SearchConfig | None = None,
    history: HistoryRecorder | None = None,
) -> Found:
    """The move of a style. Where an invader can be met, the counter-attacks are searched as a pool of their
    own first; they are played unless something else is clearly better. A winning or flag-saving move is
    never passed over for a style."""
    found = alpha_beta_search(board, start_player, config, history, preferred_category=style)
    targets = find_counterattack_targets(board)
    pool = [move for move in board.legal_moves if move[4:7] in targets]
    if not pool or found.best in pool:
        return found
    counter = search_best_move_in_pool(board, start_player, pool, config, history)
    return counter if counter.value >= found.value - _COUNTER_MARGIN else found
