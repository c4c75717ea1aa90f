"""A match of two players: paired openings, parallel processes, a test that stops it, a file that resumes it.

    >>> for event in run_match("othello", "default", "uct", games=200, processes=2):       # doctest: +SKIP
    ...     if isinstance(event, MatchFinished):
    ...         print(event.summary)

Events are typed and formatted by nobody here: a terminal, a test and a web page read the same stream. The
games are played while the stream is read; closing the stream ends the match, and its file can be resumed.
Ctrl-C ends it with a last event; where the interrupt hits the reader, it can be passed on:
`stream.throw(KeyboardInterrupt)`.
"""

from __future__ import annotations

import hashlib
import time
from collections import deque
from collections.abc import Generator, Sequence
from dataclasses import asdict, dataclass
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any

from kibitz.arena.openings import DEFAULT_PLIES, Opening, openings_from_file, random_openings
from kibitz.arena.player import DEFAULT_SIMULATIONS, Limit, PlayerFactory, parse_player
from kibitz.arena.record import GameRecord, ResultsFile
from kibitz.arena.referee import Job, seed_of
from kibitz.arena.sprt import Sprt
from kibitz.arena.summary import Summary, Tally
from kibitz.arena.workers import Crew, Here, Workers
from kibitz.errors import BadOption
from kibitz.games import registry

if TYPE_CHECKING:
    from kibitz.games.base import Position

__all__ = ["Event", "GameFinished", "MatchFinished", "PairFinished", "Progress", "run_match"]


@dataclass(frozen=True)
class GameFinished:
    """A game has been played (not sent for games read back from a resumed file)."""

    record: GameRecord


@dataclass(frozen=True)
class PairFinished:
    """Both games of an opening have been played; A made `points` of 2."""

    pair: int
    points: float


@dataclass(frozen=True)
class Progress:
    """Sent at the beginning and after every game."""

    done: int
    games: int
    seconds: float
    """Since this run of the match began."""
    summary: Summary


@dataclass(frozen=True)
class MatchFinished:
    """The last event. `summary.stopped` says why it ended."""

    summary: Summary
    history: tuple[int, ...]
    """Half points of A in each counted pair, for `score_picture`."""


Event = GameFinished | PairFinished | Progress | MatchFinished


