"""Jobs on a Ray cluster: `ray` starts one on this machine, `ray:ADDRESS` joins one that runs.

A worker is an actor of one CPU, or of as many as its task says (`cpus`). Files that a task names (`files`,
`located`) travel by digest, once to each machine (fleet/content.py). What a job says while it runs goes no
further than its machine, where the policy watches it (fleet/watched.py): a hung game is forfeited there, and
the worker replaced. Ray sends tasks, jobs and results as its own serialized objects, so a cluster is as
trusted as the machine itself: its ports are bound to 127.0.0.1 here, and a cluster of several machines
belongs in a private network.
"""

from __future__ import annotations

import contextlib
import itertools
import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from kibitz.errors import BadRequest, KibitzError, NotInstalled
from kibitz.fleet.content import Travelling
from kibitz.fleet.dispatch import Dispatcher, Finished, Gone, Message, Ready
from kibitz.fleet.jobs import Policy, Task, Worker
from kibitz.fleet.watched import Hung, run_watched

#: Where everything is bound when Kibitz starts the cluster itself.
LOCAL = "127.0.0.1"

#: More than so many answers that are awaited are looked at together.
_MANY = 100

#: How a worker ends itself in which a job hangs.
_HUNG = 75


def ray_runner(
    task: Task, workers: int, *, slots: int = 1, address: str = "", policy: Policy | None = None
) -> Dispatcher:
    """A runner on a cluster. With 0 workers there are as many as the cluster has CPUs."""
    backend = RayBackend(task, slots, address, workers, policy)
    return Dispatcher(backend, workers or backend.cpus, slots=slots)


@contextlib.contextmanager
def ray_connection(address: str, workers: int) -> Iterator[None]:
    """A connection that the runners made meanwhile use, and leave open."""
    ray = import_ray(local=not address)
    owned = not ray.is_initialized()
    if owned:
        _connect(ray, address, workers)
    try:
        yield
    finally:
        if owned:
            ray.shutdown()


class RayWorker:
    """The actor: makes the task's worker and runs its jobs, several at once in threads of Ray's."""

    def __init__(self) -> None:
        self._worker: Worker | None = None
        self._policy = Policy()

    def start(
        self, task: Any, files: list[tuple[Travelling, list[Any]]], policy: Policy
    ) -> KibitzError | None:
        """Get ready; an error is handed back, since Ray would wrap it."""
        ray = import_ray()
        self._policy = policy

        try:
            # The reference is in a list, so that Ray does not fetch a file that is here already.
            places = {file.path: file.here(partial(ray.get, ref)) for file, (ref,) in files}
            self._worker = (task.located(places) if places else task).start()
        except BaseException as error:
            return _as_kibitz_error(error)
        return None

    def run(self, job: Any) -> tuple[Any, KibitzError | None, bool]:
        """The result or an error that ends the run, and whether the worker hangs."""
        assert self._worker is not None
        try:
            result, spoilt = run_watched(self._worker, job, self._policy)
            return result, None, spoilt
        except Hung:
            os._exit(_HUNG)  # the dispatcher gives the job to another worker
        except BaseException as error:
            return None, _as_kibitz_error(error), False

    def process(self) -> int:
        return os.getpid()


