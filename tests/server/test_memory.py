"""Memory that was freed goes back to the system."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from kibitz.server import memory
from kibitz.server.app import create_app
from kibitz.server.settings import Settings

#: Frees 60 MB between things that stay, as a busy server does.
PROGRAM = """
import os
from kibitz.server.memory import give_back

def megabytes():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20

rows = [bytes(20_000) for _ in range(3_000)]
kept = rows[::50]
full = megabytes()
del rows
before = megabytes()
give_back()
print(full - before, before - megabytes())
"""


@pytest.mark.skipif(memory._trim() is None, reason="this C library gives memory back by itself or never")
def test_free_memory_between_used_memory_is_given_back() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    kept, given = map(float, done.stdout.split())
    assert kept < 10
    assert given > 40


def test_a_server_gives_memory_back(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    settings = Settings(database=f"sqlite:///{tmp_path}/memory.db")
    given: list[None] = []
    monkeypatch.setattr(memory, "_EVERY", 0.01)
    monkeypatch.setattr(memory, "give_back", lambda: given.append(None))
    with TestClient(create_app(settings), base_url="http://127.0.0.1") as client:
        for _ in range(1_000):
            assert client.get("/health").status_code == 200
            if len(given) > 1:
                break
    assert len(given) > 1
