"""One game of self-play in any game: searches with few visits, moves drawn by them.

Threads: a player belongs to one thread; `close` may be called from any. Several players may share a
`_native.Batcher` as their network, so that it judges their positions together.
"""

from __future__ import annotations

import math
import random
from typing import Any

from kibitz.arena.referee import seed_of
from kibitz.engine import Engine
from kibitz.games import registry
from kibitz.games.base import Position
from kibitz.games.bundled import NONE
from kibitz.report import Report
from kibitz.request import Request
from kibitz.training.contact import Contact
from kibitz.training.game import PlayedGame, SearchedMove
from kibitz.training.openings import Line, draw_line
from kibitz.training.settings import SelfplaySettings

__all__ = ["SelfPlayer"]

#: Memory of a search: few visits need little, and many games are played at once.
_MEMORY_MB = 256

#: Where moves are drawn by value: so much less makes a move less likely by a factor of e, at temperature 1.
_VALUE_SCALE = 0.02


class SelfPlayer:
    """Plays the games of a run, any of them, in any order: game 7 is always the same game."""

    def __init__(
        self,
        settings: SelfplaySettings,
        network: Any = None,
        style_network: Any = None,
        lines: tuple[Line, ...] = (),
    ) -> None:
        self._settings = settings
        self._lines = lines
        self._info = registry.get(settings.game)
        self._contact = Contact(settings) if settings.game == "chess" else None
        options: dict[str, Any] = {"threads": 1}
        if self._info.options is None:  # the tree search's options
            options["memory_mb"] = _MEMORY_MB
            if self._info.solve is not None:
                options["solve_root"] = 0  # a solved position has no visits to learn from
        if self._contact is not None:
            options |= self._contact.options
        self._engine = Engine(
            settings.game,
            settings.preset,
            network=NONE if network is None else network,
            style=settings.wanted_style,
            style_network=style_network,
            **{**options, **settings.options},
        )

    def play(self, number: int) -> PlayedGame:
        settings = self._settings
        chance = random.Random(f"selfplay {settings.seed} {number}")
        line = draw_line(settings, self._lines, chance)
        start = self._start(number, line)
        position = self._info.position(start)
        self._engine.new_game(seed_of(settings.seed, number))
        searches: list[SearchedMove | None] = []
        for move in line.moves if line else ():
            position = position.play(move)
            searches.append(None)
        while not position.is_over and (settings.plies == 0 or len(searches) < settings.plies):
            report = self._search(position)
            move = self._choose(report, len(searches) + 1, chance)
            searches.append(_searched(report))
            position = position.play(move)
        return PlayedGame(
            number,
            settings.game,
            start,
            position.moves,
            tuple(searches),
            position.result if position.is_over else None,
            line.name if line else "",
            line.eco if line else "",
        )

    def close(self) -> None:
        self._engine.stop()

    def _start(self, number: int, line: Line | None) -> str | None:
        settings = self._settings
        if line is not None and line.start is not None:
            return line.start
        if settings.position:
            return self._info.position(settings.position).notation
        if self._info.openings is not None:  # set-ups are dealt
            return self._info.openings(1, seed_of(settings.seed, number) % 2**31, settings.players)[0]
        return None

    def _search(self, position: Position) -> Report:
        request = Request(position, budget=self._settings.budget, line_length=1)
        *_, report = self._engine.run(request)
        return report

    def _choose(self, report: Report, ply: int, chance: random.Random) -> str:
        settings = self._settings
        temperature = settings.temperature
        if settings.temperature_plies and ply > settings.temperature_plies:
            temperature = 0.0
        if self._contact is not None:
            temperature *= self._contact.temperature(report.position, report.best, ply)
        if temperature == 0.0:
            return report.best
        weights = self._weights(report, temperature)
        if not any(weights):
            return report.best
        return chance.choices([item.move for item in report.moves], weights)[0]

    def _weights(self, report: Report, temperature: float) -> list[float]:
        """The chance of each move, up to a factor."""
        if self._info.options is None:
            return [item.visits ** (1.0 / temperature) if item.visits else 0.0 for item in report.moves]
        # A search of worlds visits every move as often, and prefers by value.
        best = max(item.value for item in report.moves)
        scale = _VALUE_SCALE * temperature
        return [math.exp((item.value - best) / scale) if item.visits else 0.0 for item in report.moves]


def _searched(report: Report) -> SearchedMove:
    visited = [item for item in report.moves if item.visits > 0]
    visits = {item.move: item.visits for item in visited}
    values = {item.move: round(item.value, 4) for item in visited}
    return SearchedMove(visits, values, round(report.root.value, 4))