class RayBackend:
    """Workers as actors. `cpus` is how many the cluster has."""

    def __init__(
        self, task: Task, slots: int, address: str = "", workers: int = 0, policy: Policy | None = None
    ) -> None:
        ray = import_ray(local=not address)
        self._ray = ray
        self._policy = policy or Policy()
        self._numbers = itertools.count()
        self._actors: dict[int, Any] = {}
        self._asked: dict[Any, tuple[int, int | None]] = {}  # what is awaited: the worker, and the job if any
        self._connection = contextlib.ExitStack()
        self._connection.enter_context(ray_connection(address, workers))
        try:
            self.cpus = max(1, int(ray.cluster_resources().get("CPU", 1)))
            self._task = ray.put(task)
            files = [Travelling.of(path) for path in getattr(task, "files", ()) if Path(path).is_file()]
            self._files = [(file, [ray.put(Path(file.path).read_bytes())]) for file in files]
            # As many threads as jobs at once, and one to be asked for its process.
            cpus = getattr(task, "cpus", 1)
            self._remote = ray.remote(num_cpus=cpus, max_restarts=0, max_concurrency=slots + 1)(RayWorker)
        except BaseException:
            self.close()
            raise

    def start(self) -> int:
        number = next(self._numbers)
        actor = self._actors[number] = self._remote.remote()
        self._asked[actor.start.remote(self._task, self._files, self._policy)] = (number, None)
        return number

    def give(self, worker: int, job: Any) -> None:
        self._asked[self._actors[worker].run.remote(job)] = (worker, job.id)

    def wait(self, seconds: float | None = None) -> list[Message]:
        asked = list(self._asked)
        done, others = self._ray.wait(asked, num_returns=1, timeout=seconds, fetch_local=False)
        if len(asked) > _MANY:  # a look at thousands takes longer than what one has to say
            done += self._ray.wait(others, num_returns=len(others), timeout=0, fetch_local=False)[0]
        messages: list[Message] = []
        for ref in done:
            if ref not in self._asked:  # a message before it said that its worker is gone
                continue
            worker, job = self._asked.pop(ref)
            try:
                answer = self._ray.get(ref)
            except self._ray.exceptions.RayError as error:
                messages.append(self._drop(worker, error))
                continue
            if job is None:
                if answer is not None:
                    raise answer
                messages.append(Ready(worker))
            else:
                result, refused, spoilt = answer
                messages.append(Finished(worker, job, result, refused))
                if spoilt:
                    messages.append(self._drop(worker, TimeoutError("a job hung")))
        return messages

    def end(self, worker: int) -> None:
        with contextlib.suppress(Exception):
            self._ray.kill(self._actors.pop(worker))
        self._asked = {ref: asked for ref, asked in self._asked.items() if asked[0] != worker}

    def _drop(self, worker: int, error: Exception) -> Gone:
        self.end(worker)
        return Gone(worker, str(error).partition("\n")[0] or type(error).__name__)

    def processes(self) -> list[int]:
        """The process numbers of the workers, for tests that kill some."""
        return list(self._ray.get([actor.process.remote() for actor in self._actors.values()]))

    def close(self) -> None:
        for actor in self._actors.values():
            with contextlib.suppress(Exception):
                self._ray.kill(actor)
        self._actors.clear()
        self._asked.clear()
        self._connection.close()


def import_ray(local: bool = False) -> Any:
    """Ray, set up to keep to itself; with `local` to the loopback."""
    if local:
        # Ray's own way of staying on the loopback, which it takes by default on Windows and macOS only.
        os.environ.setdefault("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")
    # No report of how it is used leaves this machine, and no message about that either.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    # It would take over `print`, and with it what a command writes for programs.
    os.environ.setdefault("RAY_TQDM_PATCH_PRINT", "0")
    try:
        import ray
    except ImportError as error:
        raise NotInstalled("ray", "a Ray cluster") from error
    return ray


def _connect(ray: Any, address: str, workers: int) -> None:
    quiet = {"log_to_driver": False, "logging_level": "error", "configure_logging": False}
    try:
        if address:
            ray.init(address=address, **quiet)
        else:
            ray.init(num_cpus=workers or None, include_dashboard=False, _node_ip_address=LOCAL, **quiet)
    except (ConnectionError, OSError, RuntimeError, ValueError) as error:
        where = f"at {address}" if address else "on this machine"
        raise BadRequest(f"no Ray cluster {where}: {str(error).partition(chr(10))[0]}") from error


def _as_kibitz_error(error: BaseException) -> KibitzError:
    if isinstance(error, KibitzError):
        return error
    return BadRequest(f"a worker process failed: {type(error).__name__}: {error}")
