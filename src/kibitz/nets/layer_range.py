"""The range that 256 steps of int8 stand for best in one layer, from every value the layer held.

What a narrower range cuts off are a layer's few largest values. A sample misses most of them, so
all values are counted: in a histogram of what lies beyond the narrowest range that is tried.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kibitz.nets.graph import Range

Array = npt.NDArray[np.float32]

#: Shares of the whole range that are tried; what lies outside is cut off.
_SHARES = tuple(np.linspace(0.3, 1.0, 36).tolist())
_BINS = 1024


class _Tail:
    """A histogram of magnitudes up to `end`, a power of two: when it doubles, bins are added in pairs."""

    def __init__(self) -> None:
        self.end = 2.0**-20
        self.counts = np.zeros(_BINS)
        self.sums = np.zeros(_BINS)

    def add(self, magnitudes: Array, most: float) -> None:
        while self.end <= most:
            self.end *= 2
            self.counts, self.sums = (_halved(part) for part in (self.counts, self.sums))
        places = (magnitudes * np.float32(_BINS / self.end)).astype(np.int32)
        self.counts += np.bincount(places, minlength=_BINS)
        self.sums += np.bincount(places, weights=magnitudes, minlength=_BINS)

    def squares_beyond(self, limit: float) -> float:
        """The sum of squares of how far the magnitudes are beyond a limit."""
        beyond = self.sums / np.maximum(self.counts, 1) - limit
        return float((self.counts * np.square(np.maximum(beyond, 0))).sum())


def _halved(bins: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return np.concatenate([bins.reshape(-1, 2).sum(axis=1), np.zeros(_BINS // 2)])


class LayerRange:
    """Hears values batch by batch; `best` is the range to use.

    >>> layer = LayerRange()
    >>> layer.add(np.array([0, 0.5, 1.0], np.float32))
    >>> layer.best()
    (0.0, 1.0)
    """

    def __init__(self) -> None:
        self.low = self.high = 0.0
        self._rounded = 0
        self._above, self._below = _Tail(), _Tail()

    def add(self, values: Array) -> None:
        self.low = min(self.low, float(values.min()))
        self.high = max(self.high, float(values.max()))
        # Zero is one of the steps.
        self._rounded += int(np.count_nonzero(values))
        if self.high > 0:
            self._above.add(values[values > _SHARES[0] * self.high], self.high)
        if self.low < 0:
            self._below.add(-values[values < _SHARES[0] * self.low], -self.low)

    def best(self) -> Range:
        """The part of the range whose 256 steps err least: fine steps against values cut off."""
        best, least = (self.low, self.high), np.inf
        for share in _SHARES:
            low, high = share * self.low, share * self.high
            step = (high - low) / 255
            error = self._rounded * step * step / 12
            error += self._above.squares_beyond(high) + self._below.squares_beyond(-low)
            if error < least:
                best, least = (low, high), error
        return best
