"""The networks that come with Kibitz: trained by its own pipeline (docs/nets.md), one for a game at most, and
the default of its game's commands.

>>> bundled("junqi") is None
True
"""

from __future__ import annotations

from pathlib import Path

__all__ = ["NONE", "bundled", "chosen", "names"]

#: What a user writes where no network is wanted.
NONE = "none"

_FOLDER = Path(__file__).parent / "files"


def bundled(game: str) -> Path | None:
    """The file of a game's network, None where there is none."""
    path = _FOLDER / f"{game}.knet"
    return path if path.is_file() else None


def names() -> list[str]:
    """The games that have one."""
    return sorted(path.name.removesuffix(".knet") for path in _FOLDER.glob("*.knet"))


def chosen(game: str, name: str | None) -> str | None:
    """The network that a command uses: the one that was named, none where that was said, else the bundled
    one of the game."""
    if name is not None:
        return None if name == NONE else name
    own = bundled(game)
    return None if own is None else str(own)
