"""Replays the evidence of Go's facts on sgfmill's board; shares no code with the extractor."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from sgfmill import boards, common

import kibitz

Point = tuple[int, int]
_OTHER = {"b": "w", "w": "b"}
_SIDES = {"b": "black", "w": "white"}


class _Replay:
    """A board that knows chains and liberties, and what its last move took."""

    def __init__(self, position: kibitz.go.Position) -> None:
        columns, rows = position.size
        assert columns == rows, "sgfmill has square boards"
        self.board = boards.Board(rows)
        stones = [
            (x, y, stone)
            for y, row in enumerate(position.stones)
            for x, stone in enumerate(row)
            if stone != "."
        ]
        self.board.apply_setup(
            [(rows - 1 - y, x) for x, y, stone in stones if stone == "X"],
            [(rows - 1 - y, x) for x, y, stone in stones if stone == "O"],
            [],
        )
        self.mover = "b" if position.mover == "black" else "w"
        self.before = self.board.copy()
        self.taken: set[Point] = set()

    def play(self, vertex: str, colour: str | None = None) -> None:
        colour = colour or self.mover
        self.before, self.mover = self.board.copy(), _OTHER[colour]
        point = at(vertex, self.board.side)
        if point is None:
            self.taken = set()
            return
        self.board.play(*point, colour)
        foe = _OTHER[colour]
        self.taken = {
            p for p in every(self.before) if self.before.get(*p) == foe and self.board.get(*p) is None
        }


def at(vertex: str, size: int) -> Point | None:
    point: Point | None = common.move_from_vertex(vertex, size)
    return point


def every(board: Any) -> Iterator[Point]:
    return ((row, column) for row in range(board.side) for column in range(board.side))


def beside(board: Any, point: Point) -> list[Point]:
    row, column = point
    near = [(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)]
    return [(a, b) for a, b in near if 0 <= a < board.side and 0 <= b < board.side]


def chain(board: Any, point: Point) -> tuple[set[Point], set[Point]]:
    """The stones that are connected, and their liberties."""
    colour, stones, liberties, todo = board.get(*point), {point}, set(), [point]
    while todo:
        for near in beside(board, todo.pop()):
            if board.get(*near) is None:
                liberties.add(near)
            elif board.get(*near) == colour and near not in stones:
                stones.add(near)
                todo.append(near)
    return stones, liberties


def escapes(board: Any, prey: Point, attacker: str, to_move: str, depth: int = 0) -> bool:
    """Whether a chain gets away from ataris: plain reading to the end, every way out tried."""
    stones, liberties = chain(board, prey)
    if to_move == attacker:
        if len(liberties) > 2 or depth > 120:
            return True
        if len(liberties) == 1:
            return False
        for liberty in liberties:
            after = _after(board, liberty, attacker)
            if after is not None and not escapes(after, prey, attacker, _OTHER[attacker], depth + 1):
                return False
        return True
    if len(liberties) > 1:
        return True
    tries = set(liberties)
    for stone in stones:
        for near in beside(board, stone):
            if board.get(*near) == attacker:
                _, theirs = chain(board, near)
                if len(theirs) == 1:
                    tries |= theirs
    for move in tries:
        after = _after(board, move, _OTHER[attacker])
        if after is not None and escapes(after, prey, attacker, attacker, depth + 1):
            return True
    return False


def _after(board: Any, move: Point, colour: str) -> Any:
    """None where it would be suicide."""
    after = board.copy()
    after.play(*move, colour)
    return after if after.get(*move) == colour else None


def problems(why: kibitz.Explanation, before: Any = None, after: Any = None) -> list[str]:
    """What is false about the facts of an explanation; `before` and `after` are its reports."""
    found = []
    for fact in why.facts:
        check = CHECKS.get(fact.code)
        said = "no check" if check is None else check(_Case(why, fact, before, after))
        if said:
            found.append(f"{why.position.notation} {why.line}: {fact}: {said}")
    return found


class _Case:
    def __init__(self, why: kibitz.Explanation, fact: kibitz.Fact, before: Any, after: Any) -> None:
        assert isinstance(why.position, kibitz.go.Position)
        self.why, self.fact, self.before, self.after = why, fact, before, after
        self.replay = _Replay(why.position)
        self.start = self.replay.board.copy()
        self.size = self.replay.board.side
        self.first = self.replay.mover
        for vertex in fact.evidence.line:
            self.replay.play(vertex)
        self.places = [point for name in fact.evidence.places if (point := at(name, self.size))]
        self.move = at(fact.parameters["move"], self.size)

    @property
    def maker(self) -> str:
        """Who played the move of the fact."""
        return self.first if self.fact.ply % 2 == 0 else _OTHER[self.first]

    def point(self, name: str) -> Point:
        point = at(str(self.fact.parameters[name]), self.size)
        assert point is not None
        return point

    def points(self, name: str) -> list[Point]:
        return [point for text in self.fact.parameters[name] if (point := at(text, self.size))]

    def owned(self, report: Any, points: Sequence[Point]) -> list[float]:
        """Black's ownership of points, of a report or of the playouts that stand in for it."""
        owners = report.root.ownership
        return [owners[(self.size - 1 - row) * self.size + column] for row, column in points]


