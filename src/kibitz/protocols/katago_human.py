"""KataGo's `humanSL*` keys: how much the human model decides which move is played.

>>> choice = HumanChoice(share=1.0)
>>> human = {"C3": 0.1, "D4": 0.7, "pass": 0.2}
>>> shares = choice.mixed({"C3": 90.0, "D4": 10.0}, {"C3": 0.2, "D4": -0.2}, human)
>>> {move: round(share, 6) for move, share in shares.items()}
{'C3': 10.0, 'D4': 70.0, 'pass': 20.0}
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from kibitz.options import peer_options
from kibitz.report import Report


def without_human_model(options: Mapping[str, Any], choice: HumanChoice) -> tuple[dict[str, Any], list[str]]:
    """The options of a search without a human model to explore with, and one line for each key of KataGo's
    that asks for one."""
    ours = {row.name: peer.name for row, peer in peer_options("katago") if row.name.startswith("human_")}
    asked = ["humanSLChosenMoveProp"] if choice.share > 0 else []
    asked += [key for name, key in ours.items() if "ExploreProb" in key and options.get(name, 0.0) > 0]
    kept = {name: value for name, value in options.items() if name not in ours}
    return kept, [f"there is no human model (-human-model), ignoring {key}" for key in asked]


@dataclass(frozen=True)
class HumanChoice:
    """The choice of a move as KataGo makes it with a human model, and the temperature it is drawn with."""

    #: humanSLChosenMoveProp, humanSLChosenMoveIgnorePass, humanSLChosenMovePiklLambda.
    share: float = 0.0
    ignore_pass: bool = False
    pikl_lambda: float = 1e9
    #: chosenMoveTemperature, chosenMoveTemperatureEarly, chosenMoveTemperatureHalflife.
    temperature: float = 0.1
    early_temperature: float = 0.5
    halflife: float = 19.0

    def mixed(
        self, values: Mapping[str, float], utilities: Mapping[str, float], policy: Mapping[str, float]
    ) -> dict[str, float]:
        """The values that moves are chosen by with the human policy averaged in. `utilities` are those of
        moves that were searched, for the side to move; others count as the average of them."""
        average = sum(utilities.values()) / max(1, len(utilities))
        best = max([average, *utilities.values()])
        moves = [*values, *(move for move in policy if move not in values)]
        people = {
            move: max(0.0, policy.get(move, 0.0))
            * math.exp((utilities.get(move, average) - best) / max(self.pikl_lambda, 1e-9))
            for move in moves
        }
        total, whole = sum(people.values()), sum(values.values())
        if total <= 0 or whole <= 0:
            return dict(values)
        people = {move: share / total for move, share in people.items()}
        others = sum(share for move, share in people.items() if move != "pass")
        if self.ignore_pass and others > 0:
            passing = values.get("pass", 0.0) / whole
            people = {move: share / others * (1 - passing) for move, share in people.items()} | {
                "pass": passing
            }
        return {
            move: (1 - self.share) * values.get(move, 0.0) + self.share * whole * people.get(move, 0.0)
            for move in moves
        }

    def values(self, report: Report, searched_only: bool = False) -> dict[str, float]:
        """`mixed` of what a report says of the moves. In an analysis KataGo mixes among the searched moves
        only; when it plays, any legal move can be drawn."""
        assert report.human is not None
        policy = report.human.policy
        if searched_only:
            policy = {info.move: policy.get(info.move, 0.0) for info in report.moves if info.visits}
        values = {
            info.move: float(info.votes) if info.selection is None else info.selection
            for info in report.moves
        }
        utilities = {
            info.move: 2.0 * info.value - 1.0 if info.utility is None else info.utility
            for info in report.moves
            if info.visits
        }
        return self.mixed(values, utilities, policy)

    def applied(self, report: Report) -> Report:
        """The report with the moves in the order of the mixed values; itself where nothing is mixed."""
        if self.share <= 0 or report.human is None or not report.moves:
            return report
        values = self.values(report, searched_only=True)
        moves = sorted(
            (replace(info, selection=values[info.move]) for info in report.moves),
            key=lambda info: -(info.selection or 0.0),
        )
        return replace(report, moves=tuple(replace(info, order=i) for i, info in enumerate(moves)))

    def drawn(self, report: Report, area: int, rng: random.Random) -> str:
        """The move to play: drawn from the mixed values, what the search recommends without any."""
        if self.share <= 0 or report.human is None or not report.moves:
            return report.best
        values = self.values(report)
        largest = max(values.values())
        heat = self.heat(len(report.position.moves), area)
        if largest <= 0 or heat <= 1e-4:
            return max(values, key=lambda move: values[move]) if largest > 0 else report.best
        weights = [
            math.exp(math.log(value / largest) / heat) if value > 0 else 0.0 for value in values.values()
        ]
        return rng.choices(list(values), weights)[0]

    def heat(self, turn: int, area: int) -> float:
        """The temperature of a turn: from the early one to the late one, slower on larger boards."""
        halvings = turn / self.halflife * 19.0 / math.sqrt(area)
        return self.temperature + (self.early_temperature - self.temperature) * math.pow(0.5, halvings)
