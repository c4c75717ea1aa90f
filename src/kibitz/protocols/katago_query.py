"""KataGo's analysis queries: from a JSON object to positions with their steering and budget.

What KataGo refuses is refused with its words, so that programs that look for them find them.
"""

from __future__ import annotations

import contextlib
import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from kibitz.errors import BadOption, BadPosition, BadSteering, IllegalMove
from kibitz.games.go import Position
from kibitz.games.go import rules as rule_sets
from kibitz.games.go.position import COLUMNS
from kibitz.human import Plausible
from kibitz.protocols.katago_settings import Settings
from kibitz.questions import Question, make_questions
from kibitz.steering import Restriction, Steering

MOST = 2**50
_PAIRS = 'Must be an array of pairs of the form: ["b" or "w", GTP board vertex]'
_RESTRICTIONS = "Must be a list of dicts with subfields 'player', 'moves', 'untilDepth'"
_INCLUDES = "Must be a list of dicts with subfields 'turnNumber', 'player', 'moves'"
_ENTRY = {"turnNumber", "player", "moves", "minVisits", "humanPolicyAbove"}
_COORDINATES = re.compile(r"\(\s*(\d{1,2})\s*,\s*(\d{1,2})\s*\)", re.ASCII)
_RULES = (
    'Must specify rules string, such as "chinese" or "tromp-taylor", '
    "or a JSON object with detailed rules parameters."
)
_NAMES = ("Black", "White")
_FLAGS = {
    "includeOwnership": "ownership",
    "includeOwnershipStdev": "ownership_stdev",
    "includeMovesOwnership": "moves_ownership",
    "includeMovesOwnershipStdev": "moves_ownership_stdev",
    "includePolicy": "policy",
    "includePVVisits": "pv_visits",
    "includeNoResultValue": "no_result",
}
#: Every field a query may have.
FIELDS = frozenset(
    {
        "id", "action", "moves", "initialStones", "initialPlayer", "rules", "komi", "whiteHandicapBonus",
        "boardXSize", "boardYSize", "analyzeTurns", "maxVisits", "rootPolicyTemperature",
        "rootFpuReductionMax", "analysisPVLen", "avoidMoves", "allowMoves", "overrideSettings",
        "reportDuringSearchEvery", "firstReportDuringSearchAfter", "priority", "priorities", "includeMoves",
        "includeMovesMinVisits", "includeMovesInRootValue", "ask", *_FLAGS,
    }
)  # fmt: skip


class Problem(Exception):
    """A query that cannot be carried out: the field and KataGo's sentence for it."""

    def __init__(self, field: str, text: str) -> None:
        super().__init__(text)
        self.field = field
        self.text = text


@dataclass(frozen=True)
class Job:
    """One position of a query."""

    id: str
    turn: int
    position: Position
    settings: Settings
    steering: Steering
    priority: int = 0
    every: float | None = None
    first_after: float | None = None
    wants: frozenset[str] = field(default_factory=frozenset)


Warnings = list[tuple[str, str]]


class Include(NamedTuple):
    """An entry of includeMoves."""

    player: int
    #: The moves with their minimum.
    moves: list[tuple[str, int]]
    #: What a person would play, where humanPolicyAbove asks for it.
    plausible: Plausible | None


Includes = dict[int, list[Include]]


def parse_query(query: Mapping[str, Any], defaults: Settings) -> tuple[list[Job], Warnings]:
    """The jobs of a query, and warnings as (field, text). Raises Problem for what cannot be done."""
    return _Reader(query, defaults).jobs()


