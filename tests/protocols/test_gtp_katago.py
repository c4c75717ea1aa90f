"""GTP as a drop-in for KataGo: its other commands, its parameters, its flags; resignation; final scores."""

from __future__ import annotations

import gzip
import json
import re
import time
from typing import Any

import numpy as np
import pytest

from kibitz.engine import Engine
from kibitz.protocols.gtp import GtpServer
from kibitz.protocols.katago_settings import Settings
from tests.paths import SHARED
from tests.protocols.katago_client import ask, corner_network, query
from tests.protocols.test_gtp import Session

REFERENCE = SHARED / "reference" / "go-finished-games.jsonl.gz"
#: Fifteen moves of Black's on 9x9, each with the reply opposite the centre.
MIRRORED = [
    (f"{column}{row}", f"{opposite}{10 - row}")
    for row in (2, 3)
    for column, opposite in list(zip("ABCDEFGHJ", "JHGFEDCBA", strict=True))[: 9 if row == 2 else 6]
]
#: Every command of KataGo 1.17.2.
KATAGO = """
protocol_version name version known_command list_commands quit boardsize rectangular_boardsize
clear_board set_position komi get_komi play undo kata-get-rules kata-set-rule kata-set-rules
kata-get-models kata-get-param kata-get-params kata-set-param kata-set-params kata-list-params kgs-rules
genmove kata-search kata-search_cancellable genmove_debug kata-search_debug clear_cache showboard
fixed_handicap place_free_handicap set_free_handicap time_settings kgs-time_settings time_left
kata-list_time_settings kata-time_settings final_score final_status_list loadsgf printsgf
lz-genmove_analyze kata-genmove_analyze kata-search_analyze kata-search_analyze_cancellable lz-analyze
kata-analyze kata-raw-nn kata-raw-human-nn cputime gomill-cpu_time kata-benchmark kata-debug-print-tc
debug_moves stop
"""


def test_every_command_of_katago_is_known() -> None:
    gtp = Session()
    listed = set(gtp.send("list_commands").split())
    assert set(KATAGO.split()) <= listed


def test_parameters_are_listed_read_and_set() -> None:
    gtp = Session()
    names = gtp.send("kata-list-params").split()[1:]
    wanted = {
        *(
            "playoutDoublingAdvantage",
            "analysisWideRootNoise",
            "antiMirror",
            "conservativePass",
            "maxPlayouts",
        ),
        *("allowResignation", "resignThreshold", "humanSLProfile", "ponderingEnabled", "delayMoveScale"),
    }
    assert wanted <= set(names)
    for name in names:
        assert gtp.send(f"kata-get-param {name}").startswith("=")
    assert json.loads(gtp.send("kata-get-params")[2:])["playoutDoublingAdvantage"] == "0"
    assert gtp.send("kata-set-param playoutDoublingAdvantage 0.5") == "="
    assert gtp.send("kata-get-param playoutDoublingAdvantage") == "= 0.5"
    assert gtp.send("kata-set-param playoutDoublingAdvantage 9").startswith("?")
    assert gtp.send('kata-set-params {"analysisWideRootNoise": 0.1, "maxVisits": 7}') == "="
    assert gtp.send("kata-get-param analysisWideRootNoise") == "= 0.1"
    assert gtp.send("kata-get-param maxVisits") == "= 7"
    assert gtp.send('kata-set-params {"maxVisits": 9, "nonsense": 1}').startswith("?")
    assert gtp.send("kata-get-param maxVisits") == "= 7"  # all of it or nothing
    assert gtp.send("kata-set-param antiMirror true") == "="
    assert gtp.send("kata-get-param antiMirror") == "= true"
    assert gtp.send("kata-set-param delayMoveScale 2") == "="
    assert "delayMoveScale is accepted for compatibility" in gtp.log.getvalue()


def test_models_times_and_the_human_network() -> None:
    gtp = Session()
    assert json.loads(gtp.send("kata-get-models")[2:]) == []
    assert float(gtp.send("cputime")[2:]) == 0
    gtp.send("boardsize 7")
    gtp.send("genmove b")
    spent = float(gtp.send("gomill-cpu_time")[2:])
    assert spent > 0
    assert "no human model" in gtp.send("kata-raw-human-nn b 0")
    assert "visits/s" in gtp.send("kata-benchmark 3").splitlines()[-1]
    gtp.send("time_settings 60 10 5")
    assert gtp.send("kata-debug-print-tc b") == "= left 60s, period 10s for 5 stones, increment 0s"
    assert "winrate" in gtp.send("debug_moves")


