"""Games as JSON are measured as the same games in PGN are; positions are tagged."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import kibitz
from kibitz.errors import BadRecord
from kibitz.style import load_norm, load_s2, measure_pgn
from kibitz.style.json_games import measure_json
from kibitz.style.tags import games_of_file, position_tags

LINES = (
    "1. Nf3 d5 2. g3 Nf6 3. Bg2 g6 4. O-O Bg7",
    "1. e4 e5 2. d4 exd4 3. Qxd4 Nc6",
    "1. d4 Nf6 2. c4 e6 3. Nc3 Bb4 4. e3 b6",
)
PGN = "\n\n".join(f"{line} *" for line in LINES).encode()


def moves(line: str) -> list[str]:
    return [word for word in line.split() if not word.endswith(".")]


@pytest.mark.parametrize("form", ["list", "lines"])
def test_json_is_measured_as_pgn(tmp_path: Path, form: str) -> None:
    games = [{"moves": moves(line)} for line in LINES]
    uci = list(kibitz.chess.Position().play(*games[0]["moves"]).moves)
    games[0] = {"moves": uci}
    path = tmp_path / f"games.{'json' if form == 'list' else 'jsonl'}"
    if form == "list":
        path.write_text(json.dumps(games))
    else:
        rows = [{"format": "kibitz-selfplay", "version": 1, "settings": {}}, *games]
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    ours, theirs = measure_json(path), measure_pgn(PGN)
    np.testing.assert_array_equal(ours.values, theirs.values)
    np.testing.assert_array_equal(ours.sides, theirs.sides)
    assert list(ours.number) == [1, 2, 3]


def test_broken_and_empty_games_are_counted() -> None:
    measured = measure_json(json.dumps([{"moves": ["e4", "e4"]}, {"moves": []}, {"moves": ["b3"]}]).encode())
    assert (len(measured), measured.broken, measured.empty) == (2, 1, 1)


@pytest.mark.parametrize("text", ["{", '[{"moves": 3}]', "[3]", '[{"moves": ["e4"], "start": 1}]'])
def test_wrong_files_are_named(text: str) -> None:
    with pytest.raises(BadRecord, match=r"the games"):
        measure_json(text.encode())


def test_tags_of_positions(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_bytes(PGN)
    rows = list(position_tags(games_of_file(path)))
    games = measure_pgn(PGN)
    scores, sides = load_norm().scores(games), load_s2().sides(games.sides)
    assert len(rows) == sum(len(moves(line)) for line in LINES)
    for row in rows:
        number = row["game"] - 1
        assert row["s"] == pytest.approx(scores[number], abs=1e-6)
        assert row["s2"] == pytest.approx(sides[number, row["ply"] % 2], abs=1e-6)
        assert row["tag"] == ("high" if scores[number] >= 0.39 else "neutral")
        assert row["fen"].split()[1] == "wb"[row["ply"] % 2]
