"""Who drives a run: one process, and another after it has died."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from kibitz.errors import BadOption, BadRequest
from kibitz.files.store import open_store
from kibitz.fleet.lease import Lease

HOLD = """
import sys, time
from kibitz.files.store import open_store
from kibitz.fleet.lease import Lease
with Lease(open_store(sys.argv[1])) as lease:
    print("held", flush=True)
    time.sleep(600)
"""


def test_one_holder_at_a_time(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    with Lease(store) as first:
        assert first.term == 0
        with pytest.raises(BadOption, match="another process writes there"), Lease(store):
            pass
    assert store.names() == []
    with Lease(store) as second:
        second.check()


def test_dead_driver_of_this_machine_is_replaced_at_once(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    command = [sys.executable, "-c", HOLD, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as driver:
        assert driver.stdout is not None
        assert driver.stdout.readline() == "held\n"
        with pytest.raises(BadOption, match=f"process {driver.pid}"), Lease(store):
            pass
        driver.kill()
    with Lease(store, seconds=600) as lease:  # does not wait for the time to run out
        assert lease.term == 1


def elsewhere(beat: int) -> bytes:
    return json.dumps({"host": "elsewhere", "process": 7, "began": "", "beat": beat}).encode()


def test_silent_driver_of_another_machine_is_replaced(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    store.write("lease-000004", elsewhere(0))
    with Lease(store, seconds=0.5) as lease:
        assert lease.term == 5
        assert store.names() == ["lease-000005"]


def test_living_driver_of_another_machine_is_left_alone(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    store.write("lease-000000", elsewhere(0))
    ended = threading.Event()

    def live() -> None:
        beat = 0
        while not ended.wait(0.05):
            beat += 1
            store.write("lease-000000", elsewhere(beat))

    thread = threading.Thread(target=live)
    thread.start()
    try:
        with pytest.raises(BadOption, match="process 7 of elsewhere"), Lease(store, seconds=30):
            pass
    finally:
        ended.set()
        thread.join()
    taken: list[int] = []

    def stand_by() -> None:
        with Lease(store, wait=True, seconds=30) as lease:
            taken.append(lease.term)

    waiting = threading.Thread(target=stand_by)
    waiting.start()
    store.remove("lease-000000")  # its driver has ended
    waiting.join()
    assert taken == [0]


def test_driver_that_was_replaced_hears_of_it(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    lease = Lease(store, seconds=0.2)
    with lease:
        store.write("lease-000001", elsewhere(0))
        assert lease._lost.wait(60)
        with pytest.raises(BadRequest, match="another process has taken this run over"):
            lease.check()
    assert store.names() == ["lease-000000", "lease-000001"]  # the new driver's is not touched
