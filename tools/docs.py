"""Writes docs/options.md from the native table of search options and the games' presets: `make docs`."""

from __future__ import annotations

from pathlib import Path

from kibitz.games import registry
from kibitz.options import table

FILE = Path(__file__).resolve().parent.parent / "docs" / "options.md"

HEAD = """# Search options

Made by `make docs` from the table in `native/search/options.h`. In Python: `kibitz.Engine("othello", c=0.7)`;
on the command line: `-o c=0.7`; in a match: `uct:c=0.7`.

| option | takes | default | what it does |
|---|---|---|---|
"""


def text() -> str:
    rows = []
    for name, row in table().items():
        takes = {
            "int": f"whole number, {row.least:.10g} to {row.most:.10g}",
            "real": f"number, {row.least:g} to {row.most:g}",
            "flag": "true, false",
            "word": ", ".join(row.choices),
        }[row.kind]
        rows.append(f"| `{name}` | {takes} | {row.initial} | {row.doc} |\n")
    parts = [HEAD, *rows, "\n# Presets\n"]
    for game in registry.names():
        info = registry.get(game)
        parts.append(f"\n## {info.title}\n\n| preset | options |\n|---|---|\n")
        for preset, values in info.presets.items():
            shown = ", ".join(f"`{key}={str(value).lower()}`" for key, value in values.items())
            parts.append(f"| `{preset}` | {shown} |\n")
    return "".join(parts)


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
