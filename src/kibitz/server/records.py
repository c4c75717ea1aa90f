"""Records that are pasted or dropped: what kind they are is found out from what they say.

Bytes only: no text of a client ever names a file of this machine.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Annotated, Any, Literal

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from kibitz.errors import BadRecord, KibitzError
from kibitz.games import chess, go, junqi, uttt
from kibitz.games.base import Position
from kibitz.games.go import sgf
from kibitz.games.junqi.records import dump_jgs, parse_jgs, parse_jql, record_of
from kibitz.games.othello import records as othello_records
from kibitz.games.uttt.position import RULES
from kibitz.server.positions import Record, open_record, read_position
from kibitz.server.record_trees import TreeRow, pgn_tree, sgf_tree
from kibitz.server.wire import bytes_of

__all__ = ["OpenedRecord", "find_out", "router"]

router = APIRouter(prefix="/api", tags=["records"])

#: Games of one file that are offered.
MOST_GAMES = 200
#: Bytes of a file.
MOST_BYTES = 2 * 2**20

_FEN = re.compile(r"\s*([pnbrqkPNBRQK1-8]{1,8}/){7}[pnbrqkPNBRQK1-8]{1,8}(\s|$)")
_UTTT = re.compile(r"\s*([XO.]{9}/){8}[XO.]{9}\s+[xo]\b")
_GO = re.compile(r"\s*[XO.]{2,19}(/[XO.]{2,19})+(\s|$)")
_OTHELLO = re.compile(r"\s*([-.*xXoO0]\s*){64}")
_TABLE = re.compile(r"\s*[24] (dark|allies|open)\b")
_VIEW = re.compile(r"\s*[SENW] [24] ")
_PGN = re.compile(r'^\s*\[\w+ "', re.MULTILINE)
_CELLS = re.compile(r"\s*(codingame\s+|standard\s+)?([0-8]{2}[\s,]*)+$")
_SQUARES = re.compile(r"\s*([a-hA-H][1-8][\s,]*)+$")
_VERTICES = re.compile(r"\s*(([A-HJ-T](1\d|[1-9])|pass)[\s,]*)+$", re.IGNORECASE)


class Sent(BaseModel):
    """A record as text, or a file's bytes in base64."""

    model_config = ConfigDict(extra="forbid")

    text: Annotated[str | None, Field(max_length=MOST_BYTES)] = None
    data: Annotated[str | None, Field(max_length=2 * MOST_BYTES)] = None


class OpenedGame(BaseModel):
    """One game of a record."""

    title: str
    record: dict[str, Any]
    #: Variations and comments, where the file has one game and says more than its main line.
    tree: list[TreeRow] | None = None


class OpenedRecord(BaseModel):
    """What a record was found to be."""

    kind: str
    games: list[OpenedGame]
    #: A layout of Junqi, which is no game.
    layout: str | None = None


def find_out(data: bytes) -> OpenedRecord:
    """The kind of a record and its games; BadRecord when it is none that is known."""
    if data.startswith(b"QQGame JQL"):
        return OpenedRecord(kind="jql", games=[], layout=parse_jql(data))
    if data.startswith(b"QQGame JQS"):
        record = parse_jgs(data)
        return _opened("jgs", [("", record.position())])
    if b"\0" in data[:16]:
        return _othello(data, "wthor")
    text = data.decode("utf-8-sig", "replace")
    if text.lstrip(" \t\r\n0123456789").startswith("(;"):
        head = text[: text.find("]") + 200]
        return _othello(data, "ggf") if "GM[Othello]" in head or "TY[" in head else _sgf(data)
    for pattern, kind, read in _TEXTS:
        if pattern.search(text) if pattern is _PGN else pattern.match(text):
            return read(text, kind)
    return _moves(text)


def _opened(kind: str, games: Iterable[tuple[str, Position]]) -> OpenedRecord:
    rows = [OpenedGame(title=title, record=open_record(one)) for title, one in islice(games, MOST_GAMES)]
    if not rows:
        raise BadRecord("there is no game in it")
    return OpenedRecord(kind=kind, games=rows)


def _othello(data: bytes, kind: str) -> OpenedRecord:
    games = othello_records.read(data, None if kind == "transcript" else kind)
    return _opened(kind, ((f"{one.black} - {one.white}".strip(" -"), one.position()) for one in games))


def _sgf(data: bytes) -> OpenedRecord:
    games = sgf.read_bytes(data, "the record")
    opened = _opened("sgf", (("", one.position()) for one in games))
    if len(games) == 1 and len(games[0].moves) == len(opened.games[0].record["moves"]):
        opened.games[0].tree = sgf_tree(games[0])
    return opened


