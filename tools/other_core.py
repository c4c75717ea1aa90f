"""Runs Python with the core of a build folder instead of the installed one."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from importlib.machinery import ModuleSpec
from pathlib import Path


class OtherCore:
    """Lets the import of a core find the one of a folder: `sys.meta_path.insert(0, OtherCore(folder))`."""

    def __init__(self, folder: Path) -> None:
        (self.file,) = folder.glob("_core_*.so")
        self.name = self.file.name.split(".")[0]
        os.environ["KIBITZ_CPU_LEVEL"] = self.name.removeprefix("_core_")

    def find_spec(self, name: str, *_: object) -> ModuleSpec | None:
        if name != f"kibitz._native.{self.name}":
            return None
        return importlib.util.spec_from_file_location(name, self.file)


def sanitizer_environment() -> dict[str, str]:
    """What a Python needs that is to load a core with sanitizers: their library first of all."""
    libraries = []
    for name in ("libasan.so", "libubsan.so"):
        path = subprocess.run(
            [os.environ.get("CXX", "c++"), f"-print-file-name={name}"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        if os.path.isabs(path):
            libraries.append(os.path.realpath(path))
    if not libraries:
        sys.exit("the compiler has no address sanitizer")
    return {
        "LD_PRELOAD": " ".join(libraries),
        # Python itself leaks on exit; memory that is not there must be an error, not the end.
        "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1:max_allocation_size_mb=4096",
        "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1",
        "PYTHONMALLOC": "malloc",
    }
