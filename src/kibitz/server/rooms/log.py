"""Rooms in the database: opening, reading, and adding actions, one after another by whoever is first.

Every call blocks; the hub runs them in threads of its own.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from sqlalchemy import Connection, bindparam, delete, func, or_, select, text, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from kibitz.errors import BadRequest
from kibitz.sentences import Sentence
from kibitz.server.rooms.record import Action, Room
from kibitz.server.rooms.settings import RoomSettings
from kibitz.server.store.database import Database
from kibitz.server.store.models import Heartbeat, RoomAction, RoomRow

#: Rooms that are kept. When there are more, the oldest go that have no people and no game under way; then
#: those that are over or never began and that nobody used for a week.
MOST_ROOMS = 5000
#: Rooms that go at once.
_MOST_CLEANED = 50
_WEEK = 7 * 86400.0
#: Rooms that one look for work takes on.
_AT_ONCE = 50
#: A room in which nothing has happened is listed so long; so many are looked at.
_LISTED_FOR, _LOOKED_AT = 3600.0, 500
#: The channel of PostgreSQL's NOTIFY; a message is a room and the number of its last action.
CHANNEL = "kibitz_rooms"


_ROOMS, _ACTIONS = RoomRow.metadata.tables["rooms"], RoomAction.metadata.tables[RoomAction.__tablename__]
#: Counts one more action of a room, if it is the next one.
_COUNT = (
    _ROOMS.update()
    .where(_ROOMS.c.id == bindparam("in_room"), _ROOMS.c.actions == bindparam("known"))
    .values({name: bindparam(name) for name in ("actions", "updated", "phase", "due", "people")})
)
_NOTIFY = text("SELECT pg_notify(:channel, :message)")


class RoomLog:
    """The rooms of a database."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._notifies = database.engine.dialect.name == "postgresql"

    def open(self, settings: RoomSettings, now: float) -> str:
        """Keeps a new room; its name, which is the secret of its link."""
        name = secrets.token_urlsafe(12)
        with self._database.session() as session:
            if (session.scalar(select(func.count()).select_from(RoomRow)) or 0) >= MOST_ROOMS:
                self._clean(session, now)
            row = RoomRow(
                id=name,
                settings=settings.model_dump_json(exclude_none=True),
                actions=0,
                phase="set-up",
                clocked=settings.clock is not None,
                due=None,
                updated=now,
                people=0,
            )
            session.add(row)
        return name

    def _clean(self, session: Session, now: float) -> None:
        oldest = (
            select(RoomRow.id).order_by(RoomRow.updated).limit(max(1, min(_MOST_CLEANED, MOST_ROOMS // 50)))
        )
        old = list(session.scalars(oldest.where(RoomRow.people == 0, RoomRow.phase != "playing")))
        if not old:
            idle = or_(RoomRow.phase != "playing", RoomRow.updated < now - 13 * _WEEK)
            old = list(session.scalars(oldest.where(RoomRow.updated < now - _WEEK, idle)))
        if not old:
            raise BadRequest(Sentence("error.roomsFull", {"most": MOST_ROOMS}))
        session.execute(delete(RoomAction).where(RoomAction.room_id.in_(old)))
        session.execute(delete(RoomRow).where(RoomRow.id.in_(old)))

    def load(self, name: str) -> Room | None:
        """A room with all its actions; None when there is none of that name."""
        with self._database.session() as session:
            row = session.get(RoomRow, name)
            if row is None:
                return None
            settings = RoomSettings.model_validate_json(row.settings)
        return Room(name, settings, self.since(name, 0))

    def listed(self, now: float) -> Sequence[str]:
        """Rooms that are to be found and wait for players, the latest first."""
        waiting = select(RoomRow.id, RoomRow.settings).where(
            RoomRow.phase == "set-up", RoomRow.people > 0, RoomRow.updated > now - _LISTED_FOR
        )
        with self._database.session() as session:
            rows = session.execute(waiting.order_by(RoomRow.updated.desc()).limit(_LOOKED_AT))
            found = [row.id for row in rows if RoomSettings.model_validate_json(row.settings).listed]
        return found[:_AT_ONCE]

    def since(self, name: str, number: int) -> list[Action]:
        """The actions of a room that came after one."""
        wanted = select(RoomAction).where(RoomAction.room_id == name, RoomAction.number > number)
        with self._database.session() as session:
            rows = session.scalars(wanted.order_by(RoomAction.number))
            return [Action(row.number, row.at, row.seat, row.kind, row.text) for row in rows]

    def append(self, entries: Sequence[tuple[Room, Action]], patience: float) -> list[bool]:
        """Writes actions that their rooms have just taken, in one transaction; for each false when another
        came first. When it returns, those that are true have reached the disk."""
        # Parameters of statements that are made once: the ORM took five times as long.
        try:
            with self._database.engine.begin() as connection:
                return [self._write(connection, room, action, patience) for room, action in entries]
        except IntegrityError:
            if len(entries) == 1:
                return [False]
            return [written for entry in entries for written in self.append([entry], patience)]

    def _write(self, connection: Connection, room: Room, action: Action, patience: float) -> bool:
        standing = {
            "in_room": room.name,
            "known": action.number - 1,
            "actions": action.number,
            "updated": action.at,
            "phase": room.table.phase,
            "due": room.due(patience),
            "people": sum(bool(seat.token) for seat in room.seats.values()),
        }
        if not connection.execute(_COUNT, standing).rowcount:
            return False
        connection.execute(_ACTIONS.insert(), {"room_id": room.name, **vars(action)})
        if self._notifies:  # sent with the transaction, and only then
            connection.execute(_NOTIFY, {"channel": CHANNEL, "message": f"{room.name} {action.number}"})
        return True

    # -- rooms that need the server ---------------------------------------------------------------

    def due(self, now: float) -> Sequence[str]:
        """Rooms in which the server has something to do."""
        wanted = select(RoomRow.id).where(RoomRow.due <= now).order_by(RoomRow.due).limit(_AT_ONCE)
        with self._database.session() as session:
            return list(session.scalars(wanted))

    def claim(self, name: str, now: float, due: float | None) -> bool:
        """Takes on what is due in a room, until it is due again; false when another process has done so."""
        mine = update(RoomRow).where(RoomRow.id == name, RoomRow.due <= now).values(due=due)
        with self._database.session() as session:
            return bool(session.execute(mine).rowcount)  # type: ignore[attr-defined]

    def take_over(self, now: float) -> None:
        """What another process had taken on is due again; for a database that only one process uses."""
        with self._database.session() as session:
            session.execute(update(RoomRow).where(RoomRow.due.is_not(None)).values(due=now))

    def lapse(self, now: float, longest: float) -> tuple[float, Sequence[str]]:
        """Since when no server was there, if that is longer than `longest`, and the rooms whose clocks should
        not have run."""
        with self._database.session() as session:
            last = session.get(Heartbeat, 1)
            if last is None or now - last.at <= longest:
                return now, []
            running = select(RoomRow.id).where(RoomRow.phase == "playing", RoomRow.clocked)
            return last.at, list(session.scalars(running.where(RoomRow.updated < now - longest)))

    def beat(self, now: float) -> None:
        """Says that a server is there, while any clock runs."""
        running = select(RoomRow.id).where(RoomRow.phase == "playing", RoomRow.clocked).limit(1)
        try:
            with self._database.session() as session:
                if session.scalar(running) is None:
                    return
                last = session.get(Heartbeat, 1)
                if last is None:
                    session.add(Heartbeat(id=1, at=now))
                else:
                    last.at = max(last.at, now)
        except IntegrityError:
            pass  # another process wrote the first one
