"""Players ranked by S2: the mean score of the side each of them played.

>>> games = b'[White "Reti"]\\n[Black "Ann"]\\n\\n1. Nf3 d5 2. g3 c5 3. Bg2 Nc6 4. O-O e5 *\\n\\n'
>>> from kibitz.style.metrics import measure_pgn
>>> [row.player for row in rank_players(measure_pgn(games * 2, named=True), least=2)]
['Reti', 'Ann']
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from kibitz.errors import BadOption
from kibitz.style.metrics import Games
from kibitz.style.s2 import S2, load_s2

#: Names of players who are not known.
_NOBODY = frozenset({"", "?", "nn", "n.n."})

_Z = 1.96


@dataclass(frozen=True)
class PlayerRow:
    """A player's games, the mean S2 of the player's side with its 95% interval, and the means by colour (None
    without games of that colour)."""

    player: str
    games: int
    s2: float
    low: float
    high: float
    white: float | None
    black: float | None


def rank_players(games: Games, *, least: int = 10, score: S2 | None = None) -> list[PlayerRow]:
    """Players with at least so many games, the most hypermodern first; the games must have names."""
    if least < 2:
        raise BadOption(f"an interval needs 2 games of a player, got {least}")
    if len(games.names) != len(games):
        raise BadOption("players are ranked by games that were measured with their names")
    sides = (score or load_s2()).sides(games.sides)
    by_player: dict[str, tuple[list[float], list[float]]] = defaultdict(lambda: ([], []))
    for names, scores in zip(games.names, sides, strict=True):
        for colour in (0, 1):
            name = _tidy(names[colour])
            if name.casefold() not in _NOBODY:
                by_player[name][colour].append(float(scores[colour]))
    rows = [_row(player, *scores) for player, scores in by_player.items() if sum(map(len, scores)) >= least]
    return sorted(rows, key=lambda row: (-row.s2, row.player))


def _tidy(name: str) -> str:
    """A name with one blank after each comma: `Carlsen,M` is `Carlsen, M`."""
    return ", ".join(part.strip() for part in name.split(",")).strip()


def _row(player: str, white: list[float], black: list[float]) -> PlayerRow:
    scores = np.array(white + black)
    half = _Z * float(scores.std(ddof=1)) / math.sqrt(len(scores))
    mean = float(scores.mean())
    by_colour = (float(np.mean(own)) if own else None for own in (white, black))
    return PlayerRow(player, len(scores), mean, mean - half, mean + half, *by_colour)
