"""Compares the facts of chess with the themes of Lichess's puzzles: precision and recall.

    python -m tools.chess_themes puzzles.csv.gz
    python -m tools.chess_themes puzzles.csv.gz --disagreements 50

The file has the columns id, fen, moves and themes; the first of the moves is the opponent's. Odd rows are for
tuning (`--half tuning`), even rows are reported. `--without-past` hides the opponent's move, `--turned`
exchanges the colours: other squares, the same themes. Zugzwang depends on a search and has no limit to meet.
"""

from __future__ import annotations

import argparse
import csv
import gzip
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import chess

import kibitz

#: Themes that a fact has the name of, those that a rule decides without judgement first.
EXACT = ("mateIn1", "mateIn2", "mateIn3", "backRankMate", "smotheredMate", "doubleCheck", "promotion")
OTHERS = (
    "fork",
    "pin",
    "skewer",
    "discoveredAttack",
    "hangingPiece",
    "trappedPiece",
    "deflection",
    "attraction",
    "sacrifice",
    "discoveredCheck",
    "interference",
    "intermezzo",
    "xRayAttack",
    "capturingDefender",
    "quietMove",
    "advancedPawn",
    "hookMate",
    "arabianMate",
    "anastasiaMate",
    "dovetailMate",
    "bodenMate",
    "doubleBishopMate",
)
SEARCHED = ("zugzwang",)


@dataclass
class Tally:
    """How often a theme was both found and labelled, only found, only labelled."""

    both: int = 0
    found: int = 0
    labelled: int = 0
    disagreements: list[str] = field(default_factory=list)

    @property
    def precision(self) -> float:
        return self.both / max(1, self.both + self.found)

    @property
    def recall(self) -> float:
        return self.both / max(1, self.both + self.labelled)


def puzzles(path: Path, half: str) -> Iterator[dict[str, str]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for number, row in enumerate(csv.DictReader(file), 1):
            if half == "all" or (number % 2 == 1) == (half == "tuning"):
                yield row


def codes(row: dict[str, str], without_past: bool = False) -> set[str]:
    """The codes of the solver's facts."""
    opponents, *solution = row["moves"].split()
    position = kibitz.chess.Position(row["fen"]).play(opponents)
    if without_past:
        position = kibitz.chess.Position(position.fen)
    facts = kibitz.explain(position, line=solution).facts
    return {fact.code for fact in facts if fact.side == position.mover}


def turned(row: dict[str, str]) -> dict[str, str]:
    """The puzzle with colours exchanged, the board upside down."""
    mirrored = chess.Board(row["fen"]).mirror().fen()
    moves = row["moves"].translate(str.maketrans("12345678", "87654321"))
    return {**row, "fen": mirrored, "moves": moves}


def compare(path: Path, half: str, without_past: bool, turn: bool) -> tuple[int, dict[str, Tally]]:
    tallies: dict[str, Tally] = defaultdict(Tally)
    count = 0
    for row in map(turned, puzzles(path, half)) if turn else puzzles(path, half):
        count += 1
        found, labelled = codes(row, without_past), set(row["themes"].split())
        for theme in (*EXACT, *OTHERS, *SEARCHED):
            if theme in found and theme in labelled:
                tallies[theme].both += 1
            elif theme in found or theme in labelled:
                kind = "found" if theme in found else "labelled"
                tallies[theme].found += kind == "found"
                tallies[theme].labelled += kind == "labelled"
                said = f"only {kind}  {row['id']}  {row['fen']}  {row['moves']}"
                tallies[theme].disagreements.append(said)
    return count, tallies


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--half", choices=("reported", "tuning", "all"), default="reported")
    parser.add_argument("--without-past", action="store_true")
    parser.add_argument("--turned", action="store_true")
    parser.add_argument("--disagreements", type=int, default=0, metavar="N", help="show so many per theme")
    given = parser.parse_args()
    count, tallies = compare(given.file, given.half, given.without_past, given.turned)
    print(f"{count} puzzles, half: {given.half}")
    print(f"{'theme':18} {'labelled':>8} {'found':>6} {'precision':>9} {'recall':>7}")
    short = Counter[str]()
    for theme in (*EXACT, *OTHERS, *SEARCHED):
        tally = tallies[theme]
        labelled, found = tally.both + tally.labelled, tally.both + tally.found
        print(f"{theme:18} {labelled:8} {found:6} {tally.precision:9.1%} {tally.recall:7.1%}")
        least = 0.95 if theme in EXACT else 0.85
        short[theme] = theme not in SEARCHED and min(tally.precision, tally.recall) < least
        for line in tally.disagreements[: given.disagreements]:
            print(f"    {line}")
    below = [theme for theme, is_short in short.items() if is_short]
    print("below 85% (95% for the exact ones): " + (", ".join(below) or "none"))


if __name__ == "__main__":
    main()
