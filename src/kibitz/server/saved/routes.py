"""Games that save themselves: the API. Who made one may change it, who has its link may read it."""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterable, Iterator
from typing import Annotated, Any

from fastapi import APIRouter, Request
from fastapi.responses import Response, StreamingResponse
from pydantic import BaseModel, Field
from sqlalchemy import Select, delete, func, select, update
from sqlalchemy.orm import Session, defer

from kibitz.errors import BadRequest
from kibitz.games import registry
from kibitz.games.page_facts import Look
from kibitz.sentences import Sentence
from kibitz.server.deck import exported
from kibitz.server.errors import Forbidden, NotThere, TooMuch
from kibitz.server.identity import owner_of, quota_keys
from kibitz.server.positions import read_position
from kibitz.server.saved.document import FORMAT, Change, apply, dumped, main_line, summary_of
from kibitz.server.security import Rates
from kibitz.server.settings import Settings, is_loopback
from kibitz.server.store.database import Database
from kibitz.server.store.models import Card, SavedGame

router = APIRouter(prefix="/api", tags=["saved games"])

#: Games that are kept, of all and of one owner; rows of a list.
MOST_GAMES = 100_000
MOST_OWN = 2000
MOST_LISTED = 300
#: What making and changing a game cost at least of a client's quota, in bytes.
_MAKING, _CHANGING = 2**14, 2**11
#: Days after which a deleted game is gone, and may not come back.
_DELETED_DAYS = 30
#: Others that may be first with a change of the same game before this one gives up.
_TRIES = 20

GameId = Annotated[str, Field(min_length=16, max_length=32, pattern="^[A-Za-z0-9_-]+$")]
_ERRORS: dict[int | str, dict[str, Any]] = {
    403: {"description": "somebody else's"},
    404: {"description": "no such game"},
    409: {"description": "moves that do not fit the game as it is now"},
    429: {"description": "too much of one client"},
}


class NewSavedGame(Change):
    """A game that is saved for the first time; its page has made up the name."""

    id: GameId
    game: Annotated[str, Field(max_length=20)]


class SavedChange(Change):
    """A change of a saved game. `deleted` deletes it, or brings it back."""

    deleted: bool | None = None


class SavedRow(BaseModel):
    """A saved game in the list."""

    id: str
    game: str
    title: str
    version: int
    players: dict[str, str]
    #: The first side's, and as the record has it.
    result: float | None
    score: str
    moves: int
    created: datetime.datetime
    updated: datetime.datetime


class Saved(BaseModel):
    """The version that has a change, and the whole game where another page has changed it, too."""

    version: int
    document: dict[str, Any] | None = None


class SavedWhole(SavedRow):
    """A saved game with its tree; whether who asks may change it."""

    own: bool
    document: dict[str, Any]


def _now() -> datetime.datetime:
    return datetime.datetime.now(datetime.timezone.utc)


def _database(request: Request) -> Database:
    database: Database = request.app.state.database
    return database


def _pay(request: Request, change: Change, least: int) -> None:
    rates: Rates = request.app.state.saved_rates
    cost = max(len(dumped(change.model_dump(exclude_unset=True))), least)
    if not rates.take(*quota_keys(request), cost=cost):
        raise TooMuch(Sentence("error.savedTooMuch"))


def _owners(request: Request) -> tuple[str, ...]:
    """Whose games are those of who asks. Those without an owner are of everybody on this machine."""
    settings: Settings = request.app.state.settings
    return (owner_of(request), "") if is_loopback(settings.host) else (owner_of(request),)


def _row(stored: SavedGame) -> SavedRow:
    return SavedRow(
        id=stored.id,
        game=stored.game,
        title=stored.title,
        version=stored.version,
        created=stored.created,
        updated=stored.updated,
        **json.loads(stored.summary),
    )


def _readable(session: Session, name: str, request: Request) -> SavedGame:
    stored = session.get(SavedGame, name)
    if stored is None or (stored.deleted and stored.owner not in _owners(request)):
        raise NotThere(Sentence("error.noSuchGame"))
    return stored


def _mine(request: Request) -> Select[SavedGame]:
    return select(SavedGame).where(SavedGame.owner.in_(_owners(request)), SavedGame.deleted.is_(None))


# -- writing -----------------------------------------------------------------------------------------


def _columns(game: str, document: dict[str, Any]) -> dict[str, Any]:
    """What is written of a document."""
    summary = summary_of(document, registry.get(game).position.side_names)
    text = dumped(document)
    return {
        "title": document.get("title", ""),
        "document": text,
        "summary": json.dumps(summary, ensure_ascii=False),
        "updated": _now(),
    }


