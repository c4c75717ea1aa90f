"""What all tests share: the same examples on every machine, no limit on one example's time, a Ctrl-C that is
heard."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("kibitz", deadline=None, derandomize=True)
settings.load_profile("kibitz")

# A shell that runs the tests in the background makes them, and every program they start, deaf to Ctrl-C.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

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
