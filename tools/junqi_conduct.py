"""Fit what the behaviour of Junqi's pieces tells about them: `learned_conduct` in games/junqi/conduct.cpp.

    kibitz match junqi default classic --games 120 --seconds-per-move 0.002 --output games.jsonl
    python -m tools.junqi_conduct games.jsonl records/*.jgs --every 9 --rounds 14

For every sign (a row of the table: "attacked twice", "could attack six times and did not") and every kind it
compares how often pieces with the sign truly were of the kind with how often the beliefs expect them to be,
and moves the row a share of the way, round after round. It prints the log-loss of each round and in the end
the rows.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from kibitz import _native
from kibitz.arena import read_results
from kibitz.errors import KibitzError
from kibitz.games.junqi import Position, View, Weights
from kibitz.games.junqi.records import read_jgs

KINDS = "FMB987654321"
#: Rows of pieces that left the board count less: they are known better, and matter through battles only.
DEAD = 0.3
#: A kind that no sample has may be the truth all the same.
MISSED = 0.02

Table = list[list[float]]


@dataclass(frozen=True)
class Case:
    """A view, and for every piece it does not know what it truly is and the rows that hold for it."""

    view: View
    alive: frozenset[int]
    pieces: tuple[tuple[int, str, tuple[int, ...]], ...]


def games_of(path: Path) -> Iterator[tuple[Position, Sequence[str]]]:
    if path.suffix == ".jgs":
        record = read_jgs(path)
        yield record.start(), record.position().moves
        return
    for game in read_results(path)[1]:
        yield Position(game.opening["position"]), (*game.opening["moves"], *game.moves)


def kinds_of(start: Position) -> dict[int, str]:
    """The kind of every piece, by its number."""
    kinds = {}
    for word in start.notation.split():
        seat, colon, army = word.partition(":")
        if colon and seat in tuple("SENW"):
            for place, piece in enumerate(army.split(",")):
                kinds[25 * "SENW".index(seat) + place] = piece[0]
    return kinds


def cases_of(start: Position, moves: Sequence[str], every: int) -> Iterator[Case]:
    kinds, position = kinds_of(start), start
    for number, move in enumerate(moves):
        if number % every == every // 2 and ":" not in move:
            view = position.view()
            native = view.state
            own = "SENW".index(view.seat)
            hidden = ((piece, kind) for piece, kind in kinds.items() if piece // 25 != own)
            rows = ((p, kind, tuple(_native.junqi_conduct_rows(native, p))) for p, kind in hidden)
            alive = frozenset(int(native.piece_at(row[0])) for row in native.standing())
            yield Case(view, alive, tuple(rows))
        position = position.play(move)


def step(
    cases: Sequence[Case], table: Table, weights: Weights, *, share: float, prior: float, samples: int
) -> float:
    """Moves the table once; the log-loss a hidden piece on the board that it had before."""
    true: Table = [[prior] * len(KINDS) for _ in table]
    expected: Table = [[prior] * len(KINDS) for _ in table]
    losses = []
    for number, case in enumerate(cases):
        belief = _native.junqi_believe(case.view.state, weights.native, samples, number + 1, table)
        for piece, kind, rows in case.pieces:
            possible = belief.possible(piece)
            if len(possible) < 2:
                continue
            chances = belief.chances(piece)
            alive = piece in case.alive
            for row in rows:
                true[row][KINDS.index(kind)] += 1.0 if alive else DEAD
                for other, chance in chances.items():
                    expected[row][KINDS.index(other)] += chance if alive else DEAD * chance
            if alive:
                hit = (1 - MISSED) * chances.get(kind, 0.0) + MISSED / len(possible)
                losses.append(-math.log(hit))
    for row, (got, thought) in enumerate(zip(true, expected, strict=True)):
        for k in range(len(KINDS)):
            table[row][k] += share * math.log(got[k] / thought[k])
    return sum(losses) / max(1, len(losses))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("games", nargs="+", type=Path, help="records (.jgs) and files of matches (.jsonl)")
    parser.add_argument("--every", type=int, default=9, help="look at every n-th position only")
    parser.add_argument("--rounds", type=int, default=14)
    parser.add_argument("--share", type=float, default=0.12, help="of the way that a row is moved")
    parser.add_argument("--prior", type=float, default=30.0, help="pieces of each kind that are taken to fit")
    parser.add_argument("--samples", type=int, default=64)
    asked = parser.parse_args()
    try:
        games = [game for path in asked.games for game in games_of(path)]
        cases = [case for start, moves in games for case in cases_of(start, moves, asked.every)]
    except (OSError, KibitzError) as error:
        parser.error(str(error))
    table: Table = [[0.0] * len(KINDS) for _ in _native.junqi_learned_conduct()]
    weights = Weights(behaviour__conduct=1)
    for number in range(asked.rounds):
        loss = step(cases, table, weights, share=asked.share, prior=asked.prior, samples=asked.samples)
        print(f"round {number + 1}: {loss:.4f} before it ({len(cases)} views)", flush=True)
    for row in table:
        print("{{" + ", ".join(f"{value:.2f}f" for value in row) + "}},")


if __name__ == "__main__":
    main()
