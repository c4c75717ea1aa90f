"""`kibitz serve`: the web app."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kibitz.errors import BadOption

_HELP = """Serve the web app: play, analyze and steer in the browser.

Example: kibitz serve --open

With --engines ray:ADDRESS the searches of all players run on the nodes of a Ray cluster.
"""


def register(app: typer.Typer) -> None:
    app.command("serve", help=_HELP)(serve)


def serve(
    host: Annotated[
        str, typer.Option(help="Address to listen on. Any but this machine's own needs --token.")
    ] = "127.0.0.1",
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="Port. [default: 8000, or the next free one]")
    ] = None,
    token: Annotated[str, typer.Option(help="Secret that browsers must show.", envvar="KIBITZ_TOKEN")] = "",
    cores: Annotated[int | None, typer.Option(min=1, help="Cores for searches. [default: all]")] = None,
    engines: Annotated[
        str,
        typer.Option(
            help="Where searches run: ray:ADDRESS of a Ray cluster. [default: this machine]", metavar="WHERE"
        ),
    ] = "",
    database: Annotated[
        str,
        typer.Option(
            help="Where games are kept: sqlite:///FILE or postgresql://... [default: a file of your own]",
            metavar="URL",
            envvar="KIBITZ_DATABASE",
        ),
    ] = "",
    runs: Annotated[
        Path | None,
        typer.Option(help="Folder of match logs and training runs to show.", metavar="DIR"),
    ] = None,
    syzygy: Annotated[
        str, typer.Option(help="Folders of Syzygy tables, separated as in PATH.", metavar="DIR")
    ] = "",
    human: Annotated[
        list[str] | None,
        typer.Option(
            help="Human model for reviews of a game, as chess=maia-1900.pb.gz.", metavar="GAME=FILE"
        ),
    ] = None,
    proxy: Annotated[
        list[str] | None,
        typer.Option(help="Address of a proxy whose X-Forwarded-For is believed.", metavar="ADDRESS"),
    ] = None,
    metrics: Annotated[
        int | None,
        typer.Option(min=1, max=65535, help="Port of this machine for Prometheus.", metavar="PORT"),
    ] = None,
    open_browser: Annotated[bool, typer.Option("--open", help="Open a browser, if there is one.")] = False,
) -> None:
    from kibitz.games.bundled import bundled_games
    from kibitz.games.networks import described, load_network
    from kibitz.server.run import serve as run  # the other commands need no web server
    from kibitz.server.settings import Settings

    for game in bundled_games():
        typer.echo(f"{game}: network: {described(game, load_network(game))}", err=True)
    settings = Settings(
        host,
        token,
        cores=cores,
        cluster=engines,
        database=database,
        runs=runs,
        syzygy=syzygy,
        humans=dict(_human_model(text) for text in human or ()),
        proxies=tuple(proxy or ()),
        metrics_port=metrics,
    )
    run(settings, port, open_browser, lambda address: typer.echo(f"Kibitz is at {address}  (Ctrl-C ends it)"))


def _human_model(text: str) -> tuple[str, str]:
    game, equals, file = text.partition("=")
    if not equals or not file:
        raise BadOption(f"--human: expected GAME=FILE, got {text!r}")
    return game, file
