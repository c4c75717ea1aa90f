"""The ranges int8 needs, by board size: found once on a machine, then read from the cache."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from kibitz.errors import BadRequest
from kibitz.nets import cache
from kibitz.nets.family import Shape
from kibitz.nets.graph import Range
from kibitz.nets.quantize import Progress, best_rounding, calibrate, weight_bits
from kibitz.nets.session import installed_runtimes
from kibitz.nets.tune import versions

if TYPE_CHECKING:
    from kibitz.nets.runtime import Network

Array = npt.NDArray[np.float32]

#: Gives planes and global inputs of positions as the engine plays them, for a board size; see `collect`.
Calibration = Callable[["Network", Shape], tuple[Array, Array]]
#: Part of every cache key: a new number when graphs are built or calibrated in another way.
_FORM = 10


@dataclass(frozen=True)
class Calibrated:
    """Ranges of the layers, and which runtimes want the outputs rounded too."""

    ranges: Mapping[str, Range]
    rounded: Mapping[str, bool]

    def settings(self, runtime: str) -> dict[str, Any]:
        """What a runtime's graph is built with."""
        bits = weight_bits(runtime)
        return {"ranges": self.ranges, "round_outputs": self.rounded[runtime], "weight_bits": bits}


class Int8Ranges:
    """Of one network. `reference` gives it in fp32; `calibration`, if any, the positions it is watched on;
    `progress` hears how many of them are done."""

    def __init__(
        self,
        reference: Callable[[], Network],
        calibration: Calibration | None = None,
        progress: Progress = lambda done, total: None,
    ) -> None:
        self._progress = progress
        self._reference = reference
        self._calibration = calibration
        self._known: dict[Shape, Calibrated] = {}

    def get(self, shape: Shape) -> Calibrated | None:
        """What was found for a board size before, here or by another process."""
        data = None if shape in self._known else cache.read(self._cache_name(self._reference(), shape))
        if data is not None:
            both = json.loads(data)
            ranges = {name: (low, high) for name, (low, high) in both["ranges"].items()}
            self._known[shape] = Calibrated(ranges, both["rounded"])
        return self._known.get(shape)

    def of(self, shape: Shape) -> Calibrated:
        """The same, found now where it is not known yet."""
        known = self.get(shape)
        if known is not None:
            return known
        reference = self._reference()
        if self._calibration is None:
            raise BadRequest(
                f"{reference.name} is not calibrated for int8 on {shape.rows}x{shape.columns}; use fp32 or "
                "calibrate it first"
            )
        return self.find(*self._calibration(reference, shape))

    def find(self, planes: Array, globals_: Array | None = None) -> Calibrated:
        """Watches the network judge positions of one board size, and keeps the result in the cache."""
        reference = self._reference()
        ranges = calibrate(reference, planes, globals_, progress=self._progress)
        rounded = {
            runtime: best_rounding(reference, runtime, ranges, planes, globals_)
            for runtime in installed_runtimes()
        }
        shape = reference.shape(*planes.shape[2:])
        made = self._known[shape] = Calibrated(ranges, rounded)
        cache.write(self._cache_name(reference, shape), json.dumps(asdict(made)).encode())
        return made

    @staticmethod
    def _cache_name(network: Network, shape: Shape) -> str:
        return "int8/" + cache.key_of(_FORM, network.digest, shape, versions(), "ranges") + ".json"
