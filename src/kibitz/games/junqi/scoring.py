"""Immediate scores of moves, from what the seat believes and from nothing else.

>>> from kibitz.games import junqi
>>> view = junqi.Position().view("S")
>>> parts = evaluate_move(view, "S", "commander", "S11", "C31")
>>> round(parts.attack_ev - parts.risk + parts.pos_gain + parts.defense - parts.score, 9)
0.0
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kibitz import _native
from kibitz.errors import BadRequest
from kibitz.games.junqi.history import HistoryRecorder
from kibitz.games.junqi.pieces import letter_of
from kibitz.games.junqi.position import View, seat_number
from kibitz.games.junqi.weights import Weights


@dataclass(frozen=True)
class MoveParts:
    """`score = attack_ev - risk + pos_gain + defense`."""

    score: float
    #: Expected gain of an attack over what the target may be, with what it teaches.
    attack_ev: float
    #: Expected cost of standing where the move ends.
    risk: float
    #: Advance, camps, railway, centre.
    pos_gain: float
    #: Guarding the flag, meeting intruders, the back rows.
    defense: float

    def __iter__(self) -> Iterator[float]:
        """`score, attack_ev, risk, pos_gain, defense = evaluate_move(...)`"""
        return iter((self.score, self.attack_ev, self.risk, self.pos_gain, self.defense))


@dataclass(frozen=True)
class Judgement:
    """A legal move with its parts and its behaviour."""

    move: str
    parts: MoveParts
    category: str
    vital: bool


def evaluate_moves(
    view: View, *, weights: Weights | None = None, samples: int = 96, seed: int = 1
) -> tuple[Judgement, ...]:
    """Every legal move of the seat, the best score first."""
    chosen = weights or Weights.of(view.players)
    rows = _native.junqi_evaluate_moves(view.state, chosen.native, samples, seed)
    return tuple(
        Judgement(view.state.move_text(move), MoveParts(**parts), category, vital)
        for move, parts, category, vital in rows
    )


def judged(
    view: View, move: str, *, weights: Weights | None = None, samples: int = 96, seed: int = 1
) -> Judgement:
    """One legal move; IllegalMove when it is none."""
    name = view.state.move_text(view.parse_move(move))
    every = evaluate_moves(view, weights=weights, samples=samples, seed=seed)
    return next(judgement for judgement in every if judgement.move == name)


def asked_view(board: View, player: str | int | None, history: HistoryRecorder | None) -> View:
    """The view that is judged: with that history, where one is given, in the place of its own. A view answers
    for its own seat; BadRequest says what was asked instead."""
    if not isinstance(board, View):
        raise BadRequest("moves are judged from a View; take one with position.view(seat)")
    if player is not None and seat_number(player) != seat_number(board.seat):
        raise BadRequest(f"this is the view of {board.seat}; {player} cannot be judged from it")
    if history is None or history.signature == board.state.history().signature:
        return board
    return View.of(board.state.with_history(history))


def evaluate_move(
    board: View,
    player: str | int | None,
    attacker: str | None,
    from_pos: str,
    to_pos: str,
    history: HistoryRecorder | None = None,
    *,
    weights: Weights | None = None,
    samples: int = 96,
    seed: int = 1,
) -> MoveParts:
    """The five parts of a legal move of the view's seat.

    `player` must be that seat and `attacker` (a letter or a name, such as `9`, `commander` or 司令) the piece
    on `from_pos`; both may be None. `history` says who invades and who is restless; without it the view's own
    does.
    """
    board = asked_view(board, player, history)
    standing = {node: kind for node, _, kind, _ in board.state.standing()}
    if attacker is not None and standing.get(from_pos) != letter_of(attacker):
        raise BadRequest(f"the piece on {from_pos} is no {attacker}")
    return judged(board, f"{from_pos}-{to_pos}", weights=weights, samples=samples, seed=seed).parts


def _attack_ev(
    board: View,
    player: str | int | None,
    attacker: str | None,
    from_pos: str,
    to_pos: str,
    history: HistoryRecorder | None = None,
    *,
    weights: Weights | None = None,
) -> float:
    """The expected gain of an attack alone; 0 for a move to an empty node."""
    return evaluate_move(board, player, attacker, from_pos, to_pos, history, weights=weights).attack_ev


def _find_counterattack_targets(view: View, weights: Weights | None = None) -> tuple[str, ...]:
    """Nodes of enemy pieces that took one of ours lately and that we can attack now."""
    chosen = weights or Weights.of(view.players)
    return tuple(_native.junqi_counterattack_targets(view.state, chosen.native))
