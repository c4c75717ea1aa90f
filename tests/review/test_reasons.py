"""Reasons for moves: what was wrong, what was missed, and where nothing is known."""

from __future__ import annotations

import json

import kibitz
from kibitz.games.base import Position
from kibitz.games.chess.review import ChessRecord
from kibitz.review.effort import make_effort
from kibitz.review.examine import Examination
from kibitz.review.reasons import reasons_of
from kibitz.review.records import Record, Turn
from tests.games.chess.fact_checker import problems


def reports(*positions: Position) -> list[kibitz.Report | None]:
    with kibitz.Engine("chess", search="alphabeta") as engine:
        return [None if at.is_over else engine.analyze(at, simulations=20_000) for at in positions]


def test_a_blunder_says_what_it_loses() -> None:
    position = kibitz.chess.Position().play("e4", "e5", "Nf3", "Nc6", "Bc4")
    before, after = reports(position, position.play("Qg5"))
    assert before is not None
    why = reasons_of(position, "Qg5", before.moves[0].line, before, after, is_mistake=True)
    assert str(why.said[0]).startswith("3...Qg5 loses a queen: 4.Nxg5")
    assert why.played[0].side == "white"


def test_a_missed_mate_is_said() -> None:
    position = kibitz.chess.Position("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1")
    before, after = reports(position, position.play("Rb1"))
    why = reasons_of(position, "a1b1", ("a1a8",), before, after, is_mistake=True)
    assert "missed: 1.Ra8# is mate" in map(str, why.said)
    assert [fact.code for fact in why.missed] == ["mateIn1"]
    assert str(why.missed[0].sentence) == "missed: 1.Ra8# is mate"


def test_taking_back_wins_nothing() -> None:
    position = kibitz.chess.Position().play("e4", "d5", "exd5")
    before, after = reports(position, position.play("Qxd5"))
    assert reasons_of(position, "Qxd5", (), before, after, is_mistake=False).said == ()
    lost = position.play("Nf6", "a3", "Nxd5")
    assert "material" not in {fact.code for fact in kibitz.explain(lost, line=["h3", "e5"]).facts}


def test_nothing_is_said_of_an_illegal_move() -> None:
    position = kibitz.chess.Position()
    assert reasons_of(position, "e2e5", (), None, None, is_mistake=True).said == ()


def turns_of(record: Record) -> list[Turn]:
    with kibitz.Engine(record.positions[0].game) as engine:
        examination = Examination(record, make_effort(engine.configuration, "quick"))
        for number in range(len(record.positions)):
            if (request := examination.look(number)) is not None:
                *_, examination.reports[number] = engine.run(request)
        return [examination.turn(number) for number in range(len(record.moves))]


def test_comments_of_a_review_carry_reasons() -> None:
    game = kibitz.chess.Position().play("e4", "e5", "Nf3", "Nc6", "Bc4", "Qg5", "Nxg5")
    record = ChessRecord(game)
    turns = turns_of(record)
    assert "3...Qg5 loses a queen: 4.Nxg5" in record.annotated(turns).replace("\n", " ")
    assert "퀸 손실" in record.annotated(turns, "ko").replace("\n", " ")
    row = json.loads(json.dumps(record.to_dict(turns[5])))
    assert row["why"]["facts"][0]["code"] == "material"
    assert row["why"]["said"][0]["text"].startswith("3...Qg5 loses a queen")


def test_reasons_of_a_review_hold() -> None:
    game = kibitz.chess.Position().play(*["e4", "e5", "Qh5", "Nc6", "Bc4", "Nf6", "Qxf7#"])
    record = ChessRecord(game)
    turns = turns_of(record)
    assert "4.Qxf7# is mate" in map(str, turns[-1].reasons.said)
    assert any("allows mate in 1" in str(said) for said in turns[5].reasons.said)
    checked = 0
    for turn in turns:
        for fact in turn.reasons.facts:
            if fact.code in ("material", "mateIn1"):  # their evidence has all moves that they speak of
                why = kibitz.Explanation(record.positions[turn.number - 1], fact.evidence.line, (fact,))
                assert problems(why) == []
                checked += 1
    assert checked > 1
