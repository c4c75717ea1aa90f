"""What a player likes: the parts of B, weighed by how often the player chose moves that have them.

    >>> profile = fit_profile("games.pgn", "Nimzowitsch")                        # doctest: +SKIP
    >>> profile.save("nimzowitsch.json")                                         # doctest: +SKIP
    >>> kibitz.Engine("chess", style="nimzowitsch.json:strong")                  # doctest: +SKIP

The chance that a move is chosen among the legal ones is taken to be proportional to exp(w . x), where x says
which parts the move has. The weights of a profile are the player's less those of the opponents in the same
games, who had the same kind of positions: what is left is taste.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from kibitz import _native
from kibitz.errors import BadRecord
from kibitz.games.chess.pgn import read_pgn
from kibitz.games.chess.position import Position
from kibitz.games.chess.styles import OPTIONS, PARTS, PROFILE_FORMAT, PROFILE_VERSION
from kibitz.style.metrics import Array

#: Weights are held near 0 as if by so many choices that say nothing.
_DECAY = 3.0
_MOST = 2.0

#: The parts of every legal move, a row each, and which one was played.
Choice = tuple[Array, int]


@dataclass(frozen=True)
class Profile:
    """Weights of the parts of B by their names without `style_`."""

    player: str
    weights: Mapping[str, float]
    #: The player's own weights and the opponents', whose difference they are.
    own: Mapping[str, float]
    others: Mapping[str, float]
    games: int
    moves: int

    def save(self, path: str | os.PathLike[str]) -> None:
        data = {"format": PROFILE_FORMAT, "version": PROFILE_VERSION, **asdict(self)}
        Path(path).write_text(json.dumps(data, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def _single_parts() -> list[_native.StyleOptions]:
    """Options under which B is one part alone."""
    assert OPTIONS is not None
    nothing = dict.fromkeys(PARTS, 0.0)
    return [OPTIONS.native({**nothing, part: 1.0, "style_beta": 1.0}) for part in PARTS]


def choices_of(start: Position, moves: Iterable[str], plies: int = 24) -> Iterator[Choice]:
    """The choices of a game's first plies, White's and Black's in turn."""
    state, parts = start.state, _single_parts()
    for _, text in zip(range(plies), moves, strict=False):
        played = state.parse_move(text)
        columns = [dict(_native.style_bonuses(state, part)) for part in parts]
        legal = list(columns[0])
        if not legal:
            return
        rows = np.array([[column[move] for column in columns] for move in legal])
        yield rows, legal.index(played)
        state = state.play(played)


def fit_weights(choices: list[Choice]) -> Array:
    """The weights that make the choices likeliest, by Newton's method."""
    weights = np.zeros(len(PARTS))
    for _ in range(30):
        slope, curve = -_DECAY * weights, _DECAY * np.eye(len(PARTS))
        for rows, played in choices:
            scores = rows @ weights
            chance = np.exp(scores - scores.max())
            chance /= chance.sum()
            mean = chance @ rows
            slope = slope + rows[played] - mean
            curve = curve + (rows * chance[:, None]).T @ rows - np.outer(mean, mean)
        step = np.linalg.solve(curve, slope)
        weights = weights + step
        if np.abs(step).max() < 1e-6:
            break
    return weights


def fit_profile(source: str | os.PathLike[str] | bytes, player: str, plies: int = 24) -> Profile:
    """The profile of a player, whose name is looked for in White and Black, in the games of a PGN file."""
    wanted = player.casefold()
    own: list[Choice] = []
    others: list[Choice] = []
    games = 0
    for game in read_pgn(source):
        sides = [wanted in game.tags.get(tag, "").casefold() for tag in ("White", "Black")]
        if sum(sides) != 1 or not game.moves:
            continue
        games += 1
        start = game.position().start
        for number, choice in enumerate(choices_of(start, game.moves, plies)):
            (own if sides[(start.to_move + number) % 2] else others).append(choice)
    if not own or not others:
        raise BadRecord(f"no game of {player!r} with moves of both sides")
    mine, theirs = fit_weights(own), fit_weights(others)
    taste = np.clip(mine - theirs, -_MOST, _MOST)
    names = [part.removeprefix("style_") for part in PARTS]
    columns = (dict(zip(names, map(float, values), strict=True)) for values in (taste, mine, theirs))
    weights, mine_by_name, theirs_by_name = columns
    return Profile(player, weights, mine_by_name, theirs_by_name, games, len(own))
