"""What graphical boards ask beside GTP's own commands, a level, and what they are not told too early."""

from __future__ import annotations

import io
import json
import re
import threading
from typing import Any

import pytest

from kibitz.engine import Engine
from kibitz.games import registry
from kibitz.protocols.katago import AnalysisServer
from kibitz.protocols.katago_settings import Settings
from tests.protocols.katago_client import corner_network, query
from tests.protocols.test_gtp import Session


@pytest.fixture
def gtp() -> Session:
    session = Session()
    session.send("boardsize 9")
    return session


def test_reg_genmove_does_not_play(gtp: Session) -> None:
    move = gtp.send("reg_genmove b")
    assert re.fullmatch(r"= [A-J][1-9]", move)
    assert gtp.server.position.moves == ()
    assert gtp.send("genmove b") == move


def test_gogui_lists_commands_that_there_are(gtp: Session) -> None:
    rows = [row.split("/") for row in gtp.send("gogui-analyze_commands")[2:].splitlines()]
    assert {len(row) for row in rows} == {3}
    types = "bwboard|cboard|dboard|eplist|gfx|hpstring|hstring|move|none|param|plist|pspairs|string|varc|var"
    for kind, _, command in rows:
        assert re.fullmatch(types, kind)
        assert gtp.send(f"known_command {command.split()[0]}") == "= true"


def test_the_heat_map_is_the_policy(gtp: Session) -> None:
    gtp.send("play b A9")
    rows = [list(map(float, line.split())) for line in gtp.send("heatmap")[2:].strip().splitlines()]
    assert [len(row) for row in rows] == [9] * 9
    assert rows[0][0] == 0.0  # occupied
    values = [value for row in rows for value in row]
    assert max(values) == rows[0][1]  # the network wants the first free point
    assert sum(values) == pytest.approx(1.0, abs=0.01)


def test_a_problem_is_analyzed_inside_its_rectangle(gtp: Session) -> None:
    for word in ("b D6", "w G3", "b F7"):  # a board without symmetry
        gtp.send(f"play {word}")
    gtp.server.handle("kata-problem_analyze w 1 topleft C5 bottomright E3")
    analysis = gtp.server._analysis
    assert analysis is not None
    while not re.search(r"info move", gtp.out.getvalue()):
        analysis.join(0.01)
    gtp.server.stop_analysis()
    moves = set(re.findall(r"info move (\S+)", gtp.out.getvalue()))
    assert moves <= {*(f"{x}{y}" for x in "CDE" for y in (3, 4, 5)), "pass"}
    for line in re.findall(r"pv ([^\n]*?)(?= info|\n|$)", gtp.out.getvalue()):
        assert set(line.split()) <= {*(f"{x}{y}" for x in "CDE" for y in (3, 4, 5)), "pass"}


@pytest.mark.parametrize("words", ["", "topleft A9", "topleft A9 bottomright", "topleft Z9 bottomright A1"])
def test_a_problem_without_a_rectangle_is_rejected(gtp: Session, words: str) -> None:
    assert gtp.send(f"kata-problem_analyze 50 {words}").startswith("? expected")


def test_a_level_is_a_parameter(gtp: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []
    run = Engine.run

    def noted(self: Engine, request: Any, *words: Any, **named: Any) -> Any:
        asked.append(request)
        return run(self, request, *words, **named)

    monkeypatch.setattr(Engine, "run", noted)
    assert gtp.send("kata-get-param kibitzLevel") == "= off"
    assert gtp.send("kata-set-param kibitzLevel wizard").startswith("? unknown level 'wizard'")
    level = registry.get("go").levels[0]
    assert gtp.send(f"kata-set-param kibitzLevel {level.name}") == "="
    assert json.loads(gtp.send("kata-get-params")[2:])["kibitzLevel"] == level.name
    gtp.send("genmove b")
    budget = asked[-1].budget
    assert {name: getattr(budget, name) for name in level.budget} == dict(level.budget)
    assert gtp.send("kata-set-param kibitzLevel off") == "="
    gtp.send("genmove w")
    assert asked[-1].budget.visits == 20


def test_nothing_is_reported_before_the_root_is_evaluated() -> None:
    go_on, waiting = threading.Event(), threading.Event()

    def slow(*inputs: Any) -> Any:
        waiting.set()
        assert go_on.wait(60)
        return corner_network(*inputs)

    out = io.StringIO()
    server = AnalysisServer(lambda: Engine("go", network=slow), Settings(), out)
    server.handle(json.dumps(query(reportDuringSearchEvery=0.001, maxVisits=50)).encode())
    assert waiting.wait(60)
    reports = threading.Event()
    reports.wait(0.2)  # hundreds of reports fall due; none may come
    assert out.getvalue() == ""
    go_on.set()
    server.close()
    answers = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [answer["isDuringSearch"] for answer in answers].count(False) == 1
    assert all(answer["rootInfo"]["visits"] for answer in answers)
