"""KataGo's analysis protocol: fields, actions, scheduling, and whatever clients may send by mistake."""

from __future__ import annotations

import io
import json
from typing import Any

import numpy as np
import pytest

from kibitz import go
from kibitz.engine import Engine
from kibitz.protocols import katago
from kibitz.protocols.katago_query import parse_query
from kibitz.protocols.katago_settings import Settings, read_config
from tests.protocols.katago_client import Client, ask, corner_network, make_engine, query, visits

ROOT = {
    "winrate",
    "scoreLead",
    "scoreSelfplay",
    "scoreStdev",
    "utility",
    "visits",
    "weight",
    "thisHash",
    "symHash",
    "currentPlayer",
    "rawWinrate",
    "rawLead",
    "rawScoreSelfplay",
    "rawScoreSelfplayStdev",
    "rawNoResultProb",
    "rawStWrError",
    "rawStScoreError",
    "rawVarTimeLeft",
}
MOVE = {
    "move",
    "visits",
    "edgeVisits",
    "winrate",
    "scoreMean",
    "scoreStdev",
    "scoreLead",
    "scoreSelfplay",
    "prior",
    "noResultValue",
    "utility",
    "lcb",
    "utilityLcb",
    "weight",
    "edgeWeight",
    "order",
    "playSelectionValue",
    "pv",
    "pvVisits",
    "pvEdgeVisits",
    "ownership",
    "ownershipStdev",
}

WISHES = """
includeOwnership includeOwnershipStdev includeMovesOwnership includeMovesOwnershipStdev includePolicy
includePVVisits includeNoResultValue
"""


def test_every_field_of_a_response_is_there() -> None:
    wishes = dict.fromkeys(WISHES.split(), True)
    (answer,) = ask(query(moves=[["B", "E5"], ["W", "C4"]], **wishes))
    assert set(answer["rootInfo"]) == ROOT
    assert {
        "id",
        "isDuringSearch",
        "turnNumber",
        "moveInfos",
        "rootInfo",
        "ownership",
        "ownershipStdev",
    } < set(answer)
    assert set(answer["moveInfos"][0]) == MOVE
    assert len(answer["policy"]) == 82
    assert answer["policy"][4 * 9 + 4] == answer["policy"][5 * 9 + 2] == -1
    assert 0 <= answer["policy"][-1] < 1e-9  # the pass, which this network never wants
    assert answer["policy"].count(-1) == 2
    assert answer["rootInfo"]["currentPlayer"] == "B"
    assert sum(p for p in answer["policy"] if p >= 0) == pytest.approx(1, abs=1e-4)
    assert len(answer["ownership"]) == len(answer["moveInfos"][0]["ownership"]) == 81
    assert answer["rootInfo"]["visits"] == 20
    assert sum(info["visits"] for info in answer["moveInfos"]) == 19
    assert answer["turnNumber"] == 2
    info = answer["moveInfos"][0]
    assert len(info["pv"]) == len(info["pvVisits"])
    assert info["pvVisits"][0] == info["visits"]


def test_hashes_tell_positions_apart_and_know_symmetries() -> None:
    corner, same, mirrored, turned = (
        ask(query(maxVisits=1, moves=moves, initialPlayer=first))[0]["rootInfo"]
        for moves, first in (
            ([["B", "C3"]], "b"), ([["B", "C3"]], "b"), ([["B", "G7"]], "b"), ([["W", "C3"]], "w"),
        )
    )  # fmt: skip
    assert (corner["thisHash"], corner["symHash"]) == (same["thisHash"], same["symHash"])
    assert corner["thisHash"] != mirrored["thisHash"]
    assert corner["symHash"] == mirrored["symHash"]
    assert turned["symHash"] != corner["symHash"]
    assert turned["currentPlayer"] == "B"


def test_one_visit_is_the_network_alone() -> None:
    (answer,) = ask(query(maxVisits=1))
    assert answer["moveInfos"] == []
    assert answer["rootInfo"]["visits"] == 1
    assert answer["rootInfo"]["winrate"] == pytest.approx(answer["rootInfo"]["rawWinrate"], abs=1e-5)


