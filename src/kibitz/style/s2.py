"""The score S2: how hypermodern each side of a game plays, and the game, 0 to 1 (docs/style-measures.md).

>>> import kibitz
>>> from kibitz.style.metrics import measure_sides
>>> indian = kibitz.chess.Position().play("d4", "Nf6", "c4", "g6", "Nc3", "Bg7", "e4", "d6", "Nf3", "O-O")
>>> white, black = load_s2().sides(measure_sides(indian))
>>> bool(white < 0.5 < black)
True
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.errors import BadOption, BadRecord
from kibitz.files.limits import MOST_CONFIG, read_file
from kibitz.style.metrics import SIDE_METRICS, Array, Games

FORMAT = "kibitz-style-s2"
VERSION = 1


@dataclass(frozen=True)
class S2:
    """S2 = 1 / (1 + exp(-(bias + sum of weight (x - mean) / sd))) over the measures of one side."""

    mean: Mapping[str, float]
    sd: Mapping[str, float]
    weights: Mapping[str, float]
    bias: float
    games: int = 0
    source: str = ""

    def sides(self, measures: Array) -> Array:
        """The scores of rows of measures, in the order of SIDE_METRICS."""
        mean, sd, weights = (
            np.array([column[name] for name in SIDE_METRICS]) for column in (self.mean, self.sd, self.weights)
        )
        scores: Array = 1.0 / (1.0 + np.exp(-(((measures - mean) / sd) @ weights + self.bias)))
        return scores

    def game(self, sides: Array) -> Array:
        """The score of a game from those of its sides: that at least one of them plays in this way."""
        scores: Array = 1.0 - (1.0 - sides[..., 0]) * (1.0 - sides[..., 1])
        return scores

    def scores(self, games: Games) -> Array:
        """The score of each game."""
        return self.game(self.sides(games.sides))

    def save(self, path: str | os.PathLike[str]) -> None:
        data = {"format": FORMAT, "version": VERSION, **asdict(self)}
        Path(path).write_text(json.dumps(data, indent=2) + "\n", encoding="utf-8")


def load_s2(path: str | os.PathLike[str] | None = None) -> S2:
    """The weights of a file, or those that come with Kibitz.

    >>> type(load_s2()).__name__
    'S2'
    """
    if path is None:
        return _read(
            resources.files(__package__).joinpath("style_s2.json").read_text("utf-8"), "style_s2.json"
        )
    try:
        return _read(read_file(path, MOST_CONFIG).decode(), str(path))
    except UnicodeDecodeError:
        raise BadRecord(f"{path}: not UTF-8") from None


def _read(text: str, name: str) -> S2:
    try:
        data: Any = json.loads(text)
        if data["format"] != FORMAT or data["version"] != VERSION:
            raise BadRecord(f"{name}: not a file of S2, version {VERSION}")
        mean, sd, weights = (
            {key: float(data[part][key]) for key in SIDE_METRICS} for part in ("mean", "sd", "weights")
        )
        score = S2(mean, sd, weights, float(data["bias"]), int(data["games"]), str(data["source"]))
    except (ValueError, KeyError, TypeError) as error:
        raise BadRecord(f"{name}: damaged: {error}") from None
    numbers = [score.bias, *mean.values(), *sd.values(), *weights.values()]
    if not np.isfinite(numbers).all() or min(score.sd.values()) <= 0:
        raise BadRecord(f"{name}: numbers that are not finite, or no deviation")
    return score


def fit_s2(
    measures: Array, hypermodern: npt.NDArray[np.bool_], *, source: str = "", decay: float = 1.0
) -> S2:
    """Weights by logistic regression: rows of measures of sides, and which of them play in the style."""
    if len(measures) != len(hypermodern) or not hypermodern.any() or hypermodern.all():
        raise BadOption("a fit of S2 needs sides of both kinds")
    mean, sd = measures.mean(axis=0), np.maximum(measures.std(axis=0), 1e-9)
    rows = np.hstack([(measures - mean) / sd, np.ones((len(measures), 1))])
    wanted, weights = hypermodern.astype(float), np.zeros(rows.shape[1])
    keep = np.diag([decay] * (rows.shape[1] - 1) + [1e-9])
    for _ in range(50):  # Newton's method; a dozen steps are enough
        chance = 1.0 / (1.0 + np.exp(-rows @ weights))
        slope = rows.T @ (chance - wanted) + keep @ weights
        curve = (rows * (chance * (1.0 - chance))[:, None]).T @ rows + keep
        step = np.linalg.solve(curve, slope)
        weights -= step
        if np.abs(step).max() < 1e-9:
            break
    columns = (mean, sd, weights[:-1])
    means, deviations, factors = (dict(zip(SIDE_METRICS, map(float, each), strict=True)) for each in columns)
    return S2(means, deviations, factors, float(weights[-1]), len(measures), source)


def auc(scores: Array, positive: npt.NDArray[np.bool_]) -> float:
    """The chance that a positive game scores above a negative one; equal scores count half.

    >>> auc(np.array([0.1, 0.4, 0.4, 0.9]), np.array([False, False, True, True]))
    0.875
    """
    values, places, counts = np.unique(scores, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[places]
    many, rest = int(positive.sum()), int((~positive).sum())
    if not many or not rest or not len(values):
        raise BadOption("the AUC needs games of both kinds")
    return float((ranks[positive].sum() - many * (many + 1) / 2) / (many * rest))
