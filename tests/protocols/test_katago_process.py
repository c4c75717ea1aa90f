"""`kibitz katago analysis`, `kibitz gtp` and `kibitz analyze` as programs of their own, with a network."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from kibitz import __version__
from tests.paths import SHARED

NETWORK = SHARED / "nets" / "katago-tiny-b2c16.bin.gz"
pytestmark = pytest.mark.skipif(not NETWORK.is_file(), reason="KataGo's small network is not here")

QUERY: dict[str, Any] = {
    "id": "q", "moves": [["B", "E5"]], "rules": "chinese", "komi": 7.5, "boardXSize": 9, "boardYSize": 9,
    "maxVisits": 150,
}  # fmt: skip


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One for all: what is calibrated and tuned once is found again by the next program."""
    return tmp_path_factory.mktemp("cache")


def run(cache: Path, text: str, *words: str) -> tuple[str, str]:
    command = [sys.executable, "-c", "import sys; from kibitz.cli import main; sys.exit(main())", *words]
    environment = {**os.environ, "KIBITZ_CACHE": str(cache)}
    done = subprocess.run(
        command, input=text, capture_output=True, text=True, timeout=280, check=False, env=environment
    )
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


@pytest.mark.parametrize("precision", ["fp32", "int8"])
def test_analysis(cache: Path, precision: str) -> None:
    lines = [
        {**QUERY, "includePolicy": True, "includeOwnership": True},
        {**QUERY, "id": "forced", "includeMoves": [{"turnNumber": 1, "player": "w", "moves": ["A1", "J9"]}],
         "includeMovesMinVisits": 20},
        {**QUERY, "id": "wide", "boardXSize": 5, "boardYSize": 7, "moves": [], "maxVisits": 10},
        {"id": "v", "action": "query_models"},
    ]  # fmt: skip
    text = "".join(json.dumps(line) + "\n" for line in lines) + "not json\n"
    words = ["katago", "analysis", "-model", str(NETWORK), "--precision", precision]
    out, log = run(cache, text, *words, "-override-config", "wideRootNoise=0,logToStderr=true")
    answers = {answer.get("id"): answer for answer in map(json.loads, out.splitlines())}
    assert set(answers) == {"q", "forced", "wide", "v", None}
    assert answers["q"]["rootInfo"]["visits"] == 150
    assert sum(p for p in answers["q"]["policy"] if p >= 0) == pytest.approx(1, abs=1e-3)
    assert len(answers["q"]["ownership"]) == 81
    forced = {info["move"]: info["visits"] for info in answers["forced"]["moveInfos"]}
    assert forced["A1"] >= 20
    assert forced["J9"] >= 20
    assert answers["forced"]["rootInfo"]["visits"] == 190
    assert answers["wide"]["rootInfo"]["visits"] == 10
    assert answers["v"]["models"][0]["version"] == 9
    assert "could not parse" in answers[None]["error"]
    assert "not measured yet" in log
    assert "ignored, no meaning here: logToStderr" in log


def refused(*words: str) -> str:
    """The only line a program says before it ends with 2."""
    command = [sys.executable, "-c", "import sys; from kibitz.cli import main; sys.exit(main())", *words]
    done = subprocess.run(command, input="", capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    *before, last = done.stderr.splitlines()
    assert [line for line in before if not line.startswith(f"kibitz {__version__}")] == []
    return last


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["-model", "nowhere.bin.gz"], "nowhere.bin.gz: there is no such network file"),
        (["-model", __file__], "text that is no network; expected a KataGo network (.bin.gz)"),
        (["-config", "nowhere.cfg"], "nowhere.cfg: No such file"),
        (["-override-config", "maxVisits=many"], "maxVisits: expected a whole number, got 'many'"),
        (["-override-config", "maxVisits"], "takes KEY=VALUE"),
    ],
)
def test_what_cannot_start_says_why_in_one_line(words: list[str], text: str) -> None:
    assert text in refused("katago", "analysis", *words)


def test_help_has_an_example(cache: Path) -> None:
    out, _ = run(cache, "", "katago", "analysis", "--help")
    assert "kibitz katago analysis -model b6c96.bin.gz" in out
    out, _ = run(cache, "", "gtp", "--help")
    assert "kibitz gtp --network b6c96.bin.gz" in out
    assert "include D4,Q16 20" in out


def test_gtp(cache: Path) -> None:
    text = "boardsize 7\nkomi 7\ngenmove b\nkata-genmove_analyze w 50 include A1 9\nkata-raw-nn 0\nquit\n"
    out, _ = run(cache, text, "gtp", "--model", str(NETWORK), "--visits", "40")
    replies = out.split("\n\n")
    assert replies[2].startswith("= ")
    assert "move A1 visits" in out
    assert "play " in out
    assert "whiteWin" in out


def test_gtp_takes_the_flags_of_katago(tmp_path: Path) -> None:
    config = tmp_path / "gtp.cfg"
    config.write_text("maxVisits = 5\nlogDir = logs  # of no use here\nresignThreshold = -0.9\n")
    flags = ["-config", str(config), "-override-config", "maxVisits=7", "-human-model", "human.bin.gz"]
    text = "name\nversion\nkata-get-param maxVisits\nkata-get-param resignThreshold\nquit\n"
    out, log = run(tmp_path, text, "gtp", *flags)
    assert out.split()[:2] == ["=", "Kibitz"]
    assert "= 7\n" in out
    assert "= -0.9\n" in out
    assert "-human-model" in log
    assert "logDir" in log
    out, _ = run(tmp_path, text, "gtp", *flags, "--as-katago")
    assert out.split()[:2] == ["=", "KataGo"]
    assert re.search(r"^= 1\.\d+\.\d+$", out, re.MULTILINE)
    out, _ = run(tmp_path, text, "gtp", "--as-katago", "-override-version", "1.2.3")
    assert "= 1.2.3\n" in out


def test_review(cache: Path, tmp_path: Path) -> None:
    game, record, picture = tmp_path / "game.sgf", tmp_path / "out.sgf", tmp_path / "out.svg"
    game.write_text("(;SZ[7]KM[7]RU[chinese];B[dd];W[cc];B[ec];W[ce])")
    out, _ = run(
        cache, "", "analyze", str(game), "--model", str(NETWORK), "--visits", "30",
        "--save", str(record), "--picture", str(picture), "-o", "precision=int8",
    )  # fmt: skip
    assert "black leads" in out
    assert "lead" in record.read_text()
    assert picture.read_text().startswith("<svg")
