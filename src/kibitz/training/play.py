"""One game of self-play: searches with few visits, moves drawn by them.

Threads: a player belongs to one thread. Several players may share a `_native.Batcher` as their network, so
that it judges their positions together.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from kibitz import _native
from kibitz.errors import BadOption
from kibitz.games import registry
from kibitz.options import native_options
from kibitz.shutdown import NativeWork
from kibitz.style import Norm, OpeningLine, injection_chance
from kibitz.training.settings import SelfplaySettings

__all__ = ["PlayedGame", "SelfPlayer"]


@dataclass(frozen=True)
class PlayedGame:
    """A game that was played: its moves in SAN, S and its measures."""

    index: int
    san: tuple[str, ...]
    result: str
    opening: str
    eco: str
    #: How many of the moves the opening line gave.
    opening_plies: int
    score: float | None
    metrics: dict[str, float]


class SelfPlayer:
    """Plays the games of a run, any of them, in any order: game 7 is always the same game."""

    def __init__(
        self, settings: SelfplaySettings, network: Any, lines: tuple[OpeningLine, ...], norm: Norm
    ) -> None:
        info = registry.get("chess")
        if settings.preset not in info.presets:
            known = ", ".join(info.presets)
            raise BadOption(f"unknown preset {settings.preset!r} of chess, expected {known}")
        self._settings = settings
        self._network = network
        self._lines = lines
        self._norm = norm
        self._make_search = info.search
        values = {**info.presets[settings.preset], **settings.options}
        values |= {"threads": 1, "style_beta": settings.style, "style_contact_prior": settings.contact_prior}
        values.setdefault("memory_mb", 256)
        self._options = native_options(values)

    def play(self, index: int) -> PlayedGame:
        settings = self._settings
        chance = random.Random(f"selfplay {settings.seed} {index}")
        state: Any = _native.Chess()
        moves: list[int] = []
        san: list[str] = []

        def make(move: int) -> None:
            nonlocal state
            san.append(state.san(move))
            moves.append(move)
            state = state.play(move)

        line = self._opening(chance)
        for text in line.moves if line else ():
            make(state.parse_move(text))
        opening_plies = len(moves)
        search = None
        while not state.is_over and (settings.plies == 0 or len(moves) < settings.plies):
            if search is None:
                search = self._make_search(state, self._options, self._network)
            move = self._choose(search, state, len(moves) + 1, chance)
            search.advance(move)
            make(move)
        measured = _native.style_measure(_native.Chess(), moves, self._norm.window.native())
        names = ("co", "dcc", "fch", "pb_delay", "cl", "si")
        metrics = {name: getattr(measured, name) for name in names}
        return PlayedGame(
            index,
            tuple(san),
            {1.0: "1-0", 0.5: "1/2-1/2", 0.0: "0-1"}[state.result()] if state.is_over else "*",
            line.name if line else "",
            line.eco if line else "",
            opening_plies,
            self._norm.score(metrics) if measured.plies else None,
            metrics,
        )

    def _opening(self, chance: random.Random) -> OpeningLine | None:
        settings = self._settings
        drawn = chance.random()  # always drawn, so that the rest of a game does not depend on the openings
        line = chance.choice(self._lines) if self._lines else None
        return line if drawn < injection_chance(settings.style, settings.alpha, settings.base) else None

    def _choose(self, search: Any, state: Any, ply: int, chance: random.Random) -> int:
        settings = self._settings
        with NativeWork(search.stop):
            search.start(_native.Plan(), visits=settings.visits)
            while not search.wait(1.0):
                pass
        found = [(item.move, item.visits) for item in search.report(1).moves]
        best = found[0][0]
        temperature = settings.temperature
        if settings.temperature_plies and ply > settings.temperature_plies:
            temperature = 0.0
        early = ply < self._options.style_contact_ply
        if settings.contact_temperature != 1.0 and early and _native.style_makes_contact(state, best):
            temperature *= settings.contact_temperature
        if temperature == 0.0:
            return int(best)
        weights = [visits ** (1.0 / temperature) if visits else 0.0 for _, visits in found]
        if not any(weights):
            return int(best)
        return int(chance.choices([move for move, _ in found], weights)[0])
