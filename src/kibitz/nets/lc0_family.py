"""Lc0's networks behind the interface of a family."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.errors import BadOption
from kibitz.nets.family import Boards, Definition, Family, Shape
from kibitz.nets.files import NetworkFile, read_network_file
from kibitz.nets.graph import Graph, Range
from kibitz.nets.lc0 import MAGIC, Lc0Model, read_lc0
from kibitz.nets.lc0_attention import Encoder
from kibitz.nets.lc0_graph import DETAILS, details_of, lc0_graph
from kibitz.nets.lc0_onnx import Lc0Onnx, is_wrapped_onnx, lc0_onnx_graph, read_lc0_onnx


class _Chess(Definition):
    """What every Lc0 file has in common."""

    family = "lc0"
    game = "chess"
    boards = Boards(usual=8, least=8, most=8)
    details = DETAILS

    @property
    def name(self) -> str:
        return self.path.name.removesuffix(".gz").removesuffix(".pb")

    def written(self, state: Any) -> Any:
        return state if self.model.input == "classical" else state.written_as(self.model.input)

    def sizes(self, rows: int, columns: int) -> Shape:
        return Shape(112, rows, columns, 0, 1858)


class _Lc0(_Chess):
    """Towers and encoder layers, with their weights."""

    model: Lc0Model

    @property
    def details(self) -> tuple[str, ...]:  # type: ignore[override]
        return details_of(self.model)

    def with_heads(self, **heads: str) -> Definition:
        unknown = set(heads) - {"policy", "value"}
        if unknown:
            raise BadOption(f"Lc0 networks have policy and value heads, no {', '.join(sorted(unknown))}")
        file = read_network_file(self.path)
        made = _Lc0(file, read_lc0(file, **heads))
        # What is kept of a network by its digest is not the same for another head.
        names = " ".join(f"{kind}={name}" for kind, name in sorted(heads.items()))
        made.digest = hashlib.sha256(f"{file.digest} {names}".encode()).hexdigest()
        return made

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
        if model.style is not None:
            facts["style"] = True
        if len(model.policy_heads) + len(model.value_heads) > 2:
            facts["policyHeads"] = list(model.policy_heads)
            facts["valueHeads"] = list(model.value_heads)
        return facts

    @property
    def first(self) -> npt.NDArray[np.float32] | None:
        if self.model.body is not None and self.model.body.board is not None:
            return None  # more than the first convolution sees the planes
        return self.model.first.weights

    def graph(
        self,
        shape: Shape,
        ranges: Mapping[str, Range] | None = None,
        *,
        stem: bool = False,
        **quantization: bool | int,
    ) -> Graph:
        return lc0_graph(self.model, ranges, stem=stem, **quantization)


class _WrappedOnnx(_Chess):
    """A file around an ONNX model: nothing of it runs in int8, for its layers have no names here."""

    model: Lc0Onnx

    @property
    def depth(self) -> int:
        return self.model.parts.convolutions

    @property
    def blocks(self) -> Mapping[str, int]:
        return {"onnx nodes": len(self.model.parts.nodes), "convolution": self.depth}

    @property
    def channels(self) -> int:
        first = next((node for node in self.model.parts.nodes if node.op == "Conv"), None)
        weights = None if first is None else self.model.parts.constants.get(first.inputs[1])
        return 0 if weights is None else len(weights)

    @property
    def facts(self) -> Mapping[str, Any]:
        return {
            "format": "ONNX",
            "value": "win-draw-loss" if self.model.wdl else "scalar",
            "movesLeft": self.model.moves_left is not None,
            **({} if self.model.input == "classical" else {"input": self.model.input}),
        }

    def graph(
        self,
        shape: Shape,
        ranges: Mapping[str, Range] | None = None,
        *,
        stem: bool = False,
        **quantization: bool | int,
    ) -> Graph:
        return lc0_onnx_graph(self.model)


def _read(file: NetworkFile) -> Definition:
    if is_wrapped_onnx(file):
        return _WrappedOnnx(file, read_lc0_onnx(file))
    return _Lc0(file, read_lc0(file))


FAMILY = Family(
    name="lc0",
    title="an Lc0 network",
    suffixes=(".pb.gz", ".pb"),
    games=("chess",),
    recognizes=lambda head: head.startswith(MAGIC),
    read=_read,
)