def test_debugging_thinks_aloud() -> None:
    gtp = Session()
    gtp.send("boardsize 7")
    assert gtp.send("genmove_debug b").startswith("= ")
    assert "visits" in gtp.log.getvalue()
    gtp.log.truncate(0)
    assert gtp.send("kata-search_debug w").startswith("= ")
    assert gtp.send("undo") == "="  # the first move
    assert gtp.send("undo") == "? cannot undo"  # the second was only searched


def test_a_search_that_can_be_cancelled() -> None:
    gtp = Session(maxVisits="100000000")
    gtp.send("boardsize 7")
    gtp.server.handle("5 kata-search_cancellable b")
    time.sleep(0.1)
    assert "=5" not in gtp.out.getvalue()
    gtp.server.stop_analysis()  # any further line
    assert gtp.out.getvalue().endswith("=5 cancelled\n\n")
    gtp.server.handle("6 kata-search_analyze_cancellable b 1")
    until = time.monotonic() + 60
    while "info move" not in gtp.out.getvalue() and time.monotonic() < until:
        time.sleep(0.05)
    gtp.server.stop_analysis()
    text = gtp.out.getvalue()[gtp.out.getvalue().index("=6") :]
    assert text.startswith("=6\ninfo move")
    assert text.endswith("play cancelled\n\n")
    gtp.send("kata-set-param maxVisits 5")
    gtp.server.handle("7 kata-search_cancellable b")
    assert gtp.server._analysis is not None
    gtp.server._analysis.join(60)
    answer = gtp.out.getvalue()[gtp.out.getvalue().index("=7") :]
    assert answer.endswith("\n\n")
    assert "cancelled" not in answer


def losing_network(planes: Any, numbers: Any) -> Any:
    """Black, whose own komi is below nought, is lost."""
    policy, outcomes, owners = corner_network(planes, numbers)
    black = numbers[:, 5] < 0
    outcomes[:, 0], outcomes[:, 2] = np.where(black, 0.01, 0.99), np.where(black, 0.99, 0.01)
    outcomes[:, 3] = outcomes[:, 5] = np.where(black, -40.0, 40.0)
    return policy, outcomes, owners


class Losing(Session):
    def __init__(self, **settings: str) -> None:
        super().__init__()
        engine = Engine("go", network=losing_network)
        values = Settings(options={"history": "full", "reuse": True}, max_visits=4, perspective="SIDETOMOVE")
        values.apply(settings)
        self.server = GtpServer(engine, values, self.out, log=self.log)


def test_resignation() -> None:
    stubborn = Losing()
    stubborn.send("boardsize 5")
    assert all(stubborn.send("genmove b") != "= resign" for _ in range(5))
    gtp = Losing(allowResignation="true", resignThreshold="-0.9", resignConsecTurns="3")
    gtp.send("boardsize 5")
    answers = [gtp.send("genmove b") for _ in range(3)]
    assert answers[2] == "= resign"
    assert "= resign" not in answers[:2]
    late = Losing(allowResignation="true", resignConsecTurns="1", resignMinMovesPerBoardArea="0.2")
    late.send("boardsize 5")
    assert late.send("genmove b") != "= resign"
    close = Losing(allowResignation="true", resignConsecTurns="1", resignMinScoreDifference="100")
    close.send("boardsize 5")
    assert close.send("genmove b") != "= resign"


def test_a_doubling_is_told_to_the_network() -> None:
    seen: list[tuple[float, float]] = []

    def network(planes: Any, numbers: Any) -> Any:
        seen.extend((float(row[15]), float(row[16])) for row in numbers)
        return corner_network(planes, numbers)

    settings = Settings(options={"reuse": False}, max_visits=1)
    out = Session().out
    server = GtpServer(Engine("go", network=network), settings, out)
    server.handle("boardsize 5")
    server.handle("kata-search b")
    assert set(seen) == {(0.0, 0.0)}
    seen.clear()
    server.handle("kata-set-param playoutDoublingAdvantage 1.5")
    server.handle("kata-search b")
    assert set(seen) == {(1.0, 0.75)}  # the side that searches has it, whichever it is
    seen.clear()
    server.handle("kata-search w")
    assert set(seen) == {(1.0, 0.75)}


