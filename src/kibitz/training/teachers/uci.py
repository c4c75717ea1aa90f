"""A UCI engine as a teacher: its best moves (MultiPV) with what they are worth."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import Any

import chess
import chess.engine

from kibitz.errors import BadOption
from kibitz.training.teachers.judgement import Judgement, from_scores

__all__ = ["UciTeacher", "chances"]

#: So much less expected score divides a move's share by e.
_TEMPERATURE = 0.04
#: Centipawns that a mate now is worth.
_MATE = 20_000
#: A machine that does other things may be slow to start a program.
_START_SECONDS = 600


class UciTeacher:
    """An engine such as Stockfish. Every position is a new game to it, whatever it saw before."""

    def __init__(self, command: str, *, nodes: int = 2000, multipv: int = 6) -> None:
        words = shlex.split(command)
        if not words:
            raise BadOption("a UCI engine is named by its command, such as uci:stockfish")
        try:
            self._engine = chess.engine.SimpleEngine.popen_uci(words, timeout=_START_SECONDS)
        except (OSError, chess.engine.EngineError, TimeoutError) as error:
            raise BadOption(f"cannot start the UCI engine {words[0]!r}: {error}") from None
        wanted: dict[str, Any] = {"Threads": 1, "Hash": 16}
        self._engine.configure({key: value for key, value in wanted.items() if key in self._engine.options})
        self._nodes = nodes
        self._multipv = multipv
        self.name = f"{self._engine.id.get('name', words[0])}, {nodes} nodes, MultiPV {multipv}"

    def judge(self, positions: Sequence[Any]) -> list[Judgement | None]:
        return [self._one(state) for state in positions]

    def close(self) -> None:
        self._engine.close()

    def _one(self, state: Any) -> Judgement | None:
        board = chess.Board(state.to_text())
        try:
            lines = self._engine.analyse(
                board, chess.engine.Limit(nodes=self._nodes), multipv=self._multipv, game=object()
            )
        except chess.engine.EngineError as error:
            raise BadOption(f"the UCI engine failed: {error}") from None
        moves, worth, values = [], [], []
        for line in lines:
            if "pv" not in line or "score" not in line:
                continue
            score = line["score"].pov(board.turn)
            points = score.score(mate_score=_MATE)
            assert points is not None
            moves.append(state.parse_move(line["pv"][0].uci()))
            values.append(chances(points))
            # Won positions are all worth 1: a little more keeps a nearer mate and a piece more ahead.
            worth.append(values[-1][0] + values[-1][1] / 2 + max(-0.1, min(0.1, points / _MATE)))
        if not moves:
            return None
        native, shares = from_scores(moves, worth, _TEMPERATURE)
        return Judgement(native, shares, values[worth.index(max(worth))])


def chances(points: float) -> tuple[float, float, float]:
    """Win, draw, loss of an evaluation in centipawns. Engines' own WDL is about games between engines: nearly
    all draws, which would teach a search little.

    >>> chances(0)
    (0.3, 0.4, 0.3)
    """
    expected = 1 / (1 + 10 ** (-max(-4000.0, min(4000.0, points)) / 400))
    draw = 0.8 * min(expected, 1 - expected)
    return expected - draw / 2, draw, 1 - expected - draw / 2
