"""The human model through the protocols: what a person would play gets its visits, and is told."""

from __future__ import annotations

import io
import json
from typing import Any

import numpy as np
import pytest

from kibitz.engine import Engine
from kibitz.protocols.gtp_analysis import parse_analysis
from kibitz.protocols.katago import AnalysisServer
from kibitz.protocols.katago_settings import Settings
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
