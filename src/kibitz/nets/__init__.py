"""Networks: files of any family (KataGo, Lc0) as graphs that run here.

>>> network = kibitz.nets.load("b6c96.bin.gz")
>>> policy, outcomes = network(planes, globals)
"""

from __future__ import annotations

from kibitz.nets.families import families, open_network
from kibitz.nets.family import Boards, Definition, Family, Shape
from kibitz.nets.files import BadNetwork
from kibitz.nets.int8_ranges import Calibration
from kibitz.nets.quantize import Player, collect, positions_for, self_play
from kibitz.nets.runtime import PRECISIONS, Evaluation, Network, load
from kibitz.nets.searching import SearchNetwork
from kibitz.nets.session import RUNTIMES
from kibitz.nets.session import installed_runtimes as runtimes
from kibitz.nets.store import find
from kibitz.nets.tune import Tuning

__all__ = [
    "PRECISIONS",
    "RUNTIMES",
    "BadNetwork",
    "Boards",
    "Calibration",
    "Definition",
    "Evaluation",
    "Family",
    "Network",
    "Player",
    "SearchNetwork",
    "Shape",
    "Tuning",
    "collect",
    "families",
    "find",
    "load",
    "open_network",
    "positions_for",
    "runtimes",
    "self_play",
]
