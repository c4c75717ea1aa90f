"""Networks: files of any family (KataGo, Lc0) as graphs that run here.

>>> network = kibitz.nets.load("b6c96.bin.gz")
>>> policy, outcomes = network(planes, globals)
"""

from __future__ import annotations

from kibitz.nets.families import open_network
from kibitz.nets.files import BadNetwork
from kibitz.nets.quantize import self_play
from kibitz.nets.runtime import PRECISIONS, Evaluation, Network, load
from kibitz.nets.searching import SearchNetwork
from kibitz.nets.session import RUNTIMES
from kibitz.nets.session import installed_runtimes as runtimes
from kibitz.nets.store import find

__all__ = [
    "PRECISIONS",
    "RUNTIMES",
    "BadNetwork",
    "Evaluation",
    "Network",
    "SearchNetwork",
    "find",
    "load",
    "open_network",
    "runtimes",
    "self_play",
]
