"""Networks of our own behind the interface of a family."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz import _native
from kibitz.errors import BadOption
from kibitz.nets.family import Boards, Definition, Family, Shape
from kibitz.nets.files import NetworkFile
from kibitz.nets.graph import Graph, Range
from kibitz.nets.own.core import CoreSession, core_network
from kibitz.nets.own.file import MAGIC, OwnModel, read_own

#: Policies that are no point of the board.
_CHESS_POLICY = 1858


class _Own(Definition):
    family = "kibitz"
    model: OwnModel

    @property
    def game(self) -> str:  # type: ignore[override]
        return self.model.arch.game

    @property
    def boards(self) -> Boards:  # type: ignore[override]
        arch = self.model.arch
        if not arch.rows:
            return Boards(19, 2, 19)
        return Boards(arch.rows, arch.rows, arch.rows, arch.columns if arch.columns != arch.rows else 0)

    @property
    def inputs(self) -> tuple[str, ...]:  # type: ignore[override]
        return ("globals",) if self.model.arch.globals else ()

    @property
    def heads(self) -> tuple[str, ...]:  # type: ignore[override]
        return ("ownership",) if self.model.arch.has_ownership else ()

    @property
    def details(self) -> tuple[str, ...]:  # type: ignore[override]
        if self.model.arch.layout == "accumulator":
            return ()
        from kibitz.nets.own.graph import details_of

        return details_of(self.model.arch)

    @property
    def name(self) -> str:
        return str(self.model.about.get("name") or self.path.name.removesuffix(".knet"))

    @property
    def version(self) -> int:
        return self.model.version

    @property
    def depth(self) -> int:
        arch = self.model.arch
        return 1 if arch.layout == "accumulator" else arch.blocks

    @property
    def blocks(self) -> Mapping[str, int]:
        arch = self.model.arch
        if arch.layout == "accumulator":
            return {"accumulator": 1}
        if arch.layout == "residual":
            return {"residual": arch.blocks, "squeeze-excitation": arch.blocks}
        return Counter("pooling" if pools else "ordinary" for pools in arch.pooled_blocks)

    @property
    def channels(self) -> int:
        return self.model.arch.filters

    @property
    def facts(self) -> Mapping[str, Any]:
        from kibitz.nets.own.graph import facts_of

        about = self.model.about
        plain = {name: value for name, value in about.items() if isinstance(value, (str, int, float))}
        return {**facts_of(self.model.arch), **{key: value for key, value in plain.items() if key != "name"}}

    @property
    def first(self) -> npt.NDArray[np.float32] | None:
        return None if self.core is not None else self.model.tensors["first.weights"]

    def sizes(self, rows: int, columns: int) -> Shape:
        arch = self.model.arch
        policy = _CHESS_POLICY
        if arch.layout == "pooling":
            policy = arch.policy_planes * rows * columns + int(arch.has_pass)
        return Shape(arch.planes, rows, columns, arch.globals, policy)

    def written(self, state: Any) -> Any:
        planes = self.model.arch.style_planes.split()
        return state.written_as("classical", planes) if planes else state

    @cached_property
    def core(self) -> _native.ChessAccumulators | None:
        return core_network(self.model.arch, self.model.tensors)

    def core_session(self) -> CoreSession | None:
        return None if self.core is None else CoreSession(self.core)

    def graph(
        self,
        shape: Shape,
        ranges: Mapping[str, Range] | None = None,
        *,
        stem: bool = False,
        **quantization: bool | int,
    ) -> Graph:
        model = self.model
        if self.core is not None:
            raise BadOption(
                f"{self.name} is no graph: its layout, {model.arch.layout}, runs in the core alone"
            )
        from kibitz.nets.own.graph import own_graph

        return own_graph(
            model.arch, model.tensors, self.name, shape.rows, shape.columns, ranges, stem=stem, **quantization
        )


def _read(file: NetworkFile) -> Definition:
    return _Own(file, read_own(file))


FAMILY = Family(
    name="kibitz",
    title="a Kibitz network",
    suffixes=(".knet",),
    games=(),
    recognizes=lambda head: head.startswith(MAGIC),
    read=_read,
)
