"""A graph as an ONNX model, for the runtimes that read ONNX. Needs the extra `kibitz[onnx]`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kibitz.errors import NotInstalled
from kibitz.nets.files import BadNetwork

if TYPE_CHECKING:
    from kibitz.nets.graph import Graph

_OPSET = 18
_IR_VERSION = 9


def onnx_model(graph: Graph) -> bytes:
    """The serialized model."""
    from kibitz.nets.onnx_composites import written_out

    try:
        import onnx
        from onnx import TensorProto, helper, numpy_helper
    except ImportError:
        raise NotInstalled("onnx", "an ONNX model") from None

    def values(shapes: dict[str, tuple[int, ...] | None]) -> list[onnx.ValueInfoProto]:
        return [
            helper.make_tensor_value_info(name, TensorProto.FLOAT, None if shape is None else ["n", *shape])
            for name, shape in shapes.items()
        ]

    nodes, constants = written_out(graph)
    made = helper.make_graph(
        [helper.make_node(node.op, list(node.inputs), [node.output], **node.attributes) for node in nodes],
        graph.name,
        values({**graph.inputs}),
        values(graph.outputs),
        [numpy_helper.from_array(array, name) for name, array in constants.items()],
    )
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", _OPSET)], producer_name="kibitz")
    model.ir_version = _IR_VERSION
    try:
        return bytes(model.SerializeToString())
    except Exception as error:  # protobuf's own error type differs between its versions
        raise BadNetwork(f"the network is too large for one ONNX graph ({error})") from None
