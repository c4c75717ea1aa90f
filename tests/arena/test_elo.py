"""Elo and its intervals: published values, symmetry, and the coverage the interval promises."""

import json
import math
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.arena import elo

PUBLISHED = json.loads((Path(__file__).parent / "published.json").read_text())
counts = st.integers(0, 3000)


def estimate_of(row):
    return elo.from_pairs(row["pairs"]) if "pairs" in row else elo.from_wdl(*row["games"])


@pytest.mark.parametrize("row", PUBLISHED["elo"], ids=str)
def test_published_values(row):
    estimate = estimate_of(row)
    # All digits that were published.
    assert estimate.score.value == pytest.approx(row["score"], abs=6e-4)
    assert estimate.nelo.value == pytest.approx(row["nelo"], abs=6e-3)
    assert estimate.nelo.error == pytest.approx(row["nelo_error"], abs=6e-3)
    if "elo" in row:
        assert estimate.elo.value == pytest.approx(row["elo"], abs=6e-3)
        assert estimate.elo.error == pytest.approx(row["elo_error"], abs=6e-3)
    if "los" in row:
        assert 100 * estimate.los == pytest.approx(row["los"], abs=6e-3)


@given(st.floats(-2000, 2000))
def test_score_and_elo_are_inverse(difference):
    assert elo.elo_of_score(elo.score_of_elo(difference)) == pytest.approx(difference, abs=1e-6, rel=1e-9)


def test_known_scores():
    assert elo.score_of_elo(0) == 0.5
    assert elo.score_of_elo(400) == pytest.approx(10 / 11)
    assert elo.elo_of_score(0.75) == pytest.approx(190.85, abs=0.01)
    assert elo.elo_of_score(1.0) == math.inf
    assert elo.elo_of_score(0.0) == -math.inf


@given(st.lists(counts, min_size=5, max_size=5).filter(any))
def test_swapping_the_players_mirrors_everything(pairs):
    ours, theirs = elo.from_pairs(pairs), elo.from_pairs(pairs[::-1])
    assert ours.score.value == pytest.approx(1 - theirs.score.value)
    assert ours.score.low == pytest.approx(1 - theirs.score.high)
    assert ours.elo.value == pytest.approx(-theirs.elo.value, abs=1e-6)
    assert ours.nelo.value == pytest.approx(-theirs.nelo.value, abs=1e-6)
    assert ours.los == pytest.approx(1 - theirs.los)


@given(st.lists(counts, min_size=5, max_size=5))
def test_the_interval_holds_the_value(pairs):
    estimate = elo.from_pairs(pairs)
    for interval in (estimate.score, estimate.elo, estimate.nelo):
        assert interval.low <= interval.value <= interval.high
    assert estimate.score.low >= 0
    assert estimate.score.high <= 1
    assert 0 <= estimate.los <= 1


@given(counts, counts, counts)
def test_independent_games_tell_the_same_as_pairs_of_them(wins, draws, losses):
    """Pairs made of independent games, in just the proportions expected, give the interval of the games."""
    total = wins + draws + losses
    if max(wins, draws, losses) == total:
        return
    pairs = [
        losses * losses,
        2 * losses * draws,
        draws * draws + 2 * wins * losses,
        2 * wins * draws,
        wins * wins,
    ]
    by_games, by_pairs = elo.from_wdl(wins, draws, losses), elo.from_pairs(pairs)
    assert by_pairs.score.value == pytest.approx(by_games.score.value)
    assert by_pairs.nelo.value == pytest.approx(by_games.nelo.value, abs=1e-6)


def test_nothing_played_says_nothing():
    estimate = elo.from_pairs([0] * 5)
    assert (estimate.score.value, estimate.score.low, estimate.score.high) == (0.5, 0.0, 1.0)
    assert estimate.los == 0.5


def test_a_clean_sweep_is_not_certainty():
    estimate = elo.from_pairs([0, 0, 0, 0, 10])
    # 10 of 10 happen once in 40 times when a pair is won with probability 0.6915.
    assert estimate.score.low == pytest.approx(0.025**0.1)
    assert estimate.score.high == 1.0
    assert estimate.elo.value == math.inf
    assert estimate.elo.low == pytest.approx(elo.elo_of_score(0.025**0.1))
    assert estimate.los == pytest.approx(1 - 0.5**11)
    assert elo.from_pairs([0, 0, 0, 0, 1]).score.low < 0.5


def test_95_percent_means_95_percent():
    chance = random.Random(7)
    weights = [0.05, 0.2, 0.4, 0.25, 0.1]
    truth = sum(p * a for p, a in zip(weights, elo.PAIR_SCORES, strict=True))
    inside = 0
    for _ in range(1000):
        drawn = chance.choices(range(5), weights, k=150)
        score = elo.from_pairs([drawn.count(i) for i in range(5)]).score
        inside += score.low <= truth <= score.high
    assert 930 <= inside <= 967


def test_wrong_number_of_counts():
    with pytest.raises(ValueError, match="five numbers"):
        elo.from_pairs([1, 2, 3])
