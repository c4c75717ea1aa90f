"""Shows that off is off: a core built without style makes the same decisions as this one with style off.

    cmake --build build/style-off && python -m tools.style_off build/style-off      (make style-off)

Both cores search the same positions with the same seeds; where the visits went is compared, move by move.
"""

from __future__ import annotations

import hashlib
import json
import random
import subprocess
import sys
from pathlib import Path

from tools.other_core import OtherCore

POSITIONS = 200
SIMULATIONS = 800


def decisions() -> list[str]:
    """For each position, where the visits of a search went."""
    import kibitz

    lines = []
    for number in range(POSITIONS):
        chance = random.Random(number)
        position = kibitz.chess.Position()
        for _ in range(chance.randrange(40)):
            if position.is_over:
                break
            position = position.play(chance.choice(position.legal_moves))
        if position.is_over:
            lines.append("over")
            continue
        with kibitz.Engine("chess", "default", seed=number) as engine:
            report = engine.analyze(position, simulations=SIMULATIONS)
        rows = "".join(f"{info.move} {info.visits} {info.value!r}\n" for info in report.moves)
        lines.append(f"{report.best} {hashlib.sha256(rows.encode()).hexdigest()[:12]}")
    return lines


def main() -> None:
    if len(sys.argv) == 3:  # in the child process: with the other core
        sys.meta_path.insert(0, OtherCore(Path(sys.argv[1])))
        from kibitz import _native

        if _native.HAS_STYLE:
            raise SystemExit("the other core has style too")
        print(json.dumps(decisions()))
        return
    (folder,) = sys.argv[1:]
    child = [sys.executable, "-m", "tools.style_off", folder, "print"]
    other = json.loads(subprocess.run(child, check=True, capture_output=True, text=True).stdout)
    own = decisions()
    differing = [number for number, (a, b) in enumerate(zip(own, other, strict=True)) if a != b]
    if differing:
        raise SystemExit(f"{len(differing)} of {POSITIONS} positions differ, the first is {differing[0]}")
    print(f"the same visits on {POSITIONS} positions with style off and with a core built without it")


if __name__ == "__main__":
    main()
