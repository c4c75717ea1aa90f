"""Workers end when their parent does: after Ctrl-C, SIGTERM and kill -9, busy or still starting."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any, cast

import pytest

from kibitz.fleet import worker_process
from kibitz.fleet.dispatch import Ready
from kibitz.fleet.jobs import Task
from tests.processes import alive, wait_until

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs signals")

SCRIPT = """
import sys, threading
sys.path.insert(0, {here!r})
from fake_task import Number, Squares
from kibitz.fleet.dispatch import Ready
from kibitz.fleet.jobs import run_jobs
from kibitz.fleet.processes import process_runner

def run():
    runner = process_runner(Squares({folder!r}, {fault!r}), 2, slots={slots})
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


class _Closes:
    """A task and its worker; `close` is told by the pipe."""

    def __init__(self, told: int) -> None:
        self._told = told

    def start(self) -> _Closes:
        return self

    def run(self, job: object, say: object) -> None: ...

    def close(self) -> None:
        os.write(self._told, b"closed")


class _Kills(_Closes):
    """Has something that takes long to end well."""

    def kill(self) -> None:
        os.write(self._told, b"killed")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize(("worker", "word"), [(_Closes, b"closed"), (_Kills, b"killed")])
def test_sigterm_beside_the_end_of_the_pipe(worker: type[_Closes], word: bytes) -> None:
    """A killed parent ends the pipe and sends SIGTERM: whichever is seen second must not keep the worker from
    ending what it has started, at once where it can."""
    ours, theirs = multiprocessing.Pipe()
    told, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        install = signal.signal
        sent: list[int] = []

        def signal_with_another(number: int, handler: Any) -> Any:
            if handler is signal.SIG_IGN and number == signal.SIGTERM and not sent:
                sent.append(number)
                os.kill(os.getpid(), number)
            return install(number, handler)

        worker_process.signal.signal = signal_with_another  # type: ignore[attr-defined]
        try:
            ours.close()
            os.close(told)
            worker_process.serve(theirs, 0, cast(Task, worker(write_end)), 1, parent=0, by_main=False)
        finally:
            os._exit(1)
    theirs.close()
    os.close(write_end)
    assert ours.recv() == Ready(0)
    ours.close()
    with os.fdopen(told, "rb") as pipe:
        assert pipe.read() == word
    assert os.waitpid(child, 0)[1] == 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_worker_that_is_asked_to_end_closes_well() -> None:
    ours, theirs = multiprocessing.Pipe()
    told, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(told)
            worker_process.serve(theirs, 0, cast(Task, _Kills(write_end)), 1, os.getppid(), False)
        finally:
            os._exit(1)
    os.close(write_end)
    assert ours.recv() == Ready(0)
    os.kill(child, signal.SIGTERM)
    with os.fdopen(told, "rb") as pipe:
        assert pipe.read() == b"closed"
    assert os.waitpid(child, 0)[1] == 0
