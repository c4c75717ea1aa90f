"""Named engines for Junqi: sets of options (docs/junqi.md)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from kibitz import _native
from kibitz.games.junqi.weights import FORMER
from kibitz.options import fill

__all__ = ["PRESETS", "options", "table"]

PRESETS: Mapping[str, Mapping[str, Any]] = {
    # Sampled worlds, beam alpha-beta, iterative deepening, quiescence.
    "default": {},
    # The default before races for flags were solved and the root was searched whole, with its weights.
    "former": {"race_plies": 0, "narrowing": False, "worlds": 8, "samples": 96, "weights": str(FORMER)},
    # The search this one grew from, kept for comparison: one world, depth 3, beam 8.
    "classic": {"mode": "classic", "depth": 3, "beam_width": 8, "samples": 96, "weights": str(FORMER)},
    # The default with a behaviour preferred at the first ply.
    "aggressive": {"style": "aggressive"},
    "balanced": {"style": "balanced"},
    "defensive": {"style": "defensive"},
    "probing": {"style": "probing"},
    # The best immediate score, without search.
    "one-ply": {"mode": "one-ply"},
    # The attack with the best expected gain in pieces, else any move.
    "greedy": {"mode": "greedy"},
    # Any legal move.
    "random": {"mode": "random"},
}


@cache
def table() -> dict[str, _native.OptionInfo]:
    """Every option by name."""
    return {row.name: row for row in _native.junqi_option_table()}


def options(values: Mapping[str, Any]) -> _native.JunqiOptions:
    """Checked values for the native search; an unknown name or a wrong value raises BadOption."""
    return fill(_native.JunqiOptions(), table(), values)
