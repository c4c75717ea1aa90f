"""KataGo's larger networks through the whole protocol, beside KataGo's own answers.

The networks are in the wheels of katrain 1.13.0, 1.17.0, 1.20.0 (`kibitz nets from-wheel katrain==1.17.0`);
`KIBITZ_TEST_NETS` names a folder that has them.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.nets import shared

pytestmark = pytest.mark.timeout(1000)

#: Network files, and KataGo's answers to 30 queries each at one visit.
NETWORKS = {
    "b15c192": "g170e-b15c192-s1672170752-d466197061.bin.gz",
    "b18c384nbt": "kata1-b18c384nbt-s9996604416-d4316597426.bin.gz",
    "b10c384h6nbttflrs": "b10c384h6nbttflrs.bin.gz",
}
#: Fields of the root, and how far they may be off. The weight is 1 for b15c192, which tells no errors.
TOLERANCES = {"winrate": 1e-4, "scoreLead": 2e-3, "rawStWrError": 1e-4, "weight": 2e-3}
#: KataGo's `nnPolicyTemperature` and the like were at their defaults, noise off, black's view.
SETTINGS = "wideRootNoise=0,nnRandomize=false,reportAnalysisWinratesAs=BLACK"


def answers(network: Path, queries: list[dict[str, Any]], cache: Path) -> dict[str, Any]:
    command = [sys.executable, "-c", "import sys; from kibitz.cli import main; sys.exit(main())"]
    done = subprocess.run(
        [*command, "katago", "analysis", "-model", str(network), "-override-config", SETTINGS],
        input="".join(json.dumps(query) + "\n" for query in queries),
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
        env={**os.environ, "KIBITZ_CACHE": str(cache)},
    )
    assert done.returncode == 0, done.stderr
    return {answer["id"]: answer for answer in map(json.loads, done.stdout.splitlines())}


@pytest.mark.parametrize("name", NETWORKS)
def test_the_protocol_says_what_katago_says(name: str, tmp_path: Path) -> None:
    network = shared.network_path(NETWORKS[name])
    rows = list(shared.references(f"katago-{name}-visits1.jsonl.gz"))
    assert len(rows) == 30
    said = answers(network, [row["query"] for row in rows], tmp_path)
    for row in rows:
        theirs, ours = row["answer"], said[row["query"]["id"]]
        assert ours["policy"] == pytest.approx(theirs["policy"], abs=2e-5)
        assert ours["ownership"] == pytest.approx(theirs["ownership"], abs=2e-3)
        root, expected = ours["rootInfo"], theirs["rootInfo"]
        for field, tolerance in TOLERANCES.items():
            assert root[field] == pytest.approx(expected[field], abs=tolerance), field


def test_the_optimism_of_the_root_can_be_set(tmp_path: Path) -> None:
    """0 takes the plain policy, 1 the optimistic one, 0.2 lies between (geometrically) and is the default."""
    network = shared.network_path(NETWORKS["b18c384nbt"])
    query = {"boardXSize": 9, "boardYSize": 9, "rules": "chinese", "moves": [], "maxVisits": 1}
    query["includePolicy"] = True
    levels = {"none": 0.0, "some": 0.2, "all": 1.0}
    asked = [
        {**query, "id": name, "overrideSettings": {"rootPolicyOptimism": level}}
        for name, level in levels.items()
    ]
    said = answers(network, [*asked, {**query, "id": "default"}], tmp_path)
    assert said["default"]["policy"] == said["some"]["policy"]
    differences = [
        max(abs(a - b) for a, b in zip(said["some"]["policy"], said[other]["policy"], strict=True))
        for other in ("none", "all")
    ]
    assert 1e-4 < differences[0] < differences[1]
