"""A network of our own as a graph: KataGo's or Lc0's, with the heads that only ours have.

`details` are KataGo's columns in Go, Lc0's in chess; then come `moves_left` and `style` where there are such
heads.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kibitz.nets.graph import Graph, Range
from kibitz.nets.katago_graph import DETAILS as KATAGO_DETAILS
from kibitz.nets.katago_graph import KataGoBuilder
from kibitz.nets.lc0 import STYLE_DETAILS
from kibitz.nets.lc0_graph import DETAILS as LC0_DETAILS
from kibitz.nets.lc0_graph import lc0_graph
from kibitz.nets.own.architecture import Architecture
from kibitz.nets.own.models import Tensors, katago_model, lc0_model

#: Plies that a raw output of 1 of the moves-left head stands for.
PLIES = 40.0


def details_of(arch: Architecture) -> tuple[str, ...]:
    extra = STYLE_DETAILS[: arch.style_outputs] if arch.style else ()
    if arch.layout == "accumulator":
        return ()
    if arch.layout == "residual":
        return (*LC0_DETAILS, *extra)
    left = ("moves_left",) if arch.moves_left else ()
    return (*KATAGO_DETAILS, *left, *extra)


def own_graph(
    arch: Architecture,
    tensors: Tensors,
    name: str,
    rows: int,
    columns: int,
    ranges: Mapping[str, Range] | None = None,
    *,
    stem: bool = False,
    **quantization: bool | int,
) -> Graph:
    if arch.layout == "residual":
        return lc0_graph(lc0_model(arch, tensors), ranges, stem=stem, **quantization)
    graph = Graph(name, ranges, **quantization)  # type: ignore[arg-type]
    _Builder(graph, arch, tensors, rows, columns).build(stem)
    return graph


def _dense(graph: Graph, tensors: Tensors, value: str, key: str, activation: str = "identity") -> str:
    return graph.dense(value, tensors[f"{key}.weights"], tensors[f"{key}.bias"], activation)


def _aux(graph: Graph, tensors: Tensors, trunk: str, key: str) -> str:
    mean = graph.flatten(graph.node("GlobalAveragePool", trunk))
    return _dense(graph, tensors, _dense(graph, tensors, mean, f"{key}.hidden", "silu"), f"{key}.out")


def _style(graph: Graph, tensors: Tensors, trunk: str) -> str:
    return graph.node("Sigmoid", _aux(graph, tensors, trunk, "style"))


class _Builder(KataGoBuilder):
    def __init__(self, graph: Graph, arch: Architecture, tensors: Tensors, rows: int, columns: int) -> None:
        super().__init__(graph, katago_model(arch, tensors), rows, columns)
        self.arch = arch
        self.tensors = tensors
        self.has_pass, self.has_ownership = arch.has_pass, arch.has_ownership
        self.extra: list[str] = []

    def heads(self, trunk: str, features: str) -> None:
        if self.arch.moves_left:
            left = self.graph.node("Softplus", _aux(self.graph, self.tensors, trunk, "moves_left"))
            self.extra.append(self.graph.scaled(left, PLIES))
        if self.arch.style:
            self.extra.append(_style(self.graph, self.tensors, trunk))
        super().heads(trunk, features)

    def policy(self, trunk: str) -> None:
        """Plane after plane, where there are several moves at a point."""
        if self.arch.policy_planes == 1:
            super().policy(trunk)
            return
        graph, head = self.graph, self.model.policy
        value, pooled = self.before_policy(trunk)
        logits = graph.flatten(self.plain_conv(value, head.to_points))
        if self.has_pass:
            logits = graph.concat(logits, self.pooled_dense(pooled, head.to_pass))
        size = self.arch.policy_planes * self.area + int(self.has_pass)
        graph.output("policy", logits, (size,))

    def outcome(self, logits: str, features: str) -> str:
        """Only Go has games without a result, and rules that know none."""
        if self.arch.game == "go":
            return super().outcome(logits, features)
        return self.graph.node("Softmax", logits, axis=1)

    def details(self, *columns: str) -> None:
        names = details_of(self.arch)
        self.graph.output("details", self.graph.concat(*columns, *self.extra), (len(names),))


def facts_of(arch: Architecture) -> dict[str, Any]:
    """What `kibitz nets info` shows of an architecture."""
    facts = {"layout": arch.layout, "activation": arch.activation, "heads": ", ".join(_heads(arch))}
    return {**facts, "stylePlanes": arch.style_planes} if arch.style_planes else facts


def _heads(arch: Architecture) -> list[str]:
    named = {"ownership": arch.has_ownership, "moves left": arch.moves_left, "style": arch.style}
    return ["policy", "value", *(name for name, there in named.items() if there)]
