"""What a network of our own is made of, and the tensors that follow from it.

Two layouts that another program knows too, so that a network can be exported:

- `pooling`: KataGo's trunk of pre-activation blocks, some with global pooling, and its heads; independent of
  the board's size. For Go, and for other games whose policy is a point of the board, or with `policy_planes`
  one of several moves at a point.
- `residual`: Lc0's residual tower with squeeze-excitation, WDL value and convolutional policy. For chess.

And one that only the core knows:

- `accumulator`: sums of one vector a piece that correct the hand-written score and priors of chess. `filters`
  is the width of a sum, `policy_filters` that of the hidden layer of the policy. With `terms` the score is
  one of its own, weights for each term of a position (native/games/chess/evaluate/terms.h), with
  `term_filters` also a hidden layer over the terms; with `score_filters` it is an efficiently updatable
  network of that width (native/games/chess/evaluate/nnue.h). In both cases the sums give priors alone.

Tensors are folded: a batch norm is a scale and a bias (`pooling`), or part of its convolution (`residual`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from kibitz import _native
from kibitz.nets.files import BadNetwork

LAYOUTS = ("pooling", "residual", "accumulator")

#: Outputs of the score head: mean, deviation, lead, time left, as in KataGo's version 8.
SCORES = 4
#: Planes of a convolutional chess policy: 73 moves from a square, rounded up as Lc0's training has it.
CHESS_POLICY_PLANES = 80
_CHESS_POLICY = 1858
#: Lc0's planes.
CHESS_PLANES = 112
#: Pieces of both sides on each square, and groups of positions by how many pieces there are.
PIECE_INPUTS = 768
BUCKETS = 8
#: Weights of a term: in the middlegame and in the ending.
PHASES = 2
#: Features of a move (native/games/chess/evaluate/move_features.h).
MOVE_FEATURES = 16

_LIMITS = {
    "planes": (1, 512),
    "globals": (0, 512),
    "filters": (1, 1024),
    "blocks": (1, 100),
    "pool_every": (0, 100),
    "pool_filters": (1, 512),
    "policy_filters": (1, 512),
    "policy_planes": (1, 1024),
    "value_filters": (1, 512),
    "value_hidden": (1, 2048),
    "se_ratio": (1, 64),
    "aux_hidden": (1, 2048),
    "style_outputs": (1, 2),
    "rows": (0, 64),
    "columns": (0, 64),
    "score_filters": (0, 1024),
}


@dataclass(frozen=True)
class Architecture:
    """The shape of a network. `rows` and `columns` are 0 where it plays on boards of any size."""

    game: str
    layout: str
    planes: int
    globals: int
    rows: int
    columns: int
    filters: int
    blocks: int
    #: Every so many blocks one has global pooling (`pooling`); 0 has none.
    pool_every: int = 3
    pool_filters: int = 32
    policy_filters: int = 32
    value_filters: int = 32
    value_hidden: int = 64
    #: Filters are squeezed by this (`residual`).
    se_ratio: int = 8
    #: Whether the policy has a pass beside the points.
    has_pass: bool = True
    has_ownership: bool = False
    moves_left: bool = False
    #: A head for the style of play, from 0 to 1.
    style: bool = False
    #: Outputs of that head: the style of the game, and with 2 also that of the side to move.
    style_outputs: int = 1
    #: Planes about style behind the game's own, by name, in the order of `_native.STYLE_PLANES` and separated
    #: by spaces; `planes` counts them.
    style_planes: str = ""
    #: Terms of a learned score (`accumulator`), `_native.CHESS_TERMS`; 0 corrects the hand-written one.
    terms: int = 0
    #: Width of the hidden layer over them, `_native.CHESS_TERM_FILTERS`; 0 has none.
    term_filters: int = 0
    #: Width of the efficiently updatable network that gives the score (`accumulator`); 0 has none.
    score_filters: int = 0
    aux_hidden: int = 128
    activation: str = "relu"
    #: Outputs of the policy for each point (`pooling`), a plane of them after the other.
    policy_planes: int = 1

    def __post_init__(self) -> None:
        if self.layout not in LAYOUTS:
            raise BadNetwork(f"unknown layout {self.layout!r}; expected {' or '.join(LAYOUTS)}")
        if self.activation not in ("relu", "mish"):
            raise BadNetwork(f"unknown activation {self.activation!r}; expected relu or mish")
        for name, (least, most) in _LIMITS.items():
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
                raise BadNetwork(f"{name} must be from {least} to {most}, got {value!r}")
        if any(self.pooled_blocks) and self.pool_filters >= self.filters:
            raise BadNetwork(f"pool_filters must be less than filters, got {self.pool_filters}")
        self._check_style_planes()
        if self.layout != "pooling" and (self.game != "chess" or (self.rows, self.columns) != (8, 8)):
            raise BadNetwork(f"the {self.layout} layout is of chess, on 8x8")
        if self.terms and (self.layout != "accumulator" or self.terms != _native.CHESS_TERMS):
            raise BadNetwork(
                f"terms are of the accumulator layout, {_native.CHESS_TERMS} of them, got {self.terms}"
            )
        if self.term_filters and (not self.terms or self.term_filters != _native.CHESS_TERM_FILTERS):
            raise BadNetwork(
                f"term_filters are of a score of terms, {_native.CHESS_TERM_FILTERS}, got {self.term_filters}"
            )
        if self.score_filters and (self.layout != "accumulator" or self.terms or self.score_filters % 32):
            raise BadNetwork(
                "score_filters are of the accumulator layout without terms, a multiple of 32,"
                f" got {self.score_filters}"
            )

    def _check_style_planes(self) -> None:
        named = self.style_planes.split()
        known = [name for name in _native.STYLE_PLANES if name in named]
        if known != named:
            raise BadNetwork(
                f"style_planes are {' '.join(_native.STYLE_PLANES)}, in that order, got {self.style_planes!r}"
            )
        if named and (self.layout != "residual" or self.planes != CHESS_PLANES + len(named)):
            raise BadNetwork("style planes are of the residual layout, behind the 112 of chess")

    @property
    def squeezed(self) -> int:
        return max(1, self.filters // self.se_ratio)

    @property
    def pooled_blocks(self) -> tuple[bool, ...]:
        """For each block whether it has global pooling."""
        every = self.pool_every if self.layout == "pooling" else 0
        return tuple(every > 0 and number % every == every - 1 for number in range(self.blocks))

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Architecture:
        known = {item.name: item.type for item in fields(cls)}
        unknown = sorted(set(data) - set(known))
        if unknown:
            raise BadNetwork(f"unknown field {unknown[0]!r} of the architecture; a newer file?")
        for name, value in data.items():
            kind = {"str": str, "int": int, "bool": bool}[str(known[name])]
            if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
                raise BadNetwork(f"field {name!r} of the architecture must be a {known[name]}")
        try:
            return cls(**data)
        except TypeError as error:
            raise BadNetwork(f"the architecture is not whole: {error}") from None


def tensor_shapes(arch: Architecture) -> dict[str, tuple[int, ...]]:
    """The tensors of a network with their shapes: convolutions out, in, y, x; matrices in, out."""
    shapes: dict[str, tuple[int, ...]] = {}
    {"pooling": _pooling, "residual": _residual, "accumulator": _accumulator}[arch.layout](arch, shapes)
    for name in ("style", *(("moves_left",) if arch.layout == "pooling" else ())):
        if getattr(arch, name):
            _dense(shapes, f"{name}.hidden", arch.filters, arch.aux_hidden)
            _dense(shapes, f"{name}.out", arch.aux_hidden, arch.style_outputs if name == "style" else 1)
    return shapes


Shapes = dict[str, tuple[int, ...]]


def _norm(shapes: Shapes, name: str, channels: int) -> None:
    shapes[f"{name}.scale"] = shapes[f"{name}.bias"] = (channels,)


def _dense(shapes: Shapes, name: str, inputs: int, outputs: int) -> None:
    shapes[f"{name}.weights"] = (inputs, outputs)
    shapes[f"{name}.bias"] = (outputs,)


def _folded(shapes: Shapes, name: str, inputs: int, outputs: int, size: int) -> None:
    shapes[f"{name}.weights"] = (outputs, inputs, size, size)
    shapes[f"{name}.bias"] = (outputs,)


def _pooling(arch: Architecture, shapes: Shapes) -> None:
    width, pooled = arch.filters, arch.pool_filters
    shapes["first.weights"] = (width, arch.planes, 3, 3)
    if arch.globals:
        shapes["globals.weights"] = (arch.globals, width)
    for number, pools in enumerate(arch.pooled_blocks):
        name = f"blocks.{number}"
        inner = width - pooled if pools else width
        _norm(shapes, f"{name}.before", width)
        shapes[f"{name}.conv1.weights"] = (inner, width, 3, 3)
        if pools:
            shapes[f"{name}.pool.weights"] = (pooled, width, 3, 3)
            _norm(shapes, f"{name}.pool_norm", pooled)
            shapes[f"{name}.pool_to_bias.weights"] = (3 * pooled, inner)
        _norm(shapes, f"{name}.middle", inner)
        shapes[f"{name}.conv2.weights"] = (width, inner, 3, 3)
    _norm(shapes, "tip", width)
    policy, value = arch.policy_filters, arch.value_filters
    shapes["policy.conv.weights"] = shapes["policy.pool.weights"] = (policy, width, 1, 1)
    _norm(shapes, "policy.pool_norm", policy)
    shapes["policy.pool_to_bias.weights"] = (3 * policy, policy)
    _norm(shapes, "policy.norm", policy)
    shapes["policy.points.weights"] = (arch.policy_planes, policy, 1, 1)
    if arch.has_pass:
        shapes["policy.pass.weights"] = (3 * policy, 1)
    shapes["value.conv.weights"] = (value, width, 1, 1)
    _norm(shapes, "value.norm", value)
    _dense(shapes, "value.hidden", 3 * value, arch.value_hidden)
    _dense(shapes, "value.outcome", arch.value_hidden, 3)
    _dense(shapes, "value.score", arch.value_hidden, SCORES)
    if arch.has_ownership:
        shapes["value.ownership.weights"] = (1, value, 1, 1)


def _residual(arch: Architecture, shapes: Shapes) -> None:
    width, squares = arch.filters, 64
    _folded(shapes, "first", arch.planes, width, 3)
    for number in range(arch.blocks):
        name = f"blocks.{number}"
        _folded(shapes, f"{name}.conv1", width, width, 3)
        _folded(shapes, f"{name}.conv2", width, width, 3)
        _dense(shapes, f"{name}.squeeze", width, arch.squeezed)
        _dense(shapes, f"{name}.excite", arch.squeezed, 2 * width)
    _folded(shapes, "policy.first", width, arch.policy_filters, 3)
    _folded(shapes, "policy.conv", arch.policy_filters, CHESS_POLICY_PLANES, 3)
    _folded(shapes, "value.conv", width, arch.value_filters, 1)
    _dense(shapes, "value.hidden", squares * arch.value_filters, arch.value_hidden)
    _dense(shapes, "value.out", arch.value_hidden, 3)
    if arch.moves_left:
        _folded(shapes, "moves_left.conv", width, 8, 1)
        _dense(shapes, "moves_left.hidden", squares * 8, 64)
        _dense(shapes, "moves_left.out", 64, 1)


def _accumulator(arch: Architecture, shapes: Shapes) -> None:
    _dense(shapes, "pieces", PIECE_INPUTS, arch.filters)
    if arch.terms:
        shapes["terms.weights"] = (arch.terms, PHASES)
        if arch.term_filters:
            _dense(shapes, "terms.hidden", 2 * arch.terms, arch.term_filters)
            shapes["terms.output"] = (arch.term_filters, BUCKETS)
    elif arch.score_filters:
        _dense(shapes, "score.pieces", _native.CHESS_NNUE_FEATURES, arch.score_filters)
        _dense(shapes, "score.output", 2 * arch.score_filters, _native.CHESS_NNUE_OUTPUTS)
    else:
        _dense(shapes, "value", 2 * arch.filters, BUCKETS)
    _dense(shapes, "policy.hidden", 2 * arch.filters, arch.policy_filters)
    _dense(shapes, "policy.moves", arch.policy_filters, _CHESS_POLICY)
    shapes["hand.weights"] = (BUCKETS + MOVE_FEATURES,)
