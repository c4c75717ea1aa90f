"""What each seat, and each watcher, gets of a room: its view and nothing else.

Everything that leaves a room is made here. Of a game that hides something only `table.shown(seat)` and
`table.layout(seat)` are looked at, for the seat that gets it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from kibitz.games.table import Table
from kibitz.server.positions import Names, board_of
from kibitz.server.rooms.record import Room
from kibitz.server.rooms.settings import AnyTable

#: Who a view is for: the seat (None watches), the side that is drawn below, the names on pieces, the set.
Watcher = tuple[str | None, str, Names, str]


class Views:
    """Messages about a room; the boards are drawn once for all who see the same."""

    def __init__(self) -> None:
        self._number = -1
        self._boards: dict[Watcher, str] = {}

    def message(self, room: Room, watcher: Watcher, online: Mapping[str, bool | None]) -> str:
        """The room as text, for one who watches or plays. `online` says of each seat whether somebody is
        connected for it, None where that is not known."""
        facts = json.dumps(_facts(room, watcher[0], online), separators=(",", ":"))
        return f'{facts[:-1]},"board":{self._board(room, watcher)}}}'

    def _board(self, room: Room, watcher: Watcher) -> str:
        if room.number != self._number:
            self._number = room.number
            self._boards.clear()
        if not room.hides:  # all see the same board, drawn with the first side below unless one asks
            seat, below, names, pieces = watcher
            below = below or seat or ""
            watcher = None, "" if below == next(iter(room.seats)) else below, names, pieces
        if watcher not in self._boards:
            self._boards[watcher] = _board(room, watcher)
        return self._boards[watcher]


def _board(room: Room, watcher: Watcher) -> str:
    seat, below, names, pieces = watcher
    shown = room.table.shown(seat)
    if shown is None:
        return "null"
    board = board_of(shown, below or seat or "", names=names, pieces=pieces)
    if room.table.phase != "playing":
        board.legalMoves, board.moveNames = [], {}
    return board.model_dump_json(exclude={"record"})


def _count(table: AnyTable) -> dict[str, Any] | None:
    """The score as it is marked, and who agrees."""
    if not isinstance(table, Table) or table.phase != "counting":
        return None
    count = table.count()
    return None if count is None else {**count.to_dict(), "agreed": sorted(table.agreed)}


def summary(room: Room) -> dict[str, Any]:
    """What a list shows of a room, as one who watches may know it."""
    shown = room.table.shown(None)
    return {
        "id": room.name,
        "game": room.settings.game,
        "phase": room.table.phase,
        "players": {name: one.name for name, one in room.seats.items()},
        "levels": {name: one.level for name, one in room.seats.items()},
        "result": room.table.result,
        "svg": "" if shown is None else board_of(shown).svg,
    }


def _facts(room: Room, seat: str | None, online: Mapping[str, bool | None]) -> dict[str, Any]:
    table = room.table
    offer = table.offer
    facts: dict[str, Any] = {
        "type": "room",
        "room": room.name,
        "number": room.number,
        "game": room.settings.game,
        "phase": table.phase,
        "setsUp": table.sets_up,
        "you": seat,
        "mover": table.mover,
        "seats": [
            {
                "seat": name,
                "name": one.name,
                "level": one.level,
                "taken": one.is_taken,
                "ready": name in table.is_ready,
                "playing": table.in_game(name),
                "online": online[name] if one.token else None,
            }
            for name, one in room.seats.items()
        ],
        "offer": offer and {"kind": offer.kind, "seat": offer.seat, "agreed": sorted(offer.agreed)},
        "clocks": {name: round(left, 2) for name, left in table.clocks().items()},
        "increment": table.clock.increment if table.clock else 0,
        "count": _count(table),
        "talk": [{"seat": seat, "name": name, "text": text} for seat, name, text in room.talk],
        "rematch": sorted(room.rematch),
        "next": room.next,
        "result": table.result,
        "ending": table.ending,
        # What was played: where something is hidden, only once it is over.
        "record": None,
        "layout": None,
    }
    if table.phase == "over" or (table.phase != "set-up" and not room.hides):
        whole = table.shown(None)
        assert whole is not None
        facts["record"] = whole.open_dict()
    if seat is not None and table.phase == "set-up":
        facts["layout"] = table.layout(seat)
    return facts
