"""The sequential test: published values, brute force, and the error rates it promises."""

import itertools
import json
import math
import random
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from kibitz.arena import Sprt
from kibitz.arena.elo import NELO_SCALE, PAIR_SCORES, score_of_elo
from kibitz.arena.sprt import _most_likely_with_mean, _most_likely_with_t
from kibitz.errors import BadOption

PUBLISHED = json.loads((Path(__file__).parent / "published.json").read_text())
pair_counts = st.lists(st.integers(0, 5000), min_size=5, max_size=5).filter(any)
probabilities = st.lists(st.floats(0.001, 1), min_size=5, max_size=5).map(lambda w: [x / sum(w) for x in w])


@pytest.mark.parametrize("row", PUBLISHED["sprt"], ids=str)
def test_published_values(row):
    test = Sprt(row["elo0"], row["elo1"], model=row["model"])
    llr = test.llr_of_pairs(row["pairs"]) if "pairs" in row else test.llr_of_games(*row["games"])
    # All published digits; where nobody lost a game the publisher's own iteration stops 0.03% early.
    assert llr == pytest.approx(row["llr"], abs=6e-3, rel=3e-4)


def test_bounds():
    test = Sprt(0, 5)
    assert test.upper == pytest.approx(math.log(19))
    assert test.lower == pytest.approx(-math.log(19))
    assert Sprt(0, 5, alpha=0.1, beta=0.2).lower == pytest.approx(math.log(0.2 / 0.9))
    assert Sprt(0, 5, alpha=0.1, beta=0.2).upper == pytest.approx(math.log(0.8 / 0.1))
    assert (test.decide(2.95), test.decide(-2.95), test.decide(2.94)) == ("H1", "H0", None)


def mean_of(values, p):
    return sum(a * x for a, x in zip(values, p, strict=True))


@given(probabilities, st.floats(0.05, 0.95))
def test_the_tilted_distribution_has_the_mean_asked_for(seen, mean):
    p = _most_likely_with_mean(PAIR_SCORES, seen, mean)
    assert min(p) > 0
    assert sum(p) == pytest.approx(1, abs=1e-7)
    assert mean_of(PAIR_SCORES, p) == pytest.approx(mean, abs=1e-7)


@given(probabilities, st.floats(-0.2, 0.2))
def test_the_tilted_distribution_has_the_t_asked_for(seen, t):
    p = _most_likely_with_t(PAIR_SCORES, seen, t)
    mean = mean_of(PAIR_SCORES, p)
    deviation = math.sqrt(sum(x * (a - mean) ** 2 for a, x in zip(PAIR_SCORES, p, strict=True)))
    assert sum(p) == pytest.approx(1, abs=1e-6)
    assert (mean - 0.5) / deviation == pytest.approx(t, abs=1e-5)


def test_no_distribution_of_that_mean_is_more_likely():
    """Brute force over three results, where the distributions of one mean are a line."""
    seen, mean = [0.2, 0.3, 0.5], 0.55
    tilted = _most_likely_with_mean((0.0, 0.5, 1.0), seen, mean)
    best = max(
        ([1 - mean - d / 2, d, mean - d / 2] for d in (i / 20000 for i in range(1, 17999))),
        key=lambda p: sum(s * math.log(x) for s, x in zip(seen, p, strict=True)),
    )
    assert tilted == pytest.approx(best, abs=1e-4)


@given(pair_counts, st.sampled_from(["logistic", "normalized"]))
def test_swapping_players_and_hypotheses_changes_the_sign(pairs, model):
    ours = Sprt(-3, 7, model=model).llr_of_pairs(pairs)
    theirs = Sprt(-7, 3, model=model).llr_of_pairs(pairs[::-1])
    assert ours == pytest.approx(-theirs, rel=1e-6, abs=1e-6)


@given(pair_counts)
def test_a_won_pair_more_speaks_for_h1(pairs):
    assume(sum(pairs) > 10)
    test = Sprt(0, 10)
    more = [*pairs[:4], pairs[4] + max(1, sum(pairs) // 20)]
    fewer = [pairs[0] + max(1, sum(pairs) // 20), *pairs[1:]]
    assert test.llr_of_pairs(more) > test.llr_of_pairs(fewer)


def test_the_truth_in_the_middle_gives_no_evidence():
    elo = 10.0
    mean = score_of_elo(elo)
    # 40% drawn pairs, the others won or lost outright, with just this mean.
    pairs = [round(1e6 * p) for p in (0.8 - mean, 0, 0.4, 0, mean - 0.2)]
    assert Sprt(0, 20).llr_of_pairs(pairs) / 1e6 == pytest.approx(0, abs=1e-6)


@settings(deadline=None)
@given(st.floats(0.05, 0.3))
def test_small_differences_agree_with_the_normal_approximation(draws):
    mean = 0.51
    p = [1 - mean - draws / 2, draws, mean - draws / 2]
    games = [round(1e6 * x) for x in reversed(p)]
    variance = sum(x * (a - mean) ** 2 for x, a in zip(p, (0, 0.5, 1), strict=True))
    s0, s1 = score_of_elo(0), score_of_elo(5)
    approximation = 1e6 * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance)
    assert Sprt(0, 5).llr_of_games(*games) == pytest.approx(approximation, rel=0.01)


@pytest.mark.parametrize(("model", "elo", "wrong"), [("logistic", 0, "H1"), ("logistic", 60, "H0")])
def test_error_rates(model, elo, wrong):
    """Matches of independent games of known strength: the wrong answer comes in about 5% of them."""
    chance = random.Random(11)
    test = Sprt(0, 60, model=model)
    win = score_of_elo(elo) - 0.15
    weights = [1 - win - 0.3, 0.3, win]
    answers = []
    for _ in range(200):
        pairs = [0] * 5
        decision = None
        for number in itertools.count(1):
            pairs[sum(chance.choices(range(3), weights, k=2))] += 1
            if number % 4 == 0:
                decision = test.decide(test.llr_of_pairs(pairs))
            if decision:
                break
        answers.append(decision)
    assert answers.count(wrong) <= 20


def test_normalised_elo_scale():
    """With the deviation of a coin, 1/2, a normalized Elo is nearly a usual one."""
    assert NELO_SCALE * (score_of_elo(5) - 0.5) / 0.5 == pytest.approx(5, rel=1e-3)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"elo0": 5, "elo1": 5}, "elo0 must be less than elo1"),
        ({"elo0": 0, "elo1": math.nan}, "elo0 must be less than elo1"),
        ({"elo0": 0, "elo1": 5, "alpha": 0}, "alpha must lie between"),
        ({"elo0": 0, "elo1": 5, "beta": 1.5}, "beta must lie between"),
        ({"elo0": 0, "elo1": 5, "alpha": 0.5, "beta": 0.5}, "alpha \\+ beta"),
        ({"elo0": 0, "elo1": 5, "model": "psychic"}, "known: logistic, normalized"),
    ],
)
def test_senseless_tests_are_refused(arguments, message):
    with pytest.raises(BadOption, match=message):
        Sprt(**arguments)


def test_no_games_say_nothing():
    assert Sprt(0, 5).llr_of_pairs([0] * 5) == 0.0
