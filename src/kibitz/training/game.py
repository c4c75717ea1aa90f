"""A game of self-play as data: its moves, what the search thought at each of them, its result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kibitz.errors import BadRecord
from kibitz.fleet import LogKind
from kibitz.games import registry
from kibitz.games.base import Position

__all__ = ["GAMES", "PlayedGame", "SearchedMove"]


@dataclass(frozen=True)
class SearchedMove:
    """What a search found before a move was drawn from it."""

    visits: Mapping[str, int]
    """Root visits per move; moves without a visit are left out."""
    values: Mapping[str, float]
    """The values of these moves for the side to move, from 0 to 1."""
    value: float
    """The root's value for the side to move, from 0 to 1."""


@dataclass(frozen=True)
class PlayedGame:
    """A game that was played; the same number and settings always give the same game."""

    id: int
    game: str
    start: str | None
    """The notation of the first position, None for the game's own start."""
    moves: tuple[str, ...]
    searches: tuple[SearchedMove | None, ...]
    """One for each move; None where the opening gave the move."""
    result: float | None
    """The first side's: 1, 0.5, 0; None when the game was broken off."""
    opening: str = ""
    eco: str = ""

    @property
    def opening_plies(self) -> int:
        """How many of the moves the opening gave."""
        return sum(search is None for search in self.searches)

    def position(self, ply: int | None = None) -> Position:
        """The position after so many moves, all of them by default."""
        start = registry.get(self.game).position(self.start)
        return start.play(*(self.moves if ply is None else self.moves[:ply]))

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        searches = [
            item and {"value": item.value, "visits": dict(item.visits), "values": dict(item.values)}
            for item in self.searches
        ]
        return {
            "game": self.id,
            "name": self.game,
            "start": self.start,
            "opening": self.opening,
            "eco": self.eco,
            "moves": list(self.moves),
            "result": self.result,
            "searches": searches,
        }

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any]) -> PlayedGame:
        """The game of one line of a log; raises BadRecord naming the field that is missing or wrong."""
        moves, searches = fields.get("moves"), fields.get("searches")
        if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
            raise BadRecord("field 'moves' must be a list of texts")
        if not isinstance(searches, list) or len(searches) != len(moves):
            raise BadRecord("field 'searches' must have an entry for each move")
        texts: dict[str, Any] = {}
        for name, kinds in (("name", str), ("start", (str, type(None))), ("opening", str), ("eco", str)):
            texts[name] = fields.get(name)
            if name not in fields or not isinstance(texts[name], kinds):
                raise BadRecord(f"field {name!r} is missing or wrong")
        if "result" not in fields or fields["result"] not in (0, 0.5, 1, None):
            raise BadRecord("field 'result' must be 0, 0.5, 1 or null")
        if not isinstance(fields.get("game"), int) or fields["game"] < 0:
            raise BadRecord("field 'game' must be a number")
        return cls(
            fields["game"],
            texts["name"],
            texts["start"],
            tuple(moves),
            tuple(map(_search, searches)),
            fields["result"],
            texts["opening"],
            texts["eco"],
        )


def _search(fields: Any) -> SearchedMove | None:
    if fields is None:
        return None
    if not isinstance(fields, dict) or not isinstance(fields.get("value"), (int, float)):
        raise BadRecord("field 'searches' must hold a value as a number")
    for name, kinds in (("visits", int), ("values", (int, float))):
        numbers = fields.get(name)
        if not isinstance(numbers, dict) or not all(isinstance(item, kinds) for item in numbers.values()):
            raise BadRecord(f"field 'searches' must hold {name} as numbers")
    return SearchedMove(fields["visits"], fields["values"], float(fields["value"]))


#: The log of a run of self-play.
GAMES = LogKind("kibitz-selfplay", 1, "self-play run", "game", PlayedGame.to_dict, PlayedGame.from_dict)
