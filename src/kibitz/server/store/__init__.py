"""What the server keeps: a database by SQLAlchemy, its tables by migrations."""

from kibitz.server.store.database import Database, default_url
from kibitz.server.store.models import Base, Study

__all__ = ["Base", "Database", "Study", "default_url"]
