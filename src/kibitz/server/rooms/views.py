"""What each seat, and who watches, is told of a room: its view and nothing else.

Everything that leaves a room is made here. Of a game that hides something only `table.shown(seat)` and
`table.layout(seat)` are looked at, for the seat that is told.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from kibitz.games.junqi.table import Table as JunqiTable
from kibitz.server.positions import Names, board_of, open_record
from kibitz.server.rooms.record import Room

__all__ = ["Views", "Watcher"]

#: Who is told: the seat (None watches), the side that is drawn below, the names on pieces.
Watcher = tuple[str | None, str, Names]


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
        if watcher not in self._boards:
            self._boards[watcher] = _board(room, watcher)
        return self._boards[watcher]


def _board(room: Room, watcher: Watcher) -> str:
    seat, below, names = watcher
    shown = room.table.shown(seat)
    if shown is None:
        return "null"
    board = board_of(shown, below or seat or "", names=names)
    if room.table.phase != "playing":
        board.legalMoves, board.moveNames = [], {}
    return board.model_dump_json(exclude={"record"})


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
        "result": table.result,
        "ending": table.ending,
        # What was played, with all that was hidden: only once it is over.
        "record": None,
        "layout": None,
    }
    if table.phase == "over":
        whole = table.shown(None)
        assert whole is not None
        facts["record"] = open_record(whole)
    if isinstance(table, JunqiTable) and seat is not None and table.phase == "set-up":
        facts["layout"] = table.layout(seat)
    return facts
