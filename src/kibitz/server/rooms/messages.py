"""What a client may say in a room. Each message is a table with `type`; anything else is refused.

>>> read('{"type": "move", "move": "d3"}').move
'd3'
"""

from __future__ import annotations

import unicodedata
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from kibitz.errors import BadRequest
from kibitz.games.plain_form import MOST_MOVE_LETTERS
from kibitz.server.positions import Names, PieceSet

SeatName = Annotated[str, Field(min_length=1, max_length=10)]
#: A secret of the client's own making; the server keeps its hash only.
Token = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{24,64}$")]


def _plain_text(text: str) -> str:
    """One line, without what cannot be seen."""
    seen = "".join(letter for letter in text if unicodedata.category(letter)[0] != "C")
    plain = " ".join(seen.split())
    if not plain:
        raise ValueError("a name or a text has at least one letter")
    return plain


class _Message(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Look(_Message):
    """How the board is to be drawn."""

    type: Literal["look"]
    below: Annotated[str, Field(max_length=10)] = ""
    names: Names = "chinese"
    pieces: PieceSet = ""


class Join(_Message):
    """The first message: to play on with a seat's token, or to watch."""

    type: Literal["join"]
    token: Token | None = None
    below: Annotated[str, Field(max_length=10)] = ""
    names: Names = "chinese"
    pieces: PieceSet = ""


class Sit(_Message):
    """Takes an empty seat. The token is the way back to it."""

    type: Literal["sit"]
    seat: SeatName
    name: Annotated[str, Field(min_length=1, max_length=24), AfterValidator(_plain_text)]
    token: Token


class Engine(_Message):
    """Puts the engine in an empty seat; an empty level sends it away before the game."""

    type: Literal["engine"]
    seat: SeatName
    level: Annotated[str, Field(max_length=40)]


class Layout(_Message):
    """How the seat sets up, in games where that is its secret."""

    type: Literal["layout"]
    layout: Annotated[str, Field(max_length=60)]


class Move(_Message):
    """A move."""

    type: Literal["move"]
    move: Annotated[str, Field(min_length=1, max_length=64)]


class Mark(_Message):
    """While the score is counted: a stone is dead, or alive if it was marked."""

    type: Literal["mark"]
    place: Annotated[str, Field(min_length=1, max_length=10)]


class Agree(_Message):
    """Agrees to a count as the room sent it: its `move`."""

    type: Literal["agree"]
    move: Annotated[str, Field(min_length=1, max_length=MOST_MOVE_LETTERS)]


class Say(_Message):
    """Something that somebody at a seat says to all in the room."""

    type: Literal["say"]
    text: Annotated[str, Field(min_length=1, max_length=200), AfterValidator(_plain_text)]


class SimpleAction(_Message):
    """Something that needs no words."""

    type: Literal["leave", "ready", "resign", "draw", "undo", "accept", "decline", "resume", "rematch"]


Message = Look | Join | Sit | Engine | Layout | Move | Mark | Agree | Say | SimpleAction

_READER: TypeAdapter[Message] = TypeAdapter(Annotated[Message, Field(discriminator="type")])


def read(text: str) -> Message:
    """The message in a text; BadRequest says what is wrong with it."""
    try:
        return _READER.validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise BadRequest(f"{where or 'message'}: {first['msg']}"[:300]) from None
