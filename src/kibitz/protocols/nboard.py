"""The NBoard protocol, version 2: the engine behind Chris Welty's Othello board (docs/nboard.md).

    NBoard(Engine("othello"), send=print).run(sys.stdin.buffer)

Two threads: one reads lines and does nothing else than to interrupt the search at `ping` and `quit`; the
caller's thread carries the lines out in their order. So a `ping` is answered as soon as the search has
stopped, and everything sent before it has been done by then.
"""

from __future__ import annotations

import contextlib
import math
import queue
import random
import re
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import IO, TYPE_CHECKING, Any

from kibitz.errors import KibitzError
from kibitz.games.othello import Position
from kibitz.games.othello.records import Record, ggf
from kibitz.games.othello.records.record import is_pass
from kibitz.levels import choose, get_level
from kibitz.protocols.streams import LONGEST_LINE, lines_of, text_of, unforeseen

if TYPE_CHECKING:
    from kibitz.engine import Engine
    from kibitz.games.level import Level
    from kibitz.report import MoveInfo, Report

DEFAULT_DEPTH = 12
DEEPEST = 60
MOST_SIMULATIONS = 32_000_000
MOST_SHOWN = 64
#: A depth is searched to its end; this only bounds a forgotten search.
MOST_SECONDS = 86_400.0
# A slow board must not be flooded, a user must see the search move.
REPORT_EVERY = 0.2

_INTERRUPTING = ("ping", "quit")


def simulations_for(depth: int) -> int:
    """The budget of `set depth`: 1,000 simulations doubled every two plies, up to 32 million.

    >>> [simulations_for(depth) for depth in (2, 6, 12, 20)]
    [2000, 8000, 64000, 1024000]
    """
    return min(MOST_SIMULATIONS, round(1000 * 2 ** (depth / 2)))


def discs_of(info: MoveInfo) -> float:
    """A move's worth in discs for the side to move: exact when solved, else a guess from its win rate.

    The guess is 8 discs for odds of e to 1. It grows with the win rate and is 0 at 50%, which is what
    the board needs to rank and colour moves; it is no forecast of the final score.
    """
    if info.score is not None:
        return float(info.score)
    if info.proven is not None:
        return {"win": 2.0, "draw": 0.0, "loss": -2.0}[info.proven]
    share = min(max(info.value, 0.0005), 0.9995)
    return 8 * math.log(share / (1 - share))


