"""A move that was asked about is always answered: in the table, the picture, JSON and as a sentence."""

from __future__ import annotations

import json

import pytest

import kibitz
from kibitz.engine import Engine
from kibitz.games import registry


@pytest.fixture(params=registry.names())
def game(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_every_included_move_is_answered(game: str) -> None:
    info = registry.get(game)
    position = info.position().play(*info.demo)
    with Engine(game) as engine:
        plain = engine.analyze(position, simulations=300, unvisited=True)
        asked = [plain.moves[0].move, plain.moves[-1].move]
        engine.new_game()
        report = engine.analyze(position, simulations=300, include=asked, min_visits=5)
    assert {answer.move for answer in report.answers} == set(asked)
    values = {info.move: info for info in report.moves}
    for answer in report.answers:
        told = values[answer.move]
        assert answer.value == told.value
        assert answer.visits == told.visits
        assert answer.best == report.best
        assert answer.refutation == told.line[1:]
        assert answer.behind == max(0.0, report.moves[0].value - told.value)
        assert answer.text.startswith(f"{answer.move}: ")
        assert answer.text in str(report)
        if answer.move == report.best:
            assert answer.text.endswith("the best move")
        elif answer.behind > 0:
            assert f"behind {report.best}" in answer.text
    data = json.loads(report.to_json())
    assert [item["move"] for item in data["answers"]] == [answer.move for answer in report.answers]
    assert set(asked) <= {item["move"] for item in data["moves"]}


def test_a_short_table_still_shows_them(game: str) -> None:
    info = registry.get(game)
    position = info.position().play(*info.demo)
    with Engine(game) as engine:
        last = engine.analyze(position, simulations=300, unvisited=True).moves[-1].move
        engine.new_game()
        report = engine.analyze(position, simulations=300, include=[last], min_visits=1)
    _, cells = report.rows(1)
    assert [row[0] for row in cells] == list(dict.fromkeys([report.best, last]))


def test_a_move_that_got_no_visit_yet_is_answered() -> None:
    # One simulation is the search's own or the first guaranteed move's; the others are still named.
    position = kibitz.othello.Position().play("d3")
    with Engine("othello") as engine:
        reports = engine.stream(position, every=0.001, include=list(position.legal_moves), min_visits=10**9)
        first = next(report for report in reports if report.moves)
        engine.stop()
        reports.close()
    assert {answer.move for answer in first.answers} == set(position.legal_moves)


def test_the_picture_shows_the_move_however_weak() -> None:
    position = kibitz.chess.Position()
    plain = kibitz.analyze(position, simulations=400)
    last = plain.moves[-1].move
    asked = kibitz.analyze(position, simulations=400, include=[last], min_visits=1)
    value = next(info.value for info in asked.moves if info.move == last)
    assert f">{100 * value:.0f}</text>" in asked.svg()
    assert asked.svg().count("<circle") > plain.svg().count("<circle")
