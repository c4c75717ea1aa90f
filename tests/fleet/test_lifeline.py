"""Workers end when their parent does: after Ctrl-C, SIGTERM and kill -9, busy or still starting."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs signals")

SCRIPT = """
import sys, threading
sys.path.insert(0, {here!r})
from fake_task import Number, Squares
from kibitz.fleet import Processes, run_jobs

def run():
    runner = Processes(Squares({folder!r}, {fault!r}), 2, slots={slots})
    for event in run_jobs(runner, [Number(i, {job_fault!r}, seconds=600.0) for i in range(8)]):
        pass

if __name__ == "__main__":
    if {thread}:
        thread = threading.Thread(target=run)
        thread.start()
        thread.join()
    else:
        run()
"""


def alive(pid: int) -> bool:
    try:
        status = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
        return status != "Z"
    except OSError:
        if sys.platform == "linux":
            return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def wait_until(condition: object, seconds: float = 200.0) -> None:
    assert callable(condition)
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, "it did not happen in time"
        time.sleep(0.02)


SETTINGS: dict[str, dict[str, object]] = {
    "one job": {},
    "many jobs": {"slots": 3},
    "hanging job": {"job_fault": "hangs"},
    "starting": {"fault": "slow to start"},
    "from a thread": {"thread": True},
}


@pytest.mark.parametrize(
    ("name", "how"),
    [
        *((name, signal.SIGKILL) for name in SETTINGS),
        *(("hanging job", how) for how in (signal.SIGTERM, signal.SIGINT)),
    ],
)
def test_workers_end_with_their_parent(tmp_path: Path, name: str, how: signal.Signals) -> None:
    setting = SETTINGS[name]
    if setting.get("fault") and sys.platform != "linux":
        pytest.skip("only Linux ends a worker that is still loading")
    folder = tmp_path / "workers"
    folder.mkdir()
    values = {"fault": "", "job_fault": "", "slots": 1, "thread": False, **setting}
    script = tmp_path / "script.py"
    script.write_text(SCRIPT.format(here=str(Path(__file__).parent), folder=str(folder), **values))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(entry for entry in sys.path if entry)}
    with subprocess.Popen(
        [sys.executable, str(script)], env=environment, stderr=subprocess.DEVNULL
    ) as parent:
        for wanted in ("pid-*",) if values["fault"] else ("pid-*", "ran-*"):
            wait_until(lambda wanted=wanted: len(list(folder.glob(wanted))) >= 2)
        workers = [int(path.name.split("-")[1]) for path in folder.glob("pid-*")]
        assert all(map(alive, workers))
        parent.send_signal(how)
        parent.wait(60)
    wait_until(lambda: not any(map(alive, workers)), 30.0)
    assert len(workers) == 2
