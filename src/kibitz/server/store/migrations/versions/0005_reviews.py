"""Reviews that survive a restart, and decks of mistakes to practise."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "reviews",
        sa.Column("key", sa.String(64), primary_key=True),
        sa.Column("record", sa.Text(), nullable=False),
        sa.Column("effort", sa.String(20), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("turns", sa.Text(), nullable=False),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("updated", sa.Double(), nullable=False),
    )
    op.create_index("reviews_by_state", "reviews", ["state", "updated"])
    op.create_table(
        "cards",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("owner", sa.String(64), nullable=False),
        sa.Column("game", sa.String(20), nullable=False),
        sa.Column("mistake", sa.Text(), nullable=False),
        sa.Column("box", sa.Integer(), nullable=False),
        sa.Column("due", sa.Double(), nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
    )
    op.create_index("cards_by_owner", "cards", ["owner", "due"])


def downgrade() -> None:
    op.drop_table("cards")
    op.drop_table("reviews")
