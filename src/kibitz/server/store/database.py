"""Opening the database: an SQLite file by default, PostgreSQL by its URL.

>>> Database("sqlite://").url
'sqlite://'
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, create_engine, event, inspect, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError
from sqlalchemy.orm import Session
from sqlalchemy.pool import StaticPool

from kibitz.errors import BadOption
from kibitz.files.folders import data_folder

_MIGRATIONS = Path(__file__).with_name("migrations")
#: The lock of PostgreSQL that who migrates holds; a number of our own.
_MIGRATING = 4_201_402
#: PostgreSQL by the driver of the extra `postgres`.
_DRIVERS = {"postgresql": "postgresql+psycopg", "postgres": "postgresql+psycopg"}
#: How long both ends wait for each other. A network that was cut says nothing: without these a server would
#: wait for a quarter of an hour, and the database would keep the locks of one that is gone for two hours.
_ENDS = {"tcp_user_timeout": 4000, "keepalives_idle": 3, "keepalives_interval": 1, "keepalives_count": 3}
_OTHER_END = {
    "tcp_user_timeout": "4s",
    "tcp_keepalives_idle": "3s",
    "tcp_keepalives_interval": "1s",
    "tcp_keepalives_count": 3,
    "idle_in_transaction_session_timeout": "60s",
    "lock_timeout": "5s",
}
_PATIENCE: dict[str, Any] = {
    "connect_timeout": 5,
    **_ENDS,
    "options": " ".join(f"-c {name}={value}" for name, value in _OTHER_END.items()),
}


def default_url() -> str:
    """An SQLite file in the user's data folder."""
    folder = data_folder()
    folder.mkdir(parents=True, exist_ok=True)
    return f"sqlite:///{folder / 'kibitz.db'}"


class Database:
    """A database whose tables are current. Threads: sessions may be opened in any, each stays in its own."""

    def __init__(self, url: str) -> None:
        self.url = url
        #: PostgreSQL's settings of a connection, for who opens one of their own.
        self.patience: dict[str, Any] = {}
        try:
            parsed = make_url(url)
            parsed = parsed.set(drivername=_DRIVERS.get(parsed.drivername, parsed.drivername))
            memory = parsed.drivername == "sqlite" and not parsed.database
            more: dict[str, Any] = {"pool_pre_ping": True}
            if parsed.drivername == _DRIVERS["postgresql"]:
                more["connect_args"] = self.patience = {
                    name: value for name, value in _PATIENCE.items() if name not in parsed.query
                }
            if memory:  # one connection is the database, for all threads
                more = {"poolclass": StaticPool, "connect_args": {"check_same_thread": False}}
            self.engine: Engine = create_engine(parsed, **more)
        except (ArgumentError, NoSuchModuleError, ModuleNotFoundError) as error:
            raise BadOption(f"--database: {error}; expected sqlite:///FILE or postgresql://...") from None
        if self.engine.dialect.name == "sqlite":
            event.listen(self.engine, "connect", _set_up_sqlite)

    def migrate(self, revision: str = "head") -> None:
        """Brings the tables up to date, or to an older revision that a test begins with."""
        try:
            if revision == "head" and self._revision() == newest_revision():
                return
        except SQLAlchemyError as error:
            raise _cannot_open(error) from None
        from alembic import command  # slow to import, and most starts find current tables
        from alembic.config import Config

        config = Config()
        config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
        try:
            with self.engine.begin() as connection:
                if self.engine.dialect.name == "postgresql":  # several servers may start at once
                    connection.execute(text("SET LOCAL lock_timeout = 0"))
                    connection.execute(text(f"SELECT pg_advisory_xact_lock({_MIGRATING})"))
                config.attributes["connection"] = connection
                command.upgrade(config, revision)
        except SQLAlchemyError as error:
            raise _cannot_open(error) from None

    def _revision(self) -> str | None:
        """The revision of the tables; None where there are none."""
        with self.engine.connect() as connection:
            if not inspect(connection).has_table("alembic_version"):
                return None
            return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()

    @contextmanager
    def session(self) -> Iterator[Session]:
        """A session whose changes are written when the block ends, or not at all."""
        with Session(self.engine) as session, session.begin():
            yield session

    def close(self) -> None:
        self.engine.dispose()


def newest_revision() -> str:
    """The revision of current tables: files of migrations are named by theirs."""
    return max(path.name for path in (_MIGRATIONS / "versions").glob("[0-9]*.py")).partition("_")[0]


def _cannot_open(error: SQLAlchemyError) -> BadOption:
    reason = str(getattr(error, "orig", None) or error).splitlines()[0]
    return BadOption(f"--database: cannot open it: {reason}")


def _set_up_sqlite(connection: Any, _: Any) -> None:
    """Readers do not wait for a writer, and what was written survives a crash."""
    cursor = connection.cursor()
    for setting in ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=5000", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {setting}")
    cursor.close()
