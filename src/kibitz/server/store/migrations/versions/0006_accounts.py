"""Accounts by link, and the key that their links are signed with."""

import secrets

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "accounts",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("owner", sa.String(64), nullable=False, unique=True),
        sa.Column("generation", sa.Integer(), nullable=False),
    )
    keys = op.create_table(
        "link_keys",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("key", sa.String(64), nullable=False),
    )
    op.bulk_insert(keys, [{"id": 1, "key": secrets.token_hex(32)}])


def downgrade() -> None:
    op.drop_table("link_keys")
    op.drop_table("accounts")
