"""How much a review searches. The strongest search of the game does it, on the page as on the command line.

Every position is looked at; a move that seems to lose something is checked by a deeper search before it is
marked.

>>> import kibitz
>>> with kibitz.Engine("chess") as engine:
...     effort = make_effort(engine.configuration, "normal")
>>> effort.unit, effort.look.simulations
('nodes', 200000)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from kibitz.errors import BadRequest
from kibitz.games import registry
from kibitz.json_form import JsonForm
from kibitz.plan import Configuration, uses_alpha_beta
from kibitz.request import Budget
from kibitz.sentences import Sentence

DEFAULT = "normal"
#: Budgets of a look and of a check, counted in what the search counts. Counts do not depend on the machine;
#: the seconds are a limit for slow ones.
_COUNTS: Mapping[str, Mapping[str, tuple[int, int]]] = {
    "nodes": {"quick": (40_000, 150_000), "normal": (200_000, 1_000_000), "deep": (1_000_000, 5_000_000)},
    "visits": {"quick": (40, 120), "normal": (100, 400), "deep": (400, 1_600)},
    "simulations": {"quick": (2_000, 6_000), "normal": (6_000, 24_000), "deep": (24_000, 96_000)},
}
_MOST_SECONDS = {"quick": 1.0, "normal": 4.0, "deep": 20.0}
EFFORTS = tuple(_MOST_SECONDS)
#: A check has so many times the budget of a look, where a user gives the budget.
_OWN_CHECK = 4.0


@dataclass(frozen=True)
class Effort(JsonForm):
    """What is spent on a position of a review."""

    json_sparse: ClassVar[bool] = True

    name: str
    #: Of every position, and of a move that seems to be a mistake.
    look: Budget
    check: Budget
    #: What the budgets count: nodes, visits, simulations or seconds.
    unit: str
    #: Options of every search.
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def said(self) -> Sentence:
        """For people: how much was searched."""
        if self.unit == "seconds":
            return Sentence("review.effort.seconds", {"look": self.look.seconds})
        count = {"visits": self.look.visits}.get(self.unit, self.look.simulations)
        return Sentence(f"review.effort.{self.unit}", {"name": self.name, "look": f"{count:,}"})


def make_effort(configuration: Configuration, wish: str | float | Budget = DEFAULT) -> Effort:
    """The effort of an engine's reviews: one of `EFFORTS`, seconds a position, or a budget."""
    unit = _unit(configuration)
    # One thread: the same result on every machine. A budget of nodes must not choose the tree search.
    options = {"search": "alphabeta", "threads": 1, "multi_pv": 1} if unit == "nodes" else {}
    owners = _ownership(configuration)
    if isinstance(wish, Budget):
        counted = "simulations" if wish.simulations else "visits" if wish.visits else "seconds"
        # Counts are those of a tree, as everywhere.
        return Effort("own", wish, scaled(wish, _OWN_CHECK), counted, owners)
    if isinstance(wish, (int, float)) and not isinstance(wish, bool):
        look = Budget(seconds=float(wish))
        return Effort("own", look, scaled(look, _OWN_CHECK), "seconds", {**options, **owners})
    if wish not in EFFORTS:
        raise BadRequest(f"effort must be {', '.join(EFFORTS)} or seconds, got {str(wish)[:40]!r}")
    look, check = (
        Budget(None, count, _MOST_SECONDS[wish])
        if unit == "visits"
        else Budget(count, None, _MOST_SECONDS[wish])
        for count in _COUNTS[unit][wish]
    )
    return Effort(wish, look, check, unit, {**options, **owners})


def _ownership(configuration: Configuration) -> dict[str, Any]:
    """Facts compare who owns what before and after a move, in games and with networks that have owners."""
    sample, network = registry.get(configuration.game).sample, configuration.network
    if sample is None or network is None:
        return {}
    return {"ownership": True} if sample.has_ownership and network.has_ownership else {}


def scaled(budget: Budget, factor: float) -> Budget:
    """So many times a budget."""

    def times(limit: int | None) -> int | None:
        return None if limit is None else max(1, int(factor * limit))

    seconds = None if budget.seconds is None else factor * budget.seconds
    return Budget(times(budget.simulations), times(budget.visits), seconds)


def _unit(configuration: Configuration) -> str:
    if uses_alpha_beta(configuration):
        return "nodes"
    return "visits" if configuration.network is not None else "simulations"
