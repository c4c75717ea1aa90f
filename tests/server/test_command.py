"""`kibitz serve`: the address, the port, the end."""

from __future__ import annotations

import gc
import os
import re
import signal
import subprocess
import sys
import urllib.request
from dataclasses import asdict
from pathlib import Path

import pytest

from kibitz.errors import BadOption
from kibitz.games.uttt.tables import engine_tables
from kibitz.server import run
from kibitz.server.run import listen
from kibitz.server.settings import Limits
from tests.paths import ROOT


def test_next_free_port_is_taken() -> None:
    with listen("127.0.0.1", None) as first, listen("127.0.0.1", None) as second:
        assert second.getsockname()[1] > first.getsockname()[1] >= 8000
        with pytest.raises(BadOption, match="cannot listen"):
            listen("127.0.0.1", first.getsockname()[1])


def test_serve_prints_its_address_and_ends_on_interrupt(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "from kibitz.cli import main; main()", "serve", "--port", "0"]
    command += ["--database", f"sqlite:///{tmp_path / 'kept.db'}"]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as server:
        assert server.stdout is not None
        address = re.search(r"http://127\.0\.0\.1:\d+", server.stdout.readline())
        assert address
        with urllib.request.urlopen(address[0]) as answer:
            assert b"Kibitz" in answer.read()
        server.send_signal(signal.SIGINT)
        assert server.wait(20) == 0


def test_page_of_limits_has_all_of_them() -> None:
    text = (ROOT / "docs" / "serving.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| ([0-9.]+) \|", text, re.MULTILINE)
    assert {name: float(value) for name, value in rows} == asdict(Limits())
    assert len(rows) == len(asdict(Limits()))


def test_what_cannot_be_read_ahead_is_one_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("KIBITZ_TABLES", str(tmp_path))
    (tmp_path / "uttt-damaged.ktb").write_bytes(b"no table")
    engine_tables.cache_clear()
    try:
        run._warm_up()
    finally:
        engine_tables.cache_clear()
        gc.unfreeze()
    (line,) = [record for record in caplog.records if record.name == run.__name__]
    assert line.getMessage().startswith("uttt is not read ahead: ")
    assert not line.exc_info
