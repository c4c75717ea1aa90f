"""No protocol loop ends because of bytes that are no text, errors nobody foresaw, or a client that left."""

from __future__ import annotations

import asyncio
import io
import json
import os
import subprocess
import sys
from typing import Any

import pytest

import kibitz
from kibitz import _native
from kibitz.engine import Engine
from kibitz.errors import BadPosition, IllegalMove, KibitzError
from kibitz.protocols import otp
from kibitz.protocols.gtp import GtpServer
from kibitz.protocols.judge import Judge
from kibitz.protocols.katago_settings import Settings
from kibitz.protocols.nboard import NBoard
from kibitz.protocols.otp_wire import UNKNOWN
from kibitz.protocols.streams import Output, lines_of
from kibitz.protocols.uci.loop import UciEngine
from tests.protocols.katago_client import Client, query

BAD = ("\ud800", "D4\udcff", "\udfff\ud800", "é\ud83d")
PROGRAM = [sys.executable, "-c", "import sys; from kibitz.cli import main; sys.exit(main())"]


def run(words: list[str], data: bytes, **environment: str) -> tuple[bytes, str]:
    """The output of a program that must not end with a traceback."""
    done = subprocess.run(
        [*PROGRAM, *words],
        input=data,
        capture_output=True,
        timeout=120,
        check=False,
        env={**os.environ, **environment},
    )
    errors = done.stderr.decode("utf-8", "replace")
    assert "Traceback" not in errors
    return done.stdout, errors


@pytest.mark.parametrize("text", BAD)
@pytest.mark.parametrize("game", ["othello", "chess", "go", "uttt", "junqi"])
def test_surrogates_are_bad_positions_and_bad_moves(game: str, text: str) -> None:
    position = getattr(kibitz, game).Position
    with pytest.raises(KibitzError):
        position(text)
    with pytest.raises(IllegalMove):
        position().play(text)


@pytest.mark.parametrize("value", [5, None.__class__, b"e2e4", 1.5])
def test_a_position_and_a_move_are_text(value: Any) -> None:
    with pytest.raises(BadPosition, match="is text"):
        kibitz.chess.Position(value)
    with pytest.raises(IllegalMove, match="is text"):
        kibitz.chess.Position().play(value)


def test_native_errors_quote_any_bytes() -> None:
    with pytest.raises(ValueError, match="move"):
        _native.Othello().parse_move("\udcff\udcfe")
    with pytest.raises(ValueError, match="rules"):
        _native.go_rules("é" * 301)


@pytest.mark.parametrize(
    "fields",
    [
        {"rules": "\ud800"},
        {"moves": [["b", "\ud800"]]},
        {"moves": [["\ud800", "D4"]]},
        {"avoidMoves": [{"player": "b", "moves": ["\ud800"], "untilDepth": 1}]},
        {"includeMoves": [{"turnNumber": 0, "player": "b", "moves": ["\udc80"]}]},
        {"whiteHandicapBonus": "\ud800"},
        {"overrideSettings": {"\ud800": "\ud800"}},
    ],
)
def test_katago_answers_surrogates_and_goes_on(fields: dict[str, Any]) -> None:
    answers = Client().ask(query(id="before"), {**query(id="e"), **fields}, query(id="after"))
    by_id = {answer["id"]: answer for answer in answers}
    assert by_id["before"]["rootInfo"]["visits"] > 0
    assert by_id["after"]["rootInfo"]["visits"] > 0
    assert {"error", "warning"} & set(by_id["e"]) or by_id["e"]["rootInfo"]


