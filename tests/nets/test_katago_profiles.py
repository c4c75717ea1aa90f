"""KataGo's human networks: the players they imitate, against KataGo's own answers.

`data/katago-human-profiles.jsonl` is what KataGo 1.17.2 (Eigen build) says in `humanPolicy` for the network
that `katago_file(15, human=True, seed=7)` writes, on 7x7 with Japanese rules and komi 6.5.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kibitz
from kibitz.engine import Engine
from kibitz.errors import BadOption
from kibitz.nets import load
from kibitz.nets.katago_profiles import metadata_inputs, read_profile
from tests.nets.katago_writer import katago_file
from tests.protocols.katago_client import corner_network

DATA = Path(__file__).with_name("data") / "katago-human-profiles.jsonl"
CASES = [json.loads(line) for line in DATA.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def human_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("human") / "human.bin.gz"
    path.write_bytes(gzip.compress(katago_file(15, human=True, seed=7), mtime=0))
    return path


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['profile']}-{len(case['moves'])}")
def test_the_policy_is_katagos(human_file: Path, case: dict[str, Any]) -> None:
    position = kibitz.go.Position(7, rules="japanese", komi=6.5).play(*case["moves"])
    with Engine("go", network=corner_network, human=human_file, human_profile=case["profile"]) as engine:
        human = engine.analyze(position, visits=1).human
    assert human is not None
    assert case["profile"] in human.model
    expected = np.array(case["humanPolicy"])
    given = np.full(50, -1.0)
    for move, share in human.policy.items():
        given[position.state.parse_move(move)] = share
    assert np.abs(given - expected).max() < 1e-6


def test_profiles_differ_and_so_do_the_sides_of_an_uneven_one(human_file: Path) -> None:
    by_profile = {case["profile"]: case["humanPolicy"] for case in CASES if not case["moves"]}
    assert np.abs(np.subtract(by_profile["rank_9d"], by_profile["preaz_20k"])).max() > 1e-5
    uneven, even = read_profile("rank_3k_7d"), read_profile("rank_5k")
    assert (metadata_inputs(uneven, 0, 49) != metadata_inputs(uneven, 1, 49)).any()
    assert (metadata_inputs(even, 0, 49) == metadata_inputs(even, 1, 49)).all()
    assert even.even
    assert not uneven.even


@pytest.mark.parametrize(
    "wrong", ["", "rank_30k", "rank_5k_", "proyear_1799", "proyear_", "5k", "rank_5k_5k_5k"]
)
def test_unknown_profiles_are_refused(wrong: str) -> None:
    with pytest.raises(BadOption, match="unknown profile"):
        read_profile(wrong)


def test_an_ordinary_network_knows_no_profiles(tmp_path: Path) -> None:
    path = tmp_path / "plain.bin.gz"
    path.write_bytes(gzip.compress(katago_file(15), mtime=0))
    with pytest.raises(BadOption, match="no human network"):
        Engine("go", network=corner_network, human=path, human_profile="rank_5k")
    assert load(path).definition.profile is None
