"""Labelling: a teacher's judgements of many games, written as samples. A run that is killed goes on where its
last shard ends."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict

from kibitz.training.samples import GameSamples, SampleWriter
from kibitz.training.samples.manifest import Shard
from kibitz.training.teachers.games import GameSettings, labelled_games
from kibitz.training.teachers.judgement import Teacher


def label_games(
    settings: GameSettings,
    teacher: Teacher,
    folder: str | os.PathLike[str],
    games: int,
    *,
    parallel: int = 64,
    openings: Sequence[str] = (),
    shard_positions: int = 16384,
    minutes: float = 10.0,
    progress: Callable[[int, int], None] = lambda games, positions: None,
    elsewhere: Callable[[Iterator[int], SampleWriter], Iterator[Shard | None]] | None = None,
) -> tuple[int, int]:
    """Games and positions that the folder holds in the end. `progress` hears of both as games end.
    `elsewhere` has the games of these numbers played, labelled and written by workers
    (`teachers/label_task.py`); a block of games is a shard then.

    A shard that is a 16th full is closed after so many `minutes`: a slow teacher's work is worth more than
    full shards.
    """
    origin = {"teacher": teacher.name, "settings": asdict(settings)}
    with SampleWriter(folder, settings.game, origin=origin, shard_positions=shard_positions) as writer:
        positions = writer.manifest.positions

        def name(number: int) -> str:
            return f"{teacher.name}:{settings.seed}:{number}"

        missing = (number for number in range(games) if name(number) not in writer)
        progress(len(writer), positions)
        if elsewhere is not None:
            done = len(writer)
            for shard in elsewhere(missing, writer):
                if shard is not None:
                    done, positions = done + shard.games, positions + shard.positions
                    progress(done, positions)
            return writer.manifest.games, writer.manifest.positions
        due = time.monotonic() + 60 * minutes
        for number, samples in labelled_games(
            settings, teacher, missing, parallel=parallel, openings=openings
        ):
            made = samples or empty_game(settings.game, name(number))
            if writer.add(made):
                positions += len(made)
                progress(len(writer), positions)
            if time.monotonic() >= due and writer.pending >= shard_positions // 16:
                writer.flush()
                due = time.monotonic() + 60 * minutes
    return writer.manifest.games, writer.manifest.positions


def empty_game(game: str, game_id: str) -> GameSamples:
    """A game without samples: it counts as done while the run lasts."""
    import numpy as np

    nothing = np.zeros(0, np.float32)
    return GameSamples(
        game,
        game_id,
        np.zeros((0, 1, 1, 1), np.float32),
        nothing,
        [],
        np.zeros((0, 3), np.float32),
        nothing,
        nothing,
        nothing,
    )
