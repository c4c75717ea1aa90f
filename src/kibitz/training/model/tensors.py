"""A module's weights as the tensors of a network file: batch norms folded, names of `architecture.py`."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from kibitz.errors import BadOption
from kibitz.nets.own.architecture import Architecture, tensor_shapes
from kibitz.training.model.accumulator import MOST_WEIGHT, AccumulatorNet
from kibitz.training.model.layers import NORM_EPSILON
from kibitz.training.model.pooling import PoolingNet
from kibitz.training.model.residual import ResidualNet

Array = npt.NDArray[np.float32]


def make_net(arch: Architecture, norm: str, seed: int) -> Any:
    """A network with random weights, the same for the same seed."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        kinds: dict[str, Any] = {
            "pooling": PoolingNet,
            "residual": ResidualNet,
            "accumulator": AccumulatorNet,
        }
        return kinds[arch.layout](arch, norm)


def file_tensors(net: Any) -> dict[str, Array]:
    """The tensors that `nets.own` writes."""
    with torch.no_grad():
        pairs = {"pooling": _pooling, "residual": _residual, "accumulator": _accumulator}[net.arch.layout](
            net
        )
        arrays = {name: value.detach().float().cpu().contiguous().numpy() for name, value in pairs}
    expected = tensor_shapes(net.arch)
    shapes = {name: tuple(value.shape) for name, value in arrays.items()}
    assert shapes == expected, set(shapes.items()) ^ set(expected.items())
    return arrays


def module_state(net: Any, arch: Architecture, tensors: Mapping[str, Array]) -> dict[str, Any]:
    """A file's tensors as a module's state, for towers: batch norms, which a file has folded into its
    convolutions, become ones that change nothing."""
    if net.arch.layout == "accumulator" or arch.layout != net.arch.layout:
        raise BadOption(f"a network {net.arch.layout} does not begin with the weights of one {arch.layout}")
    if (arch.filters, arch.blocks) != (net.arch.filters, net.arch.blocks):
        raise BadOption(
            f"the file's tower has {arch.filters} filters x {arch.blocks} blocks, "
            f"not {net.arch.filters} x {net.arch.blocks}"
        )
    return _pooling_state(net, tensors) if arch.layout == "pooling" else _residual_state(net, arch, tensors)


def _pooling_state(net: PoolingNet, tensors: Mapping[str, Array]) -> dict[str, Any]:
    """Norms of the fixed kind are in the file as they are: every tensor is a parameter, some transposed."""
    if net.tip.kind != "fixed":
        raise BadOption("a network pooling begins with the weights of a file only where norm is fixed")
    filled = copy.deepcopy(net)
    with torch.no_grad():
        for name, parameter in _pooling(filled):
            if name in tensors and tensors[name].shape == tuple(parameter.shape):
                parameter.copy_(torch.from_numpy(tensors[name].copy()))
            elif not name.startswith("style."):
                raise BadOption(f"the file has no {name} of shape {tuple(parameter.shape)}")
    return dict(filled.state_dict())


def _residual_state(net: Any, arch: Architecture, tensors: Mapping[str, Array]) -> dict[str, Any]:
    state: dict[str, Any] = {}

    def conv(name: str, key: str) -> None:
        weights, bias = (torch.from_numpy(tensors[f"{key}.{part}"].copy()) for part in ("weights", "bias"))
        state[f"{name}.conv.weight"] = weights
        state[f"{name}.norm.bias"] = bias
        state[f"{name}.norm.mean"] = torch.zeros_like(bias)
        # A norm divides by sqrt(variance + epsilon).
        state[f"{name}.norm.scale"] = torch.ones_like(bias)
        state[f"{name}.norm.variance"] = torch.full_like(bias, 1.0 - NORM_EPSILON)

    def dense(name: str, key: str) -> None:
        state[f"{name}.weight"] = torch.from_numpy(tensors[f"{key}.weights"].T.copy())
        state[f"{name}.bias"] = torch.from_numpy(tensors[f"{key}.bias"].copy())

    conv("first", "first")
    for number in range(arch.blocks):
        name = f"blocks.{number}"
        conv(f"{name}.conv1", f"{name}.conv1")
        conv(f"{name}.conv2", f"{name}.conv2")
        dense(f"{name}.squeeze", f"{name}.squeeze")
        dense(f"{name}.excite", f"{name}.excite")
    conv("policy_first", "policy.first")
    state["policy_conv.weight"] = torch.from_numpy(tensors["policy.conv.weights"].copy())
    state["policy_conv.bias"] = torch.from_numpy(tensors["policy.conv.bias"].copy())
    conv("value_conv", "value.conv")
    dense("value_hidden", "value.hidden")
    dense("value_out", "value.out")
    if arch.moves_left:
        conv("left_conv", "moves_left.conv")
        dense("left_hidden", "moves_left.hidden")
        dense("left_out", "moves_left.out")
    if arch.style and arch.style_outputs == net.arch.style_outputs:
        dense("style.hidden", "style.hidden")
        dense("style.out", "style.out")
    return {name: value for name, value in state.items() if name in net.state_dict()}


