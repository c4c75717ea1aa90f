"""The style score S, and what its measures are compared with: the norm, kept in `style_norm.json`.

>>> norm = load_norm()                           # the one that comes with Kibitz
>>> 0 <= norm.score({"co": 1, "dcc": 3, "fch": 2, "pb_delay": 9, "cl": 1}) <= 1
True

S = w1 (1 - CO) + w2 DCC + w3 FCH + w4 PB_delay + w5 CL, each measure first brought to [0, 1] by the norm:
with `minmax` from the sample's least to its greatest value, with `robust` from 3 robust deviations
(IQR / 1.349) below its median to 3 above.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.errors import BadOption, BadRecord
from kibitz.files.limits import MOST_CONFIG, read_file
from kibitz.style.metrics import METRICS, Array, Games, Metrics, Window

FORMAT = "kibitz-style-norm"
VERSION = 1
METHODS = ("minmax", "robust")

#: The measures that make S; the rest are reported beside it.
SCORED = ("co", "dcc", "fch", "pb_delay", "cl")
WEIGHTS: Mapping[str, float] = {"co": 0.2, "dcc": 0.25, "fch": 0.15, "pb_delay": 0.2, "cl": 0.2}

#: Robust deviations from the median at which `robust` reaches 0 and 1.
_REACH = 3.0
#: The interquartile range of a normal distribution, in standard deviations.
_IQR = 1.349


@dataclass(frozen=True)
class Spread:
    """How a measure is spread in the sample."""

    min: float
    max: float
    median: float
    iqr: float
    mean: float
    sd: float

    def ends(self, method: str) -> tuple[float, float]:
        """The values that become 0 and 1."""
        if method == "minmax":
            low, high = self.min, self.max
        else:
            # A measure whose middle half is one value (few games have two fianchettoes) has no IQR.
            deviation = self.iqr / _IQR or self.sd
            low, high = self.median - _REACH * deviation, self.median + _REACH * deviation
        return (low, high) if high > low else (low - 0.5, low + 0.5)


@dataclass(frozen=True)
class Norm:
    """What S is measured by. Equal norms give comparable scores.

    >>> load_norm().games > 0
    True
    """

    spreads: Mapping[str, Spread]
    method: str = "minmax"
    weights: Mapping[str, float] = field(default_factory=lambda: dict(WEIGHTS))
    window: Window = field(default_factory=Window)
    games: int = 0
    source: str = ""

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise BadOption(f"unknown method {self.method!r} of a norm, expected {' or '.join(METHODS)}")
        if not math.isclose(sum(self.weights.values()), 1.0, abs_tol=1e-9):
            raise BadOption(f"the weights of S must add up to 1, not {sum(self.weights.values()):g}")

    def normal(self, metric: str, values: Array | float) -> Array:
        """A measure's values in [0, 1]."""
        low, high = self.spreads[metric].ends(self.method)
        return np.clip((np.asarray(values, np.float64) - low) / (high - low), 0.0, 1.0)

    def scores(self, columns: Games | Mapping[str, Any]) -> Array:
        """S of many games."""
        total: Any = 0.0
        for metric in SCORED:
            normal = self.normal(metric, columns[metric])
            total = total + self.weights[metric] * (1.0 - normal if metric == "co" else normal)
        return np.asarray(total, np.float64)

    def score(self, metrics: Metrics | Mapping[str, float]) -> float:
        """S of one game."""
        values = vars(metrics) if isinstance(metrics, Metrics) else metrics
        return float(self.scores(values))

    # -- files --------------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "version": VERSION,
            "method": self.method,
            "weights": dict(self.weights),
            "window": vars(self.window),
            "sample": {"games": self.games, "source": self.source},
            "metrics": {name: vars(spread) for name, spread in self.spreads.items()},
        }

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the file whole or not at all."""
        target = Path(path)
        draft = target.with_name(target.name + ".partial")
        draft.write_text(json.dumps(self.to_dict(), indent=2) + "\n", encoding="utf-8")
        draft.replace(target)


def norm_of(games: Games, *, method: str = "minmax", source: str = "") -> Norm:
    """The norm of a baseline: `norm_of(measure_pgn("baseline.pgn"), source="maia-1900, 8 visits")`."""
    if len(games) < 2:
        raise BadRecord(f"a norm needs at least 2 games, got {len(games)}")
    spreads = {}
    for name in METRICS:
        column = games[name]
        low, middle, high = (float(x) for x in np.quantile(column, (0.25, 0.5, 0.75)))
        spreads[name] = Spread(
            min=float(column.min()),
            max=float(column.max()),
            median=middle,
            iqr=high - low,
            mean=float(column.mean()),
            sd=float(column.std(ddof=1)),
        )
    return Norm(spreads, method, window=games.window, games=len(games), source=source)


def load_norm(path: str | os.PathLike[str] | None = None) -> Norm:
    """The norm of a file, or the one that comes with Kibitz; BadRecord says what is wrong with a file.

    >>> load_norm().method
    'minmax'
    """
    if path is None:
        text = resources.files("kibitz.style").joinpath("style_norm.json").read_bytes()
        name = "style_norm.json"
    else:
        name = os.fspath(path)
        text = read_file(path, MOST_CONFIG)
    try:
        return _read(json.loads(text))
    except (KeyError, TypeError, ValueError, OverflowError, RecursionError) as error:
        reason = f"{error} is missing" if isinstance(error, KeyError) else str(error)
        raise BadRecord(f"{name} is no style norm: {reason}") from None


def _read(data: Any) -> Norm:
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise ValueError(f"expected an object with format {FORMAT!r}")
    if data["version"] != VERSION:
        raise ValueError(f"version {data['version']!r}, this Kibitz reads {VERSION}")
    spreads = {}
    for name in METRICS:
        numbers = {key: float(data["metrics"][name][key]) for key in Spread.__dataclass_fields__}
        if not all(map(math.isfinite, numbers.values())):
            raise ValueError(f"the spread of {name} must be made of finite numbers")
        spreads[name] = Spread(**numbers)
    weights = {name: float(data["weights"][name]) for name in SCORED}
    if not all(map(math.isfinite, weights.values())):
        raise ValueError("the weights must be finite numbers")
    return Norm(
        spreads,
        data["method"],
        weights,
        Window(**{key: int(data["window"][key]) for key in Window.__dataclass_fields__}),
        int(data["sample"]["games"]),
        str(data["sample"]["source"]),
    )