def test_katago_reports_what_nobody_foresaw(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> Any:
        raise ZeroDivisionError("not\nforeseen")

    monkeypatch.setattr("kibitz.protocols.katago.parse_query", broken)
    (answer,) = Client().ask(query(id="e"))
    assert answer == {"id": "e", "error": "internal error: ZeroDivisionError: not foreseen"}


def test_gtp_takes_any_bytes() -> None:
    out = io.StringIO()
    server = GtpServer(Engine("go"), Settings(max_visits=5), out)
    server.serve(
        io.BytesIO(b"1 play b \xff\n2 kata-set-rules \xff\xfe\n\xff\n3 name\n" + b"x" * 2**21 + b"\n4 name\n")
    )
    answers = [answer for answer in out.getvalue().split("\n\n") if answer]
    assert [answer[:2] for answer in answers] == ["?1", "?2", "? ", "=3", "? ", "=4"]


def test_gtp_reports_what_nobody_foresaw() -> None:
    out = io.StringIO()
    server = GtpServer(Engine("go"), Settings(max_visits=5), out)

    def broken(words: list[str]) -> str:
        raise TypeError("not foreseen")

    server._commands["name"] = broken
    server.handle("5 name")
    server.handle("6 version")
    assert out.getvalue() == "?5 name: internal error: TypeError: not foreseen\n\n=6 \n\n"


def test_uci_reports_what_nobody_foresaw() -> None:
    said: list[str] = []
    engine = UciEngine(said.append)

    def broken(words: list[str]) -> None:
        raise TypeError("not foreseen")

    engine._commands["position"] = broken
    engine.handle("position startpos")
    engine.handle("isready")
    assert said == ["info string position: internal error: TypeError: not foreseen", "readyok"]


def test_nboard_reports_what_nobody_foresaw(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[str] = []
    warned: list[str] = []
    board = NBoard(Engine("othello"), sent.append, warned.append)
    monkeypatch.setattr(board, "_go", lambda: 1 // 0)
    board.run(io.BytesIO(b"go\nmove \xff\xff\nset game \xff\nping 3\nquit\n"))
    assert sent == ["pong 3"]
    assert warned[0].startswith("internal error: ZeroDivisionError")


def test_otp_answers_what_nobody_foresaw(capsys: pytest.CaptureFixture[str]) -> None:
    class Broken(otp.ROTP):
        def genmove(self) -> tuple[int, int]:
            raise TypeError("not foreseen")

    assert otp._reply(Broken(), "genmove") == UNKNOWN.encode()
    assert "not foreseen" in capsys.readouterr().err


def test_the_judge_voids_a_round_it_failed_in(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    judge = Judge(tell=told.append)

    class Fine:
        forfeit, name, number = "", "x", 0

    async def broken(*_: Any, **__: Any) -> str:
        raise TypeError("not foreseen")

    judge._seats = [Fine(), Fine()]  # type: ignore[list-item]
    monkeypatch.setattr(judge, "_ask", broken)
    asyncio.run(judge._round(1, 0))
    assert judge._rounds[0].winner is None
    assert "void" in told[0]


def test_positions_of_the_command_line_may_be_any_bytes() -> None:
    for game in ("othello", "chess", "go", "uttt"):
        done = subprocess.run(
            [*PROGRAM, "analyze", game, b"\xff\xfe\x80", "--visits", "1"],
            capture_output=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 2
        assert done.stderr.startswith(b"kibitz: ")
        assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_streams_that_cannot_show_everything(encoding: str) -> None:
    out, _ = run(["gtp"], b"boardsize 5\nplay b C3\nshowboard\nquit\n", PYTHONIOENCODING=encoding)
    assert b" X " in out
    out, _ = run(["analyze", "othello", "start", "--simulations", "50"], b"", PYTHONIOENCODING=encoding)
    assert out


@pytest.mark.parametrize(
    ("words", "data"),
    [
        (["uci"], b"uci\nposition startpos\ngo nodes 2000\nisready\n" * 20),
        (["gtp"], b"boardsize 9\nlist_commands\nkata-analyze 1\n" * 20),
        (["nboard"], b"nboard 2\nset depth 4\ngo\nhint 3\n" * 20),
        (["katago", "analysis"], b"".join(json.dumps(query(id=str(n))).encode() + b"\n" for n in range(50))),
    ],
)
def test_a_reader_that_leaves_costs_no_traceback(words: list[str], data: bytes) -> None:
    process = subprocess.Popen(
        [*PROGRAM, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdin
    assert process.stdout
    process.stdin.write(data[: len(data) // 2])
    process.stdin.flush()
    process.stdout.read(10)
    process.stdout.close()
    try:
        process.stdin.write(data[len(data) // 2 :])
        process.stdin.close()
    except BrokenPipeError:
        pass
    process.stdin = None
    _, errors = process.communicate(timeout=60)
    assert b"Traceback" not in errors
    assert b"Exception" not in errors


def test_lines_are_cut_and_ends_are_dropped() -> None:
    data = b"one\r\n" + b"y" * 5000 + b"\ntwo\nend"
    assert list(lines_of(io.BytesIO(data), longest=10)) == [b"one", b"y" * 11, b"two", b"end"]


def test_output_that_is_gone_is_told_once() -> None:
    class Gone(io.StringIO):
        def write(self, text: str) -> int:
            raise BrokenPipeError

    told: list[int] = []
    output = Output(Gone(), gone=lambda: told.append(1))
    output.say("a")
    output.say("b")
    assert told == [1]
    assert output.closed
