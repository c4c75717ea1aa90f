"""Facts of Go, replayed on sgfmill's board."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

import kibitz
from kibitz.sentences import LANGUAGES
from tests.games.go.fact_checker import problems


def board(text: str, to_move: str = "black") -> kibitz.go.Position:
    """A position from rows of `X`, `O` and `.`, the top first."""
    rows = text.split()
    names = "ABCDEFGHJ"
    at = {
        stone: [
            f"{names[x]}{len(rows) - y}"
            for y, row in enumerate(rows)
            for x, one in enumerate(row)
            if one == stone
        ]
        for stone in "XO"
    }
    return kibitz.go.Position((len(rows[0]), len(rows)), black=at["X"], white=at["O"], to_move=to_move)


def without_owners(position: kibitz.go.Position, *line: str) -> kibitz.Explanation:
    """Facts of the rules alone: a report that knows no owners."""
    report = SimpleNamespace(position=position, moves=(), root=SimpleNamespace(ownership=()))
    why = kibitz.explain(report, list(line))  # type: ignore[arg-type]
    assert problems(why) == []
    for fact in why.facts:
        assert fact.sentence
        assert all(fact.sentence.worded(language) for language in LANGUAGES)
    return why


def rows(*first: str) -> str:
    return " ".join([*first, *["........."] * (9 - len(first))])


#: The board, the line, and the facts that it must and must not have.
RULES = [
    (rows(".........", "..X......", ".XOX.....", "........."), ["C6"], {"capture"}, {"atari"}),
    (rows(".........", "..X......", ".XO......", "........."), ["D7"], {"atari"}, {"ladder", "capture"}),
    (rows(".........", "..X......", ".XO......", ".X......."), ["D7"], {"ladder"}, {"capture", "atari"}),
    (rows(".XO......", "XO.O.....", ".XO......"), ["C8"], {"capture", "ko"}, set()),
    (rows(".........", ".XO.OX...", ".XO.OX...", "..X.X...."), ["D7"], set(), {"cut"}),
    (rows(".........", "..O......", ".O.......", "........."), ["C7"], set(), {"cut"}),
    (rows(".........", "..XO.....", "..OX.....", ".....X..."), ["pass"], set(), {"cut"}),
    (rows("........X", ".OO......", "..XX.....", ".OO......"), ["B7"], {"cut"}, {"connection"}),
    (rows(".XX......", ".O.......", ".XX......"), ["A8"], {"atari"}, {"connection"}),
    (rows(".XX......", ".........", ".XX......"), ["B8"], set(), {"connection"}),
    (rows("XX.......", ".OO......", "X........"), ["A8"], {"connection"}, set()),
    (rows("OXX......", "..X......", "OXX......", "........."), ["A8"], set(), {"selfAtari"}),
    (rows(".XO......", "XXO......", "OO......."), ["C3"], set(), {"selfAtari"}),
]


@pytest.mark.parametrize(("text", "line", "codes", "absent"), RULES)
def test_rules(text: str, line: list[str], codes: set[str], absent: set[str]) -> None:
    found = {fact.code for fact in without_owners(board(text), *line).facts}
    assert codes <= found
    assert not absent & found


def test_a_ladder_that_is_broken_is_none() -> None:
    text = [".XO......", ".X.......", ".........", ".........", ".........", "........."]
    free = board(" ".join([".........", "..X......", *text, "........."]))
    broken = board(" ".join([".........", "..X......", *text[:4], "......O..", *text[5:], "........."]))
    assert "ladder" in {fact.code for fact in without_owners(free, "D7").facts}
    assert "ladder" not in {fact.code for fact in without_owners(broken, "D7").facts}


def test_ko_threat() -> None:
    position = board(rows(".XO......", "XO.O.....", ".XO......")).play("C8")
    line = ["G5", "H5", "B8"]
    found = {fact.code: fact for fact in without_owners(position, *line).facts}
    assert found["koThreat"].parameters["place"] == "B8"
    assert str(found["koThreat"].sentence) == "G5 is a ko threat: after H5 the ko at B8 is retaken"


def test_sente_and_gote() -> None:
    position = kibitz.go.Position(9)
    assert "sente" in {fact.code for fact in without_owners(position, "C3", "C4", "H8").facts}
    assert "sente" not in {fact.code for fact in without_owners(position, "C3", "C4", "D4").facts}
    assert "gote" in {fact.code for fact in without_owners(position, "C3", "H8", "H7").facts}


def owned(position: kibitz.go.Position, owners: str, value: float = 0.9) -> Any:
    """A report with owners written as `x` and `o`."""
    signs = {"x": value, "o": -value, ".": 0.0}
    ownership = tuple(signs[one] for one in owners.replace(" ", ""))
    return SimpleNamespace(position=position, moves=(), root=SimpleNamespace(ownership=ownership))


def test_the_group_that_dies_is_named() -> None:
    position = board(rows("XX.......", "XX.......", "........."), "black")
    before = owned(position, " ".join(["xxxx....."] * 4 + ["........."] * 5))
    after = owned(position.play("J1"), " ".join(["oooo....."] * 4 + ["........."] * 5))
    why = kibitz.explain(before, ["J1", "C9", "C8"], after=after)
    first = why.facts[0]
    assert (first.code, first.side) == ("groupDies", "white")
    assert set(first.evidence.places) == {"A9", "B9", "A8", "B8"}
    assert first.evidence.numbers["points"] == pytest.approx(16 * 1.8)
    assert str(first.sentence) == "J1 loses Black's 4 stones at A8 (alive 95% → 5%): C9 C8"
    assert problems(why, before, after) == []
    wrong = replace(first, evidence=replace(first.evidence, places=("A9", "C9")))
    assert problems(replace(why, facts=(wrong,)), before, after)
    turned = kibitz.explain(
        owned(position, before_text(after)), ["J1"], after=owned(position, before_text(before))
    )
    assert turned.facts[0].code == "groupSettled"


def before_text(report: Any) -> str:
    return "".join("x" if one > 0 else "o" if one < 0 else "." for one in report.root.ownership)


def test_points_by_region() -> None:
    position = kibitz.go.Position(9)
    before = owned(position, "xxx......" * 3 + "........." * 6, 0.8)
    after = owned(position.play("J1"), "xx......." * 2 + "........." * 7, 0.8)
    why = kibitz.explain(before, ["J1"], after=after)
    (fact,) = [fact for fact in why.facts if "region" in fact.parameters]
    assert (fact.code, fact.side, fact.parameters["region"]) == ("territory", "white", "upperLeft")
    assert str(fact.sentence) == "Black's territory (upper left) shrinks by 4.0 points after J1"
    assert problems(why, before, after) == []


def test_facts_of_games_hold() -> None:
    """A small form of `python -m tools.fact_check go`."""
    engine_options = {"ownership": True, "seed": 1}
    position = kibitz.go.Position(9)
    with kibitz.Engine("go", **engine_options) as engine:
        report = engine.analyze(position, visits=8)
        for number in range(40):
            if position.is_over or len(report.moves) < 3:
                break
            move = report.moves[2 if number % 3 == 2 else 0].move
            position = position.play(move)
            reply = engine.analyze(position, visits=8)
            line = [move, *reply.moves[0].line]
            why = kibitz.explain(report, line, after=reply)
            assert problems(why, report, reply) == []
            report = reply


def test_ownership_of_a_move_that_was_never_visited() -> None:
    """A root whose child was expanded and not visited keeps nothing of the old root's owners."""
    position = kibitz.go.Position(9)
    with kibitz.Engine("go", ownership=True, root_symmetry=False) as engine:
        for move in ("E5", "C3", "G7", "C7", "G3"):
            kept = engine.analyze(position, visits=1).root.ownership
            with kibitz.Engine("go", ownership=True, root_symmetry=False) as fresh:
                assert kept == pytest.approx(fresh.analyze(position, visits=1).root.ownership, abs=1e-5)
            position = position.play(move)


