"""The words and numbers a KataGo file is made of, whether its weights are text or binary."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from pathlib import Path

import numpy as np
import numpy.typing as npt

from kibitz.nets.files import BadNetwork, NetworkFile

_SPACE = b" \t\r\n\v\f"
_MAX_WORD = 128
_MAX_CHANNELS = 1 << 14
#: Text needs several times its size while it is read, and the files of that form are old and small.
_MAX_TEXT = 512 << 20


class Words(ABC):
    """Takes one word or one array after the other; every error names the file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @abstractmethod
    def _next(self) -> bytes:
        """The next word, empty at the end of the file."""

    @abstractmethod
    def _numbers(self, name: str, count: int) -> npt.NDArray[np.float32]: ...

    @abstractmethod
    def finish(self) -> None:
        """Complains when there is something after the end of the network."""

    def error(self, text: str) -> BadNetwork:
        return BadNetwork(f"{self.path}: {text}")

    def word(self, what: str) -> str:
        word = self._next()
        if not word:
            raise self.error(f"the file ends where {what} should be")
        if len(word) > _MAX_WORD or not all(33 <= byte <= 126 for byte in word):
            raise self.error(f"{what} is not readable; this is no KataGo network or a damaged one")
        return word.decode("ascii")

    def integer(self, what: str, low: int, high: int) -> int:
        word = self.word(what)
        try:
            number = int(word)
        except ValueError:
            raise self.error(f"{what} is {word[:40]!r}; expected an integer") from None
        if not low <= number <= high:
            raise self.error(f"{what} is {number}; expected {low} to {high}")
        return number

    def channels(self, what: str, expected: int | None = None) -> int:
        number = self.integer(what, 1, _MAX_CHANNELS)
        if expected is not None and number != expected:
            raise self.error(f"{what}: {number} channels; expected {expected}")
        return number

    def positive(self, what: str) -> float:
        word = self.word(what)
        try:
            number = float(word)
        except ValueError:
            raise self.error(f"{what} is {word[:40]!r}; expected a number") from None
        if not math.isfinite(number) or number <= 0:
            raise self.error(f"{what} is {word[:40]}; expected a positive number")
        return number

    def floats(self, name: str, count: int) -> npt.NDArray[np.float32]:
        values = self._numbers(name, count)
        if not np.isfinite(values).all():
            raise self.error(f"{name} has a weight that is not a number")
        return values


class _BinaryWords(Words):
    def __init__(self, path: Path, data: bytes) -> None:
        super().__init__(path)
        self.data = data
        self.place = 0

    def _skip_space(self) -> None:
        while self.place < len(self.data) and self.data[self.place] in _SPACE:
            self.place += 1

    def _next(self) -> bytes:
        self._skip_space()
        start = self.place
        # One byte more than a word may have, so that too long a word is seen without reading it whole.
        end = min(len(self.data), start + _MAX_WORD + 1)
        while self.place < end and self.data[self.place] not in _SPACE:
            self.place += 1
        return self.data[start : self.place]

    def _numbers(self, name: str, count: int) -> npt.NDArray[np.float32]:
        self._skip_space()
        if self.data[self.place : self.place + 5] != b"@BIN@":
            raise self.error(f"no weights where {name}'s should be")
        self.place += 5
        if len(self.data) - self.place < 4 * count:
            raise self.error(f"the file ends within the weights of {name}")
        values = np.frombuffer(self.data, dtype="<f4", count=count, offset=self.place)
        self.place += 4 * count
        return values.astype(np.float32, copy=True)

    def finish(self) -> None:
        self._skip_space()
        if self.place != len(self.data):
            raise self.error(f"{len(self.data) - self.place} bytes too many after the network")


class _TextWords(Words):
    def __init__(self, path: Path, data: bytes) -> None:
        super().__init__(path)
        if len(data) > _MAX_TEXT:
            raise self.error(f"{len(data) >> 20} MiB of text; at most {_MAX_TEXT >> 20} MiB are read")
        self.words = data.split()
        self.place = 0

    def _next(self) -> bytes:
        word = self.words[self.place] if self.place < len(self.words) else b""
        self.place += 1
        return word

    def _numbers(self, name: str, count: int) -> npt.NDArray[np.float32]:
        part = self.words[self.place : self.place + count]
        if len(part) < count:
            raise self.error(f"the file ends within the weights of {name}")
        self.place += count
        try:
            return np.array(part, dtype=np.float64).astype(np.float32)
        except ValueError:
            raise self.error(f"{name} has a weight that is not a number") from None

    def finish(self) -> None:
        if self.place < len(self.words):
            raise self.error(f"{len(self.words) - self.place} words too many after the network")


def words_of(file: NetworkFile) -> Words:
    """Weights are binary when the mark of a binary block stands near the beginning."""
    if b"@BIN@" in file.data[:4096]:
        return _BinaryWords(file.path, file.data)
    return _TextWords(file.path, file.data)
