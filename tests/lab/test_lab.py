"""The style lab in small: its stages, its reports, and that it goes on where it was."""

from __future__ import annotations

import hashlib
import json
import math
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from kibitz.errors import BadOption
from kibitz.lab.config import AblationPart, GamesPart, LabConfig, LabPart, MatchPart, read_lab_config
from kibitz.lab.results import level_curves
from kibitz.lab.run import run_lab
from tests.paths import ROOT

SMALL = LabConfig(
    LabPart(levels=("medium",)),
    GamesPart(games=6, visits=(4, 12), plies=12),
    MatchPart(games=2, visits=4),
    AblationPart(games=4, visits=4, parts=("chain",)),
)


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lab")
    stages = [event.stage for event in run_lab(SMALL, folder, processes=0)]
    assert stages[-1] == "off and throughput"
    return folder


def test_every_figure_is_in_the_results(lab: Path) -> None:
    results = json.loads((lab / "results.json").read_text())
    sets = {group["name"]: group for group in results["sets"]}
    assert set(sets) == {
        *(f"medium-{mode}-{visits}" for mode in ("priors", "budget") for visits in (4, 12)),
        *("ablation-none", "ablation-chain"),
    }
    assert sets["medium-budget-12"]["games"] == {"a": 6, "b": 6}
    assert "--style hypermodern:medium -o style_mode=budget" in sets["medium-budget-12"]["command"]
    assert sets["ablation-chain"]["command"].endswith("-o style_chain=0.0 --output ablation-chain.pgn")
    assert [(match["level"], match["mode"], match["games"]) for match in results["matches"]] == [
        ("medium", "priors", 2),
        ("medium", "budget", 2),
    ]
    assert all(
        match["command"].startswith("kibitz match chess default:style=") for match in results["matches"]
    )
    assert {match["decision"] for match in results["matches"]} <= {"H0", "H1", "open"}
    assert results["offIsPlain"] is True
    for name, digest in results["files"].items():
        path = next(lab.rglob(name))
        assert hashlib.sha256(path.read_bytes()).hexdigest() == digest


def test_reports_show_them(lab: Path) -> None:
    text, page = (lab / "report.md").read_text(), (lab / "report.html").read_text()
    for words in ("off: the search is the plain one", "medium: S at least 1.0 sd above", "medium-budget-12"):
        assert words in text
        assert words in page
    shift = (lab / "shift.svg").read_text()
    assert shift.count("<polyline") == 2
    assert shift in page
    assert "![shift](shift.svg)" in text
    assert "| shift of medium-budget-4 | kibitz style report off-4.pgn medium-budget-4.pgn |" in text
    assert "medium-priors-12 (6 games)" in (lab / "distribution-12.svg").read_text()
    assert "SPRT -20 against 0" in text
    assert "<script" not in page


def test_the_price_of_the_levels_is_plotted() -> None:
    """Where a match and a set have the same visits; a match that one side swept has no interval."""

    def match(level: str, visits: int, half: float) -> Any:
        elo = SimpleNamespace(value=-12.0, low=-12.0 - half, high=-12.0 + half)
        summary = SimpleNamespace(elo=elo)
        return SimpleNamespace(level=level, mode="budget", visits=visits, trained=False, summary=summary)

    def group(name: str, shift: float) -> Any:
        row = SimpleNamespace(shift=SimpleNamespace(value=shift))
        return SimpleNamespace(name=name, comparison={"s": row})

    results: Any = SimpleNamespace(
        sets=[
            group("strong-budget-100", 2.0),
            group("light-budget-100", 0.5),
            group("medium-budget-8", 1.0),
        ],
        matches=[match("strong", 100, 5.0), match("light", 100, 7.0), match("medium", 8, math.inf)],
    )
    (curve,) = level_curves(results)  # one point is no curve
    assert not level_curves(SimpleNamespace(sets=results.sets, matches=[match("light", 100, 7.0)]))  # type: ignore[arg-type]
    assert curve.name == "budget, 100 visits"
    assert curve.points == [(0.5, -12.0), (2.0, -12.0)]
    assert curve.spread == [7.0, 5.0]


def test_a_lab_goes_on_where_it_was(lab: Path) -> None:
    before = {path.name: path.read_bytes() for path in (lab / "games").glob("*.pgn")}
    (lab / "games" / "medium-budget-12.pgn").unlink()
    events = [event for event in run_lab(SMALL, lab, processes=0) if event.stage == "medium-budget-12"]
    assert [event.done for event in events] == list(range(7))
    assert {path.name: path.read_bytes() for path in (lab / "games").glob("*.pgn")} == before


