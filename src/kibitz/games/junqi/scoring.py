"""Immediate scores of moves, from what the seat believes and from nothing else.

>>> from kibitz.games import junqi
>>> view = junqi.Position().view("S")
>>> parts = evaluate_move(view, "S11-C31")
>>> round(parts.attack_ev - parts.risk + parts.pos_gain + parts.defense - parts.score, 9)
0.0
"""

from __future__ import annotations

from dataclasses import dataclass

from kibitz import _native
from kibitz.games.junqi.position import View
from kibitz.games.junqi.weights import Weights

__all__ = ["Judgement", "MoveParts", "evaluate_move", "evaluate_moves", "judged"]


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
    chosen = weights or Weights()
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


def evaluate_move(
    view: View, move: str, *, weights: Weights | None = None, samples: int = 96, seed: int = 1
) -> MoveParts:
    """The five parts of a legal move. The view brings the player, the pieces and the history."""
    return judged(view, move, weights=weights, samples=samples, seed=seed).parts
