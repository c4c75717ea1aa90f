"""GTP for Go, with KataGo's extensions.

Threads: the caller's thread reads commands; an analysis runs in a thread of its own and ends when the
next line comes, as the protocol's users expect.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import IO, Any

from kibitz.engine import Engine
from kibitz.errors import KibitzError, ProtocolError
from kibitz.games.go import Position
from kibitz.protocols.gtp_board import BoardCommands, RecordCommands, RuleCommands
from kibitz.protocols.gtp_boards import BoardProgramCommands
from kibitz.protocols.gtp_clock_commands import ClockCommands
from kibitz.protocols.gtp_katago import DebugCommands, NetworkCommands, ParameterCommands
from kibitz.protocols.gtp_scoring import ScoringCommands
from kibitz.protocols.gtp_search import SearchCommands
from kibitz.protocols.gtp_session import Command, CommandGroup, Ongoing, Session, one_line
from kibitz.protocols.katago_settings import Settings
from kibitz.protocols.streams import LONGEST_LINE, Output, lines_of, text_of, unforeseen

#: The commands, a subject each; those about the conversation itself are the server's.
_GROUPS: Sequence[Callable[[Session], CommandGroup]] = (
    BoardCommands,
    RuleCommands,
    RecordCommands,
    ScoringCommands,
    ClockCommands,
    SearchCommands,
    BoardProgramCommands,
    ParameterCommands,
    NetworkCommands,
    DebugCommands,
)


class GtpServer:
    """One GTP session. `handle` answers a command; `serve` reads them from a stream."""

    def __init__(
        self,
        engine: Engine,
        settings: Settings,
        out: IO[str],
        *,
        version: str = "",
        name: str = "Kibitz",
        about: Mapping[str, Any] | None = None,
        log: IO[str] | None = None,
    ) -> None:
        self._session = Session(engine, settings, Output(out, gone=engine.stop), name, version, about, log)
        self._commands: dict[str, Command] = self._own_commands()
        for group in _GROUPS:
            self._commands |= group(self._session).table()
        self._quit = False
        #: An answer that goes on, its thread, and the event that ends it.
        self._ongoing: Ongoing | None = None
        self._analysis: threading.Thread | None = None
        self._enough = threading.Event()

    @property
    def position(self) -> Position:
        return self._session.position

    def serve(self, source: IO[bytes]) -> None:
        """Answers commands until `quit`, the end of the input, or nobody reads the answers."""
        try:
            for line in lines_of(source):
                self.stop_analysis()
                if len(line) > LONGEST_LINE:
                    self._say(f"? a line may have {LONGEST_LINE} bytes\n")
                else:
                    self.handle(text_of(line))
                if self._quit or self._session.out.closed:
                    break
        finally:  # also on Ctrl-C
            self.stop_analysis()

    def handle(self, line: str) -> None:
        words = line.split("#", 1)[0].replace("\t", " ").split()
        if not words:
            return
        number = words.pop(0) if words[0].isascii() and words[0].isdigit() else ""
        if not words:
            self._say(f"?{number} a command is missing\n")
            return
        name, *rest = words
        try:
            if name not in self._commands:
                raise ProtocolError("unknown command")
            answer = self._commands[name](rest)
            if isinstance(answer, Ongoing):
                self._start(answer, number)
            elif isinstance(answer, str):
                self._say(f"={number} {answer}\n")
            else:
                self._say_lines(number, answer)
        except (KibitzError, OSError) as error:
            self._say(f"?{number} {one_line(error)}\n")
        except (ArithmeticError, LookupError, RecursionError, ValueError):
            self._say(f"?{number} {name}: wrong or missing arguments\n")
        except Exception as error:  # a mistake of ours; a board in the middle of a game needs an engine
            self._say(f"?{number} {name}: {unforeseen(error)}\n")

    def _say(self, text: str) -> None:
        self._session.out.say(text)

    def _say_lines(self, number: str, answer: Iterator[str]) -> None:
        """Lines, each said when it is there."""
        begun = False
        try:
            for text in answer:
                self._say(text if begun else f"={number}\n{text}")
                begun = True
        except Exception as error:
            if not begun:
                raise
            # The answer has begun as a success, and an empty line has to end it.
            self._say(f"# {one_line(error)}\n")

    def _start(self, answer: Ongoing, number: str) -> None:
        if answer.sign_first:
            self._say(f"={number}")
        self._enough.clear()
        self._ongoing = answer
        self._analysis = threading.Thread(target=answer.run, args=(number, self._enough), daemon=True)
        self._analysis.start()

    def stop_analysis(self) -> None:
        """Ends an answer that goes on, as the next line does."""
        if self._analysis is None or self._ongoing is None:
            return
        self._enough.set()
        self._session.engine.stop()
        self._analysis.join()
        self._analysis = None
        if not self._ongoing.ends_itself:
            self._say("")

    # -- about the conversation itself ------------------------------------------------------------

    def _own_commands(self) -> dict[str, Command]:
        return {
            "protocol_version": lambda words: "2",
            "name": lambda words: self._session.name,
            "version": lambda words: self._session.version,
            "known_command": lambda words: str(words[0] in self._commands).lower(),
            "list_commands": lambda words: "\n".join(sorted(self._commands)),
            "stop": lambda words: "",
            "quit": self._leave,
            "clear_cache": self._clear_cache,
        }

    def _leave(self, words: list[str]) -> str:
        self._quit = True
        return ""

    def _clear_cache(self, words: list[str]) -> str:
        self._session.engine.clear_cache()
        self._session.engine.new_game()
        return ""
