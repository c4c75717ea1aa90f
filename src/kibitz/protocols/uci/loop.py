"""The UCI engine: commands in, lines out.

Threads: one reads the input, one carries out commands, and each search has one of its own, which prints its
`info` lines and its `bestmove`. So `isready` is answered and `stop` obeyed while it thinks. What a GUI gets
wrong costs one `info string` and never the engine.
"""

from __future__ import annotations

import contextlib
import os
import queue
import random
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from kibitz import _native, clock
from kibitz.engine import Engine
from kibitz.errors import BadOption, BadTable, KibitzError, ProtocolError
from kibitz.games.bundled import NONE
from kibitz.games.chess.position import Position
from kibitz.games.networks import described, load_file
from kibitz.network import EngineNetwork
from kibitz.protocols.streams import LONGEST_LINE, Output, lines_of, text_of, unforeseen
from kibitz.protocols.uci.contempt import Rescale
from kibitz.protocols.uci.limits import Limits, parse_go
from kibitz.protocols.uci.options import NO_EFFECT, RARE, TABLE, Options
from kibitz.protocols.uci.search import Search

if TYPE_CHECKING:
    from kibitz.nets import Network


class UciEngine:
    """Answers commands: `UciEngine(print).handle("uci")`. `say` gets each line and may be called from the
    thread of a search."""

    def __init__(self, say: Callable[[str], None], version: str = "") -> None:
        self._raw_say = say
        self._version = version
        self._speaking = threading.Lock()
        self.options = Options()
        self.position = Position()
        #: Why the last `position` was refused, if it was.
        self._no_position = ""
        self.finished = False
        self._moves_given: tuple[str, tuple[str, ...]] = ("", ())
        self._engine: Engine | None = None
        #: The engine that has searched before the last `readyok`.
        self._warm: Engine | None = None
        #: Tablebases of SyzygyPath (kibitz.games.chess.syzygy.Tables).
        self.tables: Any = None
        #: How the engine's network was loaded.
        self._loaded: tuple[Any, ...] = ()
        self.time = clock.TimeManager()
        #: For the moves of a limited strength.
        self.rng = random.Random()
        #: The last position that was searched, and its PV.
        self.plan: tuple[Position, tuple[str, ...]] | None = None
        self._search: Search | None = None
        self._commands: dict[str, Callable[[list[str]], None]] = {
            "uci": self._uci,
            "isready": self._isready,
            "setoption": self._setoption,
            "ucinewgame": self._ucinewgame,
            "position": self._position,
            "go": self._go,
            "stop": self._stop,
            "ponderhit": self._ponderhit,
            "debug": lambda words: None,
            "register": lambda words: None,
            "quit": self._quit,
            "d": self._show,
        }

    def say(self, line: str) -> None:
        with self._speaking:
            self._raw_say(line)

    def complain(self, message: object) -> None:
        self.say("info string " + " ".join(str(message).split()))

    # -- commands -----------------------------------------------------------------------------------

    def handle(self, line: str) -> None:
        """Carries out one command. As the protocol has it, unknown words before a command are skipped."""
        words = line.split()
        while words and words[0] not in self._commands:
            unknown = words.pop(0)
            if not words:
                long = f"a line of more than {LONGEST_LINE} bytes is ignored"
                self.complain(long if unknown == _TOO_LONG else f"unknown command {unknown[:60]!r}")
        if not words:
            return
        try:
            self._commands[words[0]](words[1:])
        except (KibitzError, OSError) as error:
            self.complain(error)
        except Exception as error:  # a mistake of ours; a GUI in the middle of a game needs an engine
            self.complain(f"{words[0]}: {unforeseen(error)}")

    def _uci(self, words: list[str]) -> None:
        self.say(f"id name Kibitz {self._version}".rstrip())
        self.say("id author the Kibitz authors")
        for option in TABLE:
            if option.name not in RARE:
                self.say(option.declaration())
        self.say("uciok")

    def _isready(self, words: list[str]) -> None:
        try:
            if self._search is None or self._search.done:
                self._warm_up()
        finally:
            self.say("readyok")

    def _setoption(self, words: list[str]) -> None:
        if not words or words[0] != "name":
            raise ProtocolError("setoption takes: setoption name NAME value VALUE")
        text = " ".join(words[1:])
        name, _, value = text.partition(" value ") if " value " in text else (text, "", "")
        name = name.removesuffix(" value").strip()
        if self.options.find(name) is None and name.lower() in NO_EFFECT:
            self.complain(f"option {name} is known and changes nothing here")
            return
        self.set_option(name, value.strip())

    def set_option(self, name: str, value: str) -> None:
        """Sets one option; BadOption when there is none of that name or the value does not fit."""
        option = self.options.find(name)
        if option is None:
            raise BadOption(f"unknown option {name!r}")
        self._halt()
        if option.name == "Clear Hash":
            self._new_game()
            return
        before = self.options[option.name]
        if option.name == "WeightsFile" and value == NONE:
            value = ""
        if option.name.endswith("WeightsFile") and value and not _is_network_file(value):
            shown = value if len(value) <= _LONGEST_SHOWN else value[:_LONGEST_SHOWN] + "..."
            raise BadOption(f"{option.name}: there is no file {shown!r}")
        self.options.set(name, value)
        after = self.options[option.name]
        if after == before:
            return
        try:
            self.options.rescale()
            if option.name == "SyzygyPath":
                self._open_tables(after)
        except BadOption:
            self.options.set(name, str(before))
            raise

    def _open_tables(self, folders: str) -> None:
        from kibitz.games.chess.syzygy import Tables  # python-chess is slow to import, and only wanted here

        tables = Tables(folders) if folders else None
        if self.tables is not None:
            self.tables.close()
        self.tables = tables
        _native.chess_use_tables(tables.probe if tables else None, tables.pieces if tables else 2)
        self._new_game()  # what the tree knows was found out without these tables
        if tables is not None:
            self.complain(f"SyzygyPath: tables of up to {tables.pieces} pieces")

    def drop_tables(self, error: BadTable) -> None:
        """Goes on without tables that cannot be read."""
        self.complain(f"SyzygyPath: {error}; searching without tables")
        tables, self.tables = self.tables, None
        _native.chess_use_tables(None)
        if tables is not None:
            tables.close()

    def _ucinewgame(self, words: list[str]) -> None:
        self._halt()
        self._new_game()
        self.time = self.time.next_game()
        self.position, self._moves_given, self._no_position = Position(), ("", ()), ""

    def _position(self, words: list[str]) -> None:
        self._halt()
        # Only a position that was understood to its last move replaces the old one, and until then there is
        # none to search: a move of the old one would be a move of another game.
        self._no_position = "the last position was refused, there is nothing to search"
        at = words.index("moves") if "moves" in words else len(words)
        where, moves = words[:at], tuple(words[at + 1 :])
        if not where or where[0] not in ("startpos", "fen"):
            raise ProtocolError("position takes: position [startpos | fen FEN] moves MOVE...")
        if where[0] == "startpos" and len(where) > 1:
            raise ProtocolError(f"position startpos {where[1]}: moves come after the word 'moves'")
        fill = self.options["HistoryFill"]
        text = " ".join([*where, fill, "960" if self.options["UCI_Chess960"] else ""])
        known, played = self._moves_given
        if text == known and moves[: len(played)] == played:
            position, fresh = self.position, moves[len(played) :]
        else:
            position = Position(" ".join(where[1:])) if where[0] == "fen" else Position()
            if self.options["UCI_Chess960"] and not position.chess960:
                position = position.as_chess960()
            if fill != "fen_only":
                position = position.with_history(fill == "always")
            fresh = moves
        self.position = position.play_on(*fresh)
        self._moves_given, self._no_position = (text, moves), ""

    def _go(self, words: list[str]) -> None:
        begun = time.monotonic()
        self._halt()
        if self._no_position:
            self.complain(f"go: {self._no_position}")
            self.say("bestmove (none)")
            return
        limits = parse_go(words)
        if limits.skipped:
            self.complain(f"unknown word {' '.join(limits.skipped)!r} after go is skipped")
        try:
            self._begin(limits, begun)
        except BaseException:
            self.say("bestmove (none)")
            raise

    def _stop(self, words: list[str]) -> None:
        self._halt()

    def _ponderhit(self, words: list[str]) -> None:
        """The move we pondered on was played: the same search goes on, now on our clock."""
        search = self._search
        if search is None or not search.limits.ponder:
            return
        begun = time.monotonic()
        search.silence()
        self._halt()
        limits = search.limits
        self._begin(Limits(**{**vars(limits), "ponder": False}), begun)

    def _quit(self, words: list[str]) -> None:
        self._halt()
        self._drop_engine()
        self.finished = True

    def _show(self, words: list[str]) -> None:
        for line in [*str(self.position).splitlines(), self.position.fen]:
            self.say(f"info string {line}")

    # -- the engine ---------------------------------------------------------------------------------

    def _prepared_engine(self) -> Engine:
        """The engine with the network in force. Other options go with each request, and the engine itself
        knows which of them let it keep what it has."""
        if self._loaded != self.options.loading():
            self._drop_engine()
        if self._engine is None:
            self._loaded = self.options.loading()
            network = self._loaded_network() if self.options["WeightsFile"] else None
            defaults = Options().search_options(network is not None)
            human = _human_model(self)
            self._engine = Engine("chess", network=network or NONE, human=human, defaults=defaults)
        return self._engine

    def _warm_up(self) -> None:
        """Reads the network and makes the search now, not on the first move's time."""
        engine = self._prepared_engine()
        if engine is not self._warm:
            Search(self, engine, Position(), Limits(move_time=0.0), time.monotonic()).warm_up()
            self._warm = engine

    def _loaded_network(self) -> EngineNetwork | None:
        """The network, run as fast as it goes here; None after saying why there is none."""
        try:
            network = load_weights(self.options, str(self.options["WeightsFile"]))
            if not self.options["Threads"] or not self.options["MinibatchSize"]:
                tuning = network.tune_later(measured=self.options.tune)
                self.options.tune(tuning)
                self.complain(f"network: {described('chess', network)}; {tuning}")
        except (KibitzError, OSError) as error:
            self.complain(f"{error}; playing without a network")
            return None
        return network

    def _drop_engine(self) -> None:
        if self._engine is not None:
            self._engine.close()
            self._engine = None
            self.options.tuned = None

    def _new_game(self) -> None:
        if self._engine is not None:
            self._engine.new_game()

    # -- searching ----------------------------------------------------------------------------------

    def contempt(self, limits: Limits) -> Rescale:
        """What a search reads the network's wins, draws and losses as, for the first side."""
        rescale = self.options.rescale()
        side = self.options.contempt_side(self.position.to_move, limits)
        shift = 0.0 if side is None else rescale.shift if side == 0 else -rescale.shift
        return Rescale(rescale.ratio, shift)

    def _begin(self, limits: Limits, begun: float) -> None:
        self._search = Search(self, self._prepared_engine(), self.position, limits, begun)
        if self._search.in_time_trouble():
            self._search.play_at_once()
        else:
            self._search.start()

    def _halt(self) -> None:
        """Ends the search under way, which prints its move; returns when it has."""
        search, self._search = self._search, None
        if search is not None:
            search.halt()

    @property
    def busy(self) -> bool:
        """True while a search runs that will end by itself."""
        search = self._search
        return search is not None and not search.done and not search.limits.endless


