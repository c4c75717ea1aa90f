"""The networks that come with Kibitz: trained by its own pipeline (docs/nets.md), one for a game at most.
Which network an engine uses is decided here, for the library and for every command.

>>> bundled_file("junqi") is None
True
>>> chosen("go", "b6c96.bin.gz"), chosen("go", "none"), chosen("go", None, "uct")
('b6c96.bin.gz', None, None)
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kibitz.games import registry
from kibitz.games.networks import load_network

if TYPE_CHECKING:
    from kibitz.nets import Network

__all__ = [
    "NONE",
    "bundled_file",
    "bundled_games",
    "bundled_name",
    "chosen",
    "described",
    "is_bundled",
    "load_bundled",
    "network_of_style",
    "style_file",
    "takes_network",
]

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


def network_of_style(game: str, style: str) -> Path | None:
    """That file where it was trained for this style; an empty name is the first style."""
    first = next(iter(registry.get(game).styles), None)
    return style_file(game) if first is not None and style in ("", first) else None


def bundled_games() -> list[str]:
    """The games that have one."""
    return sorted(path.name.removesuffix(".knet") for path in _FOLDER.glob("*.knet"))


def takes_network(game: str, preset: str, options: Mapping[str, Any]) -> bool:
    """Whether a search of this kind uses a network where there is one: the default does, a named preset and
    an evaluator only if they say so."""
    info = registry.get(game)
    if "evaluator" in options:
        return bool(options["evaluator"] == "network")
    if preset == "default":
        return bool(info.network_presets)
    values = {**info.presets, **info.network_presets}.get(preset, {})
    return values.get("evaluator") == "network"


def chosen(game: str, named: Any, preset: str = "default", options: Mapping[str, Any] | None = None) -> Any:
    """The network that an engine uses: the one that was named, None where that was `none`, else the file of
    the bundled one where the search takes a network."""
    if named is not None:
        return None if isinstance(named, str) and named == NONE else named
    file = bundled_file(game)
    return str(file) if file is not None and takes_network(game, preset, options or {}) else None


@cache
def load_bundled(file: str, game: str, precision: str = "fp32") -> Network:
    """A bundled network, once for all engines of the process, as it is: with one thread and one seed it
    always gives the same result."""
    return load_network(game, file, precision=precision)


def bundled_name(game: str) -> str:
    """The bundled network of a game as commands name it; empty where there is none."""
    file = bundled_file(game)
    return "" if file is None else described(game, load_bundled(str(file), game))


def is_bundled(game: str, network: Any) -> bool:
    """Whether it is the game's own network."""
    path = getattr(network, "path", None)
    return path is not None and path == bundled_file(game)


def described(game: str, network: Any) -> str:
    """A network's name as reports and commands say it; empty for a function that has none."""
    name, path = getattr(network, "name", ""), getattr(network, "path", None)
    bundled = is_bundled(game, network) or (path is not None and path == style_file(game))
    return f"{name} (bundled)" if bundled else str(name)
