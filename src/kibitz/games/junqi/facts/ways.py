"""How far pieces are from flags: moves over empty nodes, on roads and along railways."""

from __future__ import annotations

from collections.abc import Container, Iterator
from functools import cache

from kibitz import _native

Ways = dict[str, tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]]


def _column(seat: str, column: int, *, outwards: bool) -> list[str]:
    rows = range(5, 0, -1) if outwards else range(1, 6)
    return [f"{seat}{row}{column}" for row in rows]


def railways(players: int) -> list[list[str]]:
    """The straight lines of railway."""
    lines = [
        [f"{seat}{row}{column}" for column in range(1, 6)]
        for seat in ("SENW" if players == 4 else "SN")
        for row in (1, 5)
    ]
    if players == 2:
        for column in (1, 5):
            lines.append(_column("S", column, outwards=True) + _column("N", 6 - column, outwards=False))
        return [*lines, ["S13", "N13"]]
    for one, two, middles in (
        ("S", "N", (["C31", "C21", "C11"], ["C33", "C23", "C13"])),
        ("W", "E", (["C11", "C12", "C13"], ["C31", "C32", "C33"])),
    ):
        for column, middle in zip((1, 5), middles, strict=True):
            ends = _column(one, column, outwards=True), _column(two, 6 - column, outwards=False)
            lines.append([*ends[0], *middle, *ends[1]])
    lines += [["S13", "C32", "C22", "C12", "N13"], ["W13", "C21", "C22", "C23", "E13"]]
    for one, two in ("SE", "EN", "NW", "WS"):
        lines.append(_column(one, 5, outwards=True) + _column(two, 1, outwards=False))
    return lines


@cache
def ways(players: int) -> Ways:
    """Of each node its neighbours, and the nodes along each railway that leaves it, nearest first."""
    beside: dict[str, list[str]] = {}
    for one, two, _ in _native.junqi_edges(players):
        beside.setdefault(one, []).append(two)
        beside.setdefault(two, []).append(one)
    along: dict[str, list[tuple[str, ...]]] = {node: [] for node in beside}
    for line in railways(players):
        for at, node in enumerate(line):
            along[node] += [part for part in (tuple(line[at + 1 :]), tuple(line[:at][::-1])) if part]
    return {node: (tuple(near), tuple(along[node])) for node, near in beside.items()}


def moves_to(node: str, taken: Container[str], players: int, most: int) -> Iterator[tuple[str, int]]:
    """Pieces that could go to a node if nothing moved meanwhile, and in how many moves, up to `most`; nearest
    first. Engineers may need fewer."""
    graph, seen, edge = ways(players), {node}, [node]
    for turn in range(1, most + 1):
        reached: list[str] = []
        for start in edge:
            near, lines = graph[start]
            for one in near:
                if one not in seen:
                    seen.add(one)
                    reached.append(one)
            for line in lines:
                for one in line:
                    if one not in seen:
                        seen.add(one)
                        reached.append(one)
                    if one in taken:
                        break
        yield from ((one, turn) for one in reached if one in taken)
        edge = [one for one in reached if one not in taken]
