"""Tests of networks never touch the user's own cache and networks."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _own_folders(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    folder: Path = tmp_path_factory.mktemp("kibitz")
    monkeypatch.setenv("KIBITZ_CACHE", str(folder / "cache"))
    monkeypatch.setenv("KIBITZ_DATA", str(folder / "data"))
