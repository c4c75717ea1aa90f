"""Watching jobs where they run, for runners that drop what jobs say: a job that is silent for longer than the
policy allows gets the result that the policy gives it, and its worker is spoilt, as something in it hangs."""

from __future__ import annotations

import queue
import threading
from typing import Any

from kibitz.fleet.jobs import Loss, Policy, Worker


class Hung(Exception):
    """A job was silent for too long, and has no result."""


def run_watched(worker: Worker, job: Any, policy: Policy) -> tuple[Any, bool]:
    """The result of a job, and whether its worker is to be ended. Raises what the job raises, and Hung where
    nobody is to blame and another worker is to run the job."""
    said: queue.SimpleQueue[tuple[str, Any]] = queue.SimpleQueue()

    def work() -> None:
        try:
            said.put(("done", worker.run(job, lambda note: said.put(("note", note)))))
        except BaseException as error:
            said.put(("error", error))

    threading.Thread(target=work, daemon=True).start()
    notes: list[Any] = []
    while True:
        patience = policy.patience(job, notes)
        try:
            kind, content = said.get(timeout=patience)
        except queue.Empty:
            loss = Loss("silent", f"no sign of life for {patience:.4g} s", tuple(notes))
            blamed = policy.lost(job, loss)
            if blamed is not None:
                return blamed, True
            raise Hung(loss.detail) from None
        if kind == "done":
            return content, False
        if kind == "error":
            raise content
        notes.append(content)
