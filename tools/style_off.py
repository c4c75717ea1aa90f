"""Shows that off is off: a core built without style makes the same decisions as this one with style off.

    cmake --build build/style-off && python tools/style_off.py build/style-off      (make style-off)

Both cores search the same positions with the same seeds; where the visits went is compared, move by move.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import random
import subprocess
import sys
from pathlib import Path

POSITIONS = 200
SIMULATIONS = 800


def decisions() -> list[str]:
    """For each position, where the visits of a search went."""
    import kibitz

    found = []
    for number in range(POSITIONS):
        chance = random.Random(number)
        position = kibitz.chess.Position()
        for _ in range(chance.randrange(40)):
            if position.is_over:
                break
            position = position.play(chance.choice(position.legal_moves))
        if position.is_over:
            found.append("over")
            continue
        with kibitz.Engine("chess", "default", seed=number) as engine:
            report = engine.analyze(position, simulations=SIMULATIONS)
        rows = "".join(f"{info.move} {info.visits} {info.value!r}\n" for info in report.moves)
        found.append(f"{report.best} {hashlib.sha256(rows.encode()).hexdigest()[:12]}")
    return found


def load_core(folder: Path) -> None:
    """Puts the core of a build folder in the place of the installed one."""
    (file,) = folder.glob("_core_*.so")
    name = f"kibitz._native.{file.name.split('.')[0]}"
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    os.environ["KIBITZ_CPU_LEVEL"] = file.name.split(".")[0].removeprefix("_core_")


def main() -> None:
    if len(sys.argv) == 3:  # in the child process: with the other core
        load_core(Path(sys.argv[1]))
        from kibitz import _native

        if _native.HAS_STYLE:
            raise SystemExit("the other core has style too")
        print(json.dumps(decisions()))
        return
    (folder,) = sys.argv[1:]
    child = [sys.executable, __file__, folder, "print"]
    other = json.loads(subprocess.run(child, check=True, capture_output=True, text=True).stdout)
    own = decisions()
    differing = [number for number, (a, b) in enumerate(zip(own, other, strict=True)) if a != b]
    if differing:
        raise SystemExit(f"{len(differing)} of {POSITIONS} positions differ, the first is {differing[0]}")
    print(f"the same visits on {POSITIONS} positions with style off and with a core built without it")


if __name__ == "__main__":
    main()
