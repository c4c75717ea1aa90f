"""How far a run is, read from its store: nobody who drives or plays it is asked."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from kibitz.files.store import open_store
from kibitz.fleet.lease import LEASE_NAME
from kibitz.training.samples.manifest import Manifest


def run_state(place: str | os.PathLike[str]) -> dict[str, Any]:
    """Games and positions that are counted, and who drives the run. Of a training loop's folder it is the
    newest generation that says so."""
    store = open_store(_newest_generation(place))
    manifest = Manifest.read(store)
    driver = None
    for name in store.names():
        if name.startswith(LEASE_NAME):
            lease = json.loads(store.read(name))
            driver = {
                "host": str(lease["host"]).partition("/")[0],
                **{key: lease[key] for key in ("process", "beat")},
            }
    return {
        "run": store.place.partition("?")[0].rpartition("@")[2],
        "game": manifest.game,
        "games": manifest.games,
        "of": manifest.origin.get("games", 0),
        "positions": manifest.positions,
        "shards": len(manifest.shards),
        "driver": driver,
    }


def _newest_generation(place: str | os.PathLike[str]) -> str | os.PathLike[str]:
    """The samples that a loop plays now; any other place as it is."""
    if "://" in os.fspath(place) or not (Path(place) / "loop.json").is_file():
        return place
    return max(Path(place).glob("gen-*/samples"), default=Path(place))
