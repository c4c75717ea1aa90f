"""Checks Junqi's facts against plain rules: battles, what acts allow a piece to be, ways over the board.
Shares no code with the extractor; beliefs are checked by what they may not contradict."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

import kibitz

NAMES = {
    "flag": "F",
    "mine": "M",
    "bomb": "B",
    "commander": "9",
    "general": "8",
    "division": "7",
    "brigade": "6",
    "regiment": "5",
    "battalion": "4",
    "company": "3",
    "platoon": "2",
    "engineer": "1",
}
SEATS = "SENW"


def fight(attacker: str, defender: str) -> str:
    if attacker == "B" or defender == "B":
        return "both"
    if defender in "FM":
        return "win" if defender == "F" or attacker == "1" else "lose"
    difference = int(attacker) - int(defender)
    return "win" if difference > 0 else "lose" if difference else "both"


def grid(node: str) -> tuple[int, int]:
    """A node on the 17x17 grid of the rules."""
    seat, row, column = node[0], int(node[1]), int(node[2])
    return {
        "S": (10 + row, 5 + column),
        "N": (6 - row, 11 - column),
        "W": (5 + column, 6 - row),
        "E": (11 - column, 10 + row),
        "C": (4 + 2 * row, 4 + 2 * column),
    }[seat]


class Map:
    """Nodes, edges and straight railways, from the list of edges."""

    def __init__(self, players: int) -> None:
        self.edges: dict[str, dict[str, bool]] = {}
        for one, two, rail in kibitz._native.junqi_edges(players):
            self.edges.setdefault(one, {})[two] = rail
            self.edges.setdefault(two, {})[one] = rail
        self.players = players

    def steps(self, node: str, taken: set[str]) -> set[str]:
        """Where a piece that is no engineer goes in one move, taken nodes included."""
        found = set(self.edges[node])
        for first, rail in self.edges[node].items():
            if rail:
                found |= self._slide(node, first, taken)
        return found

    def _slide(self, start: str, first: str, taken: set[str]) -> set[str]:
        reached, before, at = {first}, start, first
        while at not in taken:
            onward = [
                two
                for two, rail in self.edges[at].items()
                if rail and two != before and self._straight(before, at, two)
            ]
            if len(onward) != 1:
                break
            before, at = at, onward[0]
            reached.add(at)
        return reached

    def _straight(self, one: str, two: str, three: str) -> bool:
        arms = [node[0] for node in (one, two, three)]
        kinds = {"C" if arm == "C" else "arm" for arm in arms}
        if kinds == {"arm"} and len(set(arms)) == 2:  # over the border of two arms: along an outer column
            return all(node[2] in "15" for node in (one, two, three)) and not (
                (one[0] == two[0] and one[1] == two[1]) or (two[0] == three[0] and two[1] == three[1])
            )
        (a, b), (c, d), (e, f) = map(grid, (one, two, three))
        return (c - a) * (f - d) == (d - b) * (e - c)

    def distance(self, start: str, goal: str, taken: set[str], most: int = 4) -> int | None:
        """Moves of the piece on `start` until it is on `goal`, over empty nodes."""
        seen, queue = {start: 0}, deque([start])
        while queue:
            node = queue.popleft()
            if seen[node] == most:
                return None
            for near in self.steps(node, taken - {start}):
                if near == goal:
                    return seen[node] + 1
                if near not in taken and near not in seen:
                    seen[near] = seen[node] + 1
                    queue.append(near)
        return None


class Case:
    def __init__(self, why: kibitz.Explanation, fact: kibitz.Fact) -> None:
        view = why.position
        assert isinstance(view, kibitz.junqi.View), "facts are of a view"
        self.view, self.fact, self.move = view, fact, why.line[0]
        self.pieces = {node: (SEATS[seat], kind) for node, seat, kind, _ in view.state.standing()}
        self.map = Map(view.players)
        self.start, self.end = self.move[:3], self.move[4:7]
        self.chances = {kind: chance for kind, chance in fact.evidence.numbers.items() if len(kind) == 1}

    def enemy(self, seat: str) -> bool:
        own = self.view.seat
        return seat != own and (self.view.players == 2 or (SEATS.index(seat) - SEATS.index(own)) % 2 == 1)

    def after(self) -> set[str]:
        return set(self.pieces) - {self.start} | {self.end}


def moved(events: tuple[str, ...], node: str) -> tuple[bool, list[str]]:
    """Whether the piece that stands on a node came there by moves, and the battles it won, by going back
    through the events."""
    at, ever, won = node, False, []
    for event in reversed(events):
        if event[3:4] not in ("-", "x"):
            continue
        start, how, end, outcome = event[:3], event[3], event[4:7], event[7:8]
        if end == at and (how == "-" or outcome == "+"):
            ever, at = True, start
            if how == "x":
                won.append(event)
        elif end == at and how == "x" and outcome == "-":
            won.append(event)
    return ever, won


def possible(case: Case, node: str) -> str:
    """Kinds that are not excluded by plain rules: set-up and movement."""
    ever, won = moved(case.view.events, node)
    kinds = "FMB987654321"
    if ever or node[0] != case.pieces[node][0]:
        kinds = kinds.replace("F", "").replace("M", "")
    else:
        if node[1:] not in ("62", "64"):
            kinds = kinds.replace("F", "")
        if node[1] not in "56":
            kinds = kinds.replace("M", "")
        if node[1] == "1":
            kinds = kinds.replace("B", "")
    if won:
        kinds = kinds.replace("B", "").replace("F", "")
    return kinds


def _belief(case: Case, node: str) -> str:
    if abs(sum(case.chances.values()) - 1) > 0.01:
        return f"chances sum to {sum(case.chances.values())}"
    wrong = set(case.chances) - set(possible(case, node))
    return f"it cannot be {wrong}" if wrong else ""


def _odds(case: Case) -> str:
    mine = case.pieces[case.start][1]
    odds = dict.fromkeys(("win", "both", "lose"), 0.0)
    for kind, chance in case.chances.items():
        odds[fight(mine, kind)] += chance
    parameters = case.fact.parameters
    if any(abs(odds[name] - parameters[name]) > 0.005 for name in odds) or NAMES[parameters["kind"]] != mine:
        return f"odds {odds}"
    good = parameters["win"] >= parameters["lose"]
    if (case.fact.side == case.view.seat) != good:
        return "side"
    return _belief(case, case.end)


def _believed(case: Case) -> str:
    parameters = case.fact.parameters
    place = parameters["place"]
    best = max(case.chances.values())
    if abs(best - parameters["chance"]) > 0.002:
        return f"best {best}"
    if abs(case.chances[NAMES[parameters["kind"]]] - best) > 0.002:
        return "another kind is likelier"
    if (case.fact.code == "believed") != (parameters["chance"] >= 0.3):
        return "how sure it is"
    ever, won = moved(case.view.events, place)
    for act in parameters["acts"]:
        if (act == "moved" and not ever) or (act == "still" and ever) or ("x" in act and act not in won):
            return f"{act} did not happen"
    return _belief(case, place)


def _flag_shown(case: Case) -> str:
    seat, kind = case.pieces[case.fact.parameters["flag"]]
    dies = sum(chance for letter, chance in case.chances.items() if fight("9", letter) != "win")
    fine = seat == case.view.seat and kind == "F" and case.pieces[case.start][1] == "9"
    return "" if fine and abs(dies - case.fact.parameters["chance"]) < 0.005 else f"{dies}"


def _flag_taken(case: Case) -> str:
    return "" if case.pieces[case.end] == (case.fact.parameters["seat"], "F") else "no flag"


def _nearest(case: Case, flag: str, taken: set[str]) -> int | None:
    found = [
        case.map.distance(node, flag, taken, 2)
        for node, (seat, _) in case.pieces.items()
        if case.enemy(seat) and not set(possible(case, node)) & {"F", "M"} and node[1:] not in ("62", "64")
    ]
    return min((one for one in found if one is not None), default=None)


def _flag_threat(case: Case) -> str:
    place, flag = case.fact.parameters["place"], case.fact.parameters["flag"]
    if case.pieces[flag] != (case.view.seat, "F") or not case.enemy(case.pieces[place][0]):
        return "whose"
    turns = case.map.distance(place, flag, case.after())
    if turns != case.fact.parameters["turns"] or turns != _nearest(case, flag, case.after()):
        return f"{turns} moves"
    return "it may be a mine" if set(possible(case, place)) & {"F", "M"} else ""


def _flag_guarded(case: Case) -> str:
    place, flag = case.fact.parameters["place"], case.fact.parameters["flag"]
    if case.map.distance(place, flag, set(case.pieces)) != case.fact.parameters["turns"]:
        return "no threat before"
    return "" if _nearest(case, flag, case.after()) is None else "a threat is left"


def _flag_attack(case: Case) -> str:
    flag, chance = case.fact.parameters["flag"], case.fact.parameters["chance"]
    seat, kind = case.pieces[flag]
    if not case.enemy(seat) or ((chance == 1.0) != (kind == "F") and chance == 1.0):
        return "whose"
    turns = case.map.distance(case.end, flag, case.after())
    before = case.map.distance(case.start, flag, set(case.pieces))
    if turns != case.fact.parameters["turns"]:
        return f"{turns} moves"
    return "" if before is None or before > turns else "no nearer"


CHECKS: dict[str, Callable[[Case], str]] = {
    "attackOdds": _odds,
    "believed": _believed,
    "unknown": _believed,
    "flagShown": _flag_shown,
    "flagTaken": _flag_taken,
    "flagThreat": _flag_threat,
    "flagGuarded": _flag_guarded,
    "flagAttack": _flag_attack,
}


def problems(why: kibitz.Explanation, before: Any = None, after: Any = None) -> list[str]:
    """What is false about the facts of an explanation."""
    found = []
    for fact in why.facts:
        said = CHECKS[fact.code](Case(why, fact))
        if said:
            found.append(f"{why.position.notation} {why.line[0]}: {fact}: {said}")
    return found
