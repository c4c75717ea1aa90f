"""Coverage-guided fuzzing of Python by atheris (libFuzzer): inputs that reach new code are kept.

    pip install atheris
    python -m tools.fuzz_coverage --seconds 60 --target sgf --target jgs
    python -m tools.fuzz_coverage --seconds 3600 --keep        (all targets share the time)

Targets and findings are those of tools/fuzz.py. What reached new code is in out/fuzz/coverage/NAME, and the
next run begins with it; `--keep` adds some of these inputs to tests/fuzz/corpus.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import re
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from types import FunctionType

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "out" / "fuzz"
#: Parsers and protocols whose code is Python; the core's own are for libFuzzer (native/tests/fuzz).
PYTHON = (
    *(
        "sgf",
        "ggf",
        "obf",
        "transcript",
        "wthor",
        "jgs",
        "jql",
        "go-rules",
        "uci-go",
        "player",
        "search-option",
    ),
    *(
        "style-norm",
        "match-record",
        "katago-config",
        "katago-network",
        "lc0-network",
        "katago",
        "gtp",
        "nboard",
    ),
    *("otp", "judge"),
)
#: Inputs of a target that `--keep` adds at most, and the longest of them.
_MOST_KEPT, _LONGEST = 12, 200


def main() -> None:
    given = _arguments()
    if given.child:
        _fuzz(given.child, given.seconds, given.seed)
        return
    if importlib.util.find_spec("atheris") is None:
        sys.exit("fuzz_coverage: atheris is not installed (pip install atheris)")
    names = given.target or PYTHON
    total, findings, begun = 0, 0, time.monotonic()
    for name in names:
        words = ["--child", name, "--seconds", str(given.seconds / len(names)), "--seed", str(given.seed)]
        command = [sys.executable, "-m", "tools.fuzz_coverage", *words]
        done = subprocess.run(
            command, cwd=ROOT, capture_output=True, text=True, errors="replace", check=False
        )
        inputs, features = _read(done.stderr)
        total, findings = total + inputs, findings + bool(done.returncode)
        print(f"{name:18} {inputs:9,} inputs, {features:6,} features, exit {done.returncode}", flush=True)
        if done.returncode:
            print(done.stderr[-3000:], flush=True)
        if given.keep:
            print(f"{'':18} {_keep(name)} inputs kept")
    print(
        f"{total:,} inputs over {len(names)} targets in {time.monotonic() - begun:.0f} s, {findings} findings"
    )
    sys.exit(1 if findings else 0)


def _arguments() -> argparse.Namespace:
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("--seconds", type=float, default=600.0, help="of all targets together")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--target", action="append", choices=PYTHON, help="only this one; repeatable")
    parser.add_argument("--keep", action="store_true", help="add new inputs to the corpus")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    return parser.parse_args()


def _read(log: str) -> tuple[int, int]:
    """How many inputs libFuzzer ran, and the features they reached."""
    runs = re.findall(r"^#(\d+)", log, re.MULTILINE)
    features = re.findall(r" ft: (\d+)", log)
    return int(runs[-1]) if runs else 0, int(features[-1]) if features else 0


def _fuzz(name: str, seconds: float, seed: int) -> None:
    import atheris  # type: ignore[import-untyped, import-not-found, unused-ignore]

    from kibitz.errors import KibitzError
    from tests.fuzz import targets

    target = targets.TARGETS[name][0]
    for data in targets.seeds(name):  # loads what is imported late
        with suppress(KibitzError):
            target(data)
    for function in _functions():
        atheris.instrument_func(function)

    folder = OUT / "coverage" / name
    folder.mkdir(parents=True, exist_ok=True)
    for number, data in enumerate(targets.seeds(name)):
        (folder / f"seed-{number}").write_bytes(data)

    def once(data: bytes) -> None:
        with suppress(KibitzError):
            target(data)

    limits = [
        f"-max_total_time={max(1, int(seconds))}",
        f"-seed={seed}",
        "-timeout=120",
        "-rss_limit_mb=4096",
    ]
    atheris.Setup(
        [name, str(folder), *limits, f"-artifact_prefix={OUT}/{name}-", "-print_final_stats=1"], once
    )
    atheris.Fuzz()


def _functions() -> list[FunctionType]:
    """The functions and methods of Kibitz that are loaded. Atheris instruments imports from sys.path only,
    where an editable install is not."""
    found: dict[int, FunctionType] = {}
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] != "kibitz":
            continue
        places = [vars(module), *(vars(one) for one in vars(module).values() if isinstance(one, type))]
        for value in [one for place in places for one in place.values()]:
            function = getattr(value, "__func__", getattr(value, "fget", value))
            if isinstance(function, FunctionType) and function.__module__ == name:
                found[id(function)] = function
    return list(found.values())


def _keep(name: str) -> int:
    """Adds the shortest inputs that reached new code to the corpus. They have names of libFuzzer's making."""
    from tests.fuzz import targets

    file = targets.CORPUS / f"{name}.jsonl"
    known = set(targets.seeds(name))
    found = [path.read_bytes() for path in (OUT / "coverage" / name).iterdir() if len(path.name) == 40]
    new = [data for data in sorted(found, key=lambda data: (-len(data), data)) if 4 < len(data) <= _LONGEST]
    kept = [data for data in new if data not in known][:_MOST_KEPT]
    with file.open("a", encoding="ascii") as out:
        out.writelines(json.dumps(data.decode("latin-1")) + "\n" for data in kept)
    return len(kept)


if __name__ == "__main__":
    main()
