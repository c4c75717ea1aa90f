"""VerboseMoveStats beside Lc0's own, with a network of its."""

from __future__ import annotations

import gzip
import json
import re

import pytest

from tests.paths import SHARED
from tests.protocols.uci.uci_player import Talk

REFERENCE = SHARED / "reference" / "lc0-maia-1900-nodes1.jsonl.gz"
NETWORK = SHARED / "nets" / "maia-1900.pb.gz"
pytestmark = pytest.mark.skipif(
    not (REFERENCE.is_file() and NETWORK.is_file()), reason="Lc0's answers or its network are not here"
)


def test_draws_are_those_that_lc0_prints() -> None:
    with gzip.open(REFERENCE, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines][:40]
    talk = Talk()
    for option in ("Threads value 1", "PolicyTemperature value 1.0", "VerboseMoveStats value true"):
        talk.tell(f"setoption name {option}")
    talk.tell(f"setoption name WeightsFile value {NETWORK}")
    off = []
    for row in rows:
        talk.tell("ucinewgame", f"position startpos moves {' '.join(row['moves'])}")
        node = [line for line in talk.ask("go nodes 1", "bestmove", 60) if "string node" in line][-1]
        draw = re.search(r"\(D: (\d\.\d+)\)", node)
        assert draw
        off.append(abs(float(draw[1]) - row["d"]))
    talk.close()
    assert max(off) < 0.0011  # three digits are printed
