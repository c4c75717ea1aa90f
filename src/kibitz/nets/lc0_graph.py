"""An Lc0 network as a graph.

Input: `planes` [n, 112, 8, 8], from the mover's side, row 0 being its first rank. Everything comes out for
the side to move:

- `policy` [n, 1858]: logits in the order of `lc0_moves.moves()`;
- `outcome` [n, 4]: win, draw, loss, and 0 (chess has no score);
- `details` [n, 1 or more]: the moves left where the network knows them, else -1; then what a style head says.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from kibitz.nets.graph import Graph, Range
from kibitz.nets.lc0 import STYLE_DETAILS, Lc0Model, Residual, StyleHead
from kibitz.nets.lc0_attention_graph import attention_body, attention_policy
from kibitz.nets.lc0_layers import Dense, FoldedConv
from kibitz.nets.lc0_moves import conv_policy_places

DETAILS = ("moves_left",)


def lc0_graph(
    model: Lc0Model,
    ranges: Mapping[str, Range] | None = None,
    *,
    stem: bool = False,
    **quantization: Any,
) -> Graph:
    """The whole network. With `stem` the first convolution is done outside, but for its bias: the input
    `stem` [n, 8, 8, channels] takes the place of `planes`."""
    graph = Graph("lc0", ranges, **quantization)
    first, body = model.first, model.body
    # Without a tower the embedding is the first convolution, and more is added to it.
    kind = model.activation
    first_kind = kind if model.tower else "identity"
    planes = None if stem else graph.input("planes", (first.weights.shape[1], 8, 8))
    if planes is None:
        points = graph.node("Transpose", graph.input("stem", (8, 8, first.outputs)), perm=[0, 3, 1, 2])
        bias = graph.constant(first.bias.reshape(1, first.outputs, 1, 1))
        value = graph.activation(first_kind, graph.add(points, bias))
    else:
        value = graph.conv(
            planes, first.weights, first.bias, activation=first_kind, name="first", place="first"
        )
    for number, block in enumerate(model.tower):
        value = _residual(graph, value, block, kind, f"tower.{number}")
    if body is not None:
        value = attention_body(graph, body, value, planes, kind)
    _policy(graph, model, value)
    left = _value(graph, model, value)
    details = left if model.style is None else graph.concat(left, _style(graph, model.style, value))
    graph.output("details", details, (len(details_of(model)),))
    return graph


def details_of(model: Lc0Model) -> tuple[str, ...]:
    """The columns of `details`."""
    return DETAILS if model.style is None else (*DETAILS, *STYLE_DETAILS[: len(model.style.out.bias)])


def _style(graph: Graph, head: StyleHead, value: str) -> str:
    mean = graph.flatten(graph.node("GlobalAveragePool", value))
    return graph.node("Sigmoid", _dense(graph, _dense(graph, mean, head.hidden, "silu"), head.out))


def _conv(
    graph: Graph, value: str, conv: FoldedConv, kind: str, name: str = "", place: str = "inside"
) -> str:
    return graph.conv(value, conv.weights, conv.bias, activation=kind, name=name, place=place)


def _dense(graph: Graph, value: str, layer: Dense, kind: str = "identity") -> str:
    return graph.dense(value, layer.weights, layer.bias, kind)


def _residual(graph: Graph, value: str, block: Residual, kind: str, name: str) -> str:
    inner = _conv(graph, value, block.conv1, kind, f"{name}.conv1")
    inner = _conv(graph, inner, block.conv2, "identity", f"{name}.conv2")
    if block.se is not None:
        channels = block.conv2.outputs
        pooled = graph.flatten(graph.node("GlobalAveragePool", inner))
        excited = _dense(graph, _dense(graph, pooled, block.se.squeeze, kind), block.se.excite)
        gate = graph.node("Sigmoid", graph.columns(excited, 0, channels))
        offset = graph.columns(excited, channels, 2 * channels)
        inner = graph.multiply(inner, graph.as_planes(gate, channels))
        inner = graph.add(inner, graph.as_planes(offset, channels))
    return graph.activation(kind, graph.add(inner, value))


def _policy(graph: Graph, model: Lc0Model, value: str) -> None:
    places = conv_policy_places()
    if model.attention_policy is not None:
        logits = attention_policy(graph, model.attention_policy, value)
        graph.output("policy", logits, (len(places),))
        return
    assert model.policy_conv is not None
    if model.policy_dense is not None:
        planes = graph.flatten(_conv(graph, value, model.policy_conv, model.activation))
        logits = _dense(graph, planes, model.policy_dense)
    else:
        assert model.policy_first is not None
        value = _conv(graph, value, model.policy_first, model.activation, "policy.first", "edge")
        planes = graph.flatten(_conv(graph, value, model.policy_conv, "identity", "policy.conv", "last"))
        logits = graph.node("Gather", planes, graph.constant(places, np.int64), axis=1)
    graph.output("policy", logits, (len(places),))


def _value(graph: Graph, model: Lc0Model, value: str) -> str:
    """Adds the outcome; returns the moves left."""
    planes = graph.flatten(_conv(graph, value, model.value_conv, model.activation))
    out = _dense(graph, _dense(graph, planes, model.value_hidden, model.activation), model.value_out)
    if model.wdl:
        chances = graph.node("Softmax", out, axis=1)
        score = graph.scaled(graph.columns(chances, 0, 1), 0.0)
        outcome = graph.concat(chances, score)
    else:
        # One number from -1 to 1: half its distance from either end is the chance of the other.
        half = graph.scaled(graph.node("Tanh", out), 0.5)
        win = graph.add(half, graph.constant([0.5]))
        loss = graph.node("Sub", graph.constant([0.5]), half)
        nothing = graph.scaled(half, 0.0)
        outcome = graph.concat(win, nothing, loss, nothing)
    graph.output("outcome", outcome, (4,))
    if model.moves_left is None:
        return graph.add(graph.scaled(graph.columns(outcome, 0, 1), 0.0), graph.constant([-1.0]))
    planes = graph.flatten(_conv(graph, value, model.moves_left.conv, model.activation))
    hidden = _dense(graph, planes, model.moves_left.hidden, model.activation)
    return _dense(graph, hidden, model.moves_left.out, "relu")
