"""Our tensors as the models that KataGo's and Lc0's readers make, so that graphs and exports are theirs."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from kibitz.nets.katago import (
    Block,
    Conv,
    KataGoModel,
    Multipliers,
    Norm,
    Ordinary,
    PolicyHead,
    Pooling,
    Trunk,
    ValueHead,
)
from kibitz.nets.lc0 import Lc0Model, MovesLeft, Residual, SqueezeExcitation, StyleHead
from kibitz.nets.lc0_layers import Dense, FoldedConv
from kibitz.nets.own.architecture import Architecture

Array = npt.NDArray[np.float32]
Tensors = Mapping[str, Array]

#: The oldest version that is read, and all that these networks need.
KATAGO_VERSION = 8


def katago_model(arch: Architecture, tensors: Tensors, name: str = "kibitz") -> KataGoModel:
    """A network of the pooling layout. One without a pass, or without ownership, has zeros in their place."""

    def conv(key: str) -> Conv:
        return Conv(key, tensors[f"{key}.weights"], (1, 1))

    def norm(key: str) -> Norm:
        return Norm(tensors[f"{key}.scale"], tensors[f"{key}.bias"], arch.activation)

    def block(key: str, pools: bool) -> Block:
        before, middle = norm(f"{key}.before"), norm(f"{key}.middle")
        conv1, conv2 = conv(f"{key}.conv1"), conv(f"{key}.conv2")
        if not pools:
            return Ordinary(before, conv1, middle, conv2)
        to_bias = tensors[f"{key}.pool_to_bias.weights"]
        return Pooling(before, conv1, conv(f"{key}.pool"), norm(f"{key}.pool_norm"), to_bias, middle, conv2)

    policy, value = arch.policy_filters, arch.value_filters
    no_globals = np.zeros((arch.globals, arch.filters), np.float32)
    no_pass = np.zeros((3 * policy, 1), np.float32)
    no_owners = Conv("value.ownership", np.zeros((1, value, 1, 1), np.float32), (1, 1))
    trunk = Trunk(
        arch.filters,
        conv("first"),
        tensors.get("globals.weights", no_globals),
        tuple(block(f"blocks.{number}", pools) for number, pools in enumerate(arch.pooled_blocks)),
        norm("tip"),
    )
    policy_head = PolicyHead(
        conv("policy.conv"),
        conv("policy.pool"),
        norm("policy.pool_norm"),
        tensors["policy.pool_to_bias.weights"],
        norm("policy.norm"),
        conv("policy.points"),
        tensors.get("policy.pass.weights", no_pass),
    )
    value_head = ValueHead(
        conv("value.conv"),
        norm("value.norm"),
        tensors["value.hidden.weights"],
        tensors["value.hidden.bias"],
        arch.activation,
        tensors["value.outcome.weights"],
        tensors["value.outcome.bias"],
        tensors["value.score.weights"],
        tensors["value.score.bias"],
        conv("value.ownership") if arch.has_ownership else no_owners,
    )
    return KataGoModel(name, KATAGO_VERSION, Multipliers(), trunk, policy_head, value_head)


def lc0_model(arch: Architecture, tensors: Tensors, steps: int = 0) -> Lc0Model:
    """A network of the residual layout."""

    def conv(key: str) -> FoldedConv:
        return FoldedConv(tensors[f"{key}.weights"], tensors[f"{key}.bias"])

    def dense(key: str) -> Dense:
        return Dense(tensors[f"{key}.weights"], tensors[f"{key}.bias"])

    def block(key: str) -> Residual:
        se = SqueezeExcitation(dense(f"{key}.squeeze"), dense(f"{key}.excite"))
        return Residual(conv(f"{key}.conv1"), conv(f"{key}.conv2"), se)

    left = None
    if arch.moves_left:
        left = MovesLeft(conv("moves_left.conv"), dense("moves_left.hidden"), dense("moves_left.out"))
    return Lc0Model(
        arch.activation,
        conv("first"),
        tuple(block(f"blocks.{number}") for number in range(arch.blocks)),
        conv("policy.first"),
        conv("policy.conv"),
        None,
        conv("value.conv"),
        dense("value.hidden"),
        dense("value.out"),
        left,
        steps,
        style=StyleHead(dense("style.hidden"), dense("style.out")) if arch.style else None,
    )
