"""Every Python sample of README and docs runs, and so do the examples in docstrings."""

from __future__ import annotations

import contextlib
import doctest
import importlib
import importlib.util
import pkgutil
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kibitz
from kibitz.games import registry
from kibitz.games.uttt import endgame
from kibitz.protocols import otp
from tests.docs.samples import PAGES, ROOT, blocks, python_source, spans

END = "OOXXXOXXX/XO.X..XXX/OOXOOXXX./..X..X..X/O.OOXXXX./...OOXOOO/OO.OOXOXX/OOO...O../XOOOXX.XO o -"


def names() -> dict[str, Any]:
    """What a sample may use without making it: a network, its inputs, a position."""

    def f(planes: Any, globals: Any) -> Any:
        return np.zeros((len(planes), 1858), np.float32), np.full((len(planes), 4), 0.25, np.float32)

    return {
        "kibitz": kibitz,
        "f": f,
        "network": kibitz.nets.load("b6c96.bin.gz"),
        "planes": np.zeros((1, 22, 9, 9), np.float32),
        "globals": np.zeros((1, 19), np.float32),
        "__name__": "__main__",
    }


SAMPLES = [
    page for page in PAGES if any(kind == "python" for kind, _ in blocks(page.read_text(encoding="utf-8")))
]


@pytest.mark.parametrize("page", SAMPLES, ids=lambda page: page.name)
def test_samples_of_a_page_run(page: Path, samples: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    namespace = names()
    monkeypatch.setattr(registry, "_python_games", dict(registry._python_games))  # a sample may register one
    monkeypatch.setattr(endgame, "DEFAULT_NODES", 100_000)  # an open position takes them all
    assert otp.serve.__kwdefaults__ is not None
    # A judge starts slowly on a busy machine.
    monkeypatch.setitem(otp.serve.__kwdefaults__, "connect_seconds", 60.0)
    if page.name == "training.md":
        pytest.importorskip("pyarrow")
        from tests.training.test_samples import samples as game_samples

        namespace["samples"] = game_samples("go", 1, plies=300, size=19)
    if page.name == "notebook.md":
        pytest.importorskip("anywidget", reason="anywidget is not installed (the extra notebook)")
    if page.name == "uttt.md":
        # The page's own board is far from any end; later samples need one within reach.
        namespace["positions"] = [kibitz.uttt.Position(END)]
    text = page.read_text(encoding="utf-8")
    sources = [source for kind, source in blocks(text) if kind == "python"]
    needs_judge = any("7122" in source for source in sources)
    with _judge() if needs_judge else contextlib.nullcontext("7122") as port:
        for source in sources:
            if "TablebaseSolver" in source:
                namespace["board"] = kibitz.uttt.Position(END)
            exec(compile(python_source(source).replace("7122", port), page.name, "exec"), namespace)


def test_python_in_the_table_of_features_runs(samples: Path) -> None:
    page = (ROOT / "docs" / "features.md").read_text(encoding="utf-8")
    starts = ("kibitz.", "TablebaseSolver")
    calls = [span for span in spans(page) if span.startswith(starts) and "..." not in span]
    assert len(calls) > 5
    places = {**names(), "FILE": "b6c96.bin.gz", "board": kibitz.uttt.Position(END)}
    places["position"] = kibitz.othello.Position()
    places["TablebaseSolver"] = kibitz.tablebase.TablebaseSolver
    for call in calls:
        calibrated = {**places, "f": lambda network, shape: (places["planes"], places["globals"])}
        made = eval(python_source(call), calibrated if "calibration" in call else places)
        if hasattr(made, "close"):  # an engine, a pool of them
            made.close()


def test_parts_that_samples_name_need_no_import_of_their_own() -> None:
    parts = ("nets.load", "arena.run_match", "style.measure", "tablebase.encode")
    script = "; ".join(["import kibitz", *(f"kibitz.{part}" for part in parts)])
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@contextlib.contextmanager
def _judge() -> Iterator[str]:
    """A match that waits for a second player."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    kibitz_command = [sys.executable, "-c", "from kibitz.cli import main; main()"]
    judge = subprocess.Popen(
        [*kibitz_command, "judge", port, "--rounds", "1", "--timeouts", "60,10,1"],
        stdout=subprocess.PIPE,
        text=True,
    )
    player = subprocess.Popen(
        [*kibitz_command, "otp", "127.0.0.1", port, "--engine", "random", "--connect-timeout", "60"]
    )
    try:
        yield port
        said = judge.communicate(timeout=120)[0]
        assert said.count("QUIT:1") == 2, said
    finally:
        for process in (judge, player):
            process.kill()
            process.wait()


def modules() -> list[str]:
    names = ["kibitz"]
    for module in pkgutil.walk_packages(kibitz.__path__, "kibitz."):
        # Alembic's migrations are run by Alembic, not imported. The board for notebooks needs an extra.
        wanted = module.name != "kibitz.notebook" or importlib.util.find_spec("anywidget")
        if wanted and not re.search(r"_native|__main__$|\.migrations\.", module.name):
            names.append(module.name)
    return names


def test_examples_in_docstrings(samples: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_python_games", dict(registry._python_games))  # an example registers one
    failed, attempted = [], 0
    for name in modules():
        module = importlib.import_module(name)
        extra = {**names(), "__name__": name}
        result = doctest.testmod(module, extraglobs=extra, optionflags=doctest.ELLIPSIS)
        attempted += result.attempted
        if result.failed:
            failed.append(name)
    assert not failed
    assert attempted > 100
