"""The errors a user can cause. Each message is one line: what was wrong, and what was expected.

The command line prints the message and exits with 2; protocols put it into their own error shape. The message
may be a `kibitz.sentences.Sentence`, which the web page words in its reader's language.
"""

from __future__ import annotations

from typing import Any

__all__ = [
    "BadOption",
    "BadPosition",
    "BadRecord",
    "BadRequest",
    "BadSteering",
    "BadTable",
    "GameError",
    "IllegalMove",
    "KibitzError",
    "NotInTable",
    "NotInstalled",
    "ProtocolError",
]

#: The extra of pyproject.toml that brings each package that the library alone does not need.
EXTRAS = {
    "alembic": "server",
    "anywidget": "notebook",
    "fastapi": "server",
    "gymnasium": "envs",
    "mcp": "mcp",
    "onnx": "onnx",
    "onnxruntime": "onnx",
    "open-spiel": "openspiel",
    "openvino": "openvino",
    "pettingzoo": "envs",
    "psycopg": "postgres",
    "pyarrow": "parquet",
    "pydantic": "server",
    "ray": "ray",
    "rich": "cli",
    "safetensors": "train",
    "sqlalchemy": "server",
    "tomli": "train",
    "torch": "train",
    "typer": "cli",
    "uvicorn": "server",
    "websockets": "server",
    "zstandard": "zstd",
}


def how_to_install(package: str) -> str:
    """The command that brings a package of an extra."""
    return f"pip install 'kibitz[{EXTRAS[package]}]'"


class KibitzError(ValueError):
    """Anything the caller got wrong.

    >>> try:
    ...     kibitz.othello.Position().play("a1")
    ... except kibitz.KibitzError as error:
    ...     print(type(error).__name__)
    IllegalMove
    """


class IllegalMove(KibitzError):
    """A move the rules do not allow, or text that is no move.

    >>> kibitz.othello.Position().play("a1")
    Traceback (most recent call last):
        ...
    kibitz.errors.IllegalMove: illegal move a1 for black; legal: d3, c4, f5, e6
    """


class BadPosition(KibitzError):
    """Text that is no position of the game.

    >>> kibitz.chess.Position("no FEN")
    Traceback (most recent call last):
        ...
    kibitz.errors.BadPosition: not a position of chess: bad character 'o' in the board, expected ...
    """


class BadRecord(KibitzError):
    """A file or text that is no game record of the format.

    >>> from kibitz.games.junqi.records import parse_jql
    >>> parse_jql(b"too short")
    Traceback (most recent call last):
        ...
    kibitz.errors.BadRecord: layout file: a .jql file has 50 bytes, this one has 9
    """


class BadOption(KibitzError):
    """An unknown option, or a value it does not take.

    >>> kibitz.Engine("othello", "no_such_preset")
    Traceback (most recent call last):
        ...
    kibitz.errors.BadOption: unknown preset 'no_such_preset' of othello, expected default, uct, ...
    """


class NotInstalled(BadOption, ImportError):
    """A package that is missing; the message names the extra that brings it.

    >>> raise NotInstalled("torch", "training")
    Traceback (most recent call last):
        ...
    kibitz.errors.NotInstalled: training needs the package torch: pip install 'kibitz[train]'
    """

    def __init__(self, package: str, use: str = "this") -> None:
        super().__init__(f"{use} needs the package {package}: {how_to_install(package)}")
        self._made_of = (package, use)

    def __reduce__(self) -> tuple[Any, ...]:  # workers send it to whoever drives them
        return type(self), self._made_of


class BadSteering(KibitzError):
    """Steering of the wrong type or out of range (an illegal move is refused in the Report instead).

    >>> kibitz.analyze(kibitz.othello.Position(), include=["d3"], min_visits=0)
    Traceback (most recent call last):
        ...
    kibitz.errors.BadSteering: min_visits must be a whole number from 1 to 2^50, got 0
    """


class BadRequest(KibitzError):
    """A request that cannot be carried out: a finished game, no budget, an unknown game.

    >>> kibitz.Budget(simulations=0)
    Traceback (most recent call last):
        ...
    kibitz.errors.BadRequest: simulations must be a whole number of at least 1, got 0
    """


class GameError(KibitzError):
    """A game written in Python that raised an error, which is the cause, or broke its contract.

    >>> kibitz.register(dict)
    Traceback (most recent call last):
        ...
    kibitz.errors.GameError: dict: the class dict has no method moves()
    """


class ProtocolError(KibitzError):
    """The program at the other end broke its protocol, or is not there.

    >>> from kibitz.protocols import otp
    >>> otp.serve(otp.ROTP(), "127.0.0.1", 1, connect_seconds=0)
    Traceback (most recent call last):
        ...
    kibitz.errors.ProtocolError: no judge at 127.0.0.1 port 1: ...
    """


class BadTable(KibitzError):
    """A file that is no table, a damaged one, or a folder without any.

    >>> kibitz.tablebase.Tablebase("no/such/folder")
    Traceback (most recent call last):
        ...
    kibitz.errors.BadTable: no/such/folder: no such folder of tables
    """


class NotInTable(KibitzError):
    """A position that no installed table has.

    >>> kibitz.tablebase.Tablebase("tables").probe(kibitz.uttt.Position())
    Traceback (most recent call last):
        ...
    kibitz.errors.NotInTable: not in the tables: 81 empty cells in 9 open sub-boards (standard rules); ...
    """
