"""Norms, the score, comparisons, tables and pictures."""

from __future__ import annotations

import json
import math
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.errors import BadOption, BadRecord
from kibitz.style import METRICS, Games, Norm, compare, load_norm, measure_pgn, summarize
from kibitz.style.metrics import CHARACTER
from kibitz.style.norm import SCORED, WEIGHTS, Spread, norm_of
from kibitz.style.picture import comparison_picture
from kibitz.style.report import kolmogorov, ks_test, sigma_shift
from kibitz.style.tables import rows, write_table


def some_games(seed: int, count: int = 200, shift: float = 0.0) -> Games:
    chance = np.random.default_rng(seed)
    values = np.column_stack(
        [
            chance.uniform(0, 3, count),
            chance.normal(2 + shift, 0.5, count),
            chance.integers(0, 4, count),
            chance.integers(2, 26, count),
            chance.uniform(0, 2, count),
            chance.normal(0, 2, count),
        ]
    )
    sides = chance.uniform(0, 1, (count, 2, 5))
    character = chance.uniform(0, 1, (count, 2))
    return Games(np.arange(1, count + 1), np.full(count, 24), values, sides, character)


def test_the_score_is_the_formula() -> None:
    games = some_games(1)
    norm = norm_of(games)
    low = {name: games[name].min() for name in METRICS}
    high = {name: games[name].max() for name in METRICS}
    normal = {name: (games[name] - low[name]) / (high[name] - low[name]) for name in METRICS}
    expected = (
        0.2 * (1 - normal["co"])
        + 0.25 * normal["dcc"]
        + 0.15 * normal["fch"]
        + 0.2 * normal["pb_delay"]
        + 0.2 * normal["cl"]
    )
    assert norm.scores(games) == pytest.approx(expected)
    assert math.isclose(sum(WEIGHTS.values()), 1.0)


def test_robust_norms() -> None:
    games = some_games(2, 5000)
    norm = norm_of(games, method="robust")
    spread = norm.spreads["dcc"]
    assert norm.normal("dcc", spread.median) == pytest.approx(0.5)
    deviation = spread.iqr / 1.349
    assert norm.normal("dcc", spread.median + 1.5 * deviation) == pytest.approx(0.75)
    assert norm.normal("dcc", spread.median + 9 * deviation) == 1.0
    flat = Spread(0, 4, 0, 0, 0.5, 1.0)  # three quarters of the games have none
    assert flat.ends("robust") == (-3.0, 3.0)
    assert Spread(1, 1, 1, 0, 1, 0).ends("minmax") == (0.5, 1.5)


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 1000), st.sampled_from(["minmax", "robust"]))
def test_scores_lie_within_zero_and_one(seed: int, method: str) -> None:
    norm = norm_of(some_games(seed), method=method)
    scores = norm.scores(some_games(seed + 1, shift=3))
    assert ((scores >= 0) & (scores <= 1)).all()


def test_norms_are_kept_in_files(tmp_path: Path) -> None:
    norm = norm_of(some_games(3), method="robust", source="a test")
    path = tmp_path / "style_norm.json"
    norm.save(path)
    assert load_norm(path) == norm
    data = json.loads(path.read_text())
    assert (data["format"], data["version"]) == ("kibitz-style-norm", 1)
    for change, message in (
        ({"version": 9}, "version 9"),
        ({"format": "else"}, "format"),
        ({"method": "guess"}, "method"),
        ({"metrics": {}}, "'co' is missing"),
        ({"weights": dict.fromkeys(SCORED, 1.0)}, "add up to 1"),
    ):
        path.write_text(json.dumps({**data, **change}))
        with pytest.raises((BadRecord, BadOption), match=message):
            load_norm(path)
    path.write_text("{")
    with pytest.raises(BadRecord, match="no style norm"):
        load_norm(path)


def test_the_packaged_norm() -> None:
    norm = load_norm()
    assert norm.games >= 1000
    assert norm.weights == WEIGHTS
    assert norm.source
    assert set(norm.spreads) == set(METRICS)


def test_kolmogorov_distribution() -> None:
    # Smirnov's table (Annals of Mathematical Statistics 19, 1948): 1.36 is the 5% point, 1.63 the 1% point.
    assert kolmogorov(1.3581) == pytest.approx(0.05, abs=2e-4)
    assert kolmogorov(1.6276) == pytest.approx(0.01, abs=1e-4)
    assert kolmogorov(0.5) == pytest.approx(0.9639, abs=1e-4)
    assert kolmogorov(0.0) == 1.0
    assert kolmogorov(40.0) == 0.0


