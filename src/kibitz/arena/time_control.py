"""The clock of a game: `10+0.1` is 10 seconds a side and 0.1 more for every move made.

>>> TimeControl.parse("10+0.1")
TimeControl(seconds=10.0, increment=0.1)
>>> str(TimeControl(60.0))
'60+0'
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from kibitz.errors import BadOption

_MOST = 10.0**6


@dataclass(frozen=True)
class TimeControl:
    """Seconds for the whole game, and seconds added after each move.

    >>> TimeControl(60, increment=0.5).increment
    0.5
    """

    seconds: float
    increment: float = 0.0

    def __post_init__(self) -> None:
        for name, value, least in (("time", self.seconds, 0.001), ("increment", self.increment, 0.0)):
            if not (math.isfinite(value) and least <= value <= _MOST):
                raise BadOption(f"a time control's {name} is from {least:g} to {_MOST:g} s, got {value:g}")

    @classmethod
    def parse(cls, text: str) -> TimeControl:
        """The time control of a text such as `10+0.1` or `60`."""
        seconds, plus, increment = text.partition("+")
        try:
            return cls(float(seconds), float(increment) if plus else 0.0)
        except ValueError as error:
            if isinstance(error, BadOption):
                raise
            raise BadOption(f"a time control is SECONDS+INCREMENT such as 10+0.1, got {text!r}") from None

    def __str__(self) -> str:
        return f"{self.seconds:g}+{self.increment:g}"
