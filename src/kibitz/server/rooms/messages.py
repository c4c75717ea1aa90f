"""What a client may say in a room. Each message is a table with `type`; anything else is refused.

>>> read('{"type": "move", "move": "d3"}').move
'd3'
"""

from __future__ import annotations

import unicodedata
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from kibitz.errors import BadRequest
from kibitz.server.positions import Names

__all__ = ["Deed", "Engine", "Join", "Layout", "Look", "Message", "Move", "Sit", "read"]

SeatName = Annotated[str, Field(min_length=1, max_length=10)]
#: A secret of the client's own making; the server keeps its hash only.
Token = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{24,64}$")]


def _plain_name(name: str) -> str:
    """A name in one line, without what cannot be seen."""
    seen = "".join(letter for letter in name if unicodedata.category(letter)[0] != "C")
    plain = " ".join(seen.split())
    if not plain:
        raise ValueError("a name has at least one letter")
    return plain


class _Message(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Look(_Message):
    """How the board is to be drawn."""

    type: Literal["look"]
    below: Annotated[str, Field(max_length=10)] = ""
    names: Names = "chinese"


class Join(_Message):
    """The first message: to play on with a seat's token, or to watch."""

    type: Literal["join"]
    token: Token | None = None
    below: Annotated[str, Field(max_length=10)] = ""
    names: Names = "chinese"


class Sit(_Message):
    """Takes an empty seat. The token is the way back to it."""

    type: Literal["sit"]
    seat: SeatName
    name: Annotated[str, Field(min_length=1, max_length=24), AfterValidator(_plain_name)]
    token: Token


class Engine(_Message):
    """Puts the engine in an empty seat; an empty level sends it away before the game."""

    type: Literal["engine"]
    seat: SeatName
    level: Annotated[str, Field(max_length=40)]


class Layout(_Message):
    """Junqi: how the seat sets up."""

    type: Literal["layout"]
    layout: Annotated[str, Field(max_length=60)]


class Move(_Message):
    """A move."""

    type: Literal["move"]
    move: Annotated[str, Field(min_length=1, max_length=64)]


class Deed(_Message):
    """Something that needs no words."""

    type: Literal["leave", "ready", "resign", "draw", "undo", "accept", "decline"]


Message = Look | Join | Sit | Engine | Layout | Move | Deed

_READER: TypeAdapter[Message] = TypeAdapter(Annotated[Message, Field(discriminator="type")])


def read(text: str) -> Message:
    """The message in a text; BadRequest says what is wrong with it."""
    try:
        return _READER.validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise BadRequest(f"{where or 'message'}: {first['msg']}"[:300]) from None