def _capture(case: _Case) -> str:
    wanted = set(case.points("places"))
    count = case.fact.parameters["stones"]
    if case.replay.taken != wanted or len(wanted) != count:
        return f"takes {case.replay.taken}"
    return "" if case.fact.side == _SIDES[case.maker] else "side"


def _ko(case: _Case) -> str:
    assert case.move
    stones, liberties = chain(case.replay.board, case.move)
    fine = len(stones) == 1 and liberties == {case.point("place")} == case.replay.taken
    return "" if fine else "no ko"


def _ko_threat(case: _Case) -> str:
    line = case.fact.evidence.line
    fine = (
        len(line) == 3
        and line[0] == case.fact.parameters["move"]
        and line[1] == case.fact.parameters["reply"]
        and at(line[2], case.size) == case.point("place")
        and len(case.replay.taken) == 1
    )
    return "" if fine else "the ko is not retaken"


def _atari(case: _Case) -> str:
    places, last = set(case.points("places")), set(case.points("liberties"))
    chains = 0
    while places:
        stones, liberties = chain(case.replay.board, next(iter(places)))
        old = chain(case.replay.before, next(iter(stones)))[1]
        if not stones <= places or len(liberties) != 1 or not liberties <= last or len(old) < 2:
            return "no atari"
        places -= stones
        chains += 1
    return "" if (chains > 1) == (case.fact.code == "doubleAtari") else f"{chains} chains"


def _self_atari(case: _Case) -> str:
    assert case.move
    stones, liberties = chain(case.replay.board, case.move)
    fine = liberties == {case.point("liberty")} and len(stones) == case.fact.parameters["stones"]
    return "" if fine and case.fact.side == _SIDES[_OTHER[case.maker]] else "no self-atari"


def _apart(case: _Case, colour: str) -> str:
    """Two chains beside the move that shared no other liberty."""
    assert case.move
    one, two = (chain(case.replay.before, point) for point in case.points("places"))
    if any(case.replay.before.get(*point) != colour for point in case.points("places")):
        return "colour"
    if one[0] & two[0] or one[1] & two[1] != {case.move}:
        return "they are joined elsewhere"
    return ""


def _cut(case: _Case) -> str:
    return _apart(case, _OTHER[case.maker])


def _connection(case: _Case) -> str:
    joined = {frozenset(chain(case.replay.board, point)[0]) for point in case.points("places")}
    return _apart(case, case.maker) or ("" if len(joined) == 1 else "not joined")


def _ladder(case: _Case) -> str:
    prey = set(case.points("places"))
    attacker = case.first if case.fact.code == "ladder" else _OTHER[case.first]
    if not any(point in case.replay.taken for point in prey):
        return "the line does not capture"
    board = _Replay(case.why.position)
    first = case.fact.evidence.line[0]
    board.play(first)
    to_move = _OTHER[case.first]
    if escapes(board.board, next(iter(prey)), attacker, to_move):
        return "it gets away"
    return "" if case.fact.side == _SIDES[attacker] else "side"


