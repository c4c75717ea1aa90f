"""What analysis commands of GTP take and print (`kata-analyze`, `lz-analyze`).

>>> parse_analysis(["b", "50", "include", "D4,Q16", "20"]).include
{'D4': 20, 'Q16': 20}
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from kibitz.errors import ProtocolError
from kibitz.report import MoveInfo, Report
from kibitz.steering import Restriction, Steering

__all__ = ["Analysis", "info_line", "parse_analysis"]

_FLAGS = ("ownership", "ownershipStdev", "movesOwnership", "movesOwnershipStdev", "pvVisits", "pvEdgeVisits")
_SIDES = {"b": 0, "black": 0, "w": 1, "white": 1}


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
    flags: set[str] = field(default_factory=set)

    @property
    def steering(self) -> Steering:
        return Steering(tuple(self.allow), tuple(self.avoid), self.include)


def parse_analysis(words: list[str]) -> Analysis:
    """Arguments in KataGo's order: a player, an interval in hundredths of a second, then pairs."""
    asked = Analysis()
    rest = list(words)
    if rest and rest[0].lower() in _SIDES:
        asked.side = _SIDES[rest.pop(0).lower()]
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
            if side.lower() not in _SIDES or depth < 1:
                raise ProtocolError(f"{key} takes a player, moves and a depth, such as {key} b D4,Q16 1")
            rule = Restriction(tuple(moves.split(",")), _SIDES[side.lower()], int(depth))
            (asked.allow if key == "allow" else asked.avoid).append(rule)
        elif key == "include":
            wanted = _take(rest, key).split(",")
            least = int(rest.pop(0)) if rest and rest[0].isdigit() else 1
            if least < 1:
                raise ProtocolError(
                    "include takes moves and a minimum of at least 1, such as include D4,Q16 20"
                )
            asked.include |= dict.fromkeys(wanted, least)
        elif key in _FLAGS or key == "rootInfo":
            if _take(rest, key).lower() == "true":
                asked.flags.add(key)
        else:
            raise ProtocolError(f"unknown analysis option {key!r}")
    return asked


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _take(rest: list[str], key: str) -> str:
    if not rest:
        raise ProtocolError(f"{key} needs a value")
    return rest.pop(0)


def _number(rest: list[str], key: str) -> float:
    text = _take(rest, key)
    if not _is_number(text):
        raise ProtocolError(f"{key} takes a number, got {text!r}")
    return float(text)


def info_line(report: Report, asked: Analysis, leela: bool, mover_first: bool = True) -> str:
    """One line of analysis: all moves, for the side to move unless `mover_first` is off (then black's)."""
    flip = not mover_first and report.position.to_move == 1
    shown = report.moves[: max(asked.max_moves, 1)]
    parts = [_leela(info, flip) if leela else _kata(info, asked, flip) for info in shown]
    if not leela and "rootInfo" in asked.flags:
        root = report.root
        parts.append(
            f"rootInfo visits {root.visits} utility {_turned(root.utility, flip):.6g} "
            f"winrate {_rate(root.value, flip):.6g} scoreLead {_turned(root.lead, flip):.6g}"
        )
    for name, values in (
        ("ownership", report.root.ownership),
        ("ownershipStdev", report.root.ownership_stdev),
    ):
        if not leela and name in asked.flags and values:
            # GTP's ownership is the mover's, as its winrate is.
            sign = -1.0 if mover_first and report.position.to_move == 1 and name == "ownership" else 1.0
            parts.append(f"{name} " + " ".join(f"{sign * value:.4g}" for value in values))
    return " ".join(parts)


def _rate(value: float, flip: bool) -> float:
    return 1.0 - value if flip else value


def _turned(value: float | None, flip: bool) -> float:
    return -(value or 0.0) if flip else (value or 0.0)


def _leela(info: MoveInfo, flip: bool) -> str:
    def share(value: float) -> int:
        return round(10000 * value)

    return (
        f"info move {info.move} visits {info.visits} winrate {share(_rate(info.value, flip))} "
        f"prior {share(info.prior)} lcb {share(_rate(info.lcb, flip))} order {info.order} "
        f"pv {' '.join(info.line)}"
    )


def _kata(info: MoveInfo, asked: Analysis, flip: bool) -> str:
    fields: dict[str, Any] = {
        "move": info.move,
        "visits": info.visits,
        "edgeVisits": info.visits,
        "utility": f"{_turned(info.utility, flip):.6g}",
        "winrate": f"{_rate(info.value, flip):.6g}",
        "scoreMean": f"{_turned(info.lead, flip):.6g}",
        "scoreStdev": f"{info.score_stdev or 0.0:.6g}",
        "scoreLead": f"{_turned(info.lead, flip):.6g}",
        "scoreSelfplay": f"{_turned(info.score, flip):.6g}",
        "prior": f"{info.prior:.6g}",
        "lcb": f"{_rate(info.lcb, flip):.6g}",
        "utilityLcb": f"{_turned(info.utility_lcb, flip):.6g}",
        "weight": f"{info.visits if info.weight is None else info.weight:.6g}",
        "order": info.order,
        "pv": " ".join(info.line),
    }
    for name in ("pvVisits", "pvEdgeVisits"):
        if name in asked.flags:
            fields[name] = " ".join(map(str, info.line_visits))
    if "movesOwnership" in asked.flags and info.ownership:
        fields["movesOwnership"] = " ".join(f"{value:.4g}" for value in info.ownership)
    return "info " + " ".join(f"{name} {value}" for name, value in fields.items())
