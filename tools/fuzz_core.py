"""Coverage-guided fuzzing of the core's parsers: runs the program of `make fuzz-core` over the fuzz corpus.

    make fuzz-core SECONDS=3600

Inputs that reach new code are in out/fuzz/core, and the next run begins with them; `--keep` adds some of them
to tests/fuzz/corpus, where every other fuzzer has them, too.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = ROOT / "build" / "fuzz-core" / "fuzz_text"
OUT, CORPUS = ROOT / "out" / "fuzz", ROOT / "tests" / "fuzz" / "corpus"
#: The corpora that each parser begins with, by the first byte of an input (native/tests/fuzz/fuzz_text.cpp).
PARSERS = ("chess-position", "go-position", "othello-position", "uttt-position", "junqi-position", "pgn")
_MOST_KEPT, _LONGEST = 12, 200


def _seeds(name: str) -> list[bytes]:
    lines = (CORPUS / f"{name}.jsonl").read_text(encoding="ascii").splitlines()
    return [json.loads(line).encode("latin-1") for line in lines]


def _keep(folder: Path) -> int:
    """Adds the longest of the short inputs that reached new code to the corpora."""
    found: dict[str, list[bytes]] = {}
    for path in folder.iterdir():
        data = path.read_bytes()
        if len(path.name) == 40 and 4 < len(data) <= _LONGEST:
            found.setdefault(PARSERS[data[0] % len(PARSERS)], []).append(data[1:])
    count = 0
    for name, rows in found.items():
        known = set(_seeds(name))
        new = [data for data in sorted(rows, key=lambda data: (-len(data), data)) if data not in known]
        with (CORPUS / f"{name}.jsonl").open("a", encoding="ascii") as file:
            file.writelines(json.dumps(data.decode("latin-1")) + "\n" for data in new[:_MOST_KEPT])
        count += len(new[:_MOST_KEPT])
    return count


def main() -> None:
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(prog="tools.fuzz_core", description=__doc__, formatter_class=raw)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", action="store_true", help="add new inputs to the corpus")
    given = parser.parse_args()
    folder = OUT / "core"
    folder.mkdir(parents=True, exist_ok=True)
    for number, name in enumerate(PARSERS):
        for count, data in enumerate(_seeds(name)):
            (folder / f"{name}-{count}").write_bytes(bytes([number]) + data)
    options = [f"-max_total_time={given.seconds}", f"-seed={given.seed}", "-max_len=4096", "-timeout=60"]
    command = [str(PROGRAM), str(folder), *options, f"-artifact_prefix={OUT}/core-", "-print_final_stats=1"]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    runs = re.findall(r"^#(\d+).* ft: (\d+)", done.stderr, re.MULTILINE)
    inputs, features = runs[-1] if runs else ("0", "0")
    print(f"{int(inputs):,} inputs, {int(features):,} features, exit {done.returncode}")
    if done.returncode:
        print(done.stderr[-5000:])
    if given.keep:
        print(f"{_keep(folder)} inputs kept")
    sys.exit(1 if done.returncode else 0)


if __name__ == "__main__":
    main()
