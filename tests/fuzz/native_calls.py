"""Calls everything that is bound from the core with numbers, texts and arrays that nobody would send.

    python -m tests.fuzz.native_calls SEED ROUNDS

Any Python exception is an answer; a crash, a sanitizer's report or a hang is not. What is called, and with
what, comes from the signatures of the binding, so a new function is covered the day it is bound.
"""

from __future__ import annotations

import contextlib
import math
import random
import re
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from kibitz import _native

#: Where types and counters end, and their neighbours.
NEAR = (-1, 0, 1)
BITS = (0, 3, 6, 7, 8, 9, 15, 16, 31, 32, 63, 64)
INTEGERS = sorted(
    {sign * 2**bits + by for bits in BITS for sign in (1, -1) for by in NEAR}
    | {2, 5, 9, 17, 81, 99, 100, 361, 362, 512, 1858}
)
FLOATS = (0.0, -0.0, 1.0, -1.0, 0.5, 1e-300, 1e300, math.inf, -math.inf, math.nan, 2.0**63)
TEXTS = (
    "",
    "a",
    "d3",
    "D4",
    "e2e4",
    "start",
    "pass",
    "\ud800",
    "\udcff",
    "é" * 50,
    "8/8 w",
    "B:Q16!",
    "0",
    "-1",
    "9" * 40,
)
#: Work that grows with a number is asked for in small portions: slowness is not what is looked for here.
SMALL = {
    "depth": (-(2**31), -1, 0, 1, 2),
    "samples": (-(2**31), -1, 0, 1, 3),
    "nodes": (0, 1, 100),
    "table_mb": (-(2**63), -1, 0, 1, 2, 2**20 + 1, 2**44, 2**63 - 1),
    "seconds": (-1.0, 0.0, 0.001, math.nan, -math.inf),
    "simulations": (-(2**63), -1, 0, 1, 20),
    "visits": (-(2**63), -1, 0, 1, 20),
}
#: Not called: it counts lines of play without a limit, opens files by name, or plays whole games with as many
#: visits as its rules say.
SKIPPED = {"uttt_plain_minimax", "NetworkProgram.run"} | {
    f"{game}Selfplay.play" for game in ("Chess", "Go", "Othello", "Uttt")
}


def split(arguments: str) -> Iterator[str]:
    """Parts between commas that are in no bracket."""
    depth, part = 0, ""
    for letter in arguments:
        depth += (letter in "[(") - (letter in "])")
        if letter == "," and depth == 0:
            yield part.strip()
            part = ""
        else:
            part += letter
    if part.strip():
        yield part.strip()


