"""What a client gets of an error: one line, with a status over HTTP. What is not the client's fault is
logged under the id of its request, which the answer has too."""

from __future__ import annotations

import errno
import json
import logging
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from sqlalchemy.exc import SQLAlchemyError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from kibitz.errors import BadPosition, BadRecord, IllegalMove, KibitzError
from kibitz.json_form import encode
from kibitz.sentences import Sentence
from kibitz.sentences.reasons import said_by

#: The machine is full or broken: nobody's request is wrong, and a later one may be answered.
_MACHINE = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO, errno.EMFILE, errno.ENFILE, errno.ENOMEM)
_MOST_LETTERS = 500

#: The code of a line that has none, by the kind of its error; any other is the request's.
_PLAIN = {
    BadRecord: "error.plainRecord",
    BadPosition: "error.plainPosition",
    IllegalMove: "error.plainMove",
}

_log = logging.getLogger(__name__)


class NotThere(KibitzError):
    """Something was asked for that is not kept here."""


class Forbidden(KibitzError):
    """Something that only its owner may do."""


class Conflict(KibitzError):
    """A change that does not fit what is kept now."""


class TooMuch(KibitzError):
    """A quota is used up."""


#: Statuses of our own errors; any other is 422.
_STATUSES = {NotThere: 404, Forbidden: 403, Conflict: 409, TooMuch: 429}


def first_line(error: BaseException) -> str:
    """SQLAlchemy's errors have the statement and a link below."""
    return str(error).strip().partition("\n")[0] or type(error).__name__


def is_machine(error: BaseException) -> bool:
    """Is the error the database's or the machine's?"""
    return isinstance(error, SQLAlchemyError | MemoryError) or (
        isinstance(error, OSError) and error.errno in _MACHINE
    )


def explain(error: Exception, name: str, where: str) -> tuple[int, str | Sentence]:
    """The status and the line for an error. `name` is the id in the log, `where` what was asked for."""
    if isinstance(error, KibitzError):
        return _STATUSES.get(type(error), 422), sentence_for(error)
    if isinstance(error, RequestValidationError):
        first = error.errors()[0]
        return 422, ".".join(map(str, first["loc"])) + f": {first['msg']}"
    if isinstance(error, HTTPException):
        large = error.status_code == HTTPStatus.REQUEST_ENTITY_TOO_LARGE
        return error.status_code, Sentence("error.tooLarge") if large else str(error.detail)
    if isinstance(error, UnicodeError):
        return 422, Sentence("error.unicode")
    if is_machine(error):
        _log.warning("%s: %s: %s", name, where, first_line(error))
        return 503, Sentence("error.later")
    _log.error("%s: %s: %s", name, where, first_line(error), exc_info=error)
    return 500, f"an error of the server, which has it in its log as {name}"


def sentence_for(error: KibitzError) -> Sentence:
    """What an error says, as a sentence that every page has words for: a line that has no code of its own is
    sent in English, and readers of other languages get what kind of error it is."""
    said = said_by(error)
    if said.code != "error.plainReason":
        return said
    kinds = (code for kind, code in _PLAIN.items() if isinstance(error, kind))
    return Sentence(next(kinds, "error.plainRequest"), said.values)


def error_form(text: str | Sentence) -> dict[str, Any]:
    """The fields of an error: its English line, its code and the values."""
    said = text if isinstance(text, Sentence) else Sentence("error.plainRequest", {"text": text})
    values = {name: _bounded(value) for name, value in encode(said.values).items()}
    return {"error": str(said)[:_MOST_LETTERS], "code": said.code, "values": values}


def _bounded(value: Any) -> Any:
    """A client's text is sent back in part only."""
    return value[:_MOST_LETTERS] if isinstance(value, str) else value


def answer(status: int, text: str | Sentence, headers: Mapping[str, str] | None = None) -> Response:
    """An error in the form that all of them have."""
    body = json.dumps(error_form(text))  # ASCII: text may have lone surrogates
    return Response(body, status, headers, "application/json")


async def answer_error(request: Request, error: Exception) -> Response:
    """The answer to a request that failed."""
    where = f"{request.method} {request.url.path!r}"
    status, text = explain(error, request.scope["request_id"], where)
    return answer(status, text, {"Retry-After": "2"} if status in (429, 503) else None)
