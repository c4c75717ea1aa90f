"""Engines that GUIs start: their flags are read without Typer, as Typer reads them."""

from __future__ import annotations

import inspect
import typing
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from kibitz.cli import engines
from kibitz.cli.app import make_app
from kibitz.games.chess.commands import uci
from kibitz.games.go.commands import gtp, katago

#: The functions that Typer calls.
FUNCTIONS = {("uci",): uci.uci, ("katago", "analysis"): katago.analysis, ("gtp",): gtp.gtp}


def kind_of(function: Any, name: str) -> type:
    """The type of a parameter without `None`; a list is of text."""
    hint = typing.get_type_hints(function)[name]
    named = [kind for kind in typing.get_args(hint) or (hint,) if kind is not type(None)]
    kind: type = typing.get_origin(named[0]) or named[0]
    return kind


def command_of(words: tuple[str, ...]) -> Any:
    command: Any = get_command(make_app(words[0]))
    for word in words:
        command = command.commands[word] if hasattr(command, "commands") else command
    return command


@pytest.mark.parametrize("words", engines.COMMANDS, ids=" ".join)
def test_flags_are_those_of_the_command(words: tuple[str, ...]) -> None:
    run, flags = engines.COMMANDS[words]
    declared = {
        spelling: (item.name, kind_of(FUNCTIONS[words], item.name))
        for item in command_of(words).params
        for spelling in item.opts
    }
    assert flags == declared
    defaults = {name: item.default for name, item in inspect.signature(run).parameters.items()}
    assert defaults == {item.name: item.default for item in command_of(words).params}


UCI, GTP = (engines.COMMANDS[words,][1] for words in ("uci", "gtp"))


@pytest.mark.parametrize(
    ("words", "values"),
    [
        ("", {}),
        (
            "--network a.pb.gz -o Threads=2 --option MultiPV=3",
            {"network": "a.pb.gz", "option": ["Threads=2", "MultiPV=3"]},
        ),
    ],
)
def test_plain_flags(words: str, values: dict[str, Any]) -> None:
    assert engines.plain_flags(words.split(), UCI) == values


@pytest.mark.parametrize(
    "words", ["--help", "--visits", "--visits x", "--visits=3", "--config --visits", "go", "--vis 3"]
)
def test_what_is_not_plain_is_left_to_typer(words: str) -> None:
    assert engines.plain_flags(words.split(), GTP) is None


def test_values_have_types() -> None:
    words = ["-model", "m.bin.gz", "--visits", "20", "--seconds", "0.5", "-config", "my.cfg", "--as-katago"]
    assert engines.plain_flags(words, GTP) == {
        "network_file": "m.bin.gz",
        "visits": 20,
        "seconds": 0.5,
        "config": Path("my.cfg"),
        "as_katago": True,
    }
