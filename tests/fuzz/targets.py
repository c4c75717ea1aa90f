"""Everything that reads what others write: each parser and each protocol as a function of bytes.

A target takes one input and returns, or raises an error that a user may cause; whatever else comes out of it
is a finding. Protocols are driven in this process through the calls their loops make, each with one session
that lives through all inputs, and with engines that do not think for long.
"""

from __future__ import annotations

import contextlib
import io
import json
import tempfile
from collections.abc import Callable, Generator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from kibitz import _native
from kibitz.arena.record import read_results
from kibitz.arena.spec import parse_player
from kibitz.engine import Engine
from kibitz.errors import KibitzError
from kibitz.games import registry
from kibitz.games.chess.pgn import read_pgn
from kibitz.games.go import rules as go_rules
from kibitz.games.go import sgf
from kibitz.games.junqi.records.jql import parse_jql
from kibitz.games.junqi.records.replay import parse_jgs
from kibitz.games.othello.records import ggf, obf, transcript, wthor
from kibitz.options import ALPHA_BETA, native_options
from kibitz.protocols import otp, otp_wire
from kibitz.protocols.gtp import GtpServer
from kibitz.protocols.katago import AnalysisServer
from kibitz.protocols.katago_settings import Settings, read_config
from kibitz.protocols.nboard import NBoard
from kibitz.protocols.streams import text_of
from kibitz.protocols.uci.limits import parse_go
from kibitz.protocols.uci.loop import UciEngine
from kibitz.report import Report
from kibitz.request import Budget, Request
from kibitz.style.norm import load_norm
from tests.fuzz.sockets import AnalysisSocket, RoomSocket

__all__ = ["CORPUS", "TARGETS", "close", "seeds"]

CORPUS = Path(__file__).parent / "corpus"
Target = Callable[[bytes], object]


def seeds(name: str) -> list[bytes]:
    """The corpus of a target: a file of JSON strings, a character for each byte, and what is made anew."""
    file = CORPUS / f"{name}.jsonl"
    lines = file.read_text(encoding="ascii").splitlines() if file.exists() else []
    return [*(json.loads(line).encode("latin-1") for line in lines), *_MADE.get(name, list)()]


class HastyEngine(Engine):
    """Obeys every request for a moment only."""

    def run(self, request: Request, *words: Any, **named: Any) -> Generator[Report, None, None]:
        budget = request.budget
        most = min(budget.visits or 4, budget.simulations or 4, 4)
        return super().run(replace(request, budget=Budget(visits=most, seconds=0.2)), *words, **named)


# -- protocols ------------------------------------------------------------------------------------------


class _Katago:
    def __init__(self) -> None:
        self.out = io.StringIO()
        settings = Settings(options={"reuse": False, "memory_mb": 16}, max_visits=2)
        self.server = AnalysisServer(lambda: HastyEngine("go", memory_mb=16), settings, self.out)

    def __call__(self, data: bytes) -> None:
        self.server.handle(data)
        self.server.handle(b'{"id":"end","action":"terminate_all"}')
        written = self.out.getvalue()
        self.out.seek(0)
        self.out.truncate()
        for line in written.splitlines():
            answer = json.loads(line)
            if "internal error" in str(answer.get("error", "")):
                raise AssertionError(answer["error"])

    def close(self) -> None:
        self.server.close(wait=False)


class _Gtp:
    def __init__(self) -> None:
        self.out, self.log = io.StringIO(), io.StringIO()
        self.engine = HastyEngine("go", memory_mb=16)
        self.server = GtpServer(self.engine, Settings(max_visits=2), self.out, log=self.log)
        self.count = 0

    def __call__(self, data: bytes) -> None:
        text = text_of(data)
        if "printsgf" in text.lower() or "loadsgf" in text.lower():
            return  # they write and read files by name
        self.count += 1
        if self.count % 200 == 0:
            self.server.handle("boardsize 9")
        self.server.handle(text)
        self.server.stop_analysis()
        written = self.out.getvalue() + self.log.getvalue()
        for stream in (self.out, self.log):
            stream.seek(0)
            stream.truncate()
        if "internal error" in written:
            raise AssertionError(written[:300])

    def close(self) -> None:
        self.engine.close()


#: Options that name files, or the machine's own limits.
_LEFT_ALONE = ("weightsfile", "syzygypath", "threads", "ramlimit", "nncache")


