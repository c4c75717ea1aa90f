"""Networks: KataGo and Lc0 files as ONNX graphs that run here.

>>> network = kibitz.nets.load("b6c96.bin.gz")
>>> policy, outcomes = network(planes, globals)
"""

from __future__ import annotations

from kibitz.nets.files import BadNetwork
from kibitz.nets.runtime import Evaluation, Network, Shape, load

__all__ = ["BadNetwork", "Evaluation", "Network", "Shape", "load"]
