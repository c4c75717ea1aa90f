"""One job runner: in this process, in threads, in worker processes, on a Ray cluster; and the log that a run
can be resumed from.

    >>> from kibitz.fleet import Done, run_jobs
    >>> for event in run_jobs(make_runner(task, processes=2), jobs):                  # doctest: +SKIP
    ...     if isinstance(event, Done):
    ...         log.add(event.result)

Matches, self-play and table building are tasks of it.
"""

from kibitz.fleet.content import Travelling, digest_of
from kibitz.fleet.dispatch import Dispatcher
from kibitz.fleet.inline import InlineRunner
from kibitz.fleet.jobs import Done, Event, Job, Loss, Note, Policy, Runner, Task, Worker, run_jobs
from kibitz.fleet.log import LogKind, ResultLog, read_log
from kibitz.fleet.processes import Processes
from kibitz.fleet.runners import connected, make_runner
from kibitz.fleet.termination import Terminated, on_termination
from kibitz.fleet.threads import Threads

__all__ = [
    "Dispatcher",
    "Done",
    "Event",
    "InlineRunner",
    "Job",
    "LogKind",
    "Loss",
    "Note",
    "Policy",
    "Processes",
    "ResultLog",
    "Runner",
    "Task",
    "Terminated",
    "Threads",
    "Travelling",
    "Worker",
    "connected",
    "digest_of",
    "make_runner",
    "on_termination",
    "read_log",
    "run_jobs",
]
