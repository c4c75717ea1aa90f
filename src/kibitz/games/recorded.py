"""A position as the end of a game: where it started, the moves since, and both as plain data.

>>> import kibitz
>>> game = kibitz.chess.Position().play("e4", "c5")
>>> kibitz.chess.Position.from_dict(game.to_dict()).moves
('e2e4', 'c7c5')
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, TypeVar

from kibitz.errors import BadPosition
from kibitz.games.history import MoveHistory

__all__ = ["Recorded"]

P = TypeVar("P", bound="Recorded")

#: The longest game and the longest move that `Position.from_dict` takes.
MOST_MOVES = 100_000
MOST_MOVE_LETTERS = 64
_NO_MOVES = MoveHistory()


class Recorded:
    """The record behind a position. A game's `Position` adds what stands on the board."""

    game: ClassVar[str]

    __slots__ = ("_history", "_start", "_state")

    def __init__(self, notation: str | None = None) -> None:
        raise NotImplementedError

    @property
    def notation(self) -> str:
        raise NotImplementedError

    def play(self: P, *moves: str) -> P:
        raise NotImplementedError

    def _become(self, state: Any, history: MoveHistory = _NO_MOVES, start: Recorded | None = None) -> None:
        """Stands for a native position, `history` after `start`; without one it is a start itself."""
        self._state, self._history = state, history
        self._start: Any = start

    @classmethod
    def _of(cls: type[P], state: Any, history: MoveHistory = _NO_MOVES, start: Recorded | None = None) -> P:
        """The position around a native one."""
        position = object.__new__(cls)
        position._become(state, history, start)
        return position

    def _after(self: P, state: Any, move: str) -> P:
        return self._of(state, self._history.plus(move), self.start)

    def _played(self: P, move: int) -> P:
        """The position after a native move that was checked."""
        return self._after(self._state.play(move), self._state.move_text(move))

    @property
    def moves(self) -> tuple[str, ...]:
        """The moves played since `start`."""
        return self._history.moves

    @property
    def start(self: P) -> P:
        """The position that `moves` starts from."""
        return self if self._start is None else self._start

    def moves_since(self, earlier: Recorded) -> tuple[str, ...] | None:
        """The moves that lead from an earlier position of the same game to this one, None if none do."""
        moves = self._history.since(earlier._history)
        return moves if moves is not None and self.start == earlier.start else None

    # -- plain data -------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """The game as plain data: where it started and its moves. In games with hidden pieces this is what
        the side to move may know, never the whole board."""
        return {"game": self.game, "start": self.start.notation, "moves": list(self.moves)}

    @classmethod
    def from_dict(cls: type[P], data: Mapping[str, Any]) -> P:
        """The position that `to_dict` described. `moves` may be left out, and `start` too for the game's
        usual one."""
        if not isinstance(data, Mapping):
            raise BadPosition(f"a position is a table with game, start and moves, got {type(data).__name__}")
        if data.get("game", cls.game) != cls.game:
            raise BadPosition(f"this is a position of {data['game']!r}, expected {cls.game}")
        for key in data:
            if key not in cls._fields:
                near = difflib.get_close_matches(str(key), cls._fields, 1)
                hint = f"did you mean {near[0]}?" if near else f"expected {', '.join(cls._fields)}"
                raise BadPosition(f"a position of {cls.game} has no field {str(key)[:40]!r}; {hint}")
        moves = data.get("moves", [])
        if not isinstance(moves, (list, tuple)) or len(moves) > MOST_MOVES:
            raise BadPosition(f"moves must be a list of at most {MOST_MOVES} moves")
        for number, move in enumerate(moves):
            if not isinstance(move, str) or len(move) > MOST_MOVE_LETTERS:
                raise BadPosition(f"moves[{number}] must be a move as text")
        return cls._start_from(data)._replay(moves)

    #: What `from_dict` knows.
    _fields: ClassVar[tuple[str, ...]] = ("game", "start", "moves")

    @classmethod
    def _start_from(cls: type[P], data: Mapping[str, Any]) -> P:
        """The start position that plain data describes."""
        start = data.get("start")
        if start is not None and not isinstance(start, str):
            raise BadPosition(f"start must be a position as text, got {type(start).__name__}")
        return cls(start)

    def _replay(self: P, moves: Sequence[str]) -> P:
        """The position after the moves of a record, which `play` alone might refuse."""
        return self.play(*moves)

    def __getstate__(self) -> tuple[str, tuple[str, ...]]:
        return self.start.notation, self.moves

    def __setstate__(self, saved: tuple[str, tuple[str, ...]]) -> None:
        notation, moves = saved
        start = type(self)(notation)
        last = start._replay(moves)
        self._become(last._state, last._history, start if moves else None)
