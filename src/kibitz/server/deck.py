"""The deck of a browser: mistakes of its owner's games, which come again until they are not made any more."""

from __future__ import annotations

import hashlib
import json
import time
from typing import Annotated, Any

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from kibitz.errors import BadRequest
from kibitz.review.deck import INTERVALS, schedule
from kibitz.sentences import Sentence
from kibitz.server.errors import NotThere, TooMuch
from kibitz.server.identity import owner_of, quota_keys
from kibitz.server.positions import Record, read_position
from kibitz.server.security import Rates
from kibitz.server.store.database import Database
from kibitz.server.store.models import Card

router = APIRouter(prefix="/api/deck", tags=["reviews"])

#: Cards of one owner, of one request, and of an answer.
MOST_CARDS, _MOST_ADDED, _MOST_SHOWN = 5000, 200, 20

_Move = Annotated[str, Field(max_length=64)]
_Line = Annotated[list[_Move], Field(max_length=20)]


class Mistake(BaseModel):
    """A position, the move that was a mistake there, and the better line, as the page shows them."""

    model_config = ConfigDict(extra="forbid")

    record: Record
    side: Annotated[str, Field(max_length=10)]
    number: Annotated[int, Field(ge=1, le=10_000)]
    move: _Move
    played: _Move
    best: _Move
    bestName: _Move
    moves: _Line
    line: _Line
    label: Annotated[str, Field(max_length=20)]
    loss: Annotated[float, Field(ge=0, le=1)]


class KeptCard(BaseModel):
    """A card of an exported file: its box, when it comes again in seconds since 1970, and its mistake."""

    model_config = ConfigDict(extra="forbid")

    box: Annotated[int, Field(ge=0, lt=len(INTERVALS))]
    due: Annotated[float, Field(ge=0)]
    mistake: Mistake


class NewCards(BaseModel):
    """Mistakes that are to be practised, and cards of an exported file."""

    model_config = ConfigDict(extra="forbid")

    mistakes: Annotated[list[Mistake], Field(max_length=_MOST_ADDED)] = []
    cards: Annotated[list[KeptCard], Field(max_length=_MOST_ADDED)] = []


class CardRow(BaseModel):
    """A card that is due."""

    id: str
    game: str
    box: int
    mistake: Mistake


class Deck(BaseModel):
    """How many cards there are, how many are due, when the next one comes, and the first that are due."""

    total: int
    due: int
    next: float | None
    cards: list[CardRow]


class Answered(BaseModel):
    """Whether a card was answered rightly."""

    model_config = ConfigDict(extra="forbid")

    good: bool


class Scheduled(BaseModel):
    """The box of a card, and when it comes again, in seconds since 1970."""

    box: int
    due: float


def exported(card: Card) -> str:
    """A card as a file of exported games has it."""
    return f'{{"box": {card.box}, "due": {card.due}, "mistake": {card.mistake}}}'


def _database(request: Request) -> Database:
    database: Database = request.app.state.database
    return database


def _deck(session: Session, owner: str) -> Deck:
    now, own = time.time(), Card.owner == owner
    count = select(func.count()).select_from(Card).where(own)
    due = select(Card).where(own, Card.due <= now).order_by(Card.due, Card.id).limit(_MOST_SHOWN)
    cards = [
        CardRow(id=card.id, game=card.game, box=card.box, mistake=Mistake(**json.loads(card.mistake)))
        for card in session.scalars(due)
    ]
    return Deck(
        total=session.scalar(count) or 0,
        due=session.scalar(count.where(Card.due <= now)) or 0,
        next=session.scalar(select(func.min(Card.due)).where(own)),
        cards=cards,
    )


@router.get("")
def deck(request: Request) -> Deck:
    """The deck of who asks."""
    with _database(request).session() as session:
        return _deck(session, owner_of(request))


@router.post("", responses={429: {"description": "too much of one client"}})
def add(new: NewCards, request: Request) -> Deck:
    """Adds mistakes to the deck of who asks; those that are there already stay as they are."""
    owner, now = owner_of(request), time.time()
    rows: dict[str, tuple[str, str, int, float]] = {}
    added = [*new.cards, *(KeptCard(box=0, due=now, mistake=mistake) for mistake in new.mistakes)]
    for card in added:
        mistake = card.mistake
        position = read_position(mistake.record.model_dump())
        if not {mistake.move, mistake.best} <= set(position.legal_moves):
            raise BadRequest(f"{mistake.move!r} and {mistake.best!r} must be legal moves of the position")
        text = json.dumps(mistake.model_dump(), ensure_ascii=False)
        what = f"{owner} {position.game} {position.notation} {mistake.move}"
        due = min(card.due, now + INTERVALS[card.box])
        rows[hashlib.sha256(what.encode()).hexdigest()] = (position.game, text, card.box, due)
    rates: Rates = request.app.state.saved_rates
    if not rates.take(*quota_keys(request), cost=sum(len(text) for _, text, *_ in rows.values()) + 1):
        raise TooMuch(Sentence("error.savedTooMuch"))
    with _database(request).session() as session:
        known = set(session.scalars(select(Card.id).where(Card.id.in_(rows))))
        count = session.scalar(select(func.count()).select_from(Card).where(Card.owner == owner)) or 0
        if count + len(rows) - len(known) > MOST_CARDS:
            raise BadRequest(Sentence("error.deckFull", {"most": MOST_CARDS}))
        for name, (game, text, box, due) in rows.items():
            if name not in known:
                session.add(
                    Card(id=name, owner=owner, game=game, mistake=text, box=box, due=due, created=now)
                )
        session.flush()
        return _deck(session, owner)


def _own(session: Session, card_id: str, request: Request) -> Card:
    card = session.get(Card, card_id)
    if card is None or card.owner != owner_of(request):
        raise NotThere(Sentence("error.noCard"))
    return card


_ID = Annotated[str, Field(max_length=64)]
_ERRORS: dict[int | str, dict[str, Any]] = {404: {"description": "no such card"}}


@router.post("/{card_id}", responses=_ERRORS)
def answer(card_id: _ID, answered: Answered, request: Request) -> Scheduled:
    """Puts a card where the answer says: further away, or back to the beginning."""
    with _database(request).session() as session:
        card = _own(session, card_id, request)
        card.box, card.due = schedule(card.box, good=answered.good, now=time.time())
        return Scheduled(box=card.box, due=card.due)


@router.delete("/{card_id}", responses=_ERRORS)
def remove(card_id: _ID, request: Request) -> bool:
    """Takes a card out of the deck."""
    with _database(request).session() as session:
        session.delete(_own(session, card_id, request))
        return True
