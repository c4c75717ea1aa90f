"""Games of self-play in the core, many at once: leaves of different games share a network's batches, and no
Python runs between the moves (native/search/selfplay.h)."""

from __future__ import annotations

from typing import Any

from kibitz import _native
from kibitz.games import registry
from kibitz.games.base import Position
from kibitz.network import EngineNetwork
from kibitz.plan import configure, plan
from kibitz.request import Request
from kibitz.training.game import PlayedGame, SearchedMove
from kibitz.training.openings import Beginning
from kibitz.training.settings import SEARCH_MEMORY_MB, SelfplaySettings


class CoreGames:
    """As many games at once as threads call `play`, up to `at_once`, in so many native threads."""

    def __init__(
        self, settings: SelfplaySettings, network: EngineNetwork | None, at_once: int, threads: int
    ) -> None:
        self._network = network
        info = registry.get(settings.game)
        # A network learns from the whole game, so it is shown the whole game.
        options: dict[str, Any] = {"threads": 1, "batch": 1, "memory_mb": SEARCH_MEMORY_MB, "history": "full"}
        traits = None if network is None else network.traits
        configuration = configure(
            settings.game, settings.preset, {**options, **settings.options}, network=traits
        )
        self._teaches_policy = str(configuration.options.get("rule")) == "gumbel"
        start = info.position(settings.position or None)
        rules = _native.SelfplayRules()
        rules.options = plan(Request(start, budget=settings.budget), configuration).options
        rules.set_budget(settings.budget.visits, settings.budget.simulations)
        for name in (
            "fast_visits", "full_share", "temperature", "temperature_plies", "plies",
            "resign", "resign_plies", "play_out",
        ):  # fmt: skip
            setattr(rules, name, getattr(settings, name))
        assert info.searches.selfplay is not None, "the settings say so"
        first = self._written(start)
        called = None if network is None else network.for_search()
        info.searches.tree(first, rules.options, called)  # loads what the game's searches need
        self._native = info.searches.selfplay(first, rules, called, at_once=at_once, threads=threads)

    def play(self, begun: Beginning) -> PlayedGame:
        position, opening = begun.start, list[int]()
        for move in begun.opening:
            opening.append(position.parse_move(move))
            position = position.play(move)
        record = self._native.play(begun.number, self._written(begun.start), opening, begun.seed)
        state, moves, searches = record.start, list[str](), list[SearchedMove]()
        for move, (full, value, entries) in zip(record.moves, record.searches, strict=True):
            if len(moves) >= len(opening):
                named = [(state.move_text(entry[0]), *entry[1:]) for entry in entries]
                searches.append(SearchedMove.of(named, value, self._teaches_policy, full))
            moves.append(state.move_text(move))
            state = state.play(move)
        return begun.played(
            tuple(moves),
            searches,
            None if record.result < 0 else record.result,
            None if record.resigned < 0 else (record.resigned, record.resigned_ply),
            record.played_out,
        )

    @property
    def batches(self) -> tuple[int, int]:
        """Batches that were evaluated, and the positions in them."""
        return self._native.batches, self._native.leaves

    def close(self) -> None:
        self._native.close()

    def _written(self, position: Position) -> Any:
        """The native position, as the network wants it to be written."""
        return position.state if self._network is None else self._network.shown(position)
