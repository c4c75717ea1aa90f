"""A network as the human model of an engine: its policy as it is, without search."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any, Generic, Protocol, TypeVar

from kibitz.errors import BadOption
from kibitz.games.base import Position
from kibitz.human import HumanPolicy, Plausible
from kibitz.report import Report

__all__ = ["RAW_POLICY", "HumanModel", "exploring_option"]

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


#: Options of a search that explores with the human model's policy: how often it does.
_EXPLORING = tuple(
    f"human_{where}_{kind}" for where in ("root", "pla", "opp") for kind in ("weightless", "weightful")
)


def exploring_option(options: Any) -> str | None:
    """The first option that has a search explore with a human model's policy; None where none does."""
    return next((name for name in _EXPLORING if getattr(options, name, 0.0) > 0.0), None)


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
        self._networks: dict[tuple[str | None, int], Any] = {}
        self._searching: dict[str | None, tuple[Any, Any]] = {}
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
            self._engines[self.profile, side] = self._make_engine(self._network_of(side))
        return self._engines[self.profile, side]

    def for_search(self) -> tuple[Any, Any]:
        """The networks that a search asks, for the first side to move and for the second; the same ones until
        another profile is chosen."""
        if self.profile not in self._searching:
            pair = [self._network_of(side) for side in ((0, 1) if self.profile else (0,))]
            made = [net.for_search() if hasattr(net, "for_search") else net for net in pair]
            self._searching[self.profile] = (made[0], made[-1])
        return self._searching[self.profile]

    def _network_of(self, side: int) -> Any:
        """The network with that side to move."""
        if not self.profile:
            return self._network
        if (self.profile, side) not in self._networks:
            from kibitz.nets import Network  # loaded already, as there is one

            definition = self._network.definition.imitating(self.profile, side)
            self._networks[self.profile, side] = Network(definition)
        return self._networks[self.profile, side]

    def policy(self, position: Position, wish: Plausible | None) -> HumanPolicy:
        """How likely each legal move is; what is plausible, `wish` says."""
        above = (wish or Plausible()).above
        with self._asked:
            report = self.engine(position).analyze(position, visits=1)
        return HumanPolicy(self.name, above, dict(report.policy), report.root.own)

    def close(self) -> None:
        for engine in self._engines.values():
            engine.close()
