"""An ONNX model as a graph: read by its wire format, so that the core can run what it knows without the onnx
package.

Only what networks of boards are made of: one graph, constants as float, half, brain float or integers. Half
precision becomes single. The numbers of fields are those of ONNX's `onnx.proto`.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.nets.graph import Graph, Node
from kibitz.nets.protobuf import Message, WireError

Array = npt.NDArray[Any]

_OPSETS = range(13, 23)
_MAX_NODES = 100_000
_FLOAT, _INT32, _INT64, _FLOAT16, _DOUBLE, _BFLOAT16 = 1, 6, 7, 10, 11, 16
_RAW_TYPES = {_FLOAT: "<f4", _INT32: "<i4", _INT64: "<i8", _FLOAT16: "<f2", _DOUBLE: "<f8", _BFLOAT16: "<u2"}
_FLOATS = (_FLOAT, _FLOAT16, _DOUBLE, _BFLOAT16)
#: Attributes by their type: a float, an integer, text, a tensor, floats, integers.
_F, _I, _S, _T, _FLOAT_LIST, _INT_LIST = 1, 2, 3, 4, 6, 7


class OnnxParts:
    """Nodes and constants of a model, under names no graph makes itself."""

    def __init__(self, model: bytes | memoryview) -> None:
        whole = Message(model, "the ONNX model")
        versions = [item.integer(2) for item in whole.messages(8) if item.text(1) in ("", "ai.onnx")]
        if not versions or versions[0] not in _OPSETS:
            raise WireError(f"an ONNX model of opset {versions[0] if versions else 'unknown'}")
        graph = whole.message(7, "the ONNX graph")
        nodes = graph.messages(1, "a node")
        if len(nodes) > _MAX_NODES:
            raise WireError(f"an ONNX model of {len(nodes)} nodes")
        self.constants: dict[str, Array] = {}
        for tensor in graph.messages(5, "a constant"):
            self.constants[_own(tensor.text(8))] = _tensor(tensor)
        self.nodes: list[Node] = []
        for node in nodes:
            self._add(node)

    @property
    def convolutions(self) -> int:
        return sum(node.op == "Conv" for node in self.nodes)

    def add_to(self, graph: Graph, inputs: Mapping[str, str]) -> None:
        """Adds everything to a graph; `inputs` are the model's own, by the names of the graph's."""
        given = {_own(name): value for name, value in inputs.items()}
        graph.constants.update(self.constants)
        for node in self.nodes:
            names = tuple(given.get(name, name) for name in node.inputs)
            graph.nodes.append(Node(node.op, names, node.output, node.attributes))

    def has(self, name: str) -> bool:
        return any(node.output == _own(name) for node in self.nodes)

    @staticmethod
    def named(name: str) -> str:
        """What a graph calls a value of the model."""
        return _own(name)

    def _constant(self, values: Any, like: str) -> str:
        name = f"{like}:{len(self.constants)}"
        self.constants[name] = np.ascontiguousarray(np.asarray(values, np.int64))
        return name

    def _add(self, message: Message) -> None:
        op, domain = message.text(4), message.text(7)
        if domain not in ("", "ai.onnx"):
            raise WireError(f"an ONNX operation {op} of {domain}")
        inputs = tuple(_own(name) for name in _texts(message, 1))
        outputs = tuple(_own(name) for name in _texts(message, 2))
        attributes = dict(_attribute(item) for item in message.messages(5, "an attribute"))
        if not outputs:
            raise WireError(f"an ONNX operation {op} without an output")
        if op == "Constant":
            self.constants[outputs[0]] = np.asarray(attributes["value"])
        elif op == "Cast" and attributes.get("to") in _FLOATS:
            self.nodes.append(Node("Identity", inputs, outputs[0], {}))
        elif op == "Split":
            self._add_split(inputs, outputs, attributes)
        elif op == "ReduceMean" and "axes" in attributes:
            axes = self._constant(attributes.pop("axes"), outputs[0])
            self.nodes.append(Node(op, (*inputs, axes), outputs[0], attributes))
        elif len(outputs) > 1:
            raise WireError(f"an ONNX operation {op} with {len(outputs)} outputs")
        else:
            self.nodes.append(Node(op, inputs, outputs[0], attributes))

    def _size(self, name: str, axis: int) -> int:
        """The size of a value that was given its shape, or is a matrix product, perhaps with something
        added."""
        for node in reversed(self.nodes):
            if node.output != name:
                continue
            known = [self.constants[part].shape[-1] for part in node.inputs if part in self.constants]
            if node.op == "Reshape" and known and (size := int(self.constants[node.inputs[1]][axis])) > 0:
                return size
            if node.op in ("Add", "MatMul", "Gemm") and known:
                return int(known[-1])
            break
        raise WireError("an ONNX split into parts of unknown size")

    def _add_split(
        self, inputs: tuple[str, ...], outputs: tuple[str, ...], attributes: Mapping[str, Any]
    ) -> None:
        """Slices, which have one output each."""
        if len(inputs) > 1 and inputs[1] in self.constants:
            sizes = self.constants[inputs[1]].tolist()
        else:
            whole = self._size(inputs[0], attributes.get("axis", 0))
            sizes = [whole // len(outputs)] * len(outputs)
        ends = np.cumsum(sizes).tolist()
        if len(ends) != len(outputs):
            raise WireError("an ONNX split into another number of parts")
        for start, end, output in zip([0, *ends], ends, outputs, strict=False):
            places = ([start], [end], [attributes.get("axis", 0)], [1])
            names = (self._constant(place, output) for place in places)
            self.nodes.append(Node("Slice", (inputs[0], *names), output, {}))


def read_onnx(model: bytes | memoryview) -> OnnxParts:
    """The parts of a serialized model; raises `WireError`."""
    return OnnxParts(model)


def _own(name: str) -> str:
    return f"onnx:{name}" if name else ""


def _texts(message: Message, number: int) -> list[str]:
    values = message.fields.get(number, [])
    if any(isinstance(value, int) for value in values):
        raise WireError(f"field {number} of {message.what} is no text")
    return [bytes(value).decode("utf-8", "replace") for value in values if not isinstance(value, int)]


def _integers(message: Message, number: int) -> list[int]:
    """Repeated integers, packed or one by one."""
    numbers: list[int] = []
    for value in message.fields.get(number, []):
        if isinstance(value, int):
            numbers.append(value)
            continue
        place = shift = current = 0
        for place in range(len(value)):
            current |= (value[place] & 0x7F) << shift
            shift += 7
            if value[place] < 0x80:
                numbers.append(current)
                shift = current = 0
            elif shift > 63:
                raise WireError(f"{message.what} has a number of more than 64 bits")
        if shift:
            raise WireError(f"{message.what} ends within a number")
    return [number - (1 << 64) if number >> 63 else number for number in numbers]


def _floats(message: Message, number: int) -> list[float]:
    numbers: list[float] = []
    for value in message.fields.get(number, []):
        raw = struct.pack("<I", value & 0xFFFFFFFF) if isinstance(value, int) else bytes(value)
        numbers += np.frombuffer(raw[: len(raw) // 4 * 4], "<f4").tolist()
    return numbers


def _tensor(message: Message) -> Array:
    kind, shape = message.integer(2), _integers(message, 1)
    if kind not in _RAW_TYPES:
        raise WireError(f"an ONNX constant of type {kind}")
    if message.has(13) or message.integer(14):
        raise WireError("an ONNX constant that lies in another file")
    values: Array
    if message.has(9):
        raw = message.raw(9)
        if len(raw) % np.dtype(_RAW_TYPES[kind]).itemsize:
            raise WireError("an ONNX constant that ends within a number")
        values = np.frombuffer(raw, _RAW_TYPES[kind])
    elif kind == _FLOAT:
        values = np.array(_floats(message, 4), np.float32)
    elif kind in (_FLOAT16, _BFLOAT16):
        values = np.array(_integers(message, 5), np.uint16)
        values = values.view(np.float16) if kind == _FLOAT16 else values
    else:
        values = np.array(_integers(message, 5 if kind == _INT32 else 7), np.int64)
    if kind == _BFLOAT16:
        values = (values.astype(np.uint32) << 16).view(np.float32)
    if kind in _FLOATS:
        values = values.astype(np.float32)
        if not np.isfinite(values).all():
            raise WireError("an ONNX constant that is not a number")
    if any(size < 0 for size in shape) or int(np.prod(shape, dtype=object)) != values.size:
        raise WireError(f"an ONNX constant of {values.size} numbers for the shape {shape}")
    return np.ascontiguousarray(values.reshape(shape))


def _attribute(message: Message) -> tuple[str, Any]:
    name, kind = message.text(1), message.integer(20)
    if kind == _F:
        return name, message.real(2)
    if kind == _I:
        return name, (_integers(message, 3) or [0])[-1]
    if kind == _S:
        return name, message.text(4)
    if kind == _T:
        return name, _tensor(message.message(5, "a constant"))
    if kind == _FLOAT_LIST:
        return name, _floats(message, 7)
    if kind == _INT_LIST:
        return name, _integers(message, 8)
    raise WireError(f"an ONNX attribute {name} of type {kind}")
