"""The build writes type stubs of the compiled core."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

from kibitz import _native

ROOT = Path(__file__).resolve().parent.parent


def test_stubs_can_be_generated_and_name_what_the_core_has(tmp_path: Path) -> None:
    core = Path(sys.modules[f"kibitz._native._core_{_native.LEVEL}"].__file__ or "")
    done = subprocess.run(
        [sys.executable, str(ROOT / "tools" / "stubs.py"), str(core.parent), str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "__init__.pyi").read_text(encoding="utf-8")
    tree = ast.parse(text)
    classes = {node.name for node in tree.body if isinstance(node, ast.ClassDef)}
    assert {name for name in _native.__all__ if isinstance(getattr(_native, name), type)} <= classes
    assert "_core_" not in text
    assert "LEVEL: str" in text
    assert "def levels" in (tmp_path / "_cpu.pyi").read_text(encoding="utf-8")
