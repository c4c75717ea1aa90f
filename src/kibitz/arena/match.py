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

import contextlib
import time
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING

from kibitz.arena.match_task import MatchPolicy, MatchTask
from kibitz.arena.openings import Opening
from kibitz.arena.plan import Plan, make_plan
from kibitz.arena.player import PlayerFactory
from kibitz.arena.record import RESULTS, GameRecord
from kibitz.arena.referee import Job
from kibitz.arena.sprt import Sprt
from kibitz.arena.summary import Summary, Tally
from kibitz.arena.time_control import TimeControl
from kibitz.errors import BadOption, BadRecord
from kibitz.fleet.jobs import Done, Quiet, run_jobs_beside
from kibitz.fleet.log import ResultLog
from kibitz.fleet.runners import make_runner
from kibitz.games.registry import GameName
from kibitz.request import Budget

if TYPE_CHECKING:
    from kibitz.games.base import Position


@dataclass(frozen=True)
class MovePlayed:
    """A move of a game that goes on; sent as it happens when worker processes play.

    >>> events = run_match("uttt", "random", "random", games=2, seed=1, processes=0)
    >>> next(event.ply for event in events if isinstance(event, MovePlayed))
    9
    """

    game: int
    ply: int
    """Moves of the game so far, the opening's too."""
    move: str


@dataclass(frozen=True)
class GameFinished:
    """A game has been played (not sent for games read back from a resumed file).

    >>> events = run_match("uttt", "random", "random", games=2, seed=1, processes=0)
    >>> [event.record.game for event in events if isinstance(event, GameFinished)]
    [0, 1]
    """

    record: GameRecord


@dataclass(frozen=True)
class PairFinished:
    """Both games of an opening have been played; A made `points` of 2.

    >>> events = run_match("uttt", "random", "random", games=2, seed=1, processes=0)
    >>> [event.pair for event in events if isinstance(event, PairFinished)]
    [0]
    """

    pair: int
    points: float


@dataclass(frozen=True)
class Progress:
    """Sent at the beginning, after every game, and where `heartbeat` asks for it."""

    done: int
    games: int
    seconds: float
    """Since this run of the match began."""
    summary: Summary


@dataclass(frozen=True)
class MatchFinished:
    """The last event. `summary.stopped` says why it ended.

    >>> *_, last = run_match("uttt", "random", "random", games=2, seed=1, processes=0)
    >>> last.summary.games, len(last.history)
    (2, 1)
    """

    summary: Summary
    history: tuple[int, ...]
    """Half points of A in each counted pair, for `score_picture`."""


Event = MovePlayed | GameFinished | PairFinished | Progress | MatchFinished


def run_match(
    game: GameName | str | type[Position],
    a: str | PlayerFactory,
    b: str | PlayerFactory,
    *,
    games: int = 100,
    budget: Budget | None = None,
    time_control: TimeControl | str | None = None,
    network: str | None = None,
    openings: Sequence[Opening] | str | PathLike[str] | None = None,
    opening_plies: int | None = None,
    position: str | Position | None = None,
    processes: int = 1,
    parallel: int = 1,
    fleet: str = "",
    seed: int = 0,
    sprt: Sprt | None = None,
    output: str | PathLike[str] | None = None,
    resume: bool = False,
    move_timeout: float = 60.0,
    max_plies: int = 2000,
    players: int | None = None,
    heartbeat: float | None = None,
) -> Generator[Event, None, None]:
    """Play `games` games (an even number) of A against B and yield what happens.

    `budget` is for a move of each player whose text does not bring its own; `time_control` (`10+0.1`) puts
    the games on clocks. `network` is for the engines that take one and name none. `openings` is a list or a
    file of openings, used over again when it is short; else random openings of `opening_plies` moves are
    drawn, from a `position` if there is one. With `processes=0` the games are played in the calling process;
    each process plays `parallel` games at once, whose positions a network judges together; `fleet` is where
    the processes are (`kibitz.fleet.runners`).
    `move_timeout` is the time limit of a move where there is no other. Results go to `output`, a JSON-lines
    file; `resume=True` continues one (and begins it when it is not there). `players` (2 or 4) is for Junqi,
    where every pair is dealt fresh set-ups. With `heartbeat` a `Progress` comes after so many seconds without
    another event, for a reader that does other work between.

    The settings are checked when it is called, the games are played when it is iterated. Equal settings give
    equal results for any number of processes, as long as no clock is involved.

    >>> budget = kibitz.Budget(simulations=10)
    >>> *_, last = run_match("uttt", "uct", "random", games=2, budget=budget, seed=1, processes=0)
    >>> last.summary.games
    2
    """
    plan = make_plan(
        game,
        a,
        b,
        games=games,
        budget=budget,
        time_control=time_control,
        network=network,
        openings=openings,
        opening_plies=opening_plies,
        position=position,
        seed=seed,
        sprt=sprt,
        move_timeout=move_timeout,
        max_plies=max_plies,
        players=players,
    )
    if processes < 0 or parallel < 1:
        raise BadOption(
            f"processes must be 0 or more and games at once 1 or more, got {processes} and {parallel}"
        )
    if parallel > 1 and not plan.counted:
        raise BadOption("games at once share a process, so both players need visits or simulations, not time")
    if resume and output is None:
        raise BadOption("to resume a match, name the file of its results")
    log = None if output is None else _open_log(output, plan, resume)
    return _run(plan, log, (processes, parallel), fleet, heartbeat)


