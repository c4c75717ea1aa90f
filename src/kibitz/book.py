"""An opening book: positions with how often they were played, how those games ended, and what they are worth.

A position is kept once for all its symmetric images, and a move leads to whatever position it reaches, so
transpositions share what is known. Values of analyzed positions are backed up: a position is worth what its
best known move is. The file is an SQLite database.

>>> import kibitz
>>> book = Book.memory("othello")
>>> book.add_game(kibitz.othello.Position().play("d3", "c5", "f6"), result=1.0)
3
>>> [entry.move for entry in book.entries(kibitz.othello.Position())]
['d3', 'c4', 'f5', 'e6']
"""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kibitz.errors import BadTable
from kibitz.games import registry
from kibitz.games.base import Position

_VERSION = 1
#: No line of a book is longer; a cycle of moves would never settle.
_MOST_PASSES = 200
_SCHEMA = """
create table meta (name text primary key, value text not null);
create table position (
    key text primary key,      -- notation of the image that sorts first
    games integer not null default 0,
    points real not null default 0,  -- of the first side, over those games
    score real,                -- analyzed, for the side to move
    value real,                -- the same as a chance of winning
    backed_score real,         -- the best known move's score, or its own
    backed_value real
) without rowid;
"""


@dataclass(frozen=True)
class Entry:
    """A move of a book, judged from the side that plays it."""

    move: str
    games: int
    #: The mover's mean result in those games.
    result: float | None
    #: Backed-up margin and chance of winning, where something below was analyzed.
    score: float | None
    value: float | None