def _is_network_file(name: str) -> bool:
    """Whether there is such a file, or a network of that name that was added with `kibitz nets add`."""
    if os.path.isfile(name):
        return True
    from kibitz.nets import store  # slow to import, and only wanted here

    return os.path.isfile(store.find(name))


def load_weights(options: Options, file: str) -> Network:
    """The network of a file, as Backend says."""
    from kibitz.nets import RUNTIMES  # slow to import, and only wanted here

    runtime, _, precision = options["Backend"].partition("-")
    if runtime not in RUNTIMES:
        runtime, precision = "auto", options["Backend"].removeprefix("auto")
    return load_file(
        "chess",
        file,
        precision=precision or "fp32",
        runtime=runtime,
        streams=options.threads(),
    )


def _human_model(uci: UciEngine) -> Any:
    """The network of HumanWeightsFile; None after saying why there is none."""
    if not uci.options["HumanWeightsFile"]:
        return None
    try:
        return load_file("chess", uci.options["HumanWeightsFile"])
    except (KibitzError, OSError) as error:
        uci.complain(f"HumanWeightsFile: {error}; searching without a human model")
        return None


#: Characters of a file name that a message repeats.
_LONGEST_SHOWN = 120

#: Stands for a line that was not kept; `handle` says so.
_TOO_LONG = "line-too-long"

