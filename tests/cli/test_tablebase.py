"""`kibitz tablebase` as a user meets it: no folder, a wrong position, a damaged file."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.cli import shell

END = "OOXXXOXXX/XO.X..XXX/OOXOOXXX./..X..X..X/O.OOXXXX./...OOXOOO/OO.OOXOXX/OOO...O../XOOOXX.XO o -"


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


def kibitz(cache: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return shell.kibitz(*words, env={"KIBITZ_CACHE": str(cache)})


def test_a_probe_without_a_folder_works_at_once(cache: Path) -> None:
    done = kibitz(cache, "tablebase", "probe", END)
    assert done.returncode == 0, done.stderr
    assert "o: win in 3" in done.stdout
    rows = [line.split() for line in done.stdout.splitlines()[-4:]]
    assert rows == [["28", "win", "3"], ["48", "draw"], ["41", "loss", "2"], ["86", "loss", "2"]]
    for words in ((END,), ("cache", END), tuple(END.split())):
        answer = json.loads(kibitz(cache, "tablebase", "probe", *words, "--json").stdout)
        assert (answer["result"], answer["distance"], answer["best"]) == (1, 3, "28")
        assert answer["moves"][1] == {"move": "48", "result": 0, "distance": 0}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("abc",), "not a position of uttt: expected a board"),
        (("nowhere", END), "nowhere: no such folder of tables"),
        (("........./" * 8 + "......... x -",), "not in the tables: 81 empty cells in 9 open sub-boards"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(cache: Path, words: tuple[str, ...], message: str) -> None:
    done = kibitz(cache, "tablebase", "probe", *words)
    assert done.returncode == 2
    assert done.stderr.startswith(f"kibitz: {message}")
    assert done.stderr.count("\n") == 1


def test_verifying_an_empty_folder_is_an_error(cache: Path, tmp_path: Path) -> None:
    done = kibitz(cache, "tablebase", "verify", str(tmp_path))
    assert shell.one_line_error(done) == f"kibitz: {tmp_path}: no table files in it"
