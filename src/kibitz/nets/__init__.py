"""Networks: KataGo and Lc0 files as ONNX graphs that run here.

>>> network = kibitz.nets.load("b6c96.bin.gz")
>>> policy, outcomes = network(planes, globals)
"""

from __future__ import annotations

from kibitz.nets.files import BadNetwork
from kibitz.nets.quantize import Player, collect, positions_for, self_play
from kibitz.nets.runtime import PRECISIONS, Calibration, Evaluation, Network, Shape, load
from kibitz.nets.session import RUNTIMES
from kibitz.nets.store import find
from kibitz.nets.tune import Tuning

__all__ = [
    "PRECISIONS",
    "RUNTIMES",
    "BadNetwork",
    "Calibration",
    "Evaluation",
    "Network",
    "Player",
    "Shape",
    "Tuning",
    "collect",
    "find",
    "load",
    "positions_for",
    "self_play",
]