class _Uci:
    def __init__(self) -> None:
        self.lines: list[str] = []
        self.engine = UciEngine(self.lines.append)
        self.engine.set_option("Threads", "1")
        self.engine.set_option("RamLimitMb", "16")

    def __call__(self, data: bytes) -> None:
        text = text_of(data)
        if any(
            word in text.lower() for word in ("weightsfile", "syzygypath", "threads", "ramlimit", "nncache")
        ):
            return  # files by name, and the machine's own limits
        self.lines.clear()
        self.engine.finished = False
        self.engine.handle(text)
        self.engine.handle("stop")
        for line in self.lines:
            if "internal error" in line or "failed" in line:
                raise AssertionError(line)

    def close(self) -> None:
        self.engine.handle("quit")


class _NBoard:
    def __init__(self) -> None:
        self.warned: list[str] = []
        self.engine = HastyEngine("othello", "uct", threads=1, memory_mb=16)
        self.board = NBoard(self.engine, lambda line: None, self.warned.append)

    def __call__(self, data: bytes) -> None:
        self.warned.clear()
        self.board.handle(text_of(data))
        for line in self.warned:
            if "internal error" in line:
                raise AssertionError(line)

    def close(self) -> None:
        self.engine.close()


class _Otp:
    def __init__(self) -> None:
        self.player = otp.ROTP(seed=1)

    def __call__(self, data: bytes) -> None:
        buffer = otp_wire.RequestBuffer()
        buffer.feed(data)
        for _ in range(len(data) + 2):
            request = buffer.next()
            if request is None:
                break
            self.handle(request)
        self.handle(buffer.flush())

    def handle(self, request: str) -> None:
        with contextlib.redirect_stderr(io.StringIO()):
            self.player.handle(request)

    def close(self) -> None:
        pass


def judge_replies(data: bytes) -> None:
    """What a player may answer the judge."""
    for verb in otp_wire.VERBS:
        for pause in (False, True):
            with contextlib.suppress(KibitzError):
                parsed = otp_wire.parse_reply(verb, data, pause=pause)
                assert parsed is None or 0 <= parsed[1] <= len(data)
        with contextlib.suppress(KibitzError):
            otp_wire.parse_classic_reply(verb, data)
    name = otp_wire.clean_name(text_of(data))
    assert name.isprintable()
    assert not any(field in name.upper() for field in ("QUIT:", "WIN:", "LOSE:", "DRAW:", "NAME:"))


# -- parsers --------------------------------------------------------------------------------------------


def position_of(game: str) -> Target:
    """A position's text; what is taken must be written and read again as the same position."""
    kind = registry.get(game).position

    def parse(data: bytes) -> None:
        position = kind(text_of(data))
        assert kind(position.notation) == position
        str(position)
        position.legal_moves  # noqa: B018 - it is the list that is made

    return parse


def moves_of(game: str) -> Target:
    """Moves from the start, as far as they are legal."""
    start = registry.get(game).position()

    def parse(data: bytes) -> None:
        position = start
        for word in text_of(data).split(" ")[:60]:
            position = position.play(word)

    return parse


def pgn(data: bytes) -> None:
    for game in read_pgn(data):
        assert game.tags is not None
        game.position()
        game.san()


def sgf_bytes(data: bytes) -> None:
    for record in sgf.read_bytes(data):
        for position in record.positions()[:40]:
            assert position.size


def rules(data: bytes) -> None:
    text = text_of(data)
    given: Any = text
    with contextlib.suppress(ValueError, RecursionError):
        given = json.loads(text)
    if isinstance(given, (str, dict)):
        go_rules.to_text(given)


def in_file(read: Callable[[Path], object]) -> Target:
    """A reader of files, given the input as one."""

    @cache
    def folder() -> tempfile.TemporaryDirectory[str]:
        return tempfile.TemporaryDirectory(prefix="kibitz-fuzz-")

    def parse(data: bytes) -> None:
        path = Path(folder().name) / "input"
        path.write_bytes(data)
        read(path)

    return parse


def katago_network(path: Path) -> None:
    from kibitz.nets.files import read_network_file
    from kibitz.nets.katago import read_katago

    read_katago(read_network_file(path))


def lc0_network(path: Path) -> None:
    from kibitz.nets.files import read_network_file
    from kibitz.nets.lc0 import read_lc0

    read_lc0(read_network_file(path))