def test_winrates_are_reported_for_the_side_that_was_asked_for() -> None:
    given = query(moves=[["B", "E5"]])
    rates = {
        side: ask({**given, "overrideSettings": {"reportAnalysisWinratesAs": side}})[0]["rootInfo"]
        for side in ("BLACK", "WHITE", "SIDETOMOVE")
    }
    assert rates["WHITE"]["winrate"] == pytest.approx(1 - rates["BLACK"]["winrate"])
    assert rates["SIDETOMOVE"]["winrate"] == rates["WHITE"]["winrate"]
    assert rates["WHITE"]["scoreLead"] == -rates["BLACK"]["scoreLead"]


def test_noise_widens_the_search_and_not_what_is_told_of_the_network() -> None:
    given = query(moves=[["B", "E5"]], includePolicy=True)
    (plain,), (noisy,) = ask(given), ask(given, wideRootNoise=0.2)
    assert noisy["policy"] == pytest.approx(plain["policy"], abs=1e-6)


def test_a_symmetry_at_random_or_several_at_the_root() -> None:
    """The network wants the first corner; seen in every symmetry it wants all four alike."""
    given = query(includePolicy=True, maxVisits=1)
    (plain,), (averaged,) = ask(given), ask(given, rootNumSymmetriesToSample=8)
    corners = [0, 8, 72, 80]
    assert plain["policy"][0] > 2 * plain["policy"][80]
    assert [averaged["policy"][p] for p in corners] == pytest.approx([averaged["policy"][0]] * 4, abs=1e-6)
    assert sum(averaged["policy"]) == pytest.approx(1, abs=1e-4)
    turned = {
        max(range(81), key=ask(given, nnRandomize=True, searchRandSeed=seed)[0]["policy"].__getitem__)
        for seed in "abcdefgh"
    }
    assert len(turned) > 1
    assert turned <= set(corners)


def test_a_tree_is_kept_between_queries_of_one_game() -> None:
    first = query(moves=[["B", "E5"]], maxVisits=300, includePVVisits=True)
    (before,) = ask(first)
    best = before["moveInfos"][0]
    moves = [["B", "E5"], ["W", best["pv"][0]], ["B", best["pv"][1]]]
    later = query(moves=moves, maxVisits=5, includePolicy=True)
    (fresh,) = ask(later)
    kept = ask(first, later, reuseTree=True)[-1]
    for name in ("rawWinrate", "rawLead", "rawScoreSelfplay"):
        assert kept["rootInfo"][name] == pytest.approx(fresh["rootInfo"][name])
    assert kept["policy"] == pytest.approx(fresh["policy"], abs=1e-6)
    assert best["pvVisits"][1] > 5
    assert kept["rootInfo"]["visits"] == best["pvVisits"][1]


def test_the_root_of_a_kept_tree_has_the_priors_of_a_fresh_one() -> None:
    """Children stand in the order of their priors, not of the rules; a network that likes the last points
    best would show if one was taken for the other."""

    def far_corner(planes: Any, numbers: Any) -> Any:
        policy, outcomes, owners = corner_network(planes, numbers)
        return np.ascontiguousarray(policy[:, ::-1]), outcomes, owners

    position = go.Position(9).play("E5", "C4")
    with Engine("go", network=far_corner, reuse=True) as engine:
        first = engine.analyze(position, visits=50)
        again = engine.analyze(position, visits=60)
    assert again.root.reused == 50
    assert again.policy == pytest.approx(first.policy)
    priors = {info.move: info.prior for info in first.moves}
    assert {info.move: info.prior for info in again.moves if info.move in priors} == pytest.approx(priors)


def test_a_kept_tree_is_not_used_where_it_would_lie() -> None:
    """Other rules, other steering, other settings: the answer is that of a fresh engine."""
    first = query(maxVisits=100)
    avoid = {"player": "b", "moves": ["A9", "B9"], "untilDepth": 3}
    for change in (
        {"komi": 0.5},
        {"rules": "japanese"},
        {"avoidMoves": [avoid]},
        {"overrideSettings": {"staticScoreUtilityFactor": 0.5}},
        {"overrideSettings": {"ignoreAllHistory": True}},
        {"initialStones": [["B", "E5"]], "initialPlayer": "b"},
    ):
        other = query(maxVisits=40, **change)
        (fresh,) = ask(other)
        assert ask(first, other, reuseTree=True)[-1] == fresh
        if "avoidMoves" in change:
            (plain,) = ask(query(maxVisits=30))
            assert ask(other, query(maxVisits=30), reuseTree=True)[-1] == plain


