"""Teachers by what a user writes, and the positions that labelled games start from."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.errors import BadOption, KibitzError
from kibitz.files.limits import MOST_CONFIG, read_file
from kibitz.games import registry
from kibitz.games.othello.records import wthor
from kibitz.training.game import PlayedGame, SearchedMove
from kibitz.training.samples import SampleWriter, samples_of_game
from kibitz.training.teachers.judgement import Teacher
from kibitz.training.teachers.network import NetworkTeacher
from kibitz.training.teachers.solver import SolverTeacher
from kibitz.training.teachers.uci import UciTeacher


def is_network(text: str) -> bool:
    """Whether a teacher is named by a network file."""
    return text != "solver" and not text.startswith(("uci:", "records:"))


def make_teacher(
    game: str, text: str, *, precision: str, nodes: int, multipv: int, warm: bool = False, engines: int = 1
) -> Teacher:
    """`solver`, `uci:COMMAND`, or a network file."""
    if text == "solver":
        return SolverTeacher(game)
    if text.startswith("uci:"):
        if game != "chess":
            raise BadOption(f"a UCI engine teaches chess, not {game}")
        return UciTeacher(text.removeprefix("uci:"), nodes=nodes, multipv=multipv, warm=warm, engines=engines)
    return NetworkTeacher(game, text, precision=precision)


def read_starts(game: str, path: str | os.PathLike[str]) -> Sequence[str]:
    """Positions of a file, one a line; of EPD lines the first four fields. Empty lines and # are left out."""
    position = registry.get(game).position
    starts = []
    for number, line in enumerate(read_file(path, MOST_CONFIG).decode("utf-8", "replace").splitlines(), 1):
        text = line.split("#")[0].strip()
        if not text:
            continue
        if game == "chess":
            text = " ".join(text.split(";")[0].split()[:4]) + " 0 1"
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
    if game != "othello" or not path.endswith(".wtb"):
        raise BadOption("records that teach are WTHOR files (.wtb) of Othello")
    source = Path(path)
    file = wthor.load(source)
    with SampleWriter(folder, game, origin={"teacher": "records"}) as writer:
        positions = writer.manifest.positions
        for index in range(len(file.games)):
            game_id = f"{source.name}:{index}"
            if game_id in writer:
                continue
            record = file.record(index)
            last = record.position()
            if not last.is_over or not record.moves:
                continue
            searches = tuple(_played(move, last.result) for move in record.moves)
            played = PlayedGame(index, game, None, record.moves, searches, last.result)
            samples = samples_of_game(played, game_id, source=source.name, tags=("record",))
            assert samples is not None
            # Nobody searched: there is no value but the result.
            writer.add(type(samples)(**{**vars(samples), "q": np.full(len(samples), np.nan, np.float32)}))
            positions += len(samples)
            progress(len(writer), positions)
    return writer.manifest.games, writer.manifest.positions


def _played(move: str, result: Any) -> SearchedMove:
    return SearchedMove({move: 1}, {move: 0.5}, 0.5)
