"""Studies: trees of moves that are kept."""

from __future__ import annotations

import datetime
import json
import secrets
from typing import Annotated, Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import delete, func, select

from kibitz.errors import BadRequest, KibitzError
from kibitz.games import registry
from kibitz.server.store import Database, Study

__all__ = ["NotThere", "router"]

router = APIRouter(prefix="/api/studies", tags=["studies"])

#: Letters of one tree, studies that are kept, and studies of a list.
MOST_TREE = 2**20
MOST_STUDIES = 5000
MOST_LISTED = 500

Id = Annotated[str, Field(max_length=32)]


class NotThere(KibitzError):
    """Something was asked for that is not kept here."""


class StudyText(BaseModel):
    """A study as the page sends it."""

    model_config = ConfigDict(extra="forbid")

    game: Annotated[str, Field(max_length=20)]
    title: Annotated[str, Field(min_length=1, max_length=200)]
    tree: dict[str, Any]


class StudyRow(BaseModel):
    """A study in the list."""

    id: str
    game: str
    title: str
    updated: datetime.datetime


class StudyWhole(StudyRow):
    """A study with its tree."""

    tree: dict[str, Any]


def _checked(text: StudyText) -> str:
    registry.get(text.game)
    tree = json.dumps(text.tree, separators=(",", ":"))
    if len(tree) > MOST_TREE:
        raise BadRequest(f"a study has at most {MOST_TREE} letters")
    return tree


def _row(study: Study) -> StudyRow:
    return StudyRow(id=study.id, game=study.game, title=study.title, updated=study.updated)


def _database(request: Request) -> Database:
    database: Database = request.app.state.database
    return database


@router.get("")
def studies(request: Request) -> list[StudyRow]:
    """The studies, the one changed last first."""
    with _database(request).session() as session:
        stored = session.scalars(select(Study).order_by(Study.updated.desc(), Study.id).limit(MOST_LISTED))
        return [_row(study) for study in stored]


@router.post("", status_code=201)
def create(text: StudyText, request: Request) -> StudyRow:
    """Keeps a new study."""
    tree, now = _checked(text), datetime.datetime.now(datetime.timezone.utc)
    with _database(request).session() as session:
        if (session.scalar(select(func.count()).select_from(Study)) or 0) >= MOST_STUDIES:
            raise BadRequest(f"there are {MOST_STUDIES} studies already; delete some")
        name = secrets.token_urlsafe(12)
        study = Study(id=name, game=text.game, title=text.title, tree=tree, created=now, updated=now)
        session.add(study)
        return _row(study)


@router.get("/{study_id}", responses={404: {"description": "no such study"}})
def study(study_id: Id, request: Request) -> StudyWhole:
    """A study with its tree."""
    with _database(request).session() as session:
        stored = session.get(Study, study_id)
        if stored is None:
            raise NotThere("there is no such study")
        return StudyWhole(**_row(stored).model_dump(), tree=json.loads(stored.tree))


@router.put("/{study_id}", responses={404: {"description": "no such study"}})
def change(study_id: Id, text: StudyText, request: Request) -> StudyRow:
    """Keeps a study's new tree and title."""
    tree = _checked(text)
    with _database(request).session() as session:
        stored = session.get(Study, study_id)
        if stored is None:
            raise NotThere("there is no such study")
        stored.game, stored.title, stored.tree = text.game, text.title, tree
        stored.updated = datetime.datetime.now(datetime.timezone.utc)
        return _row(stored)


@router.delete("/{study_id}")
def remove(study_id: Id, request: Request) -> bool:
    """Deletes a study; false when there was none."""
    with _database(request).session() as session:
        return bool(session.execute(delete(Study).where(Study.id == study_id)).rowcount)  # type: ignore[attr-defined]


async def not_there(request: Request, error: Exception) -> JSONResponse:
    return JSONResponse({"error": str(error)}, status_code=404)
