"""Where finished games go. A sink gets every game of a run in the order of their numbers; a run that is
resumed hands over all its games again, so that a sink need not know of interruptions.

    >>> class Count:
    ...     games = 0
    ...     def write(self, game):
    ...         self.games += 1
    ...     def close(self):
    ...         pass
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import IO, Protocol

from kibitz.errors import BadOption
from kibitz.files.whole_file import whole_file
from kibitz.style import Norm
from kibitz.training.game import GAMES, PlayedGame
from kibitz.training.game_part import training_of
from kibitz.training.settings import SelfplaySettings


class Sink(Protocol):
    """Takes finished games with the data of their searches."""

    def write(self, game: PlayedGame) -> None:
        """Take the next game; numbers begin at 0 and none is left out."""

    def close(self) -> None:
        """All games are there."""


class FileSink:
    """Writes a text for each game to a file, which has its name only when it is whole. It opens the file at
    the first game, when the run is known to be the only one (its log is locked)."""

    def __init__(self, path: Path, head: str, text_of: Callable[[PlayedGame], str]) -> None:
        self._path = path
        self._head = head
        self._text_of = text_of
        self._open = contextlib.ExitStack()
        self._file: IO[bytes] | None = None

    def write(self, game: PlayedGame) -> None:
        self._write(self._text_of(game))

    def close(self) -> None:
        self._write("")
        self._open.close()

    def discard(self) -> None:
        """The run was interrupted: the next one writes the file anew, from the log."""
        with contextlib.suppress(_Discarded):
            self._open.__exit__(_Discarded, _Discarded(), None)

    def _write(self, text: str) -> None:
        if self._file is None:
            self._file = self._open.enter_context(whole_file(self._path))
            text = self._head + text
        self._file.write(text.encode())


class _Discarded(Exception):
    """Ends a file that is not to be kept."""


def file_sink(path: Path, settings: SelfplaySettings, norm: Norm) -> FileSink:
    """The sink for a file by its ending: `.jsonl` for every game, others by the game."""
    if path.suffix == ".jsonl":
        head = {"format": GAMES.format, "version": GAMES.version, "settings": settings.to_dict()}
        return FileSink(path, _line(head), lambda game: _line(game.to_dict()))
    texts = training_of(settings.game).texts
    if path.suffix in texts:
        return FileSink(path, "", texts[path.suffix](settings, norm))
    expected = " or ".join(f"FILE{ending}" for ending in (*texts, ".jsonl"))
    raise BadOption(f"self-play of {settings.game} is written to {expected}, got {path.name}")


def _line(value: object) -> str:
    return json.dumps(value, separators=(",", ":")) + "\n"
