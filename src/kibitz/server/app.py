"""The FastAPI app.

>>> from kibitz.server.app import create_app
>>> create_app().title
'Kibitz'
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from importlib import import_module

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware

from kibitz.games import registry
from kibitz.pool import Pool
from kibitz.server import (
    accounts,
    analyses,
    cluster,
    counting,
    deck,
    editing,
    extras,
    health,
    levels,
    networks,
    positions,
    records,
    reviews,
    runs,
    starts,
    tables,
)
from kibitz.server.connections import AcceptErrors
from kibitz.server.errors import answer_error
from kibitz.server.memory import give_back_forever
from kibitz.server.metrics import Metrics, serve_metrics
from kibitz.server.page_files import PageFiles
from kibitz.server.pools import make_human_pools, make_network_pool, make_pool
from kibitz.server.rooms import routes as rooms
from kibitz.server.rooms.hub import Hub
from kibitz.server.saved import routes as saved
from kibitz.server.security import Gate, Rates
from kibitz.server.settings import Settings, is_loopback
from kibitz.server.store.database import Database, default_url


def create_app(settings: Settings | None = None) -> FastAPI:
    """The app; the token and the limits are the settings'."""
    settings = settings or Settings()
    metrics = Metrics()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        asyncio.get_running_loop().set_exception_handler(AcceptErrors())
        database = Database(settings.database or default_url())
        database.migrate()
        app.state.database = database
        app.state.accounts.open(database)
        with make_pool(settings) as pool:
            app.state.pool = pool
            app.state.rooms = Hub(database, pool)
            app.state.networks = networks.NetworkPools(partial(make_network_pool, settings))
            app.state.public_networks = networks.PublicNetworks(settings, pool)
            app.state.tables = tables.Tables(settings.syzygy)
            app.state.runs = runs.Runs(settings.runs)
            app.state.cluster = cluster.ClusterWatch(settings.cluster, settings.runs, pool)
            app.state.reviews = reviews.Reviews(database, pool, settings.limits, make_human_pools(settings))
            await app.state.rooms.start()
            await app.state.reviews.start()
            _add_gauges(metrics, pool, app.state.rooms)
            giving = asyncio.create_task(give_back_forever())
            reporting = settings.metrics_port and await serve_metrics(metrics, settings.metrics_port)
            yield
            giving.cancel()
            if reporting:
                reporting.close()
            await app.state.reviews.stop()
            await app.state.rooms.stop()
            app.state.networks.close()
            app.state.tables.close()
        database.close()

    # FastAPI's own /docs loads scripts from elsewhere; the page has one of its own.
    app = FastAPI(title="Kibitz", version="1", lifespan=lifespan, docs_url=None, redoc_url=None)
    app.state.settings = settings
    app.state.accounts = accounts.Accounts()
    app.state.pace = analyses.Pace()
    limits = settings.limits
    app.state.room_rates = Rates(limits.new_rooms, limits.new_rooms_burst)
    app.state.saved_rates = Rates(limits.saved_bytes, limits.saved_bytes_burst)
    for kind in (HTTPException, RequestValidationError):  # to which FastAPI has answers of its own
        app.add_exception_handler(kind, answer_error)
    plain = (
        positions,
        counting,
        editing,
        starts,
        extras,
        records,
        levels,
        saved,
        accounts,
        networks,
        runs,
        cluster,
        tables,
        reviews,
        deck,
    )
    pages = [registry.page_of(game) for game in registry.BUILT_IN]
    own = [import_module(page.requests) for page in pages if page.requests]
    for part in (*plain, analyses, rooms, health, *own):
        app.include_router(part.router)
    if not is_loopback(settings.host):  # nothing is gained on one's own machine
        app.add_middleware(GZipMiddleware, minimum_size=1000, compresslevel=3)
    app.add_middleware(PageFiles)
    app.add_middleware(Gate, settings=settings, metrics=metrics, account_owner=app.state.accounts.owner_in)
    return app


def _add_gauges(metrics: Metrics, pool: Pool, hub: Hub) -> None:
    metrics.gauge("kibitz_searches_running", "Searches under way.", lambda: pool.running)
    metrics.gauge("kibitz_searches_waiting", "Searches that wait for an engine.", lambda: pool.waiting)
    metrics.gauge("kibitz_rooms", "Rooms in use.", lambda: hub.in_use[0])
    metrics.gauge("kibitz_room_clients", "Connections to rooms.", lambda: hub.in_use[1])
    metrics.gauge("kibitz_problems", "Problems on /health.", lambda: len(hub.problems()))
