"""Requests and reports as JSON and back, what docs/report.md says of them, and how a report prints."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kibitz
from kibitz.comparison import Compare
from kibitz.errors import BadRequest, KibitzError
from kibitz.games import registry
from kibitz.games.bundled import style_file
from kibitz.human import Plausible
from kibitz.questions import Question
from kibitz.report import Answer
from kibitz.request import Budget, Request, make_request
from kibitz.sentences import Sentence, verbatim
from kibitz.steering import Audit, Honoured, Refused, Restriction, Steering, Style

DOCUMENT = Path(__file__).resolve().parent.parent / "docs" / "report.md"


def uniform(planes: np.ndarray, globals_: np.ndarray) -> tuple[np.ndarray, ...]:
    """A network of Go that knows nothing."""
    count, _, rows, columns = planes.shape
    policy = np.zeros((count, rows * columns + 1), np.float32)
    outcomes = np.tile(np.array([[0.4, 0.2, 0.4, 0.5]], np.float32), (count, 1))
    return policy, outcomes, np.zeros((count, rows * columns), np.float32)


def reports() -> dict[str, kibitz.Report]:
    """A report of each kind there is: every game, solved, steered, with a network, with everything."""
    by_kind = {}
    for game in registry.names():
        info = registry.get(game)
        position = info.position()
        moves = position.legal_moves
        if info.view is None:
            position = position.play(moves[0])
            moves = position.legal_moves
        with kibitz.Engine(game) as engine:
            request = make_request(
                position,
                simulations=300,
                include=[moves[-1], "nonsense"],
                min_visits=3,
                unvisited=True,
                options={"solve_root": 0} if info.solve else {},
            )
            *_, by_kind[game] = engine.run(request, debug=True)
    ending = "OOOOOOOOOXXXXXXOOXXXXXXOOXXXXXXOOXXXXXXOOXXXXXX-OXXXXX--OXXXX--- X"
    by_kind["solved"] = kibitz.analyze(kibitz.othello.Position(ending))
    by_kind["bounded"] = kibitz.Engine("othello").analyze(
        kibitz.othello.Position(), options={"search": "alphabeta", "depth": 4, "multi_pv": 1}
    )
    by_kind["network"] = kibitz.Engine("go", network=uniform).analyze(
        kibitz.go.Position(5).play("C3"),
        visits=60,
        move_ownership=True,
        options={"ownership": True},
    )
    by_kind["human"] = kibitz.Engine("go", human=uniform).analyze(
        kibitz.go.Position(5).play("C3"), visits=60, plausible=0.01, tree_depth=2
    )
    by_kind["compared"] = kibitz.analyze(kibitz.chess.Position(), compare=["e2e4", "a2a3"], visits=300)
    scholar = kibitz.chess.Position().play("e4", "e5", "Bc4", "Nc6", "Qh5")
    ask = "threat; why g6; why not Nf6; refute Nf6; line g6 Qf3; what changed"
    by_kind["asked"] = kibitz.analyze(scholar, ask=ask, visits=1500)
    by_kind["styled"] = kibitz.Engine("chess", network=str(style_file("chess"))).analyze(
        kibitz.chess.Position(), visits=20
    )
    return by_kind


@pytest.fixture(scope="module")
def every() -> dict[str, kibitz.Report]:
    return reports()


def keys_of(data: Any) -> Iterator[str]:
    if isinstance(data, dict):
        for key, item in data.items():
            yield key
            yield from keys_of(item)
    elif isinstance(data, list):
        for item in data:
            yield from keys_of(item)


def test_reports_survive_json(every: dict[str, kibitz.Report]) -> None:
    for name, report in every.items():
        again = kibitz.Report.from_json(report.to_json())
        assert again.to_dict() == report.to_dict(), name
        assert again.moves == report.moves
        assert again.root == report.root
        assert again.steering == report.steering
        assert again.policy == report.policy
        assert again.tree_dump == report.tree_dump
        assert again.answers == report.answers
        assert again.best == report.best
        if registry.get(report.position.game).view is None:
            assert again == report
            assert again.position.moves == report.position.moves
            assert again.position.start == report.position.start


def test_a_report_never_holds_a_hidden_board(every: dict[str, kibitz.Report]) -> None:
    position = kibitz.junqi.Position()
    data = every["junqi"].to_dict()
    assert data["position"] == position.view(position.mover).notation
    assert position.notation not in json.dumps(data)


def test_a_reader_ignores_what_a_newer_version_says(every: dict[str, kibitz.Report]) -> None:
    data = every["chess"].to_dict()
    newer = {**data, "mood": "calm", "root": {**data["root"], "mood": "calm"}}
    newer["moves"] = [{**move, "mood": "calm"} for move in data["moves"]]
    assert kibitz.Report.from_dict(newer) == every["chess"]


def test_requests_survive_json() -> None:
    request = Request(
        kibitz.go.Position(9, rules="japanese").play("E5"),
        Steering(
            allow=("D4", Restriction(("C3", "pass"), side=1, until_depth=3)),
            avoid=("A1",),
            include={"D4": 7, "B:Q16": 1},
            weights={"D4": 0.5},
            prune="progressive",
            style=Style("hypermodern", 0.3),
        ),
        Budget(simulations=10, visits=20, seconds=0.1, unlimited=True),
        {"c": 0.7, "threads": 2, "reuse": False, "evaluator": "playout"},
        line_length=5,
        unvisited=True,
        move_ownership=True,
        top=3,
    )
    again = Request.from_json(request.to_json())
    assert again == request
    assert again.position.moves == ("E5",)
    assert again.to_dict() == request.to_dict()
    plain = make_request(kibitz.othello.Position(), seconds=2)
    assert set(plain.to_dict()) == {"position", "budget"}
    assert Request.from_dict(plain.to_dict()) == plain


@pytest.mark.parametrize(
    "thing",
    [
        Budget(),
        Budget(seconds=1.5),
        Restriction(("a1",)),
        Restriction(("a1", "b1"), 0, 9),
        Style(),
        Style("x", 1.0),
        Steering(),
        Audit(
            (Honoured("include", "d3", (verbatim("why"),)),), (Refused("avoid", "a1", verbatim("because")),)
        ),
        Answer("d3", 0.5, 0.1, "c4", ("e3",), 7, (verbatim("..."),)),
        kibitz.RootInfo(value=0.5, visits=3, first_value=float("-inf"), lead=float("inf")),
    ],
    ids=lambda thing: type(thing).__name__,
)
def test_parts_survive_json(thing: Any) -> None:
    text = thing.to_json()
    assert type(thing).from_json(text) == thing
    assert json.loads(text, parse_constant=lambda word: pytest.fail(f"{word} is no JSON")) is not None


def test_parts_of_version_1_are_read() -> None:
    """Reports without codes have the English text only."""
    honoured = Honoured.from_dict({"kind": "include", "move": "d3", "detail": "at least 5 visits"})
    refused = Refused.from_dict({"kind": "avoid", "move": "a1", "reason": "because"})
    plain = {"move": "d3", "value": 0.5, "behind": 0.1, "best": "c4", "refutation": [], "visits": 7}
    answer = Answer.from_dict({**plain, "text": "d3: 50.0%, 10.0% behind c4"})
    assert (honoured.detail, refused.reason) == ("at least 5 visits", "because")
    assert answer.text == "d3: 50.0%, 10.0% behind c4"


def test_unknown_sentence_is_its_text() -> None:
    newer = {"code": "answer.ofTomorrow", "values": {"x": 1}, "text": "something new"}
    assert str(Sentence.from_dict(newer)) == "something new"
    assert str(Sentence.from_dict({**newer, "code": "answer.best"})) == "the best move"
    without_values = {**newer, "code": "answer.behind"}
    assert str(Sentence.from_dict(without_values)) == "something new"
    with pytest.raises(BadRequest, match="a sentence is a table"):
        Sentence.from_dict({"code": 5})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[]", "Request is a table of fields, got a list of 0"),
        ("{}", "needs the field position"),
        ('{"position": {"game": "othello"}, "lineLenght": 3}', "did you mean lineLength"),
        ('{"position": {"game": "othello"}, "lineLength": "3"}', "lineLength must be a whole number"),
        ('{"position": {"game": "othello"}, "top": 0}', "top must be a whole number from 1"),
        ('{"position": {"game": "othello"}, "unvisited": 1}', "unvisited must be true or false"),
        ('{"position": {"game": "othello"}, "budget": {"seconds": -1}}', "seconds must be above 0"),
        ('{"position": {"game": "othello"}, "budget": []}', "budget must be a table of fields"),
        ('{"position": {"game": "othello"}, "steering": {"include": {"d3": 0}}}', r"include\[d3\] must be"),
        ('{"position": {"game": "othello"}, "steering": {"weights": {"d3": -1}}}', r"weights\[d3\] must be"),
        ('{"position": {"game": "othello"}, "steering": {"allow": "d3"}}', "allow must be a list"),
        ('{"position": {"game": "othello"}, "steering": {"allow": [{"moves": [], "side": 4}]}}', "side must"),
        ('{"position": {"game": "othello"}, "steering": {"style": {"strength": 99}}}', "strength of a style"),
        ('{"position": {"game": "othello"}, "options": {"c": []}}', "options.c must be text or a number"),
    ],
)  # fmt: skip
def test_bad_requests_are_refused(text: str, message: str) -> None:
    with pytest.raises(KibitzError, match=message):
        Request.from_json(text)


# -- docs/report.md -------------------------------------------------------------------------------


def documented() -> dict[str, set[str]]:
    """The fields of each table of docs/report.md, by the heading or the line above it."""
    tables: dict[str, set[str]] = {}
    name = ""
    for line in DOCUMENT.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            name = line[3:].strip("`")
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) > 3 and cells[1].startswith("`"):
            tables.setdefault(name, set()).update(re.findall(r"`([^`]+)`", cells[1]))
    return tables


def emitted(every: dict[str, kibitz.Report]) -> dict[str, set[str]]:
    data = [report.to_dict() for report in every.values()]

    def of(*parts: dict[str, Any]) -> set[str]:
        return {key for part in parts for key in part}

    return {
        "report": of(*data),
        "record": of(*(item["record"] for item in data)),
        "root": of(*(item["root"] for item in data)),
        "moves": of(*(move for item in data for move in item["moves"])),
        "answers": of(*(answer for item in data for answer in item["answers"])),
        "honoured": of(*(entry for item in data for entry in item["steering"]["honoured"])),
        "refused": of(*(entry for item in data for entry in item["steering"]["refused"])),
        "replies": of(*(reply for item in data for reply in item.get("replies", []))),
        "human": of(*(item.get("human", {}) for item in data)),
        "own": of(*(item["root"].get("own", {}) for item in data)),
        "parts": of(*(move.get("parts", {}) for item in data for move in item["moves"])),
    }


def test_the_document_lists_every_field_and_no_other(every: dict[str, kibitz.Report]) -> None:
    tables, emitted_fields = documented(), emitted(every)
    emitted_fields["record"].add("chess960")  # of positions in Chess960, see tests/games/test_base.py
    emitted_fields["moves"].add("mark")  # of traps and hard finds, see tests/test_human.py
    emitted_fields["moves"].add("looksBetter")  # of plausible moves, see tests/test_human.py
    emitted_fields["moves"].add("improved")  # with rule=gumbel, see tests/test_gumbel.py
    for name, fields in emitted_fields.items():
        assert tables[name] == fields, name


def test_keys_are_camel_case(every: dict[str, kibitz.Report]) -> None:
    for report in every.values():
        data = report.to_dict()
        data.pop("policy", None)  # its keys are moves
        data.get("human", {}).pop("policy", None)
        wrong = [key for key in keys_of(data) if not re.fullmatch(r"[a-z]+[0-9]*([A-Z][a-z0-9]*)*", key)]
        assert wrong == []


def test_the_document_lists_the_fields_of_requests() -> None:
    request = Request(
        kibitz.chess.Position(),
        Steering(
            ("e2e4",),
            ("a2a3",),
            {"d2d4": 1},
            {"d2d4": 2.0},
            "none",
            Style("hypermodern"),
            Plausible(),
            Compare(("e2e4", "d2d4")),
            0.02,
            (Question("threat"),),
        ),
        Budget(1, 2, 3.0, True),
        {"c": 1},
        1,
        True,
        True,
        1,
        2,
    ).to_dict()
    tables = documented()
    assert tables["request"] == set(request)
    assert tables["budget"] == set(request["budget"])
    assert tables["steering"] == set(request["steering"])
    assert tables["restriction"] == set(Restriction(("a1",), 0, 2).to_dict())


# -- text -----------------------------------------------------------------------------------------


def test_a_printed_report_shows_a_dozen_moves_and_those_asked_about() -> None:
    position = kibitz.go.Position(19)
    with kibitz.Engine("go", network="none") as engine:
        report = engine.analyze(
            position, simulations=2000, include=["A1", "T1"], min_visits=2, unvisited=True
        )
    assert len(report.moves) == 362
    asked = [info for info in report.moves if info.order >= 12 and info.min_visits]
    lines = str(report).splitlines()
    table = lines[2 : lines.index(next(line for line in lines if "more moves" in line))]
    assert len(table) == 12 + len(asked)
    assert {line.split()[0] for line in table} >= {"A1", "T1"}
    assert f"... and {362 - len(table)} more moves" in lines


def test_a_summary_says_that_the_search_still_runs() -> None:
    with kibitz.Engine("othello") as engine:
        reports = list(engine.stream(kibitz.othello.Position(), seconds=0.3, every=0.05))
    assert len(reports) > 1
    assert reports[0].summary().endswith("; still running")
    assert reports[-1].summary().endswith("; stopped by time")


@pytest.mark.parametrize(
    ("game", "budget", "search", "simulations", "visits"),
    [
        ("othello", {"simulations": 200}, "tree", "simulations", "visits"),
        ("othello", {"seconds": 0.02}, "alphabeta", "nodes", "nodes"),
        ("chess", {"seconds": 0.02}, "alphabeta", "nodes", "nodes"),
        ("junqi", {"simulations": 200}, "worlds", "nodes", "worlds"),
    ],
)
def test_a_report_says_what_it_counts(
    game: str, budget: dict[str, Any], search: str, simulations: str, visits: str
) -> None:
    report = kibitz.analyze(getattr(kibitz, game).Position(), **budget)
    assert (report.search, report.to_dict()["search"]) == (search, search)
    assert f" {simulations} in " in report.summary()
    assert report.rows()[0][1] == visits


def test_a_solved_position_says_so(every: dict[str, kibitz.Report]) -> None:
    assert every["solved"].search == "solver"
    nodes = every["solved"].root.nodes
    assert nodes > 0
    assert f" {nodes:,} nodes in " in every["solved"].summary()


def test_a_short_report_prints_all_moves() -> None:
    report = kibitz.analyze(kibitz.othello.Position(), simulations=100)
    assert "more moves" not in str(report)


def test_top_moves_keep_those_asked_about() -> None:
    position = kibitz.chess.Position()
    report = kibitz.analyze(position, simulations=500, include=["a2a3", "h2h3"], top=3, unvisited=True)
    full = kibitz.analyze(position, simulations=500, include=["a2a3", "h2h3"], unvisited=True)
    assert report.moves == full.top(3)
    assert {info.move for info in report.moves} >= {"a2a3", "h2h3"}
    assert [info.order for info in report.moves][:3] == [0, 1, 2]
    assert len(report.moves) <= 5
    with pytest.raises(BadRequest, match="top must be"):
        kibitz.analyze(position, simulations=5, top=0)


def test_a_frame_has_a_row_for_each_move() -> None:
    pytest.importorskip("pandas", reason="pandas is not installed")
    report = kibitz.analyze(kibitz.othello.Position(), simulations=200, preset="uct", include=["d3"])
    frame = report.to_frame()
    assert list(frame["move"]) == [info.move for info in report.moves]
    assert list(frame["visits"]) == [info.visits for info in report.moves]
    assert list(frame["value"]) == [info.value for info in report.moves]
    assert list(frame["line"]) == [info.line for info in report.moves]
    assert "prior" in frame
    assert "human" not in frame  # no human model, nothing to say


def test_a_frame_without_pandas_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    report = kibitz.analyze(kibitz.othello.Position(), simulations=50, preset="uct")
    with pytest.raises(BadRequest, match="pandas"):
        report.to_frame()