def _pgn(text: str, kind: str) -> OpenedRecord:
    last: list[chess.Position] = []

    def games() -> Iterable[tuple[str, Position]]:
        for game in chess.read_pgn(text.encode(), strict=True):
            last[:] = [game.position()]
            yield f"{game.tags.get('White', '')} - {game.tags.get('Black', '')}".strip(" -"), last[0]

    opened = _opened(kind, games())
    if len(opened.games) == 1:
        opened.games[0].tree = pgn_tree(text, last[0])
    return opened


def _one(make: Callable[[str], Position]) -> Callable[[str, str], OpenedRecord]:
    return lambda text, kind: _opened(kind, [("", make(" ".join(text.split())))])


def _json(text: str, kind: str) -> OpenedRecord:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise BadRecord("not JSON") from None
    if isinstance(data, dict) and isinstance(data.get("record"), dict):
        data = data["record"]  # a report
    if not isinstance(data, dict):
        raise BadRecord("a position is a table with game, start and moves")
    return _opened(kind, [("", read_position(data))])


_TEXTS: tuple[tuple[re.Pattern[str], str, Callable[[str, str], OpenedRecord]], ...] = (
    (re.compile(r"\s*\{"), "json", _json),
    (_FEN, "fen", _one(chess.Position)),
    (_UTTT, "uttt", _one(uttt.Position)),
    (_TABLE, "junqi", _one(junqi.Position)),
    (_VIEW, "junqi", _one(junqi.View)),
    (_OTHELLO, "obf", lambda text, kind: _othello(text.encode(), kind)),
    (_GO, "go", _one(go.Position)),
    (_PGN, "pgn", _pgn),
)


def _moves(text: str) -> OpenedRecord:
    """Bare moves: cells, squares of Othello from its start, points of Go, else chess."""
    if _CELLS.match(text):
        words = text.replace(",", " ").split()
        rules = words.pop(0) if words[0] in RULES else "standard"
        joined = "".join(words)
        cells = [joined[i : i + 2] for i in range(0, len(joined), 2)]
        return _opened("uttt", [("", uttt.Position(rules=rules).play(*cells))])
    if _SQUARES.match(text):
        try:
            return _othello(text.encode(), "transcript")
        except KibitzError:
            pass  # e2e4 are squares too
    if _VERTICES.match(text) and not _SQUARES.match(text):
        return _opened(
            "go", [("", go.Position().play(*text.replace(",", " ").upper().replace("PASS", "pass").split()))]
        )
    moves = [word.rpartition(".")[2] for word in text.split()]
    moves = [word for word in moves if word and word not in ("1-0", "0-1", "1/2-1/2", "*")]
    if not moves:
        raise BadRecord("there is nothing to read")
    joined = "".join(moves).lower()
    if len(moves) == 1 and re.fullmatch("([a-h][1-8][a-h][1-8][qrbn]?)+", joined):
        moves = re.findall("[a-h][1-8][a-h][1-8][qrbn]?", joined)
    try:
        return _opened("moves", [("", chess.Position().play_on(*moves))])
    except KibitzError as error:
        raise BadRecord(f"no kind of record that is known; read as moves of chess: {error}") from None


@router.post("/record")
def record(sent: Sent) -> OpenedRecord:
    """Finds out what a record is, and its games."""
    if (sent.text is None) == (sent.data is None):
        raise BadRecord("either text or data is needed")
    if sent.text is not None:
        return find_out(sent.text.encode("utf-8", "replace"))
    return find_out(bytes_of(sent.data or ""))


class JgsQuery(BaseModel):
    """A game of Junqi that is to be kept as a file, and who played it."""

    model_config = ConfigDict(extra="forbid")

    record: Record
    #: Name by seat.
    names: dict[Literal["S", "E", "N", "W"], Annotated[str, Field(max_length=24)]] = {}


class JgsAnswer(BaseModel):
    """A .jgs file in base64."""

    data: str


@router.post("/jgs", tags=["junqi"])
def jgs(query: JgsQuery) -> JgsAnswer:
    """The .jgs file of a game of four players by QQ's rules, from its set-up."""
    position = read_position(query.record.model_dump())
    if not isinstance(position, junqi.Position):
        raise BadRecord("a .jgs file holds games of Junqi whose set-ups are all known")
    file = dump_jgs(record_of(position, {str(seat): name for seat, name in query.names.items()}))
    return JgsAnswer(data=base64.b64encode(file).decode())
