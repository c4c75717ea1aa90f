"""The installed networks, and a pool of engines for each that is asked for."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fastapi import APIRouter
from fastapi import Request as HttpRequest
from pydantic import BaseModel

from kibitz.errors import BadRequest
from kibitz.games import installed
from kibitz.pool import Pool
from kibitz.sentences import Sentence
from kibitz.sentences.reasons import reason_of
from kibitz.server.errors import error_form

router = APIRouter(prefix="/api", tags=["networks"])

#: Networks that are kept ready; the one unused for longest goes first.
_MOST_POOLS = 4


class NetworkRow(BaseModel):
    """A network that is there, by the name of its file."""

    name: str
    title: str = ""
    game: str = ""
    family: str = ""
    boards: str = ""
    megabytes: float = 0.0
    blocks: int = 0
    channels: int = 0
    sha256: str = ""
    bundled: bool = False
    #: Why it cannot be used.
    error: str = ""
    code: str = ""
    values: dict[str, Any] = {}


class _Facts:
    """What the files hold; each is read once, until it changes."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, int, int], NetworkRow] = {}
        self._lock = threading.Lock()

    def rows(self) -> list[NetworkRow]:
        with self._lock:
            rows = []
            for path, bundled in installed.files():
                try:
                    seen = path.stat()
                except OSError:
                    continue  # removed meanwhile
                key = (str(path), seen.st_mtime_ns, seen.st_size)
                if key not in self._known:
                    self._known[key] = _row(path, bundled)
                rows.append(self._known[key])
            return rows


def _row(path: Path, bundled: bool) -> NetworkRow:
    try:
        known = installed.facts(path)
    except (BadRequest, OSError) as error:
        # Where the file lies is nobody's business.
        said = reason_of(str(error).removeprefix(f"{path}: ").replace(str(path), path.name))
        code = "error.plainNetwork" if said.code == "error.plainReason" else said.code
        return NetworkRow(name=path.name, bundled=bundled, **error_form(Sentence(code, said.values)))
    return NetworkRow(
        name=path.name,
        title=str(known["name"]),
        blocks=int(known["depth"] or 0),
        channels=int(known["channels"] or 0),
        bundled=bundled,
        **{name: known[name] for name in ("game", "family", "boards", "megabytes", "sha256")},
    )


class NetworkPools:
    """Pools by game and network, made when they are first asked for.

    Threads: `pool` may be called by any; it reads the file and so blocks.
    """

    def __init__(self, make: Callable[[str, Path], Pool]) -> None:
        """`make` makes the pool of a game and a network file."""
        self.facts = _Facts()
        self._make = make
        self._pools: OrderedDict[tuple[str, str], Pool] = OrderedDict()
        self._lock = threading.Lock()

    def pool(self, game: str, name: str) -> Pool:
        """The engines of a network; BadRequest where there is none of the name for the game."""
        path = next((path for path, _ in installed.files() if path.name == name), None)
        if path is None:
            raise BadRequest(Sentence("error.noNetwork", {"name": repr(name[:80])}))
        with self._lock:
            pool = self._pools.pop((game, name), None)
            if pool is None:
                pool = self._make(game, path)
            self._pools[game, name] = pool
            idle = [key for key, one in self._pools.items() if not one.running and not one.waiting]
            for key in idle[: max(0, len(self._pools) - _MOST_POOLS)]:
                if key != (game, name):
                    self._pools.pop(key).close()
        return pool

    def close(self) -> None:
        with self._lock:
            for pool in self._pools.values():
                pool.close()
            self._pools.clear()


@router.get("/networks")
def networks(http: HttpRequest) -> list[NetworkRow]:
    """The installed networks, as `kibitz nets list` tells them."""
    pools: NetworkPools = http.app.state.networks
    return pools.facts.rows()
