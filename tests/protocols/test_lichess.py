"""The external engine of Lichess against a server that speaks its side (lichess.org/api)."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import chess
import pytest

from kibitz.errors import ProtocolError
from kibitz.protocols.lichess import Provider
from tests.cli import shell

WORK = {
    "sessionId": "s",
    "threads": 1,
    "hash": 16,
    "multiPv": 2,
    "variant": "chess",
    "initialFen": chess.STARTING_FEN,
    "moves": ["e2e4", "e7e5"],
    "nodes": 3000,
}


class Lichess(ThreadingHTTPServer):
    """Registers engines, hands out jobs, and keeps what was answered."""

    daemon_threads = True

    def __init__(self, jobs: list[dict[str, Any]], engines: list[dict[str, Any]] | None = None) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.jobs, self.engines, self.answers = jobs, engines or [], dict[str, list[str]]()
        self.registered: list[tuple[str, dict[str, Any]]] = []
        #: A board that is closed after the first line of an answer.
        self.closes_early = False

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class _Handler(BaseHTTPRequestHandler):
    server: Lichess
    protocol_version = "HTTP/1.1"

    def log_message(self, *words: Any) -> None:
        """Nothing."""

    def _reply(self, status: int, data: Any = None) -> None:
        body = b"" if data is None else json.dumps(data).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _body(self) -> Any:
        return json.loads(self.rfile.read(int(self.headers["Content-Length"])))

    def do_GET(self) -> None:
        if self.headers["Authorization"] != "Bearer good":
            self._reply(401, {"error": "No such token"})
        else:
            self._reply(200, self.server.engines)

    def do_PUT(self) -> None:
        self.server.registered.append((self.path, self._body()))
        self._reply(200, {"id": self.path.rpartition("/")[2]})

    def do_POST(self) -> None:
        if self.path == "/api/external-engine":
            self.server.registered.append((self.path, self._body()))
            self._reply(200, {"id": "eei_new"})
        elif self.path == "/api/external-engine/work":
            secret = self._body()["providerSecret"]
            assert secret == self.server.registered[-1][1]["providerSecret"]
            if not self.server.jobs:
                self._reply(204)
            else:
                self._reply(200, self.server.jobs.pop(0))
        else:
            lines = self.server.answers[self.path.rpartition("/")[2]] = []
            for line in self._chunks():
                lines.append(line)
                if self.server.closes_early:
                    self.close_connection = True
                    self.connection.close()
                    return
            self._reply(200)

    def _chunks(self) -> Iterator[str]:
        assert self.headers["Transfer-Encoding"] == "chunked"
        while size := int(self.rfile.readline(), 16):
            yield self.rfile.read(size).decode()
            self.rfile.readline()
        self.rfile.readline()


@pytest.fixture
def start() -> Iterator[Any]:
    servers: list[Lichess] = []

    def begin(*words: Any) -> Lichess:
        server = Lichess(*words)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        servers.append(server)
        return server

    yield begin
    for server in servers:
        server.shutdown()
        server.server_close()


def provider(server: Lichess, token: str = "good") -> Provider:
    return Provider(token, "Test", hash_mb=16, lichess=server.url, broker=server.url, say=lambda text: None)


def test_work_is_answered_with_lines_that_a_chess_program_reads(start: Any) -> None:
    server = start([{"id": "one", "work": WORK}, {"id": "two", "work": {**WORK, "moves": [], "multiPv": 1}}])
    engine = provider(server)
    assert engine.register() == "eei_new"
    (_, fields) = server.registered[0]
    assert (fields["name"], fields["variants"], fields["maxHash"]) == ("Test", ["chess"], 16)
    engine.serve(jobs=2)
    for name, moves, lines_shown in (("one", ["e2e4", "e7e5"], 2), ("two", [], 1)):
        lines = server.answers[name]
        board = chess.Board()
        for move in moves:
            board.push_uci(move)
        best = re.fullmatch(r"bestmove (\S+).*\n", lines[-1])
        assert best
        assert chess.Move.from_uci(best[1]) in board.legal_moves
        shown = {int(number) for line in lines for number in re.findall(r" multipv (\d+)", line)}
        assert max(shown, default=1) == lines_shown
        for line in lines[:-1]:
            assert re.match(r"info depth \d+ ", line)
            pv = re.search(r" pv (.*)", line)
            assert pv
            after = board.copy()
            for move in pv[1].split():
                after.push_uci(move)


def test_an_engine_of_the_same_name_is_replaced(start: Any) -> None:
    server = start([], [{"id": "eei_old", "name": "Test"}])
    assert provider(server).register() == "eei_old"
    assert server.registered[0][0] == "/api/external-engine/eei_old"


def test_a_closed_board_ends_the_search(start: Any) -> None:
    endless = {key: value for key, value in WORK.items() if key != "nodes"}
    server = start([{"id": "one", "work": endless}, {"id": "two", "work": WORK}])
    engine = provider(server)
    engine.register()
    server.closes_early = True
    engine.serve(jobs=1)
    server.closes_early = False
    engine.serve(jobs=1)
    assert server.answers["two"][-1].startswith("bestmove ")


def test_a_wrong_token_is_one_line(start: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    server = start([])
    with pytest.raises(ProtocolError, match="does not accept the token"):
        provider(server, "bad").register()
    monkeypatch.setenv("LICHESS_TOKEN", "bad")
    words = ("lichess-engine", "-o", f"lichess={server.url}", "-o", f"broker={server.url}")
    assert "engine:write" in shell.one_line_error(shell.kibitz(*words))
    monkeypatch.delenv("LICHESS_TOKEN")
    assert "LICHESS_TOKEN" in shell.one_line_error(shell.kibitz("lichess-engine"))
    assert "unknown setting" in shell.one_line_error(shell.kibitz("lichess-engine", "-o", "c=1"))