def test_clearing_the_cache_forgets_the_tree_too() -> None:
    position = go.Position(9).play("E5")
    with make_engine() as engine:
        engine.analyze(position, visits=50)
        assert engine.analyze(position, visits=60).root.reused == 50
        engine.clear_cache()
        assert engine.analyze(position, visits=10).root.reused == 0


def test_symmetric_moves_are_searched_once_and_shown_everywhere() -> None:
    (answer,) = ask(query(maxVisits=40))
    images = [info for info in answer["moveInfos"] if "isSymmetryOf" in info]
    assert images
    shown = {info["move"]: info for info in answer["moveInfos"]}
    for info in images:
        assert info["visits"] == shown[info["isSymmetryOf"]]["visits"]
        assert info["pv"][0] == info["move"]
    assert sum(visits(answer).values()) == 39


def test_without_symmetry_pruning_only_searched_moves_are_shown() -> None:
    (answer,) = ask(query(maxVisits=40, overrideSettings={"rootSymmetryPruning": False}))
    assert not [info for info in answer["moveInfos"] if "isSymmetryOf" in info]
    assert sum(info["visits"] for info in answer["moveInfos"]) == 39


def test_avoid_and_allow() -> None:
    rule = {"player": "b", "moves": ["A9", "B9"], "untilDepth": 1}
    (plain,) = ask(query(overrideSettings={"rootSymmetryPruning": False}))
    (avoided,) = ask(query(avoidMoves=[rule], overrideSettings={"rootSymmetryPruning": False}))
    (allowed,) = ask(query(allowMoves=[rule], overrideSettings={"rootSymmetryPruning": False}))
    assert {"A9", "B9"} & set(visits(plain))
    assert not {"A9", "B9"} & set(visits(avoided))
    assert set(visits(allowed)) <= {"A9", "B9"}


def test_line_length_and_priorities_and_turns() -> None:
    given = query(moves=[["B", "E5"], ["W", "C3"]], analyzeTurns=[2, 0], priorities=[1, 5], analysisPVLen=2)
    answers = ask({**given, "maxVisits": 100})
    assert sorted(answer["turnNumber"] for answer in answers) == [0, 2]
    # KataGo does not count the move itself: its lines of 15 have 16 moves.
    assert [max(len(info["pv"]) for info in answer["moveInfos"]) for answer in answers] == [3, 3]


def test_restrictions_hold_for_their_player_and_down_to_their_depth() -> None:
    points = [f"{column}{row}" for column in "ABCDEFGHJ" for row in (8, 9)]
    lines = {}
    for depth in (1, 2, 30):
        rules = [{"player": "w", "moves": points, "untilDepth": depth}]
        given = query(moves=[["B", "E5"], ["W", "C4"]], maxVisits=200, avoidMoves=rules)
        (answer,) = ask(given)
        lines[depth] = [info["pv"] for info in answer["moveInfos"]]
    assert all(line[0] in points for line in lines[30][:2])  # black may
    assert any(line[1:2] and line[1] in points for line in lines[1])  # ply 1 is beyond depth 1
    assert not any(line[1:2] and line[1] in points for line in lines[2])
    assert any(line[3:4] and line[3] in points for line in lines[2])
    assert not any(vertex in points for line in lines[30] for vertex in line[1::2])


def test_temperature_and_first_play_urgency_widen_the_root() -> None:
    given = query(moves=[["B", "E5"], ["W", "C4"]], maxVisits=60)
    plain, hot, eager = (
        len(ask({**given, **more})[0]["moveInfos"])
        for more in ({}, {"rootPolicyTemperature": 3.0}, {"rootFpuReductionMax": 0.0})
    )
    assert hot > plain
    assert eager >= plain


@pytest.mark.parametrize(("bonus", "points"), [("0", 0), ("N-1", 2), ("N", 3)])
def test_handicap_bonus_takes_precedence_over_the_rules(bonus: str, points: int) -> None:
    stones = [["B", "C3"], ["B", "G7"], ["B", "C7"]]
    given = query(initialStones=stones, initialPlayer="w", komi=0.5, whiteHandicapBonus=bonus)
    ((job,), warnings) = parse_query(given, Settings())
    assert not warnings
    assert job.position.state.own_komi == 0.5 + points


