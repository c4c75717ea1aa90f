"""What the levels of a style do and cost: the results of `kibitz style levels` that come with Kibitz.

>>> [fact.level for fact in level_facts("hypermodern")]
['light', 'medium', 'strong']
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from kibitz.style.metrics import MEASURE_OF_STYLE


@dataclass(frozen=True)
class LevelFact:
    """A level with one engine: the shift of the style's measure in standard deviations, and Elo."""

    level: str
    engine: str
    measure: str
    shift: float
    shift_low: float
    shift_high: float
    #: By a match; else in the opening, by the judgement of another engine; None where there is neither.
    elo: float | None = None
    elo_low: float | None = None
    elo_high: float | None = None


def measured_styles() -> list[str]:
    """The styles that there are results of."""
    folder = resources.files(__package__).joinpath("levels")
    return sorted(item.name.removesuffix(".json") for item in folder.iterdir() if item.name.endswith(".json"))


@cache
def results_of(style: str) -> dict[str, Any]:
    """The results of a style, as `kibitz style levels` wrote them."""
    text = resources.files(__package__).joinpath("levels").joinpath(f"{style}.json").read_text("utf-8")
    results: dict[str, Any] = json.loads(text)
    return results


def level_facts(style: str) -> tuple[LevelFact, ...]:
    """The levels with the engine that plays by default, alpha-beta, or with another where there is none: that
    of which most is known."""
    measure = MEASURE_OF_STYLE.get(style, "s")
    every = results_of(style)["engines"]
    engines = [engine for engine in every if engine["search"] == "alphabeta"] or every

    def known(engine: dict[str, Any]) -> tuple[int, int, int]:
        levels = engine["levels"].values()
        shifts = sum(measure in found for found in levels)
        prices = sum("match" in found or "judged" in found for found in levels)
        return shifts, prices, engine["visits"]

    engine = max(engines, key=known)
    facts = []
    for level, found in engine["levels"].items():
        if measure not in found or found[measure]["shift"] is None:
            continue
        shift, price = found[measure]["shift"], found.get("match") or found.get("judged")
        elo = () if price is None else (price["elo"][name] for name in ("value", "low", "high"))
        facts.append(
            LevelFact(level, engine["name"], measure, shift["value"], shift["low"], shift["high"], *elo)
        )
    return tuple(facts)
