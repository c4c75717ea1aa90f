"""Worker processes that play the games of a match, and the watch over them.

Each worker has a pipe of its own. It is sent one `Job` at a time, reports whose turn it is before every
move, and sends the record back. So when a worker dies (a crash in native code takes the whole process with
it) or is silent for too long, the watch knows which player is at fault: that player forfeits the game and a
new worker takes over.

Workers are started by `spawn` on every system: nothing of the parent's threads or native state leaks into
them. Messages travel by the pipes of `multiprocessing` only; nothing is ever unpickled from a file.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from multiprocessing import connection
from typing import TYPE_CHECKING, Any, NoReturn, Protocol

from kibitz.arena.player import Player, PlayerFactory
from kibitz.arena.record import GameRecord
from kibitz.arena.referee import Job, forfeited, play_game
from kibitz.errors import BadRequest, KibitzError

if TYPE_CHECKING:
    from kibitz.games.base import Position

__all__ = ["Crew", "Here", "Workers"]

#: Beyond the time limit of a move, before a worker that says nothing is ended.
_WATCH_GRACE = 2.0
#: Time for a worker to start and load its engines, and for a player to get ready for a game.
_START_SECONDS = 120.0
_STOP_SECONDS = 3.0


class Crew(Protocol):
    """Whoever plays the jobs: take work while there is room, and hand back what is done."""

    def room(self) -> bool:
        """True when another job can be given."""

    def give(self, job: Job) -> None:
        """Begin a game; only when there is room."""

    def finished(self) -> Iterator[GameRecord]:
        """Wait for at least one game, then yield those that are done. Nothing to wait for: yields nothing."""

    def close(self) -> None:
        """End all games at once."""


class Here:
    """Plays in the calling process: no start-up time, but a crash of an engine takes the caller with it."""

    def __init__(self, game: type[Position], a: PlayerFactory, b: PlayerFactory, move_timeout: float) -> None:
        self._game = game
        self._players = _make_players(game, a, b, move_timeout)
        self._job: Job | None = None

    def room(self) -> bool:
        return self._job is None

    def give(self, job: Job) -> None:
        self._job = job

    def finished(self) -> Iterator[GameRecord]:
        if self._job is not None:
            job, self._job = self._job, None
            yield play_game(self._game, self._players, job, lambda place, move: None)

    def close(self) -> None:
        for player in self._players:
            player.close()


@dataclass
class _Worker:
    process: multiprocessing.process.BaseProcess
    pipe: connection.Connection[Any, Any]
    ready: bool = False
    job: Job | None = None
    place: int = 0
    moves: list[str] = field(default_factory=list)
    turns: int = 0
    since: float = 0.0

    def patience(self) -> float:
        """Seconds of silence that are acceptable now."""
        if self.job is None or self.turns <= 2:  # starting up, or a player is getting ready for the game
            return _START_SECONDS
        return self.job.deadlines[self.place] + _WATCH_GRACE


class Workers:
    """`processes` workers, started at once and replaced when they die."""

    def __init__(
        self, game: type[Position], a: PlayerFactory, b: PlayerFactory, move_timeout: float, processes: int
    ) -> None:
        self._context = multiprocessing.get_context("spawn")
        self._arguments = (game, a, b, move_timeout)
        self._workers: list[_Worker] = []
        try:
            for _ in range(processes):
                self._workers.append(self._start())
        except BaseException:
            self.close()
            raise

    def _start(self) -> _Worker:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(
            target=_serve, args=(theirs, *self._arguments), daemon=True, name="kibitz-match"
        )
        process.start()
        # The worker's end is the worker's alone, so that its death reads as the end of the pipe.
        theirs.close()
        return _Worker(process, ours, since=time.monotonic())

    def room(self) -> bool:
        return any(worker.job is None for worker in self._workers)

    def give(self, job: Job) -> None:
        worker = next(worker for worker in self._workers if worker.job is None)
        worker.job, worker.place, worker.moves, worker.turns = job, 0, [], 0
        worker.since = time.monotonic()
        # Should it have died while idle, `finished` finds the end of the pipe and gives the job to its
        # successor.
        with contextlib.suppress(OSError):
            worker.pipe.send(job)

    def finished(self) -> Iterator[GameRecord]:
        done: list[GameRecord] = []
        while not done and any(worker.job is not None for worker in self._workers):
            ends = [worker.since + worker.patience() for worker in self._workers if worker.job is not None]
            readable = connection.wait(
                [worker.pipe for worker in self._workers], timeout=max(0.0, min(ends) - time.monotonic())
            )
            for index, worker in enumerate(self._workers):
                record = None
                if worker.pipe in readable:
                    record = self._hear(index)
                elif worker.job is not None and time.monotonic() - worker.since > worker.patience():
                    record = self._lose(index, "timeout", f"no sign of life for {worker.patience():g} s")
                if record is not None:
                    done.append(record)
        yield from done

    def _hear(self, index: int) -> GameRecord | None:
        """Take in one message of a worker; the record if it brought one."""
        worker = self._workers[index]
        try:
            kind, content = worker.pipe.recv()
        except (EOFError, OSError):
            worker.process.join(_STOP_SECONDS)
            return self._lose(index, "crashed", f"the process ended with code {worker.process.exitcode}")
        worker.since = time.monotonic()
        if kind == "error":
            raise content
        if kind == "ready":
            worker.ready = True
        elif kind == "turn":
            worker.turns += 1
            worker.place, move = content
            if move is not None:
                worker.moves.append(move)
        else:
            worker.job = None
            assert isinstance(content, GameRecord)
            return content
        return None

    def _lose(self, index: int, end: str, detail: str) -> GameRecord | None:
        """Replace a worker that is no more (or no use); its player at turn forfeits the game it was
        playing."""
        worker = self._workers[index]
        _end(worker.process)
        worker.pipe.close()
        if not worker.ready:
            raise BadRequest(
                f"a worker process of the match could not start ({detail}); "
                "a script that runs a match must do so under `if __name__ == '__main__':`"
            )
        self._workers[index] = self._start()
        if worker.job is None:
            return None
        if worker.turns == 0:
            self._workers[index].job = worker.job
            self._workers[index].pipe.send(worker.job)
            return None
        return forfeited(worker.job, worker.place, end, detail, tuple(worker.moves))

    def close(self) -> None:
        for worker in self._workers:
            worker.process.terminate()
        for worker in self._workers:
            _end(worker.process)
            worker.pipe.close()
        self._workers = []


def _end(process: multiprocessing.process.BaseProcess) -> None:
    """Politely first: a worker that is asked to stop ends the programs it has started."""
    if process.is_alive():
        process.terminate()
        process.join(_STOP_SECONDS)
    if process.is_alive():
        process.kill()
        process.join()


def _make_players(
    game: type[Position], a: PlayerFactory, b: PlayerFactory, move_timeout: float
) -> tuple[Player, Player]:
    first = a.make(game, move_timeout)
    try:
        return first, b.make(game, move_timeout)
    except BaseException:
        first.close()
        raise


def _serve(
    pipe: connection.Connection[Any, Any],
    game: type[Position],
    a: PlayerFactory,
    b: PlayerFactory,
    move_timeout: float,
) -> None:
    """The life of a worker process."""

    def stop(*_: object) -> NoReturn:
        raise SystemExit(0)

    # Ctrl-C reaches the whole group of processes; the parent alone decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, stop)
    players: tuple[Player, ...] = ()
    try:
        players = both = _make_players(game, a, b, move_timeout)
        pipe.send(("ready", None))
        while True:
            job = pipe.recv()
            record = play_game(game, both, job, lambda place, move: pipe.send(("turn", (place, move))))
            pipe.send(("done", record))
    except KibitzError as error:
        pipe.send(("error", error))
    except (EOFError, OSError):
        pass  # the parent has gone; nobody is left to play for
    finally:
        for player in players:
            player.close()