@pytest.mark.parametrize(
    ("rules", "komi"),
    [
        ("chinese", 7.5),
        ("japanese", 6.5),
        ("aga-button", 7.0),
        ({"scoring": "TERRITORY", "komi": 3.5}, 3.5),
        ("new-zealand", 7.0),
        ('{"komi":-1.5}', -1.5),
    ],
)
def test_komi_that_nobody_gives_follows_from_the_rules(rules: Any, komi: float) -> None:
    ((job,), _) = parse_query(query(rules=rules, komi=None), Settings())
    assert job.position.komi == komi


@pytest.mark.parametrize("name", ["maxVisits", "includeMovesMinVisits"])
def test_visits_from_one_to_two_to_the_fiftieth(name: str) -> None:
    include = [{"turnNumber": 0, "player": "b", "moves": ["D4"]}]
    for most in (1, 2**50):
        ended = {"id": "end", "action": "terminate_all"}
        answers = ask(query(includeMoves=include, overrideSettings={"maxTime": 0.1}, **{name: most}), ended)
        assert not [answer for answer in answers if "error" in answer]
        assert answers[-1]["id"] == "q"
    for wrong in (0, 2**50 + 1):
        (answer,) = ask(query(includeMoves=include, **{name: wrong}))
        assert answer == {"id": "q", "field": name, "error": "Must be an integer from 1 to 2^50"}


def test_the_most_urgent_position_comes_first() -> None:
    """One keeps the worker until all the others are read; then by priority, ties in the order they came."""
    busy = query(id="busy", priority=99, maxVisits=10**9, overrideSettings={"maxTime": 0.5})
    moves = [["B", "E5"], ["W", "C4"]]
    answers = ask(
        busy,
        query(id="late", priority=-3),
        query(id="plain"),
        query(id="turns", moves=moves, analyzeTurns=[0, 1, 2], priorities=[1, -7, 9]),
        query(id="after"),
        query(id="urgent", priority=5),
    )
    assert [(answer["id"], answer["turnNumber"]) for answer in answers] == [
        ("busy", 0), ("turns", 2), ("urgent", 0), ("turns", 0), ("plain", 0), ("after", 0), ("late", 0),
        ("turns", 1),
    ]  # fmt: skip


def test_points_by_column_and_row_from_the_top_left() -> None:
    """KataGo's other way to write a point, and blanks around it."""
    ((job,), _) = parse_query(query(moves=[["B", "(0,0)"], ["W", " j1 "], ["B", "(8, 1)"]]), Settings())
    assert job.position.moves == ("A9", "J1", "J8")


def test_reports_during_search() -> None:
    answers = ask(query(maxVisits=4000, reportDuringSearchEvery=0.02))
    assert len(answers) > 1
    assert [answer["isDuringSearch"] for answer in answers] == [True] * (len(answers) - 1) + [False]


def test_the_first_report_may_come_sooner_than_the_others_or_alone() -> None:
    long = query(overrideSettings={"maxTime": 0.5}, maxVisits=10**9)
    (only,) = ask({**long, "reportDuringSearchEvery": 100})
    assert only["isDuringSearch"] is False
    for more in ({"reportDuringSearchEvery": 100}, {}):
        answers = ask({**long, "firstReportDuringSearchAfter": 0.05, **more})
        assert [answer["isDuringSearch"] for answer in answers] == [True, False]


def test_actions_echo_the_query() -> None:
    version, models, cleared, ended = ask(
        {"id": "1", "action": "query_version", "extra": [1]},
        {"id": "2", "action": "query_models"},
        {"id": "3", "action": "clear_cache"},
        {"id": "4", "action": "terminate_all"},
    )
    assert version == {
        "id": "1",
        "action": "query_version",
        "extra": [1],
        "version": "0",
        "git_hash": "kibitz",
    }
    assert models["models"] == [{"name": "corner"}]
    assert cleared == {"id": "3", "action": "clear_cache"}
    assert ended == {"id": "4", "action": "terminate_all"}


def test_terminating_gives_what_there_is_and_no_results_for_what_had_not_started() -> None:
    long = query(maxVisits=10**9)
    answers = ask(
        {**long, "id": "running"},
        {**long, "id": "waiting"},
        {"id": "t", "action": "terminate", "terminateId": "waiting"},
        {"id": "u", "action": "terminate_all"},
    )
    by_id = {answer["id"]: answer for answer in answers}
    assert by_id["waiting"] == {"id": "waiting", "isDuringSearch": False, "noResults": True, "turnNumber": 0}
    assert by_id["running"]["isDuringSearch"] is False


