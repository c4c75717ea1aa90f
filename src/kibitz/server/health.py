"""`/health` and `/ready`, for monitors of the server: no token is needed, and no secret shown.

`/health` is 503 while something does not work and lists what; `/ready` is 503 while requests would fail.
"""

from __future__ import annotations

import asyncio
from typing import Literal

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel
from sqlalchemy import text

from kibitz.server.rooms.hub import Hub
from kibitz.server.store.database import Database

router = APIRouter(tags=["health"])

#: Seconds that the database has for an answer.
_PATIENCE = 3.0


class Health(BaseModel):
    """How the server is."""

    status: Literal["ok", "failing"]
    #: What does not work, a line each.
    problems: list[str]


def _answer(problems: list[str], response: Response) -> Health:
    if problems:
        response.status_code = 503
    return Health(status="failing" if problems else "ok", problems=problems)


@router.get("/health", responses={503: {"model": Health}})
async def health(request: Request, response: Response) -> Health:
    """What does not work at the moment."""
    hub: Hub = request.app.state.rooms
    return _answer(hub.problems(), response)


@router.get("/ready", responses={503: {"model": Health}})
async def ready(request: Request, response: Response) -> Health:
    """Whether requests can be answered: the database is there."""
    database: Database = request.app.state.database
    try:
        await asyncio.wait_for(asyncio.to_thread(_ask, database), _PATIENCE)
    except Exception:  # whatever it is, a request would meet it too
        return _answer(["the database does not answer"], response)
    return _answer([], response)


def _ask(database: Database) -> None:
    with database.engine.connect() as connection:
        connection.execute(text("SELECT 1"))
