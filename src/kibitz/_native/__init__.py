"""The compiled core. It is built once per CPU level; the best one this machine can run is loaded.

``kibitz._native.LEVEL`` names it (``baseline``, ``v3`` or ``v4``). To try another one:
``KIBITZ_CPU_LEVEL=baseline kibitz bench``.
"""

from __future__ import annotations

import importlib
import os
from importlib.util import find_spec

from . import _cpu

_BEST_FIRST = ("v4", "v3", "baseline")


def _choose(built: list[str], runnable: list[str], forced: str | None) -> str:
    usable = [level for level in built if level in runnable]
    if forced:
        usable = [level for level in usable if level == forced]
    if usable:
        return usable[0]
    problem = f"KIBITZ_CPU_LEVEL={forced} cannot be loaded" if forced else "no compiled core fits this CPU"
    raise ImportError(
        f"{problem}: built are {', '.join(built) or 'none'}; this CPU can run {', '.join(runnable)}. "
        "Building Kibitz on this machine, or a wheel with KIBITZ_LEVELS=all, gives one that fits."
    )


_built = [level for level in _BEST_FIRST if find_spec(f"{__name__}._core_{level}")]
LEVEL = _choose(_built, _cpu.levels(), os.environ.get("KIBITZ_CPU_LEVEL"))
_core = importlib.import_module(f"{__name__}._core_{LEVEL}")

__all__ = ["LEVEL", *(name for name in dir(_core) if not name.startswith("_"))]
globals().update({name: getattr(_core, name) for name in __all__ if name != "LEVEL"})
