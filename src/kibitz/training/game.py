"""A game of self-play as data: its moves, what the search thought at each of them, its result."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from kibitz.errors import BadRecord
from kibitz.fleet.log import LogKind
from kibitz.games import registry
from kibitz.games.base import Position


@dataclass(frozen=True)
class SearchedMove:
    """What a search found before a move was drawn from it; the same whoever played the game."""

    visits: Mapping[str, int]
    """Root visits per move; moves without a visit are left out."""
    values: Mapping[str, float]
    """The values of these moves for the side to move, from 0 to 1."""
    value: float
    """The root's value for the side to move, from 0 to 1."""
    policy: Mapping[str, float] | None = None
    """The policy the search teaches, where that is more than the shares of its visits."""
    full: bool = True
    """Whether it had the whole budget (see `SelfplaySettings.fast_visits`)."""

    @classmethod
    def of(
        cls, entries: Iterable[tuple[str, int, float, float]], value: float, teaches_policy: bool, full: bool
    ) -> SearchedMove:
        """Of (move, visits, value, share of the policy) of each root move, rounded as in files."""
        entries = list(entries)
        visited = [entry for entry in entries if entry[1]]
        return cls(
            {entry[0]: entry[1] for entry in visited},
            {entry[0]: round(entry[2], 4) for entry in visited},
            round(value, 4),
            {entry[0]: round(entry[3], 6) for entry in entries} if teaches_policy else None,
            full,
        )


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
    resigned: int | None = None
    """The side that gave up, or would have if the game had not been played out; None where nobody did."""
    resigned_ply: int | None = None
    played_out: bool = False

    @property
    def falsely_resigned(self) -> bool | None:
        """Whether the side that would have resigned did not lose; None where the game cannot tell."""
        if not self.played_out or self.resigned is None or self.result is None:
            return None
        return self.result != (0.0 if self.resigned == 0 else 1.0)

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
        fields = {
            "game": self.id,
            "name": self.game,
            "start": self.start,
            "opening": self.opening,
            "eco": self.eco,
            "moves": list(self.moves),
            "result": self.result,
            "searches": [item and _search_dict(item) for item in self.searches],
        }
        if self.resigned is not None or self.played_out:
            fields |= {
                "resigned": self.resigned,
                "resigned_ply": self.resigned_ply,
                "played_out": self.played_out,
            }
        return fields

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
            *_resignation(fields),
        )


def _search_dict(search: SearchedMove) -> dict[str, Any]:
    data = {"value": search.value, "visits": dict(search.visits), "values": dict(search.values)}
    if search.policy is not None:
        data["policy"] = dict(search.policy)
    if not search.full:
        data["full"] = False
    return data


def _resignation(fields: Mapping[str, Any]) -> tuple[int | None, int | None, bool]:
    side, ply, played_out = (
        fields.get("resigned"),
        fields.get("resigned_ply"),
        fields.get("played_out", False),
    )
    if side not in (None, 0, 1) or not isinstance(ply, (int, type(None))) or not isinstance(played_out, bool):
        raise BadRecord("fields 'resigned', 'resigned_ply' and 'played_out' do not fit together")
    return side, ply, played_out


def _search(fields: Any) -> SearchedMove | None:
    if fields is None:
        return None
    if not isinstance(fields, dict) or not isinstance(fields.get("value"), (int, float)):
        raise BadRecord("field 'searches' must hold a value as a number")
    for name, kinds in (("visits", int), ("values", (int, float))):
        numbers = fields.get(name)
        if not isinstance(numbers, dict) or not all(isinstance(item, kinds) for item in numbers.values()):
            raise BadRecord(f"field 'searches' must hold {name} as numbers")
    policy, full = fields.get("policy"), fields.get("full", True)
    if not isinstance(full, bool) or (
        policy is not None
        and not (isinstance(policy, dict) and all(isinstance(share, float) for share in policy.values()))
    ):
        raise BadRecord("field 'searches' must hold a policy as numbers")
    return SearchedMove(fields["visits"], fields["values"], float(fields["value"]), policy, full)


#: The log of a run of self-play.
GAMES = LogKind("kibitz-selfplay", 1, "self-play run", "game", PlayedGame.to_dict, PlayedGame.from_dict)
