"""Puts the commands together. A new command is a file with `register(app)` and a line here; one of a game
alone is a file in the game's folder `commands`, named like the command. `summaries.py` has a line of each."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import typer

from kibitz.cli.help import Group, with_kept_examples
from kibitz.cli.summaries import SUMMARIES

_COMMANDS = (
    "demo",
    "analyze",
    "review",
    "play",
    "serve",
    "match",
    "arena",
    "selfplay",
    "cluster",
    "solve",
    "perft",
    "book",
    "bench",
    "nets",
    "train",
    "mcp",
    "completion",
)


_GAMES = Path(__file__).parents[1] / "games"


def _modules() -> dict[str, str]:
    """The module of every command, in the order of `SUMMARIES`; nothing is imported."""
    modules = {name.replace("_", "-"): f"kibitz.cli.{name}" for name in _COMMANDS}
    for file in sorted(_GAMES.glob("*/commands/[a-z]*.py")):
        modules[file.stem.replace("_", "-")] = f"kibitz.games.{file.parts[-3]}.commands.{file.stem}"
    order = {name: at for at, name in enumerate(SUMMARIES)}
    return dict(sorted(modules.items(), key=lambda item: order.get(item[0], len(order))))


def make_app(only: str | None = None) -> typer.Typer:
    """The command line. With `only`, just that command is imported, which starts much faster; with `-h` or
    `--help` none is, and the app can do nothing but list them."""
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

    modules = _modules()
    if only in ("-h", "--help") and modules.keys() == SUMMARIES.keys():
        for name, summary in SUMMARIES.items():
            app.command(name, help=summary)(_listed)
        return app
    for name in (only,) if only in modules else modules:
        import_module(modules[name]).register(app)
    return with_kept_examples(app)


def _listed() -> None:
    """Stands for a command on a page that names all of them."""
