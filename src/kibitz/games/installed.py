"""The installed networks: those that come with Kibitz and those that a user added, as rows of facts.

>>> [row["game"] for row in installed_networks() if row["bundled"]]                # doctest: +SKIP
['othello', 'uttt']
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kibitz.errors import KibitzError
from kibitz.games.bundled import bundled_file, bundled_games


def facts(path: Path) -> dict[str, Any]:
    """What a file holds, as a row."""
    from kibitz.nets import open_network  # it needs NumPy

    network = open_network(path)
    size = sum(file.stat().st_size for file in path.iterdir()) if path.is_dir() else path.stat().st_size
    return {
        "name": network.name,
        "file": str(path),
        "game": network.game,
        "family": network.family,
        "version": network.version,
        "boards": str(network.boards),
        "megabytes": round(size / 1e6, 1),
        "sha256": network.digest,
        "channels": network.channels,
        "depth": network.depth,
        "blocks": dict(network.blocks),
        **network.facts,
    }


def files() -> list[tuple[Path, bool]]:
    """Their files, and whether each comes with Kibitz."""
    from kibitz.nets import store

    own = [path for game in bundled_games() if (path := bundled_file(game)) is not None]
    return [(path, True) for path in own] + [(store.nets_folder() / name, False) for name in store.names()]


def installed_networks() -> list[dict[str, Any]]:
    """A row for each file; a damaged one has an `error`."""
    rows = []
    for path, bundled in files():
        try:
            row = facts(path)
        except KibitzError as error:
            row = {"name": path.name, "file": str(path), "error": str(error)}
        rows.append({**row, "bundled": bundled})
    return rows
