"""The library alone: what belongs to no extra works without any, and what is missing is named in one line."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from kibitz.errors import EXTRAS, NotInstalled

#: Makes every package of an extra as absent as where it was never installed.
ABSENT = f"import sys; sys.modules.update(dict.fromkeys({sorted(EXTRAS)!r}))\n"


def run(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", ABSENT + program, *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize("game", ["chess", "go", "junqi", "othello", "uttt"])
def test_every_game_is_analyzed_and_explained(game: str) -> None:
    done = run(
        f"import kibitz; report = kibitz.analyze(kibitz.{game}.Position(), seconds=0.2)\n"
        "print(report, kibitz.explain(report), kibitz.arena.Sprt(0, 5), kibitz.nets.load, sep='\\n')"
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "value" in done.stdout


@pytest.mark.parametrize("arguments", [[], ["--help"], ["serve"]])
def test_the_command_line_names_its_extra(arguments: list[str]) -> None:
    done = run("import kibitz.cli; kibitz.cli.main()", *arguments)
    assert done.returncode == 2
    assert done.stderr == "kibitz: this command needs the package typer: pip install 'kibitz[cli]'\n"


@pytest.mark.parametrize(
    ("absent", "arguments", "message"),
    [
        ("fastapi", ["serve"], "this command needs the package fastapi: pip install 'kibitz[server]'"),
        ("mcp", ["mcp"], "the Model Context Protocol needs the package mcp: pip install 'kibitz[mcp]'"),
        # Named before the first game.
        (
            "pyarrow",
            ["selfplay", "othello", "--games", "2", "--simulations", "5", "--output"],
            "a Parquet file needs the package pyarrow: pip install 'kibitz[parquet]'",
        ),
    ],
)
def test_a_command_names_the_extra_it_needs(
    absent: str, arguments: list[str], message: str, tmp_path: Path
) -> None:
    program = (
        f"import sys, typer, rich; sys.modules.update({absent}=None); import kibitz.cli; kibitz.cli.main()"
    )
    if arguments[-1] == "--output":
        arguments = [*arguments, str(tmp_path / "games")]
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr.strip()) == (2, f"kibitz: {message}")


def test_a_worker_can_send_what_is_missing() -> None:
    error = NotInstalled("pyarrow", "a Parquet file")
    sent = pickle.loads(pickle.dumps(error))
    assert (type(sent), str(sent)) == (NotInstalled, str(error))


def test_a_missing_package_is_a_bad_option_and_an_import_error() -> None:
    error = NotInstalled("ray", "a Ray cluster")
    assert isinstance(error, ImportError)
    assert str(error) == "a Ray cluster needs the package ray: pip install 'kibitz[ray]'"
