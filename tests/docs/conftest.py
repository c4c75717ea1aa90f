"""The folder that samples of the documentation are run in: small files of every kind they name."""

from __future__ import annotations

import datetime
import gzip
import os
import shutil
import stat
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
import zstandard

from kibitz.arena import run_match
from kibitz.games.junqi.records import record_of, write_jgs
from kibitz.games.othello import records
from kibitz.tablebase.builder import build
from tests.docs.samples import ROOT, blocks
from tests.games.junqi.tables import random_game
from tests.nets.katago_writer import katago_file
from tests.nets.lc0_writer import Lc0Writer

DATA = ROOT / "tests" / "data" / "docs"


@pytest.fixture(scope="session")
def _files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("samples")
    shutil.copytree(DATA, folder, dirs_exist_ok=True)
    games = (folder / "games.pgn").read_bytes()
    for name in ("off.pgn", "medium.pgn", "baseline.pgn"):
        (folder / name).write_bytes(games)
    (folder / "games.jsonl").write_text('{"moves": ["g1f3", "d7d5", "g2g3", "g8f6", "f1g2"]}\n')
    (folder / "games.pgn.zst").write_bytes(zstandard.ZstdCompressor().compress(games))
    (folder / "b6c96.bin.gz").write_bytes(gzip.compress(katago_file(8), mtime=0))
    for name in ("maia-1100.pb.gz", "maia-1900.pb.gz"):
        (folder / name).write_bytes(gzip.compress(Lc0Writer().file(), mtime=0))
    shutil.copytree(ROOT / "examples", folder / "examples", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "my-games").mkdir()
    shutil.copy(folder / "game.sgf", folder / "my-games")
    own_game = blocks((ROOT / "docs" / "tutorials" / "own-game.md").read_text(encoding="utf-8"))
    (folder / "nim.py").write_text(own_game[0][1] + own_game[2][1], encoding="utf-8")
    write_jgs(folder / "game.jgs", record_of(random_game(3, 150, options="qq")))
    build(folder / "tables", 4)
    resigned = [replace(record, score=8.0) for record in records.read(str(folder / "transcripts.txt"))]
    day = datetime.date(2001, 1, 1)
    wthor = records.wthor.WthorFile.from_records(resigned, day=day, year=2001)
    (folder / "WTH_2001.wtb").write_bytes(wthor.to_bytes())
    programs = folder / "bin"
    programs.mkdir()
    helpers = {
        "stockfish": ("fake_uci.py", ""),
        "lc0": ("fake_uci.py", ""),
        "gtp-rhino": ("fake_gtp.py", "othello"),
        "gnugo": ("fake_gtp.py", "go"),
    }
    for name, (script, game) in helpers.items():
        _program(programs / name, f'"{Path(__file__).with_name(script)}" {game}')
    _program(programs / "kibitz", '-c "from kibitz.cli import main; main()"')
    return folder


def _program(path: Path, arguments: str) -> None:
    path.write_text(f'#!/bin/sh\nexec "{sys.executable}" {arguments} "$@"\n', encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


@pytest.fixture(scope="session")
def _kibitz_folders(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("kibitz")


@pytest.fixture
def samples(_files: Path, _kibitz_folders: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A fresh copy to stand in, with other programs' stand-ins found first and nothing of the user's;
    games of a match are short."""
    shutil.copytree(_files, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("KIBITZ_CACHE", str(_kibitz_folders / "cache"))
    monkeypatch.setenv("KIBITZ_DATA", str(tmp_path / "data"))
    monkeypatch.setattr("kibitz.cli.match.run_match", partial(run_match, max_plies=16))
    return tmp_path
