"""The tables. A change of them comes with a migration (`migrations/versions`)."""

from __future__ import annotations

import datetime

from sqlalchemy import DateTime, Index, String, Text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

__all__ = ["Base", "Study"]


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
