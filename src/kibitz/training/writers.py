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

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from kibitz.errors import BadOption
from kibitz.style import Norm
from kibitz.training.game import GAMES, PlayedGame
from kibitz.training.pgn import PgnText
from kibitz.training.settings import SelfplaySettings

__all__ = ["FileSink", "Sink", "file_sink"]


class Sink(Protocol):
    """Takes finished games with the data of their searches."""

    def write(self, game: PlayedGame) -> None:
        """Take the next game; numbers begin at 0 and none is left out."""

    def close(self) -> None:
        """All games are there."""


class FileSink:
    """Writes a text for each game to a file, which has its name only when it is whole."""

    def __init__(self, path: Path, head: str, text_of: Callable[[PlayedGame], str]) -> None:
        self._path = path
        self._draft = path.with_name(path.name + ".tmp")
        self._text_of = text_of
        self._file = self._draft.open("w", encoding="utf-8")
        self._file.write(head)

    def write(self, game: PlayedGame) -> None:
        self._file.write(self._text_of(game))

    def close(self) -> None:
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()
        self._draft.replace(self._path)

    def discard(self) -> None:
        """The run was interrupted: the next one writes the file anew, from the log."""
        self._file.close()
        self._draft.unlink(missing_ok=True)


def file_sink(path: Path, settings: SelfplaySettings, norm: Norm) -> FileSink:
    """The sink for a file by its ending: `.pgn` for chess, `.jsonl` for every game."""
    if path.suffix == ".jsonl":
        head = {"format": GAMES.format, "version": GAMES.version, "settings": settings.to_dict()}
        return FileSink(path, _line(head), lambda game: _line(game.to_dict()))
    if path.suffix == ".pgn" and settings.game == "chess":
        return FileSink(path, "", PgnText(settings, norm))
    expected = "FILE.pgn or FILE.jsonl" if settings.game == "chess" else "FILE.jsonl"
    raise BadOption(f"self-play of {settings.game} is written to {expected}, got {path.name}")


def _line(value: object) -> str:
    return json.dumps(value, separators=(",", ":")) + "\n"
