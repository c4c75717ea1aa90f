"""The library alone: what belongs to no extra works without any, and what is missing is named in one line."""

from __future__ import annotations

import subprocess
import sys

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


def test_a_command_names_the_extra_it_needs() -> None:
    program = "import typer, rich; sys.modules.update(fastapi=None); import kibitz.cli; kibitz.cli.main()"
    done = subprocess.run(
        [sys.executable, "-c", "import sys; " + program, "serve"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr.strip()) == (
        2,
        "kibitz: this command needs the package fastapi: pip install 'kibitz[server]'",
    )


def test_a_missing_package_is_a_bad_option_and_an_import_error() -> None:
    error = NotInstalled("ray", "a Ray cluster")
    assert isinstance(error, ImportError)
    assert str(error) == "a Ray cluster needs the package ray: pip install 'kibitz[ray]'"
