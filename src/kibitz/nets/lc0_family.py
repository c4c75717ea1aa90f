"""Lc0's networks behind the interface of a family."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.nets.family import Boards, Definition, Family, Shape
from kibitz.nets.files import NetworkFile
from kibitz.nets.graph import Graph, Range
from kibitz.nets.lc0 import MAGIC, Lc0Model, read_lc0
from kibitz.nets.lc0_graph import DETAILS, lc0_graph

__all__ = ["FAMILY"]


class _Lc0(Definition):
    family = "lc0"
    game = "chess"
    boards = Boards(usual=8, least=8, most=8)
    details = DETAILS
    model: Lc0Model

    @property
    def name(self) -> str:
        return self.path.name.removesuffix(".gz").removesuffix(".pb")

    @property
    def depth(self) -> int:
        return len(self.model.tower)

    @property
    def blocks(self) -> Mapping[str, int]:
        with_se = sum(block.se is not None for block in self.model.tower)
        return {"residual": len(self.model.tower), "squeeze-excitation": with_se}

    @property
    def channels(self) -> int:
        return self.model.first.outputs

    @property
    def facts(self) -> Mapping[str, Any]:
        model = self.model
        return {
            "policy": "convolutional" if model.policy_dense is None else "classical",
            "value": "win-draw-loss" if model.wdl else "scalar",
            "movesLeft": model.moves_left is not None,
        }

    @property
    def first(self) -> npt.NDArray[np.float32]:
        return self.model.first.weights

    def sizes(self, rows: int, columns: int) -> Shape:
        return Shape(112, rows, columns, 0, 1858)

    def graph(
        self,
        shape: Shape,
        ranges: Mapping[str, Range] | None = None,
        *,
        stem: bool = False,
        **quantization: bool | int,
    ) -> Graph:
        return lc0_graph(self.model, ranges, stem=stem, **quantization)


def _read(file: NetworkFile) -> Definition:
    return _Lc0(file, read_lc0(file))


FAMILY = Family(
    name="lc0",
    title="an Lc0 network",
    suffixes=(".pb.gz", ".pb"),
    games=("chess",),
    recognizes=lambda head: head.startswith(MAGIC),
    read=_read,
)
