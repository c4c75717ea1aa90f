"""The wire format of protocol buffers, read only: fields as (number, value), nothing generated.

Only what network files need: variable integers, fixed 32 and 64 bits, and byte strings.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

from kibitz.errors import KibitzError

_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5


class WireError(KibitzError):
    """Bytes that are no message."""


class Message:
    """The fields of one message, by number; views into one buffer, nothing is copied.

    >>> Message(bytes([0x22, 2, 0x08, 7])).message(4).integer(1)
    7
    """

    def __init__(self, data: bytes | memoryview, what: str = "the file") -> None:
        self.what = what
        self.fields: dict[int, list[int | memoryview]] = {}
        for number, value in _fields(memoryview(data), what):
            self.fields.setdefault(number, []).append(value)

    def has(self, number: int) -> bool:
        return number in self.fields

    def _last(self, number: int) -> int | memoryview | None:
        values = self.fields.get(number)
        return values[-1] if values else None

    def integer(self, number: int, default: int = 0) -> int:
        value = self._last(number)
        if value is None:
            return default
        if not isinstance(value, int):
            raise WireError(f"field {number} of {self.what} is no integer")
        return value

    def real(self, number: int) -> float:
        """A float; its bits were read as a fixed 32-bit integer."""
        return float(struct.unpack("<f", struct.pack("<I", self.integer(number) & 0xFFFFFFFF))[0])

    def raw(self, number: int) -> memoryview:
        value = self._last(number)
        if value is None:
            return memoryview(b"")
        if isinstance(value, int):
            raise WireError(f"field {number} of {self.what} is no byte string")
        return value

    def text(self, number: int) -> str:
        return bytes(self.raw(number)).decode("utf-8", "replace")

    def message(self, number: int, what: str = "a message") -> Message:
        return Message(self.raw(number), what)

    def messages(self, number: int, what: str = "a message") -> list[Message]:
        values = self.fields.get(number, [])
        if any(isinstance(value, int) for value in values):
            raise WireError(f"field {number} of {self.what} is no message")
        return [Message(value, what) for value in values if not isinstance(value, int)]


def _varint(data: memoryview, place: int, what: str) -> tuple[int, int]:
    number = 0
    for shift in range(0, 70, 7):
        if place >= len(data):
            raise WireError(f"{what} ends within a number")
        byte = data[place]
        place += 1
        number |= (byte & 0x7F) << shift
        if byte < 0x80:
            return number, place
    raise WireError(f"{what} has a number of more than 64 bits")


def _fields(data: memoryview, what: str) -> Iterator[tuple[int, int | memoryview]]:
    place = 0
    while place < len(data):
        tag, place = _varint(data, place, what)
        number, kind = tag >> 3, tag & 7
        if number == 0:
            raise WireError(f"{what} has a field without a number")
        if kind == _VARINT:
            value, place = _varint(data, place, what)
            yield number, value
            continue
        if kind == _BYTES:
            size, place = _varint(data, place, what)
        elif kind in (_FIXED32, _FIXED64):
            size = 4 if kind == _FIXED32 else 8
        else:
            raise WireError(f"{what} has a field of unknown kind {kind}")
        if size > len(data) - place:
            raise WireError(f"{what} ends within field {number}")
        part = data[place : place + size]
        place += size
        yield number, part if kind == _BYTES else int.from_bytes(part, "little")
