"""Writes docs/options.md from the native table of search options and the games' presets: `make docs`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from kibitz._native import OptionInfo, PeerOption
from kibitz.games import registry
from kibitz.options import table

FILE = Path(__file__).resolve().parent.parent / "docs" / "options.md"

HEAD = """# Search options

Made by `make docs` from the table in `native/search/options.h`. In Python: `kibitz.Engine("othello", c=0.7)`;
on the command line: `-o c=0.7`; in a match: `uct:c=0.7`.

A change costs, for an engine that has searched already:

- selection: nothing, the tree is kept;
- values: the tree is dropped;
- memory: the tree is dropped and its memory limited anew;
- evaluator: the evaluator is built again; the tree and the cache of evaluations are dropped.

KataGo's names are accepted by `kibitz katago` and `kibitz gtp` (configuration files, `-override-config`,
`overrideSettings`), Lc0's by `kibitz uci`. A name that two rows share sets both.

| option | takes | default | a change costs | KataGo | Lc0 | what it does |
|---|---|---|---|---|---|---|
"""


def _peer(row: OptionInfo, peer: PeerOption) -> str:
    """A name, and what its values mean where they are not the option's own."""
    if row.kind == "word" and peer.when_true:
        words = [f"true is {peer.when_true}", f"false is {peer.when_false}" if peer.when_false else ""]
        return f"`{peer.name}` ({', '.join(filter(None, words))})"
    return f"`{peer.name}`"


def _names(row: OptionInfo, program: str) -> str:
    return ", ".join(_peer(row, peer) for peer in row.peers if peer.program == program)


OWN = """
# Options of {title} alone

Given in the same places; the plan of a search is made with them.

| option | takes | default | a change costs | what it does |
|---|---|---|---|---|
"""


def _rows(options: Mapping[str, OptionInfo], peers: bool) -> Iterator[str]:
    for name, row in options.items():
        takes = {
            "int": f"whole number, {row.least:.10g} to {row.most:.10g}",
            "real": f"number, {row.least:g} to {row.most:g}",
            "flag": "true, false",
            "word": ", ".join(row.choices),
            "text": "text",
        }[row.kind]
        names = [_names(row, "katago"), _names(row, "lc0")] if peers else []
        cells = (f"`{name}`", takes, row.initial, row.cost.name.lower(), *names, row.doc)
        yield f"| {' | '.join(cells)} |\n"


def _shown(value: object) -> str:
    """A value as a page has it: of a file of the package its name."""
    return Path(str(value).lower()).name if isinstance(value, str) else str(value).lower()


def text() -> str:
    parts = [HEAD, *_rows(table(), peers=True)]
    for game in registry.names():
        own = registry.get(game).own_options
        if own is not None:
            parts += [OWN.format(title=registry.get(game).title), *_rows(own.table(), peers=False)]
    parts.append("\n# Presets\n")
    for game in registry.names():
        info = registry.get(game)
        parts.append(f"\n## {info.title}\n\n| preset | options |\n|---|---|\n")
        for preset, values in info.presets.items():
            shown = ", ".join(f"`{key}={_shown(value)}`" for key, value in values.items())
            parts.append(f"| `{preset}` | {shown} |\n")
    return "".join(parts)


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
