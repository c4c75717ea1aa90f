"""Every script and every notebook of examples/ runs."""

from __future__ import annotations

import contextlib
import io
import json
import runpy
from pathlib import Path
from typing import Any

import pytest

from tests.docs.samples import ROOT

#: Scripts that run commands have tests of their own (tests/games/test_connect_four.py).
SCRIPTS = sorted(set(ROOT.glob("examples/*.py")) - {ROOT / "examples" / "connect_four.py"})
NOTEBOOKS = sorted(ROOT.glob("examples/notebooks/*.ipynb"))
NEEDS = {"random_agent": "pettingzoo"}


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_a_script_runs_and_prints(script: Path) -> None:
    if script.stem in NEEDS:
        pytest.importorskip(NEEDS[script.stem])
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        runpy.run_path(str(script), run_name="__main__")
    assert printed.getvalue().strip()


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_cells_of_a_notebook_run(notebook: Path) -> None:
    data = json.loads(notebook.read_text(encoding="utf-8"))
    assert (data["nbformat"], data["nbformat_minor"]) == (4, 4)
    names: dict[str, Any] = {"__name__": "__main__"}
    cells = ["".join(cell["source"]) for cell in data["cells"] if cell["cell_type"] == "code"]
    assert cells
    for source in cells:
        exec(compile(source, notebook.name, "exec"), names)
