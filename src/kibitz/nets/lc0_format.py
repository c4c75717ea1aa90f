"""What an Lc0 file says about its network: inputs, body, heads and activations (`NetworkFormat`).

Older files say less; what they mean is filled in as Lc0's `src/neural/loader.cc` does.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from kibitz.nets.protobuf import Message

# Numbers of net.proto.
_ONNX, _ATTENTION, _ATTENTION_MULTIHEAD, _ATTENTION_LEGACY = 5, 6, 7, 134
_SE = 4
_STRUCTURES = (1, 2, 3, _SE, _ONNX, _ATTENTION, _ATTENTION_MULTIHEAD, _ATTENTION_LEGACY)
_POLICIES = {1: "classical", 2: "convolutional", 3: "attention"}
_DEFAULT_ACTIVATIONS = {0: "relu", 1: "mish"}
_ACTIVATIONS = {
    1: "mish",
    2: "relu",
    3: "identity",
    4: "tanh",
    5: "sigmoid",
    6: "selu",
    7: "silu",
    8: "relu_2",
}
_PE_DENSE = 2

#: The ways a position is written as 112 planes, by their numbers in the file.
INPUTS = {
    1: "classical",
    2: "castling-plane",
    3: "canonical",
    4: "canonical-hectoplies",
    132: "canonical-hectoplies-armageddon",
    5: "canonical-v2",
    133: "canonical-v2-armageddon",
}


class Unsupported(Exception):
    """What the file has and no reader here knows."""


@dataclass(frozen=True)
class Lc0Format:
    """`attention` is whether the body has encoder layers, `dense_embedding` whether these start from a matrix
    of the whole board (BT3, BT4)."""

    input: str = "classical"
    policy: str = "classical"
    wdl: bool = False
    moves_left: bool = False
    activation: str = "relu"
    ffn_activation: str = "relu"
    smolgen_activation: str = "relu"
    attention: bool = False
    dense_embedding: bool = False
    onnx: bool = False


def read_format(form: Message, weights: Message) -> Lc0Format:
    """The format of a file with these weights; raises `Unsupported`."""
    if form.integer(1, 1) not in (0, 1):
        raise Unsupported(f"unknown encoding {form.integer(1)} of an Lc0 file's weights")
    if not form.has(2):
        return Lc0Format()  # files from before the format was written down
    network = form.message(2, "the network's format")
    structure = network.integer(3, 1)
    if structure not in _STRUCTURES:
        raise Unsupported(f"unknown structure {structure} of an Lc0 network")
    made = _read_heads(network, structure)
    made = replace(made, onnx=structure == _ONNX)
    if structure == _SE and weights.has(27):
        # Encoder layers from before there was a number for them.
        smolgen = weights.has(35)
        made = replace(
            made,
            ffn_activation="relu_2" if smolgen else made.ffn_activation,
            smolgen_activation="silu" if smolgen else made.smolgen_activation,
        )
        structure = _ATTENTION
    if structure == _ATTENTION and weights.has(44) and weights.has(45):
        return replace(made, attention=True, dense_embedding=True)
    return replace(
        made,
        attention=structure in (_ATTENTION, _ATTENTION_MULTIHEAD, _ATTENTION_LEGACY),
        dense_embedding=network.integer(10) == _PE_DENSE,
    )


def _read_heads(network: Message, structure: int) -> Lc0Format:
    inputs = network.integer(1, 1)
    if inputs not in INPUTS:
        raise Unsupported(f"unknown input format {inputs} of an Lc0 network")
    activation = _DEFAULT_ACTIVATIONS.get(network.integer(7))
    if activation is None:
        raise Unsupported(f"unknown activation {network.integer(7)} of an Lc0 network")
    old = structure in (1, 2)
    policy = 1 if old else network.integer(4, 1)
    value = 1 if old else network.integer(5, 1)
    if policy not in _POLICIES:
        raise Unsupported(f"Lc0 policy format {policy} is not supported")
    if value not in (1, 2):
        raise Unsupported(f"Lc0 value format {value} is not supported")
    return Lc0Format(
        input=INPUTS[inputs],
        policy=_POLICIES[policy],
        wdl=value == 2,
        moves_left=network.integer(6) == 1,
        activation=activation,
        smolgen_activation=_activation(network.integer(8), activation),
        ffn_activation=_activation(network.integer(9), activation),
    )


def _activation(number: int, default: str) -> str:
    if number == 0:
        return default
    if number not in _ACTIVATIONS:
        raise Unsupported(f"unknown activation {number} of an Lc0 network")
    return _ACTIVATIONS[number]