def run_match(
    game: str | type[Position],
    a: str | PlayerFactory,
    b: str | PlayerFactory,
    *,
    games: int = 100,
    limit: Limit | None = None,
    openings: Sequence[Opening] | str | PathLike[str] | None = None,
    opening_plies: int | None = None,
    position: str | None = None,
    processes: int = 1,
    seed: int = 0,
    sprt: Sprt | None = None,
    output: str | PathLike[str] | None = None,
    resume: bool = False,
    move_timeout: float = 60.0,
    max_plies: int = 2000,
    players: int | None = None,
) -> Generator[Event, None, None]:
    """Play `games` games (an even number) of A against B and yield what happens.

    `openings` is a list or a file of openings, used over again when it is short; else random openings of
    `opening_plies` moves are drawn, from a `position` (as text) if there is one. `limit` holds for each
    player whose text does not bring its own. With `processes=0` the games are played in the calling process.
    `move_timeout` is the time limit of a move where `limit` has no clock. Results go to `output`, a
    JSON-lines file; `resume=True` continues one (and begins it when it is not there). `players` (2 or 4) is
    for Junqi, where every pair is dealt fresh set-ups.

    The settings are checked when it is called, the games are played when it is iterated. Equal settings give
    equal results for any number of processes, as long as no clock is involved.
    """
    info = registry.get(game) if isinstance(game, str) else None
    if info is not None and info.openings is not None and openings is None and opening_plies is None:
        # Set-ups are dealt, the second side's in the mirror of the first's.
        openings = [Opening(notation=text) for text in info.openings(max(games // 2, 1), seed, players or 4)]
    elif players is not None:
        raise BadOption("the number of players can be chosen in games that are dealt, without an opening")
    plan = _plan(
        game, a, b, games, limit, openings, opening_plies, position, seed, sprt, move_timeout, max_plies
    )
    if processes < 0:
        raise BadOption(f"processes must be 0 or more, got {processes}")
    if resume and output is None:
        raise BadOption("to resume a match, name the file of its results")
    file = None if output is None else ResultsFile(output, plan.settings, resume=resume)
    return _run(plan, file, processes)


@dataclass(frozen=True)
class _Plan:
    """A match after all checks."""

    game: type[Position]
    a: PlayerFactory
    b: PlayerFactory
    jobs: Sequence[Job]
    sprt: Sprt | None
    move_timeout: float
    settings: dict[str, Any]


def _plan(
    game: str | type[Position],
    a: str | PlayerFactory,
    b: str | PlayerFactory,
    games: int,
    limit: Limit | None,
    openings: Sequence[Opening] | str | PathLike[str] | None,
    opening_plies: int | None,
    position: str | None,
    seed: int,
    sprt: Sprt | None,
    move_timeout: float,
    max_plies: int,
) -> _Plan:
    if games < 2 or games % 2:
        raise BadOption(
            f"games must be an even number, every opening is played with both colours; got {games}"
        )
    if not move_timeout > 0:
        raise BadOption(f"move timeout must be positive, got {move_timeout:g}")
    if max_plies < 1:
        raise BadOption(f"max plies must be 1 or more, got {max_plies}")
    if sprt is not None and sprt.model == "bayesian":
        raise BadOption("sprt: a match is tested by pairs; use the logistic or the normalized model")
    if isinstance(game, str):
        game = registry.get(game).position
    players = tuple(parse_player(player) if isinstance(player, str) else player for player in (a, b))
    common = limit or Limit(simulations=DEFAULT_SIMULATIONS)
    limits = (players[0].limit or common, players[1].limit or common)
    deadlines = (
        _deadline(players[0], limits[0], move_timeout),
        _deadline(players[1], limits[1], move_timeout),
    )
    for player in players:
        # Bad options come out here, before a file is begun and workers are started.
        player.make(game, move_timeout).close()
    book, origin = _openings(game, openings, opening_plies, position, games // 2, seed)
    _check_openings(game, book, players, max_plies)
    jobs = [
        Job(number, book[number // 2 % len(book)], seed_of(seed, number), limits, deadlines, max_plies)
        for number in range(games)
    ]
    settings = {
        "game": game.game,
        "a": players[0].text,
        "b": players[1].text,
        "games": games,
        "limit": common.to_dict(),
        "openings": origin,
        "seed": seed,
        "sprt": None if sprt is None else asdict(sprt),
        "move_timeout": move_timeout,
        "max_plies": max_plies,
    }
    return _Plan(game, players[0], players[1], jobs, sprt, move_timeout, settings)


def _deadline(player: PlayerFactory, limit: Limit, move_timeout: float) -> float:
    return move_timeout if player.own_clock else limit.deadline(move_timeout)


def _openings(
    game: type[Position],
    openings: Sequence[Opening] | str | PathLike[str] | None,
    plies: int | None,
    position: str | None,
    pairs: int,
    seed: int,
) -> tuple[Sequence[Opening], dict[str, Any]]:
    """The openings, and where they are from in the words of the results file."""
    if openings is None:
        plies = DEFAULT_PLIES if plies is None else plies
        # In full: a short word for a position, or one with blanks to spare, makes no other match.
        notation = None if position is None else game(position).notation
        place = {} if notation is None else {"position": notation}
        return random_openings(game, pairs, plies, seed, notation), {"random_plies": plies, **place}
    if plies is not None or position is not None:
        raise BadOption("give either openings or a place and number of random opening plies, not both")
    if isinstance(openings, (str, PathLike)):
        openings = openings_from_file(game, fspath(openings))
    if not openings:
        raise BadOption("the list of openings is empty")
    text = repr([(opening.notation, opening.moves) for opening in openings])
    # The digest, not the name of the file: a book that was edited in between makes another match.
    return openings, {"count": len(openings), "digest": hashlib.sha256(text.encode()).hexdigest()[:16]}


def _check_openings(
    game: type[Position], book: Sequence[Opening], players: Sequence[PlayerFactory], max_plies: int
) -> None:
    start = game()
    for number, opening in enumerate(dict.fromkeys(book), start=1):
        if len(opening.moves) >= max_plies:
            raise BadOption(f"opening {number} is as long as the longest game allowed ({max_plies} plies)")
        for player in players:
            if (
                player.needs_start_position
                and opening.notation is not None
                and game(opening.notation) != start
            ):
                raise BadOption(
                    f"{player.text} can only follow moves from the start; opening {number} is a position"
                )


def _run(plan: _Plan, file: ResultsFile | None, processes: int) -> Generator[Event, None, None]:
    began = time.monotonic()
    total = len(plan.jobs)
    tally = Tally(plan.game.game, plan.a.text, plan.b.text, plan.sprt)
    crew: Crew | None = None
    done = 0

    def progress() -> Progress:
        return Progress(done, total, time.monotonic() - began, tally.summary())

    try:
        known = [] if file is None else file.games
        for record in known:
            tally.add(record)
        done = len(known)
        played = {record.game for record in known}
        waiting = deque(job for job in plan.jobs if job.game not in played)
        yield progress()
        if waiting and tally.decision is None:
            if processes == 0:
                crew = Here(plan.game, plan.a, plan.b, plan.move_timeout)
            else:
                crew = Workers(plan.game, plan.a, plan.b, plan.move_timeout, min(processes, len(waiting)))
        while crew is not None and done < total and tally.decision is None:
            while waiting and crew.room():
                crew.give(waiting.popleft())
            for record in crew.finished():
                if file is not None:
                    file.add(record)
                done += 1
                half_points = tally.add(record)
                yield GameFinished(record)
                if half_points is not None:
                    yield PairFinished(record.pair, half_points / 2)
                yield progress()
        stopped = "sprt" if tally.decision is not None else "games"
    except KeyboardInterrupt:
        stopped = "interrupted"
    finally:
        if crew is not None:
            crew.close()
        if file is not None:
            file.close()
    if stopped == "interrupted":
        tally.count_the_rest()
    yield MatchFinished(tally.summary(stopped), tuple(tally.history))
