"""Measures of games as files: JSON, JSON lines, CSV, and Parquet where pyarrow is installed.

>>> write_table("games.parquet", games, load_norm())                            # doctest: +SKIP
"""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kibitz.errors import BadOption, NotInstalled
from kibitz.style.metrics import METRICS, Games
from kibitz.style.norm import Norm
from kibitz.style.s2 import load_s2

_WHOLE = {"fch", "pb_delay"}
#: The scores in the order of a row: of the game, classic and S2; of its sides.
SCORES = ("s", "s2", "s2_white", "s2_black")


def rows(games: Games, norm: Norm) -> Iterator[dict[str, Any]]:
    """A plain row for each game; `white`, `black`, `result` and `problem` where the games are named."""
    scores, score = norm.scores(games), load_s2()
    sides = score.sides(games.sides)
    whole = score.game(sides)
    for index in range(len(games)):
        row: dict[str, Any] = {"game": int(games.number[index])}
        if games.names:
            white, black, result, problem = games.names[index]
            row |= {"white": white, "black": black, "result": result}
            if problem:
                row["problem"] = problem
        row["plies"] = int(games.plies[index])
        for place, name in enumerate(METRICS):
            value = float(games.values[index, place])
            row[name] = int(value) if name in _WHOLE else round(value, 6)
        row["s"] = round(float(scores[index]), 6)
        row["s2"] = round(float(whole[index]), 6)
        row["s2_white"], row["s2_black"] = (round(float(value), 6) for value in sides[index])
        yield row


def write_table(path: str | os.PathLike[str], games: Games, norm: Norm) -> None:
    """Writes a row for each game; the name's ending says how: .json, .jsonl, .csv or .parquet."""
    target = Path(path)
    writers = {".json": _json, ".jsonl": _json_lines, ".csv": _csv, ".parquet": _parquet}
    writer = writers.get(target.suffix.lower())
    if writer is None:
        raise BadOption(f"{target}: expected a name that ends in {', '.join(writers)}")
    draft = target.with_name(target.name + ".partial")
    try:
        writer(draft, games, norm)
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)


def _json(path: Path, games: Games, norm: Norm) -> None:
    path.write_text(json.dumps(list(rows(games, norm))) + "\n", encoding="utf-8")


def _json_lines(path: Path, games: Games, norm: Norm) -> None:
    with path.open("w", encoding="utf-8") as out:
        for row in rows(games, norm):
            out.write(json.dumps(row) + "\n")


def _csv(path: Path, games: Games, norm: Norm) -> None:
    names = ["white", "black", "result", "problem"] if games.names else []
    with path.open("w", encoding="utf-8", newline="") as out:
        writer = csv.DictWriter(out, ["game", *names, "plies", *METRICS, *SCORES], restval="")
        writer.writeheader()
        writer.writerows(rows(games, norm))


def _parquet(path: Path, games: Games, norm: Norm) -> None:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise NotInstalled("pyarrow", "a Parquet file") from None
    columns: dict[str, Any] = {"game": games.number, "plies": games.plies.astype("int32")}
    if games.names:
        for place, name in enumerate(("white", "black", "result", "problem")):
            columns[name] = [row[place] for row in games.names]
    for name in METRICS:
        columns[name] = games[name].astype("int32") if name in _WHOLE else games[name]
    score = load_s2()
    sides = score.sides(games.sides)
    values = (norm.scores(games), score.game(sides), sides[:, 0], sides[:, 1])
    columns |= dict(zip(SCORES, values, strict=True))
    table = pyarrow.table(columns)
    described = json.dumps(norm.to_dict()).encode()
    pyarrow.parquet.write_table(table.replace_schema_metadata({b"kibitz-style-norm": described}), path)
