"""All phases of a style lab, end to end in small: what CI runs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kibitz.errors import BadOption, BadRecord
from kibitz.files.whole_file import read_json
from kibitz.lab.config import LabConfig, TuningPart, read_lab_config
from kibitz.lab.log import ProgressLog
from kibitz.lab.run import run_lab
from kibitz.lab.tuning import run_grid

pytest.importorskip("torch")
pytest.importorskip("pyarrow")

CONFIG = Path(__file__).with_name("small-lab.toml")


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lab")
    stages = [event.stage for event in run_lab(read_lab_config(CONFIG), folder, processes=0)]
    order = [stages.index(name) for name in ("off-3", "generation 1 selfplay", "grid", "planes taken away")]
    assert order == sorted(order)
    return folder


def test_every_phase_is_in_the_results(lab: Path) -> None:
    results = json.loads((lab / "results.json").read_text())
    sets = {group["name"] for group in results["sets"]}
    assert {
        "medium-priors-3",
        "medium-priors-openings-3",
        "ablation-chain",
        "network-medium-priors-3",
    } <= sets
    training = results["training"]
    assert [row["generation"] for row in training["generations"]] == [0, 1, 2]
    assert all(row["positions"] > 0 for row in training["generations"][1:])
    assert [(point["style_weight"], point["beta"]) for point in training["grid"]] == [(0.2, 0.6), (0.2, 1.0)]
    assert set(training["planes"]) == {"none", "tension", "centre_clock"}
    assert [match["trained"] for match in results["matches"]] == [False, True]
    phases = {row["phase"] for row in results["log"]}
    assert phases == {
        "0 baseline",
        "1 injection and bias",
        "2 style head",
        "3 curriculum",
        "4 ablation",
        "5 report",
    }
    assert all(verdict.keys() == {"aim", "found", "met"} for verdict in results["verdicts"])
    aims = {verdict["aim"] for verdict in results["verdicts"]}
    assert aims == {
        "off: the search is the plain one",
        "medium: S at least 1.0 sd above",
        "medium: at most 20 Elo lost",
        "throughput: at most 5% lost",
        "throughput of the style network: at most 5% lost",
        "memory: less than 10% more",
        "documentation and scripts",
    }


def test_the_report_has_them(lab: Path) -> None:
    text, page = (lab / "report.md").read_text(), (lab / "report.html").read_text()
    for words in ("Trade-off", "Planes", "Generations", "Progress log", "centre_clock"):
        assert words in text
        assert words in page
    assert "Elo against the shift of S" in page


def test_the_curriculum_was_followed(lab: Path) -> None:
    for generation, style in ((1, "strong"), (2, "light")):
        manifest = json.loads(
            (lab / "training" / f"gen-{generation:04d}" / "samples" / "manifest.json").read_text()
        )
        played = manifest["origin"]["selfplay"]
        assert played["style"] == style
        assert played["openings"] == "hypermodern"
        assert played["options"] == {"style_contact_prior": "0.5"}


def test_finished_work_is_kept(lab: Path) -> None:
    before = {
        path: path.stat().st_mtime_ns
        for path in lab.rglob("*.knet")
        if path.name not in ("bare.knet", "whole.knet")
    }
    grid = (lab / "grid" / "grid.jsonl").read_bytes()
    list(run_lab(read_lab_config(CONFIG), lab, processes=0))
    assert {path: path.stat().st_mtime_ns for path in before} == before
    assert (lab / "grid" / "grid.jsonl").read_bytes() == grid


def test_a_grid_in_two_processes_has_the_same_points(lab: Path, tmp_path: Path) -> None:
    """Points are compared with the same games, which one job plays before them."""
    grid = run_grid(read_lab_config(CONFIG), tmp_path / "grid", lab / "training", processes=2)
    *_, (done, of, results) = grid
    assert done == of == 2
    rows = [json.loads(line) for line in (lab / "grid" / "grid.jsonl").read_text().splitlines()[1:]]
    by_number = {result.id: result for result in results}
    for row in rows:
        same = by_number[row["id"]]
        assert (same.shift, same.shift_low, same.elo, same.style_loss) == (
            row["shift"],
            row["shift_low"],
            row["elo"],
            row["style_loss"],
        )


def test_a_grid_needs_training() -> None:
    with pytest.raises(BadOption, match="need samples"):
        LabConfig(tuning=TuningPart(lambdas=(0.2,)))


def test_progress_log_with_a_damaged_line(tmp_path: Path) -> None:
    log = ProgressLog(tmp_path)
    log.note("games", "baseline")
    path = tmp_path / "progress.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole + whole[:20])  # as a kill may leave it
    assert [row.task for row in ProgressLog(tmp_path).rows()] == ["baseline"]
    for line in (b"nonsense\n", b"3\n", b'{"date": 1}\n', b"9" * 100_000 + b"\n"):
        path.write_bytes(whole + line)
        with pytest.raises(BadRecord, match=r"progress\.jsonl, line 2"):
            ProgressLog(tmp_path)


def test_results_of_a_loop_that_are_no_json(tmp_path: Path) -> None:
    for text in ("nonsense", "[]", "9" * 100_000):
        (tmp_path / "loop.json").write_text(text)
        with pytest.raises(BadRecord, match=r"loop\.json: "):
            read_json(tmp_path / "loop.json")
