"""What the server keeps: a database by SQLAlchemy, its tables by migrations."""

from kibitz.server.store.database import Database, default_url
from kibitz.server.store.models import Base, Beat, RoomAction, RoomRow, Study

__all__ = ["Base", "Beat", "Database", "RoomAction", "RoomRow", "Study", "default_url"]