def search_option(data: bytes) -> None:
    """Options as lines NAME=VALUE, for the search of each game and for those of its own."""
    values = dict(line.partition("=")[::2] for line in text_of(data).splitlines())
    kept = [registry.get(name).options for name in registry.names()]
    own = [options.own.native for options in kept if options.own is not None]
    checks = [options.check for options in kept if options.check is not None]
    for read in (native_options, ALPHA_BETA.native, *own, *checks):
        with contextlib.suppress(KibitzError):
            read(values)


def junqi_texts(data: bytes) -> None:
    text = text_of(data)
    for read in (_native.junqi_layout_text, _native.junqi_mirrored, _native.JunqiView.from_text):
        with contextlib.suppress(ValueError):
            read(text)
    view = _native.JunqiTable().view(0)
    with contextlib.suppress(ValueError):
        view.observe(text)


def uttt_table(path: Path) -> None:
    with contextlib.suppress(ValueError, RuntimeError):
        _native.UtttTables().add(str(path))


def _katago_networks() -> list[bytes]:
    from tests.nets.katago_writer import katago_file

    return [katago_file(8), katago_file(15, transformer=True), katago_file(10, text=True)[:15_000]]


def _lc0_networks() -> list[bytes]:
    from tests.nets.lc0_writer import Lc0Writer

    return [Lc0Writer(channels=2, blocks=1).file(), Lc0Writer(channels=2, blocks=1, wdl=False).file()]


def _uttt_tables() -> list[bytes]:
    from kibitz.tablebase.format import Header, Statistics, checksums

    size = _native.uttt_level_size(0, 1, 1)
    header = Header(0, 1, 1, size, Statistics(wins=size))
    data = bytes([1]) * size
    whole = header.pack() + checksums(data)
    return [whole.ljust(header.data_offset, b"\0") + data]


#: Seeds that are too large to keep, and quickly made.
_MADE: dict[str, Callable[[], list[bytes]]] = {
    "katago-network": _katago_networks,
    "lc0-network": _lc0_networks,
    "uttt-table": _uttt_tables,
}

_SESSIONS: dict[str, Callable[[], Any]] = {
    "katago": _Katago,
    "gtp": _Gtp,
    "uci": _Uci,
    "nboard": _NBoard,
    "otp": _Otp,
    "room-messages": RoomSocket,
    "analysis-messages": AnalysisSocket,
}


@cache
def session(name: str) -> Any:
    return _SESSIONS[name]()


def in_session(name: str) -> Target:
    return lambda data: session(name)(data)


def close() -> None:
    """Ends the sessions that were begun."""
    for name in _SESSIONS:
        session(name).close()
    session.cache_clear()


#: Each target, and its share of a run: sessions that search are slower than parsers.
TARGETS: dict[str, tuple[Target, int]] = {
    **{name: (in_session(name), 2) for name in _SESSIONS},
    "judge": (judge_replies, 2),
    "uci-go": (lambda data: parse_go(text_of(data).split()), 3),
    **{f"{game}-position": (position_of(game), 3) for game in ("othello", "chess", "go", "uttt", "junqi")},
    **{f"{game}-moves": (moves_of(game), 3) for game in ("othello", "chess", "go", "uttt", "junqi")},
    "pgn": (pgn, 3),
    "sgf": (sgf_bytes, 2),
    "go-rules": (rules, 3),
    "ggf": (lambda data: ggf.read(text_of(data)), 2),
    "obf": (lambda data: obf.read(text_of(data)), 2),
    "transcript": (lambda data: transcript.read(text_of(data)), 2),
    "wthor": (lambda data: list(wthor.WthorFile.from_bytes(data).records()), 2),
    "jgs": (lambda data: parse_jgs(data).check(), 2),
    "jql": (lambda data: parse_jql(data), 2),
    "junqi-texts": (junqi_texts, 2),
    "katago-network": (in_file(katago_network), 1),
    "lc0-network": (in_file(lc0_network), 1),
    "style-norm": (in_file(load_norm), 1),
    "match-record": (in_file(read_results), 1),
    "katago-config": (in_file(lambda path: Settings().apply(read_config(path))), 1),
    "uttt-table": (in_file(uttt_table), 1),
    "player": (lambda data: parse_player(text_of(data)), 2),
    "search-option": (search_option, 3),
}
