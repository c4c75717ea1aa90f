"""Writes tests/data/signatures.json: what every game's search decides on fixed positions.

Run it (`make signatures`) when a change of the search's behaviour is meant, and say why in the commit.
"""

from __future__ import annotations

import json
from pathlib import Path

from kibitz.cli.bench import presets_without_network, signature
from kibitz.games import registry

FILE = Path(__file__).resolve().parent.parent / "tests" / "data" / "signatures.json"


def main() -> None:
    rows = {
        name: {preset: signature(name, preset) for preset in presets_without_network(name)}
        for name in registry.BUILT_IN
    }
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(json.dumps(rows, indent=2, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