def _group(case: _Case) -> str:
    numbers, code = case.fact.evidence.numbers, case.fact.code
    colours = {case.start.get(*point) for point in case.places}
    if len(colours) != 1 or None in colours or len(case.places) != numbers["stones"]:
        return "not stones of one colour"
    (colour,) = colours
    assert colour is not None
    sign = 1 if colour == "b" else -1
    was, now = (
        sum(sign * value for value in case.owned(report, case.places)) / len(case.places)
        for report in (case.before, case.after)
    )
    if abs(was - numbers["before"]) > 0.002 or abs(now - numbers["after"]) > 0.002:
        return f"ownership {was:.3f} {now:.3f}"
    own = colour == case.first
    dies = code in ("groupDies", "groupKilled")
    if code == "groupEndangered":
        if not (was >= 0.09 and was - now >= 0.34):
            return "not endangered"
        dies = True
    elif (code in ("groupDies", "groupSettled")) != own:
        return "whose group"
    elif (dies and not (was >= -0.01 and now <= -0.3)) or (not dies and not (was <= 0.01 and now >= 0.45)):
        return "its fate does not change"
    winner = _OTHER[colour] if dies else colour
    values = case.fact.sentence.values if case.fact.sentence else {}
    if values.get("before") != round(50 * (1 + was)) or values.get("after") != round(50 * (1 + now)):
        return "the sentence's figures"
    return "" if case.fact.side == _SIDES[winner] else "side"


def _region(case: _Case) -> str:
    sign = 1 if case.fact.side == "black" else -1
    change = sum(
        sign * (b - a)
        for a, b in zip(
            case.owned(case.before, case.places), case.owned(case.after, case.places), strict=True
        )
    )
    if (
        abs(change - case.fact.evidence.numbers["gross"]) > 0.1
        or case.fact.parameters["points"] > change + 0.1
    ):
        return f"changes by {change:.2f}"
    for row, column in case.places:
        y, x = 3 * (case.size - 1 - row) // case.size, 3 * column // case.size
        name = (("upperLeft", "top", "upperRight"), ("left", "centre", "right"),
                ("lowerLeft", "bottom", "lowerRight"))[y][x]  # fmt: skip
        if name != case.fact.parameters["region"]:
            return f"{row},{column} is {name}"
    grows = case.fact.parameters["grows"]
    return "" if grows == (case.fact.side == case.fact.parameters["owner"]) else "who gains"


def _endgame(case: _Case) -> str:
    leads = {info.move: info.lead for info in case.before.moves}
    change = leads[case.fact.parameters["move"]] - leads[case.fact.parameters["other"]]
    return "" if abs(change - case.fact.parameters["points"]) < 0.06 else f"{change:.2f}"


def _dame(case: _Case) -> str:
    assert case.move
    near = beside(case.start, case.move)
    if {case.start.get(*point) for point in near} != {"b", "w"}:
        return "not between both colours"
    settled = all(
        value * (1 if case.start.get(*point) == "b" else -1) >= 0.79
        for report in (case.before, case.after)
        for point, value in zip(near, case.owned(report, near), strict=True)
    )
    return "" if settled and not case.replay.taken else "not settled"


def _tempo(case: _Case) -> str:
    points = [at(vertex, case.size) for vertex in case.fact.evidence.line]
    if None in points:
        return "a pass"
    (a, b), (c, d) = points[:2]  # type: ignore[misc]
    away = abs(a - c) + abs(b - d)
    if away != case.fact.evidence.numbers["distance"]:
        return f"distance {away}"
    if case.fact.code == "gote":
        return "" if away >= 7 else "local"
    (e, f) = points[2]  # type: ignore[misc]
    return "" if away <= 4 and abs(e - c) + abs(f - d) >= 7 and abs(e - a) + abs(f - b) >= 7 else "not sente"


CHECKS: dict[str, Callable[[_Case], str]] = {
    "capture": _capture,
    "ko": _ko,
    "koThreat": _ko_threat,
    "atari": _atari,
    "doubleAtari": _atari,
    "selfAtari": _self_atari,
    "cut": _cut,
    "connection": _connection,
    "ladder": _ladder,
    "ladderAllowed": _ladder,
    "groupDies": _group,
    "groupKilled": _group,
    "groupLives": _group,
    "groupEndangered": _group,
    "groupSettled": _group,
    "territory": _region,
    "moyo": _region,
    "influence": _region,
    "endgame": _endgame,
    "dame": _dame,
    "sente": _tempo,
    "gote": _tempo,
}
