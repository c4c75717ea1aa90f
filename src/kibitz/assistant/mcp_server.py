"""The Model Context Protocol: the answers as tools, the rules and the words for facts as resources."""

from __future__ import annotations

import functools
import hmac
import inspect
import json
from collections.abc import Awaitable, Callable
from typing import Any

from kibitz.assistant.answers import Answers
from kibitz.errors import KibitzError, NotInstalled
from kibitz.games import registry
from kibitz.sentences import table

_TOOLS = (
    *("legal_moves", "analyze", "compare", "why", "line", "threat", "refute", "what_changed"),
    *("review", "solve"),
)
_INSTRUCTIONS = """Kibitz analyzes board games. Values are the expected result of the side to move, 0 to 1.
Say no more than the answers do: each sentence of `why` rests on a fact, each fact carries its evidence (a
line of moves, squares, numbers). Where no reason is found, the answer says so."""


def make_server(answers: Answers, version: str = "") -> Any:
    """An MCPServer of the official SDK."""
    try:
        from mcp.server.mcpserver import MCPServer
        from mcp.server.mcpserver.exceptions import ToolError
    except ImportError:
        raise NotInstalled("mcp", "the Model Context Protocol") from None

    def tool(method: Callable[..., Awaitable[dict[str, Any]]]) -> Callable[..., Awaitable[dict[str, Any]]]:
        @functools.wraps(method)
        async def call(*args: Any, **wishes: Any) -> dict[str, Any]:
            try:
                return await method(*args, **wishes)
            except KibitzError as error:
                raise ToolError(str(error)) from None

        call.__signature__ = inspect.signature(method, eval_str=True)  # type: ignore[attr-defined]
        return call

    server = MCPServer("kibitz", version=version, instructions=_INSTRUCTIONS)
    for name in _TOOLS:
        method = getattr(answers, name)
        server.add_tool(tool(method), name=name, description=inspect.getdoc(method))

    def games() -> str:
        """The games, with a position and a few moves of each as they are written."""
        return json.dumps({name: _described(name) for name in registry.names()}, ensure_ascii=False)

    def vocabulary(game: str) -> str:
        """The codes of a game's facts and the sentence that each makes."""
        registry.get(game)
        words = {
            code: text
            for code, text in table().items()
            if code.partition(".")[0] in (game, "fact", "compare", "ask")
        }
        return json.dumps(words, ensure_ascii=False)

    # Called, not written as decorators, which have no type where the SDK is not installed.
    server.resource("kibitz://games", mime_type="application/json")(games)
    server.resource("kibitz://vocabulary/{game}", mime_type="application/json")(vocabulary)
    return server


def _described(name: str) -> dict[str, Any]:
    start = registry.get(name).position()
    return {"start": start.notation, "sides": list(start.side_names), "moves": list(start.legal_moves[:5])}


def with_token(app: Any, token: str) -> Any:
    """The app for those who show the token."""

    async def guarded(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            shown = dict(scope["headers"]).get(b"authorization", b"")
            if not hmac.compare_digest(shown, b"Bearer " + token.encode()):
                await send({"type": "http.response.start", "status": 401, "headers": []})
                await send({"type": "http.response.body", "body": b"a token is needed"})
                return
        await app(scope, receive, send)

    return guarded


def serve_http(server: Any, port: int, token: str) -> None:
    """Serves on this machine's own address until it is stopped."""
    import uvicorn

    app = with_token(server.streamable_http_app(host="127.0.0.1"), token)
    uvicorn.run(app, host="127.0.0.1", port=port, log_level="warning", lifespan="on")
