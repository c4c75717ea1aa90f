"""The accumulator layout: a small correction of chess's hand-written score and priors, quick enough to be
asked at every position of a search (native/games/chess/evaluate/accumulators.h)."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import nn

from kibitz import _native
from kibitz.nets.lc0_moves import moves
from kibitz.nets.own.architecture import BUCKETS, MOVE_FEATURES, PHASES, PIECE_INPUTS, Architecture
from kibitz.training.model.term_layer import TermLayer

Tensor = Any

#: Hand-written centipawns of about a logit of 1.
HAND_UNIT = 250.0
#: The largest weight of a piece that the core's 16 bits hold.
MOST_WEIGHT = 1.98
#: The logit of what is no move, as far as it is known: en passant is not.
_NO_MOVE = -12.0
#: A position is quiet where captures change the hand-written score by no more than this; only such a one is
#: judged as its pieces stand.
_QUIET = 20.0
_KING = 5
#: The logit of being on move, about 20 centipawns; it is not learned.
_MOVE = 0.115


class AccumulatorNet(nn.Module):
    """Gives a dictionary: `policy` logits, `outcome` (logarithms of win, draw, loss) and `value_weight`, 0
    for positions whose value it is never asked for."""

    def __init__(self, arch: Architecture, norm: str = "") -> None:
        super().__init__()
        self.arch = arch
        width, hidden = arch.filters, arch.policy_filters
        self.pieces = nn.Linear(PIECE_INPUTS, width)
        self.value: Any = None if arch.terms else nn.Linear(2 * width, BUCKETS)
        self.terms: Any = _material(arch.terms) if arch.terms else None
        self.term_layer: Any = TermLayer(arch.terms, arch.term_filters) if arch.term_filters else None
        #: What labels say too well of the mover, in both phases: the best of several noisy values, in games
        #: where the other side has often just erred. A score must not have it, or a search thinks too much
        #: of being on move.
        self.lean: Any = nn.Parameter(torch.zeros(PHASES)) if arch.terms else None
        self.policy_hidden = nn.Linear(2 * width, hidden)
        self.policy_moves = nn.Linear(hidden, len(moves()))
        #: Weights of the hand-written score by the number of pieces, then of the features of moves, of
        #: which the first is the hand-written prior.
        self.hand = nn.Parameter(torch.cat([torch.ones(BUCKETS + 1), torch.zeros(MOVE_FEATURES - 1)]))
        layers = ((self.pieces, 0.1), (self.value, 0.02), (self.policy_moves, 0.02))
        for layer, deviation in layers:
            if layer is None:
                continue
            nn.init.normal_(layer.weight, std=deviation)
            nn.init.zeros_(layer.bias)
        nn.init.constant_(self.pieces.bias, 0.2)
        names = {name: number for number, name in enumerate(moves())}
        mirrored = torch.tensor([names[_mirrored(name)] for name in moves()])
        self.register_buffer("mirrored", mirrored, persistent=False)

    def forward(self, planes: Tensor, numbers: Tensor, mask: Tensor | None = None) -> dict[str, Tensor]:
        shown = np.ascontiguousarray(planes.detach().cpu().numpy(), np.float32)
        view = _native.chess_hand_view(shown)
        scores, places, features = (torch.from_numpy(part).to(planes.device) for part in view)
        board = planes[:, :12].contiguous()
        mover, left = _turned(board)
        other, _ = _turned(torch.cat([board[:, 6:], board[:, :6]], 1).flip(2))
        # What a sum is clamped to has no slope outside; weights within reach of 16 bits do not get there.
        weight = self.pieces.weight.clamp(-MOST_WEIGHT, MOST_WEIGHT)
        sums = [nn.functional.linear(side.flatten(1), weight, self.pieces.bias) for side in (mover, other)]
        seen = torch.cat(sums, 1).clamp(0.0, 1.0) ** 2
        policy = self.policy_moves(torch.relu(self.policy_hidden(seen)))
        policy = torch.where(left[:, None], policy[:, self.mirrored], policy)
        none = policy.new_full((len(policy), policy.shape[1] + 1), _NO_MOVE)
        own = torch.cat([policy, none[:, :1]], 1).gather(1, places.long()) + features @ self.hand[BUCKETS:]
        policy = none.scatter(1, places.long(), own)[:, :-1]
        quiet = ((scores[:, 0] - scores[:, 1]).abs() <= _QUIET) & (scores[:, 2] == 0)
        bucket = ((board.sum((1, 2, 3)).long() - 1) // 4).clamp(0, BUCKETS - 1)
        if self.terms is None:
            value = self.value(seen).gather(1, bucket[:, None])[:, 0]
            value = value + self.hand[bucket] * (scores[:, 0] / HAND_UNIT).clamp(-40.0, 40.0)
        else:
            value, plain = self._learned(shown, bucket)
            quiet &= plain
        return {"policy": policy, "outcome": _outcome(value), "value_weight": quiet.float()}

    def _learned(self, planes: Any, bucket: Tensor) -> tuple[Tensor, Tensor]:
        """The score of terms, and whether it is all there is to the score: not in some endings."""
        view = _native.chess_term_view(planes)
        terms, signs, facts = (torch.from_numpy(part).to(self.hand.device) for part in view)
        terms = terms.int()
        own = torch.where(terms == _native.chess_term_kinds()["move"], 0.0, signs)
        sums = self.terms(terms, per_sample_weights=own) + self.lean
        early, plain = facts.T
        value = early * sums[:, 0] + (1.0 - early) * sums[:, 1]
        if self.term_layer is not None:
            value = value + self.term_layer(terms, own, bucket)
        return value, plain > 0


def _material(terms: int) -> Any:
    """Weights that begin with what pieces are about worth: each side sees its own and the other's."""
    weights = torch.zeros(terms, PHASES)
    for piece, worth in enumerate((0.5, 1.7, 1.8, 2.6, 5.0)):
        weights[64 * piece : 64 * (piece + 1)] = worth / 2
        weights[64 * (6 + piece) : 64 * (7 + piece)] = -worth / 2
    weights[_native.chess_term_kinds()["move"]] = _MOVE
    return nn.EmbeddingBag.from_pretrained(weights, freeze=False, mode="sum")


def _turned(board: Tensor) -> tuple[Tensor, Tensor]:
    """The board with its first king on the right half, and whether it was turned."""
    left = board[:, _KING, :, :4].sum((1, 2)) > 0
    return torch.where(left[:, None, None, None], board.flip(3), board), left


def _outcome(logit: Tensor) -> Tensor:
    """Logarithms of win, draw and loss, with draws as a UCI teacher's labels have them."""
    expected = torch.sigmoid(logit)
    draw = 0.8 * torch.minimum(expected, 1.0 - expected)
    shares = torch.stack([expected - draw / 2, draw, 1.0 - expected - draw / 2], 1)
    return torch.log(shares.clamp(min=1e-6))


def _mirrored(name: str) -> str:
    turn = str.maketrans("abcdefgh", "hgfedcba")
    return name[:4].translate(turn) + name[4:]
