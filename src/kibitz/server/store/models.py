"""The tables. A change of them comes with a migration (`migrations/versions`)."""

from __future__ import annotations

import datetime

from sqlalchemy import Boolean, DateTime, Double, ForeignKey, Index, Integer, String, Text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class Base(DeclarativeBase):
    """The base of all tables."""


class SavedGame(Base):
    """A game with its tree (docs/saved-games.md)."""

    __tablename__ = "saved_games"
    __table_args__ = (
        Index("saved_games_by_change", "updated"),
        Index("saved_games_by_owner", "owner", "updated"),
        Index("saved_games_by_deletion", "deleted"),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    game: Mapped[str] = mapped_column(String(20))
    title: Mapped[str] = mapped_column(String(200))
    #: Counts the changes: one more is written only by who has read all of them.
    version: Mapped[int] = mapped_column(Integer)
    #: The document, and what a list shows of it, as JSON.
    document: Mapped[str] = mapped_column(Text)
    summary: Mapped[str] = mapped_column(Text)
    created: Mapped[datetime.datetime] = mapped_column(DateTime(timezone=True))
    updated: Mapped[datetime.datetime] = mapped_column(DateTime(timezone=True))
    #: When it was deleted; it can come back for a while.
    deleted: Mapped[datetime.datetime | None] = mapped_column(DateTime(timezone=True), nullable=True)
    #: The hash of its owner's secret; "" for games of versions that had no owners.
    owner: Mapped[str] = mapped_column(String(64), server_default="")


class Account(Base):
    """An owner that other browsers become by a link (`server/accounts.py`)."""

    __tablename__ = "accounts"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    #: The hash of the secret of the browser that it was made in.
    owner: Mapped[str] = mapped_column(String(64), unique=True)
    #: Counts the links; only the last one is good.
    generation: Mapped[int] = mapped_column(Integer)


class LinkKey(Base):
    """What links of accounts are signed with; one row."""

    __tablename__ = "link_keys"

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    key: Mapped[str] = mapped_column(String(64))


class RoomRow(Base):
    """A room. What happened in it is in `RoomAction`; the rest here follows from that, for who looks for
    rooms that need the server."""

    __tablename__ = "rooms"
    __table_args__ = (
        Index("rooms_by_due", "due"),
        Index("rooms_by_change", "updated"),
        Index("rooms_by_people", "people", "updated"),
    )

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
    #: Seats that have a person.
    people: Mapped[int] = mapped_column(Integer, server_default="1")


class RoomAction(Base):
    """One thing that happened in a room, in seconds since 1970. Never changed."""

    __tablename__ = "room_actions"

    room_id: Mapped[str] = mapped_column(ForeignKey("rooms.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(Integer, primary_key=True)
    at: Mapped[float] = mapped_column(Double)
    seat: Mapped[str] = mapped_column(String(10))
    kind: Mapped[str] = mapped_column(String(10))
    text: Mapped[str] = mapped_column(Text)


class Heartbeat(Base):
    """When a server last said that it was there; one row."""

    __tablename__ = "beats"

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    at: Mapped[float] = mapped_column(Double)


class ReviewRow(Base):
    """A review of a game, as far as it has come."""

    __tablename__ = "reviews"
    __table_args__ = (Index("reviews_by_state", "state", "updated"),)

    #: The hash of the game, the effort and the version of the program.
    key: Mapped[str] = mapped_column(String(64), primary_key=True)
    #: The game as JSON, and the effort as it was asked for.
    record: Mapped[str] = mapped_column(Text)
    effort: Mapped[str] = mapped_column(String(20))
    #: Moves that are reviewed; one more is written only by who knows all of them. Each is a line of JSON.
    count: Mapped[int] = mapped_column(Integer)
    turns: Mapped[str] = mapped_column(Text)
    #: `running`, `stopped` or `done`.
    state: Mapped[str] = mapped_column(String(10))
    updated: Mapped[float] = mapped_column(Double)


class Card(Base):
    """A mistake that its owner practises."""

    __tablename__ = "cards"
    __table_args__ = (Index("cards_by_owner", "owner", "due"),)

    #: The hash of owner, position and move.
    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    owner: Mapped[str] = mapped_column(String(64))
    game: Mapped[str] = mapped_column(String(20))
    #: As JSON: the position, what was played and what was better.
    mistake: Mapped[str] = mapped_column(Text)
    #: Of `review/deck.py`, and when it comes again in seconds since 1970.
    box: Mapped[int] = mapped_column(Integer)
    due: Mapped[float] = mapped_column(Double)
    created: Mapped[float] = mapped_column(Double)
