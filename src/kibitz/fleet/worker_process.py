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
from kibitz.fleet.dispatch import Finished, Message, Ready, Said
from kibitz.fleet.jobs import Event, Note, Task
from kibitz.fleet.lifeline import bind_to_parent
from kibitz.fleet.threads import Crew

#: Seconds a worker has to free what it holds, such as programs it has started.
_STOP_SECONDS = 5.0


def serve(
    pipe: connection.Connection[Any, Any], number: int, task: Task, slots: int, parent: int, by_main: bool
) -> NoReturn:
    """Run jobs that come by the pipe until it ends, as worker `number`. `parent` is the process that started
    us, `by_main` says whether its main thread did."""
    # Ctrl-C reaches the whole group of processes; the parent alone decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if by_main:
        bind_to_parent(parent)
    lock = threading.Lock()

    def send(message: Message) -> None:
        with contextlib.suppress(OSError), lock:  # nobody is there to hear it: the main thread finds that too
            pipe.send(message)

    def deliver(event: Event | BaseException) -> None:
        if isinstance(event, Note):
            send(Said(number, event.job.id, event.content))
        elif isinstance(event, BaseException):
            send(Finished(number, None, None, _as_kibitz_error(event)))
        else:
            send(Finished(number, event.job.id, event.result))

    crew = None
    try:
        crew = Crew(task.start(), slots, deliver)
        # It leaves by itself and raises nothing: the signal and the end of the pipe come together when the
        # parent is killed, and an exception on top of the other would skip _leave.
        signal.signal(signal.SIGTERM, lambda *_: _leave(crew, os.getppid() != parent))
        send(Ready(number))
        while True:
            crew.give(pipe.recv())
    except (EOFError, OSError):
        _leave(crew, orphaned=True)  # whoever only wants us to end sends SIGTERM first
    except Exception as error:
        send(Finished(number, None, None, _as_kibitz_error(error)))
    finally:
        _leave(crew, orphaned=False)


def _leave(crew: Crew | None, orphaned: bool) -> NoReturn:
    """End the process: at once where the parent is no more, else in a few seconds at the most."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    with open(os.devnull, "w", encoding="utf-8") as nowhere, contextlib.suppress(BaseException):
        # In C, so that it happens whatever the interpreter is doing.
        faulthandler.dump_traceback_later(_STOP_SECONDS, exit=True, file=nowhere)
        if crew is not None:
            crew.close(0.0, kill=orphaned)
    # Not by way of the interpreter's exit: threads may still be in native code.
    os._exit(0)


def _as_kibitz_error(error: BaseException) -> KibitzError:
    """What the parent raises."""
    if isinstance(error, KibitzError):
        return error
    return BadRequest(f"a worker process failed: {type(error).__name__}: {error}")
