"""A few rounds of `make chaos`: nothing acknowledged is lost, nobody is sent another's secret."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.paths import ROOT

FAULTS = ("kill database", "network cut", "full disk")


@pytest.mark.skipif(sys.platform != "linux", reason="namespaces are Linux's")
def test_faults_lose_nothing() -> None:
    from tools.chaos.world import missing

    if reason := missing():
        pytest.skip(reason)
    pytest.importorskip("psycopg", reason="the extra `postgres` is not installed")
    only = [word for fault in FAULTS for word in ("--only", fault)]
    command = [
        sys.executable,
        "-m",
        "tools.chaos",
        "--rounds",
        str(len(FAULTS)),
        "--seed",
        "2",
        "--json",
        *only,
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout, done.stderr
    told = json.loads(done.stdout)
    # How soon service is back is measured by `make chaos`: a busy machine may take any time.
    assert told["faults"] == [], told
    assert (told["rounds"], told["lost"], told["tracebacks"]) == (len(FAULTS), 0, 0), told
    assert told["acknowledged"] > 0
