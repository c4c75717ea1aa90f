"""Matches and training runs of a folder (`kibitz serve --runs`), read only.

A client names what the list has; no name is ever joined to a path, and links are not followed.
"""

from __future__ import annotations

import json
import math
import os
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from fastapi import APIRouter
from fastapi import Request as HttpRequest
from pydantic import BaseModel

from kibitz.arena.record import RESULTS, read_results
from kibitz.arena.running import running
from kibitz.arena.sprt import Sprt
from kibitz.arena.summary import Tally
from kibitz.errors import BadRecord, BadRequest, KibitzError
from kibitz.json_form import camel_keys
from kibitz.training.plots import read_rows, terms_of, thinned

router = APIRouter(prefix="/api", tags=["runs"])

#: How deep folders are looked into, files that are looked at, runs that are listed.
_DEPTH, _MOST_FILES, _MOST_RUNS = 4, 20_000, 500
#: Bytes of a log that is read, and of the line that says what it is.
_MOST_BYTES, _MOST_HEAD = 256 * 2**20, 2**16
#: Seconds between two looks at the folder, and after the last line of a log in which its run counts as alive.
_LOOK_AGAIN, _ALIVE = 2.0, 300.0
_MOST_KEPT = 16

Kind = Literal["match", "training"]


class RunRow(BaseModel):
    """A log that is there."""

    name: str
    kind: Kind
    #: More is to come: written to within the last minutes, and not all of it is there yet.
    alive: bool
    #: Seconds since 1970 of its last line.
    changed: float
    title: str


class RunList(BaseModel):
    """The logs of the folder, the newest first."""

    #: Whether the server was given a folder.
    configured: bool
    runs: list[RunRow]


class Curve(BaseModel):
    """A line of a picture, with the bounds of a band around it where there is one."""

    name: str
    points: list[tuple[float, float]]
    low: list[float] = []
    high: list[float] = []


class MatchView(BaseModel):
    """A match as it stands, all numbers from A's side."""

    name: str
    game: str
    a: str
    b: str
    #: Games that were asked for.
    of: int
    alive: bool
    #: As `kibitz match --json` prints it.
    summary: dict[str, Any]
    #: After each pair: A's score in per cent, the Elo difference, the log-likelihood ratio of the test.
    score: Curve
    elo: Curve
    llr: Curve | None


class TrainingView(BaseModel):
    """A training run: each term of the loss over the steps."""

    name: str
    alive: bool
    steps: int
    #: Samples a second, as the last row of the log tells.
    rate: float | None
    training: list[Curve]
    held: list[Curve]


@dataclass(frozen=True)
class _Log:
    path: Path
    kind: Kind
    title: str
    changed: float
    size: int

    @property
    def alive(self) -> bool:
        return time.time() - self.changed < _ALIVE


class Runs:
    """The logs below a folder.

    Threads: may be used by any.
    """

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self._lock = threading.Lock()
        self._looked = -math.inf
        self._logs: dict[str, _Log] = {}
        self._kept: OrderedDict[tuple[str, float, int, bool], Any] = OrderedDict()

    def logs(self) -> dict[str, _Log]:
        """What there is, by name."""
        with self._lock:
            if self.folder is not None and time.monotonic() - self._looked > _LOOK_AGAIN:
                self._logs = dict(_look(self.folder))
                self._looked = time.monotonic()
            return self._logs

    def view(self, name: str, kind: Kind, read: Callable[[str, _Log], Any]) -> Any:
        """What a log says, read again when it has changed."""
        log = self.logs().get(name)
        if log is None or log.kind != kind:
            raise BadRequest(f"there is no {kind} {name[:80]!r}")
        if log.size > _MOST_BYTES:
            raise BadRequest(f"the log is larger than {_MOST_BYTES >> 20} MiB")
        key = (name, log.changed, log.size, log.alive)
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        try:
            made = read(name, log)
        except (OSError, KeyError, TypeError, UnicodeDecodeError):
            raise BadRecord(f"{name} cannot be read") from None
        except BadRecord as error:  # where the folder lies is nobody's business
            raise BadRecord(str(error).replace(str(self.folder), "")) from None
        with self._lock:
            self._kept[key] = made
            while len(self._kept) > _MOST_KEPT:
                self._kept.popitem(last=False)
        return made


def _look(folder: Path) -> Iterator[tuple[str, _Log]]:
    rows = []
    for path in _logs(folder):
        try:
            seen = path.stat()
            kind, title = _kind_of(path)
        except (OSError, ValueError):
            continue
        place = path.parent if kind == "training" else path
        name = place.relative_to(folder).as_posix()
        if name == ".":
            name = folder.name
        rows.append((name, _Log(path, kind, title or name, seen.st_mtime, seen.st_size)))
    rows.sort(key=lambda row: -row[1].changed)
    yield from rows[:_MOST_RUNS]


