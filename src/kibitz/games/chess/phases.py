"""The phase of a game, as Lichess divides it: by the pieces that are left and those that left the back rank.

>>> phase_of("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), phase_of("4k3/8/8/8/8/8/4P3/R3K3 w")
(0, 2)
"""

from __future__ import annotations

import re

#: Pieces without pawns and kings, at most, of a middlegame and of an endgame.
_MIDDLEGAME, _ENDGAME = 10, 6
#: Pieces on a back rank, at least, of an opening.
_BACK_RANK = 4


def phase_of(fen: str) -> int:
    """0 opening, 1 middlegame, 2 endgame."""
    ranks = fen.split()[0].split("/")
    pieces = len(re.findall(r"[nbrqNBRQ]", "".join(ranks)))
    if pieces <= _ENDGAME:
        return 2
    home = min(len(re.findall(r"[a-z]", ranks[0])), len(re.findall(r"[A-Z]", ranks[-1])))
    return 1 if pieces <= _MIDDLEGAME or home < _BACK_RANK else 0
