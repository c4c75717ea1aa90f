"""Plays the games of a run of self-play. How a game begins and what is kept of it is the same for all; its
moves come from the core or, where the core cannot play it (`SelfplaySettings.why_not_native`), from engines.

Threads: `play` blocks until its game is over, and is to be called from as many threads as games are to be
played at once. `close` may be called from any.
"""

from __future__ import annotations

from typing import Protocol

from kibitz.games.networks import NetworkSource, load_network
from kibitz.training.core_play import CoreGames
from kibitz.training.engine_play import EngineGames
from kibitz.training.game import PlayedGame
from kibitz.training.openings import Beginning, Line, begin_game
from kibitz.training.settings import SelfplaySettings


class Games(Protocol):
    """Plays a game that has begun to its end. The same beginning always gives the same game."""

    def play(self, begun: Beginning) -> PlayedGame: ...

    def close(self) -> None: ...


class SelfPlayer:
    """Plays the games of a run, any of them, in any order: game 7 is always the same game."""

    def __init__(
        self,
        settings: SelfplaySettings,
        network: NetworkSource | None = None,
        style_network: NetworkSource | None = None,
        lines: tuple[Line, ...] = (),
        *,
        at_once: int = 1,
        threads: int = 1,
        by_engine: bool = False,
    ) -> None:
        """`threads` are the core's; what is played does not depend on them, nor on `at_once`. With
        `by_engine` engines play what the core could."""
        self._settings = settings
        self._lines = lines
        first, second = (
            None if source is None else load_network(settings.game, source)
            for source in (network, style_network)
        )
        self.games: Games
        if by_engine or settings.why_not_native(first is not None):
            self.games = EngineGames(settings, first, second, at_once)
        else:
            self.games = CoreGames(settings, first, at_once, threads)

    def play(self, number: int) -> PlayedGame:
        return self.games.play(begin_game(self._settings, self._lines, number))

    def close(self) -> None:
        self.games.close()
