"""Teachers by what a user writes, and the positions that labelled games start from."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from kibitz.errors import BadOption, KibitzError
from kibitz.files.limits import MOST_CONFIG, read_file
from kibitz.games import registry
from kibitz.training.game import PlayedGame, SearchedMove
from kibitz.training.game_part import training_of
from kibitz.training.samples import SampleWriter, samples_of_game
from kibitz.training.teachers.judgement import Teacher
from kibitz.training.teachers.network import NetworkTeacher
from kibitz.training.teachers.solver import SolverTeacher


def is_network(text: str) -> bool:
    """Whether a teacher is named by a network file."""
    return text != "solver" and not text.startswith(("uci:", "records:"))


def make_teacher(
    game: str, text: str, *, precision: str, nodes: int, multipv: int, warm: bool = False, engines: int = 1
) -> Teacher:
    """`solver`, `uci:COMMAND` in games that have such engines, or a network file."""
    if text == "solver":
        return SolverTeacher(game)
    if not is_network(text):
        word, _, rest = text.partition(":")
        if (make := training_of(game).teachers.get(word)) is None:
            raise BadOption(f"{game} has no teachers {word}:NAME")
        return make(rest, nodes=nodes, multipv=multipv, warm=warm, engines=engines)
    return NetworkTeacher(game, text, precision=precision)


def read_starts(game: str, path: str | os.PathLike[str]) -> Sequence[str]:
    """Positions of a file, one a line. Empty lines and # are left out."""
    position, notation = registry.get(game).position, training_of(game).notation
    starts = []
    for number, line in enumerate(read_file(path, MOST_CONFIG).decode("utf-8", "replace").splitlines(), 1):
        text = line.split("#")[0].strip()
        if not text:
            continue
        text = notation(text)
        try:
            position(text)
        except KibitzError as error:
            raise BadOption(f"{os.fspath(path)}, line {number}: {error}") from None
        starts.append(text)
    if not starts:
        raise BadOption(f"{os.fspath(path)}: no positions in it")
    random.Random(0).shuffle(starts)
    return starts


def label_records(
    game: str,
    path: str,
    folder: str | os.PathLike[str],
    progress: Callable[[int, int], None] = lambda games, positions: None,
) -> tuple[int, int]:
    """Samples of game records: the policy is the move that was played, the value the result."""
    source, readers = Path(path), training_of(game).records
    if source.suffix not in readers:
        endings = ", ".join(readers) or "none"
        raise BadOption(f"records of {game} that teach: {endings}; got {source.name}")
    start = registry.get(game).position()
    with SampleWriter(folder, game, origin={"teacher": "records"}) as writer:
        positions = writer.manifest.positions
        for index, moves in enumerate(readers[source.suffix](source)):
            game_id = f"{source.name}:{index}"
            if not moves or game_id in writer:
                continue
            searches = tuple(SearchedMove({move: 1}, {move: 0.5}, 0.5) for move in moves)
            played = PlayedGame(index, game, None, tuple(moves), searches, start.play(*moves).result)
            samples = samples_of_game(played, game_id, source=source.name, tags=("record",))
            assert samples is not None
            # Nobody searched: there is no value but the result.
            writer.add(type(samples)(**{**vars(samples), "q": np.full(len(samples), np.nan, np.float32)}))
            positions += len(samples)
            progress(len(writer), positions)
    return writer.manifest.games, writer.manifest.positions
