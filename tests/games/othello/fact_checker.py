"""Replays the facts of Othello with plain rules, and exact results with the solver; shares no code with the
extractor."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import kibitz
from tests.games.othello import plain_rules

CORNERS = {"a1", "h1", "a8", "h8"}
LETTERS = {"black": "X", "white": "O"}
#: Games at random that stable discs must survive.
_GAMES = 6
#: Empty squares that the solver is asked about.
_SOLVABLE = 14


class Case:
    def __init__(self, why: kibitz.Explanation, fact: kibitz.Fact) -> None:
        self.why, self.fact = why, fact
        self.before = self._after(len(fact.evidence.line) - 1)
        self.after = self._after(len(fact.evidence.line))

    def _after(self, count: int) -> plain_rules.Game:
        position = self.why.position
        assert isinstance(position, kibitz.othello.Position)
        game = plain_rules.Game(position.squares, "XO"[position.to_move])
        for move in self.fact.evidence.line[:count]:
            game.play(move)
        return game

    @property
    def move(self) -> str:
        return self.fact.evidence.line[-1]

    @property
    def mover(self) -> str:
        return self.before.side


def _moves(game: plain_rules.Game, letter: str = "") -> list[str]:
    return [move for move in game.moves(letter or game.side) if move != "pass"]


def _corner(case: Case) -> str:
    fine = case.move in CORNERS and LETTERS[case.fact.side] == case.mover
    return "" if fine else "no corner"


def _corner_given(case: Case) -> str:
    could = set(_moves(case.before, case.before.other))
    given = {move for move in _moves(case.after) if move in CORNERS} - could
    return "" if given == set(case.fact.parameters["corners"]) else f"{given}"


def _mobility(case: Case) -> str:
    left = set(_moves(case.after))
    fine = left == set(case.fact.evidence.places) and len(left) == case.fact.parameters["moves"]
    return "" if fine else f"{left}"


def _balance(case: Case) -> str:
    def moves(game: plain_rules.Game) -> dict[str, int]:
        return {letter: len(_moves(game, letter)) for letter in "XO"}

    before, after = moves(case._after(0)), moves(case.after)
    winner = LETTERS[case.fact.side]
    loser = "O" if winner == "X" else "X"
    change = (after[winner] - after[loser]) - (before[winner] - before[loser])
    known = case.fact.parameters
    fine = (known["more"], known["fewer"], known["change"]) == (after[winner], after[loser], change)
    return "" if fine else f"{before} {after}"


def _pass(case: Case) -> str:
    return f"{_moves(case.after)}" if _moves(case.after) or case.after.is_over() else ""


def _stable(case: Case) -> str:
    """No disc is turned in any game that goes on from there."""
    rng = random.Random(len(case.fact.evidence.places))
    start = case.after
    letter = LETTERS[case.fact.side]
    discs = case.fact.evidence.places
    if len(discs) != case.fact.parameters["discs"]:
        return "count"
    for _ in range(_GAMES):
        game = plain_rules.Game(side=start.side)
        game.board = dict(start.board)
        while True:
            wrong = [disc for disc in discs if game.board.get(disc) != letter]
            if wrong:
                return f"{wrong} turned"
            if game.is_over():
                break
            game.play(rng.choice(game.moves() or ["pass"]))
    return ""


def _parity(case: Case) -> str:
    left = {(x, y) for x in range(8) for y in range(8) if f"{'abcdefgh'[x]}{y + 1}" not in case.after.board}
    if len(left) != case.fact.parameters["empties"]:
        return "count"
    while left:
        region, grows = {left.pop()}, True
        while grows:
            more = {(a, b) for a, b in left for x, y in region if abs(a - x) <= 1 and abs(b - y) <= 1}
            left -= more
            region |= more
            grows = bool(more)
        if len(region) % 2:
            return f"odd region {region}"
    return ""


def _exact(case: Case) -> str:
    position = case.why.position
    assert isinstance(position, kibitz.othello.Position)
    after = position.play(case.why.line[0])
    if after.empties > _SOLVABLE:
        return ""
    # Black's discs less White's at the end, for the side that moved.
    if after.is_over:
        black = after.squares.count("X") - after.squares.count("O")
        empty = 64 - after.squares.count("X") - after.squares.count("O")
        black += empty if black > 0 else -empty if black < 0 else 0
        discs = black if position.mover == "black" else -black
    else:
        score = kibitz.othello.solve(after).score
        assert score is not None
        discs = score if after.mover == position.mover else -score
    result = "win" if discs > 0 else "loss" if discs < 0 else "draw"
    known = case.fact.parameters
    if known["result"] != result or known.get("discs", discs) != discs:
        return f"{discs}"
    return ""


CHECKS: dict[str, Callable[[Case], str]] = {
    "corner": _corner,
    "cornerGiven": _corner_given,
    "mobility": _mobility,
    "mobilityLost": _mobility,
    "pass": _pass,
    "mobilityBalance": _balance,
    "stable": _stable,
    "parity": _parity,
    "exact": _exact,
}


def problems(why: kibitz.Explanation, before: Any = None, after: Any = None) -> list[str]:
    """What is false about the facts of an explanation."""
    found = []
    for fact in why.facts:
        if said := CHECKS[fact.code](Case(why, fact)):
            found.append(f"{why.position.notation} {why.line}: {fact}: {said}")
    return found