class _Reader:
    def __init__(self, query: Mapping[str, Any], defaults: Settings) -> None:
        self.query = query
        self.settings = defaults.copy()
        self.warnings: Warnings = []
        self.size = (self._size("boardXSize"), self._size("boardYSize"))
        self.vertices = Position(self.size)  # knows which points this board has

    # -- single values ----------------------------------------------------------------------------

    def _size(self, name: str) -> int:
        return self.whole(self.query, name, 2, 19, "Must provide an integer from 2 to 19", required=True)

    def whole(
        self, where: Mapping[str, Any], name: str, least: int, most: int, text: str, required: bool = False
    ) -> int:
        value = where.get(name)
        if value is None and name not in where and not required:
            return least
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise Problem(name, text)
        return value

    def number(self, name: str, least: float, most: float, text: str) -> float | None:
        if name not in self.query:
            return None
        value = self.query[name]
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise Problem(name, text)
        if not math.isfinite(value) or not least <= value <= most:
            raise Problem(name, text)
        return float(value)

    def player(self, where: Mapping[str, Any], name: str) -> int:
        value = where.get(name)
        if isinstance(value, str) and value.lower() in ("b", "black", "w", "white"):
            return 0 if value.lower().startswith("b") else 1
        raise Problem(name, 'Must be "b" or "w"')

    def vertex(self, name: str, value: Any, text: str, passing: bool = True) -> str:
        if not isinstance(value, str):
            raise Problem(name, text)
        shown, value = value, self.plain(value.strip())
        try:
            move = self.vertices.state.parse_move(value)
        except ValueError:
            raise Problem(name, f"Could not parse board location: {shown}") from None
        plain = str(self.vertices.state.move_text(move))
        if ":" in value or "!" in value or (plain == "pass" and not passing):
            raise Problem(name, f"Could not parse board location: {shown}")
        return plain

    def plain(self, value: str) -> str:
        """A point given as (column, row), both from 0 at the top left, by its usual name."""
        pair = _COORDINATES.fullmatch(value)
        if not pair or not (int(pair[1]) < self.size[0] and int(pair[2]) < self.size[1]):
            return value
        return f"{COLUMNS[int(pair[1])]}{self.size[1] - int(pair[2])}"

    def moves(self, name: str, passing: bool) -> list[tuple[int, str]]:
        given = self.query.get(name, [])
        if not isinstance(given, list):
            raise Problem(name, _PAIRS)
        moves_of_sides = []
        for pair in given:
            if not isinstance(pair, list) or len(pair) != 2 or not all(isinstance(x, str) for x in pair):
                raise Problem(name, _PAIRS)
            if pair[0].lower() not in ("b", "black", "w", "white"):
                raise Problem(name, f"Could not parse player: {pair[0]}")
            side = 0 if pair[0].lower().startswith("b") else 1
            moves_of_sides.append((side, self.vertex(name, pair[1], _PAIRS, passing)))
        return moves_of_sides

    # -- the position -----------------------------------------------------------------------------

    def start(self, moves: list[tuple[int, str]]) -> Position:
        stones = self.moves("initialStones", passing=False)
        seen: dict[str, int] = {}
        for side, vertex in stones:
            if seen.setdefault(vertex, side) != side:
                raise Problem("initialStones", f"Stones of both colors at {vertex}")
        if "initialPlayer" in self.query:
            first = self.player(self.query, "initialPlayer")
        elif moves:
            first = moves[0][0]
        else:
            handicap = len(seen) >= 2 and set(seen.values()) == {0}
            first = 1 if handicap else 0
        rules = self.rules()
        komi = self.number("komi", -400, 400, "Must be a integer or half-integer from -400.0 to 400.0")
        if komi is not None and komi * 2 != round(komi * 2):
            raise Problem("komi", "Must be a integer or half-integer from -400.0 to 400.0")
        try:
            return Position(
                self.size,
                rules=rules,
                komi=komi,
                black=[vertex for vertex, side in seen.items() if side == 0],
                white=[vertex for vertex, side in seen.items() if side == 1],
                to_move="bw"[first],
            )
        except BadPosition as error:
            raise Problem("initialStones", f"Stones without liberties: {error}") from None

    def rules(self) -> str:
        given = self.query.get("rules")
        if not isinstance(given, (str, dict)):
            raise Problem("rules", _RULES)
        if isinstance(given, str) and given.lstrip().startswith("{"):
            with contextlib.suppress(ValueError, RecursionError):
                given = json.loads(given)
        if isinstance(given, dict) and "komi" in given and "komi" not in self.query:
            self.query = {**self.query, "komi": given["komi"]}
        try:
            rules = rule_sets.to_text(given)
        except BadPosition:
            shown = given if isinstance(given, str) else str(given)
            raise Problem("rules", f"Could not parse rules: {shown[:200]}") from None
        if "whiteHandicapBonus" in self.query:
            bonus = self.query["whiteHandicapBonus"]
            if not isinstance(bonus, str):
                raise Problem("whiteHandicapBonus", "Must be a string")
            try:
                rules = rule_sets.with_field(rules, "whiteHandicapBonus", bonus)
            except BadPosition as error:
                raise Problem("whiteHandicapBonus", str(error)) from None
        return rules

    def turns(self, count: int) -> tuple[list[int], dict[int, int]]:
        given = self.query.get("analyzeTurns", [count])
        whole = isinstance(given, list) and all(isinstance(t, int) and not isinstance(t, bool) for t in given)
        if not whole:
            raise Problem("analyzeTurns", "Must specify an array of integers indicating turns to analyze")
        for turn in given:
            if not 0 <= turn <= count:
                raise Problem("analyzeTurns", f"Invalid turn number: {turn}")
        priorities: dict[int, int] = {}
        if "priorities" in self.query:
            ranks = self.query["priorities"]
            numbers = isinstance(ranks, list) and all(
                isinstance(r, int) and not isinstance(r, bool) for r in ranks
            )
            if not numbers:
                raise Problem("priorities", "Must specify an array of integers indicating priorities")
            if "analyzeTurns" not in self.query:
                raise Problem("priorities", "Can only specify when also specifying analyzeTurns")
            if len(ranks) != len(given):
                raise Problem("priorities", "Must be of matching length to analyzeTurns")
            if "priority" in self.query:
                raise Problem("priority", "Cannot specify both priority and priorities")
            priorities = dict(zip(given, ranks, strict=True))
        return sorted(set(given)), priorities

    # -- how to search ----------------------------------------------------------------------------

    def read_settings(self) -> None:
        settings, query = self.settings, self.query
        if "overrideSettings" in query:
            given = query["overrideSettings"]
            if not isinstance(given, dict):
                raise Problem("overrideSettings", "Must be an object")
            try:
                unknown = settings.apply(given)
            except BadOption as error:
                raise Problem("overrideSettings", f"Could not set settings: {error}") from None
            if unknown:
                self.warnings.append(("overrideSettings", f"Unknown config params: {','.join(unknown)}"))
            self.warnings += [("overrideSettings", note) for note in settings.without_effect(given)]
        if "maxVisits" in query:
            text = "Must be an integer from 1 to 2^50"
            settings.max_visits = self.whole(query, "maxVisits", 1, MOST, text)
        if "analysisPVLen" in query:
            text = "Must be an integer from 1 to 1000"
            settings.pv_length = self.whole(query, "analysisPVLen", 1, 1000, text)
        reduction = self.number("rootFpuReductionMax", 0.0, 2.0, "Must be a number from 0.0 to 2.0")
        if reduction is not None:
            settings.options["fpu_reduction_root"] = reduction
        heat = self.number("rootPolicyTemperature", 0.01, 100.0, "Must be a number from 0.01 to 100.0")
        if heat is not None:
            settings.options["root_temperature"] = heat
        if self.flag("includeMovesInRootValue"):
            settings.options["guaranteed_in_root_value"] = True

    def flag(self, name: str) -> bool:
        value = self.query.get(name, False)
        if not isinstance(value, bool):
            raise Problem(name, "Must be a boolean")
        return value

    def restrictions(self) -> tuple[tuple[Restriction, ...], tuple[Restriction, ...]]:
        if "allowMoves" in self.query and "avoidMoves" in self.query:
            raise Problem("allowMoves", "Cannot specify both allowMoves and avoidMoves")
        restrictions = {
            "allowMoves": self.restriction("allowMoves"),
            "avoidMoves": self.restriction("avoidMoves"),
        }
        allowed = restrictions["allowMoves"]
        if len(allowed) > 2:
            raise Problem("allowMoves", "Currently allowMoves only allows at most one entry per player")
        if len({rule.side for rule in allowed}) < len(allowed):
            raise Problem("allowMoves", "Cannot specify allowMoves more than once for the same player")
        return allowed, restrictions["avoidMoves"]

    def restriction(self, name: str) -> tuple[Restriction, ...]:
        given = self.query.get(name, [])
        if not isinstance(given, list):
            raise Problem(name, _RESTRICTIONS)
        rules = []
        for entry in given:
            if not isinstance(entry, dict) or not {"moves", "untilDepth", "player"} <= set(entry):
                raise Problem(name, _RESTRICTIONS)
            side = self.player(entry, "player")
            moves = self.vertices_of(entry, "moves")
            depth = self.whole(entry, "untilDepth", 1, 10**9, "Must be a positive integer")
            rules.append(Restriction(tuple(moves), side, depth))
        return tuple(rules)

    def vertices_of(self, entry: Mapping[str, Any], name: str) -> list[str]:
        """The moves of an entry; `name` is the field that problems are reported for."""
        text = "Must be an array of GTP board vertices"
        if not isinstance(entry.get("moves"), list):
            raise Problem(name, text)
        return [self.vertex(name, item, text) for item in entry["moves"]]

    def questions(self) -> tuple[Question, ...]:
        """The field `ask`: what is asked about every analyzed turn."""
        try:
            return make_questions(self.query.get("ask"))
        except BadSteering as error:
            raise Problem("ask", str(error)) from None

    def includes(self) -> Includes:
        """By turn, the entries of includeMoves."""
        given = self.query.get("includeMoves", [])
        if not isinstance(given, list):
            raise Problem("includeMoves", _INCLUDES)
        text = "Must be an integer from 1 to 2^50"
        minimum = self.whole(self.query, "includeMovesMinVisits", 1, MOST, text)
        includes: Includes = {}
        for entry in given:
            if isinstance(entry, dict) and "humanPolicyAbove" in entry:
                entry = {"moves": [], **entry}
            if not isinstance(entry, dict) or not {"turnNumber", "player", "moves"} <= set(entry):
                raise Problem("includeMoves", _INCLUDES)
            turn = self.whole(entry, "turnNumber", 0, 10**9, "Must be a non-negative integer")
            player, moves = self.player(entry, "player"), self.vertices_of(entry, "includeMoves")
            least = dict.fromkeys(moves, minimum)
            for name in sorted(set(entry) - _ENTRY):
                self.warnings.append(
                    ("includeMoves", f"Unexpected or unused field '{name}' of an entry, do you have a typo?")
                )
            given_least = entry.get("minVisits", minimum)
            if isinstance(given_least, dict):
                for vertex in given_least:
                    plain = self.vertex("includeMoves", vertex, _INCLUDES)
                    if plain not in least:
                        note = f"minVisits names {plain}, which is not among the moves of its entry"
                        self.warnings.append(("includeMoves", note))
                    least[plain] = self.whole(given_least, vertex, 1, MOST, text)
            elif "minVisits" in entry:
                least = dict.fromkeys(moves, self.whole(entry, "minVisits", 1, MOST, text))
            wanted = [(vertex, least[vertex]) for vertex in moves]
            includes.setdefault(turn, []).append(
                Include(player, wanted, self.plausible(entry, minimum, text))
            )
        return includes

    def plausible(self, entry: Mapping[str, Any], minimum: int, text: str) -> Plausible | None:
        """What an entry asks for by humanPolicyAbove."""
        if "humanPolicyAbove" not in entry:
            return None
        share = entry["humanPolicyAbove"]
        if isinstance(share, bool) or not isinstance(share, (int, float)) or not 0 <= share <= 1:
            raise Problem("includeMoves", "humanPolicyAbove must be a number from 0.0 to 1.0")
        each = minimum
        if "minVisits" in entry and not isinstance(entry["minVisits"], dict):
            each = self.whole(entry, "minVisits", 1, MOST, text)
        return Plausible(share, min_visits=each)

    def included(
        self, turn: int, position: Position, includes: Includes
    ) -> tuple[dict[str, int], Plausible | None]:
        """The guaranteed moves of a turn, as far as they are the mover's."""
        wanted: dict[str, int] = {}
        plausible: Plausible | None = None
        for player, moves, people in includes.get(turn, ()):
            if player == position.to_move:
                self._include(turn, moves, wanted)
                plausible = people or plausible
                continue
            expected, given = _NAMES[position.to_move], _NAMES[player]
            self.warnings.append(
                (
                    "includeMoves",
                    f"Turn {turn} expects player {expected} but includeMoves specified {given}, "
                    "ignoring includeMoves for this turn",
                )
            )
        return wanted, plausible

    def _include(self, turn: int, moves: list[tuple[str, int]], wanted: dict[str, int]) -> None:
        for vertex, minimum in moves:
            if vertex in wanted:
                self.warnings.append(("includeMoves", f"Turn {turn}: {vertex} is given twice, counted once"))
            wanted.setdefault(vertex, minimum)

    # -- all together -----------------------------------------------------------------------------

    def jobs(self) -> tuple[list[Job], Warnings]:
        query = self.query
        if "moves" not in query:
            raise Problem("moves", "Must specify an array of [player,location] pairs")
        moves = self.moves("moves", passing=True)
        turns, priorities = self.turns(len(moves))
        position = self.start(moves)
        self.read_settings()
        allow, avoid = self.restrictions()
        includes, questions = self.includes(), self.questions()
        wants = frozenset(word for name, word in _FLAGS.items() if self.flag(name))
        often = "Must be number of seconds from 0.001 to 1000000.0"
        every = self.number("reportDuringSearchEvery", 0.001, 1e6, often)
        first = self.number("firstReportDuringSearchAfter", 0.001, 1e6, often)
        rank = 0
        if "priority" in query:
            rank = self.whole(query, "priority", -(2**62), 2**62, "Must be a number between -2^62 and 2^62")
        if self.settings.warn_unused:
            for name in query:
                if name not in FIELDS:
                    self.warnings.append(
                        (
                            name,
                            "Unexpected or unused field, do you have a typo? "
                            "(set warnUnusedFields=false in the config to disable this warning)",
                        )
                    )
        for turn in sorted(set(includes) - set(turns)):
            why = (
                "is not analyzed"
                if turn <= len(moves)
                else f"does not exist, the game has {len(moves)} moves"
            )
            self.warnings.append(("includeMoves", f"Turn {turn} {why}, ignoring includeMoves for this turn"))
        jobs = []
        for turn in range(len(moves) + 1):
            if turn in turns:
                at = position.resumed() if position.is_over else position
                doubling = self.settings.doubling if at.to_move == 0 else -self.settings.doubling
                at = at.for_search(doubling, self.settings.conservative_pass)
                include, people = self.included(turn, at, includes)
                steering = Steering(allow, avoid, include, plausible=people, ask=questions)
                steering = self.settings.against_mirror(steering, at)
                jobs.append(
                    Job(
                        str(query["id"]),
                        turn,
                        at,
                        self.settings,
                        steering,
                        priorities.get(turn, rank),
                        every,
                        first,
                        wants,
                    )
                )
            if turn < len(moves):
                position = self.played(position, turn, *moves[turn])
        return jobs, self.warnings

    def played(self, position: Position, turn: int, side: int, vertex: str) -> Position:
        """As KataGo reads records: what other rules allow is tolerated, and a game goes on after passes."""
        text = f"{'BW'[side]}:{vertex}"
        try:
            if vertex == "pass" and not position.is_over:
                return position.play(f"{text}!")
            return position.play(text if position.accepts(text) else f"{text}!")
        except IllegalMove:
            raise Problem("moves", f"Illegal move {turn}: {vertex}") from None