Pairs = Iterator[tuple[str, Any]]


def _norm(name: str, norm: Any) -> Pairs:
    scale, bias = norm.folded()
    yield f"{name}.scale", scale
    yield f"{name}.bias", bias


def _dense(name: str, layer: Any) -> Pairs:
    yield f"{name}.weights", layer.weight.T
    if layer.bias is not None:
        yield f"{name}.bias", layer.bias


def _folded(name: str, layer: Any) -> Pairs:
    scale, bias = layer.norm.folded()
    yield f"{name}.weights", layer.conv.weight * scale[:, None, None, None]
    yield f"{name}.bias", bias


def _aux(name: str, head: Any) -> Pairs:
    if head is not None:
        yield from _dense(f"{name}.hidden", head.hidden)
        yield from _dense(f"{name}.out", head.out)


def _pooling(net: PoolingNet) -> Pairs:
    yield "first.weights", net.first.weight
    if net.from_globals is not None:
        yield "globals.weights", net.from_globals.weight.T
    for number, block in enumerate(net.blocks):
        name = f"blocks.{number}"
        yield from _norm(f"{name}.before", block.before)
        yield f"{name}.conv1.weights", block.conv1.weight
        if block.pools:
            yield f"{name}.pool.weights", block.pool.weight
            yield from _norm(f"{name}.pool_norm", block.pool_norm)
            yield f"{name}.pool_to_bias.weights", block.to_bias.weight.T
        yield from _norm(f"{name}.middle", block.middle)
        yield f"{name}.conv2.weights", block.conv2.weight
    yield from _norm("tip", net.tip)
    policy, value = net.policy, net.value
    yield "policy.conv.weights", policy.conv.weight
    yield "policy.pool.weights", policy.pool.weight
    yield from _norm("policy.pool_norm", policy.pool_norm)
    yield "policy.pool_to_bias.weights", policy.to_bias.weight.T
    yield from _norm("policy.norm", policy.norm)
    yield "policy.points.weights", policy.points.weight
    if policy.passing is not None:
        yield "policy.pass.weights", policy.passing.weight.T
    yield "value.conv.weights", value.conv.weight
    yield from _norm("value.norm", value.norm)
    for name in ("hidden", "outcome", "score"):
        yield from _dense(f"value.{name}", getattr(value, name))
    if value.ownership is not None:
        yield "value.ownership.weights", value.ownership.weight
    yield from _aux("moves_left", net.moves_left)
    yield from _aux("style", net.style)


def _residual(net: ResidualNet) -> Pairs:
    yield from _folded("first", net.first)
    for number, block in enumerate(net.blocks):
        name = f"blocks.{number}"
        yield from _folded(f"{name}.conv1", block.conv1)
        yield from _folded(f"{name}.conv2", block.conv2)
        yield from _dense(f"{name}.squeeze", block.squeeze)
        yield from _dense(f"{name}.excite", block.excite)
    yield from _folded("policy.first", net.policy_first)
    yield "policy.conv.weights", net.policy_conv.weight
    yield "policy.conv.bias", net.policy_conv.bias
    yield from _folded("value.conv", net.value_conv)
    yield from _dense("value.hidden", net.value_hidden)
    yield from _dense("value.out", net.value_out)
    if net.arch.moves_left:
        yield from _folded("moves_left.conv", net.left_conv)
        yield from _dense("moves_left.hidden", net.left_hidden)
        yield from _dense("moves_left.out", net.left_out)
    yield from _aux("style", net.style)


def _accumulator(net: AccumulatorNet) -> Pairs:
    yield "pieces.weights", net.pieces.weight.T.clamp(-MOST_WEIGHT, MOST_WEIGHT)
    yield "pieces.bias", net.pieces.bias
    if net.terms is None:
        yield from _dense("value", net.value)
    else:
        yield "terms.weights", net.terms.weight
        if net.term_layer is not None:
            yield "terms.hidden.weights", net.term_layer.file_rows()
            yield "terms.hidden.bias", net.term_layer.bias
            yield "terms.output", net.term_layer.output.T
    yield from _dense("policy.hidden", net.policy_hidden)
    yield from _dense("policy.moves", net.policy_moves)
    yield "hand.weights", net.hand
