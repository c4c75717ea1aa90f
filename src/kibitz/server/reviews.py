"""The review of a whole game: every position searched, what each move cost, sent move by move.

A review runs whether somebody watches or not, and is kept in the database move by move. Who asks for it again
(after a reload, from another tab, after the server was killed) gets what there is, and the rest as it comes.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import math
import time
from collections import Counter
from collections.abc import AsyncIterator, Hashable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Annotated, Any

from fastapi import APIRouter
from fastapi import Request as HttpRequest
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import delete, select, update

from kibitz.errors import BadRequest, KibitzError
from kibitz.json_form import encode
from kibitz.pool import Pool
from kibitz.report import Report
from kibitz.request import Request
from kibitz.review.effort import DEFAULT, Effort, make_effort
from kibitz.review.examine import Examination
from kibitz.review.labels import summaries
from kibitz.review.records import Record, Turn, record_of
from kibitz.review.tries import judge_try, try_request
from kibitz.sentences import Sentence
from kibitz.server import positions
from kibitz.server.errors import TooMuch
from kibitz.server.positions import read_position
from kibitz.server.settings import Limits
from kibitz.server.store.database import Database
from kibitz.server.store.models import ReviewRow

router = APIRouter(prefix="/api/reviews", tags=["reviews"])

_LEAST_SECONDS, _MOST_SECONDS = 0.01, 10.0
#: Reviews of one client that run at once, and those that go on at once after a restart.
_MOST_OF_PARTY, _RESUMED = 3, 2
#: Seconds that a review is kept, and that an unfinished one is worth going on with.
_KEPT, _FRESH = 60 * 86_400.0, 2 * 86_400.0


def _record_of(data: Any) -> Record:
    if not isinstance(data, Mapping):
        raise BadRequest("record must be a table with game, start and moves")
    last = read_position(data)
    if not last.moves:
        raise BadRequest(Sentence("error.noMoves"))
    return record_of(last)


def _effort_wish(message: Mapping[str, Any]) -> str | float:
    """What a client asks for: the name of an effort, or seconds a position."""
    seconds = message.get("seconds")
    if seconds is None:
        return str(message.get("effort", DEFAULT))
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)) or not math.isfinite(seconds):
        raise BadRequest("seconds must be a number")
    return min(max(float(seconds), _LEAST_SECONDS), _MOST_SECONDS)


@dataclass
class _Review:
    """A review under way. Who follows it waits for `changed`, which is set and replaced at every turn."""

    key: str
    record: Record
    effort: Effort
    party: Hashable
    turns: list[dict[str, Any]]
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    task: asyncio.Task[None] | None = None
    error: Exception | None = None

    @property
    def done(self) -> bool:
        return len(self.turns) >= len(self.record.moves)

    def tell(self) -> None:
        self.changed.set()
        self.changed = asyncio.Event()


class Reviews:
    """All reviews of a server. Threads: the event loop's only; the database is asked in others."""

    def __init__(
        self, database: Database, pool: Pool, limits: Limits, with_people: Mapping[str, Pool] | None = None
    ) -> None:
        self._database, self._pool, self._limits = database, pool, limits
        #: Pools with a human model, by game.
        self._with_people = dict(with_people or {})
        self._running: dict[str, _Review] = {}
        self._resuming: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Goes on with what a server that ended left unfinished."""
        waiting = await asyncio.to_thread(self._unfinished)
        if waiting:
            self._resuming = asyncio.create_task(self._resume(waiting))

    async def stop(self) -> None:
        tasks = [review.task for review in self._running.values() if review.task]
        tasks += [self._resuming] if self._resuming else []
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for pool in self._with_people.values():
            pool.close()

    def _pool_of(self, record: Record) -> Pool:
        return self._with_people.get(record.positions[0].game, self._pool)

    def _key(self, record: Record, effort: Effort) -> str:
        """The same game, effort, human model and program give the same review."""
        human = self._pool_of(record).human
        asked = [
            record.positions[-1].to_dict(),
            effort.to_dict(),
            version("kibitz"),
            *([human] if human else []),
        ]
        return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()

    async def follow(self, message: Mapping[str, Any], party: Hashable) -> AsyncIterator[dict[str, Any]]:
        """The messages of a review: each `turn`, at last the `summary`. It goes on when nobody follows it."""
        review = await self._open(_effort_wish(message), _record_of(message.get("record")), party)
        sent = 0
        while True:
            changed = review.changed
            for turn in review.turns[sent:]:
                yield {"type": "turn", "turn": turn}
            sent = len(review.turns)
            if review.error is not None:
                raise review.error
            if review.done:
                break
            if len(review.turns) == sent:
                await changed.wait()
        yield {"type": "summary", "summary": [one.to_dict() for one in summaries(_turns_of(review.turns))]}

    async def cancel(self, message: Mapping[str, Any]) -> None:
        """Stops a review that its user does not want any more; what was found is kept."""
        with suppress(KibitzError):
            record, effort = await self._read(_effort_wish(message), _record_of(message.get("record")))
            review = self._running.get(self._key(record, effort))
            if review is not None and review.task is not None:
                review.task.cancel()
                await asyncio.gather(review.task, return_exceptions=True)
                await asyncio.to_thread(self._set_state, review.key, "stopped")

    # -- running ----------------------------------------------------------------------------------

    async def _read(self, wish: str | float, record: Record) -> tuple[Record, Effort]:
        if len(record.moves) > self._limits.moves:
            raise BadRequest(Sentence("error.reviewLong", {"most": self._limits.moves}))
        pool = self._pool_of(record)
        configuration = await asyncio.to_thread(pool.configuration, record.positions[0].game)
        return record, make_effort(configuration, wish)

    async def _open(self, wish: str | float, record: Record, party: Hashable) -> _Review:
        """The review that runs already, that was kept, or a new one."""
        record, effort = await self._read(wish, record)
        key = self._key(record, effort)
        if key in self._running:
            return self._running[key]
        turns = await asyncio.to_thread(self._begin, key, record, wish)
        if key in self._running:  # somebody else was faster
            return self._running[key]
        review = _Review(key, record, effort, party, turns)
        if review.done:
            return review
        busy = Counter(one.party for one in self._running.values())
        if busy[party] >= _MOST_OF_PARTY:
            raise TooMuch(Sentence("error.reviewsRun", {"most": _MOST_OF_PARTY}))
        self._running[key] = review
        review.task = asyncio.create_task(self._run(review))
        return review

    async def _run(self, review: _Review) -> None:
        try:
            await self._examine(review)
        except asyncio.CancelledError:
            review.error = BadRequest("the review was stopped")
            raise
        except Exception as error:  # sent to those who follow
            review.error = error
            with suppress(Exception):
                await asyncio.to_thread(self._set_state, review.key, "stopped")
        finally:
            self._running.pop(review.key, None)
            review.tell()

    async def _examine(self, review: _Review) -> None:
        record, effort, pool = review.record, review.effort, self._pool_of(review.record)
        examination = Examination(record, effort)

        async def answer(request: Request) -> Report:
            asked = pool.arun(request, party=review.party)  # no client: every search begins afresh
            return [one async for one in asked][-1]

        begun, total = len(review.turns), len(record.moves)
        for number in range(begun, total + 1):
            if (request := examination.look(number)) is not None:
                examination.reports[number] = await answer(request)
            if number == begun:
                continue  # the position before the first move that is not reviewed yet
            checks = examination.checks_of(number - 1)
            examination.checks[number - 1] = [await answer(request) for request in checks]
            turn = _turn_message(record, examination.turn(number - 1), effort)
            await asyncio.to_thread(self._add, review.key, turn, total)
            review.turns.append(turn)
            review.tell()

    async def _resume(self, waiting: list[tuple[str, str]]) -> None:
        limit = asyncio.Semaphore(_RESUMED)

        async def one(record: str, effort: str) -> None:
            wish = float(effort) if effort[:1].isdigit() else effort
            async with limit:
                with suppress(KibitzError):
                    review = await self._open(wish, _record_of(json.loads(record)), f"resumed {record}")
                    if review.task is not None:
                        await asyncio.gather(review.task, return_exceptions=True)

        await asyncio.gather(*(one(record, effort) for record, effort in waiting))

    # -- the database -----------------------------------------------------------------------------

    def _unfinished(self) -> list[tuple[str, str]]:
        now = time.time()
        with self._database.session() as session:
            session.execute(delete(ReviewRow).where(ReviewRow.updated < now - _KEPT))
            fresh = (ReviewRow.state == "running") & (ReviewRow.updated > now - _FRESH)
            rows = session.scalars(select(ReviewRow).where(fresh).order_by(ReviewRow.updated.desc()))
            return [(row.record, row.effort) for row in rows]

    def _begin(self, key: str, record: Record, wish: str | float) -> list[dict[str, Any]]:
        """The turns that are known; a review that is not kept yet is kept from here on."""
        with self._database.session() as session:
            row = session.get(ReviewRow, key)
            if row is None:
                data = json.dumps(record.positions[-1].to_dict(), ensure_ascii=False)
                row = ReviewRow(
                    key=key, record=data, effort=str(wish), count=0, turns="", updated=time.time()
                )
                session.add(row)
            row.state = "done" if row.count and row.count >= len(record.moves) else "running"
            return [json.loads(line) for line in row.turns.splitlines()]

    def _add(self, key: str, turn: Mapping[str, Any], total: int) -> None:
        """Keeps a turn; another server that goes on with the same review may have kept it already."""
        number = int(turn["number"])
        with self._database.session() as session:
            session.execute(
                update(ReviewRow)
                .where(ReviewRow.key == key, ReviewRow.count == number - 1)
                .values(
                    count=number,
                    turns=ReviewRow.turns + json.dumps(turn, ensure_ascii=False) + "\n",
                    state="done" if number == total else "running",
                    updated=time.time(),
                )
            )

    def _set_state(self, key: str, state: str) -> None:
        with self._database.session() as session:
            session.execute(update(ReviewRow).where(ReviewRow.key == key).values(state=state))


def _turn_message(record: Record, turn: Turn, effort: Effort) -> dict[str, Any]:
    """A turn for the page: moves as people write them, and as the server reads them."""
    names = record.named(turn)
    return {
        **turn.to_dict(),
        "of": len(record.moves),
        "played": names.played,
        "move": turn.played,
        "bestName": names.best,
        "moves": list(turn.line),
        "line": list(names.line),
        "said": encode(turn.reasons.said),
        "why": encode(turn.reasons.facts),
        "effort": effort.name,
        "searched": effort.said.to_dict(),
    }


def _turns_of(rows: list[dict[str, Any]]) -> list[Turn]:
    fields = Turn.__dataclass_fields__
    return [Turn(**{name: value for name, value in turn.items() if name in fields}) for turn in rows]


# -- tries -----------------------------------------------------------------------------------------


class TryQuery(BaseModel):
    """A position, the move that somebody tries there, and the one that a review found."""

    model_config = ConfigDict(extra="forbid")

    record: positions.Record
    move: Annotated[str, Field(max_length=64)]
    best: Annotated[str, Field(max_length=64)]


class TryAnswer(BaseModel):
    """Whether the try is as good as the best move; what it loses, and how it is refuted."""

    good: bool
    loss: float
    line: list[str]
    names: list[str]


@router.post("/try")
async def try_move(query: TryQuery, http: HttpRequest) -> TryAnswer:
    """Judges a try with the effort and on the scale of a review."""
    pool: Pool = http.app.state.pool
    position = read_position(query.record.model_dump())
    configuration = await asyncio.to_thread(pool.configuration, position.game)
    request = try_request(position, query.move, query.best, make_effort(configuration))
    party = http.client.host if http.client else ""
    report = [one async for one in pool.arun(request, party=party)][-1]
    judged = judge_try(record_of(position), report, query.move)
    return TryAnswer(
        good=judged.good, loss=judged.loss, line=list(judged.line), names=position.line_text(judged.line)
    )
