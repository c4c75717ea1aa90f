"""The engines of a server: of this machine, or of a Ray cluster (`Settings.cluster`)."""

from __future__ import annotations

from pathlib import Path

from kibitz.fleet.runners import ray_address
from kibitz.pool import Pool, usable_cores
from kibitz.server.settings import Settings

#: Searches stand back for answers to requests.
SEARCH_NICE = 10
#: Engines of one network at once; each search with a network has memory for batches of its own.
_ENGINES = 4
#: Memory for all trees for each core: what a server has after some minutes of many analyses.
_MEMORY_MB = 512


def make_pool(settings: Settings) -> Pool:
    """The pool of all games."""
    address = ray_address(settings.cluster)
    if address is None:
        cores = settings.cores or usable_cores()
        return Pool(engines=settings.engines, cores=cores, memory_mb=_MEMORY_MB * cores, nice=SEARCH_NICE)
    from kibitz.server.remote_pool import RemotePool  # Ray is an extra, and slow to import

    return RemotePool(address=address, nice=SEARCH_NICE)


def make_human_pools(settings: Settings) -> dict[str, Pool]:
    """The pools of the games that have a human model, for reviews."""
    return {
        game: Pool(game, engines=_ENGINES, cores=settings.cores, human=human, nice=SEARCH_NICE)
        for game, human in settings.humans.items()
    }


def make_network_pool(settings: Settings, game: str, network: Path) -> Pool:
    """The pool of a game and a network; the file travels to the nodes of a cluster."""
    address = ray_address(settings.cluster)
    if address is None:
        return Pool(game, engines=_ENGINES, cores=settings.cores, network=network, nice=SEARCH_NICE)
    from kibitz.server.remote_pool import RemotePool

    return RemotePool(game, address=address, network=network, nice=SEARCH_NICE)
