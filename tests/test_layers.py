"""Imports only go downward, in the order of ARCHITECTURE.md: its blocks `layers-python` and `layers-native`.

A block has one layer a line, the lowest first. A layer is a folder or a file; the longest name that fits a
file is the file's. Layers on the same line are siblings and do not know each other; a star stands for each
game, where it has such a file. The block `layers-game` has the order inside the folder of each native game.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PYTHON = ROOT / "src" / "kibitz"
NATIVE = ROOT / "native"


def read_layers(kind: str) -> dict[str, int]:
    """Each layer's rank, from the block ``kind`` of ARCHITECTURE.md; the lowest has rank 0."""
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    block = re.search(rf"^```{kind}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert block, f"ARCHITECTURE.md has no block tagged {kind}"
    lines = [line.split("#")[0].split() for line in block[1].splitlines()]
    ranks = {}
    for rank, names in enumerate(filter(None, lines)):
        for name in names:
            ranks |= dict.fromkeys(of_every_game(name, NATIVE if kind == "layers-native" else PYTHON), rank)
    assert ranks, f"the block {kind} is empty"
    return ranks


def of_every_game(layer: str, top: Path) -> list[str]:
    """A layer, and one with a star for each game that has it; a layer that no game has keeps its star."""
    if "*" not in layer:
        return [layer]
    each = [layer.replace("*", game) for game in native_games()]
    return [name for name in each if (top / name).exists() or (top / f"{name}.py").exists()] or [layer]


def native_games() -> list[str]:
    return sorted(path.name for path in (NATIVE / "games").iterdir() if path.is_dir())


def layer_of(path: str, layers: dict[str, int]) -> str | None:
    """The longest layer name that is `path` (without its suffix or with it) or a folder above it."""
    names = [path, path.removesuffix(".py"), *(parent.as_posix() for parent in Path(path).parents)]
    return max((name for name in names if name in layers), key=len, default=None)


def complaints(edges: Iterator[tuple[str, str]], layers: dict[str, int]) -> list[str]:
    """One line for each import that goes up or sideways."""
    problems = []
    for importer, imported in edges:
        upper, lower = layer_of(importer, layers), layer_of(imported, layers)
        if upper is None or lower is None:
            problems.append(f"{importer if upper is None else imported} is in no layer")
        elif upper != lower and layers[upper] <= layers[lower]:
            problems.append(f"{importer} ({upper}) imports {imported} ({lower})")
    return problems


def module_file(module: str) -> str | None:
    """The file of ``kibitz.engine``, relative to src/kibitz; None when it is not one of ours."""
    parts = module.split(".")
    if parts[0] != "kibitz":
        return None
    place = PYTHON.joinpath(*parts[1:])
    for candidate in (place / "__init__.py", place.with_suffix(".py")):
        if candidate.is_file():
            return candidate.relative_to(PYTHON).as_posix()
    return None


def imports_of(path: Path) -> Iterator[str]:
    """The project's own files that `path` imports, at the top or inside a function."""
    relative = path.relative_to(PYTHON.parent).with_suffix("")
    package = relative.parent.parts
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            base = ".".join([*above, *([node.module] if node.module else [])])
            # `from kibitz import engine` needs the module engine, not what is above it in the package.
            modules = [name if module_file(name := f"{base}.{alias.name}") else base for alias in node.names]
        else:
            continue
        yield from filter(None, map(module_file, modules))


def python_edges() -> Iterator[tuple[str, str]]:
    for path in sorted(PYTHON.rglob("*.py")):
        for imported in imports_of(path):
            yield path.relative_to(PYTHON).as_posix(), imported


def native_files() -> list[Path]:
    return sorted(path for path in NATIVE.rglob("*") if path.suffix in {".h", ".cpp"})


def includes_of(path: Path, pattern: str) -> list[str]:
    return re.findall(rf"^\s*#\s*include\s*{pattern}", path.read_text(encoding="utf-8"), re.MULTILINE)


def native_edges() -> Iterator[tuple[str, str]]:
    for path in native_files():
        for include in includes_of(path, '"([^"]+)"'):
            assert (NATIVE / include).is_file(), f'{path}: "{include}" is not a path below native/'
            yield path.relative_to(NATIVE).as_posix(), include


@pytest.mark.parametrize(("kind", "top"), [("layers-python", PYTHON), ("layers-native", NATIVE)])
def test_every_layer_exists(kind: str, top: Path) -> None:
    missing = [n for n in read_layers(kind) if not ((top / n).exists() or (top / f"{n}.py").exists())]
    assert missing == []


def test_python_imports_go_downward() -> None:
    assert complaints(python_edges(), read_layers("layers-python")) == []


def test_native_includes_go_downward() -> None:
    assert complaints(native_edges(), read_layers("layers-native")) == []


@pytest.mark.parametrize("game", native_games())
def test_includes_inside_a_game_go_downward(game: str) -> None:
    folder = f"games/{game}/"
    inside = [
        (path.removeprefix(folder), include.removeprefix(folder))
        for path, include in native_edges()
        if path.startswith(folder) and include.startswith(folder)
    ]
    assert inside
    assert complaints(iter(inside), read_layers("layers-game")) == []


def test_the_core_names_no_game() -> None:
    """Neither in code nor in comments; the registry and the comments of the contracts in games/*.h do."""
    games = native_games()
    assert games == sorted(re.findall(r"GAME\((\w+)\)", (NATIVE / "games" / "registry.h").read_text()))
    # "go" is a verb too; the game is written with a capital, or as part of a name. Python is what
    # bindings are for; games written in it have a type.
    words = [
        *(game for game in games if game not in ("go", "python")),
        "PythonState",
        "tic-tac-toe",
        "(?-i:\\bGo\\b)",
        "games/go\\b",
        "bind_go\\b",
    ]
    named = re.compile("|".join(words), re.IGNORECASE)
    core = [
        name for name in read_layers("layers-native") if not name.startswith("games/") and name != "tests"
    ]
    assert {"base", "steering", "nets", "evaluate", "search", "bind"} <= set(core)
    assert [
        f"{path.relative_to(NATIVE).as_posix()}: {line.strip()}"
        for path in native_files()
        if path.relative_to(NATIVE).parts[0] in core
        for line in path.read_text(encoding="utf-8").splitlines()
        if named.search(line)
    ] == []


#: Folders that are about one game or a protocol of one: everything else asks the registry.
OF_ONE_GAME = ("games", "style", "lab", "tablebase", "protocols")
#: Files that name a game, and why.
NAMED_BY_PURPOSE = {
    "__init__.py": "the names of the package",
    "request.py": "takes a board of python-chess",
    "arena/codingame_player.py": "a protocol of one game",
    "arena/gtp_player.py": "what GTP says of Go alone",
    "arena/nboard_player.py": "a protocol of one game",
    "arena/uci_player.py": "a protocol of one game",
    "cli/engines.py": "protocols of one game, started without the command line",
    "cli/play.py": "levels that are ratings",
    "cli/summaries.py": "commands that are called like their game",
    "nets/katago_family.py": "files of one game",
    "nets/lc0_family.py": "files of one game",
    "nets/own/architecture.py": "layouts of one game",
    "nets/own/graph.py": "an output that one game has",
    "nets/quantize.py": "games that are long",
}


def games_named_in(path: Path, games: list[str]) -> list[str]:
    """Imports of a game's folder, and strings that are a game's name."""
    folders = tuple(f"games/{game}/" for game in games)
    found = [f"{path.name} imports {file}" for file in imports_of(path) if file.startswith(folders)]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and node.value in games:
            found.append(f"{path.name}:{node.lineno} names {node.value}")
    return found


def test_only_files_with_a_reason_name_a_game() -> None:
    games = [game for game in native_games() if game != "python"]
    named = {}
    for path in sorted(PYTHON.rglob("*.py")):
        file = path.relative_to(PYTHON)
        if file.parts[0] not in OF_ONE_GAME and (found := games_named_in(path, games)):
            named[file.as_posix()] = found
    assert {file: found for file, found in named.items() if file not in NAMED_BY_PURPOSE} == {}
    assert [file for file in NAMED_BY_PURPOSE if file not in named] == [], "they name none any more"


def test_every_file_is_in_a_layer() -> None:
    python, native = read_layers("layers-python"), read_layers("layers-native")
    paths = [path.relative_to(PYTHON).as_posix() for path in PYTHON.rglob("*.py")]
    assert [path for path in paths if layer_of(path, python) is None] == []
    paths = [path.relative_to(NATIVE).as_posix() for path in native_files()]
    assert [path for path in paths if layer_of(path, native) is None] == []


def test_only_bindings_include_python() -> None:
    strangers = [
        path.relative_to(NATIVE).as_posix()
        for path in native_files()
        if includes_of(path, r"[<\"](?:nanobind/|Python\.h)") and path.parent.name != "bind"
    ]
    assert strangers == []


def test_wrong_directions_are_found() -> None:
    layers = {"base": 0, "games/game.h": 1, "search": 2, "games/go": 3, "games/othello": 3}
    edges = [
        ("games/go/search/judge.h", "search/tree.h"),
        ("games/go/board.cpp", "games/go/board.h"),
        ("search/tree.h", "games/go/board.h"),
        ("games/game.h", "search/tree.h"),
        ("games/go/board.h", "games/othello/board.h"),
        ("games/chess/board.h", "base/bits.h"),
    ]
    assert complaints(iter(edges), layers) == [
        "search/tree.h (search) imports games/go/board.h (games/go)",
        "games/game.h (games/game.h) imports search/tree.h (search)",
        "games/go/board.h (games/go) imports games/othello/board.h (games/othello)",
        "games/chess/board.h is in no layer",
    ]


def test_wrong_directions_inside_a_game_are_found() -> None:
    edges = [("search/judge.h", "board.h"), ("board.h", "search/judge.h"), ("bind/game.cpp", "style/bonus.h")]
    assert complaints(iter(edges), read_layers("layers-game")) == [
        "board.h (.) imports search/judge.h (search)"
    ]


def test_text_crosses_the_binding_in_one_place() -> None:
    """nanobind's own casters of strings refuse surrogates with a TypeError; bind/text.h takes them."""
    users = [
        path.relative_to(NATIVE).as_posix()
        for path in native_files()
        if "nanobind/stl/string" in path.read_text(encoding="utf-8")
    ]
    assert users == []


def test_no_submodule_hides_a_name_of_its_package() -> None:
    """A package that has `table` from elsewhere loses it once its module `table` is imported by somebody."""
    hidden = []
    for init in sorted((ROOT / "src" / "kibitz").rglob("__init__.py")):
        modules = {path.stem for path in init.parent.glob("*.py")} | {
            path.name for path in init.parent.iterdir()
        }
        for node in ast.parse(init.read_text(encoding="utf-8")).body:
            if not isinstance(node, ast.ImportFrom) or node.module is None:
                continue
            package = ".".join(init.relative_to(ROOT / "src").parent.parts)
            for item in node.names:
                name = item.asname or item.name
                own = (f"{package}.{name}", package)
                if name in modules and node.module not in own:
                    hidden.append(f"{package}: {name} from {node.module}")
    assert hidden == []
