"""What all tests share: examples of properties, without a limit on the time of one; a Ctrl-C that is heard.

The examples are the same on every machine. HYPOTHESIS_PROFILE=explore (`make explore`) draws new ones at each
run: a failing one is printed with the line that repeats it, and kept in .hypothesis, so that the next
run without a fixed --hypothesis-seed begins with it."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis.database import DirectoryBasedExampleDatabase

import kibitz
from examples.connect_four import ConnectFour

# Everything is named: with CI=true in the environment Hypothesis has other defaults.
settings.register_profile("same", deadline=None, derandomize=True, print_blob=False, database=None)
settings.register_profile(
    "explore",
    deadline=None,
    derandomize=False,
    print_blob=True,
    database=DirectoryBasedExampleDatabase(".hypothesis/examples"),
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))

# A shell that runs the tests in the background makes them, and every program they start, deaf to Ctrl-C.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# What is written for every game of the registry is tested with one that is written in Python, too.
kibitz.register(ConnectFour)

#: A test or a whole file on each line, written by tools/slow_tests.py.
_SLOW = set(Path(__file__).with_name("slow.txt").read_text(encoding="utf-8").splitlines())


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks what `make quick` leaves out."""
    for item in items:
        name = item.nodeid.partition("[")[0]
        if name in _SLOW or name.partition("::")[0] in _SLOW:
            item.add_marker(pytest.mark.slow)


@pytest.fixture
def own_folders(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache and networks that are not the user's."""
    folder: Path = tmp_path_factory.mktemp("kibitz")
    monkeypatch.setenv("KIBITZ_CACHE", str(folder / "cache"))
    monkeypatch.setenv("KIBITZ_DATA", str(folder / "data"))
