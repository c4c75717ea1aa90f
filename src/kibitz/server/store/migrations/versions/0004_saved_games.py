"""Saved games in place of studies: a tree of nodes with names instead of a nested one."""

import json
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def node_id(parent: str, move: str) -> str:
    """As the page names nodes (`page/saved.js`)."""
    found = ""
    for prefix in ("1", "2"):
        value = 0x811C9DC5
        for letter in f"{prefix}{parent} {move}":
            value = ((value ^ ord(letter)) * 0x01000193) & 0xFFFFFFFF
        found += f"{value:08x}"
    return found


def converted(game: str, title: str, tree: dict[str, Any]) -> tuple[dict[str, Any], int]:
    """The document of a study, and the moves of its main line."""
    document: dict[str, Any] = {
        "format": 1,
        "game": game,
        "title": title,
        "start": tree.get("start") or {},
        "nodes": [],
    }
    document |= {name: tree[name] for name in ("below", "style") if tree.get(name)}
    waiting: list[tuple[dict[str, Any], str, str | None, bool]] = [(tree.get("root") or {}, "", None, True)]
    length = -1
    while waiting:
        old, name, parent, main = waiting.pop()
        length += main
        node = {"id": name} if parent is None else {"id": name, "parent": parent, "move": old.get("move", "")}
        node |= {key: old[key] for key in ("name", "comment", "steering") if old.get(key)}
        document["nodes"].append(node)
        children = old.get("children") or []
        for number, child in reversed(list(enumerate(children))):
            waiting.append((child, node_id(name, child.get("move", "")), name, main and number == 0))
    return document, max(length, 0)


def upgrade() -> None:
    games = op.create_table(
        "saved_games",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("game", sa.String(20), nullable=False),
        sa.Column("title", sa.String(200), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.Column("summary", sa.Text(), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated", sa.DateTime(timezone=True), nullable=False),
        sa.Column("deleted", sa.DateTime(timezone=True), nullable=True),
        sa.Column("owner", sa.String(64), nullable=False, server_default=""),
    )
    op.create_index("saved_games_by_change", "saved_games", ["updated"])
    op.create_index("saved_games_by_owner", "saved_games", ["owner", "updated"])
    op.create_index("saved_games_by_deletion", "saved_games", ["deleted"])
    studies = sa.table(
        "studies",
        *(sa.column(name, sa.String()) for name in ("id", "game", "title", "tree", "owner")),
        *(sa.column(name, sa.DateTime(timezone=True)) for name in ("created", "updated")),
    )
    for row in op.get_bind().execute(sa.select(studies)).mappings().all():
        document, moves = converted(row["game"], row["title"], json.loads(row["tree"]))
        summary: dict[str, Any] = {"players": {}, "result": None, "score": "", "moves": moves}
        kept = {name: row[name] for name in ("id", "game", "title", "created", "updated", "owner")}
        text = json.dumps(document, separators=(",", ":"), ensure_ascii=False)
        op.get_bind().execute(
            games.insert().values(**kept, version=1, document=text, summary=json.dumps(summary))
        )
    op.drop_table("studies")


def downgrade() -> None:
    raise NotImplementedError("studies had neither names of players nor analyses")
