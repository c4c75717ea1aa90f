"""Rooms."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "rooms",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("settings", sa.Text(), nullable=False),
        sa.Column("actions", sa.Integer(), nullable=False),
        sa.Column("phase", sa.String(10), nullable=False),
        sa.Column("clocked", sa.Boolean(), nullable=False),
        sa.Column("due", sa.Double(), nullable=True),
        sa.Column("updated", sa.Double(), nullable=False),
    )
    op.create_index("rooms_by_due", "rooms", ["due"])
    op.create_index("rooms_by_change", "rooms", ["updated"])
    op.create_table(
        "room_actions",
        sa.Column("room_id", sa.String(32), sa.ForeignKey("rooms.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("number", sa.Integer(), primary_key=True),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("seat", sa.String(10), nullable=False),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
    )
    op.create_table(
        "beats",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("at", sa.Double(), nullable=False),
    )


def downgrade() -> None:
    for table in ("beats", "room_actions", "rooms"):
        op.drop_table(table)