def test_terminating_some_turns_only() -> None:
    moves = [["B", "E5"], ["W", "C4"]]
    answers = ask(
        query(id="busy", priority=99, maxVisits=10**9, overrideSettings={"maxTime": 0.5}),
        query(id="a", moves=moves, analyzeTurns=[0, 1, 2]),
        query(id="b", moves=moves, analyzeTurns=[1]),
        {"id": "t", "action": "terminate", "terminateId": "a", "turnNumbers": [1, 2]},
    )
    ended = {(answer["id"], answer["turnNumber"]) for answer in answers if answer.get("noResults")}
    assert ended == {("a", 1), ("a", 2)}
    assert answers[0] == {"id": "t", "action": "terminate", "terminateId": "a", "turnNumbers": [1, 2]}
    searched = {(a["id"], a["turnNumber"]) for a in answers if "rootInfo" in a}
    assert searched == {("busy", 0), ("a", 0), ("b", 1)}


@pytest.mark.parametrize(
    ("more", "field"),
    [
        ({"action": "terminate"}, "terminateId"),
        ({"action": "terminate", "terminateId": 3}, "terminateId"),
        ({"action": "terminate", "terminateId": "q", "turnNumbers": 1}, "turnNumbers"),
        ({"action": "terminate_all", "turnNumbers": ["1"]}, "turnNumbers"),
    ],
)
def test_wrong_termination_is_named(more: dict[str, Any], field: str) -> None:
    (answer,) = ask({"id": "t", **more})
    assert answer["id"] == "t"
    assert answer["field"] == field
    assert field in answer["error"] or "array of integers" in answer["error"]


def test_several_positions_at_once() -> None:
    answers = Client(threads=3).ask(*({**query(), "id": str(n)} for n in range(12)))
    assert sorted(answer["id"] for answer in answers) == sorted(str(n) for n in range(12))
    assert len({json.dumps(answer["rootInfo"], sort_keys=True) for answer in answers}) == 1


def test_finished_games_and_impossible_records_are_analyzed_all_the_same() -> None:
    passes = [["B", "pass"], ["W", "pass"], ["B", "E5"]]
    for rules in ("chinese", "japanese"):
        answers = ask(query(moves=passes, rules=rules, analyzeTurns=[2, 3]))
        assert [answer["rootInfo"]["visits"] for answer in answers] == [20, 20]
        assert "error" not in answers[0]