class NBoard:
    """One session. `send` gets each line for the board, `warn` each line for people (standard error)."""

    def __init__(
        self,
        engine: Engine,
        send: Callable[[str], None],
        warn: Callable[[str], None] = lambda text: print(f"kibitz: {text}", file=sys.stderr, flush=True),
        name: str = "Kibitz",
        level: Level | None = None,
    ) -> None:
        self.engine = engine
        #: How strong `go` plays; None for the depth alone. Hints and analyses never play weaker.
        self.level = level
        self._random = random.Random(engine.options.get("seed"))
        self.depth = DEFAULT_DEPTH
        self.contempt = 0
        self._send = send
        self._warn = warn
        self._name = name
        self._game = Record()
        self._position = Position()
        self._interrupts = 0  # lines that wait for the search to stop
        self._counter = threading.Lock()
        self._idle = threading.Event()
        self._idle.set()

    @property
    def position(self) -> Position:
        """The position at the end of the current game."""
        return self._position

    def run(self, source: IO[bytes]) -> None:
        """Serve until `quit` or the end of the input; a search under way at the end is finished first."""
        waiting: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        threading.Thread(target=self._read, args=(source, waiting), daemon=True).start()
        while (line := waiting.get()) is not None:
            if not self.handle(line):
                return

    def handle(self, line: str) -> bool:
        """Carry out one line; False when it was `quit`."""
        command, _, rest = line.strip().partition(" ")
        rest = rest.strip()
        try:
            if command == "quit":
                return False
            self._carry_out(command, rest, line)
        except KibitzError as error:
            self._warn(str(error))
        except Exception as error:  # a mistake of ours; the board in the middle of a game needs an engine
            self._warn(unforeseen(error))
        finally:
            if command in _INTERRUPTING:
                with self._counter:
                    self._interrupts = max(0, self._interrupts - 1)
        return True

    def _carry_out(self, command: str, rest: str, line: str) -> None:
        if command == "ping":
            self._send(f"pong {rest}")
        elif command == "nboard":
            self._send(f"set myname {self._name}")
        elif command == "set":
            self._set(rest)
        elif command == "move":
            self._move(rest)
        elif command == "hint":
            self._hint(int(rest) if re.fullmatch("[0-9]{1,4}", rest) else 1)
        elif command == "go":
            self._go()
        elif command == "learn":
            self._send("learned")
        elif command == "analyze":
            self._analyze()
        elif _is_move(command):
            self._move(line.strip())  # version 1 sends the bare move
        elif command:
            self._warn(f"unknown command ignored: {line.strip()[:60]}")

    def _read(self, source: IO[bytes], waiting: queue.SimpleQueue[str | None]) -> None:
        with contextlib.suppress(OSError, ValueError):  # the input was closed under us
            for raw in lines_of(source):
                if len(raw) > LONGEST_LINE:
                    self._warn(f"a line of more than {LONGEST_LINE} bytes is ignored")
                    continue
                line = text_of(raw)
                command = line.strip().partition(" ")[0]
                interrupting = command in _INTERRUPTING
                if interrupting:
                    with self._counter:
                        self._interrupts += 1
                waiting.put(line)
                # A stop that comes a moment before the search begins is lost on it, so insist.
                while interrupting and not self._idle.is_set():
                    self.engine.stop()
                    self._idle.wait(0.01)
                if command == "quit":
                    return
        waiting.put(None)

    def _set(self, rest: str) -> None:
        what, _, value = rest.partition(" ")
        value = value.strip()
        if what == "game":
            self._game = ggf.read(value, "set game")[0]
            self._position = self._game.position()
        elif what == "depth" and re.fullmatch("[1-9][0-9]{0,3}", value):
            self.depth = min(int(value), DEEPEST)
            self._send(f"set myname {self._name}{self.depth}")
        elif what == "level":
            self.level = None if value == "none" else get_level("othello", value)
            self._send(f"set myname {self._name}{'' if self.level is None else '-' + value}")
        elif what == "contempt" and re.fullmatch("[-+]?[0-9]{1,3}", value):
            self.contempt = int(value)  # it is about draws in an opening book, and we have none
        else:
            self._warn(f"unknown setting ignored: set {rest[:60]}")

    def _move(self, text: str) -> None:
        square, *notes = (part.strip() for part in text.split("/"))
        move = "pass" if is_pass(square) else square.lower()
        self._position = self._position.play(move)
        seconds = _seconds(notes[1]) if len(notes) > 1 else 0.0
        plies = len(self._game.moves)
        times = (*self._game.times, *[None] * (plies - len(self._game.times)), seconds)
        self._game = replace(self._game, moves=(*self._game.moves, move), times=times, evals=())

    def _go(self) -> None:
        legal = self._position.legal_moves
        if len(legal) <= 1:
            self._send(f"=== {_label(legal[0]) if legal else 'PA'}")
            return
        seconds = move_seconds(self._game, self._position)
        limits = self._limits(self.depth, 1, seconds)
        if self.level is not None:
            budget = dict(self.level.budget)
            if seconds is not None:
                budget["seconds"] = min(seconds, budget.get("seconds", seconds))
            limits = {**budget, "options": self.level.options}
        report = self._think(self._position, limits, shown=1)
        if report is not None:
            move = report.best if self.level is None else choose(report, self.level, self._random)
            played = next(info for info in report.moves if info.move == move)
            self._send(f"=== {_label(move)}/{discs_of(played):.2f}/{report.seconds:.2f}")
        self._send("status")

    def _hint(self, count: int) -> None:
        if self._position.is_over:
            self._send("status The game is over")
            return
        shown = max(1, count)
        self._think(self._position, self._limits(self.depth, shown), shown)
        self._send("status")

    def _analyze(self) -> None:
        """Worth of every position of the game, the last one first; a share of the depth's budget each."""
        limits = self._limits(max(1, self.depth - 6))
        self._send("status Analyzing the game")
        for ply in range(len(self._game.moves), -1, -1):
            position = self._game.position(ply)
            if position.is_over:
                worth = float(position.score if position.to_move == 0 else -position.score)
            else:
                report = self._think(position, limits, shown=0)
                if report is None:
                    break
                worth = discs_of(report.moves[0])
            self._send(f"analysis {ply} {worth:.2f}")
        self._send("status")

    def _limits(self, depth: int, shown: int = 1, seconds: float | None = None) -> dict[str, Any]:
        """The budget of a search of `depth`: plies where alpha-beta searches, else as many simulations."""
        if not self.engine.uses_alpha_beta:
            return {"simulations": max(200, simulations_for(depth)), "seconds": seconds}
        options = {"depth": depth, "multi_pv": min(shown, MOST_SHOWN)}
        return {"seconds": seconds or MOST_SECONDS, "options": options}

    def _think(self, position: Position, limits: dict[str, Any], shown: int) -> Report | None:
        """Search and show its course; None when it was interrupted, for then nobody wants the result."""
        report: Report | None = None
        self._idle.clear()
        try:
            if shown:
                self._send("status Thinking")
            if self._interrupts:
                return None
            for report in self.engine.stream(position, every=REPORT_EVERY, **limits):
                if self._interrupts:
                    self.engine.stop()
                else:
                    self._show(report, shown)
        finally:
            self._idle.set()
        return None if self._interrupts else report

    def _show(self, report: Report, shown: int) -> None:
        if not shown:
            return
        for info in report.moves[:shown]:
            line = "".join(map(_label, info.line or (info.move,)))
            depth = "100%W" if info.proven else str(report.root.depth or len(info.line))
            if info.proven and info.score is not None and info.score == round(info.score):
                depth = "100%"
            self._send(f"search {line} {discs_of(info):.2f} 0 {depth} {info.visits} visits {info.value:.3f}")
        self._send(f"nodestats {report.simulations or report.root.nodes} {report.seconds:.2f}")


