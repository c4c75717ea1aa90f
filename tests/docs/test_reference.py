"""Every public class and function has a docstring with an example; test_python.py runs them."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import re
from collections.abc import Iterator

from tests.docs.samples import ROOT


def public_names() -> Iterator[tuple[str, object]]:
    rows = re.findall(r"^\| `([\w.]+)` \|", (ROOT / "docs" / "api.md").read_text(encoding="utf-8"), re.M)
    assert {"kibitz", "kibitz.arena"} <= set(rows)
    for module_name in rows:
        # The board for notebooks cannot be imported without its extra.
        if module_name == "kibitz.notebook" and not importlib.util.find_spec("anywidget"):
            continue
        module = importlib.import_module(module_name)
        for name in module.__all__:
            yield f"{module_name}.{name}", getattr(module, name)


def described() -> dict[str, str]:
    return {
        name: thing.__doc__ or ""
        for name, thing in public_names()
        if inspect.isclass(thing) or inspect.isroutine(thing)
    }


def test_every_public_name_has_a_docstring() -> None:
    # A dataclass without one is given its signature.
    bare = [
        name for name, text in described().items() if not text or text.startswith(name.split(".")[-1] + "(")
    ]
    assert not bare


def test_every_public_name_has_an_example() -> None:
    without = {
        name
        for name, text in described().items()
        if not any(">>> " in line and "+SKIP" not in line for line in text.splitlines())
    }
    # The notebook's board is there only with its extra, and is shown by a notebook.
    assert without <= {"kibitz.notebook.Board"}
