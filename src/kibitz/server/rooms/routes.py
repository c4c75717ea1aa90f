"""The way in: opening a room, connecting to it, and layouts of Junqi."""

from __future__ import annotations

import base64
import secrets
from typing import Annotated, Literal

from fastapi import APIRouter, Request, WebSocket
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field

from kibitz.errors import BadRequest
from kibitz.games.junqi import layouts
from kibitz.games.junqi.records import dump_jql, parse_jql
from kibitz.server.rooms.client import NOT_HERE, Client
from kibitz.server.rooms.hub import Hub
from kibitz.server.rooms.settings import OpenRoom, RoomSettings
from kibitz.server.security import Rates
from kibitz.server.settings import Limits
from kibitz.server.wire import bytes_of

__all__ = ["router"]

router = APIRouter(prefix="/api", tags=["rooms"])


class Opened(BaseModel):
    """A new room."""

    id: str


@router.post("/rooms", status_code=201, responses={429: {"description": "too many rooms of one address"}})
async def open_room(wanted: OpenRoom, request: Request) -> Opened:
    """Opens a room. Who has its name may watch and take an empty seat."""
    rates: Rates = request.app.state.room_rates
    if not rates.take(request.client.host if request.client else ""):
        return JSONResponse({"error": "too many new rooms; try again later"}, 429)  # type: ignore[return-value]
    hub: Hub = request.app.state.rooms
    return Opened(id=await hub.open(RoomSettings.of(wanted)))


@router.websocket("/rooms/{name}")
async def connect(socket: WebSocket, name: str) -> None:
    """A room's traffic (`client.py`)."""
    state = socket.app.state
    hub: Hub = state.rooms
    limits: Limits = state.settings.limits
    await socket.accept()
    live = await hub.room(name) if len(name) <= 32 else None
    if live is None or len(live.clients) >= limits.room_connections:
        await socket.close(NOT_HERE)
        return
    await Client(hub, live, socket, limits).serve()


class LayoutQuery(BaseModel):
    """A layout as text, by name or as a .jql file, and what is to be done with it."""

    model_config = ConfigDict(extra="forbid")

    act: Literal["check", "mirror", "random"] = "check"
    layout: Annotated[str, Field(max_length=60)] = ""
    #: The bytes of a .jql file in base64.
    data: Annotated[str, Field(max_length=200)] = ""


class LayoutAnswer(BaseModel):
    """A layout, what is wrong with it, and as a .jql file in base64 when nothing is."""

    layout: str
    faults: list[str]
    jql: str


@router.get("/layouts", tags=["junqi"])
def named_layouts() -> dict[str, str]:
    """Layouts by name."""
    return dict(layouts.NAMED)


@router.post("/layout", tags=["junqi"])
def layout(query: LayoutQuery) -> LayoutAnswer:
    """Checks a layout, mirrors it, makes a random one, reads a .jql file."""
    if query.act == "random":
        text = layouts.random_layout(secrets.randbits(60))
    elif query.data:
        text = parse_jql(bytes_of(query.data))
    elif query.layout:
        text = layouts.NAMED.get(query.layout, query.layout)
    else:
        raise BadRequest("either layout or data is needed")
    if query.act == "mirror":
        text = layouts.mirrored(text)
    faults = list(layouts.faults(text))
    return LayoutAnswer(
        layout=text, faults=faults, jql="" if faults else base64.b64encode(dump_jql(text)).decode()
    )
