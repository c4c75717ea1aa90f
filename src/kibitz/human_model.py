"""A network as the human model of an engine: its policy as it is, without search."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any, Generic, Protocol, TypeVar

from kibitz.errors import BadOption
from kibitz.games.base import Position
from kibitz.human import HumanPolicy, Plausible
from kibitz.report import Report

__all__ = ["RAW_POLICY", "HumanModel"]

#: Options of a search whose priors are the network's own, at one visit.
RAW_POLICY: Mapping[str, Any] = {
    "policy_temperature": 1.0,
    "root_noise": 0.0,
    "root_policy_optimism": 0.0,
    "root_symmetry": False,
    "threads": 1,
    "batch": 1,
    "reuse": False,
}


class _Engine(Protocol):
    """What is needed of `kibitz.Engine`, which uses this module."""

    def analyze(self, position: Any, *, visits: int) -> Report: ...
    def close(self) -> None: ...


E = TypeVar("E", bound=_Engine)


class HumanModel(Generic[E]):
    """How likely a person plays each move. `make_engine` makes an engine of a network, with `RAW_POLICY`.

    Threads: any, one at a time.
    """

    def __init__(self, network: Any, make_engine: Callable[[Any], E]) -> None:
        self._network = network
        self._make_engine = make_engine
        #: The players that a human network of KataGo imitates; None where the network knows no players.
        self.profile: str | None = network.definition.profile if hasattr(network, "definition") else None
        self._engines: dict[tuple[str | None, int], E] = {}
        self._asked = threading.Lock()

    @property
    def name(self) -> str:
        name = str(getattr(self._network, "name", getattr(self._network, "__name__", "the human model")))
        return f"{name} {self.profile}" if self.profile else name

    def imitate(self, profile: str) -> None:
        """Chooses the players (`humanSLProfile`); BadOption where the network knows no such ones."""
        if profile == self.profile:
            return
        if not hasattr(self._network, "definition"):
            raise BadOption(f"{self.name} is no human network: it knows no profiles")
        self._network.definition.imitating(profile, 0)
        self.profile = profile

    def engine(self, position: Position) -> E:
        """An engine for the position: a human network has one for each side, as the ranks may differ."""
        side = position.to_move if self.profile else 0
        if (self.profile, side) not in self._engines:
            network = self._network
            if self.profile:
                from kibitz.nets import Network  # loaded already, as there is one

                network = Network(network.definition.imitating(self.profile, side))
            self._engines[self.profile, side] = self._make_engine(network)
        return self._engines[self.profile, side]

    def policy(self, position: Position, wish: Plausible | None) -> HumanPolicy:
        """How likely each legal move is; what is plausible, `wish` says."""
        above = (wish or Plausible()).above
        with self._asked:
            report = self.engine(position).analyze(position, visits=1)
        return HumanPolicy(self.name, above, dict(report.policy), report.root.own)

    def close(self) -> None:
        for engine in self._engines.values():
            engine.close()
