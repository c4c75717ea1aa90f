"""A run of self-play in any game: games in parallel, handed on in their order, resumable.

>>> settings = SelfplaySettings("chess", games=1000, plies=24, preset="lc0", network="maia-1900.pb.gz")
>>> for done in run_selfplay(settings, "games.pgn", processes=2):       # doctest: +SKIP
...     print(done)

While a run is under way every finished game is in its log, `games.pgn.partial`, from which it can be
resumed; the file is written when all games are there. Whoever wants the games as they come takes
`play_games`; whoever wants them in order, with the data of their searches, gives a sink.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Generator, Iterable, Iterator
from pathlib import Path

from kibitz.errors import BadOption
from kibitz.fleet.jobs import Done, run_jobs
from kibitz.fleet.log import ResultLog
from kibitz.fleet.runners import make_runner
from kibitz.style import Norm, load_norm
from kibitz.training.game import GAMES, PlayedGame
from kibitz.training.openings import load_lines
from kibitz.training.selfplay_task import GameNumber, SelfplayTask
from kibitz.training.settings import SelfplaySettings
from kibitz.training.writers import Sink, file_sink

__all__ = ["play_games", "run_selfplay"]

#: Games a process plays at once when a network judges them.
PARALLEL = 32


def play_games(
    settings: SelfplaySettings,
    numbers: Iterable[int],
    *,
    processes: int = 1,
    parallel: int | None = None,
    threads: int = 1,
    fleet: str = "",
) -> Generator[PlayedGame, None, None]:
    """The games with these numbers, as they are finished. `parallel` is how many a process plays at once, in
    so many native `threads`; `fleet` is where (`make_runner`). What they teach: `samples_of_game`.

    >>> settings = SelfplaySettings("uttt", games=1, budget=kibitz.Budget(visits=4), seed=1)
    >>> [len(game.moves) > 16 for game in play_games(settings, [0], processes=0)]
    [True]
    """
    slots = parallel or (PARALLEL if settings.network else threads)
    task = SelfplayTask(settings, load_lines(settings), slots, threads)
    # No limit on the start: a network may be calibrated first.
    runner = make_runner(
        task, processes, slots=slots, name="kibitz-selfplay", start_seconds=None, fleet=fleet
    )
    with contextlib.closing(run_jobs(runner, map(GameNumber, numbers))) as events:
        for event in events:
            if isinstance(event, Done):
                yield event.result


def run_selfplay(
    settings: SelfplaySettings,
    output: str | os.PathLike[str],
    *,
    processes: int = 1,
    parallel: int | None = None,
    threads: int = 1,
    fleet: str = "",
    resume: bool = False,
    norm: Norm | None = None,
    sink: Sink | None = None,
) -> Iterator[int]:
    """Plays the games and writes them; gives the number of finished games, first those found by `resume`.

    The file is the same however many processes, threads and machines play, and whether or not the run was
    interrupted. `sink` gets the games too. With 0 processes the games are played in the calling one.

    >>> settings = SelfplaySettings("uttt", games=1, budget=kibitz.Budget(visits=4), seed=1)
    >>> list(run_selfplay(settings, "selfplay.jsonl", processes=0))[-1]
    1
    """
    if processes < 0 or (parallel is not None and parallel < 1):
        raise BadOption("processes must be 0 or more, and games at a time at least 1")
    target = Path(output)
    draft = target.with_name(target.name + ".partial")
    if target.exists():
        raise BadOption(f"{target} is there already; give another name or remove it")
    if draft.exists() and not resume:
        raise BadOption(f"{draft} is there from an interrupted run; go on with --resume, or remove it")
    file = file_sink(target, settings, norm or load_norm())
    log = ResultLog(draft, GAMES, settings.to_dict(), resume=True)

    def play(numbers: list[int]) -> Generator[PlayedGame, None, None]:
        workers = min(processes, len(numbers))
        return play_games(
            settings, numbers, processes=workers, parallel=parallel, threads=threads, fleet=fleet
        )

    return _run(settings, log, [file, *([sink] if sink else [])], file.discard, play)


def _run(
    settings: SelfplaySettings,
    log: ResultLog[PlayedGame],
    sinks: list[Sink],
    discard: Callable[[], None],
    play: Callable[[list[int]], Generator[PlayedGame, None, None]],
) -> Iterator[int]:
    done = handed = 0

    def hand_on() -> None:
        """Give the sinks the games whose turn it is."""
        nonlocal handed
        while handed < settings.games and handed in log:
            game = log[handed]
            for sink in sinks:
                sink.write(game)
            handed += 1

    try:
        missing = [number for number in range(settings.games) if number not in log]
        done = settings.games - len(missing)
        hand_on()
        yield done
        if missing:
            with contextlib.closing(play(missing)) as games:
                for game in games:
                    log.add(game)
                    done += 1
                    hand_on()
                    yield done
        for sink in sinks:
            sink.close()
        log.remove()
    finally:
        discard()
        log.close()
        if not done:  # there is nothing to go on from
            log.path.unlink(missing_ok=True)
