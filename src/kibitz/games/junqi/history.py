"""What has happened, piece by piece: a typed face of the native recorder, which the search keeps up to date
as it makes and unmakes moves.

>>> from kibitz.games import junqi
>>> game = junqi.Position().play("S11-C31")
>>> recorder = history_of(game.view("S"))
>>> len(recorder), recorder.activity(0).moves
(1, 1)

A piece's number is its seat (0 to 3 for S, E, N, W) times 25 plus its place in the layout.
"""

from __future__ import annotations

from kibitz import _native
from kibitz.games.junqi.pieces import SEATS
from kibitz.games.junqi.position import View

HistoryRecorder = _native.JunqiHistory
Activity = _native.JunqiActivity


def history_of(view: View) -> HistoryRecorder:
    """Moves, battles and activity as the seat has seen them."""
    return view.state.history()  # type: ignore[no-any-return]


def is_invader(view: View, node: str, window: int = 16) -> bool:
    """Has the piece on a node taken one of the view's side in the last `window` plies?"""
    piece = view.state.piece_at(node)
    if piece < 0:
        return False
    own = SEATS.index(view.seat)
    seats = 1 << own | (1 << (own ^ 2) if view.players == 4 else 0)
    return history_of(view).is_invader(piece, seats, view.ply, window)
