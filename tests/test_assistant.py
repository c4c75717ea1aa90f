"""Assistants: a conversation through the client of the official SDK, and the limits of what may be asked."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from typing import Any

import chess
import pytest

from kibitz.assistant.answers import Answers
from kibitz.assistant.mcp_server import make_server

mcp = pytest.importorskip("mcp", reason="mcp is not installed (the extra mcp)")

#: White mates by the queen's sacrifice and the rook on the back rank.
BACK_RANK = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"
GAME = """[White "A"]
[Black "B"]
[Result "1-0"]

1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0
"""


def talk(conversation: Callable[[Any], Awaitable[None]], **connection: Any) -> None:
    """Runs a conversation with a server: one in this process, or what `connection` names."""

    async def run() -> None:
        answers = Answers()
        try:
            async with mcp.Client(connection.get("server") or make_server(answers)) as client:
                await conversation(client)
        finally:
            answers.close()

    asyncio.run(run())


async def ask(client: Any, tool: str, **wishes: Any) -> dict[str, Any]:
    result = await client.call_tool(tool, wishes)
    assert not result.is_error, result.content
    answer: dict[str, Any] = json.loads(result.content[0].text)
    return answer


def test_a_conversation() -> None:
    async def conversation(client: Any) -> None:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        asked = {"why", "line", "threat", "refute", "what_changed"}
        assert set(tools) == {"legal_moves", "analyze", "compare", "review", "solve"} | asked
        assert "candidates" in tools["compare"].input_schema["required"]

        moves = (await ask(client, "legal_moves", game="chess", position=BACK_RANK))["moves"]
        assert {chess.Move.from_uci(move) for move in moves} == set(chess.Board(BACK_RANK).legal_moves)

        found = await ask(client, "analyze", game="chess", position=BACK_RANK, seconds=0.3)
        assert found["best"] == "d1d8"
        assert any("back-rank mate" in sentence for sentence in found["why"])
        assert found["facts"][0]["evidence"]["line"]

        why = await ask(client, "why", game="chess", position=BACK_RANK, move="d1d2", seconds=0.5)
        assert why["better"]["move"] == "d1d8"
        assert 0 < why["loses"] <= 1

        compared = await ask(
            client, "compare", game="chess", position=BACK_RANK, candidates=["d1d8", "d1d2"], seconds=1
        )
        assert compared["best"] == "d1d8"

        reviewed = await ask(client, "review", record=GAME)
        assert reviewed["moves"] == 7
        blunder = reviewed["worst"][0]
        assert (blunder["side"], blunder["played"], blunder["label"]) == ("black", "Nf6", "blunder")

        words = await client.read_resource("kibitz://vocabulary/chess")
        assert "chess.fork" in json.loads(words.contents[0].text)
        games = await client.read_resource("kibitz://games")
        assert json.loads(games.contents[0].text)["othello"]["moves"] == ["d3", "c4", "f5", "e6"]

    talk(conversation)


def test_a_conversation_about_a_trap() -> None:
    """An assistant is asked about the scholar's mate; python-chess replays every line it is given."""
    moves = ["e2e4", "e7e5", "f1c4", "b8c6", "d1h5"]
    board = chess.Board()
    for move in moves:
        board.push_uci(move)

    def mates(line: list[str], passes: bool = False) -> bool:
        after = board.copy()
        for move in ["0000", *line] if passes else line:
            after.push_uci(move)
        return after.is_checkmate()

    async def conversation(client: Any) -> None:
        threat = await ask(client, "threat", game="chess", moves=moves, seconds=1)
        assert threat["verdict"] == "threat"
        assert threat["worth"] > 0.2
        assert mates([threat["move"]], passes=True)

        refuted = await ask(client, "refute", game="chess", move="Nf6", moves=moves, seconds=1)
        assert refuted["verdict"] == "refuted"
        assert mates(refuted["line"])
        assert any("mate in 1" in sentence for sentence in refuted["why"])

        line = await ask(client, "line", game="chess", line=["Nf6", "Qxf7"], moves=moves, seconds=1)
        assert [step["move"] for step in line["steps"]] == ["g8f6", "h5f7"]
        assert line["move"] == "g8f6"
        assert line["steps"][0]["cost"] == pytest.approx(line["loses"], abs=1e-4)

        played = [*moves, "g8f6"]
        changed = await ask(
            client, "what_changed", game="chess", moves=played, since=5, seconds=1, language="ko"
        )
        assert (changed["verdict"], changed["move"]) == ("changed", "g8f6")
        assert changed["from"] == board.fen(en_passant="fen")

        better = await ask(client, "why", game="chess", move="Nf6", moves=moves, seconds=1)
        assert chess.Move.from_uci(better["better"]["move"]) in board.legal_moves
        assert better["better"]["move"] != "g8f6"

    talk(conversation)


