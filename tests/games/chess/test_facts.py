"""Facts of chess against Lichess's themes, and their evidence replayed by python-chess.

`puzzles.csv` has three puzzles a theme from Lichess's puzzle database (database.lichess.org, CC0), of the
half that detectors may be tuned on; `python -m tools.chess_themes` compares thousands.
"""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import pytest

import kibitz
from kibitz.facts import Fact
from kibitz.sentences import LANGUAGES
from tests.games.chess.fact_checker import problems
from tools.chess_themes import EXACT, OTHERS, codes

with (Path(__file__).parent / "puzzles.csv").open(encoding="utf-8") as file:
    PUZZLES = list(csv.DictReader(file))
THEMES = {*EXACT, *OTHERS}


def explained(row: dict[str, str], *, whole: bool = False) -> kibitz.Explanation:
    """The solution, or with the opponent's mistake before it."""
    start, moves = kibitz.chess.Position(row["fen"]), row["moves"].split()
    return (
        kibitz.explain(start, line=moves) if whole else kibitz.explain(start.play(moves[0]), line=moves[1:])
    )


def test_every_theme_has_puzzles() -> None:
    assert {theme for row in PUZZLES for theme in row["themes"].split()} >= THEMES


@pytest.mark.parametrize("row", PUZZLES, ids=lambda row: row["id"])
def test_facts_are_the_themes(row: dict[str, str]) -> None:
    assert codes(row) & THEMES == set(row["themes"].split()) & THEMES


@pytest.mark.parametrize("row", PUZZLES, ids=lambda row: row["id"])
def test_evidence_holds(row: dict[str, str]) -> None:
    for why in (explained(row), explained(row, whole=True)):
        assert problems(why) == []
        assert why.facts
        for language in LANGUAGES:
            assert all(why.sentences(language))


def test_the_checker_finds_what_is_false() -> None:
    """Evidence moved to another square, and a gain that is too large."""
    caught = tried = 0
    for row in PUZZLES:
        why = explained(row)
        for fact in why.facts:
            wrong = falsified(fact)
            if wrong is not None:
                tried += 1
                caught += bool(problems(replace(why, facts=(wrong,))))
    assert tried > 50
    assert caught == tried


def falsified(fact: Fact) -> Fact | None:
    parameters = dict(fact.parameters)
    if fact.code == "material":
        parameters["pawns"] += 1
    elif fact.code.startswith("mateIn"):
        parameters["moves"] += 1
    elif fact.code in ("fork", "pin", "deflection", "attraction"):
        parameters["targets"] = (
            "a1" if parameters["targets"][0] != "a1" else "b1",
            *parameters["targets"][1:],
        )
        if fact.code == "fork" and parameters["targets"][0] in fact.parameters["targets"]:
            return None
    else:
        return None
    return replace(fact, parameters=parameters)


def test_a_mistake_is_the_opponents_fact() -> None:
    why = kibitz.explain(kibitz.chess.Position(), line=["f3", "e5", "g4", "Qh4#"])
    best = why.facts[0]
    assert (best.code, best.side, best.ply) == ("mateIn2", "black", 1)
    assert why.sentences() == ["1.f3 allows mate in 2: 1...e5 2.g4 Qh4#"]


def test_a_trade_wins_nothing() -> None:
    start = kibitz.chess.Position("r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 4")
    why = kibitz.explain(start, line=["Bxc6", "dxc6"])
    assert "material" not in {fact.code for fact in why.facts}
    assert why.sentences() == ["no single reason found; best reply dxc6"]


def test_a_quiet_threat_of_mate() -> None:
    position = kibitz.chess.Position("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1")
    why = kibitz.explain(position.play("Rb1", "h6"), line=["Ra1", "g6"])
    assert [fact.code for fact in why.facts if fact.sentence] == []
    why = kibitz.explain(position.play("Rb1", "Kh8"), line=["Ra1"])
    assert why.sentences() == ["2.Ra1 threatens mate on a8"]


@pytest.mark.parametrize(
    ("fen", "move", "words"),
    [
        ("4k3/8/8/1N6/8/8/r7/4K3 w - - 0 1", "Nc7+", {}),
        ("r3k3/8/8/1N6/8/8/8/4K3 w - - 0 1", "Nc7+ Kd7 Nxa8", {
            "en": "1.Nc7+ forks the king on e8 and the rook on a8",
            "ko": "1.Nc7+: 포크, 대상은 e8 킹, a8 룩",
            "zh-Hans": "1.Nc7+ 捉双：e8 的王和a8 的车",  # noqa: RUF001
            "zh-Hant": "1.Nc7+ 捉雙：e8 的王和a8 的車",  # noqa: RUF001
        }),
    ],
)  # fmt: skip
def test_words(fen: str, move: str, words: dict[str, str]) -> None:
    why = kibitz.explain(kibitz.chess.Position(fen), line=move.split())
    for language in LANGUAGES:
        forks = [fact.sentence for fact in why.facts if fact.code == "fork"]
        assert [fork.worded(language) for fork in forks if fork] == ([words[language]] if words else [])