def test_a_capture_that_hangs_on_a_ko_is_no_ladder() -> None:
    """White answers the last atari by taking the ko at N2, when it may."""
    found = kibitz.go.Position(
        "......OO...../.O...OXXX..../O.OOO.OOXOO../.OX..O.XXXXX./OXX.O.....XO./XXXXO.XX..O.O/.OOXO...OO.O./"
        ".OXOOXOO.OOO./.XX.XXXXOOXXX/.XXX..OOXOOOX/OXOO.OOXXXXXX/XO...O.OX..XO/......O.XO... "
        "w rules=chinese komi=7.5"
    )
    assert "ladderAllowed" not in {fact.code for fact in without_owners(found, "M1").facts}


def test_a_ladder_that_leaves_nothing_to_try() -> None:
    """Stones whose last liberty would be suicide: their side passes in the line that captures them."""
    rows_ = (
        "...XXXO.O.... ..X.XOOO.O... ..X.XXOOOOX.. .X.XOOOOXOO.. ...XXOXOXXXO. ..X.XXXXXOXO. XX.X.XOOOOOO. "
        "OOXXXOOO.OXO. OOOOXXOXXXXO. XXXOOOXXOX.XX X.XXOOOXOOXX. XO.XXO.OO.OXO ...XOOOO.OOOO"
    )
    position = kibitz.go.Position(f"{rows_.replace(' ', '/')} w rules=chinese komi=7.5")
    assert "capture" not in {fact.code for fact in without_owners(position, "J6").facts}
