"""KataGo's networks behind the interface of a family."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from copy import copy
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.nets.family import Boards, Definition, Family, Shape
from kibitz.nets.files import NetworkFile
from kibitz.nets.graph import Graph, Range
from kibitz.nets.katago import KataGoModel, read_katago
from kibitz.nets.katago_graph import DEFAULT_PROFILE, DETAILS, katago_graph
from kibitz.nets.katago_profiles import Profile, read_profile

#: A name, the version, and the numbers of planes and global inputs.
_HEADER = re.compile(rb"\s*[!-~]{1,255}\s+\d{1,9}\s+\d{1,9}\s+\d{1,9}\s")


class _KataGo(Definition):
    family = "katago"
    game = "go"
    boards = Boards(usual=19, least=2, most=19)
    heads = ("ownership",)
    details = DETAILS
    model: KataGoModel
    #: The players that a human network imitates, and whose turn it is.
    _imitates: tuple[Profile, int] | None = None

    @property
    def profile(self) -> str | None:
        if self.model.trunk.metadata is None:
            return None
        return DEFAULT_PROFILE if self._imitates is None else self._imitates[0].name

    def imitating(self, profile: str, side: int) -> Definition:
        if self.model.trunk.metadata is None:
            return super().imitating(profile, side)
        other = copy(self)
        other._imitates = (read_profile(profile), side)
        return other

    @property
    def name(self) -> str:
        return self.model.name

    @property
    def version(self) -> int:
        return self.model.version

    @property
    def inputs(self) -> tuple[str, ...]:  # type: ignore[override]
        return ("globals", "optimism") if self.model.policy_channels > 1 else ("globals",)

    @property
    def depth(self) -> int:
        return len(self.model.trunk.blocks)

    @property
    def blocks(self) -> Mapping[str, int]:
        return Counter(type(block).__name__.lower() for block in self.model.trunk.blocks)

    @property
    def channels(self) -> int:
        return self.model.trunk.channels

    @property
    def facts(self) -> Mapping[str, Any]:
        facts = {"policies": self.model.policy_channels}
        return facts if self.profile is None else {**facts, "profile": self.profile}

    @property
    def first(self) -> npt.NDArray[np.float32] | None:
        first = self.model.trunk.first
        return first.weights if first.dilation == (1, 1) else None

    def sizes(self, rows: int, columns: int) -> Shape:
        return Shape(22, rows, columns, 19, rows * columns + 1)

    def graph(
        self,
        shape: Shape,
        ranges: Mapping[str, Range] | None = None,
        *,
        stem: bool = False,
        **quantization: bool | int,
    ) -> Graph:
        return katago_graph(
            self.model,
            shape.rows,
            shape.columns,
            ranges,
            stem=stem,
            imitates=self._imitates,
            **quantization,
        )


def _read(file: NetworkFile) -> Definition:
    return _KataGo(file, read_katago(file))


FAMILY = Family(
    name="katago",
    title="a KataGo network",
    suffixes=(".bin.gz", ".txt.gz", ".bin", ".txt"),
    games=("go",),
    recognizes=lambda head: _HEADER.match(head) is not None,
    read=_read,
)
