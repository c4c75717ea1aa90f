"""Networks and reference answers that lie beside the project; tests that need them skip without."""

from __future__ import annotations

import functools
import gzip
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kibitz import nets
from tests.paths import SHARED

DATA = Path(__file__).parent / "data"
B6 = "g170-b6c96-s175395328-d26788732.bin.gz"
TINY = "katago-tiny-b2c16.bin.gz"


def network_path(name: str) -> Path:
    """The file in the folder beside the project, or in the folder `KIBITZ_TEST_NETS`."""
    folders = [SHARED / "nets"]
    if extra := os.environ.get("KIBITZ_TEST_NETS"):
        folders.append(Path(extra))
    for folder in folders:
        if (folder / name).is_file():
            return folder / name
    pytest.skip(f"the network {name} is not here")


@functools.cache
def _load(path: Path) -> nets.Network:
    return nets.load(path)


def network(name: str) -> nets.Network:
    """The network in fp32; one object for all tests."""
    return _load(network_path(name))


def references(name: str) -> Iterator[dict[str, Any]]:
    """The lines of a file of reference answers, from the tests' own data or the folder beside the project."""
    path = DATA / name
    if not path.is_file():
        path = SHARED / "reference" / name
    if not path.is_file():
        pytest.skip(f"the reference answers {name} are not here")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)
