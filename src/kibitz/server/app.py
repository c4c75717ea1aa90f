"""The FastAPI app.

>>> from kibitz.server.app import create_app
>>> create_app().title
'Kibitz'
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from starlette.middleware.gzip import GZipMiddleware

from kibitz.errors import KibitzError
from kibitz.pool import Pool
from kibitz.server import (
    analyses,
    beliefs,
    levels,
    networks,
    positions,
    records,
    runs,
    starts,
    studies,
    styles,
    tables,
)
from kibitz.server.page_files import PageFiles
from kibitz.server.rooms import routes as rooms
from kibitz.server.rooms.hub import Hub
from kibitz.server.security import Gate, Rates
from kibitz.server.settings import Settings, is_loopback
from kibitz.server.store import Database, default_url

__all__ = ["create_app"]

#: Searches stand back for answers to requests. The weights of their threads add up: 20 of them at 10 would
#: have more than half of two cores.
SEARCH_NICE = 19


def create_app(settings: Settings | None = None) -> FastAPI:
    """The app; the token and the limits are the settings'."""
    settings = settings or Settings()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        database = Database(settings.database or default_url())
        database.migrate()
        app.state.database = database
        with Pool(engines=settings.engines, cores=settings.cores, nice=SEARCH_NICE) as pool:
            app.state.pool = pool
            app.state.rooms = Hub(database, pool)
            app.state.networks = networks.NetworkPools(settings.cores, SEARCH_NICE)
            app.state.tables = tables.Tables(settings.syzygy)
            app.state.runs = runs.Runs(settings.runs)
            await app.state.rooms.start()
            yield
            await app.state.rooms.stop()
            app.state.networks.close()
            app.state.tables.close()
        database.close()

    # FastAPI's own /docs loads scripts from elsewhere; the page has one of its own.
    app = FastAPI(title="Kibitz", version="1", lifespan=lifespan, docs_url=None, redoc_url=None)
    app.state.settings = settings
    app.state.room_rates = Rates(settings.limits.new_rooms, settings.limits.new_rooms_burst)
    app.add_exception_handler(KibitzError, _refused)
    app.add_exception_handler(studies.NotThere, studies.not_there)
    plain = (positions, starts, styles, records, levels, beliefs, studies, networks, runs, tables)
    for part in (*plain, analyses, rooms):
        app.include_router(part.router)
    if not is_loopback(settings.host):  # nothing is gained on one's own machine
        app.add_middleware(GZipMiddleware, minimum_size=1000, compresslevel=3)
    app.add_middleware(PageFiles)
    app.add_middleware(Gate, settings=settings)
    return app


async def _refused(request: Request, error: Exception) -> JSONResponse:
    """What the client got wrong, in one line."""
    return JSONResponse({"error": str(error)}, status_code=422)
