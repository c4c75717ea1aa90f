"""A network of the core answers the same for a position whatever else is in the batch, to the last bit:
self-play relies on it for games that do not depend on what is played beside them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kibitz
from kibitz.games.networks import load_file
from tests.nets.katago_writer import katago_file
from tests.nets.lc0_writer import Lc0Writer


def positions(position: Any, count: int) -> tuple[Any, Any]:
    chance = np.random.default_rng(1)
    encoded = []
    while len(encoded) < count:
        encoded.append(position.state.encode())
        position = position.play(position.legal_moves[chance.integers(len(position.legal_moves))])
    planes, numbers = zip(*encoded, strict=True)
    return np.stack(planes), np.stack(numbers)


@pytest.mark.parametrize("precision", ["fp32", "int8"])
@pytest.mark.parametrize("game", ["chess", "go"])
def test_answers_do_not_depend_on_the_batch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str, precision: str
) -> None:
    monkeypatch.setenv("KIBITZ_CACHE", str(tmp_path / "cache"))
    path = tmp_path / ("net.pb" if game == "chess" else "net.bin")
    path.write_bytes(Lc0Writer(channels=32, blocks=2).file() if game == "chess" else katago_file(8))
    network = load_file(game, str(path), precision=precision, runtime="native")
    start = kibitz.chess.Position() if game == "chess" else kibitz.go.Position(9)
    planes, numbers = positions(start, 19)
    together = network(planes, numbers)
    for size in (1, 2, 3, 7, 8, 16):
        for at in range(0, 20 - size, size):
            part = slice(at, at + size)
            alone = network(np.ascontiguousarray(planes[part]), np.ascontiguousarray(numbers[part]))
            for one, many in zip(alone, together, strict=True):
                assert np.array_equal(one, many[part])
