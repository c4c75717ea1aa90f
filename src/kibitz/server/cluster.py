"""What the server's cluster is doing (`kibitz serve --engines ray:ADDRESS`), and how far the runs are whose
store lies below the folder of `--runs`.

Anybody who sees the page may ask: nodes are numbered, and no address or path is given away.
"""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

from fastapi import APIRouter
from fastapi import Request as HttpRequest
from pydantic import BaseModel

from kibitz.errors import KibitzError
from kibitz.fleet.runners import ray_address
from kibitz.server.runs import files_below

router = APIRouter(prefix="/api", tags=["runs"])

#: Seconds for which an answer is good; stores that are shown.
_GOOD, _MOST = 5.0, 50


class NodeRow(BaseModel):
    """A node of the cluster."""

    number: int
    alive: bool
    #: It answers late, or its machine has far more to do than its CPUs can.
    slow: bool
    cpus: float
    #: CPUs that Ray has given to jobs.
    used: float
    #: Kibitz's workers there.
    workers: int
    load: float | None
    #: Searches of the page; None where the node has no engines that are ready.
    searches: int | None


class StoreRow(BaseModel):
    """A run of self-play that somebody drives."""

    name: str
    game: str
    games: int
    of: int
    positions: int
    #: Games a second since the last look; None at the first.
    rate: float | None


class ClusterView(BaseModel):
    """The cluster and the runs under way."""

    #: Whether the server's engines are on a cluster.
    configured: bool
    nodes: list[NodeRow]
    runs: list[StoreRow]


class ClusterWatch:
    """Looks at most every few seconds, however many ask.

    Threads: may be used by any.
    """

    def __init__(self, engines: str, runs: Path | None, pool: Any) -> None:
        self._address = ray_address(engines)
        self._runs = runs
        self._pool = pool
        self._lock = threading.Lock()
        self._seen: ClusterView | None = None
        self._at = 0.0
        self._games: dict[str, tuple[float, int]] = {}

    def view(self) -> ClusterView:
        with self._lock:
            if self._seen is None or time.monotonic() - self._at >= _GOOD:
                self._seen = ClusterView(
                    configured=self._address is not None, nodes=self._nodes(), runs=self._stores()
                )
                self._at = time.monotonic()
            return self._seen

    def _nodes(self) -> list[NodeRow]:
        if self._address is None:
            return []
        from kibitz.fleet.cluster_state import cluster_state  # Ray is an extra, and slow to import

        searches = {node["node"]: node["running"] for node in self._pool.nodes() if node["ready"]}
        rows = []
        for number, row in enumerate(cluster_state(self._address), 1):
            shown = {name: row[name] for name in ("alive", "slow", "cpus", "used", "workers", "load")}
            rows.append(NodeRow(number=number, searches=searches.get(row["node"]), **shown))
        return rows

    def _stores(self) -> list[StoreRow]:
        from kibitz.training.run_state import run_state  # not while the server starts

        rows = []
        for folder in _stores(self._runs) if self._runs is not None else ():
            try:
                state = run_state(folder)
            except (KibitzError, OSError, ValueError, KeyError):
                continue  # being written, or of another kind
            if state["driver"] is None:
                continue
            assert self._runs is not None
            name, games, now = folder.relative_to(self._runs).as_posix(), state["games"], time.monotonic()
            then, before = self._games.get(name, (now, games))
            rate = round((games - before) / (now - then), 2) if now > then else None
            self._games[name] = now, games
            fields = {key: state[key] for key in ("game", "of", "positions")}
            rows.append(StoreRow(name=name, games=games, rate=rate, **fields))
        return rows[:_MOST]


def _stores(folder: Path) -> list[Path]:
    """Folders with a manifest of samples; links are not followed."""
    from kibitz.training.samples.manifest import MANIFEST  # not while the server starts

    return [here for here, name in files_below(folder) if name == MANIFEST]


@router.get("/cluster")
def cluster(http: HttpRequest) -> ClusterView:
    """The nodes of the server's cluster, and the runs under way in its folder."""
    watch: ClusterWatch = http.app.state.cluster
    return watch.view()
