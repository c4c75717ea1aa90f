"""Write the type stubs of the built core: ``python tools/stubs.py BUILD OUTPUT``; run after every build.

The core is loaded through ``kibitz._native`` whatever its CPU level is, so its stub carries that name.
"""

from __future__ import annotations

import re
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

from nanobind.stubgen import StubGen

PACKAGE = Path(__file__).resolve().parent.parent / "src" / "kibitz"
LEVEL = '\nLEVEL: str\n"""The CPU level of the loaded core: ``baseline``, ``v3`` or ``v4``."""\n'


def stub(module: ModuleType) -> str:
    """The stub of one compiled module, under the name it is loaded by."""
    generator = StubGen(module)
    generator.put(module)
    text = re.sub(r"kibitz\._native\._core_\w+", "kibitz._native", generator.get())
    # nanobind gives no element type for constant tuples; those of the core hold names.
    return re.sub(r"^([A-Z_]+): tuple = \.\.\.$", r"\1: tuple[str, ...] = ...", text, flags=re.M)


def load(build: Path, name: str) -> ModuleType:
    """The module that was built; `import` might find an installed one of that name."""
    file = next(file for suffix in EXTENSION_SUFFIXES if (file := build / f"{name}{suffix}").exists())
    spec = spec_from_file_location(f"kibitz._native.{name}", file)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main(build: Path, output: Path) -> None:
    # Packages without their __init__, which would load an installed core.
    for name, folder in (("kibitz", PACKAGE), ("kibitz._native", build)):
        package = ModuleType(name)
        package.__path__ = [str(folder)]
        sys.modules[name] = package
    cpu = load(build, "_cpu")
    built = [level for level in cpu.levels() if list(build.glob(f"_core_{level}.*"))]
    output.mkdir(parents=True, exist_ok=True)
    if not built:
        print("No type stubs: this CPU runs none of the levels that were built", file=sys.stderr)
        return
    core = load(build, f"_core_{built[0]}")
    (output / "__init__.pyi").write_text(stub(core) + LEVEL, encoding="utf-8")
    (output / "_cpu.pyi").write_text(stub(cpu), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