#: Commands that do not wait for a search under way: they end it.
_ENDS_SEARCH = ("stop", "ponderhit", "quit")


def run(settings: Iterable[tuple[str, str]] = (), version: str = "") -> None:
    """Speaks UCI on the standard streams until `quit` or the end of the input. `settings` are options set
    before the first command; BadOption when one does not fit.

    A command that comes while a search with an end is under way waits for that end, so that a file of
    commands can be piped in; `stop` and its like do not wait.
    """

    lines: queue.SimpleQueue[str] = queue.SimpleQueue()
    engine = UciEngine(Output(sys.stdout, gone=lambda: lines.put("quit")).say, version)
    for name, value in settings:
        engine.set_option(name, value)
    threading.Thread(target=_read, args=(lines,), name="uci-reader", daemon=True).start()
    waiting: deque[str] = deque()
    while not engine.finished:
        if waiting and not engine.busy:
            engine.handle(waiting.popleft())
            continue
        try:
            line = lines.get(timeout=0.01 if waiting else None)
        except queue.Empty:
            continue
        if line.startswith(_ENDS_SEARCH):
            while waiting:  # it means the last search that was asked for
                engine.handle(waiting.popleft())
            engine.handle(line)
        elif waiting or (engine.busy and not line.startswith("isready")):
            waiting.append(line)
        else:
            engine.handle(line)


def _read(lines: queue.SimpleQueue[str]) -> None:
    """Hands on each line; the end of the input is a `quit` that waits for a search to end."""
    with contextlib.suppress(OSError):
        for line in lines_of(sys.stdin.buffer):
            long = len(line) > LONGEST_LINE
            lines.put(_TOO_LONG if long else text_of(line).strip())
    lines.put(" quit")
