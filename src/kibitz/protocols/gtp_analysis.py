"""What analysis commands of GTP take and print (`kata-analyze`, `lz-analyze`).

>>> parse_analysis(["b", "50", "include", "D4,Q16", "20"]).include
{'D4': 20, 'Q16': 20}
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from kibitz.errors import ProtocolError
from kibitz.human import MOST_MIN_VISITS, Plausible
from kibitz.protocols.katago_answer import View, move_infos, root_info
from kibitz.questions import Question
from kibitz.report import Report
from kibitz.steering import Restriction, Steering

#: What may be asked for with `true`, in the words of a query.
_FLAGS = {
    "rootInfo": "root",
    "ownership": "ownership",
    "ownershipStdev": "ownership_stdev",
    "movesOwnership": "moves_ownership",
    "movesOwnershipStdev": "moves_ownership_stdev",
    "pvVisits": "pv_visits",
    "pvEdgeVisits": "pv_visits",
    "noResultValue": "no_result",
}
_MOVE = (
    "utility", "winrate", "scoreMean", "scoreStdev", "scoreLead", "scoreSelfplay", "noResultValue", "prior",
    "lcb", "utilityLcb", "weight", "humanPrior",
)  # fmt: skip
_ROOT = (
    "utility", "winrate", "scoreMean", "scoreStdev", "scoreLead", "scoreSelfplay", "weight", "rawStWrError",
    "rawStScoreError", "rawVarTimeLeft",
)  # fmt: skip
_VERTEX = re.compile(r"pass|[a-hj-z][1-9][0-9]?", re.IGNORECASE | re.ASCII)
SIDES = {"b": 0, "black": 0, "w": 1, "white": 1}


@dataclass
class Analysis:
    """The arguments of an analysis command."""

    side: int | None = None
    every: float = 1e6
    min_moves: int = 0
    max_moves: int = 10**9
    allow: list[Restriction] = field(default_factory=list)
    avoid: list[Restriction] = field(default_factory=list)
    include: dict[str, int] = field(default_factory=dict)
    plausible: Plausible | None = None
    ask: tuple[Question, ...] = ()
    flags: set[str] = field(default_factory=set)
    #: What was asked for and could not be, for people to read.
    notes: list[str] = field(default_factory=list)

    @property
    def steering(self) -> Steering:
        return Steering(
            tuple(self.allow), tuple(self.avoid), self.include, plausible=self.plausible, ask=self.ask
        )


def parse_analysis(words: list[str]) -> Analysis:
    """Arguments in KataGo's order: a player, an interval in hundredths of a second, then pairs."""
    asked = Analysis()
    rest = list(words)
    if rest and rest[0].lower() in SIDES:
        asked.side = SIDES[rest.pop(0).lower()]
    if rest and _is_number(rest[0]):
        asked.every = max(0.001, float(rest.pop(0)) / 100)
    while rest:
        key = rest.pop(0)
        if key == "interval":
            asked.every = max(0.001, _number(rest, key) / 100)
        elif key == "minmoves":
            asked.min_moves = int(_number(rest, key))
        elif key == "maxmoves":
            asked.max_moves = int(_number(rest, key))
        elif key in ("allow", "avoid"):
            side, moves, depth = _take(rest, key), _take(rest, key), _number(rest, key)
            if side.lower() not in SIDES or depth < 1:
                raise ProtocolError(f"{key} takes a player, moves and a depth, such as {key} b D4,Q16 1")
            rule = Restriction(tuple(_vertices(moves)), SIDES[side.lower()], int(depth))
            (asked.allow if key == "allow" else asked.avoid).append(rule)
        elif key == "include":
            wanted = _vertices(_take(rest, key))
            least = int(rest.pop(0)) if rest and rest[0].isdigit() else 1
            if not 1 <= least <= MOST_MIN_VISITS:
                raise ProtocolError(
                    "include takes moves and a minimum from 1 to 2^50, such as include D4,Q16 20"
                )
            for vertex in wanted:
                if vertex in asked.include:
                    asked.notes.append(f"include: {vertex} is given twice, counted once")
                asked.include.setdefault(vertex, least)
        elif key == "humanPolicyAbove":
            share = _number(rest, key)
            least = int(rest.pop(0)) if rest and rest[0].isdigit() else 1
            if not 0 <= share <= 1 or not 1 <= least <= MOST_MIN_VISITS:
                raise ProtocolError(f"{key} takes a share from 0 to 1 and a minimum, such as {key} 0.05 20")
            asked.plausible = Plausible(share, min_visits=least)
        elif key in _FLAGS:
            if _flag(rest, key):
                asked.flags.add(key)
        else:
            raise ProtocolError(f"unknown analysis option {key!r}")
    return asked


