"""Writes tests/slow.txt: the tests that `make quick` leaves out, because they take more than half a second.

    python tools/slow_tests.py [pytest arguments]

Measured is processor time, with that of programs a test starts, so that a busy machine gives the same list; a
test that mostly waits counts by the clock. Tests that were not run keep their line; a line may name a whole
file until its tests are measured.
"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LIST = ROOT / "tests" / "slow.txt"
LIMIT = 0.5
#: Seconds of waiting, by the clock of a machine that may be busy, that make a test slow.
WAITING = 5.0


class Measured:
    """A pytest plugin that adds up what each test takes: set-up, the test, what is put away after it."""

    def __init__(self) -> None:
        self.processor: dict[str, float] = {}
        self.clock: dict[str, float] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        name = without_parameters(item.nodeid)
        processor, clock = _processor_time(), time.monotonic()
        result = yield
        self.processor[name] = max(self.processor.get(name, 0.0), _processor_time() - processor)
        self.clock[name] = max(self.clock.get(name, 0.0), time.monotonic() - clock)
        return result

    def slow(self) -> set[str]:
        return {
            name
            for name, seconds in self.processor.items()
            if seconds > LIMIT or self.clock[name] - 20 * seconds > WAITING
        }


def without_parameters(nodeid: str) -> str:
    return nodeid.partition("[")[0]


def _processor_time() -> float:
    usage = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(item.ru_utime + item.ru_stime for item in usage)


def main() -> int:
    measured = Measured()
    code = pytest.main(["-q", "-p", "no:cacheprovider", *sys.argv[1:]], plugins=[measured])
    old = set(LIST.read_text(encoding="utf-8").splitlines()) if LIST.exists() else set()
    files = {name.partition("::")[0] for name in measured.processor}
    kept = {name for name in old if name not in {*measured.processor, *files}}
    kept = {name for name in kept if (ROOT / name.partition("::")[0]).exists()}
    LIST.write_text("".join(f"{name}\n" for name in sorted(kept | measured.slow())), encoding="utf-8")
    print(f"{LIST}: {len(kept | measured.slow())} slow tests")
    return int(code)


if __name__ == "__main__":
    sys.exit(main())
