"""The search decides what it decided when its signature was last written down.

A difference means that behaviour changed. If that was meant, `make signatures` writes the new ones.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kibitz.cli.bench import presets_without_network, signature
from kibitz.games import registry

KNOWN = json.loads((Path(__file__).parent / "data" / "signatures.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("game", "preset"),
    [(name, preset) for name in registry.BUILT_IN for preset in presets_without_network(name)],
)
def test_signature(game: str, preset: str) -> None:
    assert signature(game, preset) == KNOWN[game][preset]