def test_another_configuration_needs_another_folder(lab: Path) -> None:
    other = LabConfig(SMALL.lab, GamesPart(games=6, visits=(4, 12), plies=14), SMALL.match, SMALL.ablation)
    with pytest.raises(BadOption, match="other settings"):
        list(run_lab(other, lab, processes=0))


def test_another_network_plays_with_the_style(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sets, matches and costs of a style network; then a report of a match that was stopped."""
    monkeypatch.setattr("kibitz.lab.run._NETWORK_VISITS", 10)
    network = str(ROOT / "src/kibitz/nets/files/style/chess.knet")
    config = LabConfig(
        LabPart(
            levels=("medium", "strong"),
            modes=("priors",),
            network=network,
            style_network=network,
            options={"style_plies": 3},
        ),
        GamesPart(visits=(2, 3), counts=(4, 3), few=2, plies=4),
        MatchPart(games=4, few=2, visits=1, opening_plies=2, resign=0.4),
    )
    list(run_lab(config, tmp_path, processes=0))
    results = json.loads((tmp_path / "results.json").read_text())
    assert {group["name"]: (group["games"]["a"], group["games"]["b"]) for group in results["sets"]} == {
        "medium-priors-2": (4, 4),
        "medium-priors-3": (3, 3),
        "strong-priors-2": (4, 2),
        "strong-priors-3": (3, 2),
    }
    assert [(match["level"], match["games"]) for match in results["matches"]] == [
        ("medium", 4),
        ("strong", 2),
    ]
    assert ",style_plies=3,style_network=chess.knet,resign=0.4" in results["matches"][0]["command"]
    played_by = "-o style_plies=3 --network chess.knet -o style_network=chess.knet"
    assert played_by in (tmp_path / "report.md").read_text()
    assert "chess.knet and with the style chess.knet" in (tmp_path / "report.md").read_text()
    assert set(results["networkCost"]) == {"time", "memory", "pairs"}
    assert results["slowdown"]["pairs"] >= 10
    aims = {verdict["aim"] for verdict in results["verdicts"]}
    assert "throughput of the style network: at most 5% lost" in aims
    played = tmp_path / "matches" / "medium-priors.jsonl"
    played.write_text("".join(played.read_text().splitlines(keepends=True)[:3]))
    (tmp_path / "games" / "strong-priors-3.pgn").unlink()
    list(run_lab(config, tmp_path, processes=0, only_report=True))
    results = json.loads((tmp_path / "results.json").read_text())
    assert [(match["level"], match["games"]) for match in results["matches"]] == [
        ("medium", 2),
        ("strong", 2),
    ]
    assert len(results["sets"]) == 3


def test_the_example_is_a_configuration() -> None:
    config = read_lab_config(ROOT / "examples" / "style-lab.toml")
    assert config.games.visits == (8, 100, 400)
    assert config.ablation.games == 60


#: Beyond what Python converts to text, in each of TOML's notations.
HUGE = ("9" * 100_000, "0x" + "f" * 100_000, "0b" + "1" * 100_000, "9" * 20)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[labs]", r"unknown table \[labs\]"),
        ('[lab]\nstyle = "loud"', "unknown style 'loud'"),
        ('[lab]\nlevels = ["off"]', "unknown level 'off'"),
        ('[lab]\nmodes = ["x"]', "unknown mode 'x'"),
        ("[games]\nvisits = [0]", "whole numbers above 0"),
        ('[games]\nvisits = "8"', "whole numbers above 0"),
        ("[match]\ngames = 3", "must be even"),
        ("[match]\nfew = 3", "few in .match. must be even"),
        ("[games]\nvisits = [8]\ncounts = [3, 4]", "as many numbers as visits"),
        ('[lab]\nprecision = "fp8"', "unknown precision 'fp8'"),
        ("[match]\nspeed = 3", "unknown field 'speed'"),
        ("lab = 3", r"\[lab\] must be a table"),
        *((f"[games]\nplies = {number}", "lab.toml: ") for number in HUGE),
        *((f"[games]\nvisits = [{number}]", "lab.toml: ") for number in HUGE),
        *((f"[tuning]\nlambdas = [{number}]", "lab.toml: ") for number in HUGE),
        (f'[match]\nopenings = "{"a" * 5000}"\ngames = 3', "must be even"),
    ],
)
def test_wrong_configurations_are_named(text: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "lab.toml"
    path.write_text(text)
    with pytest.raises(BadOption, match=words):
        read_lab_config(path)
