"""Records that are pasted or dropped: what kind they are is found out from what they say.

Bytes only: no text of a client ever names a file of this machine.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import islice
from math import ceil
from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from kibitz.errors import BadRecord, KibitzError
from kibitz.games import registry
from kibitz.games.base import Position
from kibitz.games.record_kinds import OpenedGame, RecordKind, TreeRow, bytes_of
from kibitz.sentences import Sentence, sentence_of
from kibitz.server.positions import read_position

router = APIRouter(prefix="/api", tags=["records"])

#: Games of one file that are sent whole, and that are listed.
MOST_GAMES = 200
MOST_LISTED = 20_000
#: Bytes of a file.
MOST_BYTES = 2 * 2**20


class NamedFile(BaseModel):
    """A file's name, and its bytes in base64."""

    model_config = ConfigDict(extra="forbid")

    name: Annotated[str, Field(max_length=255)]
    data: Annotated[str, Field(max_length=2 * MOST_BYTES)]


class Sent(BaseModel):
    """A record as text, or a file's bytes in base64."""

    model_config = ConfigDict(extra="forbid")

    text: Annotated[str | None, Field(max_length=MOST_BYTES)] = None
    data: Annotated[str | None, Field(max_length=2 * MOST_BYTES)] = None
    #: The file's name, and files that were given with it: one of them may be the record, the others
    #: tables of names.
    name: Annotated[str, Field(max_length=255)] = ""
    beside: Annotated[list[NamedFile], Field(max_length=4)] = []
    #: Of several games, tell of each without its moves; or only of this one, with them.
    listed: bool = False
    number: Annotated[int | None, Field(ge=0)] = None


class RecordGame(BaseModel):
    """One game of a record."""

    title: str
    #: Its moves and where it starts; left out in a list.
    record: dict[str, Any] | None = None
    #: How many, as the game numbers them: in chess both sides' together are one.
    moves: int
    #: Variations and comments, where the file has one game and says more than its main line.
    tree: list[TreeRow] | None = None
    #: By PGN's tag names, players by side.
    headers: dict[str, str] = {}


class OpenedRecord(BaseModel):
    """What a record was found to be."""

    kind: str
    games: list[RecordGame]
    #: A set-up of pieces, which is no game.
    layout: str | None = None


@cache
def _kinds() -> list[RecordKind]:
    """The kinds of every game, the surest first."""
    kinds = (kind for game in registry.BUILT_IN for kind in registry.page_of(game).records)
    return sorted(kinds, key=lambda kind: kind.form)


def find_out(
    data: bytes,
    beside: Mapping[str, bytes] | None = None,
    *,
    listed: bool = False,
    number: int | None = None,
) -> OpenedRecord:
    """The kind of a record and its games; BadRecord when it is none that is known."""
    text = data.decode("utf-8-sig", "replace")
    if text.lstrip().startswith("{"):
        return _opened("json", [OpenedGame("", _read_json(text))], listed, number)
    problem: KibitzError | None = None
    for kind in _kinds():
        if not kind.fits(data, text):
            continue
        if kind.read_set_up is not None:
            return OpenedRecord(kind=kind.kind, games=[], layout=kind.read_set_up(data))
        try:
            games = kind.read_beside(data, beside or {}) if kind.read_beside else kind.read(data, text)
            return _opened(kind.kind, games, listed, number)
        except KibitzError as error:
            if not kind.tentative:
                raise
            problem = error
    if problem is None:
        raise BadRecord(Sentence("error.nothingToRead"))
    raise BadRecord(Sentence("error.unknownRecord", {"why": sentence_of(problem)})) from None


def _opened(kind: str, games: Iterable[OpenedGame], listed: bool, number: int | None) -> OpenedRecord:
    if number is not None:
        games = islice(games, number, number + 1)
    most = MOST_LISTED if listed else MOST_GAMES
    rows = [_row(one, whole=not listed or n == 0) for n, one in enumerate(islice(games, most))]
    if not rows:
        raise BadRecord("there is no game in it")
    if listed and len(rows) > 1:
        rows[0].record = rows[0].tree = None
    return OpenedRecord(kind=kind, games=rows)


def _row(one: OpenedGame, *, whole: bool) -> RecordGame:
    record = one.position.open_dict() if whole else None
    tree, headers = (one.tree if whole else None), _bounded(one.headers)
    moves = ceil(len(one.position.moves) / registry.page_of(one.position.game).descriptor.numbering)
    return RecordGame(title=one.title, record=record, moves=moves, tree=tree, headers=headers)


def _bounded(headers: Mapping[str, str]) -> dict[str, str]:
    """What a saved game may have of headers."""
    return {name[:100]: str(value)[:4000] for name, value in islice(headers.items(), 100) if value}


def _read_json(text: str) -> Position:
    """A position as plain data, or that of a report."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise BadRecord("not JSON") from None
    data = data["record"] if isinstance(data.get("record"), dict) else data
    return read_position(data)


@router.post("/record")
def record(sent: Sent) -> OpenedRecord:
    """Finds out what a record is, and its games."""
    if (sent.text is None) == (sent.data is None):
        raise BadRecord("either text or data is needed")
    if sent.text is not None:
        return find_out(sent.text.encode("utf-8", "replace"), listed=sent.listed, number=sent.number)
    files = {sent.name: bytes_of(sent.data or ""), **{one.name: bytes_of(one.data) for one in sent.beside}}
    problem = None
    for name, data in files.items():
        beside = {other: found for other, found in files.items() if other != name}
        try:
            return find_out(data, beside, listed=sent.listed, number=sent.number)
        except BadRecord as error:
            problem = problem or error
    assert problem is not None
    raise problem
