"""A ladder: every player meets every other one, and the games rate them all.

    >>> for event in run_ladder("othello", ["default", "uct"], "ladder", games=20):  # doctest: +SKIP
    ...     print(event.a, event.b, event.event)
    >>> print(standings("ladder", "othello"))                                     # doctest: +SKIP

Every pair of players is a match with a results file of its own in the ladder's folder (`kibitz.arena.match`).
A ladder that was stopped goes on where it was, and players may be added: only what is missing is played.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

from kibitz.arena.match import Event, MatchFinished, run_match
from kibitz.arena.ratings import Rating, Score, rate
from kibitz.arena.record import read_results
from kibitz.arena.summary import summarize
from kibitz.errors import BadOption
from kibitz.games import registry

#: The word that stands for all named levels of a game.
LEVELS = "levels"


@dataclass(frozen=True)
class LadderEvent:
    """What happened in the match of two of the players."""

    a: str
    b: str
    number: int
    """Of the match, from 1."""
    matches: int
    event: Event


def expand(game: str, players: Sequence[str]) -> list[str]:
    """The players, `levels` replaced by every level of the game; each one once."""
    names = []
    for player in players:
        if player == LEVELS:
            names += [f"level:{level.name}" for level in registry.get(game).levels]
        else:
            names.append(player.strip())
    distinct = list(dict.fromkeys(names))
    if len(distinct) < 2:
        raise BadOption("a ladder needs two players or more")
    return distinct


def pair_file(folder: str | PathLike[str], a: str, b: str) -> Path:
    """The results of two players; the same file in whichever order they are named."""
    text = "\n".join(sorted((a, b)))
    return Path(folder) / f"pair-{hashlib.sha256(text.encode()).hexdigest()[:16]}.jsonl"


def run_ladder(
    game: str, players: Sequence[str], folder: str | PathLike[str], **settings: Any
) -> Generator[LadderEvent, None, None]:
    """Play all matches of the ladder, one after the other, and yield what happens in them. `settings` are
    those of `run_match`. Ends early when a match was interrupted.

    >>> settings = {"games": 2, "processes": 0, "budget": kibitz.Budget(simulations=5)}
    >>> events = run_ladder("uttt", ["random", "uct"], "new-ladder", **settings)
    >>> len(list(events)) > 2
    True
    """
    names = expand(game, players)
    pairs = [(min(pair), max(pair)) for pair in itertools.combinations(names, 2)]
    Path(folder).mkdir(parents=True, exist_ok=True)
    for number, (a, b) in enumerate(pairs, start=1):
        for event in run_match(game, a, b, output=pair_file(folder, a, b), resume=True, **settings):
            yield LadderEvent(a, b, number, len(pairs), event)
            if isinstance(event, MatchFinished) and event.summary.stopped == "interrupted":
                return


def standings(folder: str | PathLike[str], game: str, players: Sequence[str] | None = None) -> list[Rating]:
    """The ratings that the games of a folder give, of all its players or of some; best first.

    >>> settings = {"games": 2, "processes": 0, "budget": kibitz.Budget(simulations=5)}
    >>> _ = list(run_ladder("uttt", ["random", "uct"], "rungs", **settings))
    >>> sorted(rating.player for rating in standings("rungs", "uttt"))
    ['random', 'uct']
    """
    wanted = None if players is None else set(expand(game, players))
    scores: dict[tuple[str, str], Score] = {}
    for path in sorted(Path(folder).glob("pair-*.jsonl")):
        settings, games = read_results(path)
        a, b = settings["a"], settings["b"]
        if settings["game"] != game or (wanted is not None and not {a, b} <= wanted):
            continue
        summary = summarize(settings, games)
        scores[a, b] = Score(summary.wins + summary.draws / 2, summary.games)
    return rate(scores)