def files_below(folder: Path) -> Iterator[tuple[Path, str]]:
    """The files below a folder, as folder and name; no links are followed, so nothing outside is found."""
    seen = 0
    for root, folders, files in os.walk(folder, followlinks=False):
        here = Path(root)
        if len(here.relative_to(folder).parts) >= _DEPTH:
            folders.clear()
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in files:
            seen += 1
            if seen > _MOST_FILES:
                return
            yield here, name


def _logs(folder: Path) -> Iterator[Path]:
    for here, name in files_below(folder):
        path = here / name
        if name.endswith(".jsonl") and not path.is_symlink() and path.is_file():
            yield path


def _kind_of(path: Path) -> tuple[Kind, str]:
    """What a log is of, by its first line; ValueError where it is of nothing that is shown."""
    with path.open("rb") as file:
        row = json.loads(file.readline(_MOST_HEAD))
    if not isinstance(row, dict):
        raise ValueError("no table")
    settings = row.get("settings")
    if row.get("format") == RESULTS.format and isinstance(settings, dict):
        a, b = (str(settings.get(player, ""))[:80] for player in "ab")
        return "match", f"{a} - {b}"
    if path.name == "log.jsonl" and isinstance(row.get("step"), int):
        return "training", ""
    raise ValueError("another log")


# -- what the logs say ------------------------------------------------------------------------------


def _match(name: str, log: _Log) -> MatchView:
    settings, games = read_results(log.path)
    test = settings.get("sprt")
    sprt = Sprt(**test) if isinstance(test, Mapping) else None
    tally = Tally(str(settings["game"]), str(settings["a"]), str(settings["b"]), sprt)
    for record in games:
        tally.add(record)
    wanted = int(settings["games"])
    done = "sprt" if tally.decision else "games" if len(games) >= wanted else ""
    if not done and not log.alive:
        tally.count_the_rest()
    stopped = done or ("running" if log.alive else "interrupted")
    standings = running(tally.history, sprt)
    llr = [(2.0 * one.pairs, one.llr) for one in standings if one.llr is not None and math.isfinite(one.llr)]
    return MatchView(
        name=name,
        game=str(settings["game"]),
        a=str(settings["a"]),
        b=str(settings["b"]),
        of=wanted,
        alive=stopped == "running",
        summary=camel_keys(tally.summary(stopped).to_dict()),
        score=_curve("score", [(one.pairs, one.estimate.score) for one in standings], 100.0),
        elo=_curve("elo", [(one.pairs, one.estimate.elo) for one in standings], 1.0),
        llr=Curve(name="llr", points=llr) if sprt else None,
    )


def _curve(name: str, rows: list[tuple[int, Any]], scale: float) -> Curve:
    """Points of an interval over the games; those that are not finite (nobody has lost yet) are left out."""
    kept = [(pairs, one) for pairs, one in rows if all(map(math.isfinite, (one.value, one.low, one.high)))]
    return Curve(
        name=name,
        points=[(2.0 * pairs, scale * one.value) for pairs, one in kept],
        low=[scale * one.low for _, one in kept],
        high=[scale * one.high for _, one in kept],
    )


def _training(name: str, log: _Log) -> TrainingView:
    rows = read_rows(log.path.parent, log.path.name)
    training, held = (
        [Curve(name=term, points=_finite(thinned(points))) for term, points in terms.items()]
        for terms in terms_of(rows)
    )
    rate = next((row["perSecond"] for row in reversed(rows) if "perSecond" in row), None)
    return TrainingView(
        name=name,
        alive=log.alive,
        steps=max((int(row["step"]) for row in rows), default=0),
        rate=float(rate) if isinstance(rate, (int, float)) and math.isfinite(rate) else None,
        training=training,
        held=held,
    )


def _finite(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    return [point for point in points if all(map(math.isfinite, point))]


# -- routes -----------------------------------------------------------------------------------------


def _runs(http: HttpRequest) -> Runs:
    runs: Runs = http.app.state.runs
    return runs


@router.get("/runs")
def list_runs(http: HttpRequest) -> RunList:
    """The matches and training runs of the server's folder."""
    runs = _runs(http)
    rows = []
    for name, one in runs.logs().items():
        alive = _goes_on(runs, name, one)
        rows.append(RunRow(name=name, kind=one.kind, alive=alive, changed=one.changed, title=one.title))
    return RunList(configured=runs.folder is not None, runs=rows)


def _goes_on(runs: Runs, name: str, one: _Log) -> bool:
    """Is more to come? A match that has all its games, or its answer, is over however new its log is."""
    if not one.alive or one.kind != "match":
        return one.alive
    try:
        view: MatchView = runs.view(name, "match", _match)
    except KibitzError:
        return False
    return view.alive


@router.get("/runs/match/{name:path}")
def match(name: str, http: HttpRequest) -> MatchView:
    """A match as it stands."""
    view: MatchView = _runs(http).view(name, "match", _match)
    return view


@router.get("/runs/training/{name:path}")
def training(name: str, http: HttpRequest) -> TrainingView:
    """The curves of a training run."""
    view: TrainingView = _runs(http).view(name, "training", _training)
    return view
