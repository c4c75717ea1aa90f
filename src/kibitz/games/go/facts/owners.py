"""Facts of ownership: groups that live and die, points won and lost by region, the size of endgame moves.

Who owns a point is what a network says of it after a search, or playouts where nothing was searched. Before
the move it is what best play leads to, so that a good move changes little and a mistake shows where it hurts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from typing import Any

from kibitz.facts import Evidence, Fact
from kibitz.games.go.facts import words
from kibitz.games.go.facts.board import BLACK, EMPTY, WHITE, Board, Chain, other
from kibitz.games.go.facts.steps import POINTS, Line, side_of
from kibitz.sentences import Sentence

#: Stones below `_DEAD` are dead, above `_LIVE` alive; between them they are unsettled. Who dies was rather
#: alive, who lives rather dead.
_DEAD, _LIVE, _RATHER = -0.35, 0.5, 0.0
#: A change of less is none.
_CHANGE = 0.6
#: Stones that were at least so much alive and lose so much are endangered.
_HOPEFUL, _ENDANGERED = 0.1, 0.35
#: A point whose owner changes by this belongs to what happens around it.
_NEAR = 0.25
#: Points that a region's change must have, and the share of them in one region's own kind.
_LEAST_POINTS, _SURE, _WIDE = 2.0, 0.6, 15
#: All but so many of the points are settled by so much in the endgame.
_SETTLED_SHARE, _SURE_POINT = 0.8, 0.8
#: Sizes of endgame moves: less is noise, more is a matter of life and death.
_LEAST_SIZE, _MOST_SIZE = 0.5, 8.0
#: Visits that a value of a move needs.
_LEAST_VISITS = 5
#: Playouts where nothing was searched, their seed, and what they count for.
_PLAYOUTS, _SEED, _BY_PLAYOUTS = 100, 7, 0.3
_REGION_WEIGHT = 0.7


def owners_of(line: Line) -> tuple[Sequence[float], Sequence[float]]:
    """Ownership before and after the first move: of the reports; of playouts where nothing was searched."""
    subject = line.subject
    before, after = (_of_report(report) for report in (subject.before, subject.after))
    if before and after:
        return before, after
    if subject.before is None and subject.after is None and len(subject.positions) > 1:
        return tuple(at.state.playout_owners(_PLAYOUTS, _SEED) for at in subject.positions[:2])
    return before, ()


def _of_report(report: Any) -> Sequence[float]:
    owners: Sequence[float] = report.root.ownership if report is not None else ()
    return owners


@dataclass(frozen=True)
class Group:
    """Chains of one colour that share a fate."""

    stone: str
    chains: tuple[Chain, ...]
    points: frozenset[int]
    before: float
    after: float
    #: The stones and what changes hands around them, in points.
    area: frozenset[int]
    swing: float


def find_ownership(line: Line) -> Iterator[Fact]:
    before, after = line.owners
    if not before or not line.steps:
        return
    used: set[int] = set()
    if after:
        for group in groups_of(line.board, before, after):
            fact = _group(line, group)
            if fact is not None:
                used |= group.area
                yield fact
        if line.subject.after is not None:  # playouts are too noisy for single points
            yield from _regions(line, used)
    if not used:
        yield from _endgame(line)


def groups_of(board: Board, before: Sequence[float], after: Sequence[float]) -> list[Group]:
    """Groups whose fate changes, the largest change first."""
    clusters: list[tuple[str, float, str, list[Chain]]] = []
    for stone, sign in ((BLACK, 1), (WHITE, -1)):
        fates: dict[str, list[Chain]] = {"dies": [], "endangered": [], "lives": []}
        for chain in board.chains():
            if chain.stone != stone:
                continue
            was, now = (sign * sum(o[at] for at in chain.points) / len(chain.points) for o in (before, after))
            if now <= _DEAD and was >= _RATHER and was - now >= _CHANGE:
                fates["dies"].append(chain)
            elif was >= _HOPEFUL and was - now >= _ENDANGERED:
                fates["endangered"].append(chain)
            elif now >= _LIVE and was <= -_RATHER and now - was >= _CHANGE:
                fates["lives"].append(chain)
        for name, chains in fates.items():
            for cluster in _clusters(board, chains):
                change = sum(abs(after[at] - before[at]) for chain in cluster for at in chain.points)
                clusters.append((name, change, stone, cluster))
    # What changes hands around stones is counted once, for those that change most themselves; who dies counts
    # twice: a kill is named for it, not for the stones that live by it.
    found: list[Group] = []
    taken: set[int] = set()
    clusters.sort(key=lambda row: -row[1] * (2 if row[0] == "dies" else 1))
    for name, _, stone, cluster in clusters:
        group = _make_group(board, stone, cluster, before, after, taken, dies=name != "lives")
        taken |= group.area
        found.append(group)
    return sorted(found, key=lambda group: -group.swing)


def _clusters(board: Board, chains: list[Chain]) -> list[list[Chain]]:
    """Chains within two steps of each other."""
    clusters: list[list[Chain]] = []
    for chain in chains:
        near = [
            cluster
            for cluster in clusters
            if any(
                board.distance(one, two) <= 2
                for other_chain in cluster
                for one in other_chain.points
                for two in chain.points
            )
        ]
        joined = [chain, *(one for cluster in near for one in cluster)]
        clusters = [*(cluster for cluster in clusters if cluster not in near), joined]
    return clusters


def _make_group(
    board: Board,
    stone: str,
    chains: list[Chain],
    before: Sequence[float],
    after: Sequence[float],
    taken: Set[int],
    *,
    dies: bool,
) -> Group:
    """`taken` are points that belong to other groups already."""
    points = frozenset().union(*(chain.points for chain in chains))
    sign = 1 if stone == BLACK else -1
    winner = -sign if dies else sign  # whom the points come to
    area, open_points = set(points), list(points)
    while open_points:
        for near in board.beside[open_points.pop()]:
            if near not in area and near not in taken and winner * (after[near] - before[near]) >= _NEAR:
                area.add(near)
                open_points.append(near)
    was, now = (sign * sum(owners[at] for at in points) / len(points) for owners in (before, after))
    swing = winner * sum(after[at] - before[at] for at in area - taken)
    largest = tuple(sorted(chains, key=lambda chain: -len(chain.points)))
    return Group(stone, largest, points, was, now, frozenset(area), swing)


def _group(line: Line, group: Group) -> Fact | None:
    """`groupDies` or `groupKilled`, `groupLives` (the other side let it) or `groupSettled` (by its own move);
    `groupEndangered` where stones of either side are no longer alive for sure."""
    mover = line.steps[0].stone
    dies = group.after < group.before
    if dies and not (group.after <= _DEAD and group.before - group.after >= _CHANGE):
        code = "groupEndangered"
    elif dies and group.stone != mover:
        code = "groupKilled"
    elif dies:
        code = "groupDies"
    else:
        code = "groupSettled" if group.stone == mover else "groupLives"
    side = side_of(other(group.stone) if dies else group.stone)
    largest = group.chains[0]
    place = line.name(sorted(largest.points)[len(largest.points) // 2])
    count = len(group.points)
    percent = [round(50 * (1 + value)) for value in (group.before, group.after)]
    moves = line.moves(_end_of(line, group))
    numbers = {
        "before": round(group.before, 3),
        "after": round(group.after, 3),
        "points": round(group.swing, 1),
        "stones": count,
    }
    values = {
        "move": line.steps[0].move,
        "stones": words.stones(group.stone, count, [place]),
        "before": percent[0],
        "after": percent[1],
    }
    reply = words.shown(moves[1:])
    if reply:
        values["line"] = reply
    return Fact(
        code,
        0,
        side,
        {"move": line.steps[0].move, "place": place, "stones": count, "points": round(group.swing, 1)},
        Evidence(moves, line.names(group.points), numbers=numbers),
        min(1.0, group.swing / POINTS) * (1.0 if line.subject.after is not None else _BY_PLAYOUTS),
        Sentence(_GROUPS[code] if not reply else _GROUPS_LINE[code], values),
    )


_GROUPS = {
    "groupEndangered": "go.groupEndangered",
    "groupDies": "go.groupDies",
    "groupKilled": "go.groupKilled",
    "groupLives": "go.groupLives",
    "groupSettled": "go.groupSettled",
}
_GROUPS_LINE = {
    "groupEndangered": "go.groupEndangeredLine",
    "groupDies": "go.groupDiesLine",
    "groupKilled": "go.groupKilledLine",
    "groupLives": "go.groupLivesLine",
    "groupSettled": "go.groupSettledLine",
}
#: Moves of a line that show what becomes of a group.
_SHOWN = 6


def _end_of(line: Line, group: Group) -> int:
    """How many moves of the line show the group's fate: until stones of it are taken, at most six."""
    for step in line.steps[:_SHOWN]:
        if step.taken & group.points:
            return step.ply + 1
    return min(_SHOWN, len(line.steps))


