"""A search that explores with the human model's policy, through KataGo's protocol and as options."""

from __future__ import annotations

import gzip
import io
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kibitz
from kibitz.engine import Engine
from kibitz.errors import BadOption
from kibitz.protocols.gtp import GtpServer
from kibitz.protocols.katago import AnalysisServer
from kibitz.protocols.katago_settings import Settings
from tests.nets.katago_writer import katago_file
from tests.paths import SHARED
from tests.protocols.katago_client import ask, corner_network, query

TINY = SHARED / "nets" / "katago-tiny-b2c16.bin.gz"
MAIA = SHARED / "nets" / "maia-1100.pb.gz"
STRONGER = SHARED / "nets" / "maia-1900.pb.gz"
WEIGHTLESS = {"humanSLRootExploreProbWeightless": 0.8, "humanSLCpuctPermanent": 2.0}


def last_points(planes: Any, numbers: Any) -> Any:
    """A person who likes the last points of the board, where `corner_network` likes the first."""
    policy, *rest = corner_network(planes, numbers)
    policy[:, :-1] = 5 * policy[:, -2::-1]
    return np.ascontiguousarray(policy), *rest


def served(*queries: Mapping[str, Any], engine: Any, keys: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The answers of a server, warnings first."""
    out = io.StringIO()
    settings = Settings(options={"root_noise": 0.0, "reuse": False, "batch": 1, "threads": 1})
    assert settings.apply(keys) == []
    server = AnalysisServer(engine, settings, out, version="0")
    server.serve(io.BytesIO(b"".join(json.dumps(item).encode() + b"\n" for item in queries)))
    answers = [json.loads(line) for line in out.getvalue().splitlines()]
    return sorted(answers, key=lambda answer: "moveInfos" in answer)


def seven(**settings: Any) -> dict[str, Any]:
    # Two stones that leave no symmetry of the board.
    given = query(
        boardXSize=7,
        boardYSize=7,
        maxVisits=200,
        moves=[["B", "B4"], ["W", "D6"]],
        analyzeTurns=[2],
        overrideSettings=settings,
    )
    engine = lambda: Engine("go", network=corner_network, human=last_points)  # noqa: E731
    *others, answer = served(given, engine=engine, keys={})
    assert others == []
    return answer


def test_weightless_visits_count_for_the_move_alone() -> None:
    plain, explored = seven(), seven(**WEIGHTLESS)
    infos = {info["move"]: info for info in explored["moveInfos"]}
    assert plain["rootInfo"]["visits"] == 200
    assert 20 < explored["rootInfo"]["visits"] < 60
    assert explored["rootInfo"]["visits"] == 1 + sum(info["edgeVisits"] for info in infos.values())
    assert sum(info["visits"] for info in infos.values()) > 180
    # The model gives G1 63%; the search itself never comes there.
    assert infos["G1"]["visits"] > 60
    assert infos["G1"]["edgeVisits"] == infos["G1"]["edgeWeight"] == 0
    assert infos["G1"]["weight"] > 10
    assert infos["A7"]["edgeVisits"] > 5
    assert explored["moveInfos"][0]["edgeVisits"] > 0
    assert explored["rootInfo"]["winrate"] == pytest.approx(plain["rootInfo"]["winrate"], abs=0.03)


def test_weightful_visits_count_like_others() -> None:
    explored = seven(humanSLRootExploreProbWeightful=0.5, humanSLCpuctPermanent=2.0)
    infos = {info["move"]: info for info in explored["moveInfos"]}
    assert explored["rootInfo"]["visits"] == 200
    assert infos["G1"]["visits"] == infos["G1"]["edgeVisits"] > 40


def test_a_search_that_does_not_explore_is_the_same() -> None:
    plain, same = seven(), seven(humanSLCpuctExploration=9.0, humanSLPlaExploreProbWeightful=0.0)
    assert same["moveInfos"] == plain["moveInfos"]
    assert same["rootInfo"] == plain["rootInfo"]


@pytest.mark.parametrize(
    ("key", "wrong"),
    [
        ("humanSLRootExploreProbWeightless", 1.5),
        ("humanSLOppExploreProbWeightful", -0.1),
        ("humanSLCpuctExploration", 1001),
        ("humanSLCpuctPermanent", "much"),
    ],
)
def test_ranges_are_katagos(key: str, wrong: Any) -> None:
    with pytest.raises(BadOption, match=f"{key}: expected a number"):
        Settings().apply({key: wrong})


def test_without_a_human_model_there_is_a_warning() -> None:
    given = ask(
        query(boardXSize=7, boardYSize=7, maxVisits=10, analyzeTurns=[0], overrideSettings=WEIGHTLESS)
    )
    assert [item["warning"] for item in given if "warning" in item] == [
        "there is no human model (-human-model), ignoring humanSLRootExploreProbWeightless"
    ]
    assert [item["rootInfo"]["visits"] for item in given if "rootInfo" in item] == [10]


@pytest.mark.parametrize("human", [None, last_points])
def test_gtp_takes_the_keys(human: Any) -> None:
    out, log = io.StringIO(), io.StringIO()
    settings = Settings(options={"root_noise": 0.0, "reuse": False, "seed": 7}, max_visits=60)
    assert settings.apply(WEIGHTLESS) == []
    server = GtpServer(Engine("go", network=corner_network, human=human), settings, out, log=log)
    lines = [
        "boardsize 7",
        "kata-get-param humanSLCpuctPermanent",
        "kata-search_analyze b 100",
        "kata-benchmark 5",
    ]
    server.serve(io.BytesIO("\n".join([*lines, "quit", ""]).encode()))
    assert "= 2\n" in out.getvalue()
    counts = re.findall(r" visits (\d+) edgeVisits (\d+) ", out.getvalue())
    assert counts
    assert any(int(visits) > int(edge) for visits, edge in counts) == (human is not None)
    assert ("there is no human model" in log.getvalue()) == (human is None)


def test_the_option_needs_a_human_model() -> None:
    with pytest.raises(BadOption, match="human_pla_weightful needs a human model"):
        Engine("go", network=corner_network, human_pla_weightful=0.1)
    with (
        Engine("go", network=corner_network) as engine,
        pytest.raises(BadOption, match="human_root_weightless needs a human model"),
    ):
        engine.analyze(kibitz.go.Position(7), visits=5, options={"human_root_weightless": 0.5})


def test_another_profile_is_another_tree(tmp_path: Path) -> None:
    path = tmp_path / "human.bin.gz"
    path.write_bytes(gzip.compress(katago_file(15, human=True, seed=7, sharp=40.0), mtime=0))
    with Engine(
        "go", network=corner_network, human=path, human_profile="rank_5k_3d", human_root_weightless=0.5
    ) as engine:
        assert engine.human is not None
        start = kibitz.go.Position(7)
        engine.analyze(start, visits=40)
        assert engine.analyze(start, visits=60).root.reused > 0
        engine.human.imitate("proyear_1900")
        assert engine.analyze(start, visits=60).root.reused == 0


@pytest.mark.skipif(not MAIA.is_file(), reason="the Maia networks of ../shared are not here")
def test_chess_explores_with_maia() -> None:
    """The Blackburne Shilling Gambit: people take the pawn on e5, and 4...Qg5 refutes it."""
    shilling = kibitz.chess.Position()
    for move in ("e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "c6d4"):
        shilling = shilling.play(move)
    chances = {"human_root_weightless": 0.4, "human_opp_weightless": 0.2, "human_cpuct_permanent": 1.0}
    with Engine("chess", network=STRONGER, human=MAIA, threads=1, seed=1) as engine:
        plain = engine.analyze(shilling, visits=300)
        explored = engine.analyze(shilling, visits=300, options=chances)
    assert explored.best == plain.best == "f3d4"
    infos = {info.move: info for info in explored.moves}
    assert infos["f3e5"].weightless > 20
    assert infos["f3e5"].votes <= infos["f3e5"].visits - infos["f3e5"].weightless
    assert explored.root.value == pytest.approx(plain.root.value, abs=0.04)


RECORDED = Path(__file__).with_name("data") / "katago-human-explore.jsonl"


def distance(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    """The share of visits that two searches spend on different moves."""
    all_one, all_other = sum(one.values()) or 1.0, sum(other.values()) or 1.0
    return 0.5 * sum(
        abs(one.get(move, 0.0) / all_one - other.get(move, 0.0) / all_other) for move in {*one, *other}
    )


@pytest.mark.skipif(not TINY.is_file(), reason="katago-tiny-b2c16.bin.gz of ../shared is not here")
@pytest.mark.parametrize(
    "line", RECORDED.read_text(encoding="utf-8").splitlines(), ids=lambda line: line[:60]
)
def test_visits_are_katagos(tmp_path: Path, line: str) -> None:
    """KataGo 1.17.2's own visits, means over four seeds, at each of the positions: 9x9, Chinese rules, 400
    visits, katago-tiny-b2c16 with the human network `katago_file(15, human=True, seed=7, sharp=40.0)` as
    rank_5k; `nnRandomize=false`, `wideRootNoise=0`, `rootSymmetryPruning=false`, `useGraphSearch=false`, one
    thread. What is drawn differs, so shares of visits are compared, in the mean over the positions."""
    case = json.loads(line)
    path = tmp_path / "human.bin.gz"
    path.write_bytes(gzip.compress(katago_file(15, human=True, seed=7, sharp=40.0), mtime=0))
    count = len(case["positions"])
    queries = [
        query(
            id=str(number),
            rules="chinese",
            komi=7.0,
            boardXSize=9,
            boardYSize=9,
            maxVisits=400,
            moves=[[text[0], text[1:]] for text in position["moves"].split()],
            analyzeTurns=[len(position["moves"].split())],
            overrideSettings={"searchRandSeed": f"{number} of {count}"},
        )
        for number, position in enumerate(case["positions"])
    ]
    keys = {
        "nnRandomize": "false",
        "wideRootNoise": "0",
        "rootSymmetryPruning": "false",
        "reportAnalysisWinratesAs": "SIDETOMOVE",
        "humanSLProfile": "rank_5k",
        **case["settings"],
    }
    answers = served(*queries, engine=lambda: Engine("go", network=TINY, human=path), keys=keys)
    assert len(answers) == count
    visits = edges = root = winrate = 0.0
    for answer in answers:
        theirs = case["positions"][int(answer["id"])]
        infos = answer["moveInfos"]
        visits += distance({info["move"]: info["visits"] for info in infos}, theirs["visits"]) / count
        edges += distance({info["move"]: info["edgeVisits"] for info in infos}, theirs["edgeVisits"]) / count
        root += answer["rootInfo"]["visits"] / theirs["root"] / count
        winrate += abs(answer["rootInfo"]["winrate"] - theirs["winrate"]) / count
    assert visits < case["within"]["visits"]
    assert edges < case["within"]["edgeVisits"]
    assert root == pytest.approx(1.0, abs=0.15)
    assert winrate < case["within"]["winrate"]
