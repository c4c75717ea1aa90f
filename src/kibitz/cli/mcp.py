"""`kibitz mcp`: tools for assistants, by the Model Context Protocol."""

from __future__ import annotations

import importlib.util
import os
import secrets
import sys
from typing import Annotated

import typer

from kibitz.errors import NotInstalled

_HELP = """Serve tools for assistants by the Model Context Protocol, on stdin and stdout.

The tools are legal_moves, analyze, compare, why, line, threat, refute, what_changed, review and solve. Their
answers are facts with evidence and ready sentences (docs/why.md). With --port they are served over HTTP on
this machine, at /mcp; the token is that of KIBITZ_TOKEN, or a new one which is printed.

Example:

    kibitz mcp --port 8765
"""


def register(app: typer.Typer) -> None:
    app.command("mcp", help=_HELP)(mcp)


def mcp(
    port: Annotated[int | None, typer.Option(help="Serve over HTTP on 127.0.0.1 at this port.")] = None,
) -> None:
    if importlib.util.find_spec("mcp") is None:  # the extra brings all that this imports
        raise NotInstalled("mcp", "the Model Context Protocol")
    from kibitz import __version__
    from kibitz.assistant.answers import Answers
    from kibitz.assistant.mcp_server import make_server, serve_http

    answers = Answers()
    server = make_server(answers, __version__)
    try:
        if port is None:
            server.run("stdio")
        else:
            token = os.environ.get("KIBITZ_TOKEN") or secrets.token_urlsafe(24)
            print(
                f"http://127.0.0.1:{port}/mcp with the header Authorization: Bearer {token}", file=sys.stderr
            )
            serve_http(server, port, token)
    finally:
        answers.close()
