"""The sequential probability ratio test: stop a match as soon as the question is answered.

    >>> test = Sprt(elo0=0.0, elo1=5.0)
    >>> llr = test.llr_of_pairs([223, 9863, 21279, 10037, 246])
    >>> test.decide(llr)
    'H0'

H0 says A is `elo0` stronger than B, H1 says `elo1`. After every pair the log-likelihood ratio of the two is
compared with the bounds ln(beta / (1 - alpha)) and ln((1 - beta) / alpha), about -2.94 and +2.94 at 5%.

The ratio is the generalized one (GSPRT): under either hypothesis the distribution of results is the most
likely one that has the mean the hypothesis asks for. Sources: M. Van den Bergh, "Comparing the
approximations for the generalized log likelihood ratio of a multinomial distribution" (logistic model) and
"Comments on normalized Elo" (normalized model).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from kibitz.arena.elo import GAME_SCORES, NELO_SCALE, PAIR_SCORES, score_of_elo
from kibitz.errors import BadOption

Decision = Literal["H0", "H1"]

#: The meaning of `elo0` and `elo1`: usual Elo, or Elo in units of the deviation.
MODELS = ("logistic", "normalized")

#: A result never seen yet counts as this much: a hypothesis may still give it a probability.
_NEVER_SEEN = 1e-3


@dataclass(frozen=True)
class Sprt:
    """A test of elo0 against elo1; `alpha` and `beta` are the chances of a wrong H1 and a wrong H0.

    >>> test = Sprt(elo0=0, elo1=10)
    >>> test.alpha, test.beta
    (0.05, 0.05)
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: str = "logistic"

    def __post_init__(self) -> None:
        if not (math.isfinite(self.elo0) and math.isfinite(self.elo1) and self.elo0 < self.elo1):
            raise BadOption(f"sprt: elo0 must be less than elo1, got {self.elo0:g} and {self.elo1:g}")
        for name, chance in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0.0 < chance < 1.0:
                raise BadOption(f"sprt: {name} must lie between 0 and 1, got {chance:g}")
        if self.alpha + self.beta >= 1.0:
            raise BadOption(f"sprt: alpha + beta must be less than 1, got {self.alpha + self.beta:g}")
        if self.model not in MODELS:
            raise BadOption(f"sprt: unknown model {self.model!r}; known: {', '.join(MODELS)}")

    @property
    def lower(self) -> float:
        """At this ratio or below H0 is accepted."""
        return math.log(self.beta / (1.0 - self.alpha))

    @property
    def upper(self) -> float:
        """At this ratio or above H1 is accepted."""
        return math.log((1.0 - self.beta) / self.alpha)

    def decide(self, llr: float) -> Decision | None:
        """The accepted hypothesis, None while the match must go on."""
        if llr >= self.upper:
            return "H1"
        if llr <= self.lower:
            return "H0"
        return None

    def llr_of_pairs(self, counts: Sequence[int]) -> float:
        """The ratio after pairs of games (pentanomial): `counts` as in `elo.from_pairs`."""
        if len(counts) != len(PAIR_SCORES):
            raise ValueError(f"pair counts are five numbers (0, 1/2, 1, 3/2, 2 points), not {len(counts)}")
        return self._llr(PAIR_SCORES, counts, games_per_sample=2)

    def llr_of_games(self, wins: int, draws: int, losses: int) -> float:
        """The ratio after single games, taken as independent (trinomial)."""
        return self._llr(GAME_SCORES, (losses, draws, wins), games_per_sample=1)

    def _llr(self, values: Sequence[float], counts: Sequence[int], games_per_sample: int) -> float:
        if sum(counts) == 0:
            return 0.0
        weights = [float(count) if count else _NEVER_SEEN for count in counts]
        total = sum(weights)
        seen = [weight / total for weight in weights]
        if self.model == "normalized":
            unit = math.sqrt(games_per_sample) / NELO_SCALE
            under0 = _most_likely_with_t(values, seen, self.elo0 * unit)
            under1 = _most_likely_with_t(values, seen, self.elo1 * unit)
        else:
            under0 = _most_likely_with_mean(values, seen, score_of_elo(self.elo0))
            under1 = _most_likely_with_mean(values, seen, score_of_elo(self.elo1))
        return total * sum(p * math.log(p1 / p0) for p, p0, p1 in zip(seen, under0, under1, strict=True))


def _most_likely_with_mean(values: Sequence[float], seen: Sequence[float], mean: float) -> list[float]:
    """The distribution of mean `mean` under which `seen` is most likely."""
    return _tilt(seen, [value - mean for value in values])


def _most_likely_with_t(values: Sequence[float], seen: Sequence[float], t: float) -> list[float]:
    """The same with (mean - 1/2) / deviation equal to `t`.

    The constraint is not linear; it is linearized at the last estimate until the estimate stands still.
    """
    estimate = [1.0 / len(values)] * len(values)
    for _ in range(50):
        mean = sum(p * a for p, a in zip(estimate, values, strict=True))
        deviation = math.sqrt(sum(p * (a - mean) ** 2 for p, a in zip(estimate, values, strict=True)))
        slopes = [a - 0.5 - 0.5 * t * deviation * (1.0 + ((a - mean) / deviation) ** 2) for a in values]
        last, estimate = estimate, _tilt(seen, slopes)
        if max(abs(new - old) for new, old in zip(estimate, last, strict=True)) < 1e-9:
            break
    return estimate


def _tilt(seen: Sequence[float], slopes: Sequence[float]) -> list[float]:
    """`seen[i] / (1 + theta * slopes[i])` with the theta at which the slopes have mean 0.

    The mean falls steadily in theta between its two poles, so Newton's step is kept inside a shrinking
    bracket.
    """
    low, high = -1.0 / max(slopes), -1.0 / min(slopes)
    theta = 0.0
    for _ in range(200):
        ratios = [slope / (1.0 + theta * slope) for slope in slopes]
        mean = sum(p * ratio for p, ratio in zip(seen, ratios, strict=True))
        if mean > 0.0:
            low = theta
        else:
            high = theta
        descent = sum(p * ratio * ratio for p, ratio in zip(seen, ratios, strict=True))
        step = theta + mean / descent
        if not low < step < high:
            step = 0.5 * (low + high)
        if abs(step - theta) <= 1e-14 * max(1.0, abs(theta)) or mean == 0.0:
            break
        theta = step
    return [p / (1.0 + theta * slope) for p, slope in zip(seen, slopes, strict=True)]
