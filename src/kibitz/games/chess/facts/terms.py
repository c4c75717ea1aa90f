"""The terms of the evaluation by subject: pawns, kings, pieces. Their weights are those of the network
`terms`, which comes with Kibitz: logits of the expected result, added up."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from kibitz import _native
from kibitz.games.chess.position import Position

#: Which kinds of terms (native/games/chess/evaluate/terms.h) speak of what.
SUBJECTS = {
    "pawnStructure": (
        "passed", "own_king", "other_king", "guarded", "beside", "isolated", "backward", "doubled",
    ),
    "kingSafety": ("shelter", "storm", "pressure"),
    "activity": ("mobility", "rook_file", "rook_behind", "outpost"),
}  # fmt: skip
#: Of the logit, where the chances are even.
SLOPE = 0.25


@cache
def _table() -> tuple[Any, Any]:
    """The weights, and the subject of each term as its number, -1 for others."""
    from kibitz.nets.files import read_network_file  # slow to import, and not wanted for a mate in one
    from kibitz.nets.own.file import read_own
    from kibitz.nets.store import find

    weights = read_own(read_network_file(find("terms"))).tensors["terms.weights"]
    starts = sorted(_native.chess_term_kinds().items(), key=lambda item: item[1])
    ends = [start for _, start in starts[1:]] + [len(weights)]
    subjects = np.full(len(weights), -1)
    for (kind, start), end in zip(starts, ends, strict=True):
        for number, kinds in enumerate(SUBJECTS.values()):
            if kind in kinds:
                subjects[start:end] = number
    return weights, subjects


def terms_of(position: Position) -> dict[str, float]:
    """What the evaluation says of each subject, for White."""
    weights, subjects = _table()
    planes, _ = position.state.encode()
    terms, signs, facts = _native.chess_term_view(np.ascontiguousarray(planes[None]))
    numbers, phase = terms[0].astype(int), float(facts[0][0])
    values = signs[0] * (phase * weights[numbers, 0] + (1 - phase) * weights[numbers, 1])
    white = 1 if position.to_move == 0 else -1
    return {
        name: white * float(values[subjects[numbers] == number].sum()) for number, name in enumerate(SUBJECTS)
    }
