"""The life of a worker process. The main thread listens to the parent; the jobs run in threads of their
own."""

from __future__ import annotations

import contextlib
import faulthandler
import os
import signal
import threading
from multiprocessing import connection
from typing import Any, NoReturn

from kibitz.errors import BadRequest, KibitzError
from kibitz.fleet.jobs import Event, Note, Task
from kibitz.fleet.lifeline import bind_to_parent
from kibitz.fleet.threads import Crew

__all__ = ["serve"]

#: Seconds a worker has to free what it holds, such as programs it has started.
_STOP_SECONDS = 5.0


def serve(pipe: connection.Connection[Any, Any], task: Task, slots: int, parent: int | None) -> NoReturn:
    """Run jobs that come by the pipe until it ends. `parent` is the process whose main thread started us,
    if it was a main thread."""
    # Ctrl-C reaches the whole group of processes; the parent alone decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if parent is not None:
        bind_to_parent(parent)
    lock = threading.Lock()

    def send(*message: Any) -> None:
        with contextlib.suppress(OSError), lock:  # nobody is there to hear it: the main thread finds that too
            pipe.send(message)

    def deliver(event: Event | BaseException) -> None:
        if isinstance(event, Note):
            send("note", event.job.id, event.content)
        elif isinstance(event, BaseException):
            send("error", None, _told(event))
        else:
            send("done", event.job.id, event.result)

    crew = None
    try:
        crew = Crew(task.start(), slots, deliver)
        # It leaves by itself and raises nothing: the signal and the end of the pipe come together when the
        # parent is killed, and an exception on top of the other would skip _leave.
        signal.signal(signal.SIGTERM, lambda *_: _leave(crew))
        send("ready", None, None)
        while True:
            crew.give(pipe.recv())
    except (EOFError, OSError):
        pass  # the parent has ended, or wants us to end
    except Exception as error:
        send("error", None, _told(error))
    finally:
        _leave(crew)


def _leave(crew: Crew | None) -> NoReturn:
    """End the process in a few seconds at the most."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    with open(os.devnull, "w", encoding="utf-8") as nowhere, contextlib.suppress(BaseException):
        # In C, so that it happens whatever the interpreter is doing.
        faulthandler.dump_traceback_later(_STOP_SECONDS, exit=True, file=nowhere)
        if crew is not None:
            crew.close(0.0)
    # Not by way of the interpreter's exit: threads may still be in native code.
    os._exit(0)


def _told(error: BaseException) -> KibitzError:
    """What the parent raises."""
    if isinstance(error, KibitzError):
        return error
    return BadRequest(f"a worker process failed: {type(error).__name__}: {error}")
