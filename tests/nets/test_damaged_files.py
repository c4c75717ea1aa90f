"""Files that were cut off, overwritten or swapped: one clear line, at once, whatever the damage."""

from __future__ import annotations

import gzip
import random
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from kibitz.errors import KibitzError
from kibitz.nets import load
from tests.nets.katago_writer import katago_file
from tests.nets.lc0_writer import LINEAR16, Lc0Writer

SOURCES: dict[str, bytes] = {
    "katago.bin": katago_file(14),
    "transformer.bin": katago_file(15, transformer=True),
    "katago.txt": katago_file(9, text=True),
    "lc0.pb": Lc0Writer(encoding=LINEAR16, moves_left=True).file(),
}


def cut(data: bytes, dice: random.Random) -> bytes:
    return data[: dice.randrange(len(data))]


def flip(data: bytes, dice: random.Random) -> bytes:
    """Bytes of the first part, where the sizes stand, are hit as often as weights."""
    out = bytearray(data)
    for _ in range(dice.randint(1, 6)):
        reach = len(out) if dice.random() < 0.5 else min(len(out), 400)
        out[dice.randrange(reach)] = dice.randrange(256)
    return bytes(out)


def number(data: bytes, dice: random.Random) -> bytes:
    """A digit of a size becomes a large number."""
    digits = [place for place, byte in enumerate(data) if byte in b"0123456789"][:200] or [0]
    place = dice.choice(digits)
    return data[:place] + str(dice.choice([0, -1, 2**31, 10**12, 99999])).encode() + data[place + 1 :]


def drop(data: bytes, dice: random.Random) -> bytes:
    start = dice.randrange(len(data))
    return data[:start] + data[start + dice.randint(1, 100) :]


def double(data: bytes, dice: random.Random) -> bytes:
    start = dice.randrange(len(data))
    return data[:start] + data[start : start + 500] + data[start:]


def noise(data: bytes, dice: random.Random) -> bytes:
    return data[:5] + dice.randbytes(2000)


def complaint(path: Path) -> str | None:
    """What loading says; nothing when the damage hit a weight, which is still a weight."""
    try:
        load(path)
    except KibitzError as error:
        return str(error)
    return None


DAMAGE: list[Callable[[bytes, random.Random], bytes]] = [cut, flip, number, drop, double, noise]


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("name", SOURCES)
def test_damage_is_reported_and_never_crashes(tmp_path: Path, name: str, packed: bool) -> None:
    dice = random.Random(f"{name} {packed}")
    refused = 0
    for turn in range(120):
        data = DAMAGE[turn % len(DAMAGE)](SOURCES[name], dice)
        if packed:
            data = gzip.compress(data, 1)
        path = tmp_path / (name + (".gz" if packed else ""))
        path.write_bytes(data)
        start = time.process_time()
        error = complaint(path)
        assert time.process_time() - start < 5
        if error is not None:
            refused += 1
            assert "\n" not in error
            assert str(path) in error
            assert len(error) < 400
    assert refused >= 60


@pytest.mark.parametrize("name", SOURCES)
def test_damage_to_the_packed_bytes_is_found(tmp_path: Path, name: str) -> None:
    dice = random.Random(name)
    packed = gzip.compress(SOURCES[name])
    path = tmp_path / f"{name}.gz"
    for damage in (cut, flip, drop):
        for _ in range(15):
            hurt = packed[:10] + damage(packed[10:], dice)
            if hurt == packed:
                continue
            path.write_bytes(hurt)
            with pytest.raises(KibitzError) as caught:
                load(path)
            assert "\n" not in str(caught.value)