class Caller:
    """One seeded run. `pool` has objects of every class that could be made."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.pool: dict[str, list[Any]] = {}
        self.classes = {name: cls for name, cls in vars(_native).items() if isinstance(cls, type)}
        self.starts()

    def starts(self) -> None:
        for name in ("Othello", "Go", "Chess", "Uttt", "JunqiTable"):
            position = self.classes[name]()
            kept = [position]
            for _ in range(12):
                moves = position.legal_moves()
                if not moves:
                    break
                position = position.play(self.chance.choice(moves))
                kept.append(position)
            self.pool[name] = kept
        self.pool["JunqiView"] = [table.view(seat) for table in self.pool["JunqiTable"] for seat in (0, 2)]
        for name, cls in self.classes.items():
            if name not in self.pool:
                with contextlib.suppress(Exception):
                    self.pool[name] = [cls()]
        options = self.classes["Options"]()
        options.set("memory_mb", "16")
        self.pool["Options"] = [options]

    def value(self, kind: str, name: str = "") -> Any:
        kind = kind.strip()
        choose = self.chance.choice
        if " | " in kind and "[" not in kind.split(" | ")[0]:
            kind = choose(kind.split(" | ")).strip()
        short = kind.split(".")[-1]
        if kind in ("int", "float") and name in SMALL:
            return choose(SMALL[name])
        if kind == "int":
            return choose(INTEGERS) if self.chance.random() < 0.7 else self.chance.randrange(-10, 400)
        if kind == "float":
            return choose(FLOATS)
        if kind == "str":
            return choose(TEXTS)
        if kind == "bool":
            return self.chance.random() < 0.5
        if kind in ("None", "object"):
            return None
        if short in self.pool:
            return choose(self.pool[short])
        inner = re.fullmatch(r"[\w.]*?(Sequence|list|tuple|ndarray)\[(.*)\]", kind)
        if inner and inner[1] == "ndarray":
            return self.array(inner[2])
        if inner and inner[1] == "tuple":
            return tuple(self.value(part) for part in split(inner[2]))
        if inner:
            return [self.value(inner[2]) for _ in range(self.chance.randrange(4))]
        return choose((None, 0, "x", []))

    def array(self, kind: str) -> Any:
        dtype = re.search(r"dtype=(\w+)", kind)
        shape = re.search(r"shape=\(([^)]*)\)", kind)
        sizes = [
            int(part) if part.strip().isdigit() else self.chance.choice((0, 1, 2, 3, 9))
            for part in (shape[1].split(",") if shape else ["*"])
        ]
        return np.full(sizes, self.chance.choice((0, 1, 3)), dtype[1] if dtype else "float32")

    def arguments(self, signature: str) -> list[Any]:
        inside = signature[signature.index("(") + 1 : signature.rindex(")", 0, signature.rindex("->"))]
        values = []
        for part in split(inside):
            if part in ("self", "/", "*") or part.startswith("*"):
                continue
            name, _, kind = part.partition(":")
            kind, optional, _ = kind.partition("=") if "ndarray" not in kind else (kind, "", "")
            if optional and self.chance.random() < 0.3:
                break
            values.append(self.value(kind, name.strip()))
        return values

    def call(self, name: str, function: Callable[..., Any], signature: str, owner: Any = None) -> None:
        values = self.arguments(signature)
        try:
            made = function(*values) if owner is None else function(owner, *values)
        except Exception:
            return
        if name.endswith(".start"):
            settle(owner)
        kind = type(made).__name__
        if kind in self.classes and len(self.pool.setdefault(kind, [])) < 40:
            self.pool[kind].append(made)

    def targets(self) -> list[tuple[str, Any, str]]:
        """(name, callable, signature) of everything bound."""
        targets = []
        for name, item in vars(_native).items():
            for word, sig in _signatures(item):
                targets.append((name, word, sig))
            if isinstance(item, type):
                for attribute in dir(item):
                    if attribute.startswith("__") and attribute not in ("__init__", "__call__", "__eq__"):
                        continue
                    for word, sig in _signatures(getattr(item, attribute)):
                        targets.append((f"{name}.{attribute}", word, sig))
        return [target for target in targets if target[0] not in SKIPPED]

    def round(self) -> int:
        calls = 0
        for name, function, signature in self.targets():
            owner, _, method = name.partition(".")
            if method == "__init__":
                self.call(name, self.classes[owner], signature)
            elif method and "(self" in signature:
                if self.pool.get(owner):
                    self.call(name, function, signature, self.chance.choice(self.pool[owner]))
            else:
                self.call(name, function, signature)
            calls += 1
        return calls


def settle(job: Any) -> None:
    """Ends what was started; what it has to say of its failure is an answer too."""
    job.stop()
    with contextlib.suppress(Exception):
        while not job.wait(0.05):
            job.stop()


def _signatures(item: Any) -> Iterator[tuple[Any, str]]:
    for entry in getattr(item, "__nb_signature__", ()):
        yield item, entry[0]


def main() -> None:
    seed, rounds = int(sys.argv[1]), int(sys.argv[2])
    calls = 0
    for number in range(rounds):
        caller = Caller(seed + number)
        for _ in range(5):
            calls += caller.round()
    print(f"{calls} calls, seeds {seed} to {seed + rounds - 1}")


if __name__ == "__main__":
    main()
