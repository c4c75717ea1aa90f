"""A hidden layer over the terms of a chess position (native/games/chess/evaluate/terms.h): what a term is
worth beside others."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

from kibitz import _native
from kibitz.nets.own.architecture import BUCKETS

Tensor = Any

#: The largest weight of a term that the core's 16 bits hold.
_MOST_ROW = 0.4


class TermLayer(nn.Module):
    """Each side sums up a row of every term of its own and another of every term of the other side. What the
    mover's sums are worth less the other's is added to the score, so that to be on move is worth nothing."""

    def __init__(self, terms: int, width: int) -> None:
        super().__init__()
        self.terms = terms
        #: To be on move is a term of the score, and not one here: its rows are those of no term.
        self.none = _native.chess_term_kinds()["move"]
        self.rows = nn.Parameter(0.03 * torch.randn(2 * terms, width))
        self.bias = nn.Parameter(torch.full((width,), 0.3))
        self.output = nn.Parameter(0.02 * torch.randn(BUCKETS, width))

    def forward(self, terms: Tensor, signs: Tensor, bucket: Tensor) -> Tensor:
        """`signs`: 1 for terms of the mover, -1 for the other side's, 0 for none."""
        none = torch.full_like(terms, self.none)
        other = terms + self.terms
        mine = torch.where(signs > 0, terms, torch.where(signs < 0, other, none))
        theirs = torch.where(signs < 0, terms, torch.where(signs > 0, other, none))
        return ((self._seen(mine) - self._seen(theirs)) * self.output[bucket]).sum(1)

    def file_rows(self) -> Tensor:
        """The rows as the core adds them up, those of no term zero."""
        rows = self.rows.clamp(-_MOST_ROW, _MOST_ROW).clone()
        rows[[self.none, self.terms + self.none]] = 0.0
        return rows

    def _seen(self, terms: Tensor) -> Tensor:
        rows = self.rows.clamp(-_MOST_ROW, _MOST_ROW)
        sums = nn.functional.embedding_bag(terms, rows, mode="sum", padding_idx=self.none)
        return (sums + self.bias).clamp(0.0, 1.0) ** 2
