"""The way in: opening a room and connecting to it."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Request, WebSocket
from pydantic import BaseModel, Field

from kibitz.sentences import Sentence
from kibitz.server.errors import NotThere, TooMuch
from kibitz.server.identity import quota_keys
from kibitz.server.positions import Record
from kibitz.server.rooms.client import NOT_HERE, Client
from kibitz.server.rooms.hub import Hub
from kibitz.server.rooms.settings import Clock, OpenRoom, RoomSettings
from kibitz.server.rooms.views import summary
from kibitz.server.security import Rates
from kibitz.server.settings import Limits

router = APIRouter(prefix="/api", tags=["rooms"])


class Opened(BaseModel):
    """A new room."""

    id: str


@router.post("/rooms", status_code=201, responses={429: {"description": "too many of one client"}})
async def open_room(wanted: OpenRoom, request: Request) -> Opened:
    """Opens a room. Who has its name may watch and take an empty seat."""
    rates: Rates = request.app.state.room_rates
    if not rates.take(*quota_keys(request)):
        raise TooMuch(Sentence("error.roomsMany"))
    hub: Hub = request.app.state.rooms
    return Opened(id=await hub.open(RoomSettings.of(wanted)))


class RoomSummary(BaseModel):
    """A room in a list: its players, and the board as one who watches sees it."""

    id: str
    game: str
    phase: str
    players: dict[str, str]
    levels: dict[str, str]
    result: float | None
    svg: str


@router.get("/rooms/{room_id}", responses={404: {"description": "no such room"}})
async def look(room_id: Annotated[str, Field(max_length=32)], request: Request) -> RoomSummary:
    """A room as a list shows it."""
    hub: Hub = request.app.state.rooms
    live = await hub.room(room_id)
    if live is None:
        raise NotThere(Sentence("error.noSuchRoom"))
    return RoomSummary(**summary(live.room))


class ListedSeat(BaseModel):
    """A seat of a room that is listed; `name` is empty where nobody sits."""

    seat: str
    name: str
    level: str


class ListedRoom(BaseModel):
    """A room whose people want to be found."""

    id: str
    game: str
    seats: list[ListedSeat]
    clock: Clock | None
    #: Of a game that hides nothing: size, rules and the like of its start.
    start: Record | None


@router.get("/rooms")
async def listed_rooms(request: Request) -> list[ListedRoom]:
    """Rooms that wait for players and were opened to be found."""
    hub: Hub = request.app.state.rooms
    return [
        ListedRoom(
            id=room.name,
            game=room.settings.game,
            seats=[ListedSeat(seat=name, name=one.name, level=one.level) for name, one in room.seats.items()],
            clock=room.settings.clock,
            start=room.settings.start,
        )
        for room in await hub.listed()
    ]


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
