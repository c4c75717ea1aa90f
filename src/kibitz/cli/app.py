"""Puts the commands together. A new command is a file with `register(app)` and a line here."""

from __future__ import annotations

from importlib import import_module

import typer

from kibitz.cli.help import Group, with_kept_examples

__all__ = ["make_app"]

_COMMANDS = (
    "demo",
    "analyze",
    "play",
    "serve",
    "match",
    "arena",
    "tune",
    "selfplay",
    "style",
    "solve",
    "perft",
    "tablebase",
    "book",
    "othello",
    "bench",
    "judge",
    "otp",
    "nboard",
    "uci",
    "nets",
    "train",
    "katago",
    "junqi",
    "gtp",
)


def make_app(only: str | None = None) -> typer.Typer:
    """The command line. With `only`, just that command is imported, which starts much faster."""
    app = typer.Typer(
        name="kibitz",
        cls=Group,
        no_args_is_help=True,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        help="Analyze and play board games with a search you can steer.\n\nStart with: kibitz demo",
        context_settings={"help_option_names": ["-h", "--help"]},
    )

    @app.callback(invoke_without_command=True)
    def top(version: bool = typer.Option(False, "--version", help="Print the version and exit.")) -> None:
        if version:
            from kibitz import __version__

            typer.echo(f"kibitz {__version__}")
            raise typer.Exit()

    for name in (only,) if only in _COMMANDS else _COMMANDS:
        import_module(f"kibitz.cli.{name}").register(app)
    return with_kept_examples(app)
