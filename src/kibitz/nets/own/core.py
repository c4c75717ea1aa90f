"""Networks that are no graph: the core runs them as they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from kibitz import _native
from kibitz.nets.files import BadNetwork
from kibitz.nets.own.architecture import Architecture

Array = npt.NDArray[np.float32]


def core_network(arch: Architecture, tensors: Mapping[str, Array]) -> _native.ChessAccumulators | None:
    """The network in the core, None for layouts that are graphs."""
    if arch.layout != "accumulator":
        return None
    none = np.zeros(0, np.float32)
    try:
        return _native.ChessAccumulators(
            tensors["pieces.weights"],
            tensors["pieces.bias"],
            tensors.get("value.weights", none),
            tensors.get("value.bias", none),
            tensors["policy.hidden.weights"],
            tensors["policy.hidden.bias"],
            tensors["policy.moves.weights"],
            tensors["policy.moves.bias"],
            tensors["hand.weights"],
            tensors.get("terms.weights", none),
            tensors.get("terms.hidden.weights", none),
            tensors.get("terms.hidden.bias", none),
            tensors.get("terms.output", none),
            tensors.get("score.pieces.weights", none),
            tensors.get("score.pieces.bias", none),
            tensors.get("score.output.weights", none),
            tensors.get("score.output.bias", none),
        )
    except ValueError as error:
        raise BadNetwork(str(error)) from None


class CoreSession:
    """Asks such a network about planes, as other sessions do."""

    runtime = "native"
    inputs = frozenset({"planes"})

    def __init__(self, core: _native.ChessAccumulators) -> None:
        self._core = core

    def run(self, outputs: Sequence[str], inputs: Mapping[str, Array]) -> list[Array]:
        policy, outcome = self._core.answer(np.ascontiguousarray(inputs["planes"], np.float32))
        results = {"policy": policy, "outcome": outcome, "details": np.zeros((len(policy), 0), np.float32)}
        return [results[name] for name in outputs]