def move_seconds(game: Record, position: Position) -> float | None:
    """How long to think about the next move by the game's clock; None when it has none.

    The remaining time is spread over the moves this side still has, with two to spare.
    """
    clock = game.extras.get("TB" if position.to_move == 0 else "TW") or game.extras.get("TI")
    total = _clock_seconds(clock or "")
    if total is None:
        return None
    first = 0 if game.start.endswith("X") else 1
    own = (seconds or 0.0 for ply, seconds in enumerate(game.times) if (first + ply) % 2 == position.to_move)
    return max(0.05, (total - sum(own)) / (position.empties / 2 + 2))


def _clock_seconds(text: str) -> float | None:
    """The main time of a GGF clock such as `05:00//02:00`, in seconds."""
    main = text.split("/", 1)[0].split(",", 1)[0].strip()
    if not re.fullmatch("[0-9]{1,4}(?::[0-9]{1,2}){0,2}", main):
        return None
    seconds = 0
    for part in main.split(":"):
        seconds = 60 * seconds + int(part)
    return float(seconds)


def _seconds(text: str) -> float | None:
    try:
        seconds = float(text)
    except ValueError:
        return None
    return seconds if math.isfinite(seconds) and seconds >= 0 else None


def _is_move(text: str) -> bool:
    square = text.split("/", 1)[0]
    return is_pass(square) or re.fullmatch(r"[a-hA-H][1-8]", square) is not None


def _label(move: str) -> str:
    return "PA" if move == "pass" else move.upper()
