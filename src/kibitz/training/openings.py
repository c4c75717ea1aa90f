"""How games of self-play begin, in any game: their start and the opening line they follow."""

from __future__ import annotations

import random
from dataclasses import dataclass

from kibitz.arena.openings import openings_from_file, random_openings
from kibitz.arena.referee import seed_of
from kibitz.games import registry
from kibitz.games.base import Position
from kibitz.style.openings import injection_chance
from kibitz.training.game import PlayedGame, SearchedMove
from kibitz.training.game_part import training_of
from kibitz.training.settings import SelfplaySettings


@dataclass(frozen=True)
class Line:
    """The beginning of a game; `start` is None where it begins at the start of the game."""

    moves: tuple[str, ...]
    start: str | None = None
    name: str = ""
    eco: str = ""


def load_lines(settings: SelfplaySettings) -> tuple[Line, ...]:
    """The lines of a run: a match's file of openings (docs/matches.md), where the game has no files of lines
    with names."""
    path = settings.openings
    if settings.opening_plies:
        start = settings.position or None
        position = registry.get(settings.game).position
        openings = random_openings(position, settings.games, settings.opening_plies, settings.seed, start)
        return tuple(Line(opening.moves, opening.notation) for opening in openings)
    if not path:
        return ()
    if (lines := training_of(settings.game).lines) is not None:
        return lines(path)
    position = registry.get(settings.game).position
    openings = openings_from_file(position, path, settings.position or None)
    return tuple(
        Line(opening.moves, opening.notation, f"line {at + 1}") for at, opening in enumerate(openings)
    )


@dataclass(frozen=True)
class Beginning:
    """A game of a run that is to be played: all that its number and the settings decide."""

    number: int
    #: Where the game begins, and its notation; None for the game's own start.
    start: Position
    notation: str | None
    #: The opening line that it follows.
    line: Line | None
    seed: int
    #: Random numbers of this game, for what Python draws.
    chance: random.Random

    @property
    def opening(self) -> tuple[str, ...]:
        return self.line.moves if self.line else ()

    def played(
        self,
        moves: tuple[str, ...],
        searches: list[SearchedMove],
        result: float | None,
        resigned: tuple[int, int] | None = None,
        played_out: bool = False,
    ) -> PlayedGame:
        """The game once it ended: all its moves, the searches after the opening, the side that gave up and
        when."""
        side, ply = resigned or (None, None)
        return PlayedGame(
            self.number,
            self.start.game,
            self.notation,
            moves,
            (*[None] * len(self.opening), *searches),
            result,
            self.line.name if self.line else "",
            self.line.eco if self.line else "",
            side,
            ply,
            resigned is not None and played_out,
        )


def begin_game(settings: SelfplaySettings, lines: tuple[Line, ...], number: int) -> Beginning:
    """Game `number` of a run."""
    chance = random.Random(f"selfplay {settings.seed} {number}")
    seed = seed_of(settings.seed, number)
    line = _draw_line(settings, lines, chance, number)
    info = registry.get(settings.game)
    given = (line.start if line else None) or settings.position or None
    if given is None and info.deals is not None:  # set-ups are dealt
        given = info.deals.openings(1, seed % 2**31, settings.players)[0]
    start = info.position(given)
    return Beginning(number, start, None if given is None else start.notation, line, seed, chance)


def _draw_line(
    settings: SelfplaySettings, lines: tuple[Line, ...], chance: random.Random, number: int
) -> Line | None:
    """The line that game `number` starts from, if it does."""
    if settings.opening_plies:
        return lines[number]
    drawn = chance.random()  # always drawn, so that the rest of a game does not depend on the openings
    line = chance.choice(lines) if lines else None
    return line if drawn < injection_chance(settings.strength, settings.alpha, settings.base) else None
