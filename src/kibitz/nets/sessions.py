"""A network's sessions, one for each board size it meets, and its first convolution done outside them."""

from __future__ import annotations

import threading
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from kibitz import _native
from kibitz.nets.family import Definition
from kibitz.nets.session import Session

Array = npt.NDArray[np.float32]


class Sessions:
    """Makes a session at the first call for a board size and keeps it. Threads: any may call any method."""

    def __init__(self, definition: Definition, make: Callable[[int, int], Session]) -> None:
        self._definition = definition
        self._make = make
        self._kept: dict[tuple[int, int], Session] = {}
        self._stems: dict[tuple[int, int], _native.SparseStem] = {}
        self._lock = threading.Lock()

    def get(self, rows: int, columns: int) -> Session:
        session = self._kept.get((rows, columns))
        if session is None:
            with self._lock:
                session = self._kept.get((rows, columns))
                if session is None:
                    session = self._kept[rows, columns] = self._make(rows, columns)
        return session

    def replace(self, change: Callable[[], bool]) -> None:
        """Changes how sessions are made; those that were made before are dropped if `change` says so."""
        with self._lock:
            if change():
                self._kept.clear()

    def stem_apart(self, runtime: str) -> bool:
        """A board's planes are mostly zeros: the first convolution is done better outside the graph, but by a
        runtime that knows."""
        return runtime != "native" and self._definition.first is not None

    def stem(self, planes: Array) -> Array:
        """The first convolution of planes, for sessions that take it instead of them."""
        rows, columns = planes.shape[2:]
        stem = self._stems.get((rows, columns))
        if stem is None:
            assert self._definition.first is not None
            weights = np.ascontiguousarray(self._definition.first, np.float32)
            stem = self._stems[rows, columns] = _native.SparseStem(weights, rows, columns)
        return stem(np.ascontiguousarray(planes, np.float32))
