"""Facts of Othello, counted again by plain rules that share no code with the extractor."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

import kibitz
from tests.games.othello import plain_rules
from tests.games.othello.fact_checker import problems

CORNERS = {"a1", "h1", "a8", "h8"}


def codes(position: kibitz.othello.Position, *line: str) -> dict[str, kibitz.Fact]:
    return {fact.code: fact for fact in kibitz.explain(position, line=line).facts}


def test_facts_of_random_games_hold() -> None:
    generator = random.Random(7)
    seen = dict.fromkeys(("corner", "cornerGiven", "mobility", "pass"), 0)
    for _ in range(30):
        position = kibitz.othello.Position()
        while not position.is_over:
            move = generator.choice(position.legal_moves)
            rules = plain_rules.Game(position.squares, "XO"[position.to_move])
            could = set(rules.moves(rules.other))
            mover = position.mover
            rules.play(move)
            found = codes(position, move)
            position = position.play(move)
            replies = [] if rules.is_over() else [reply for reply in rules.moves() if reply != "pass"]
            given = {reply for reply in replies if reply in CORNERS and reply not in could}
            assert ("corner" in found) == (move in CORNERS)
            assert set(found["cornerGiven"].parameters["corners"] if "cornerGiven" in found else ()) == given
            if move != "pass" and not rules.is_over():
                assert ("pass" in found) == (not replies)
                assert ("mobility" in found) == (1 <= len(replies) <= 3)
            if "mobility" in found:
                assert found["mobility"].parameters["moves"] == len(replies)
                assert set(found["mobility"].evidence.places) == set(replies)
            if "cornerGiven" in found:
                assert found["cornerGiven"].side != mover
            for code in found:
                seen[code] = seen.get(code, 0) + 1
    assert all(seen[code] > 5 for code in ("corner", "cornerGiven", "mobility", "pass")), seen


def test_solved_results_have_their_discs() -> None:
    generator = random.Random(3)
    position = kibitz.othello.Position()
    while position.empties > 8:
        position = position.play(generator.choice(position.legal_moves))
    report = kibitz.analyze(position, simulations=1000)
    score = kibitz.othello.solve(position).score
    facts = [fact for fact in report.facts if fact.code == "exact"]
    assert [fact.parameters["discs"] for fact in facts] == [score]
    assert score > 0
    assert f"wins by {score} with best play" in kibitz.explain(report).sentences()[0]


@pytest.mark.parametrize(("line", "sentence"), [(["d3"], "d3 leaves the opponent 3 moves")])
def test_sentences(line: list[str], sentence: str) -> None:
    assert kibitz.explain(kibitz.othello.Position(), line=line).sentences() == [sentence]


def test_facts_of_lines_hold() -> None:
    """Stable discs and parity with those above: lines of six moves from all phases of games."""
    generator = random.Random(11)
    for _ in range(3):
        position = kibitz.othello.Position()
        while not position.is_over:
            end = position
            line: list[str] = []
            while not end.is_over and len(line) < 6:
                end = end.play(generator.choice(end.legal_moves))
                line.append(end.moves[-1])
            assert problems(kibitz.explain(position, line=line)) == []
            position = position.play(line[0])


def test_stable_discs_and_parity() -> None:
    position = kibitz.othello.Position("-XXXXXXXOOOOOOOXOOOOOOOXOOOOOOOXOOOOOOOXOOOOOOOXOOOOOO-XOOOOOOOX X")
    found = codes(position, "g7")
    assert found["stable"].side == "black"
    assert "g7" in found["stable"].evidence.places
    assert "parity" not in found  # a region of one square is left
    why = kibitz.explain(position, line=["g7"])
    assert problems(why) == []
    wrong = replace(found["stable"], evidence=replace(found["stable"].evidence, places=("a2", "b3", "c4")))
    assert problems(replace(why, facts=(wrong,)))
