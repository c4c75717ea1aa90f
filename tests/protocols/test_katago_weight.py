"""What an evaluation weighs: more the surer a network says it is, as KataGo has it (`useUncertainty`)."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from kibitz.engine import Engine
from kibitz.protocols.katago import AnalysisServer
from kibitz.protocols.katago_settings import Settings
from tests.nets.katago_writer import katago_file


def root_info(network: Path, visits: int, **settings: Any) -> dict[str, Any]:
    out = io.StringIO()
    values = Settings(options={"root_noise": 0.0, "reuse": False})
    server = AnalysisServer(lambda: Engine("go", network=str(network)), values, out)
    query = {"id": "q", "boardXSize": 7, "boardYSize": 7, "rules": "chinese", "moves": []}
    query |= {"maxVisits": visits, "overrideSettings": settings}
    server.serve(io.BytesIO(json.dumps(query).encode() + b"\n"))
    (answer,) = map(json.loads, out.getvalue().splitlines())
    return dict(answer["rootInfo"])


@pytest.fixture
def sure(tmp_path: Path) -> Path:
    """A network that tells its errors."""
    file = tmp_path / "v15.bin"
    file.write_bytes(katago_file(15))
    return file


def test_weight_of_one_evaluation(sure: Path) -> None:
    plain = root_info(sure, 1, staticScoreUtilityFactor=0, dynamicScoreUtilityFactor=0)
    # KataGo's constants: 0.25 over the error, at most 8; the error of the win rate is half of the value's.
    assert plain["weight"] == pytest.approx(0.25 / (2 * plain["rawStWrError"] + 0.25 / 8), rel=1e-5)
    assert plain["weight"] != pytest.approx(1.0)
    # Where the score counts, its error does too.
    assert root_info(sure, 1)["weight"] < plain["weight"]


def test_weights_add_up(sure: Path) -> None:
    one, many = (root_info(sure, visits)["weight"] for visits in (1, 60))
    assert 10 * one < many < 60 * 8
    assert root_info(sure, 1, useUncertainty=False)["weight"] == 1.0
    assert root_info(sure, 60, useUncertainty=False)["weight"] <= 60.0


def test_networks_that_tell_no_errors(tmp_path: Path) -> None:
    file = tmp_path / "v8.bin"
    file.write_bytes(katago_file(8))
    assert root_info(file, 1)["weight"] == 1.0