def test_answers_are_small() -> None:
    async def conversation(client: Any) -> None:
        for game in ("go", "chess", "othello", "uttt"):
            result = await client.call_tool("analyze", {"game": game, "seconds": 0.1})
            assert not result.is_error
            assert len(result.content[0].text) < 8_000

    talk(conversation)


@pytest.mark.parametrize(
    ("tool", "wishes", "said"),
    [
        ("analyze", {"game": "checkers"}, "checkers"),
        ("analyze", {"game": "chess", "position": "nonsense"}, "not a position of chess"),
        ("analyze", {"game": "chess", "moves": ["e2e5"]}, "e2e5"),
        ("analyze", {"game": "chess", "seconds": 1e9}, "at most 60"),
        ("analyze", {"game": "chess", "seconds": -1}, "above 0"),
        ("analyze", {"game": "chess", "language": "tlh"}, "language must be one of"),
        ("analyze", {"game": "othello", "moves": ["d3"] * 3000}, "at most 2000 moves"),
        ("compare", {"game": "chess", "candidates": ["e2e4"]}, "2 to 100 different moves"),
        ("why", {"game": "chess", "move": "e2e5"}, "e2e5"),
        ("review", {"record": "x" * 600_000}, "more than 500000 letters"),
        ("review", {"record": GAME, "effort": "forever"}, "effort must be"),
        ("solve", {"game": "chess"}, "no exact solver"),
        ("line", {"game": "chess", "line": []}, "1 to 64 moves"),
        ("line", {"game": "chess", "line": ["e4", "e4"]}, "move 2 of the line"),
        ("threat", {"game": "uttt"}, "a pass cannot be modelled in uttt"),
        ("threat", {"game": "chess", "moves": ["e4", "d5", "Bb5"]}, "black is in check"),
        ("refute", {"game": "junqi", "move": "S11-S22"}, "cannot see"),
        ("what_changed", {"game": "chess", "moves": []}, "no earlier position"),
    ],
)
def test_a_bad_question_is_answered_with_its_fault(tool: str, wishes: dict[str, Any], said: str) -> None:
    async def conversation(client: Any) -> None:
        result = await client.call_tool(tool, wishes)
        assert result.is_error
        assert said in result.content[0].text
        assert len(result.content[0].text) < 1_000

    talk(conversation)


def test_over_stdin_and_stdout() -> None:
    from mcp import StdioServerParameters

    async def conversation(client: Any) -> None:
        answer = await ask(client, "legal_moves", game="othello", moves=["d3"])
        assert answer["toMove"] == "white"
        assert sorted(answer["moves"]) == ["c3", "c5", "e3"]

    server = StdioServerParameters(
        command=sys.executable, args=["-c", "from kibitz.cli import main; main()", "mcp"]
    )
    talk(conversation, server=server)


def test_over_http_with_a_token_only() -> None:
    import httpx2 as httpx
    from mcp.client.streamable_http import streamable_http_client

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-c", "from kibitz.cli import main; main()", "mcp", "--port", str(port)]
    address = f"http://127.0.0.1:{port}/mcp"
    with subprocess.Popen(
        command, env={**os.environ, "KIBITZ_TOKEN": "secret"}, stderr=subprocess.DEVNULL
    ) as server:
        try:
            for _ in range(200):
                try:
                    assert httpx.post(address, json={}).status_code == 401
                    break
                except httpx.TransportError:
                    time.sleep(0.1)
            wrong = {"Authorization": "Bearer wrong"}
            assert httpx.post(address, json={}, headers=wrong).status_code == 401

            async def conversation(client: Any) -> None:
                assert (await ask(client, "legal_moves", game="uttt"))["toMove"] == "x"

            async def run() -> None:
                allowed = httpx.AsyncClient(headers={"Authorization": "Bearer secret"})
                async with (
                    allowed,
                    mcp.Client(streamable_http_client(address, http_client=allowed)) as client,
                ):
                    await conversation(client)

            asyncio.run(run())
        finally:
            server.terminate()