def test_ks_statistic_by_hand() -> None:
    a, b = np.array([1.0, 2.0, 3.0, 4.0]), np.array([3.0, 4.0, 5.0, 6.0])
    assert ks_test(a, b).statistic == pytest.approx(0.5)
    assert ks_test(a, a).statistic == 0.0
    assert ks_test(a, a).p == 1.0
    assert ks_test(np.zeros(50), np.ones(50)).statistic == 1.0
    assert ks_test(np.zeros(50), np.ones(50)).p < 1e-15


def test_ks_is_uniform_when_nothing_differs() -> None:
    chance = np.random.default_rng(4)
    p_values = [ks_test(chance.normal(size=300), chance.normal(size=300)).p for _ in range(300)]
    assert 0.01 < np.mean(np.array(p_values) < 0.05) < 0.09


def test_the_interval_covers_the_truth() -> None:
    chance = np.random.default_rng(5)
    covered = 0
    for _ in range(400):
        shift = sigma_shift(chance.normal(0, 1, 150), chance.normal(0.8, 1.3, 200))
        assert shift is not None
        covered += shift.low <= 0.8 <= shift.high
    assert 0.92 <= covered / 400 <= 0.98
    assert sigma_shift(np.ones(5), np.zeros(5)) is None


def test_a_comparison_finds_a_shift(tmp_path: Path) -> None:
    norm = norm_of(some_games(6))
    comparison = compare(some_games(6), some_games(7, shift=1.0), norm)
    shift = comparison["dcc"].shift
    assert shift is not None
    assert 1.5 < shift.low < shift.value < shift.high < 2.6
    assert comparison["dcc"].ks.p < 1e-6
    assert comparison["cl"].ks.p > 1e-4
    assert comparison["s"].b.mean > comparison["s"].a.mean
    data = json.loads(json.dumps(comparison.to_dict()))
    assert data["metrics"]["dcc"]["shift"]["value"] == pytest.approx(shift.value)
    with pytest.raises(BadRecord, match="at least 2 games"):
        compare(some_games(1, 1), some_games(2), norm)


def test_pictures_are_drawn() -> None:
    norm = norm_of(some_games(8))
    picture = comparison_picture({"off": some_games(8), "<medium>": some_games(9, shift=1)}, norm)
    root = ElementTree.fromstring(picture)
    text = "".join(root.itertext())
    assert "<medium> (200 games)" in text
    assert "closedness (cl)" in text
    panels = len(METRICS) + len(CHARACTER) + 2
    assert len(root.findall("{http://www.w3.org/2000/svg}polyline")) == 2 * panels


def test_tables(tmp_path: Path) -> None:
    games = measure_pgn(b'[White "A"]\n[Black "B, \\"C\\""]\n\n1. g3 e5 2. Bg2 *\n\n1. e4 *\n', named=True)
    norm = load_norm()
    listed = list(rows(games, norm))
    assert listed[0]["white"] == "A"
    assert listed[0]["black"] == 'B, "C"'
    assert listed[0]["fch"] == 1
    assert listed[0]["s"] == pytest.approx(float(norm.scores(games)[0]), abs=1e-6)
    write_table(tmp_path / "games.jsonl", games, norm)
    assert [json.loads(line) for line in (tmp_path / "games.jsonl").read_text().splitlines()] == listed
    write_table(tmp_path / "games.json", games, norm)
    assert json.loads((tmp_path / "games.json").read_text()) == listed
    write_table(tmp_path / "games.csv", games, norm)
    assert (tmp_path / "games.csv").read_text().splitlines()[1].startswith('1,A,"B, ""C""",*')
    with pytest.raises(BadOption, match="parquet"):
        write_table(tmp_path / "games.xls", games, norm)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["games.csv", "games.json", "games.jsonl"]


def test_parquet(tmp_path: Path) -> None:
    games, norm = measure_pgn(b"1. g3 e5 2. Bg2 *\n", named=True), load_norm()
    path = tmp_path / "games.parquet"
    try:
        import pyarrow.parquet
    except ImportError:
        with pytest.raises(BadOption, match=r"pip install .kibitz\[parquet\]."):
            write_table(path, games, norm)
        return
    write_table(path, games, norm)
    table = pyarrow.parquet.read_table(path)
    assert table.column("fch").to_pylist() == [1]
    assert b"kibitz-style-norm" in table.schema.metadata


def test_a_summary() -> None:
    games = some_games(10)
    norm = norm_of(games)
    summary = summarize(games, norm)
    assert next(iter(summary)) == "s"
    assert summary["cl"].mean == pytest.approx(float(games["cl"].mean()))
    assert summary["fch"].max == 3.0


def test_a_norm_refuses_nonsense() -> None:
    with pytest.raises(BadOption, match="method"):
        norm_of(some_games(1), method="guess")
    with pytest.raises(BadRecord, match="at least 2"):
        norm_of(some_games(1, 1))
    spreads = norm_of(some_games(1)).spreads
    with pytest.raises(BadOption, match="add up"):
        Norm(spreads, weights={"co": 2.0})
