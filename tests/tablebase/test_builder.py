"""Builds: one at a time in a folder, trials that leave no trace, a stop that is heard at once."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from kibitz.errors import BadRequest
from kibitz.tablebase.builder import build
from kibitz.tablebase.folder_lock import FolderLock


def tables_in(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.glob("*.ktb")}


def test_a_full_build_after_a_trial_is_as_without_it(tmp_path: Path) -> None:
    build(tmp_path / "whole", 3)
    trial = build(tmp_path / "tried", 3, max_per_level=100)
    assert any(item.header.partial for item in trial)
    # A trial that was killed leaves its own part files, which nobody takes for finished slices.
    (tmp_path / "tried" / "uttt-standard-n03-k3.trial-part").write_bytes(bytes(7992))
    full = build(tmp_path / "tried", 3)
    assert not any(item.header.partial for item in full)
    assert tables_in(tmp_path / "tried") == tables_in(tmp_path / "whole")
    assert not any(item.fresh for item in build(tmp_path / "tried", 3, max_per_level=100))


def test_two_builds_do_not_meet_in_a_folder(tmp_path: Path) -> None:
    with FolderLock(tmp_path, wait=False), pytest.raises(BadRequest, match="another build is at work"):
        build(tmp_path, 2)
    assert len(build(tmp_path, 2)) == 3


@pytest.mark.skipif(os.name == "nt", reason="needs signals")
def test_ctrl_c_stops_at_once_and_the_build_goes_on(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "kibitz.tablebase.builder", "--max-empty", "6", "--max-open", "2"]
    with subprocess.Popen([*command, "--output", str(tmp_path)], stderr=subprocess.PIPE, text=True) as run:
        assert run.stderr is not None
        for line in run.stderr:
            if line.startswith("6 empty, 1 open"):
                break
        time.sleep(0.05)
        run.send_signal(signal.SIGINT)
        rest = run.stderr.read()
    assert run.returncode == 130
    assert rest.splitlines()[-1] == "kibitz: stopped; the same command goes on from here"
    assert "Traceback" not in rest
    assert (tmp_path / "uttt-standard-n05-k2.ktb").exists()
    assert not (tmp_path / "uttt-standard-n06-k2.ktb").exists()


def test_what_the_disk_cannot_hold_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=1000))
    with pytest.raises(BadRequest, match=r"needs 0\.0 GB and only 0\.0 GB are free"):
        build(tmp_path, 3)
    assert not tables_in(tmp_path)


def test_the_builder_is_the_command(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "kibitz.tablebase.builder", "--max-empty", "2", "--json"]
    done = subprocess.run([*command, "--output", str(tmp_path)], check=True, capture_output=True, text=True)
    assert '"positions": 180' in done.stdout
    assert "Warning" not in done.stderr
