"""A network as the human model of an engine: its policy as it is, without search."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any

from kibitz.games import registry
from kibitz.games.base import NativeSearch, Position
from kibitz.human import HumanPolicy, Plausible
from kibitz.network import EngineNetwork
from kibitz.plan import Configuration, configure, plan
from kibitz.report import Report, from_native
from kibitz.request import Budget, Request

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

#: Seconds to wait for the search at a time.
_TICK = 0.05


class HumanModel:
    """How likely a person plays each move.

    Threads: any, one at a time.
    """

    def __init__(self, game: str, network: EngineNetwork) -> None:
        self._network = network
        self._info = registry.get(game)
        self._configuration: Configuration = configure(game, options=RAW_POLICY, network=network.traits)
        #: The players that a human network of KataGo imitates; None where the network knows no players.
        self.profile: str | None = network.profile
        self._networks: dict[tuple[str | None, int], EngineNetwork] = {}
        self._called: dict[tuple[str | None, int], Any] = {}
        self._asked = threading.Lock()

    @property
    def name(self) -> str:
        name = self._network.name or "the human model"
        return f"{name} {self.profile}" if self.profile else name

    def imitate(self, profile: str) -> None:
        """Chooses the players (`humanSLProfile`); BadOption where the network knows no such ones."""
        if profile == self.profile:
            return
        self._network.imitating(profile, 0)
        self.profile = profile

    def for_search(self) -> tuple[Any, Any]:
        """What a search calls, for the first side to move and for the second; the same ones until another
        profile is chosen."""
        return self._call(0), self._call(1)

    def shown(self, position: Position) -> Any:
        """The native position, written the way the network wants it."""
        return self._network_of(0).shown(position)

    def policy(self, position: Position, wanted: Plausible | None) -> HumanPolicy:
        """How likely each legal move is; what is plausible, `wanted` says."""
        report = self.evaluate(position)
        above = (wanted or Plausible()).above
        return HumanPolicy(self.name, above, dict(report.policy), report.root.raw_evaluation)

    def evaluate(self, position: Position, options: Mapping[str, Any] | None = None) -> Report:
        """The report of one visit: what the network says of the position."""
        request = Request(position, budget=Budget(visits=1), options=options or {})
        prepared = plan(request, self._configuration)
        side = position.to_move
        with self._asked:
            shown = self._network_of(side).shown(position)
            search: NativeSearch = self._info.searches.tree(shown, prepared.options, self._call(side))
            search.start(prepared.plan, **prepared.limits)
            while not search.wait(_TICK):
                pass
            native = search.report(1, False)
        sample = self._info.sample
        return from_native(
            position,
            native,
            prepared.audit,
            engine=self.name,
            final=True,
            has_score=sample is not None and sample.has_score,
            has_details=True,
        )

    def close(self) -> None:
        """Lets the networks go."""
        self._networks.clear()
        self._called.clear()

    def _key(self, side: int) -> tuple[str | None, int]:
        return self.profile, side if self.profile else 0

    def _network_of(self, side: int) -> EngineNetwork:
        """The network with that side to move: a human network has one for each, as the ranks may differ."""
        if not self.profile:
            return self._network
        key = self._key(side)
        if key not in self._networks:
            self._networks[key] = self._network.imitating(self.profile, side)
        return self._networks[key]

    def _call(self, side: int) -> Any:
        key = self._key(side)
        if key not in self._called:
            self._called[key] = self._network_of(side).for_search()
        return self._called[key]
