"""The errors a user can cause. Each message is one line: what was wrong, and what was expected.

The command line prints the message and exits with 2; protocols put it into their own error shape.
"""

from __future__ import annotations

__all__ = [
    "BadOption",
    "BadPosition",
    "BadRecord",
    "BadRequest",
    "BadSteering",
    "BadTable",
    "IllegalMove",
    "KibitzError",
    "NotInTable",
    "ProtocolError",
]


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


class BadSteering(KibitzError):
    """Steering of the wrong type or out of range (an illegal move is refused in the Report instead)."""


class BadRequest(KibitzError):
    """A request that cannot be carried out: a finished game, no budget, an unknown game."""


class ProtocolError(KibitzError):
    """The program at the other end broke its protocol."""


class BadTable(KibitzError):
    """A file that is no table, a damaged one, or a folder without any."""


class NotInTable(KibitzError):
    """A position that no table at hand has."""
