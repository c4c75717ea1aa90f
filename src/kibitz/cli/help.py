"""Help texts: examples stay as they are typed, and a group without a command prints its help."""

from __future__ import annotations

import re
import sys
from typing import Any

import typer
from typer.core import TyperGroup

#: Columns of an example line; help pages are 80 wide and indent examples by six.
_WIDTH = 74
_ONE_LINE = re.compile(r"^(Examples?): (?=\S)", re.MULTILINE)
#: The first word of a board that begins with an empty square; no option looks like it.
_BOARD = re.compile(r"-[-.*xXoO0]{7,}(?![^\s;])")


class Group(TyperGroup):
    """The top of the command line: reads boards that begin with `-` as positions, not as options, and says
    that it was interrupted, which typer would pass over in silence."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            print("kibitz: stopped", file=sys.stderr)
            raise typer.Exit(130) from None

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        # A leading space hides the dash from the option parser; positions are stripped when they are read.
        return super().parse_args(ctx, [f" {word}" if _BOARD.match(word) else word for word in args])


def with_kept_examples(app: typer.Typer) -> typer.Typer:
    """Applies `keep_examples` to every command and group of the app."""
    for command in app.registered_commands:
        command.help = keep_examples(command.help or "")
    for group in app.registered_groups:
        if group.typer_instance is not None:
            with_kept_examples(group.typer_instance)
            group.typer_instance.info.help = keep_examples(str(group.typer_instance.info.help or ""))
    return app


def keep_examples(text: str) -> str:
    r"""Marks indented paragraphs so that they are not wrapped like prose; long ones are continued by `\`
    before an option, as a shell reads them.

    >>> print(keep_examples("Solve.\n\nExample: kibitz solve othello FILE.obf").replace("\b", "(as it is)"))
    Solve.
    <BLANKLINE>
    Example:
    <BLANKLINE>
    (as it is)
        kibitz solve othello FILE.obf
    """
    paragraphs = _ONE_LINE.sub("\\1:\n\n    ", text.strip("\n")).split("\n\n")
    return "\n\n".join(_raw(part) if part.startswith("    ") else part for part in paragraphs)


def _raw(paragraph: str) -> str:
    lines = [line for text in paragraph.splitlines() for line in _folded(text.strip())]
    return "\n".join(["\b", *(f"    {line}" for line in lines)])


def _folded(line: str) -> list[str]:
    """A command line over several lines, broken only before options."""
    first, *options = re.split(r" (?=--?[a-z])", line)
    lines = [first]
    for option in options:
        if len(lines[-1]) + len(option) + 3 > _WIDTH:
            lines[-1] += " \\"
            lines.append(f"    {option}")
        else:
            lines[-1] += f" {option}"
    return lines