def _open_log(output: str | PathLike[str], plan: Plan, resume: bool) -> ResultLog[GameRecord]:
    log = ResultLog(output, RESULTS, plan.settings, resume=resume)
    beyond = [number for number in log.ids if number >= len(plan.jobs)]
    if beyond:
        log.close()
        raise BadRecord(f"{log.path} has game {beyond[0]}, but the match has {len(plan.jobs)} games")
    return log


def _run(
    plan: Plan,
    log: ResultLog[GameRecord] | None,
    workers: tuple[int, int],
    fleet: str,
    heartbeat: float | None,
) -> Generator[Event, None, None]:
    began = time.monotonic()
    total = len(plan.jobs)
    tally = Tally(plan.game.game, plan.a.text, plan.b.text, plan.sprt)
    done = 0

    def progress() -> Progress:
        return Progress(done, total, time.monotonic() - began, tally.summary())

    try:
        for record in log.results() if log is not None else ():
            tally.add(record)
            done += 1
        waiting = [job for job in plan.jobs if log is None or job.id not in log]
        yield progress()
        if waiting and tally.decision is None:
            with contextlib.closing(_play(plan, waiting, workers, fleet, heartbeat)) as events:
                for event in events:
                    if isinstance(event, Quiet):
                        yield progress()
                        continue
                    if isinstance(event, MovePlayed):
                        yield event
                        continue
                    record = event.record
                    if log is not None:
                        log.add(record)
                    done += 1
                    half_points = tally.add(record)
                    yield event
                    if half_points is not None:
                        yield PairFinished(record.pair, half_points / 2)
                    yield progress()
                    if tally.decision is not None:
                        break
        stopped = "sprt" if tally.decision is not None else "games"
    except KeyboardInterrupt:
        stopped = "interrupted"
    finally:
        if log is not None:
            log.close()
    if stopped == "interrupted":
        tally.count_the_rest()
    yield MatchFinished(tally.summary(stopped), tuple(tally.history))


def _play(
    plan: Plan, jobs: Sequence[Job], workers: tuple[int, int], fleet: str, heartbeat: float | None
) -> Generator[MovePlayed | GameFinished | Quiet, None, None]:
    """The games, in whatever order they end. `workers`: processes, and games at once in each."""
    processes, parallel = workers
    task = MatchTask(plan.game, plan.a, plan.b, parallel)
    runner = make_runner(
        task,
        min(processes, len(jobs)),
        slots=parallel,
        policy=MatchPolicy(),
        name="kibitz-match",
        fleet=fleet,
    )
    plies = {job.id: len(job.opening.moves) for job in jobs}
    with contextlib.closing(run_jobs_beside(runner, jobs, heartbeat)) as events:
        for event in events:
            if isinstance(event, Quiet):
                yield event
            elif isinstance(event, Done):
                yield GameFinished(event.result)
            elif event.content.last is not None:
                plies[event.job.id] += 1
                yield MovePlayed(event.job.id, plies[event.job.id], event.content.last)
