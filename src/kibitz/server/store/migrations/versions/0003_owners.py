"""Owners of studies, and how many people are in a room."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("studies", sa.Column("owner", sa.String(64), nullable=False, server_default=""))
    op.create_index("studies_by_owner", "studies", ["owner", "updated"])
    # Of rooms that are there already it is not known, so they do not give way.
    op.add_column("rooms", sa.Column("people", sa.Integer(), nullable=False, server_default="1"))
    op.create_index("rooms_by_people", "rooms", ["people", "updated"])


def downgrade() -> None:
    op.drop_index("rooms_by_people", "rooms")
    op.drop_column("rooms", "people")
    op.drop_index("studies_by_owner", "studies")
    op.drop_column("studies", "owner")
