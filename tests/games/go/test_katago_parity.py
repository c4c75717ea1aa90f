"""The same answers as KataGo's own, on the same network: features, rules and post-processing together.

The reference holds queries and KataGo 1.17.2's answers (b6c96, one visit: the network alone; 200 visits).
"""

from __future__ import annotations

import gzip
import json
from typing import Any

import numpy as np
import pytest

from kibitz import go
from tests.paths import SHARED

NETWORK = SHARED / "nets" / "g170-b6c96-s175395328-d26788732.bin.gz"
pytestmark = pytest.mark.skipif(not NETWORK.is_file(), reason="KataGo's network and answers are not here")

TOLERANCE = 1e-4


def reference(name: str) -> list[dict[str, Any]]:
    with gzip.open(SHARED / "reference" / f"katago-b6c96-{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def position_of(query: dict[str, Any]) -> go.Position:
    position = go.Position(
        (query["boardXSize"], query["boardYSize"]), rules=query["rules"], komi=query["komi"]
    )
    for colour, vertex in query["moves"]:
        position = position.play_as(colour, vertex, tolerant=True)
    return position


@pytest.fixture(scope="module")
def network() -> Any:
    from kibitz import nets

    return nets.load(NETWORK)


@pytest.mark.parametrize("name", ["19x19-visits1", "boards-and-rules-visits1", "19x19-visits200"])
def test_the_network_alone_agrees_with_katago(name: str, network: Any) -> None:
    rows = reference(name)
    assert len(rows) >= 50
    for row in rows:
        position, answer = position_of(row["query"]), row["answer"]
        root = position.state.as_root("root")
        planes, numbers = root.encode()
        outputs = network.evaluate(planes[None], numbers[None])
        logits = outputs.policy[0].astype(np.float64)
        legal = np.zeros(len(logits), bool)
        legal[root.legal_moves()] = True
        priors = np.where(legal, np.exp(logits - logits[legal].max()), 0.0)
        priors[-1] = min(priors[-1], 19 * priors[:-1].sum())
        priors = np.where(legal, priors / priors.sum(), -1.0)
        assert np.abs(priors - np.array(answer["policy"])).max() < TOLERANCE
        sign = 1 if position.to_move == 0 else -1
        win = outputs.outcomes[0, 0] + 0.5 * outputs.outcomes[0, 1]
        raw = answer["rootInfo"]
        assert abs((win if sign == 1 else 1 - win) - raw["rawWinrate"]) < TOLERANCE
        assert abs(sign * outputs["lead"][0] - raw["rawLead"]) < TOLERANCE
        assert abs(sign * outputs["score_mean"][0] - raw["rawScoreSelfplay"]) < TOLERANCE
        assert abs(outputs["score_stdev"][0] - raw["rawScoreSelfplayStdev"]) < TOLERANCE
        if "ownership" in answer:
            owners = sign * outputs.ownership[0]
            assert np.abs(owners - np.array(answer["ownership"])).max() < TOLERANCE


def test_searches_of_200_visits_come_close_to_katago(network: Any) -> None:
    """Some of the positions here; `tools/katago_agreement.py` counts the first choices of all of them (58 of
    60 when this was written)."""
    from kibitz.engine import Engine

    rows = reference("19x19-visits200")[:8]
    same = 0
    with Engine("go", network=network, reuse=False) as engine:
        for row in rows:
            position = position_of(row["query"])
            report = engine.analyze(position, visits=200)
            rate = report.root.value if position.to_move == 0 else 1 - report.root.value
            assert rate == pytest.approx(row["answer"]["rootInfo"]["winrate"], abs=0.03)
            same += report.best == row["answer"]["moveInfos"][0]["move"]
    assert same >= 7
