"""Who may do what in a room. This is the only place that decides it. The hub asks with the room's lock held:
what was true when a message arrived may not be true any more.

SECURITY.md lists the rights of the whole server.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from kibitz.errors import BadRequest
from kibitz.server.rooms.record import Room


class Right(Enum):
    """Whose an action is."""

    VISITOR = "anybody in the room who has no seat"
    PLAYER = "anybody in the room who has a seat"
    SEAT = "the person at that seat"
    SERVER = "the server itself"


#: By kind of action. The server may do everything: it plays for the engines.
RIGHTS: Mapping[str, Right] = {
    "sit": Right.VISITOR,
    "engine": Right.PLAYER,
    "dismiss": Right.PLAYER,
    "leave": Right.SEAT,
    "layout": Right.SEAT,
    "ready": Right.SEAT,
    "move": Right.SEAT,
    "resign": Right.SEAT,
    "draw": Right.SEAT,
    "undo": Right.SEAT,
    "accept": Right.SEAT,
    "decline": Right.SEAT,
    "mark": Right.SEAT,
    "agree": Right.SEAT,
    "resume": Right.SEAT,
    "rematch": Right.SEAT,
    "say": Right.SEAT,
    "propose": Right.SERVER,
    "next": Right.SERVER,
    "tick": Right.SERVER,
    "away": Right.SERVER,
}


def check_right(room: Room, token: str, seat: str, kind: str) -> None:
    """BadRequest unless the one whose secret has the hash `token` may do something at a seat."""
    own, right = room.seat_of(token), RIGHTS[kind]
    if right is Right.VISITOR:
        allowed, reason = own is None, "you sit already"
    elif right is Right.PLAYER:
        allowed, reason = own is not None, "take a seat first"
    else:
        allowed, reason = right is Right.SEAT and own == seat, "take a seat first"
    if not allowed:
        raise BadRequest(reason)
