"""Writes the manual page from the help of the commands: ``python -m tools.man_page build/kibitz.1``."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import kibitz
from kibitz.cli.completion import command_tree

_HEAD = """.\\" Written by `make man`. Do not edit.
.TH KIBITZ 1 "" "Kibitz {version}" "User Commands"
.SH NAME
kibitz \\- analyze and play Go, chess, Junqi, ultimate tic-tac-toe and Othello
.SH SYNOPSIS
.B kibitz
.I COMMAND
[\\fIOPTION\\fR]... [\\fIARGUMENT\\fR]...
.SH DESCRIPTION
One engine for five board games whose search can be steered.
Each command has \\fB\\-\\-help\\fR with an example.
.SH COMMANDS
"""
_TAIL = """.SH ENVIRONMENT
.TP
.B KIBITZ_DATA
Folder of networks and saved games.
.TP
.B KIBITZ_CACHE
Folder of what is measured and made once.
.TP
.B KIBITZ_TABLES
Folder of the exact tables of ultimate tic-tac-toe.
.TP
.B KIBITZ_CPU_LEVEL
CPU level to load (baseline, v3, v4) instead of the best one.
.TP
.B KIBITZ_TOKEN, KIBITZ_DATABASE
As the options of
.B kibitz serve.
.TP
.B KIBITZ_TRACEBACK
Set to 1, an internal error shows where it was.
.SH EXIT STATUS
0 on success, 2 for wrong input, 70 for an internal error, 130 when interrupted.
"""


def escaped(text: str) -> str:
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.MULTILINE)


def paragraphs(text: str) -> str:
    """A help text: examples, marked by \\b, stay as they are typed."""
    written = []
    for part in text.strip().split("\n\n"):
        if part.startswith("\b"):
            written.append(f".nf\n.RS\n{escaped(part[2:])}\n.RE\n.fi")
        else:
            written.append(f".PP\n{escaped(' '.join(part.split()))}")
    return "\n".join(written) + "\n"


def described(path: tuple[str, ...], command: Any) -> str:
    text = f".SS kibitz {escaped(' '.join(path))}\n{paragraphs(command.help or '')}"
    for one in command.params:
        if one.param_type_name == "option" and one.opts:
            names = ", ".join(f"\\fB{escaped(word)}\\fR" for word in (*one.opts, *one.secondary_opts))
            text += f".TP\n{names}\n{escaped(' '.join((one.help or '').split()))}\n"
    return text


def page() -> str:
    tree = [(path, command) for path, command in command_tree() if path]
    head = _HEAD.format(version=escaped(kibitz.__version__))
    return head + "".join(described(path, command) for path, command in tree) + _TAIL


if __name__ == "__main__":
    (target,) = sys.argv[1:]
    Path(target).write_text(page(), encoding="utf-8")
