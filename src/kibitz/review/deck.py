"""When a mistake is practised again: boxes with growing intervals (Leitner's system).

>>> schedule(0, good=True, now=0.0) == (1, DAY)
True
>>> schedule(3, good=False, now=0.0) == (0, 600.0)
True
"""

from __future__ import annotations

DAY = 86_400.0
#: Seconds until a card of the box comes again; a wrong answer puts it into the first.
INTERVALS = (600.0, DAY, 3 * DAY, 7 * DAY, 16 * DAY, 35 * DAY, 90 * DAY)


def schedule(box: int, *, good: bool, now: float) -> tuple[int, float]:
    """The next box of a card that was answered, and when it is due."""
    new = min(box + 1, len(INTERVALS) - 1) if good else 0
    return new, now + INTERVALS[new]
