"""Lc0's files around an ONNX model (`lc0 onnx2leela`): the file tells the names of its input and outputs."""

from __future__ import annotations

from dataclasses import dataclass

from kibitz.nets.files import BadNetwork, NetworkFile
from kibitz.nets.graph import Graph
from kibitz.nets.lc0_format import Unsupported, read_format
from kibitz.nets.lc0_moves import moves
from kibitz.nets.onnx_import import OnnxParts, read_onnx
from kibitz.nets.protobuf import Message, WireError

_DATA_TYPES = (0, 1, 10, 16)


@dataclass(frozen=True)
class Lc0Onnx:
    """`parts` of the model, and which of their values are the network's answers; empty where there is none.
    `wdl_output` has chances, `value_output` a number from -1 to 1."""

    parts: OnnxParts
    input: str
    planes: str
    policy_output: str
    wdl_output: str
    value_output: str
    moves_left_output: str

    @property
    def wdl(self) -> bool:
        return bool(self.wdl_output)

    @property
    def moves_left(self) -> str | None:
        return self.moves_left_output or None


def is_wrapped_onnx(file: NetworkFile) -> bool:
    try:
        net = Message(file.data)
        return net.has(11) and not net.has(10)
    except WireError:
        return False  # whoever reads it says what is wrong


def read_lc0_onnx(file: NetworkFile) -> Lc0Onnx:
    """Parses the file; raises `BadNetwork` with one line that says what was wrong or unsupported."""
    try:
        return _read(Message(file.data))
    except WireError as error:
        raise BadNetwork(f"{file.path}: damaged Lc0 network: {error}") from None
    except Unsupported as error:
        raise BadNetwork(f"{file.path}: {error}") from None


def _read(net: Message) -> Lc0Onnx:
    form = read_format(net.message(4, "the format"), Message(b""))
    wrapped = net.message(11, "the ONNX model")
    if wrapped.integer(2) not in _DATA_TYPES:
        raise Unsupported(f"an ONNX model of data type {wrapped.integer(2)} in an Lc0 file")
    parts = read_onnx(wrapped.raw(1))
    planes, value, wdl, policy, left = (wrapped.text(number) for number in (3, 4, 5, 6, 7))
    for name, what in ((policy, "policy"), (wdl or value, "value")):
        if not name or not parts.has(name):
            raise WireError(f"no {what} {name!r} in the ONNX model")
    if left and not parts.has(left):
        raise WireError(f"no moves left {left!r} in the ONNX model")
    return Lc0Onnx(parts, form.input, planes, policy, wdl, "" if wdl else value, left)


def lc0_onnx_graph(model: Lc0Onnx) -> Graph:
    """The graph with the inputs and outputs of every Lc0 network (`lc0_graph.py`)."""
    graph = Graph("lc0")
    graph.input("planes", (112, 8, 8))
    model.parts.add_to(graph, {model.planes: "planes"})
    graph.output("policy", model.parts.named(model.policy_output), (len(moves()),))
    if model.wdl:
        chances = model.parts.named(model.wdl_output)
        nothing = graph.scaled(graph.columns(chances, 0, 1), 0.0)
        outcome = graph.concat(chances, nothing)
    else:
        half = graph.scaled(model.parts.named(model.value_output), 0.5)
        nothing = graph.scaled(half, 0.0)
        win = graph.add(half, graph.constant([0.5]))
        loss = graph.node("Sub", graph.constant([0.5]), half)
        outcome = graph.concat(win, nothing, loss, nothing)
    graph.output("outcome", outcome, (4,))
    left = graph.add(nothing, graph.constant([-1.0]))
    if model.moves_left_output:
        left = model.parts.named(model.moves_left_output)
    graph.output("details", left, (1,))
    return graph
