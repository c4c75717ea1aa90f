"""Games of self-play that the core plays, many at once: leaves of different games share a network's batches,
and no Python runs between the moves (native/search/selfplay.h).

Threads: `play` blocks until its game is over, and is to be called from as many threads as games are to be
played at once. `close` may be called from any.
"""

from __future__ import annotations

import random
from typing import Any

from kibitz import _native
from kibitz.arena.referee import seed_of
from kibitz.games import registry
from kibitz.games.base import Position
from kibitz.games.networks import NetworkSource, load_network
from kibitz.plan import configure, plan
from kibitz.request import Request
from kibitz.training.game import PlayedGame, SearchedMove
from kibitz.training.openings import Line, draw_line
from kibitz.training.settings import SelfplaySettings

#: Memory of a game's tree; few visits need little.
_MEMORY_MB = 256


class CorePlayer:
    """Plays the games of a run, any of them, in any order: game 7 is always the same game."""

    def __init__(
        self,
        settings: SelfplaySettings,
        network: NetworkSource | None = None,
        lines: tuple[Line, ...] = (),
        *,
        at_once: int = 1,
        threads: int = 1,
    ) -> None:
        self._settings = settings
        self._network = judge = None if network is None else load_network(settings.game, network)
        self._lines = lines
        self._info = info = registry.get(settings.game)
        # A network learns from the whole game, so it is shown the whole game.
        options: dict[str, Any] = {"threads": 1, "batch": 1, "memory_mb": _MEMORY_MB, "history": "full"}
        traits = None if judge is None else judge.traits
        configuration = configure(
            settings.game, settings.preset, {**options, **settings.options}, network=traits
        )
        #: Whether the search teaches more than the shares of its visits.
        self._teaches_policy = str(configuration.options.get("rule")) == "gumbel"
        self._start = info.position(settings.position or None)
        rules = _native.SelfplayRules()
        rules.options = plan(Request(self._start, budget=settings.budget), configuration).options
        rules.set_budget(settings.budget.visits, settings.budget.simulations)
        for name in (
            "fast_visits", "full_share", "temperature", "temperature_plies", "plies",
            "resign", "resign_plies", "play_out",
        ):  # fmt: skip
            setattr(rules, name, getattr(settings, name))
        assert info.searches.selfplay is not None, "the settings say so"
        first = self._written(self._start)
        called = None if judge is None else judge.for_search()
        info.searches.tree(first, rules.options, called)  # loads what the game's searches need
        self._native = info.searches.selfplay(first, rules, called, at_once=at_once, threads=threads)

    def _written(self, position: Position) -> Any:
        """The native position, as the network wants it to be written."""
        return position.state if self._network is None else self._network.shown(position)

    def play(self, number: int) -> PlayedGame:
        settings = self._settings
        line = draw_line(settings, self._lines, random.Random(f"selfplay {settings.seed} {number}"), number)
        start = self._start
        if line is not None and line.start is not None:
            start = self._info.position(line.start)
        position, opening = start, []
        for move in line.moves if line else ():
            opening.append(position.parse_move(move))
            position = position.play(move)
        record = self._native.play(number, self._written(start), opening, seed_of(settings.seed, number))
        given = (line is not None and line.start is not None) or bool(settings.position)
        return self._played_game(record, line, start.notation if given else None)

    @property
    def batches(self) -> tuple[int, int]:
        """Batches that were evaluated, and the positions in them."""
        return self._native.batches, self._native.leaves

    def close(self) -> None:
        self._native.close()

    def _played_game(self, record: Any, line: Line | None, start: str | None) -> PlayedGame:
        state = record.start
        moves: list[str] = []
        searches: list[SearchedMove | None] = []
        for move, (full, value, entries) in zip(record.moves, record.searches, strict=True):
            if entries:
                texts = [state.move_text(entry[0]) for entry in entries]
                searched = [(text, entry) for text, entry in zip(texts, entries, strict=True) if entry[1]]
                policy = {text: round(entry[3], 6) for text, entry in zip(texts, entries, strict=True)}
                searches.append(
                    SearchedMove(
                        {text: entry[1] for text, entry in searched},
                        {text: round(entry[2], 4) for text, entry in searched},
                        round(value, 4),
                        policy if self._teaches_policy else None,
                        full,
                    )
                )
            else:
                searches.append(None)
            moves.append(state.move_text(move))
            state = state.play(move)
        return PlayedGame(
            record.id,
            self._settings.game,
            start,
            tuple(moves),
            tuple(searches),
            None if record.result < 0 else record.result,
            line.name if line else "",
            line.eco if line else "",
            None if record.resigned < 0 else record.resigned,
            None if record.resigned < 0 else record.resigned_ply,
            record.resigned >= 0 and record.played_out,
        )
