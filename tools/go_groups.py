"""Names the groups that die in real games and lets KataGo's ownership judge.

    python -m tools.go_groups RECORDS... --judge NETWORK [--network NETWORK] [--positions 200]

RECORDS are SGF files, folders of them, or the JSON lines of KataGo queries. Moves that are followed by an
ownership swing above 8 points, in one place, with stones that change from alive to dead, are the positions;
the judge's network decides with a search of `--judge-visits`. The facts are those of a review: `--visits`
before and after the move, with Kibitz's bundled network, and with each `--network`. The judge's code shares
nothing with the extractor's.
"""

from __future__ import annotations

import argparse
import gzip
import itertools
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import kibitz
from kibitz.games.go import sgf

#: Of a swing: the points that a place must change by to belong to it, in all, and what is alive or dead.
_CHANGED, _SWING, _SURE = 0.3, 8.0, 0.2
#: Positions of one game.
_OF_ONE_GAME = 8

Owners = Sequence[float]


def games_of(path: Path) -> Iterator[tuple[str, list[kibitz.go.Position]]]:
    if path.is_dir():
        for file in sorted(path.rglob("*.sgf")):
            yield from games_of(file)
    elif path.suffix == ".gz":
        lines = gzip.decompress(path.read_bytes()).decode().splitlines()
        for number, text in enumerate(lines):
            query = json.loads(text)
            query = query.get("query", query)
            size = query.get("boardXSize", query.get("size"))
            position = kibitz.go.Position(size, rules="chinese", komi=query.get("komi", 7.5))
            positions = [position]
            for move in query["moves"]:
                colour, vertex = move if isinstance(move, list) else ("BW"[len(positions) % 2 - 1], move)
                position = position.play_as(colour, vertex, tolerant=True)
                positions.append(position)
            yield f"{path.name}:{number}", positions
    else:
        for number, record in enumerate(sgf.read(str(path))):
            yield f"{path.name}:{number}", [*record.positions()]


def died(position: kibitz.go.Position, before: Owners, after: Owners) -> list[tuple[float, str, set[str]]]:
    """Places that change hands by more than 8 points and hold stones that were alive and are dead: the swing,
    the colour and the stones."""
    columns, rows = position.size
    names = {(x, y): f"{'ABCDEFGHJKLMNOPQRST'[x]}{rows - y}" for y in range(rows) for x in range(columns)}
    found = []
    for colour, sign in (("X", 1), ("O", -1)):
        lost = {
            (x, y): sign * (before[columns * y + x] - after[columns * y + x])
            for y in range(rows)
            for x in range(columns)
        }
        left = {at for at, change in lost.items() if change >= _CHANGED}
        while left:
            place, grow = set(), [left.pop()]
            while grow:
                x, y = grow.pop()
                place.add((x, y))
                for near in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
                    if near in left:
                        left.discard(near)
                        grow.append(near)
            swing = sum(lost[at] for at in place)
            stones = {
                names[x, y]
                for x, y in place
                if position.stones[y][x] == colour
                and sign * before[columns * y + x] > _SURE
                and sign * after[columns * y + x] < -_SURE
            }
            if swing > _SWING and stones:
                found.append((swing, "black" if colour == "X" else "white", stones))
    return sorted(found, key=lambda row: -row[0])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("records", nargs="+", type=Path)
    parser.add_argument("--judge", required=True, help="a KataGo network")
    parser.add_argument("--network", action="append", default=[], help="facts with this network too")
    parser.add_argument("--judge-visits", type=int, default=200)
    parser.add_argument("--visits", type=int, default=100)
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--show", type=int, default=0, help="print so many disagreements")
    given = parser.parse_args()
    judge = kibitz.Engine("go", network=given.judge, ownership=True, seed=1)
    engines = {"bundled": kibitz.Engine("go", ownership=True, seed=1)}
    engines |= {name: kibitz.Engine("go", network=name, ownership=True, seed=1) for name in given.network}
    counts = {name: Counter[str]() for name in engines}
    total = 0
    try:
        for name, number, before, after, truth in swings(given.records, judge, given.judge_visits):
            total += 1
            for network, engine in engines.items():
                named = _named(engine, before, after, given.visits)
                verdict = _verdict(named, truth)
                counts[network][verdict] += 1
                if verdict != "right" and counts[network].total() - counts[network]["right"] <= given.show:
                    print(f"{name} move {number} {after.moves[-1]}, {network}: {verdict}")
                    print(f"  judge: {[(round(s, 1), c, sorted(stones)) for s, c, stones in truth]}")
                    print(
                        f"  named: {[(f.code, dict(f.evidence.numbers), f.evidence.places) for f in named]}"
                    )
            print(f"{total} positions", {key: dict(row) for key, row in counts.items()}, flush=True)
            if total >= given.positions:
                break
    finally:
        for engine in (judge, *engines.values()):
            engine.close()
    for network, row in counts.items():
        with_name = total - row["none named"]
        share = row["right"] / max(1, with_name)
        print(f"{Path(network).name}: {total} positions, a group named in {with_name}, right {share:.1%}")
        print(", ".join(f"{verdict} {count}" for verdict, count in row.most_common()))


Swing = tuple[float, str, set[str]]


def swings(
    records: Sequence[Path], judge: kibitz.Engine, visits: int
) -> Iterator[tuple[str, int, kibitz.go.Position, kibitz.go.Position, list[Swing]]]:
    """Moves after which stones died: the game, the move's number, the positions, and what died. The judge's
    first look finds candidates, its search decides."""

    def owners(position: kibitz.go.Position, count: int) -> Owners:
        owned: Owners = judge.analyze(position, visits=count).root.ownership
        return owned

    seen: set[tuple[str, ...]] = set()
    for name, positions in (game for path in records for game in games_of(path)):
        if positions[-1].moves in seen:  # the same game in two files
            continue
        seen.add(positions[-1].moves)
        raw = [None if at.is_over else owners(at, 1) for at in positions]
        left = _OF_ONE_GAME
        for number, (one, two) in enumerate(itertools.pairwise(raw)):
            before, after = positions[number], positions[number + 1]
            if not left or one is None or two is None or not died(before, one, two):
                continue
            truth = died(before, *(owners(at, visits) for at in (before, after)))
            if truth:
                left -= 1
                yield name, number + 1, before, after, truth


def _named(
    engine: kibitz.Engine, before: kibitz.go.Position, after: kibitz.go.Position, visits: int
) -> list[kibitz.Fact]:
    """The groups that a review of the move names, the first one first."""
    reports = [engine.analyze(at, visits=visits) for at in (before, after)]
    line = [after.moves[-1], *reports[1].moves[0].line]
    facts = kibitz.explain(reports[0], line, after=reports[1]).facts
    return [fact for fact in facts if fact.code in ("groupDies", "groupKilled", "groupEndangered")]


def _verdict(named: Sequence[kibitz.Fact], truth: Sequence[Swing]) -> str:
    """Of the first group that is named: its stones, or those that died, are half the other's at least; and it
    is the largest that died or another one."""
    if not named:
        return "none named"
    stones, loser = set(named[0].evidence.places), {"black": "white", "white": "black"}[named[0].side]
    for number, (_, colour, dead) in enumerate(truth):
        if colour == loser and 2 * len(stones & dead) >= min(len(stones), len(dead)):
            return "right" if number == 0 else "a smaller one that died"
    return "another group"


if __name__ == "__main__":
    main()
