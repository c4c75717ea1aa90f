"""Output of commands: any encoding, pipes, full disks."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from unittest import mock

import pytest

from kibitz.cli import output
from tests.cli.shell import kibitz, one_line_error, process

FULL = Path("/dev/full")


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_stdout_of_a_narrow_encoding_gets_plain_boards(encoding: str) -> None:
    words = ("analyze", "othello", "start", "--simulations", "50")
    done = process(*words, env={"PYTHONIOENCODING": encoding})
    assert done.returncode == 0, done.stderr
    assert "4 . . + O X . . ." in done.stdout.replace("·", ".")
    junqi = process("analyze", "junqi", "start", "--simulations", "20", env={"PYTHONIOENCODING": encoding})
    assert junqi.returncode == 0, junqi.stderr


@pytest.mark.skipif(not FULL.exists(), reason="needs /dev/full")
@pytest.mark.parametrize(
    "words",
    [
        ("analyze", "othello", "start", "--simulations", "50", "--picture", str(FULL)),
        (
            "analyze",
            "chess",
            "e4 e5",
            "--whole-game",
            "--network",
            "none",
            "--simulations",
            "50",
            "--picture",
            str(FULL),
        ),
        (
            "analyze",
            "chess",
            "e4 e5",
            "--whole-game",
            "--network",
            "none",
            "--simulations",
            "50",
            "--save",
            str(FULL),
        ),
        ("match", "othello", "random", "random", "--games", "2", "--picture", str(FULL)),
    ],
)
def test_full_disk_names_the_file(words: tuple[str, ...]) -> None:
    assert one_line_error(kibitz(*words)) == "kibitz: /dev/full: No space left on device"


@pytest.mark.skipif(not FULL.exists(), reason="needs /dev/full")
def test_full_stdout_is_one_line() -> None:
    command = [sys.executable, "-c", "from kibitz.cli import main; main()", "perft", "othello", "3"]
    with FULL.open("w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "kibitz: standard output: No space left on device\n"


def test_progress_without_a_terminal_is_lines(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(output, "EVERY", 0.0)
    with output.progress_bar("positions", 3) as progress:
        for _ in range(3):
            progress.advance(progress.tasks[0].id)
    with output.status("verifying") as status:
        assert status.tick() is False
        status.update("checksums")
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 5
    assert lines[0].startswith("positions: 1 of 3, about ")
    assert lines[3].startswith("verifying, 0 s so far")
    assert lines[4].startswith("checksums, 0 s so far")


def test_progress_without_a_terminal_is_silent_when_quick(capsys: pytest.CaptureFixture[str]) -> None:
    with output.progress_bar("positions", 3) as progress:
        progress.advance(progress.tasks[0].id)
    assert capsys.readouterr().err == ""


def test_unforeseen_error_is_one_line() -> None:
    with mock.patch("kibitz.cli.app.make_app", side_effect=LookupError("lost\nway")):
        done = kibitz("perft", "othello", "3")
    assert done.returncode == 70
    assert done.stderr.count("\n") == 1
    assert "LookupError: lost way" in done.stderr
