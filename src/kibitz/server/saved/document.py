"""The document of a saved game as plain data: its fields and nodes, and changes that are merged into it.

No database and no clock here: what a change makes of a document follows from the two alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from kibitz.errors import BadRequest
from kibitz.sentences import Sentence
from kibitz.server.errors import Conflict

FORMAT = 1
#: Letters of a document, and nodes of one.
MOST_LETTERS = 2**20
MOST_NODES = 6000

NodeId = Annotated[str, Field(max_length=24, pattern="^[0-9a-z]*$")]
_Table = dict[str, Any]


class NodeChange(BaseModel):
    """A new node, or fields of one that have changed; null takes a field away."""

    model_config = ConfigDict(extra="forbid")

    id: NodeId
    parent: NodeId | None = None
    move: Annotated[str | None, Field(max_length=64)] = None
    name: Annotated[str | None, Field(max_length=64)] = None
    order: int | None = None
    comment: Annotated[str | None, Field(max_length=4000)] = None
    nags: Annotated[list[Annotated[int, Field(ge=0, le=255)]] | None, Field(max_length=20)] = None
    marks: _Table | list[Any] | None = None
    steering: _Table | None = None
    seconds: float | None = None
    analysis: _Table | None = None
    review: _Table | None = None


class Fields(BaseModel):
    """Fields of a game that have changed; null takes one away."""

    model_config = ConfigDict(extra="forbid")

    title: Annotated[str | None, Field(max_length=200)] = None
    start: _Table | None = None
    headers: Annotated[
        dict[Annotated[str, Field(max_length=100)], Annotated[str, Field(max_length=4000)]] | None,
        Field(max_length=200),
    ] = None
    at: NodeId | None = None
    below: Annotated[str | None, Field(max_length=10)] = None
    style: _Table | None = None
    opponent: _Table | None = None
    clock: _Table | None = None
    result: _Table | None = None
    review: _Table | None = None


class Change(BaseModel):
    """What a page has changed since a version that it knows."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)

    base: Annotated[int, Field(ge=0)] = 0
    fields: Annotated[Fields, Field(alias="set")] = Fields()
    nodes: Annotated[list[NodeChange], Field(max_length=MOST_NODES)] = []
    removed: Annotated[list[NodeId], Field(max_length=MOST_NODES)] = []


def _set(table: _Table, changed: BaseModel) -> None:
    """Sets what was sent, and takes away what was sent as null."""
    for name, value in changed.model_dump(exclude_unset=True).items():
        if value is None:
            table.pop(name, None)
        else:
            table[name] = value


def apply(document: _Table, version: int, change: Change) -> None:
    """Merges a change into a document, whose next version it makes. `v` of a node is the version that it was
    last changed in: what another page has changed since `change.base` is not removed."""
    _set(document, change.fields)
    nodes: dict[str, _Table] = {node["id"]: node for node in document["nodes"]}
    for name in change.removed:
        gone = _below(nodes, name)
        if name and all(nodes[one].get("v", 0) <= change.base for one in gone):
            for one in gone:
                del nodes[one]
    for sent in change.nodes:
        node = nodes.get(sent.id)
        if node is None:
            if sent.id and (sent.parent not in nodes or not sent.move):
                raise Conflict("a move was sent that follows one that is not there")
            node = nodes[sent.id] = {}
        _set(node, sent)
        node["v"] = version
    if len(nodes) > MOST_NODES:
        raise BadRequest(Sentence("error.savedMoves", {"most": MOST_NODES}))
    document["nodes"] = list(nodes.values())


def _below(nodes: Mapping[str, _Table], name: str) -> list[str]:
    """A node and everything below it; parents come before their children."""
    if name not in nodes:
        return []
    found = {name: None}
    for one, node in nodes.items():
        if node.get("parent") in found and one != name:
            found[one] = None
    return list(found)


def dumped(document: Mapping[str, Any]) -> str:
    """A document or a change as JSON; BadRequest where it is too long or none."""
    try:
        text = json.dumps(document, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    except (ValueError, RecursionError):
        raise BadRequest("a saved game has numbers that are finite, and no deep tables") from None
    text.encode()  # a lone surrogate could be kept and never be read again
    if len(text) > MOST_LETTERS:
        raise BadRequest(Sentence("error.savedTooLarge", {"most": MOST_LETTERS}))
    return text


def main_line(document: Mapping[str, Any]) -> list[str]:
    """The moves of the main line."""
    first: dict[str, _Table] = {}
    for node in document["nodes"]:
        if not node["id"]:
            continue
        known = first.get(node["parent"])
        if known is None or node.get("order", 0) < known.get("order", 0):
            first[node["parent"]] = node
    moves, at = [], ""
    while at in first:
        moves.append(first[at]["move"])
        at = first[at]["id"]
    return moves


def summary_of(document: Mapping[str, Any], sides: Iterable[str]) -> _Table:
    """What a list shows of a game: names by side, the first side's result, how many moves."""
    headers = document.get("headers") or {}
    players = {side: headers.get(side.capitalize(), "")[:100] for side in sides}
    result = (document.get("result") or {}).get("value")
    return {
        "players": players,
        "result": result if isinstance(result, (int, float)) else None,
        "score": str(headers.get("Result", ""))[:20],
        "moves": len(main_line(document)),
    }