def _change(request: Request, name: str, change: Change, deleted: bool | None = None) -> Saved:
    """Applies a change to what is stored. Of two at once one is first, and the other is merged with it."""
    for _ in range(_TRIES):
        with _database(request).session() as session:
            stored = session.get(SavedGame, name)
            if stored is None:
                raise NotThere(Sentence("error.noSuchGame"))
            if stored.owner not in _owners(request):
                raise Forbidden(Sentence("error.notYours"))
            known, document = stored.version, json.loads(stored.document)
            apply(document, known + 1, change)
            columns = _columns(stored.game, document)
            if deleted is not None:
                columns["deleted"] = _now() if deleted else None
            session.expunge(stored)
            first = update(SavedGame).where(SavedGame.id == name, SavedGame.version == known)
            done = session.execute(first.values(version=known + 1, owner=owner_of(request), **columns))
            if done.rowcount:  # type: ignore[attr-defined]
                return Saved(version=known + 1, document=document if change.base != known else None)
    raise TooMuch(Sentence("error.savedBusy"))


def _make(request: Request, new: NewSavedGame) -> Saved:
    owner, now = owner_of(request), _now()
    document: dict[str, Any] = {"format": FORMAT, "game": new.game, "nodes": [{"id": ""}]}
    apply(document, 1, new)
    count = select(func.count()).select_from(SavedGame)
    with _database(request).session() as session:
        forgotten = now - datetime.timedelta(days=_DELETED_DAYS)
        session.execute(delete(SavedGame).where(SavedGame.deleted < forgotten))
        if (session.scalar(count.where(SavedGame.owner == owner)) or 0) >= MOST_OWN:
            raise BadRequest(Sentence("error.savedTooMany", {"most": MOST_OWN}))
        if (session.scalar(count) or 0) >= MOST_GAMES:
            raise TooMuch(Sentence("error.savedFull", {"most": MOST_GAMES}))
        columns = _columns(new.game, document)
        session.add(SavedGame(id=new.id, game=new.game, owner=owner, version=1, created=now, **columns))
    return Saved(version=1)


@router.post("/saved", status_code=201, responses={403: _ERRORS[403], 429: _ERRORS[429]})
def make(new: NewSavedGame, request: Request) -> Saved:
    """Saves a new game. Sent again, it is merged: the first answer may have been lost."""
    registry.get(new.game)
    _pay(request, new, _MAKING)
    with _database(request).session() as session:
        known = session.get(SavedGame, new.id) is not None
    if not known:
        return _make(request, new)
    return _change(request, new.id, new)


@router.patch("/saved/{game_id}", responses=_ERRORS)
def change(game_id: GameId, sent: SavedChange, request: Request) -> Saved:
    """Changes a saved game: its fields, nodes, or whether it is deleted."""
    _pay(request, sent, _CHANGING)
    return _change(request, game_id, sent, sent.deleted)


# -- reading -----------------------------------------------------------------------------------------


@router.get("/saved")
def saved(request: Request, search: Annotated[str, Field(max_length=100)] = "") -> list[SavedRow]:
    """The games of who asks that have a text in their title or names, the one changed last first."""
    words = search.casefold().split()
    with _database(request).session() as session:
        newest = _mine(request).order_by(SavedGame.updated.desc(), SavedGame.id)
        stored = session.scalars(newest.options(defer(SavedGame.document)))
        rows = []
        for one in stored:
            text = f"{one.title} {one.game} {one.summary}".casefold()
            if all(word in text for word in words):
                rows.append(_row(one))
            if len(rows) == MOST_LISTED:
                break
        return rows


@router.get("/saved/{game_id}", responses={404: _ERRORS[404]})
def game(game_id: GameId, request: Request) -> SavedWhole:
    """A saved game with its tree."""
    with _database(request).session() as session:
        stored = _readable(session, game_id, request)
        document, own = json.loads(stored.document), stored.owner in _owners(request)
        return SavedWhole(**_row(stored).model_dump(), own=own, document=document)


@router.get("/saved/{game_id}/picture", response_class=Response, responses={404: _ERRORS[404]})
def picture(game_id: GameId, request: Request) -> Response:
    """The last position of the main line, as SVG."""
    with _database(request).session() as session:
        stored = _readable(session, game_id, request)
        document, kind = json.loads(stored.document), stored.game
    page = registry.page_of(kind)
    position = read_position({**(document.get("start") or {}), "game": kind, "moves": main_line(document)})
    # Its address has the version, where the page asks for it.
    headers = {"Cache-Control": "private, max-age=86400"}
    return Response(page.svg(page.shown(position, ""), Look()), 200, headers, "image/svg+xml")


def _items(before: str, items: Iterable[str]) -> Iterator[str]:
    """A key and what its array has, item by item."""
    yield before
    for number, item in enumerate(items):
        yield f"{',' * (number > 0)}\n{item}"


@router.get("/export")
def export(request: Request) -> StreamingResponse:
    """All games of who asks, and the deck, as one file: `{"games": [document, ...], "deck": [card, ...]}`."""
    database, mine, owner = _database(request), _mine(request), owner_of(request)

    def lines() -> Iterator[str]:
        with database.session() as session:
            games = session.scalars(mine.order_by(SavedGame.created, SavedGame.id))
            yield from _items('{"games": [', (one.document for one in games))
            deck = select(Card).where(Card.owner == owner).order_by(Card.created, Card.id)
            yield from _items('],\n"deck": [', map(exported, session.scalars(deck)))
            yield "]}\n"

    headers = {"Content-Disposition": 'attachment; filename="kibitz-games.json"'}
    return StreamingResponse(lines(), media_type="application/json", headers=headers)