@pytest.mark.skipif(not REFERENCE.is_file(), reason="the finished games are not here")
@pytest.mark.parametrize("number", range(11))
def test_final_scores_of_finished_games(number: int) -> None:
    network = next(iter(sorted((SHARED / "nets").glob("*b6c96*.gz"))), None)
    if network is None:
        pytest.skip("KataGo's network b6c96 is not here")
    from kibitz.games.networks import load_file

    with gzip.open(REFERENCE, "rt", encoding="utf-8") as lines:
        game = [json.loads(line) for line in lines][number]
    out = Session().out
    settings = Settings(options={"history": "full", "reuse": True}, max_visits=20, perspective="SIDETOMOVE")
    server = GtpServer(Engine("go", network=load_file("go", str(network))), settings, out)
    server.handle(f"boardsize {game['size']}")
    server.handle(f"kata-set-rules {game['rules']}")
    server.handle(f"komi {game['komi']}")
    for colour, vertex in game["moves"]:
        server.handle(f"play {colour} {vertex}")
    before = len(out.getvalue())
    server.handle("final_score")
    server.handle("final_status_list dead")
    score, dead = out.getvalue()[before:].strip().split("\n\n")
    assert score == f"= {game['score']}"
    assert sorted(dead.split()[1:]) == sorted(game["dead"])


# -- queries ------------------------------------------------------------------------------------------


def warnings(**fields: Any) -> list[tuple[str, str]]:
    answers = ask(query(id="q", **fields))
    assert [answer for answer in answers if "rootInfo" in answer]
    return [(answer["field"], answer["warning"]) for answer in answers if "warning" in answer]


def test_included_moves_of_turns_that_are_not_analyzed() -> None:
    entry = {"player": "b", "moves": ["C3"]}
    assert warnings(moves=[["b", "A1"]], includeMoves=[{"turnNumber": 0, **entry}]) == [
        ("includeMoves", "Turn 0 is not analyzed, ignoring includeMoves for this turn")
    ]
    assert warnings(includeMoves=[{"turnNumber": 7, **entry}]) == [
        ("includeMoves", "Turn 7 does not exist, the game has 0 moves, ignoring includeMoves for this turn")
    ]


def test_a_bad_vertex_of_included_moves_names_the_field() -> None:
    for moves in (["Z99"], [5]):
        (answer,) = ask(query(id="q", includeMoves=[{"turnNumber": 0, "player": "b", "moves": moves}]))
        assert answer["field"] == "includeMoves"
        assert "error" in answer


def test_a_ban_of_every_move_is_a_warning() -> None:
    every = ["pass", *(f"{column}{row}" for column in "AB" for row in (1, 2))]
    size = {"boardXSize": 2, "boardYSize": 2}
    banned = [{"player": "b", "moves": every, "untilDepth": 1}]
    ((field, text),) = warnings(avoidMoves=banned, **size)
    assert field == "avoidMoves"
    assert all(move in text for move in every)
    assert warnings(avoidMoves=[{**banned[0], "moves": every[1:]}], **size) == []


def test_only_illegal_moves_allowed_is_one_warning() -> None:
    rule = {"player": "w", "moves": ["A1", "C3"], "untilDepth": 1}
    moves = [["b", "A1"], ["w", "B2"], ["b", "C3"]]
    ((field, text),) = warnings(moves=moves, allowMoves=[rule])
    assert field == "allowMoves"
    assert "A1, C3" in text


def test_playouts_doublings_and_passes_in_queries() -> None:
    (answer,) = ask(query(id="q", maxVisits=50, overrideSettings={"maxPlayouts": 5}))
    assert answer["rootInfo"]["visits"] <= 6
    settings = {"playoutDoublingAdvantage": 1.0, "conservativePass": False, "antiMirror": True}
    assert warnings(overrideSettings=settings) == []
    ((field, text),) = warnings(overrideSettings={"ponderingEnabled": True})
    assert field == "overrideSettings"
    assert "ponderingEnabled" in text


def test_anti_mirror_looks_at_the_centre() -> None:
    moves = [[side, vertex] for pair in MIRRORED for side, vertex in zip("bw", pair, strict=True)]
    asked = {"moves": moves, "boardXSize": 9, "boardYSize": 9, "maxVisits": 100}
    for on in (True, False):
        (answer,) = ask(query(id="q", **asked, overrideSettings={"antiMirror": on, "wideRootNoise": 0}))
        visits = {info["move"]: info["visits"] for info in answer["moveInfos"]}
        assert (visits.get("E5", 0) >= 6) is on
    for name, on in (("genmoveAntiMirror", True), ("antiMirror", True), ("antiMirror", False)):
        gtp = Session(visits=100)
        gtp.send("boardsize 9")
        for side, vertex in moves:
            gtp.send(f"play {side} {vertex}")
        gtp.send(f"kata-set-param {name} {str(on).lower()}")
        match = re.search(r"info move E5 visits (\d+)", gtp.send("kata-search_analyze b"))
        assert (match is not None and int(match[1]) >= 6) is on
