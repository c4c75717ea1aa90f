"""Seeded mutation that knows a little of what it mutates: words, numbers, JSON, bytes.

>>> mutant(b"play b D4", [b"genmove w"], random.Random(1)) != b"play b D4"
True
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Sequence
from typing import Any

__all__ = ["mutant"]

_PARTS = re.compile(rb"[A-Za-z]+|[0-9]+|\s+|[^A-Za-z0-9\s]")
_WORDS = (
    *(b"", b"0", b"1", b"-1", b"2", b"7", b"8", b"19", b"20", b"99", b"255", b"256", b"65536", b"2147483648"),
    *(b"-9223372036854775809", b"18446744073709551616", b"1e999", b"nan", b"inf", b"0.5", b"-0", b"9" * 400),
    *(
        b"\xff",
        b"\xc3",
        b"\xed\xa0\x80",
        b"\x00",
        b"\r",
        b"\t",
        b"\\",
        b'"',
        b"'",
        b"[",
        b"]",
        b"{",
        b"}",
        b"(",
    ),
    *(b")", b";", b":", b"/", b"%s", b"#", b"\xe2\x80\xae", b"\xc2\xa0", b"\xd9\xa3", b"A" * 3000, b"pass"),
    *(b"start", b"white", b"b", b"true", b"null", b"moves", b"infinite"),
)
#: Bytes of a long input that are taken apart into words.
_WINDOW = 300
_VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 2**31, 2**53, 2**63, -(2**64), 0.5, 1e308, float("inf"), float("nan")),
    *("", "b", "D4", "pass", "\ud800", "\udcff", "x" * 2000, "(3,3)", [], {}, [[]], [{}], {"": ""}),
    *([["b", "D4"]], [["w", "\ud800"]], {"moves": ["D4"], "player": "b", "untilDepth": 1}),
)


def mutant(seed: bytes, others: Sequence[bytes], chance: random.Random) -> bytes:
    """Another input made of a good one, and sometimes of a second."""
    data = seed
    for _ in range(chance.choice((1, 1, 1, 2, 2, 3, 5, 9))):
        if data[:1] == b"{" and chance.random() < 0.6:
            data = _json(data, chance)
        elif chance.random() < 0.75:
            data = _words(data, others, chance)
        else:
            data = _bytes(data, others, chance)
    return data[:20_000]


def _words(data: bytes, others: Sequence[bytes], chance: random.Random) -> bytes:
    if len(data) > 2 * _WINDOW:  # taking all of a long input apart would cost more than reading it
        begin = chance.randrange(len(data) - _WINDOW)
        end = begin + _WINDOW
        return data[:begin] + _words(data[begin:end], others, chance) + data[end:]
    parts = _PARTS.findall(data)
    if not parts:
        return chance.choice(_WORDS)
    at = chance.randrange(len(parts))
    kind = chance.randrange(7)
    if kind == 0:
        parts[at] = chance.choice(_WORDS)
    elif kind == 1:
        del parts[at]
    elif kind == 2:
        parts.insert(at, chance.choice(_WORDS))
    elif kind == 3:
        parts[at] = parts[at] * chance.choice((2, 3, 50))
    elif kind == 4:
        other = chance.randrange(len(parts))
        parts[at], parts[other] = parts[other], parts[at]
    elif kind == 5:
        other_data = chance.choice(others)
        begin = chance.randrange(max(1, len(other_data) - _WINDOW))
        foreign = _PARTS.findall(other_data, begin, begin + _WINDOW) or [b""]
        parts[at] = chance.choice(foreign)
    elif parts[at].isdigit() and len(parts[at]) < 10:
        parts[at] = b"%d" % (int(parts[at]) + chance.choice((-1, 1, 8, 64, -100)))
    else:
        parts[at] = parts[at].swapcase()
    return b"".join(parts)


def _bytes(data: bytes, others: Sequence[bytes], chance: random.Random) -> bytes:
    changed = bytearray(data)
    at = chance.randrange(len(changed) + 1)
    kind = chance.randrange(5)
    if kind == 0 and at < len(changed):
        changed[at] ^= 1 << chance.randrange(8)
    elif kind == 1:
        changed.insert(at, chance.randrange(256))
    elif kind == 2:
        del changed[at : at + chance.choice((1, 1, 4, 30))]
    elif kind == 3:
        other = chance.choice(others)
        cut = chance.randrange(len(other) + 1)
        return bytes(changed[:at]) + other[cut:]
    else:
        return bytes(changed[:at])
    return bytes(changed)


def _json(data: bytes, chance: random.Random) -> bytes:
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return _words(data, [data], chance)
    return json.dumps(_changed(value, chance, 4)).encode()


def _changed(value: Any, chance: random.Random, depth: int) -> Any:
    if depth and isinstance(value, dict) and value and chance.random() < 0.85:
        key = chance.choice(list(value))
        kind = chance.random()
        if kind < 0.15:
            return {name: item for name, item in value.items() if name != key}
        if kind < 0.25:
            return {**value, key + chance.choice(("s", "", " ")): chance.choice(_VALUES)}
        return {**value, key: _changed(value[key], chance, depth - 1)}
    if depth and isinstance(value, list) and value and chance.random() < 0.7:
        at = chance.randrange(len(value))
        kind = chance.random()
        if kind < 0.2:
            return value[:at] + value[at + 1 :]
        if kind < 0.4:
            return value + value[at:]
        return [*value[:at], _changed(value[at], chance, depth - 1), *value[at + 1 :]]
    return chance.choice(_VALUES)
