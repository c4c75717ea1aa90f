"""The human model through the protocols: what a person would play gets its visits, and is told."""

from __future__ import annotations

import gzip
import io
import json
import math
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import kibitz
from kibitz.engine import Engine
from kibitz.protocols.gtp import GtpServer
from kibitz.protocols.gtp_analysis import parse_analysis
from kibitz.protocols.katago import AnalysisServer
from kibitz.protocols.katago_human import HumanChoice
from kibitz.protocols.katago_settings import Settings
from tests.nets.katago_writer import katago_file
from tests.paths import SHARED
from tests.protocols.katago_client import ask, corner_network, query
from tests.protocols.uci.uci_player import Talk

MAIA = SHARED / "nets" / "maia-1100.pb.gz"
STRONGER = SHARED / "nets" / "maia-1900.pb.gz"


def last_points(planes: Any, numbers: Any) -> Any:
    """A person who likes the last points of the board, where `corner_network` likes the first."""
    policy, *rest = corner_network(planes, numbers)
    policy[:, :-1] = 5 * policy[:, -2::-1]
    return np.ascontiguousarray(policy), *rest


class Moved(NamedTuple):
    """What KataGo says of a move: playSelectionValue, utility, humanPrior, playSelectionValue when mixed."""

    alone: float
    utility: float
    human: float
    mixed: float


def answers(*entries: dict[str, Any], **fields: Any) -> list[dict[str, Any]]:
    out = io.StringIO()
    settings = Settings(options={"root_noise": 0.0, "reuse": False}, analysis_threads=1)
    server = AnalysisServer(
        lambda: Engine("go", network=corner_network, human=last_points), settings, out, version="0"
    )
    given = query(boardXSize=7, boardYSize=7, maxVisits=40, includeMoves=list(entries), **fields)
    server.serve(io.BytesIO(json.dumps(given).encode() + b"\n"))
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_katagos_protocol_guarantees_plausible_moves() -> None:
    entry = {"turnNumber": 0, "player": "B", "humanPolicyAbove": 0.1, "minVisits": 12}
    (answer,) = answers(entry, analyzeTurns=[0], includePolicy=True)
    infos = {info["move"]: info for info in answer["moveInfos"]}
    # exp(-k) from the last point on: 0.63, 0.23, then 0.09.
    assert infos["G1"]["visits"] >= 12
    assert infos["F1"]["visits"] >= 12
    assert infos["G1"]["humanPrior"] == pytest.approx(0.632, abs=0.001)
    assert answer["humanPolicy"][7 * 7 - 1] == pytest.approx(0.632, abs=0.001)
    assert answer["humanPolicy"][7 * 7] < 0.001
    assert set(answer["humanView"]) == {"expectedLoss", "covered", "traps", "hardFinds"}


@pytest.mark.parametrize(
    ("moves", "expected"),
    [
        ("BB4 WD6", (0.52680327, -2.0173831, 10.2746704, 0.175297707, 8.78795719)),
        ("BB4 WD6 BE5 WE3 BC5 Wpass", (0.526608542, -2.00669408, 10.2713975, 0.17521295, 8.78609276)),
    ],
)
def test_what_the_human_model_says_of_the_position_is_katagos(
    tmp_path: Path, moves: str, expected: tuple[float, ...]
) -> None:
    """The numbers are KataGo 1.17.2's, for Black to move; see `test_the_mixture_is_katagos`."""
    path = tmp_path / "human.bin.gz"
    path.write_bytes(gzip.compress(katago_file(15, human=True, seed=7), mtime=0))
    played = [[text[0], text[1:]] for text in moves.split()]
    out = io.StringIO()
    settings = Settings(options={"root_noise": 0.0, "reuse": False}, analysis_threads=1)
    settings.apply({"reportAnalysisWinratesAs": "SIDETOMOVE"})
    server = AnalysisServer(
        lambda: Engine("go", network=corner_network, human=path, human_profile="rank_5k"),
        settings,
        out,
        version="0",
    )
    fields = {"rules": "japanese", "komi": 6.5, "boardXSize": 7, "boardYSize": 7}
    given = query(maxVisits=2, moves=played, analyzeTurns=[len(played)], **fields)
    server.serve(io.BytesIO(json.dumps(given).encode() + b"\n"))
    root = json.loads(out.getvalue())["rootInfo"]
    names = ("humanWinrate", "humanScoreMean", "humanScoreStdev", "humanStWrError", "humanStScoreError")
    assert [root[name] for name in names] == pytest.approx(expected, abs=2e-5)


