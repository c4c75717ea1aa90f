"""The files of the networks that come with Kibitz: trained by its own pipeline (docs/nets.md), at most one
a game. `games/networks.py` decides when one is used.

>>> bundled_file("junqi") is None
True
"""

from __future__ import annotations

import json
from pathlib import Path

from kibitz.files.folders import data_folder
from kibitz.files.whole_file import whole_file

#: What a user writes where no network is wanted.
NONE = "none"

#: In the user's folder of networks: which of them is the default of each game.
_CHOICES = "defaults.json"
#: Not `kibitz.nets`, which is slow to import.
_FOLDER = Path(__file__).parents[1] / "nets" / "files"


def bundled_file(game: str) -> Path | None:
    """The file of a game's network, None where there is none."""
    path = _FOLDER / f"{game}.knet"
    return path if path.is_file() else None


def default_file(game: str) -> Path | None:
    """The network that a search takes where none is named: the user's choice, else the bundled one."""
    return chosen_file(game) or bundled_file(game)


def chosen_file(game: str) -> Path | None:
    """The network that the user chose for a game (`choose`), None where there is none or it is gone."""
    name = _choices().get(game)
    path = data_folder() / "nets" / str(name)
    return path if isinstance(name, str) and path.is_file() else None


def choose(game: str, name: str | None) -> None:
    """Makes a network of the user's folder the default of a game; None goes back to the bundled one."""
    choices = {key: value for key, value in _choices().items() if key != game}
    if name is not None:
        choices[game] = name
    path = data_folder() / "nets" / _CHOICES
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(path, shared=True) as file:
        file.write(json.dumps(choices).encode())


def _choices() -> dict[str, object]:
    try:
        choices = json.loads((data_folder() / "nets" / _CHOICES).read_bytes())
    except (OSError, ValueError):
        return {}
    return choices if isinstance(choices, dict) else {}


def style_file(game: str) -> Path | None:
    """The network of a game that plays in its first style and predicts it, None where there is none."""
    path = _FOLDER / "style" / f"{game}.knet"
    return path if path.is_file() else None


def bundled_games() -> list[str]:
    """The games that have one."""
    return sorted(path.name.removesuffix(".knet") for path in _FOLDER.glob("*.knet"))
