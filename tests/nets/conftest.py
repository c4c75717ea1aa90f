"""Tests of networks never touch the user's own cache and networks."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _own_folders(own_folders: None) -> None:
    pass