def test_moves_can_be_named_beside_plausible_ones() -> None:
    entry = {"turnNumber": 0, "player": "B", "moves": ["D4"], "humanPolicyAbove": 0.5, "minVisits": 9}
    (answer,) = answers(entry, analyzeTurns=[0])
    visits = {info["move"]: info["visits"] for info in answer["moveInfos"]}
    assert visits["D4"] >= 9
    assert visits["G1"] >= 9


@pytest.mark.parametrize("wrong", [1.5, -0.1, "many", True])
def test_a_wrong_share_is_an_error(wrong: Any) -> None:
    entry = {"turnNumber": 0, "player": "B", "humanPolicyAbove": wrong}
    (answer,) = answers(entry, analyzeTurns=[0])
    assert answer["field"] == "includeMoves"
    assert "humanPolicyAbove" in answer["error"]


def test_without_a_human_model_there_is_a_warning_and_an_answer() -> None:
    entry = {"turnNumber": 0, "player": "B", "humanPolicyAbove": 0.1}
    given = ask(query(boardXSize=7, boardYSize=7, maxVisits=10, analyzeTurns=[0], includeMoves=[entry]))
    assert [item["warning"] for item in given if "warning" in item] == [
        "Turn 0: the engine has no human model, ignoring humanPolicyAbove"
    ]
    assert [item["turnNumber"] for item in given if "moveInfos" in item] == [0]


def chosen_by(**settings: Any) -> tuple[list[str], dict[str, float], list[str]]:
    """(moves in order, playSelectionValue by move, warnings) of an answer with these settings."""
    # Two stones that leave no symmetry of the board.
    moves = [["B", "B4"], ["W", "D6"]]
    *warnings, answer = answers(moves=moves, analyzeTurns=[2], overrideSettings=settings)
    values = {info["move"]: info["playSelectionValue"] for info in answer["moveInfos"]}
    order = [info["move"] for info in sorted(answer["moveInfos"], key=lambda info: info["order"])]
    return order, values, [item["warning"] for item in warnings]


def test_the_human_model_has_a_say_in_the_choice() -> None:
    order, alone, warnings = chosen_by()
    assert warnings == []
    turned, human, _ = chosen_by(humanSLChosenMoveProp=1.0, humanSLRootExploreProbWeightless=0.0)
    # The network likes the first points of the board, people the last ones: what was seen turns around.
    assert order[0] == "A7"
    assert turned[0] == max(human, key=lambda move: human[move])
    assert turned[0] != "A7"
    assert sum(human.values()) == pytest.approx(sum(alone.values()))
    _, half, _ = chosen_by(humanSLChosenMoveProp=0.5)
    assert half == pytest.approx({move: (alone[move] + human[move]) / 2 for move in alone})


def test_a_wrong_human_setting_is_an_error() -> None:
    (answer,) = answers(analyzeTurns=[0], overrideSettings={"humanSLChosenMoveProp": 1.5})
    assert answer["field"] == "overrideSettings"
    assert "humanSLChosenMoveProp" in answer["error"]


def test_a_choice_without_a_human_model_is_warned_of() -> None:
    fields = {"analyzeTurns": [0], "overrideSettings": {"humanSLChosenMoveProp": 1.0}}
    given = ask(query(boardXSize=7, boardYSize=7, maxVisits=10, **fields))
    assert [item["warning"] for item in given if "warning" in item] == [
        "there is no human model (-human-model), ignoring humanSLChosenMoveProp"
    ]


VALUES = {"C3": 80.0, "D4": 15.0, "pass": 5.0}
UTILITIES = {"C3": 0.3, "D4": -0.1, "pass": -0.5}
POLICY = {"C3": 0.1, "D4": 0.5, "E5": 0.2, "pass": 0.2}


