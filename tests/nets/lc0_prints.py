"""What Lc0 prints is not quite what its network says: its search takes exp and log by quick approximations.

The priors pass through `FastExp`; the draw probability of VerboseMoveStats goes to a logistic scale and back
through `FastLog` and `FastLogistic` (Lc0's `src/utils/fastmath.h` and `src/search/classic/search.cc`).
"""

from __future__ import annotations

import math


def fast_exp(x: float) -> float:
    """Between powers of two a parabola takes the place of the exponential."""
    power = 1.442695040 * x
    whole = math.floor(power)
    part = power - whole
    return math.ldexp(1.0 + part * (0.6602339 + 0.33976606 * part), whole)


def fast_log(x: float) -> float:
    fraction, exponent = math.frexp(x)
    part = 2 * fraction - 1
    return 0.6931471805599453 * (part * (1.3465552 - 0.34655523 * part) + exponent - 1)


def printed_priors(logits: list[float]) -> list[float]:
    most = max(logits)
    weights = [fast_exp(logit - most) for logit in logits]
    return [weight / sum(weights) for weight in weights]


def printed_draw(win: float, draw: float, loss: float) -> float:
    if min(win, draw, loss) <= 1e-4:
        return draw
    a, b = fast_log(1 / loss - 1), fast_log(1 / win - 1)
    scale, middle = 2 / (a + b), (a - b) / (a + b)
    new_win = 1 / (1 + fast_exp((1 - middle) / scale))
    new_loss = 1 / (1 + fast_exp((1 + middle) / scale))
    return max(0.0, 1 - new_win - new_loss)
