"""Saved games for tests."""

from __future__ import annotations

import secrets
from typing import Any


def node_id(parent: str, move: str) -> str:
    """The name of a node: what names them is the same in every page and test (page/saved.js)."""
    found = ""
    for prefix in "12":
        value = 0x811C9DC5
        for letter in f"{prefix}{parent} {move}":
            value = ((value ^ ord(letter)) * 0x01000193) % 2**32
        found += f"{value:08x}"
    return found


def node(parent: str, move: str, **more: Any) -> dict[str, Any]:
    """A node as a page sends it."""
    return {"id": node_id(parent, move), "parent": parent, "move": move, **more}


def line(*moves: str) -> list[dict[str, Any]]:
    """The nodes of moves one after another."""
    nodes, at = [], ""
    for move in moves:
        nodes.append(node(at, move))
        at = nodes[-1]["id"]
    return nodes


def new_game(*moves: str, game: str = "chess", **fields: Any) -> dict[str, Any]:
    """A game that is saved for the first time."""
    return {"id": secrets.token_urlsafe(12), "game": game, "set": fields, "nodes": line(*moves)}
