"""The errors a user can cause. Each message is one line: what was wrong, and what was expected.

The command line prints the message and exits with 2; protocols put it into their own error shape. The message
may be a `kibitz.sentences.Sentence`, which the web page words in its reader's language.
"""

from __future__ import annotations

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
    """Anything the caller got wrong."""


class IllegalMove(KibitzError):
    """A move the rules do not allow, or text that is no move."""


class BadPosition(KibitzError):
    """Text that is no position of the game."""


class BadRecord(KibitzError):
    """A file or text that is no game record of the format."""


class BadOption(KibitzError):
    """An unknown option, or a value it does not take."""


class NotInstalled(BadOption, ImportError):
    """A package that is missing; the message names the extra that brings it."""

    def __init__(self, package: str, use: str = "this") -> None:
        super().__init__(f"{use} needs the package {package}: {how_to_install(package)}")


class BadSteering(KibitzError):
    """Steering of the wrong type or out of range (an illegal move is refused in the Report instead)."""


class BadRequest(KibitzError):
    """A request that cannot be carried out: a finished game, no budget, an unknown game."""


class GameError(KibitzError):
    """A game written in Python that raised an error, which is the cause, or broke its contract."""


class ProtocolError(KibitzError):
    """The program at the other end broke its protocol."""


class BadTable(KibitzError):
    """A file that is no table, a damaged one, or a folder without any."""


class NotInTable(KibitzError):
    """A position that no installed table has."""