def _regions(line: Line, used: set[int]) -> Iterator[Fact]:
    """Points that change hands in a ninth of the board, without what groups explain."""
    before, after = line.owners
    board, move = line.board, line.steps[0].move
    columns, rows = board.columns, board.rows
    by_region: dict[str, list[int]] = {}
    for at in range(columns * rows):
        if at not in used and at != line.steps[0].at:
            y, x = divmod(at, columns)
            by_region.setdefault(words.REGIONS[3 * y // rows][3 * x // columns], []).append(at)
    for name, points in by_region.items():
        change = sum(after[at] - before[at] for at in points)
        if abs(change) < _LEAST_POINTS:
            continue
        winner = BLACK if change > 0 else WHITE
        sign = 1 if change > 0 else -1
        moved = [at for at in points if sign * (after[at] - before[at]) > 0.05]
        kind, owner = _kind(board, moved, before, after, winner)
        gross = round(sum(sign * (after[at] - before[at]) for at in moved), 1)
        amount = min(round(abs(change), 1), gross)  # no more than the evidence shows
        grows = owner == winner
        yield Fact(
            kind,
            0,
            side_of(winner),
            {"move": move, "region": name, "points": amount, "owner": side_of(owner), "grows": grows},
            Evidence(line.moves(2), line.names(moved), numbers={"points": amount, "gross": gross}),
            min(1.0, _REGION_WEIGHT * abs(change) / POINTS),
            Sentence(
                _KINDS[kind, grows],
                {
                    "move": move,
                    "colour": words.colour(owner),
                    "region": words.region(name),
                    "points": f"{amount:.1f}",
                },
            ),
        )


_KINDS = {
    ("territory", True): "go.territoryGrows",
    ("territory", False): "go.territoryShrinks",
    ("moyo", True): "go.moyoGrows",
    ("moyo", False): "go.moyoShrinks",
    ("influence", True): "go.influenceGrows",
    ("influence", False): "go.influenceShrinks",
}


def _kind(
    board: Board, moved: list[int], before: Sequence[float], after: Sequence[float], winner: str
) -> tuple[str, str]:
    """What the points are: territory where they are nearly sure, a moyo where they are many and likely, else
    influence; and whose they were or become."""
    sign = 1 if winner == BLACK else -1
    empty = [at for at in moved if board.cells[at] == EMPTY] or moved
    was = sum(sign * before[at] for at in empty) / len(empty)
    now = sum(sign * after[at] for at in empty) / len(empty)
    owner, sure = (winner, now) if now > -was else (other(winner), -was)
    if sure >= _SURE:
        return "territory", owner
    return ("moyo" if len(empty) >= _WIDE and sure >= 0.2 else "influence"), owner


def _endgame(line: Line) -> Iterator[Fact]:
    """The size of the first move beside the best other one, once nearly all points are settled."""
    before = line.owners[0]
    step = line.steps[0]
    if sum(abs(value) >= _SURE_POINT for value in before) < _SETTLED_SHARE * len(before):
        return
    yield from _dame(line)
    known = {
        info.move: info
        for info in getattr(line.subject.before, "moves", ())
        if info.lead is not None and info.visits >= _LEAST_VISITS
    }
    played = known.pop(step.move, None)
    if played is None or not known:
        return
    best = max(known.values(), key=lambda info: info.lead)
    points = played.lead - best.lead
    if not _LEAST_SIZE <= abs(points) <= _MOST_SIZE:
        return
    larger = points > 0
    amount = round(abs(points), 1)
    yield Fact(
        "endgame",
        0,
        side_of(step.stone if larger else other(step.stone)),
        {"move": step.move, "other": best.move, "points": amount if larger else -amount},
        Evidence(line.moves(1), (step.move, best.move) if best.move != "pass" else (step.move,),
                 numbers={"points": amount if larger else -amount}),
        min(1.0, abs(points) / POINTS),
        Sentence(
            "go.endgameLarger" if larger else "go.endgameSmaller",
            {"move": step.move, "other": best.move, "points": f"{amount:.1f}"},
        ),
    )  # fmt: skip


def _dame(line: Line) -> Iterator[Fact]:
    """A point between settled stones of both colours: only the point itself is at stake."""
    step, (before, after) = line.steps[0], line.owners
    beside = line.board.beside[step.at]
    stones = {line.board.cells[near] for near in beside}
    if stones != {BLACK, WHITE} or step.taken or not after:
        return
    if any(abs(owners[near]) < _SURE_POINT for owners in (before, after) for near in beside):
        return
    if any(line.board.cells[near] != (BLACK if before[near] > 0 else WHITE) for near in beside):
        return  # dead stones
    if any(len(chain.liberties) <= 2 for near in beside for chain in [line.board.chain(near)]):
        return  # filling liberties
    yield Fact(
        "dame",
        0,
        side_of(other(step.stone)),
        {"move": step.move},
        Evidence(line.moves(1), (step.move, *line.names(beside))),
        0.06,
        Sentence("go.dame", {"move": step.move}),
    )
