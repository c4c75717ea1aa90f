"""Chooses the hypermodern lines of `src/kibitz/style/lines/hypermodern.json` from tables of openings.

    python tools/hypermodern.py ../shared/data/chess/openings-*.tsv

A table has the columns eco, name and pgn, as the CC0 tables of the lichess project do. The rules below say
which lines are hypermodern or lead to closed positions; the result is checked in and needs no table.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
from collections.abc import Iterator
from pathlib import Path

from kibitz.games.chess.position import Position
from kibitz.style.openings import FORMAT, VERSION

FILE = Path(__file__).resolve().parent.parent / "src" / "kibitz" / "style" / "lines" / "hypermodern.json"

#: Names (as they begin) and the codes they may have. What a player of the style would call his own.
FAMILIES: tuple[tuple[str, str], ...] = (
    # First moves that leave the centre alone (A00, A01) and Black's modern answers (A40 to A42).
    ("Polish Opening", "A00"),
    ("Hungarian Opening", "A0"),
    ("Mieses Opening", "A00"),
    ("Van't Kruijs Opening", "A00"),
    ("Nimzo-Larsen Attack", "A0"),
    ("English Defense", "A40"),
    ("Modern Defense", "A4|B0"),
    ("Pterodactyl Defense", "A4"),
    ("Horwitz Defense", "A40"),
    ("Queen's Pawn Game: Modern Defense", "A40"),
    # Reti and its relatives.
    ("Réti Opening", "A09|A1"),
    ("Zukertort Opening", "A0[468]"),
    ("King's Indian Attack", "A0"),
    ("French Defense: King's Indian Attack", "C00"),
    ("English Opening", "A[1-3]"),
    # Indian defences.
    ("King's Indian Defense", "E[6-9]"),
    ("Indian Defense", "A4|A5|E"),
    ("East Indian Defense", "A4|E6"),
    ("Old Indian Defense", "A4|A5"),
    ("Grünfeld Defense", "D[89]"),
    ("Neo-Grünfeld Defense", "D7"),
    ("Nimzo-Indian Defense", "E[2-5]"),
    ("Queen's Indian Defense", "E1"),
    ("Bogo-Indian Defense", "E11"),
    ("Catalan Opening", "E0"),
    ("Benoni Defense: Czech", "A56"),
    ("Benoni Defense: Old Benoni", "A4"),
    ("Benoni Defense: Classical", "A6|A7"),
    ("Benoni Defense: Fianchetto Variation", "A6"),
    # Against 1. e4.
    ("Pirc Defense", "B0"),
    ("Rat Defense", "A41|B0"),
    ("Robatsch", "B06"),
    ("Alekhine Defense", "B0[2-5]"),
    ("Owen Defense", "B00"),
    ("Nimzowitsch Defense", "B00"),
    ("Lion Defense", "B0"),
    # Closed positions after usual beginnings.
    ("Sicilian Defense: Closed", "B2"),
    ("Sicilian Defense: Hyperaccelerated", "B2"),
    ("Sicilian Defense: Accelerated Dragon", "B3"),
    ("French Defense: Advance", "C02"),
    ("French Defense: Winawer", "C1"),
    ("French Defense: Closed", "C0"),
    ("French Defense: Classical", "C1"),
)

#: Sacrifices and traps open the game at once.
UNFIT = re.compile(r"gambit|countergambit|attack: .*sacrifice|trap|exchange|accepted", re.IGNORECASE)

FEWEST, MOST = 3, 22


def wanted(eco: str, name: str) -> bool:
    if UNFIT.search(name):
        return False
    return any(name.startswith(start) and re.match(codes, eco) for start, codes in FAMILIES)


def table_rows(paths: list[Path]) -> Iterator[tuple[str, str, list[str]]]:
    for path in sorted(paths):
        with path.open(encoding="utf-8", newline="") as table:
            for row in csv.DictReader(table, delimiter="\t"):
                moves = [word for word in row["pgn"].split() if not word.endswith(".")]
                yield row["eco"], row["name"], moves


def chosen(paths: list[Path]) -> list[dict[str, str]]:
    """The lines, each position once, in the order of their codes."""
    lines: dict[str, dict[str, str]] = {}
    for eco, name, moves in table_rows(paths):
        if not wanted(eco, name) or not FEWEST <= len(moves) <= MOST:
            continue
        position = Position().play(*moves)
        line = {"name": name, "eco": eco, "moves": " ".join(position.moves), "fen": position.fen}
        lines.setdefault(position.fen, line)
    return sorted(lines.values(), key=lambda line: (line["eco"], line["name"], line["moves"]))


def main() -> None:
    parser = argparse.ArgumentParser(description="Write the hypermodern opening lines.")
    parser.add_argument("tables", nargs="+", type=Path)
    lines = chosen(parser.parse_args().tables)
    rows = ",\n".join("    " + json.dumps(line, ensure_ascii=False) for line in lines)
    head = f'"format": "{FORMAT}",\n  "version": {VERSION},\n  "style": "hypermodern",\n  "lines": [\n'
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text("{\n  " + head + rows + "\n  ]\n}\n", encoding="utf-8")
    print(f"{len(lines)} lines in {FILE.name}")


if __name__ == "__main__":
    main()
