"""Positions in which a flag can be saved or taken, and how often an engine does it.

    python -m tools.junqi_flag_set make save.jsonl --positions 300 --seed 1
    python -m tools.junqi_flag_set make take.jsonl --take --positions 300 --seed 2
    python -m tools.junqi_flag_set try save.jsonl --seconds 0.2

Positions are made without the engine: random set-ups, random losses, pieces scattered, the mover's
commander among the dead so that everybody knows its flag, one or two intruders a few steps from it,
defenders of every kind. Hidden pieces are drawn again sixteen times, in every way that agrees with what is
public. In each of these worlds an exhaustive search with open pieces (tools/junqi_open_board.py) says
which moves hold the flag for three turns of its enemy (two of each of two enemies). A position is taken
where doing something else loses the flag in most worlds and some move saves it in most. A move saves the
flag where it does so in as many worlds as the best, less one.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from kibitz.engine import Engine
from kibitz.games.junqi import Position
from tools.junqi_open_board import CAMPS, HEADQUARTERS, Board, Move, Race, graph_of

ARMY = "9" + "8" + "77665544" + "333222111" + "MMM" + "BB" + "F"
HOMES = [(row, column) for row in range(1, 7) for column in range(1, 6) if (row, column) not in CAMPS]
WORLDS = 8
MOST = 0.8  # of the worlds
#: Turns of each enemy that a race is searched for, by the number of players: with four, three take too long.
TURNS = {2: 3, 4: 2}


@dataclass
class Soldier:
    """A piece of a seat, in the order of its set-up."""

    home: tuple[int, int]
    kind: str
    node: str  # where it stands; empty when it is dead
    moved: bool = False


Armies = dict[str, list[Soldier]]


def may_be(soldier: Soldier, kind: str) -> bool:
    """Do the rules of set-ups and what was seen of the piece allow this kind?"""
    if kind == "F":
        return soldier.home in HEADQUARTERS and bool(soldier.node) and not soldier.moved
    if kind == "M":
        return soldier.home[0] >= 5 and not soldier.moved
    return kind != "B" or soldier.home[0] > 1


def assign(soldiers: list[Soldier], shown: int | None, chance: random.Random) -> list[str] | None:
    """Kinds for the pieces of a seat, drawn at random; `shown` is the flag if everybody knows it, and then
    the commander is dead, else it lives."""
    kinds: list[str] = [""] * len(soldiers)
    free = set(range(len(soldiers)))

    def put(kind: str, among: list[int]) -> bool:
        fitting = [i for i in among if i in free and may_be(soldiers[i], kind)]
        if not fitting:
            return False
        chosen = chance.choice(fitting)
        free.discard(chosen)
        kinds[chosen] = kind
        return True

    everybody = list(range(len(soldiers)))
    if not put("F", everybody if shown is None else [shown]):
        return None
    if not put("9", [i for i in everybody if bool(soldiers[i].node) == (shown is None)]):
        return None
    if not all(put(kind, everybody) for kind in "MMMBB"):
        return None
    rest = [kind for kind in ARMY if kind not in "F9MB"]
    chance.shuffle(rest)
    for i, kind in zip(sorted(free), rest, strict=True):
        kinds[i] = kind
    return kinds


def scatter(players: int, take: bool, chance: random.Random) -> tuple[Armies, str, dict[str, int]] | None:
    """Armies after some of a game, the seat to move, and the flags that are known."""
    graph = graph_of(players)
    mover = chance.choice(graph.seats)
    enemies = Board(players, {}).enemies(mover)
    armies: Armies = {}
    for seat in graph.seats:
        soldiers = [Soldier(home, "", f"{seat}{home[0]}{home[1]}") for home in HOMES]
        kinds = assign(soldiers, None, chance)
        assert kinds is not None  # a fresh set-up is always possible
        for soldier, kind in zip(soldiers, kinds, strict=True):
            soldier.kind = kind
        armies[seat] = soldiers
    victim = chance.choice(enemies) if take else mover
    shown: dict[str, int] = {}
    for seat, soldiers in armies.items():
        commander = next(soldier for soldier in soldiers if soldier.kind == "9")
        dying = [s for s in soldiers if s.kind not in "F9"]
        for soldier in chance.sample(dying, chance.randint(9, 19)):
            soldier.node = ""
        if seat == victim or chance.random() < 0.3:
            commander.node = ""
            shown[seat] = next(i for i, soldier in enumerate(soldiers) if soldier.kind == "F")
    taken = {s.node for soldiers in armies.values() for s in soldiers if s.node}
    empty = [node for node in graph.steps if node not in taken and node not in graph.headquarters]
    flag = next(s.node for s in armies[victim] if s.kind == "F")
    near = steps_from(graph.steps, flag, 3)
    attackers = [mover] if take else list(enemies)

    def march(seat: str, places: list[str]) -> bool:
        soldiers = [
            s
            for s in armies[seat]
            if s.node and not s.moved and s.kind not in "MF" and s.node not in graph.headquarters
        ]
        free = [node for node in places if node in empty]
        if not soldiers or not free:
            return False
        soldier, node = chance.choice(soldiers), chance.choice(free)
        empty.remove(node)
        empty.append(soldier.node)
        soldier.node, soldier.moved = node, True
        return True

    for _ in range(chance.randint(1, 2)):
        if not march(chance.choice(attackers), [node for node in near if node != flag]):
            return None
    for seat in graph.seats:
        for _ in range(chance.randint(0, 3)):
            march(seat, list(empty))
    return armies, mover, shown


def steps_from(steps: dict[str, set[str]], start: str, most: int) -> set[str]:
    found = {start}
    for _ in range(most):
        found |= {other for node in found for other in steps[node]}
    return found


def board_of(players: int, armies: Armies, kinds: dict[str, list[str]]) -> Board:
    return Board(
        players,
        {
            soldier.node: (seat, kind)
            for seat, soldiers in armies.items()
            for soldier, kind in zip(soldiers, kinds[seat], strict=True)
            if soldier.node
        },
    )


def notation(players: int, armies: Armies, mover: str, shown: dict[str, int]) -> str:
    """The position as `Position` reads it (docs/junqi.md, Text)."""

    def text(seat: str, i: int, soldier: Soldier) -> str:
        if not soldier.node:
            return soldier.kind + "x"
        if soldier.moved:
            return f"{soldier.kind}>{soldier.node}"
        return soldier.kind + ("!" if shown.get(seat) == i else "")

    seats = " ".join(
        f"{seat}:" + ",".join(text(seat, i, soldier) for i, soldier in enumerate(soldiers))
        for seat, soldiers in armies.items()
    )
    return f"{players} dark draw=70 turn={mover} quiet=0 ply=100 {seats}"


def problem(players: int, take: bool, chance: random.Random) -> dict[str, object] | None:
    made = scatter(players, take, chance)
    if made is None:
        return None
    armies, mover, shown = made
    true = {seat: [soldier.kind for soldier in soldiers] for seat, soldiers in armies.items()}
    board = board_of(players, armies, true)
    if not all(board.moves(seat) for seat in board.graph.seats):
        return None
    if take:
        flags = {armies[seat][i].node for seat, i in shown.items() if seat in board.enemies(mover)}
        good = [move for move in board.moves(mover) if move[1] in flags]
        rates: dict[str, float] = {}
    else:
        counted = [saving(players, armies, mover, shown, chance)]
        # Positions are chosen by the first worlds, so that others must agree.
        counted += [saving(players, armies, mover, shown, chance)] if counted[0] else []
        if not all(counted) or len(counted) < 2:
            return None
        held: Counter[Move | None] = Counter()
        for one in counted:
            held.update(one)
        most = max(count for move, count in held.items() if move)
        good = [move for move, count in held.items() if move and count >= most - 1]
        rates = {"idle": held[None] / (2 * WORLDS), "best": most / (2 * WORLDS)}
    if not good:
        return None
    text = notation(players, armies, mover, shown)
    return {"position": text, "good": sorted("-".join(move) for move in good), "rates": rates}


def saving(
    players: int, armies: Armies, mover: str, shown: dict[str, int], chance: random.Random
) -> Counter[Move | None] | None:
    """In how many worlds each move, or something else (None), holds the mover's flag; nothing where the
    position is no such problem."""
    own = {mover: [soldier.kind for soldier in armies[mover]]}
    held: Counter[Move | None] = Counter()
    for world in range(WORLDS):
        if world and max((n for move, n in held.items() if move), default=0) < MOST * WORLDS - WORLDS + world:
            return None  # no move can save it often enough any more
        kinds = dict(own)
        for seat, soldiers in armies.items():
            if seat == mover:
                continue
            drawn = None
            for _ in range(20):
                drawn = drawn or assign(soldiers, shown.get(seat), chance)
            if drawn is None:
                return None
            kinds[seat] = drawn
        board = board_of(players, armies, kinds)
        race = Race(board, mover, TURNS[players])
        try:
            if race.saves(None):
                held[None] += 1
                if held[None] > WORLDS * (1 - MOST):
                    return None  # it is in no danger
            # What is no part of the race is like doing something else; a hit that may fail in this world is.
            moves = set(race.relevant(board, mover, 0)) | {
                move for move in board.moves(mover) if move[1] in board.pieces
            }
            for move in moves | (held.keys() - {None}):
                assert move is not None
                if race.saves(move):
                    held[move] += 1
        except OverflowError:
            return None
    best = max((count for move, count in held.items() if move), default=0)
    return held if best >= WORLDS * MOST else None


def make(file: Path, count: int, seed: int, take: bool) -> None:
    chance = random.Random(seed)
    written = tried = 0
    with file.open("w", encoding="utf-8") as out:
        while written < count:
            tried += 1
            row = problem(chance.choice((2, 4)), take, chance)
            if row is None:
                continue
            out.write(json.dumps(row) + "\n")
            out.flush()
            written += 1
            print(f"\r{written} of {count} positions, {tried} tried", end="", flush=True)
    print()


def attempt(file: Path, preset: str, seconds: float, simulations: int, missed_file: Path | None) -> None:
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    limit = {"simulations": simulations} if simulations else {"seconds": seconds}
    missed = []
    with Engine("junqi", preset, threads=1) as engine:
        for number, row in enumerate(rows):
            best = engine.analyze(Position(row["position"]).view(), **limit).best
            if best not in row["good"]:
                missed.append({"number": number, "played": best, **row})
    share = 1 - len(missed) / len(rows)
    print(f"{preset}: {len(rows) - len(missed)} of {len(rows)}, {share:.1%}")
    if missed_file:
        missed_file.write_text("".join(json.dumps(row) + "\n" for row in missed), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    making = commands.add_parser("make")
    making.add_argument("file", type=Path)
    making.add_argument("--positions", type=int, default=300)
    making.add_argument("--seed", type=int, default=1)
    making.add_argument("--take", action="store_true", help="positions in which the mover can take a flag")
    trying = commands.add_parser("try")
    trying.add_argument("file", type=Path)
    trying.add_argument("--engine", default="default", help="a preset")
    trying.add_argument("--seconds", type=float, default=0.2)
    trying.add_argument("--simulations", type=int, default=0, help="nodes instead of seconds")
    trying.add_argument("--missed", type=Path, help="write the positions that were missed")
    asked = parser.parse_args()
    if asked.command == "make":
        make(asked.file, asked.positions, asked.seed, asked.take)
    else:
        attempt(asked.file, asked.engine, asked.seconds, asked.simulations, asked.missed)


if __name__ == "__main__":
    main()
