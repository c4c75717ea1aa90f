"""A UCI engine as a teacher: its best moves (MultiPV) with what they are worth."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import Any

from kibitz.arena.player import PlayerError
from kibitz.arena.uci_program import UciProgram
from kibitz.errors import BadOption
from kibitz.training.teachers.judgement import Judgement, from_scores

#: So much less expected score divides a move's share by e.
_TEMPERATURE = 0.04
#: Centipawns that a mate now is worth.
_MATE = 20_000
#: A machine that does other things may be slow to start a program, and to answer.
_START_SECONDS = 600.0
_ANSWER_SECONDS = 120.0


class UciTeacher:
    """An engine such as Stockfish. Every position is a new game to it, whatever it saw before: what it says
    depends on the position alone. A `warm` one keeps what it remembers: emptying an engine's tables takes
    longer than a search of some hundred nodes, but then a label depends a little on those before it. Several
    `engines` search at the same time, a position each."""

    def __init__(
        self, command: str, *, nodes: int = 2000, multipv: int = 6, warm: bool = False, engines: int = 1
    ) -> None:
        words = shlex.split(command)
        if not words:
            raise BadOption("a UCI engine is named by its command, such as uci:stockfish")
        if engines < 1:
            raise BadOption(f"at least 1 engine teaches, got {engines}")
        self._nodes = nodes
        self._forget = "" if warm else "ucinewgame\n"
        self._programs: list[UciProgram] = []
        try:
            for _ in range(engines):
                self._programs.append(UciProgram(words[0], words))
                _prepare(self._programs[-1], multipv)
        except (BadOption, PlayerError) as error:
            self.close()
            raise BadOption(f"cannot start the UCI engine {words[0]!r}: {error}") from None
        name = self._programs[0].own_name or words[0]
        self.name = f"{name}, {nodes} nodes, MultiPV {multipv}" + ", warm" * warm

    def judge(self, positions: Sequence[Any]) -> list[Judgement | None]:
        judgements: list[Judgement | None] = []
        for start in range(0, len(positions), len(self._programs)):
            asked = list(zip(self._programs, positions[start : start + len(self._programs)], strict=False))
            try:
                for program, state in asked:
                    program.send(f"{self._forget}{_question(state)}\ngo nodes {self._nodes}")
                judgements += [_answer(program, state) for program, state in asked]
            except PlayerError as error:
                raise BadOption(f"the UCI engine failed: {error}") from None
        return judgements

    def close(self) -> None:
        for program in self._programs:
            program.close()


def _prepare(program: UciProgram, multipv: int) -> None:
    program.greet(_START_SECONDS)
    # A small table: a new game empties it, which costs more than such a search.
    for option, value in {"Threads": 1, "Hash": 1, "MultiPV": multipv}.items():
        if option.lower() in program.options:
            program.set_option(option, str(value))
    program.ask("isready", "readyok", _START_SECONDS)


def _question(state: Any) -> str:
    return f"position fen {state.to_text()}"


def _answer(program: UciProgram, state: Any) -> Judgement | None:
    """What an engine says about the position it was asked about."""
    rows: dict[int, tuple[int, str]] = {}
    for line in program.lines(_question(state), _ANSWER_SECONDS):
        if line.startswith("bestmove"):
            break
        info = read_info(line)
        if info is not None:
            rows[info[0]] = info[1:]
    if not rows:
        return None
    scored = [(points, state.parse_move(move)) for points, move in rows.values()]
    values = [chances(points) for points, _ in scored]
    # Won positions are all worth 1: a little more keeps a nearer mate and a piece more ahead.
    worth = [
        value[0] + value[1] / 2 + max(-0.1, min(0.1, points / _MATE))
        for value, (points, _) in zip(values, scored, strict=True)
    ]
    native, shares = from_scores([move for _, move in scored], worth, _TEMPERATURE)
    return Judgement(native, shares, values[worth.index(max(worth))])


def read_info(line: str) -> tuple[int, int, str] | None:
    """Rank, centipawns and move of an engine's line, None where it tells of no move.

    >>> read_info("info depth 5 multipv 2 score cp -31 nodes 9 pv e2e4 e7e5")
    (2, -31, 'e2e4')
    >>> read_info("info depth 9 score mate -3 nodes 9 pv e2e4")
    (1, -19997, 'e2e4')
    """
    words = line.split()
    if words[:1] != ["info"] or "pv" not in words or "score" not in words or "string" in words:
        return None
    try:
        kind, number = words[words.index("score") + 1 :][:2]
        move = words[words.index("pv") + 1]
        rank = int(words[words.index("multipv") + 1]) if "multipv" in words else 1
        points = int(number)
    except (IndexError, ValueError):
        return None
    if kind == "mate":
        points = _MATE - points if points > 0 else -_MATE - points
    return rank, points, move


def chances(points: float) -> tuple[float, float, float]:
    """Win, draw, loss of an evaluation in centipawns. Engines' own WDL is about games between engines: nearly
    all draws, which would teach a search little.

    >>> chances(0)
    (0.3, 0.4, 0.3)
    """
    expected = 1 / (1 + 10 ** (-max(-4000.0, min(4000.0, points)) / 400))
    draw = 0.8 * min(expected, 1 - expected)
    return expected - draw / 2, draw, 1 - expected - draw / 2