class Book:
    """A book of one game. Not for several threads at once; changes are written by `commit` and on leaving."""

    def __init__(self, connection: sqlite3.Connection, game: str) -> None:
        self._db = connection
        self.game = game

    # -- files ------------------------------------------------------------------------------------

    @classmethod
    def memory(cls, game: str) -> Book:
        """A new book that is not kept."""
        return cls._new(sqlite3.connect(":memory:"), game)

    @classmethod
    def create(cls, path: Path, game: str) -> Book:
        """A new book in a file that does not exist yet."""
        if path.exists():
            raise BadTable(f"{path}: exists already")
        try:
            return cls._new(sqlite3.connect(path), game)
        except sqlite3.Error as error:
            raise BadTable(f"{path}: {error}") from None

    @classmethod
    def open(cls, path: Path, game: str | None = None) -> Book:
        """A book that exists; BadTable where the file is none, or one of another game."""
        if not path.is_file():
            raise BadTable(f"{path}: no such book")
        try:
            connection = sqlite3.connect(path)
            meta = dict(connection.execute("select name, value from meta"))
        except sqlite3.Error as error:
            raise BadTable(f"{path}: not a book ({error})") from None
        if meta.get("version") != str(_VERSION) or meta.get("game") not in registry.names():
            raise BadTable(f"{path}: not a book of version {_VERSION}")
        if game is not None and meta["game"] != game:
            raise BadTable(f"{path}: a book of {meta['game']}, not of {game}")
        return cls(connection, meta["game"])

    @classmethod
    def _new(cls, connection: sqlite3.Connection, game: str) -> Book:
        connection.executescript(_SCHEMA)
        rows = [("version", str(_VERSION)), ("game", game)]
        connection.executemany("insert into meta values (?, ?)", rows)
        connection.commit()
        return cls(connection, game)

    def commit(self) -> None:
        self._db.commit()

    def close(self) -> None:
        self._db.commit()
        self._db.close()

    def __enter__(self) -> Book:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- asking -----------------------------------------------------------------------------------

    def __len__(self) -> int:
        return int(self._db.execute("select count(*) from position").fetchone()[0])

    def key(self, position: Position) -> str:
        """The same for all images of a position."""
        return min(image.notation for image in (position, *position.images()))

    def __contains__(self, position: Position) -> bool:
        return self._row(position) is not None

    def _row(self, position: Position) -> Any:
        asked = "select games, points, backed_score, backed_value from position where key = ?"
        return self._db.execute(asked, (self.key(position),)).fetchone()

    def entries(self, position: Position) -> list[Entry]:
        """The moves of a position that lead to known positions: best value first, else most played."""
        entries = []
        for move in position.legal_moves:
            after = position.play(move)
            row = self._row(after)
            if row is None:
                continue
            games, points, score, value = row
            result = None
            if games:
                result = points / games if position.to_move == 0 else 1 - points / games
            # A forced pass gives the mover another turn.
            sign = 1 if after.to_move == position.to_move else -1
            if score is not None:
                score = sign * score
            if value is not None:
                value = value if sign == 1 else 1 - value
            entries.append(Entry(move, games, result, score, value))
        return sorted(entries, key=lambda entry: (entry.value is None, -(entry.value or 0.0), -entry.games))

    def choose(self, position: Position, rng: random.Random, most_loss: float = 0.02) -> str | None:
        """A book move to play: among moves about as good as the best, the oftener played the likelier. None
        where the book ends. Without analyzed values, moves that are hardly played or lost do not count."""
        entries = self.entries(position)
        valued = [entry for entry in entries if entry.value is not None]
        if valued:
            best = max(entry.value or 0.0 for entry in valued)
            kept = [entry for entry in valued if best - (entry.value or 0.0) <= most_loss]
        else:
            most = max((entry.games for entry in entries), default=0)
            kept = [e for e in entries if e.games >= max(2, most / 10) and (e.result or 0.0) >= 0.4]
        if not kept:
            return None
        return rng.choices(kept, [entry.games + 1 for entry in kept])[0].move

    def approves(self, position: Position, move: str, most_loss: float = 0.02) -> bool:
        """Whether a move, or a symmetric twin of it, is one that the book plays."""
        entries = {entry.move: entry for entry in self.entries(position)}
        entry = entries.get(move)
        if entry is None:
            return False
        values = [other.value for other in entries.values() if other.value is not None]
        if entry.value is not None:
            return max(values) - entry.value <= most_loss
        return entry.games >= 2

    # -- learning ---------------------------------------------------------------------------------

    def add_game(self, final: Position, result: float | None = None, most_plies: int = 20) -> int:
        """Counts a game's first positions; how many there were. `result` is the first side's, by default the
        one of the final position; a game without a result only adds positions."""
        if result is None:
            result = final.result
        position, count = final.start, 0
        for move in final.moves[:most_plies]:
            position = position.play(move)
            self._add(position, 0 if result is None else 1, result or 0.0)
            count += 1
        return count

    def _add(self, position: Position, games: int, points: float) -> None:
        self._db.execute(
            "insert into position (key, games, points) values (?, ?, ?) on conflict (key) do update set "
            "games = games + excluded.games, points = points + excluded.points",
            (self.key(position), games, points),
        )

    def prune(self, least_games: int) -> int:
        """Forgets positions that were played less often and not analyzed; how many there were."""
        asked = "delete from position where games < ? and value is null"
        return self._db.execute(asked, (least_games,)).rowcount

    def set_value(self, position: Position, score: float | None, value: float) -> None:
        """Writes down what an analysis said of a position, for its side to move."""
        self._add(position, 0, 0.0)
        self._db.execute(
            "update position set score = ?, value = ?, backed_score = ?, backed_value = ? where key = ?",
            (score, value, score, value, self.key(position)),
        )

    def unanalyzed(self) -> Iterator[Position]:
        """Positions at the edge of the book that have no value yet, the oftenest played first."""
        asked = "select key from position where value is null order by games desc"
        position_type = registry.get(self.game).position
        for (key,) in self._db.execute(asked).fetchall():
            position = position_type(key)
            if not position.is_over and not self.entries(position):
                yield position

    def analyze(self, judge: Callable[[Position], tuple[float | None, float]], most: int) -> int:
        """Asks `judge` for score and chance of winning of up to `most` positions at the edge; how many."""
        count = 0
        for position in self.unanalyzed():
            if count >= most:
                break
            self.set_value(position, *judge(position))
            count += 1
        self.back_up()
        return count

    def back_up(self) -> None:
        """Carries values from the edge of the book to its root: later positions first, where the game can
        tell which those are, and again until nothing changes."""
        info = registry.get(self.game)
        keys = [key for (key,) in self._db.execute("select key from position").fetchall()]
        positions = sorted((info.position(key) for key in keys), key=lambda position: position.remaining)
        for _ in range(_MOST_PASSES):
            news = sum(self._back_up_one(position) for position in positions)
            if not news:
                break
        self._db.commit()

    def _back_up_one(self, position: Position) -> bool:
        """Gives a position the value of its best known move; whether that is news."""
        best = next((entry for entry in self.entries(position) if entry.value is not None), None)
        if best is None:
            return False
        changed = "update position set backed_score = ?1, backed_value = ?2 where key = ?3 and "
        changed += "(backed_value is not ?2 or backed_score is not ?1)"
        done = self._db.execute(changed, (best.score, best.value, self.key(position)))
        return done.rowcount > 0
