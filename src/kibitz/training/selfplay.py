"""A run of self-play: games in parallel, written to a PGN file in their order, resumable.

>>> settings = SelfplaySettings(games=1000, visits=8, plies=24, preset="lc0", network="maia-1900.pb.gz")
>>> for done in run_selfplay(settings, "games.pgn", processes=2):       # doctest: +SKIP
...     print(done)

Each process plays several games at once, in threads that mostly wait: their positions go to the network
together. While a run is under way its file is called `games.pgn.partial`.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import multiprocessing
import os
import queue
import re
import signal
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from kibitz import _native
from kibitz.errors import BadOption, BadRecord, BadRequest, KibitzError
from kibitz.games.chess.pgn import read_pgn
from kibitz.games.networks import load_network
from kibitz.style import Norm, OpeningLine, load_norm, load_openings
from kibitz.training.play import PlayedGame, SelfPlayer
from kibitz.training.settings import SelfplaySettings

__all__ = ["game_text", "run_selfplay"]

#: Games a process plays at once when a network judges them.
PARALLEL = 32
_LINE = 80


def run_selfplay(
    settings: SelfplaySettings,
    output: str | os.PathLike[str],
    *,
    processes: int = 1,
    parallel: int | None = None,
    resume: bool = False,
    norm: Norm | None = None,
) -> Iterator[int]:
    """Plays the games and writes them; gives the number of games in the file, first those found by `resume`.

    The file is the same however many processes play, and whether or not the run was interrupted.
    """
    if processes < 1 or (parallel is not None and parallel < 1):
        raise BadOption("self-play needs at least one process and one game at a time")
    target = Path(output)
    draft = target.with_name(target.name + ".partial")
    if target.exists():
        raise BadOption(f"{target} is there already; give another name or remove it")
    if draft.exists() and not resume:
        raise BadOption(f"{draft} is there from an interrupted run; go on with --resume, or remove it")
    lines = _lines(settings)
    chosen = norm or load_norm()
    run = run_name(settings, chosen)
    done = _recover(draft, settings, run) if draft.exists() else 0
    at_once = parallel or (PARALLEL if settings.network else 1)
    with draft.open("a", encoding="utf-8") as out:
        yield done
        for game in _in_order(settings, done, processes, at_once, lines, chosen):
            out.write(game_text(game, settings, run))
            out.flush()
            done += 1
            yield done
        os.fsync(out.fileno())
    draft.replace(target)


def _lines(settings: SelfplaySettings) -> tuple[OpeningLine, ...]:
    if not settings.openings:
        return ()
    return load_openings(None if settings.openings == "hypermodern" else settings.openings)


def run_name(settings: SelfplaySettings, norm: Norm) -> str:
    """Tells runs apart whose games, or whose scores of them, differ."""
    return hashlib.sha256((settings.digest + json.dumps(norm.to_dict())).encode()).hexdigest()[:16]


def game_text(game: PlayedGame, settings: SelfplaySettings, run: str) -> str:
    """A game as PGN with S and its measures in tags."""
    name = Path(settings.network).name if settings.network else settings.preset
    player = f"kibitz {name} style={settings.style:g}"
    tags = {
        "Event": "kibitz self-play",
        "Site": "?",
        "Date": "????.??.??",
        "Round": str(game.index + 1),
        "White": player,
        "Black": player,
        "Result": game.result,
        "SelfplayRun": run,
        **({"ECO": game.eco} if game.eco else {}),
        **({"Opening": game.opening} if game.opening else {}),
        **({"OpeningPlies": str(game.opening_plies)} if game.opening else {}),
    }
    if game.score is not None:
        tags["StyleScore"] = f"{game.score:.6f}"
        tags["StyleMetrics"] = " ".join(f"{name}={value:.6g}" for name, value in game.metrics.items())
    head = "".join(f'[{name} "{_escaped(value)}"]\n' for name, value in tags.items())
    words: list[str] = []
    for ply, move in enumerate(game.san):
        words.append(f"{ply // 2 + 1}. {move}" if ply % 2 == 0 else move)
    rows, row = [], ""
    for word in [*words, game.result]:
        if row and len(row) + 1 + len(word) > _LINE:
            rows.append(row)
            row = ""
        row = f"{row} {word}" if row else word
    return head + "\n" + "\n".join([*rows, row]) + "\n\n"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _recover(draft: Path, settings: SelfplaySettings, run: str) -> int:
    """How many games of an interrupted run are whole; cuts off what follows them."""
    data = draft.read_bytes()
    starts = [*_starts(data), len(data)]
    done = 0
    for begin, end in itertools.pairwise(starts):
        text = data[begin:end]
        game = next(read_pgn(text))
        # The game that was being written when the run died lacks its last words.
        whole = text.endswith(f"{game.tags.get('Result')}\n\n".encode()) and not game.problem
        if not whole or game.tags.get("Round") != str(done + 1) or done == settings.games:
            break
        if game.tags.get("SelfplayRun") != run:
            raise BadRecord(f"{draft} comes from a run with other settings; remove it or use those settings")
        done += 1
    with draft.open("r+b") as out:
        out.truncate(starts[done])
    return done


def _starts(data: bytes) -> Iterator[int]:
    """Where games begin."""
    for found in re.finditer(rb"^\[Event ", data, re.MULTILINE):
        yield found.start()


# -- processes ---------------------------------------------------------------------------------------


def _in_order(
    settings: SelfplaySettings,
    first: int,
    processes: int,
    parallel: int,
    lines: tuple[OpeningLine, ...],
    norm: Norm,
) -> Iterator[PlayedGame]:
    """The games from number `first` on, each as soon as those before it are there."""
    if first >= settings.games:
        return
    context = multiprocessing.get_context("spawn")
    results: Any = context.Queue()
    counter = context.Value("q", first)
    workers = [
        context.Process(
            target=_work,
            args=(settings, lines, norm, parallel, counter, results),
            daemon=True,
            name="kibitz-selfplay",
        )
        for _ in range(min(processes, settings.games - first))
    ]
    for worker in workers:
        worker.start()
    waiting: dict[int, PlayedGame] = {}
    try:
        wanted = first
        while wanted < settings.games:
            try:
                found = results.get(timeout=1.0)
            except queue.Empty:
                dead = [worker.exitcode for worker in workers if worker.exitcode not in (None, 0)]
                if dead:
                    raise BadRequest(f"a process of the self-play ended with code {dead[0]}") from None
                continue
            if isinstance(found, KibitzError):
                raise found
            waiting[found.index] = found
            while wanted in waiting:
                yield waiting.pop(wanted)
                wanted += 1
    finally:
        for worker in workers:
            worker.terminate()
        for worker in workers:
            worker.join()


def _work(
    settings: SelfplaySettings,
    lines: tuple[OpeningLine, ...],
    norm: Norm,
    parallel: int,
    counter: Any,
    results: Any,
) -> None:
    """The life of a worker process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what Ctrl-C means
    try:
        network = _shared_network(settings, parallel) if settings.network else None
        threads = [
            threading.Thread(target=_play_games, args=(settings, network, lines, norm, counter, results))
            for _ in range(parallel)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    except KibitzError as error:
        results.put(error)


def _shared_network(settings: SelfplaySettings, parallel: int) -> Any:
    network = load_network("chess", settings.network, precision=settings.precision, runtime=settings.runtime)
    return _native.Batcher(network, most=parallel, callers=1)


def _play_games(
    settings: SelfplaySettings,
    network: Any,
    lines: tuple[OpeningLine, ...],
    norm: Norm,
    counter: Any,
    results: Any,
) -> None:
    try:
        player = SelfPlayer(settings, network, lines, norm)
        while True:
            with counter.get_lock():
                index = counter.value
                counter.value += 1
            if index >= settings.games:
                return
            results.put(player.play(index))
    except KibitzError as error:
        results.put(error)
    except (
        ValueError,
        RuntimeError,
    ) as error:  # a network that answers nonsense
        with suppress(OSError):
            results.put(BadRequest(f"self-play failed: {error}"))
