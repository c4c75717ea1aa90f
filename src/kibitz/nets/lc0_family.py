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
from kibitz.nets.lc0_attention import Encoder
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
        return len(self.model.tower) + len(self._encoders)

    @property
    def _encoders(self) -> tuple[Encoder, ...]:
        return () if self.model.body is None else self.model.body.encoders

    @property
    def blocks(self) -> Mapping[str, int]:
        with_se = sum(block.se is not None for block in self.model.tower)
        residual = {"residual": len(self.model.tower), "squeeze-excitation": with_se}
        if not self._encoders:
            return residual
        smolgen = sum(encoder.smolgen is not None for encoder in self._encoders)
        return {**(residual if self.model.tower else {}), "encoder": len(self._encoders), "smolgen": smolgen}

    @property
    def channels(self) -> int:
        return self.model.first.outputs if self.model.body is None else self.model.body.channels

    @property
    def facts(self) -> Mapping[str, Any]:
        model = self.model
        facts: dict[str, Any] = {
            "policy": model.policy,
            "value": "win-draw-loss" if model.wdl else "scalar",
            "movesLeft": model.moves_left is not None,
        }
        if model.input != "classical":
            facts["input"] = model.input
        if len(model.policy_heads) + len(model.value_heads) > 2:
            facts["policyHeads"] = list(model.policy_heads)
            facts["valueHeads"] = list(model.value_heads)
        return facts

    @property
    def first(self) -> npt.NDArray[np.float32] | None:
        if self.model.body is not None and self.model.body.board is not None:
            return None  # more than the first convolution sees the planes
        return self.model.first.weights

    def written(self, state: Any) -> Any:
        return state if self.model.input == "classical" else state.written_as(self.model.input)

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
