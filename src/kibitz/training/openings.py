"""Opening lines that self-play games start from, in any game."""

from __future__ import annotations

import random
from dataclasses import dataclass

from kibitz.arena.openings import openings_from_file, random_openings
from kibitz.errors import BadOption
from kibitz.games import registry
from kibitz.style import injection_chance, load_openings
from kibitz.training.settings import HYPERMODERN, SelfplaySettings


@dataclass(frozen=True)
class Line:
    """The beginning of a game; `start` is None where it begins at the start of the game."""

    moves: tuple[str, ...]
    start: str | None = None
    name: str = ""
    eco: str = ""


def load_lines(settings: SelfplaySettings) -> tuple[Line, ...]:
    """The lines of a run. In chess a file may name them (docs/style.md), elsewhere it is a match's file of
    openings (docs/matches.md)."""
    path = settings.openings
    if settings.opening_plies:
        start = settings.position or None
        position = registry.get(settings.game).position
        openings = random_openings(position, settings.games, settings.opening_plies, settings.seed, start)
        return tuple(Line(opening.moves, opening.notation) for opening in openings)
    if not path:
        return ()
    if settings.game == "chess":
        book = load_openings(None if path == HYPERMODERN else path)
        return tuple(Line(line.moves, None, line.name, line.eco) for line in book)
    if path == HYPERMODERN:
        raise BadOption(f"the hypermodern opening lines are of chess, not of {settings.game}")
    position = registry.get(settings.game).position
    openings = openings_from_file(position, path, settings.position or None)
    return tuple(
        Line(opening.moves, opening.notation, f"line {at + 1}") for at, opening in enumerate(openings)
    )


def draw_line(
    settings: SelfplaySettings, lines: tuple[Line, ...], chance: random.Random, number: int
) -> Line | None:
    """The line that game `number` starts from, if it does."""
    if settings.opening_plies:
        return lines[number]
    drawn = chance.random()  # always drawn, so that the rest of a game does not depend on the openings
    line = chance.choice(lines) if lines else None
    return line if drawn < injection_chance(settings.strength, settings.alpha, settings.base) else None
