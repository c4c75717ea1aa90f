"""Positions as plain data, for JSON and for other processes: where a game started and its moves.

>>> import kibitz
>>> game = kibitz.chess.Position().play("e4", "c5")
>>> kibitz.chess.Position.from_dict(game.to_dict()).moves
('e2e4', 'c7c5')
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from kibitz.errors import BadPosition

#: The longest game and the longest move that `Position.from_dict` takes.
MOST_MOVES = 100_000
MOST_MOVE_LETTERS = 1000


class PlainForm:
    """How positions of one class are written as plain data and read. A game with more to say than its
    notation and its moves has a form of its own."""

    #: What `read` knows.
    fields: ClassVar[tuple[str, ...]] = ("game", "start", "moves")

    def write(self, position: Any) -> dict[str, Any]:
        return {"game": position.game, "start": position.start.notation, "moves": list(position.moves)}

    def read(self, kind: Any, data: Mapping[str, Any]) -> Any:
        """The position of a class that `write` described. `moves` may be left out, and `start` too for the
        game's usual one."""
        if not isinstance(data, Mapping):
            raise BadPosition(f"a position is a table with game, start and moves, got {type(data).__name__}")
        if data.get("game", kind.game) != kind.game:
            raise BadPosition(f"this is a position of {data['game']!r}, expected {kind.game}")
        for key in data:
            if key not in self.fields:
                near = difflib.get_close_matches(str(key), self.fields, 1)
                hint = f"did you mean {near[0]}?" if near else f"expected {', '.join(self.fields)}"
                raise BadPosition(f"a position of {kind.game} has no field {str(key)[:40]!r}; {hint}")
        moves = data.get("moves", [])
        if not isinstance(moves, (list, tuple)) or len(moves) > MOST_MOVES:
            raise BadPosition(f"moves must be a list of at most {MOST_MOVES} moves")
        for number, move in enumerate(moves):
            if not isinstance(move, str) or len(move) > MOST_MOVE_LETTERS:
                raise BadPosition(f"moves[{number}] must be a move as text")
        return self.replay(self.start(kind, data), moves)

    def start(self, kind: Any, data: Mapping[str, Any]) -> Any:
        """The start position that plain data describes."""
        start = data.get("start")
        if start is not None and not isinstance(start, str):
            raise BadPosition(f"start must be a position as text, got {type(start).__name__}")
        return kind(start)

    def replay(self, start: Any, moves: Sequence[str]) -> Any:
        """The position after the moves of a record, which `play` alone might refuse."""
        return start.play(*moves)


def restored(kind: Any, start: str, moves: Sequence[str]) -> Any:
    """A position that was pickled."""
    return kind.plain_form.replay(kind(start), moves)
