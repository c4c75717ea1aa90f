"""The files of the networks that come with Kibitz: trained by its own pipeline (docs/nets.md), at most one
a game. `games/networks.py` decides when one is used.

>>> bundled_file("junqi") is None
True
"""

from __future__ import annotations

from pathlib import Path

#: What a user writes where no network is wanted.
NONE = "none"

#: Not `kibitz.nets`, which is slow to import.
_FOLDER = Path(__file__).parents[1] / "nets" / "files"


def bundled_file(game: str) -> Path | None:
    """The file of a game's network, None where there is none."""
    path = _FOLDER / f"{game}.knet"
    return path if path.is_file() else None


def style_file(game: str) -> Path | None:
    """The network of a game that plays in its first style and predicts it, None where there is none."""
    path = _FOLDER / "style" / f"{game}.knet"
    return path if path.is_file() else None


def bundled_games() -> list[str]:
    """The games that have one."""
    return sorted(path.name.removesuffix(".knet") for path in _FOLDER.glob("*.knet"))
