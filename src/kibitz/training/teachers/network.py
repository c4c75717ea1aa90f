"""A network as a teacher: what it says about a position without a search, legal moves only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from kibitz.games.networks import load_file
from kibitz.training.teachers.judgement import Judgement

#: Positions to a call.
_BATCH = 32


class NetworkTeacher:
    """Any network that plays the game: KataGo's for Go, Lc0's for chess, ours."""

    def __init__(self, game: str, file: str, *, precision: str = "fp32", runtime: str = "auto") -> None:
        self._network = load_file(game, file, precision=precision, runtime=runtime)
        self.name = f"{self._network.name}@{self._network.digest[:12]}"

    def judge(self, positions: Sequence[Any]) -> list[Judgement | None]:
        judged: list[Judgement | None] = [None] * len(positions)
        shapes = [tuple(state.sample_shape) for state in positions]
        for shape in sorted(set(shapes)):
            own = [at for at, other in enumerate(shapes) if other == shape]
            for start in range(0, len(own), _BATCH):
                places = own[start : start + _BATCH]
                for at, item in zip(places, self._asked([positions[at] for at in places]), strict=True):
                    judged[at] = item
        return judged

    def close(self) -> None:
        pass

    def _asked(self, positions: Sequence[Any]) -> list[Judgement]:
        encoded = [state.encode() for state in positions]
        planes = np.stack([item[0] for item in encoded])
        numbers = np.stack([item[1] for item in encoded])
        said = self._network.evaluate(planes, numbers if numbers.shape[1] else None)
        judgements = []
        for at, state in enumerate(positions):
            moves = list(state.legal_moves())
            logits = said.policy[at, [state.policy_index(move) for move in moves]].astype(np.float64)
            shares = np.exp(logits - logits.max())
            win, draw, loss, score = (float(value) for value in said.outcomes[at])
            owners = None
            if said.ownership is not None:
                owners = said.ownership[at].reshape(planes.shape[2:])
            judgements.append(
                Judgement(moves, (shares / shares.sum()).astype(np.float32), (win, draw, loss), score, owners)
            )
        return judgements
