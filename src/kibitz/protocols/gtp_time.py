"""GTP's clocks: what time settings mean for one move."""

from __future__ import annotations

from collections.abc import Sequence

from kibitz.errors import ProtocolError
from kibitz.protocols import gtp_words

#: The time systems of `kgs-time_settings` and `kata-time_settings`.
KGS_SYSTEMS = ("none", "absolute", "byoyomi", "canadian")
SYSTEMS = ("none", "absolute", "byoyomi", "canadian", "fischer", "fischer-capped")
#: How many moves a game may still have when time is divided.
_MOVES_AHEAD = 30


class GtpClock:
    """The clocks of a session: settings for both sides, and what is left to each."""

    def __init__(self) -> None:
        self._main: float | None = None
        self._period: tuple[float, int] | None = None
        #: Seconds a move gives back, and the most it may take.
        self._increment = 0.0
        self._most: float | None = None
        self._left: dict[int, float] = {}

    def set_canadian(self, words: Sequence[str]) -> None:
        """`time_settings MAIN PERIOD STONES`."""
        main, period, stones = map(gtp_words.seconds, words)
        self._reset(main)
        self._period = (period, int(stones)) if period > 0 and stones > 0 else None
        if period > 0 and stones == 0:
            self._main = None  # the protocol's way to say: no limit

    def set_named(self, words: Sequence[str], systems: Sequence[str] = SYSTEMS) -> None:
        """`kgs-time_settings` and `kata-time_settings`: the name of a system and its numbers."""
        kind, *rest = words
        if kind not in systems:
            raise ProtocolError(f"unknown time system {kind!r}, expected {', '.join(systems)}")
        most = -1.0
        if kind == "fischer-capped":  # the clock's limit and the move's, below 0 for none
            most, rest = float(rest[3]), rest[:2]
        numbers = [gtp_words.seconds(word) for word in rest]
        main = None if kind == "none" else numbers[0]
        period, increment = None, 0.0
        if kind in ("byoyomi", "canadian"):
            period = (numbers[1], max(1, int(numbers[2])) if kind == "canadian" else 1)
        elif kind.startswith("fischer"):
            increment = numbers[1]
        self._reset(main)
        self._period, self._increment = period, increment
        self._most = most if most >= 0 else None

    def set_left(self, side: int, seconds: float) -> None:
        self._left[side] = seconds

    def _reset(self, main: float | None) -> None:
        self._main, self._period, self._increment, self._most = main, None, 0.0, None
        self._left.clear()

    def seconds(self, side: int) -> float | None:
        """For the next move of a side; None without a clock."""
        left = self._left.get(side, self._main)
        if left is None:
            return None
        share = left / _MOVES_AHEAD + min(0.8 * self._increment, 0.5 * left)
        share = min(share, self._most or share)
        if self._period:
            share = max(share, 0.8 * self._period[0] / self._period[1])
        return max(0.05, share)

    def describe(self, side: int) -> str:
        """For `kata-debug-print-tc`."""
        left = self._left.get(side, self._main)
        period = f"{self._period[0]:g}s for {self._period[1]} stones" if self._period else "none"
        shown = "none" if left is None else f"{left:g}s"
        return f"left {shown}, period {period}, increment {self._increment:g}s"
