"""How much there is of what users and programmers have to know: it grows only where somebody needs it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click
from typer.main import get_command

from kibitz.cli.app import make_app

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "kibitz"

#: Flags that `--help` shows, of all commands together. A setting that few change is a name of `-o`.
MOST_FLAGS = 236
#: Rows of docs/options.md.
MOST_OPTIONS = 95
#: Files of the package outside its folders.
MOST_MODULES = 20


def commands(command: click.Command, name: str) -> Iterator[tuple[str, click.Command]]:
    inner = getattr(command, "commands", None)
    if not inner:
        yield name, command
        return
    for word, below in inner.items():
        yield from commands(below, f"{name} {word}")


def test_flags_of_all_commands() -> None:
    flags = {
        f"{name} {parameter.opts[0]}"
        for name, command in commands(get_command(make_app()), "kibitz")
        for parameter in command.params
        if parameter.param_type_name == "option" and not getattr(parameter, "hidden", False)
    }
    assert {"kibitz analyze --include", "kibitz katago analysis -config"} <= flags
    assert len(flags) <= MOST_FLAGS


def test_rows_of_search_options() -> None:
    rows = re.findall(r"^\| `(\w+)` \|", (ROOT / "docs" / "options.md").read_text(encoding="utf-8"), re.M)
    assert {"rule", "threads", "depth"} <= set(rows)
    assert len(rows) <= MOST_OPTIONS


def test_modules_outside_folders() -> None:
    modules = [path.name for path in PACKAGE.glob("*.py")]
    assert "engine.py" in modules
    assert len(modules) <= MOST_MODULES