def test_katagos_mixture_of_values() -> None:
    """By hand, as KataGo's getPlaySelectionValues computes it."""
    half = HumanChoice(share=0.5).mixed(VALUES, UTILITIES, POLICY)
    assert half == pytest.approx({"C3": 45.0, "D4": 32.5, "E5": 10.0, "pass": 12.5})
    # The pass keeps its 5%; the others share 95% as 1:5:2.
    no_pass = HumanChoice(share=1.0, ignore_pass=True).mixed(VALUES, UTILITIES, POLICY)
    assert no_pass == pytest.approx({"C3": 11.875, "D4": 59.375, "E5": 23.75, "pass": 5.0})
    # E5 was not searched: it counts as the average, -0.1.
    careful = HumanChoice(share=1.0, pikl_lambda=0.4).mixed(VALUES, UTILITIES, POLICY)
    weights = {"C3": 0.1, "D4": 0.5 / math.e, "E5": 0.2 / math.e, "pass": 0.2 / math.e**2}
    whole = sum(weights.values())
    assert careful == pytest.approx({move: 100 * weight / whole for move, weight in weights.items()})


def test_guaranteed_visits_are_not_mixed() -> None:
    with Engine("go", network="none", human=last_points, seed=1) as engine:
        report = engine.analyze(kibitz.go.Position(7), simulations=60, include=["D4"], min_visits=40)
    values = HumanChoice(share=0.0).values(report)
    assert any(info.guaranteed and info.selection is None for info in report.moves)
    assert {info.move: float(info.votes) for info in report.moves} == {
        info.move: values[info.move] for info in report.moves
    }


MIXED = Path(__file__).with_name("data") / "katago-human-choice.jsonl"


@pytest.mark.parametrize("line", MIXED.read_text(encoding="utf-8").splitlines(), ids=lambda line: line[:90])
def test_the_mixture_is_katagos(line: str) -> None:
    """KataGo 1.17.2's own playSelectionValue of each searched move, without and with a setting: 7x7, Japanese
    rules, 150 visits, `katago_file(15, seed=3)` with the human network `katago_file(15, human=True, seed=7)`
    as rank_5k, `nnRandomize=false`, `wideRootNoise=0`, `rootSymmetryPruning=false`."""
    case = json.loads(line)
    settings = Settings()
    assert settings.apply(case["settings"]) == []
    before = {move: Moved(*numbers) for move, numbers in case["moves"].items()}
    mixed = settings.human_choice.mixed(
        {move: it.alone for move, it in before.items()},
        {move: it.utility for move, it in before.items()},
        {move: it.human for move, it in before.items()},
    )
    assert mixed == pytest.approx({move: it.mixed for move, it in before.items()}, rel=1e-7)


def test_temperatures_fall_as_in_katago() -> None:
    choice = HumanChoice(temperature=0.1, early_temperature=0.5, halflife=19.0)
    assert choice.heat(0, 361) == pytest.approx(0.5)
    assert choice.heat(19, 361) == pytest.approx(0.3)
    assert choice.heat(9, 81) == pytest.approx(0.3)


def test_genmove_draws_from_the_human_model() -> None:
    out = io.StringIO()
    settings = Settings(options={"root_noise": 0.0, "reuse": False, "seed": 7}, max_visits=20)
    assert settings.apply({"humanSLChosenMoveProp": 1, "humanSLChosenMoveIgnorePass": "true"}) == []
    server = GtpServer(Engine("go", network=corner_network, human=last_points), settings, out)
    server.serve(io.BytesIO(b"boardsize 7\nclear_board\ngenmove b\nquit\n"))
    assert "= G1" in out.getvalue()


def test_the_arguments_of_gtp() -> None:
    asked = parse_analysis(["b", "50", "humanPolicyAbove", "0.1", "20", "maxmoves", "3"])
    assert asked.steering.plausible is not None
    assert (asked.steering.plausible.above, asked.steering.plausible.min_visits) == (0.1, 20)


@pytest.mark.skipif(not MAIA.is_file(), reason="the Maia networks of ../shared are not here")
def test_uci_tells_of_traps() -> None:
    talk = Talk()
    talk.tell(
        f"setoption name WeightsFile value {STRONGER}",
        f"setoption name HumanWeightsFile value {MAIA}",
        "setoption name IncludeMovesMinVisits value 30",
        "position startpos moves e2e4 e7e5 g1f3 b8c6 f1c4 c6d4",
    )
    lines = talk.ask("go nodes 300", "bestmove", 60.0)
    talk.close()
    told = [line for line in lines if line.startswith("info string human ")]
    assert any("trap: f3e5" in line for line in told), lines
    assert any("a player like maia-1100 loses" in line for line in told)
    assert lines[-1].split()[1] == "f3d4"
