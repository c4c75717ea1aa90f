"""Feeds every parser and every protocol with what nobody should send: seeded, structure-aware mutation.

    python -m tools.fuzz --replay                                (the corpus only, as `make test` does)
    python -m tools.fuzz --seconds 60 --seed 1                   (make fuzz SECONDS=60)
    python -m tools.fuzz --inputs 1000000 --core build/sanitize-extension     (make fuzz-sanitized)

A finding is an error that a user may not cause, a hang, or the end of the process. The input of a finding is
written to out/fuzz/, with the target's name; one that was fixed belongs in tests/fuzz/corpus.
"""

from __future__ import annotations

import argparse
import faulthandler
import json
import os
import random
import subprocess
import sys
import time
import traceback
from collections import Counter
from pathlib import Path

from tools.other_core import OtherCore, sanitizer_environment

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "out" / "fuzz"
#: Seconds a round may take; the sanitized build is slow, and machines are busy.
SLOWEST = 600
#: Inputs of a round, which are of one target. The watchdog is set once a round: it is a thread, and starting
#: one takes longer than most inputs.
ROUND = 50


def main() -> None:
    wanted = _arguments()
    if wanted.child:
        if wanted.core:
            sys.meta_path.insert(0, OtherCore(wanted.core))
        sys.exit(_work(wanted))
    command = [sys.executable, "-m", "tools.fuzz", "--child", *sys.argv[1:]]
    environment = {**os.environ, **(sanitizer_environment() if wanted.core else {})}
    OUT.mkdir(parents=True, exist_ok=True)
    current = OUT / f"current-{os.getpid()}"
    done = subprocess.run([*command, "--current", str(current)], env=environment, check=False)
    if done.returncode not in (0, 1):
        name = OUT / f"crash-{os.getpid()}.json"
        current.replace(name)
        sys.exit(f"the process ended with {done.returncode}; its last input is in {name.relative_to(ROOT)}")
    current.unlink(missing_ok=True)
    sys.exit(done.returncode)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=0.0)
    parser.add_argument("--inputs", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--replay", action="store_true", help="the corpus only")
    parser.add_argument("--core", type=Path, help="a folder with another build of the core")
    parser.add_argument("--target", action="append", help="only this one; repeatable")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--current", type=Path, help=argparse.SUPPRESS)
    return parser.parse_args()


def _work(wanted: argparse.Namespace) -> int:
    from kibitz.errors import KibitzError
    from tests.fuzz import targets
    from tests.fuzz.mutate import mutant

    names = wanted.target or list(targets.TARGETS)
    corpora = {name: targets.seeds(name) for name in names}
    counts: Counter[str] = Counter()
    findings = 0
    noted = os.open(wanted.current, os.O_RDWR | os.O_CREAT | os.O_TRUNC) if wanted.current else -1

    def run(name: str, data: bytes) -> None:
        nonlocal findings
        if noted >= 0:
            text = json.dumps([name, data.decode("latin-1")]).encode()
            os.pwrite(noted, text, 0)
            os.ftruncate(noted, len(text))
        try:
            targets.TARGETS[name][0](data)
        except KibitzError:
            pass
        except Exception:
            findings += 1
            _keep(name, data, findings)
        counts[name] += 1

    for name, seeds in corpora.items():
        faulthandler.dump_traceback_later(SLOWEST, exit=True)
        for data in seeds:
            run(name, data)
    if not wanted.replay:
        chance = random.Random(wanted.seed)
        weights = [targets.TARGETS[name][1] for name in names]
        begun, last = time.monotonic(), 0.0
        while (not wanted.inputs or counts.total() < wanted.inputs) and findings < 20:
            elapsed = time.monotonic() - begun
            if wanted.seconds and elapsed >= wanted.seconds:
                break
            if elapsed - last > 30:
                last = elapsed
                print(f"{counts.total():,} inputs in {elapsed:.0f} s, {findings} findings", flush=True)
            (name,) = chance.choices(names, weights)
            faulthandler.dump_traceback_later(SLOWEST, exit=True)
            for _ in range(ROUND):
                run(name, mutant(chance.choice(corpora[name]), corpora[name], chance))
    faulthandler.cancel_dump_traceback_later()
    targets.close()
    print(f"{counts.total():,} inputs over {len(counts)} targets, {findings} findings (seed {wanted.seed})")
    for name in names:
        print(f"  {counts[name]:9,}  {name}")
    return 1 if findings else 0


def _keep(name: str, data: bytes, number: int) -> None:
    OUT.mkdir(parents=True, exist_ok=True)
    path = OUT / f"{name}-{os.getpid()}-{number}.json"
    path.write_text(json.dumps(data.decode("latin-1")) + "\n", encoding="ascii")
    print(f"finding in {name}: {path.relative_to(ROOT)}", flush=True)
    traceback.print_exc()


if __name__ == "__main__":
    main()
