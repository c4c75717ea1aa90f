"""A board for notebooks: click to play, steer by right click or long press, watch the analysis deepen.

    from kibitz.notebook import Board
    board = Board(kibitz.othello.Position())
    board                                    # shows it; the last line of a cell
    board.analyze(seconds=20)                # or press the button
    board.position, board.report             # what is there now

It needs the extra `notebook` (anywidget). The pictures are `Position.svg`, and what is drawn over them comes
from the kit of the web page.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from kibitz.errors import BadRequest, KibitzError, NotInstalled

try:
    import anywidget
    import traitlets
except ImportError as error:  # pragma: no cover - what is said is for who reads it
    raise NotInstalled("anywidget", "a board for notebooks") from error

from kibitz.engine import Engine
from kibitz.games import registry
from kibitz.games.base import Position
from kibitz.questions import Question, Reply, make_questions
from kibitz.report import Report
from kibitz.request import Budget, PositionLike, Request, make_request
from kibitz.server.positions import board_of
from kibitz.steering import Steering

__all__ = ["Board"]

_KIT = Path(__file__).parent / "server" / "page" / "kit"
#: The kit's files in the order they need each other; a widget's module is one file.
_FILES = ("svg.js", "overlay.js", "widget.js")
_IMPORT = re.compile(r'^import \{[^}]*\} from "\./\w+\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?!default)", re.MULTILINE)

#: Seconds between two reports, the longest analysis, and moves that a report tells.
_EVERY, _SECONDS, _TOP = 0.25, 60.0, 12
#: Seconds that questions take.
_ASK_SECONDS = 3.0
_KINDS = ("include", "avoid", "allow", "weights", "clear")


def module_text() -> str:
    """The widget's ES module: the page's drawing kit and what the widget adds."""
    parts = ((_KIT / name).read_text(encoding="utf-8") for name in _FILES)
    return "\n".join(_EXPORT.sub("", _IMPORT.sub("", part)) for part in parts)


class Board(anywidget.AnyWidget):
    """A board to play on and to analyze with. Its input comes as messages of the page and as calls.

    Threads: an analysis runs in a thread of its own; everything else is the notebook's.

    >>> board = Board("othello")                                            # doctest: +SKIP
    >>> board.analyze(seconds=5)                                            # doctest: +SKIP
    """

    _esm = module_text()
    _css = (_KIT / "widget.css").read_text(encoding="utf-8")

    #: The position as the page has it, the last report, the steering, whether an analysis runs, and what was
    #: refused.
    board = traitlets.Dict().tag(sync=True)
    report_data = traitlets.Dict().tag(sync=True)
    steering = traitlets.Dict().tag(sync=True)
    running = traitlets.Bool(False).tag(sync=True)
    problem = traitlets.Unicode("").tag(sync=True)

    def __init__(
        self,
        position: PositionLike | str = registry.BUILT_IN[0],
        *,
        preset: str = "default",
        network: Any = None,
        seconds: float = _SECONDS,
        **options: Any,
    ) -> None:
        super().__init__()
        if isinstance(position, str):
            position = registry.get(position).position()
        # A board of python-chess becomes a position on the way.
        self._position = position if isinstance(position, Position) else make_request(position).position
        self._engine = Engine(self._position.game, preset, network=network, **options)
        self._seconds = seconds
        self._thread: threading.Thread | None = None
        self._report: Report | None = None
        self._show()
        self.on_msg(self._take)

    # -- for the notebook ---------------------------------------------------------------------------

    @property
    def position(self) -> Position:
        """What stands on the board."""
        return self._position

    @position.setter
    def position(self, position: Position) -> None:
        if position.game != self._engine.game:
            raise BadRequest(f"this board is for {self._engine.game}, not {position.game}")
        self.stop()
        self._position = position
        self._show()

    @property
    def report(self) -> Report | None:
        """What the last analysis found of the position, None before one."""
        return self._report

    def play(self, *moves: str) -> None:
        """Plays moves on the board; an analysis that runs goes on after them."""
        running = self.running
        self.position = self._position.play(*moves)
        if running:
            self.analyze()

    def undo(self) -> None:
        """Takes the last move back."""
        if self._position.moves:
            self.position = self._position.start.play(*self._position.moves[:-1])

    def steer(self, kind: str, move: str, amount: float = 100) -> None:
        """One gesture: `include` with minimum visits, `avoid`, `allow`, `weights` with a factor, `clear`."""
        if kind not in _KINDS:
            raise BadRequest(f"a gesture is one of {', '.join(_KINDS)}, got {str(kind)[:40]!r}")
        if move not in self._position.legal_moves:
            raise BadRequest(f"{str(move)[:40]!r} is no legal move here")
        wishes = {name: dict(value) for name, value in self.steering.items()}
        for name in wishes:
            if kind in ("clear", name) or {kind, name} <= {"include", "avoid"}:
                wishes[name].pop(move, None)
        if kind != "clear":
            wishes[kind][move] = int(amount) if kind == "include" else float(amount)
        self.steering = wishes
        self.analyze()

    def analyze(self, seconds: float | None = None) -> None:
        """Starts an analysis, which streams into the board; returns at once."""
        self.stop()
        request = Request(
            self._position.mover_view(),
            self._asked(),
            Budget(seconds=seconds or self._seconds),
            line_length=12,
            top=_TOP,
        )
        self.problem = ""
        self.running = True
        self._thread = threading.Thread(target=self._stream, args=(request, self._position), daemon=True)
        self._thread.start()

    def ask(self, *questions: str | Question, seconds: float = _ASK_SECONDS) -> tuple[Reply, ...]:
        """Asks about the position: `board.ask("why not e4", "threat")`. Waits for the replies, which the
        board shows too; BadRequest says why there is none."""
        self.stop()
        steering = replace(self._asked(), ask=make_questions(questions))
        request = Request(
            self._position.mover_view(), steering, Budget(seconds=seconds), line_length=12, top=_TOP
        )
        self.problem = ""
        *_, report = self._engine.run(request)
        self._report, self.report_data = report, report.to_dict()
        refused = [item.reason for item in report.steering.refused if item.kind == "ask"]
        if refused and not report.replies:
            raise BadRequest("; ".join(refused))
        return report.replies

    def stop(self) -> None:
        """Ends the analysis that runs."""
        thread, self._thread = self._thread, None
        if thread is not None and thread is not threading.current_thread():
            self._engine.stop()
            thread.join()
        self.running = False

    def wait(self) -> Report | None:
        """Waits for the analysis that runs; its last report."""
        thread = self._thread
        if thread is not None:
            thread.join()
        return self._report

    def close(self) -> None:
        """Ends the analysis and takes the board off the notebook."""
        self.stop()
        self._engine.close()
        super().close()

    # -- inside -------------------------------------------------------------------------------------

    def _show(self) -> None:
        self._report = None
        self.report_data = {}
        self.steering = {"include": {}, "avoid": {}, "allow": {}, "weights": {}}
        self.board = board_of(self._position).model_dump()

    def _asked(self) -> Steering:
        wishes = self.steering
        return Steering(
            include=dict(wishes["include"]),
            avoid=tuple(wishes["avoid"]),
            allow=tuple(wishes["allow"]),
            weights=dict(wishes["weights"]),
        )

    def _stream(self, request: Request, position: Position) -> None:
        try:
            for report in self._engine.run(request, every=_EVERY):
                if self._position is not position:
                    return
                self._report = report
                self.report_data = report.to_dict()
        except KibitzError as error:
            self.problem = str(error)
        finally:
            if self._position is position:
                self.running = False

    def _take(self, _: object, message: Any, __: object) -> None:
        """What the page tells: a click, a gesture, a button."""
        if not isinstance(message, Mapping):
            return
        try:
            kind = message.get("type")
            if kind == "play":
                self.play(str(message.get("move", "")))
            elif kind == "steer":
                amount = message.get("amount", 100)
                self.steer(str(message.get("kind")), str(message.get("move")), float(amount))
            elif kind == "analyze":
                self.analyze()
            elif kind == "stop":
                self.stop()
            elif kind == "undo":
                self.undo()
        except (KibitzError, TypeError, ValueError) as error:
            self.problem = str(error)
