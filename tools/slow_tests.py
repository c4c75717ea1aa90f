"""Writes tests/slow.txt: the tests that `make quick` leaves out; they take more than a tenth of a second.

    python -m tools.slow_tests [pytest arguments]

Measured is processor time, with that of programs a test starts, so that a busy machine gives the same list; a
test that mostly waits counts by the clock. Tests that were not run keep their line; a line may name a whole
file until its tests are measured.

It is a pytest plugin too: the processes that run the tests (`-n 2`) load it and send what they measured along
with their reports.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LIST = ROOT / "tests" / "slow.txt"
LIMIT = 0.1
#: Seconds of waiting, by the clock of a machine that may be busy, that make a test slow.
WAITING = 5.0

#: Where a test began: processor time, time by the clock.
_BEGUN = pytest.StashKey[tuple[float, float]]()

#: Of each test, the most that it took with any parameters: processor time, time by the clock.
_measured: dict[str, tuple[float, float]] = {}


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    item.stash[_BEGUN] = _processor_time(), time.monotonic()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    if call.when == "teardown" and _BEGUN in item.stash:
        processor, clock = item.stash[_BEGUN]
        item.user_properties.append(("took", (_processor_time() - processor, time.monotonic() - clock)))
    return (yield)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """In the process that collects the reports."""
    for name, took in report.user_properties:
        if name == "took":
            assert isinstance(took, (tuple, list))
            test = without_parameters(report.nodeid)
            before = _measured.get(test, (0.0, 0.0))
            _measured[test] = max(before[0], took[0]), max(before[1], took[1])


def pytest_sessionfinish(session: pytest.Session) -> None:
    if not hasattr(session.config, "workerinput"):
        write_list()


def write_list() -> None:
    slow = {
        name
        for name, (processor, clock) in _measured.items()
        if processor > LIMIT or clock - 20 * processor > WAITING
    }
    old = set(LIST.read_text(encoding="utf-8").splitlines()) if LIST.exists() else set()
    files = {name.partition("::")[0] for name in _measured}
    kept = {name for name in old if name not in {*_measured, *files}}
    kept = {name for name in kept if (ROOT / name.partition("::")[0]).exists()}
    LIST.write_text("".join(f"{name}\n" for name in sorted(kept | slow)), encoding="utf-8")
    print(f"\n{LIST}: {len(kept | slow)} slow tests")


def without_parameters(nodeid: str) -> str:
    return nodeid.partition("[")[0]


def _processor_time() -> float:
    usage = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(item.ru_utime + item.ru_stime for item in usage)


def main() -> int:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "tools.slow_tests"]
    return subprocess.call([*command, *sys.argv[1:]], cwd=ROOT)


if __name__ == "__main__":
    sys.exit(main())
