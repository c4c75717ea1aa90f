"""`kibitz katago install-wrapper`: a program that boards start as KataGo."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli import shell

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="tries the shell's form")


def test_the_wrapper_is_started_as_katago(tmp_path: Path) -> None:
    folder = tmp_path / "programs" / "bin"  # made where there is none
    assert "wrote" in shell.kibitz("katago", "install-wrapper", folder).stdout
    program = folder / "katago"

    def run(*words: str, text: str = "") -> subprocess.CompletedProcess[str]:
        command = [program, *words]
        return subprocess.run(command, input=text, capture_output=True, text=True, timeout=120, check=False)

    # As KaTrain starts it.
    query = {"id": "q", "moves": [["B", "D4"]], "rules": "japanese", "komi": 6.5, "maxVisits": 4}
    query |= {"boardXSize": 9, "boardYSize": 9}
    done = run("analysis", "-model", "none", "-override-config", "maxVisits=4", text=json.dumps(query) + "\n")
    assert json.loads(done.stdout.splitlines()[-1])["rootInfo"]["visits"] >= 4, done.stderr
    # Lizzie and Lizzieyzy draw ownership and leads only for an engine of this name.
    assert "= KataGo" in run("gtp", "-model", "none", text="name\nquit\n").stdout
    assert run("version").stdout.startswith("kibitz ")
    assert run("benchmark").returncode == 2


def test_no_other_program_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "katago").write_bytes(b"\x7fELF\xff")
    assert "another program" in shell.one_line_error(shell.kibitz("katago", "install-wrapper", tmp_path))
    assert (tmp_path / "katago").read_bytes() == b"\x7fELF\xff"
