"""The program of a network while it is put together: values, the steps that make them, who reads what.

Steps are written when all are known. Until then a step can take in the one that follows it, where nobody else
reads what is between them.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz import _native
from kibitz.nets.files import BadNetwork
from kibitz.nets.graph import Graph

Array = npt.NDArray[Any]
#: A function along numbers: its name, the other value or -1, constants, and whether the other value has one
#: number per channel.
Link = tuple[str, int, list[float], bool]

#: What gives numbers another name or shape, and reads nothing by itself.
_RENAMING = ("Reshape", "Flatten", "Identity", "QuantizeLinear", "DequantizeLinear")


class Unsupported(BadNetwork):
    """The graph has something a program cannot do."""

    def __init__(self, what: str) -> None:
        super().__init__(f"the core cannot run the network itself: it has {what}")


@dataclass(frozen=True)
class Value:
    """A value of the program and its shape a position. Planes (channels, rows, columns) lie in memory as
    points by channels, everything else as its shape says."""

    number: int
    shape: tuple[int, ...]
    planes: bool = False
    #: How int8 rounds it: the size of a step and the lowest of 256 steps.
    rounding: tuple[float, int] = (0.0, 0)

    @property
    def points(self) -> int:
        return self.shape[1] * self.shape[2] if self.planes else 1

    @property
    def channels(self) -> int:
        return self.shape[0] if self.planes else math.prod(self.shape)


@dataclass
class Step:
    """A step that is written when all are known; some can still take in what follows them."""

    kind: str
    source: int
    write: Callable[[_native.NetworkProgram, Step], None]
    target: int
    links: list[Link] = field(default_factory=list)
    places: Array | None = None
    residual: int = -1
    relu: bool = False
    #: Of a convolution of one point: functions of one number that follow. None where it takes none.
    functions: list[str] | None = None
    #: Points and channels of a chain.
    layout: tuple[int, int] = (1, 1)


class ProgramBuilder:
    """Values by their names in the graph, and the steps so far. `lowering` has a function per operation."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.program = _native.NetworkProgram()
        self.constants: Mapping[str, Array] = graph.constants
        self.values: dict[str, Value] = {}
        #: Planes the caller brings, channel by channel: only the first convolution may read them.
        self.brought: set[str] = set()
        self.steps: list[Step] = []
        self.makers: dict[int, Step] = {}
        #: Names of the outputs, and the values that are outputs or inputs already.
        self.given = set(graph.outputs)
        self.taken: set[int] = set()
        #: Other names of the same numbers, and how often those are read under any of them.
        self.names: dict[str, str] = {}
        self.reads: Counter[str] = Counter()
        for node in graph.nodes:
            if node.op in _RENAMING:
                self.names[node.output] = self.names.get(node.inputs[0], node.inputs[0])
            else:
                self.reads.update(self.names.get(name, name) for name in node.inputs)
        for name in graph.outputs:
            self.reads[self.names.get(name, name)] += 1
        for name, shape in graph.inputs.items():
            number = self.program.input(math.prod(shape))
            self.taken.add(number)
            self.values[name] = Value(number, shape, planes=len(shape) == 3)
            if len(shape) == 3:
                self.brought.add(name)

    def value(self, name: str) -> Value:
        if name in self.constants:
            raise Unsupported("an operation on constants alone")
        if name in self.brought:
            raise Unsupported("planes that something other than a convolution reads")
        return self.values[name]

    def constant(self, name: str) -> Array:
        if name not in self.constants:
            raise Unsupported("weights that are computed")
        return self.constants[name]

    def vector(self, name: str) -> Value:
        """The value with its numbers in the order the graph means."""
        value = self.value(name)
        if not value.planes:
            return value
        channels, points = value.channels, value.points
        if channels == 1 or points == 1:
            return Value(value.number, value.shape)
        places = np.arange(points * channels).reshape(points, channels).T
        return Value(self.gather(value.number, places, self.alone(name)).number, value.shape)

    def alone(self, name: str, reads: int = 1) -> bool:
        """Whether the numbers of this name are read once, or as often as one reader reads them."""
        return self.reads[self.names.get(name, name)] == reads

    def maker(self, name: str, *kinds: str, reads: int = 1) -> Step | None:
        """The step that makes a value nobody else reads, so that it may take in what follows it."""
        if not self.alone(name, reads) or name not in self.values:
            return None
        step = self.makers.get(self.values[name].number)
        return step if step is not None and step.kind in kinds else None

    def append(self, step: Step) -> None:
        self.steps.append(step)
        self.makers[step.target] = step

    def drop(self, step: Step) -> None:
        self.steps.remove(step)
        del self.makers[step.target]

    def new(self, shape: tuple[int, ...], planes: bool = False) -> Value:
        return Value(self.program.value(math.prod(shape)), shape, planes)

    def spread(self, value: Value, shape: tuple[int, ...]) -> Value:
        if value.shape == shape:
            return value
        places = np.broadcast_to(np.arange(math.prod(value.shape)).reshape(value.shape), shape)
        return Value(self.gather(value.number, places).number, shape)

    def chained(self, name: str, value: Value, link: Link) -> Value:
        return self._chained(name, value, link, value.points, value.channels)

    def chained_points(self, name: str, value: Value, link: Link) -> Value:
        """The same with a constant for every number of the planes, not one for each channel."""
        return self._chained(name, value, link, 1, value.points * value.channels)

    def _chained(self, name: str, value: Value, link: Link, points: int, channels: int) -> Value:
        before = self.maker(name, "chain") if name else None
        if before is not None and before.layout != (points, channels):
            before = None
        if before is not None:
            self.drop(before)
        made = self.new(value.shape, value.planes)

        def write(program: _native.NetworkProgram, step: Step) -> None:
            program.elementwise(step.source, step.target, points, channels, step.links)

        links = [*before.links, link] if before else [link]
        source = before.source if before else value.number
        self.append(Step("chain", source, write, made.number, links, layout=(points, channels)))
        return made

    def gather(self, source: int, places: Array, alone: bool = False) -> Value:
        """Numbers of a value picked by their places. `alone`: nobody else reads the value."""
        places = np.ascontiguousarray(places)
        before = self.makers.get(source)
        if before is not None and before.places is not None:
            places = before.places.reshape(-1)[places]
            source = before.source
            if alone:
                self.drop(before)
        made = self.new(places.shape)
        flat = [int(place) for place in places.reshape(-1)]

        def write(program: _native.NetworkProgram, step: Step) -> None:
            program.gather(step.source, step.target, flat)

        self.append(Step("gather", source, write, made.number, places=places))
        return made

    def picked(self, name: str, places: Array) -> Value:
        vector = self.vector(name)
        return self.gather(vector.number, places, self.alone(name))

    def finish(self) -> _native.NetworkProgram:
        """The program, with every step written."""
        for step in self.steps:
            step.write(self.program, step)
        for name in self.graph.outputs:
            self.program.output(self.values[name].number)
        self.program.finish()
        return self.program
