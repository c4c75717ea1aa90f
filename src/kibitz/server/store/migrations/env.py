"""Run by Alembic; the connection comes from `Database.migrate`."""

from alembic import context

from kibitz.server.store.models import Base

context.configure(connection=context.config.attributes["connection"], target_metadata=Base.metadata)
with context.begin_transaction():
    context.run_migrations()