@pytest.mark.parametrize(
    ("change", "field", "text"),
    [
        ({"moves": [["B", "D4"], ["W", "D4"]]}, "moves", "Illegal move 1: D4"),
        ({"moves": [["B", "T19"]]}, "moves", "Could not parse board location: T19"),
        ({"moves": [["B", "(3,9)"]]}, "moves", "Could not parse board location: (3,9)"),
        ({"moves": [["X", "D4"]]}, "moves", "Could not parse player: X"),
        ({"moves": "D4"}, "moves", "Must be an array of pairs"),
        ({"moves": None}, "moves", "Must specify an array of [player,location] pairs"),
        ({"initialStones": [["B", "D4"], ["W", "D4"]]}, "initialStones", "both colors at D4"),
        ({"initialStones": [["B", "A1"], ["W", "A2"], ["W", "B1"]]}, "initialStones", "without liberties"),
        ({"initialStones": [["B", "pass"]]}, "initialStones", "Could not parse board location"),
        ({"initialPlayer": "x"}, "initialPlayer", 'Must be "b" or "w"'),
        ({"komi": 7.25}, "komi", "half-integer from -400.0 to 400.0"),
        ({"komi": 1e9}, "komi", "half-integer"),
        ({"komi": float("nan")}, "komi", "half-integer"),
        ({"komi": "7"}, "komi", "half-integer"),
        ({"rules": "martian"}, "rules", "Could not parse rules: martian"),
        ({"rules": {"ko": "NONE"}}, "rules", "Could not parse rules"),
        ({"rules": None}, "rules", "Must specify rules string"),
        ({"boardXSize": 20}, "boardXSize", "integer from 2 to 19"),
        ({"boardYSize": 1.5}, "boardYSize", "integer from 2 to 19"),
        ({"boardXSize": None}, "boardXSize", "integer from 2 to 19"),
        ({"maxVisits": 0}, "maxVisits", "Must be an integer from 1 to 2^50"),
        ({"maxVisits": True}, "maxVisits", "Must be an integer"),
        ({"analyzeTurns": [1]}, "analyzeTurns", "Invalid turn number: 1"),
        ({"analyzeTurns": ["0"]}, "analyzeTurns", "array of integers"),
        ({"priorities": [1]}, "priorities", "Can only specify when also specifying analyzeTurns"),
        ({"analysisPVLen": 0}, "analysisPVLen", "from 1 to 1000"),
        ({"includeOwnership": 1}, "includeOwnership", "Must be a boolean"),
        ({"rootPolicyTemperature": 0}, "rootPolicyTemperature", "from 0.01 to 100.0"),
        ({"reportDuringSearchEvery": 0}, "reportDuringSearchEvery", "number of seconds"),
        ({"overrideSettings": []}, "overrideSettings", "Must be an object"),
        (
            {"overrideSettings": {"maxVisits": "x"}},
            "overrideSettings",
            "Could not set settings: maxVisits: expected a whole number, got 'x'",
        ),
        ({"overrideSettings": {"wideRootNoise": {}}}, "overrideSettings", "expected a number, got '{}'"),
        ({"avoidMoves": {}}, "avoidMoves", "Must be a list of dicts"),
        ({"avoidMoves": [], "allowMoves": []}, "allowMoves", "Cannot specify both"),
        ({"whiteHandicapBonus": "7"}, "whiteHandicapBonus", "N-1"),
    ],
)
def test_wrong_fields_are_named(change: dict[str, Any], field: str, text: str) -> None:
    answers = ask(query(**change), query(id="next", maxVisits=2))
    assert answers[0]["id"] == "q"
    assert answers[0]["field"] == field
    assert text in answers[0]["error"]
    assert answers[-1]["id"] == "next"
    assert answers[-1]["rootInfo"]["visits"] == 2


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"   ",
        b"nonsense",
        b"[1,2]",
        b"3",
        b'"text"',
        b"\xff\xfe\x00",
        b"{" * 5000,
        b"[" * 100000,
        b'{"id":5}',
        b"{}",
    ],
)
def test_garbage_does_not_end_the_conversation(line: bytes) -> None:
    answers = ask(line, query(maxVisits=2))
    assert answers[-1]["rootInfo"]["visits"] == 2
    assert all("error" in answer for answer in answers[:-1])


def test_errors_carry_the_id_whenever_the_line_had_one() -> None:
    answers = ask(b'{"id":"broken","moves":[', b'{"id":"x","action":"dance"}', query(maxVisits=1))
    assert answers[0]["id"] == "broken"
    assert answers[1]["id"] == "x"
    assert "terminate_all" in answers[1]["error"]


def test_a_huge_line_is_refused_without_reading_it_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(katago, "LONGEST_LINE", 1000)
    huge = b'{"id":"huge","moves":[' + b'["B","D4"],' * 5000
    answers = ask(huge, query(maxVisits=2))
    assert answers[0]["id"] == "huge"
    assert "longer than 1000 bytes" in answers[0]["error"]
    assert len(answers) == 2


def test_unknown_fields_and_settings_are_warnings() -> None:
    answers = ask(query(colour="red", overrideSettings={"nonsense": True, "maxVisits": 7}, maxVisits=None))
    assert [(a["field"], "warning" in a) for a in answers[:-1]] == [
        ("overrideSettings", True),
        ("colour", True),
    ]
    assert answers[0]["warning"] == "Unknown config params: nonsense"
    assert answers[1]["warning"].startswith("Unexpected or unused field")
    assert answers[-1]["rootInfo"]["visits"] == 7
    assert len(ask(query(colour="red"), warnUnusedFields=False)) == 1


def test_config_files(tmp_path: Any) -> None:
    (tmp_path / "base.cfg").write_text("maxVisits = 11 # comment\n\nlogToStderr = true\n")
    (tmp_path / "top.cfg").write_text("@include base.cfg\nwideRootNoise = 0.1\n")
    settings = Settings()
    assert settings.apply(read_config(tmp_path / "top.cfg")) == ["logToStderr"]
    assert (settings.max_visits, settings.options["root_noise"]) == (11, 0.1)


def test_input_that_ends_without_a_newline_is_answered() -> None:
    client = Client()
    client.server.serve(io.BytesIO(json.dumps(query(maxVisits=2)).encode()))
    assert json.loads(client.out.getvalue())["rootInfo"]["visits"] == 2
