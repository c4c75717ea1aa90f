"""The opening lines that come with Kibitz, and those of users."""

from __future__ import annotations

import json
from pathlib import Path

import chess
import pytest

from kibitz.errors import BadRecord
from kibitz.style.openings import injection_chance, load_openings

FAMILIES = (
    "Réti",
    "King's Indian Defense",
    "Grünfeld",
    "Nimzo-Indian",
    "Queen's Indian",
    "Pirc",
    "Modern Defense",
    "Catalan",
    "Alekhine",
    "English Opening",
    "Old Indian",
    "Sicilian Defense: Closed",
    "French Defense",
    "Nimzo-Larsen",
)


def test_the_lines_are_sound() -> None:
    book = load_openings()
    assert len(book) >= 300
    assert len({line.fen for line in book}) == len(book)
    for line in book:
        board = chess.Board()
        for move in line.moves:
            board.push_uci(move)  # raises when it is illegal
        assert board.fen(en_passant="legal") == line.fen
        assert line.name
        assert line.eco[0] in "ABCDE"
        assert line.eco[1:].isdigit()
        assert not board.is_game_over()


def test_every_family_is_there() -> None:
    names = [line.name for line in load_openings()]
    codes = {line.eco for line in load_openings()}
    for family in FAMILIES:
        assert any(name.startswith(family) or family in name for name in names), family
    assert {"A00", "A40", "A01", "E60", "D80", "E20", "E12", "B07", "B06", "E00", "B02"} <= codes


def test_lines_of_users(tmp_path: Path) -> None:
    path = tmp_path / "book.txt"
    path.write_text("# mine\n1. g3 d5 2. Bg2\n\nb2b3 e7e5 # Larsen\n")
    book = load_openings(path)
    assert [line.moves for line in book] == [("g2g3", "d7d5", "f1g2"), ("b2b3", "e7e5")]
    path.write_text("1. g3 d5 2. Bg3\n")
    with pytest.raises(BadRecord, match="line 1"):
        load_openings(path)
    path.write_text("\n")
    with pytest.raises(BadRecord, match="no opening line"):
        load_openings(path)
    row = {"name": "Larsen", "eco": "A01", "moves": "b2b3", "fen": "8/8/8/8/8/8/8/8 w - - 0 1"}
    path.write_text(json.dumps({"format": "kibitz-openings", "version": 1, "lines": [row]}))
    with pytest.raises(BadRecord, match="leads to"):
        load_openings(path)
    for wrong, message in (
        ("{", "not JSON"),
        ('{"format": "else"}', "format"),
        ('{"format": "kibitz-openings"}', "version"),
    ):
        path.write_text(wrong)
        with pytest.raises(BadRecord, match=message):
            load_openings(path)


def test_the_chance_of_a_line() -> None:
    assert injection_chance(0.0) == 0.0
    assert injection_chance(0.6, alpha=0.5, base=0.1) == pytest.approx(0.4)
    assert injection_chance(10.0) == 1.0
