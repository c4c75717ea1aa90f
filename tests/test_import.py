"""`import kibitz` imports what is used when it is used."""

from __future__ import annotations

import subprocess
import sys

import pytest

import kibitz
from kibitz.cli.app import make_app
from kibitz.cli.summaries import SUMMARIES

#: Large libraries that a program pays for only if it uses what needs them.
HEAVY = {
    "alembic",
    "asyncio",
    "chess",
    "fastapi",
    "numpy",
    "pydantic",
    "rich",
    "sqlalchemy",
    "torch",
    "typer",
}


def imported(program: str) -> set[str]:
    code = f"import sys; before = set(sys.modules); {program}; print(*(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_the_package_alone_imports_nothing_large() -> None:
    modules = imported("import kibitz")
    assert modules & HEAVY == set()
    assert {name for name in modules if name.startswith("kibitz")} == {"kibitz"}


def test_a_search_without_network_needs_no_server_and_no_command_line() -> None:
    modules = imported("import kibitz; kibitz.analyze(kibitz.uttt.Position(), simulations=20)")
    assert "kibitz.engine" in modules
    assert modules & HEAVY <= {"numpy"}


def test_every_public_name_is_there() -> None:
    assert all(hasattr(kibitz, name) for name in kibitz.__all__)
    assert set(kibitz.__all__) <= set(dir(kibitz))
    with pytest.raises(AttributeError, match="no attribute 'base'"):
        kibitz.base  # noqa: B018
    with pytest.raises(AttributeError, match="no attribute '_nothing'"):
        kibitz._nothing  # noqa: B018


def test_the_version_is_printed_without_the_parser_of_commands() -> None:
    program = "import sys; sys.argv = ['kibitz', '--version']; import kibitz.cli\n"
    program += "try: kibitz.cli.main()\nexcept SystemExit: print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    version, modules = done.stdout.splitlines()
    assert version == f"kibitz {kibitz.__version__}"
    assert set(modules.split()) & HEAVY == set()


def test_help_lists_the_commands_without_importing_them() -> None:
    program = "import sys; sys.argv = ['kibitz', '--help']; import kibitz.cli\n"
    program += "try: kibitz.cli.main()\nexcept SystemExit: print(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "tablebase" in done.stdout
    modules = set(done.stderr.split())
    assert modules & (HEAVY - {"typer", "rich"}) == set()
    assert {name for name in modules if name.startswith("kibitz.") and "cli" not in name} <= {"kibitz.errors"}


def test_the_summaries_of_help_are_those_of_the_commands() -> None:
    from typer.main import get_command

    listed = get_command(make_app("--help"))
    whole = get_command(make_app())
    assert list(listed.commands) == list(whole.commands)  # type: ignore[attr-defined]
    for name, command in whole.commands.items():  # type: ignore[attr-defined]
        assert SUMMARIES[name] == command.get_short_help_str(200), name


def test_the_server_listens_before_networks_and_migrations_are_imported() -> None:
    modules = imported("import kibitz.server.run")
    assert "fastapi" in modules
    assert modules & {"alembic", "chess", "numpy", "rich", "torch"} == set()
    assert len(modules) <= 800


def modules_of(*words: str, typed: str = "") -> set[str]:
    """What a command has imported when it ends."""
    program = "import sys; import kibitz.cli\ntry: kibitz.cli.main()\n"
    program += "except SystemExit: pass\nprint(*sys.modules, file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", program, *words], input=typed, capture_output=True, text=True, check=True
    )
    return set(done.stderr.splitlines()[-1].split())


#: The most modules of any kind that a start may import. An interpreter alone has about 40; NumPy is 120.
BUDGETS = [
    (("--version",), "", 75, set()),
    (("--help",), "", 160, {"typer"}),
    (("uci",), "uci\nquit\n", 190, set()),
    (("gtp", "--network", "none"), "quit\n", 210, set()),
    (("katago", "analysis", "-model", "none"), "", 195, set()),
    (("katago", "analysis"), "", 405, {"numpy"}),
]


@pytest.mark.parametrize(("words", "typed", "most", "heavy"), BUDGETS, ids=lambda item: str(item)[:30])
def test_a_start_imports_what_it_uses(words: tuple[str, ...], typed: str, most: int, heavy: set[str]) -> None:
    modules = modules_of(*words, typed=typed)
    assert "kibitz.cli" in modules
    assert modules & HEAVY <= heavy
    assert len(modules) <= most
