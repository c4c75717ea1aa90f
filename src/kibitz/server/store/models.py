"""The tables. A change of them comes with a migration (`migrations/versions`)."""

from __future__ import annotations

import datetime

from sqlalchemy import Boolean, DateTime, Double, ForeignKey, Index, Integer, String, Text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

__all__ = ["Base", "Beat", "RoomAction", "RoomRow", "Study"]


class Base(DeclarativeBase):
    """The base of all tables."""


class Study(Base):
    """A tree of moves with comments and steering, as the page saved it."""

    __tablename__ = "studies"
    __table_args__ = (Index("studies_by_change", "updated"),)

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    game: Mapped[str] = mapped_column(String(20))
    title: Mapped[str] = mapped_column(String(200))
    #: The tree as JSON.
    tree: Mapped[str] = mapped_column(Text)
    created: Mapped[datetime.datetime] = mapped_column(DateTime(timezone=True))
    updated: Mapped[datetime.datetime] = mapped_column(DateTime(timezone=True))


class RoomRow(Base):
    """A room. What happened in it is in `RoomAction`; the rest here follows from that, for who looks for
    rooms that need the server."""

    __tablename__ = "rooms"
    __table_args__ = (Index("rooms_by_due", "due"), Index("rooms_by_change", "updated"))

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    #: What was chosen when it was opened, as JSON.
    settings: Mapped[str] = mapped_column(Text)
    #: How many actions there are: one more is added only by who knows all of them.
    actions: Mapped[int] = mapped_column(Integer)
    phase: Mapped[str] = mapped_column(String(10))
    clocked: Mapped[bool] = mapped_column(Boolean)
    #: When the server has something to do there: a clock runs out, or its own move is not made yet.
    due: Mapped[float | None] = mapped_column(Double, nullable=True)
    updated: Mapped[float] = mapped_column(Double)


class RoomAction(Base):
    """One thing that happened in a room, in seconds since 1970. Never changed."""

    __tablename__ = "room_actions"

    room_id: Mapped[str] = mapped_column(ForeignKey("rooms.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(Integer, primary_key=True)
    at: Mapped[float] = mapped_column(Double)
    seat: Mapped[str] = mapped_column(String(10))
    kind: Mapped[str] = mapped_column(String(10))
    text: Mapped[str] = mapped_column(Text)


class Beat(Base):
    """When a server last said that it was there; one row."""

    __tablename__ = "beats"

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    at: Mapped[float] = mapped_column(Double)
