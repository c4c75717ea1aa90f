"""Where Kibitz keeps files on this machine."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def _home(windows: str, mac: str, variable: str, other: str) -> Path:
    home = Path.home()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", home / "AppData" / "Local")) / "kibitz" / windows
    if sys.platform == "darwin":
        return home / "Library" / mac / "kibitz"
    return Path(os.environ.get(variable) or home / other) / "kibitz"


def cache_folder() -> Path:
    """Where things are kept that may be deleted at any time; `KIBITZ_CACHE` names another folder."""
    chosen = os.environ.get("KIBITZ_CACHE")
    return Path(chosen) if chosen else _home("cache", "Caches", "XDG_CACHE_HOME", ".cache")


def data_folder() -> Path:
    """Where things are kept that the user put there; `KIBITZ_DATA` names another folder."""
    chosen = os.environ.get("KIBITZ_DATA")
    return Path(chosen) if chosen else _home("data", "Application Support", "XDG_DATA_HOME", ".local/share")
