"""Layouts of Junqi for the page: checked, mirrored, random, as .jql files."""

from __future__ import annotations

import base64
import secrets
from typing import Annotated, Any, Literal

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from kibitz.errors import BadRequest
from kibitz.games.junqi import layouts
from kibitz.games.junqi.records import dump_jql, parse_jql
from kibitz.games.record_kinds import bytes_of

router = APIRouter(prefix="/api", tags=["junqi"])


class LayoutQuery(BaseModel):
    """A layout as text, by name or as a .jql file, and what is to be done with it."""

    model_config = ConfigDict(extra="forbid")

    act: Literal["check", "mirror", "random"] = "check"
    layout: Annotated[str, Field(max_length=60)] = ""
    #: The bytes of a .jql file in base64.
    data: Annotated[str, Field(max_length=200)] = ""


class LayoutAnswer(BaseModel):
    """A layout, what is wrong with it, and as a .jql file in base64 when nothing is."""

    layout: str
    #: Sentences as codes with values.
    faults: list[dict[str, Any]]
    jql: str


@router.get("/layouts")
def named_layouts() -> dict[str, str]:
    """Layouts by name."""
    return dict(layouts.NAMED)


@router.post("/layout")
def layout(query: LayoutQuery) -> LayoutAnswer:
    """Checks a layout, mirrors it, makes a random one, reads a .jql file."""
    if query.act == "random":
        text = layouts.random_layout(secrets.randbits(60))
    elif query.data:
        text = parse_jql(bytes_of(query.data))
    elif query.layout:
        text = layouts.NAMED.get(query.layout, query.layout)
    else:
        raise BadRequest("either layout or data is needed")
    if query.act == "mirror":
        text = layouts.mirrored(text)
    faults = list(layouts.faults(text))
    return LayoutAnswer(
        layout=text,
        faults=[fault.to_dict() for fault in faults],
        jql="" if faults else base64.b64encode(dump_jql(text)).decode(),
    )