def _vertices(text: str) -> list[str]:
    names = [name.strip() for name in text.split(",") if name.strip()]
    wrong = next((name for name in names if not _VERTEX.fullmatch(name)), None)
    if wrong is not None or not names:
        raise ProtocolError(f"expected moves such as D4,Q16, got {wrong or text!r}")
    return ["pass" if name.lower() == "pass" else name.upper() for name in names]


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def _take(rest: list[str], key: str) -> str:
    if not rest:
        raise ProtocolError(f"{key} needs a value")
    return rest.pop(0)


def _flag(rest: list[str], key: str) -> bool:
    text = _take(rest, key).lower()
    if text not in ("true", "false"):
        raise ProtocolError(f"{key} takes true or false, got {text!r}")
    return text == "true"


def _number(rest: list[str], key: str) -> float:
    text = _take(rest, key)
    if not _is_number(text):
        raise ProtocolError(f"{key} takes a number, got {text!r}")
    return float(text)


def info_line(
    report: Report, asked: Analysis, form: str, perspective: str = "SIDETOMOVE", symmetric: bool = True
) -> str:
    """One line of analysis, "" while there is none to give. `form` is `lz` (Leela Zero's), `kata`, or
    `sabaki`: KataGo's with a decimal point in every number that is not a count."""
    view = View(report.position, perspective, symmetric)
    wants = frozenset(word for flag, word in _FLAGS.items() if flag in asked.flags)
    shown = _chosen(move_infos(report, view, wants), asked)
    if not shown:
        return ""
    if form == "lz":
        return " ".join(map(_leela, shown))

    def number(value: float) -> str:
        return f"{value:#.6g}" if form == "sabaki" else f"{value:.6g}"

    parts = [_kata(item, asked, number) for item in shown]
    if "rootInfo" in asked.flags:
        root = root_info(report, view)
        root["scoreMean"] = root["scoreLead"]
        parts.append(f"rootInfo visits {root['visits']}")
        parts += [f"{name} {number(root[name])}" for name in _ROOT]
    if "ownership" in asked.flags and report.root.ownership:
        parts += ["ownership", *map(number, view.owners(report.root.ownership))]
    if "ownershipStdev" in asked.flags and report.root.ownership_stdev:
        parts += ["ownershipStdev", *map(number, report.root.ownership_stdev)]
    return " ".join(parts)


def _chosen(infos: list[dict[str, Any]], asked: Analysis) -> list[dict[str, Any]]:
    """What was visited, and what was not as far as that many were asked for. Moves that the user guaranteed
    visits are reported however few are wanted."""
    kept: list[dict[str, Any]] = []
    for item in infos:
        if item["visits"] or len(kept) < asked.min_moves:
            kept.append(item)
    most = max(asked.max_moves, 1)

    def wanted(item: dict[str, Any]) -> bool:
        return item["move"] in asked.include or (asked.plausible is not None and "answer" in item)

    return [item for place, item in enumerate(kept) if place < most or wanted(item)]


def _leela(item: dict[str, Any]) -> str:
    shares = " ".join(f"{name} {round(10000 * item[name])}" for name in ("winrate", "prior", "lcb"))
    pv = " ".join(item["pv"])
    return f"info move {item['move']} visits {item['visits']} {shares} order {item['order']} pv {pv}"


def _kata(item: dict[str, Any], asked: Analysis, number: Callable[[float], str]) -> str:
    parts = [f"info move {item['move']} visits {item['visits']} edgeVisits {item['edgeVisits']}"]
    parts += [f"{name} {number(item[name])}" for name in _MOVE if name in item]
    if "isSymmetryOf" in item:
        parts.append(f"isSymmetryOf {item['isSymmetryOf']}")
    parts.append(f"order {item['order']} pv {' '.join(item['pv'])}")
    for name in ("pvVisits", "pvEdgeVisits"):
        if name in asked.flags:
            parts.append(f"{name} {' '.join(map(str, item[name]))}")
    for name, key in (("movesOwnership", "ownership"), ("movesOwnershipStdev", "ownershipStdev")):
        if name in asked.flags and key in item:
            parts += [name, *map(number, item[key])]
    return " ".join(parts)
