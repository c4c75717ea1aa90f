"""A client of the analysis server for tests, and a network that is a plain function."""

from __future__ import annotations

import io
import json
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.engine import Engine
from kibitz.protocols.katago import AnalysisServer
from kibitz.protocols.katago_settings import Settings

Array = npt.NDArray[np.float32]


def corner_network(planes: Array, numbers: Array) -> tuple[Array, Array, Array]:
    """Wants the first points of the board and thinks itself a little ahead: deterministic and quick."""
    count, _, rows, columns = planes.shape
    policy = np.tile(-0.2 * np.arange(rows * columns + 1, dtype=np.float32), (count, 1))
    policy[:, -1] = -30.0
    stones = planes[:, 1].sum(axis=(1, 2)) - planes[:, 2].sum(axis=(1, 2))
    outcomes = np.zeros((count, 6), np.float32)
    outcomes[:, 0] = 1 / (1 + np.exp(-0.1 * stones - 0.1))
    outcomes[:, 2] = 1 - outcomes[:, 0]
    outcomes[:, 3] = outcomes[:, 5] = 2.0 * stones
    outcomes[:, 4] = 5.0
    owners = (planes[:, 1] - planes[:, 2]).reshape(count, -1)
    return policy.astype(np.float32), outcomes, np.ascontiguousarray(owners)


def make_engine() -> Engine:
    return Engine("go", network=corner_network)


class Client:
    """Sends lines to a server and gives back what it wrote."""

    def __init__(self, threads: int = 1, **settings: Any) -> None:
        self.out = io.StringIO()
        values = Settings(options={"root_noise": 0.0, "reuse": False}, analysis_threads=threads)
        values.apply(settings)
        self.server = AnalysisServer(make_engine, values, self.out, version="0", about={"name": "corner"})

    def ask(self, *lines: Any) -> list[dict[str, Any]]:
        data = b"".join(
            (line if isinstance(line, bytes) else json.dumps(line).encode()) + b"\n" for line in lines
        )
        self.server.serve(io.BytesIO(data))
        return [json.loads(line) for line in self.out.getvalue().splitlines()]


def ask(*lines: Any, **settings: Any) -> list[dict[str, Any]]:
    return Client(**settings).ask(*lines)


def query(**fields: Any) -> dict[str, Any]:
    """A small query; fields of None are left out."""
    base: dict[str, Any] = {"id": "q", "moves": [], "rules": "chinese", "komi": 7.5, "maxVisits": 20}
    base |= {"boardXSize": 9, "boardYSize": 9}
    return {name: value for name, value in {**base, **fields}.items() if value is not None}


def visits(answer: dict[str, Any]) -> dict[str, int]:
    return {info["move"]: info["visits"] for info in answer["moveInfos"] if "isSymmetryOf" not in info}
