"""An exact solver as a teacher: all best moves share the policy, and the value is proven. Positions out of
its reach are not judged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from kibitz.errors import BadOption
from kibitz.games import registry
from kibitz.games.exact import never
from kibitz.training.teachers.judgement import Judgement


class SolverTeacher:
    """The solver of a game, where it has one and `most` empty squares or fewer are left."""

    def __init__(self, game: str, *, most: int = 14, seconds: float = 2.0) -> None:
        info = registry.get(game)
        if info.solve is None:
            raise BadOption(f"{game} has no exact solver")
        self._info = info
        self._most = most
        self._seconds = seconds
        self.name = f"solver-{most}"

    def judge(self, positions: Sequence[Any]) -> list[Judgement | None]:
        return [self._one(state) for state in positions]

    def close(self) -> None:
        pass

    def _one(self, state: Any) -> Judgement | None:
        position = self._info.position(state.to_text())
        assert self._info.solve is not None
        if position.remaining > self._most:
            return None
        exact = self._info.solve(position, self._seconds, never, True)
        if exact is None or len(exact.moves) < len(position.legal_moves):
            return None
        best = max((move.half_points, move.score or 0) for move in exact.moves)
        chosen = [move for move in exact.moves if (move.half_points, move.score or 0) == best]
        value = [(0.0, 0.0, 1.0), (0.0, 1.0, 0.0), (1.0, 0.0, 0.0)][best[0]]
        score = float("nan") if chosen[0].score is None else float(chosen[0].score)
        shares = np.full(len(chosen), 1 / len(chosen), np.float32)
        return Judgement([state.parse_move(move.move) for move in chosen], shares, value, score)
