"""Contempt, as Lc0 has it: a network's wins, draws and losses are read as if a side were so much better.

>>> rescaling = rescale(contempt=100)
>>> rescaling.shares((0.2, 0.6, 0.2), side=1)[0] > 0.2
True
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from kibitz.errors import BadOption

MODES = ("play", "white_side_analysis", "black_side_analysis", "disable")

#: Shares nearer to certainty than this say nothing about the width of their distribution.
_LEAST = 1e-4
_WIDEST = 1.4

#: What the search takes for `wdl_ratio` and `wdl_shift` (native/search/options.h).
_RATIOS, _SHIFTS = (0.01, 100.0), (-100.0, 100.0)

Shares = tuple[float, float, float]


@dataclass(frozen=True)
class Rescale:
    """`ratio` widens the distribution of advantages behind the shares, `shift` moves it; the same numbers as
    the options `wdl_ratio` and `wdl_shift` of the search, for the side that has the contempt."""

    ratio: float = 1.0
    shift: float = 0.0

    def shares(self, shares: Shares, side: int, back: bool = False) -> Shares:
        """Wins, draws, losses with the contempt of the mover (1) or the other (-1); `back` takes it off."""
        win, _, loss = shares
        if min(shares) <= _LEAST or max(shares) >= 1 - _LEAST:
            return shares
        a, b = math.log(1 / loss - 1), math.log(1 / win - 1)
        width, centre = 2 / (a + b), (a - b) / (a + b)
        if back:
            plain = min(_WIDEST, width / self.ratio)
            moved, scaled = centre - side * plain * plain * self.shift, plain
        else:
            width = min(_WIDEST, width)
            moved, scaled = centre + side * width * width * self.shift, width * self.ratio
        wins, losses = _beyond((1 - moved) / scaled), _beyond((1 + moved) / scaled)
        return wins, max(0.0, 1 - wins - losses), losses

    def printed(self, shares: Shares, side: int) -> Shares:
        """What Lc0's VerboseMoveStats show of shares: the contempt taken off by way of its quick logarithm
        and exponential, which moves them by up to 0.004 also where there is no contempt."""
        win, _, loss = shares
        if min(shares) <= _LEAST or max(shares) >= 1 - _LEAST:
            return shares
        a, b = _quick_log(1 / loss - 1), _quick_log(1 / win - 1)
        width, centre = 2 / (a + b), (a - b) / (a + b)
        plain = min(_WIDEST, width / self.ratio)
        moved = centre - side * plain * plain * self.shift
        wins = 1 / (1 + _quick_exp((1 - moved) / width))
        losses = 1 / (1 + _quick_exp((1 + moved) / width))
        return wins, max(0.0, 1 - wins - losses), losses


def chosen(text: str, opponent: str, rating_advantage: float) -> float:
    """The Elo of an option `Contempt`: `50`, or `name=20, other=-30, 10` chosen by the opponent's name."""
    elo = rating_advantage
    for entry in text.split(","):
        name, equals, number = entry.rpartition("=")
        if not number.strip():
            continue
        try:
            value = float(number)
        except ValueError:
            raise BadOption(
                f"option Contempt takes Elo such as 50 or NAME=50,OTHER=-20, got {text!r}"
            ) from None
        if not equals:
            elo = value
        elif name.strip().lower() in opponent.lower():
            return value
    return elo


def rescale(
    contempt: float,
    *,
    most: float = 420.0,
    attenuation: float = 1.0,
    calibration_elo: float = 0.0,
    draw_rate_target: float = 0.0,
    draw_rate_reference: float = 0.5,
    book_exit_bias: float = 0.65,
) -> Rescale:
    """What so much contempt means. With a `calibration_elo`, our own, the share of draws follows the level of
    play; without, it is what is asked for."""
    contempt = max(-most, min(most, contempt))
    reference = _scale(draw_rate_reference)
    if calibration_elo:
        return _within(*_by_level(contempt, calibration_elo, reference, attenuation))
    target = _scale(max(draw_rate_target, 0.001)) if draw_rate_target else reference
    ratio = target / reference
    if not contempt:
        return _within(ratio, 0.0)
    slopes = sum(math.cosh(0.5 * (1 + sign * book_exit_bias) / target) ** -2 for sign in (-1, 1))
    elo_a_point = math.log(10) / 200
    return _within(ratio, target / reference**2 / slopes * elo_a_point * contempt * attenuation)


def _within(ratio: float, shift: float) -> Rescale:
    """The nearest that the search takes: options that are each in order may together ask for more."""
    return Rescale(
        min(max(ratio, _RATIOS[0]), _RATIOS[1]),
        min(max(shift, _SHIFTS[0]), _SHIFTS[1]),
    )


def _beyond(x: float) -> float:
    """The share of a logistic distribution above `x`."""
    return 1 / (1 + math.exp(min(x, 700.0)))


def _quick_exp(x: float) -> float:
    """Between powers of two a parabola takes the place of the exponential."""
    power = min(1.442695040 * x, 1000.0)
    whole = math.floor(power)
    part = power - whole
    return math.ldexp(1.0 + part * (0.6602339 + 0.33976606 * part), whole)


def _quick_log(x: float) -> float:
    fraction, exponent = math.frexp(x)
    part = 2 * fraction - 1
    return 0.6931471805599453 * (part * (1.3465552 - 0.34655523 * part) + exponent - 1)


def _scale(draw_rate: float) -> float:
    """The width of a distribution around 0 that has this share of draws."""
    return 1 / math.log((1 + draw_rate) / (1 - draw_rate))


def _by_level(contempt: float, own: float, reference: float, attenuation: float) -> tuple[float, float]:
    """Lc0's fit of the width to the Elo of both sides."""
    ours, theirs = _pair_elo(own), _pair_elo(own - contempt)
    widths = [1 / (1 / 15 + math.exp(elo / 425 - 6.75)) for elo in (ours, theirs)]
    target = math.sqrt(sum(width * width for width in widths) / 2)
    centres = [
        -math.log(10) / 200 * 15 * 425 * math.log1p(math.exp(6.75 - elo / 425) / 15) for elo in (ours, theirs)
    ]
    return target / reference, (centres[0] - centres[1]) / reference**2 * attenuation


def _pair_elo(elo: float) -> float:
    """Elo by decisive pairs of games, which does not flatten at the top."""
    return elo + 125 * math.log1p(math.exp((2737 - elo) / 250))
