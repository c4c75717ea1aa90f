"""Writes docs/options.md from the native table of search options and the games' presets, and docs/api.md from
the modules that have an `__all__`: `make docs`."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

from kibitz._native import OptionInfo, PeerOption
from kibitz.games import registry
from kibitz.games.presets import PLAIN
from kibitz.options import table

ROOT = Path(__file__).resolve().parent.parent

API_HEAD = """# Public names

Made by `make docs` from the modules that have an `__all__`. Every other module, and every other name, may
change with any version. `help(NAME)` in Python says what each one takes.

| module | what it is | names |
|---|---|---|
"""

HEAD = """# Search options

Made by `make docs` from the table in `native/search/options.h`. In Python: `kibitz.Engine("othello", c=0.7)`;
on the command line: `-o c=0.7`; in a match: `uct:c=0.7`.

A change costs, for an engine that has searched already:

- selection: nothing, the tree is kept;
- values: the tree is dropped;
- memory: the tree is dropped and its memory limited again;
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
# Options of {title}

Given in the same places; the plan of a search is made with them.

| option | takes | default | a change costs | what it does |
|---|---|---|---|---|
"""


PRESETS = """
# Presets

`uct` and `flat` always search a tree (`search=tree`).

| game | preset | options |
|---|---|---|
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


def _own_tables() -> Iterator[tuple[list[str], dict[str, OptionInfo]]]:
    """Options of single games, by the games that have them."""
    games: dict[str, list[str]] = {}
    rows: dict[str, OptionInfo] = {}
    for game in registry.BUILT_IN:
        info = registry.get(game)
        for name, row in (info.options.own.table() if info.options.own else {}).items():
            games.setdefault(name, []).append(info.title)
            rows[name] = row
    for titles in sorted({tuple(names) for names in games.values()}):
        yield list(titles), {name: row for name, row in rows.items() if games[name] == list(titles)}


def _shown(value: object) -> str:
    """A value as a page has it: of a file of the package its name."""
    return Path(str(value).lower()).name if isinstance(value, str) else str(value).lower()


def _presets() -> Iterator[str]:
    """A row for each preset; those that games share have one."""
    games: dict[tuple[str, str], list[str]] = {}
    for game in registry.BUILT_IN:
        info = registry.get(game)
        for preset, values in info.presets.items():
            shared = preset in PLAIN
            shown = ", ".join(
                f"`{key}={_shown(value)}`"
                for key, value in values.items()
                if not (shared and (key, value) == ("search", "tree"))
            )
            games.setdefault((preset, shown), []).append(info.title)
    for (preset, shown), titles in games.items():
        yield f"| {', '.join(titles)} | `{preset}` | {shown} |\n"


def text() -> str:
    parts = [HEAD, *_rows(table(), peers=True)]
    for titles, rows in _own_tables():
        parts += [OWN.format(title=" and ".join(titles)), *_rows(rows, peers=False)]
    return "".join([*parts, PRESETS, *_presets()])


def _public_names(tree: ast.Module) -> list[str]:
    """What the `__all__` of a module lists."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return list(ast.literal_eval(node.value))
    return []


def public_modules() -> Iterator[tuple[str, str, list[str]]]:
    """The public modules: each with what it is about, and its names."""
    for path in sorted((ROOT / "src" / "kibitz").rglob("*.py")):
        parts = path.relative_to(ROOT / "src").with_suffix("").parts
        module = ".".join(parts).removesuffix(".__init__")
        if module == "kibitz._native":  # the compiled core, for the modules above it
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        names = _public_names(tree)
        if names:
            yield module, (ast.get_docstring(tree) or "").split("\n\n")[0].replace("\n", " "), names


def api_text() -> str:
    rows = (
        f"| `{module}` | {about} | {', '.join(f'`{name}`' for name in names)} |\n"
        for module, about, names in public_modules()
    )
    return "".join([API_HEAD, *rows])


#: The generated pages and what they say.
PAGES = {"options.md": text, "api.md": api_text}

if __name__ == "__main__":
    for name, page in PAGES.items():
        (ROOT / "docs" / name).write_text(page(), encoding="utf-8")
