"""A real Ray cluster of several node processes on this machine: workers and nodes are killed, the results are
those of a local run."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fake_task import Impatient, Number, Squares

from kibitz.errors import BadOption, BadRequest
from kibitz.fleet.dispatch import Dispatcher
from kibitz.fleet.jobs import Done, run_jobs
from kibitz.fleet.runners import make_runner
from kibitz.tablebase import builder
from kibitz.tablebase.enumerator import Level
from kibitz.tablebase.format import BLOCK_BYTES

os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"  # everything on the loopback
ray = pytest.importorskip("ray", reason="Ray is not installed (pip install 'kibitz[ray]')")
if sys.platform != "linux":
    pytest.skip("the test kills node processes as Linux has them", allow_module_level=True)

from ray.cluster_utils import Cluster  # noqa: E402

from kibitz.fleet.cluster_state import cluster_state  # noqa: E402
from kibitz.fleet.ray_cluster import RayBackend  # noqa: E402
from kibitz.request import Budget  # noqa: E402
from kibitz.training.loop import TrainingLoop  # noqa: E402
from kibitz.training.selfplay import play_games  # noqa: E402
from kibitz.training.selfplay_task import GameNumber, SelfplayTask  # noqa: E402
from kibitz.training.settings import SelfplaySettings  # noqa: E402
from tests.training.test_pipeline import PIPELINE, Dies, check  # noqa: E402

pytestmark = [pytest.mark.slow, pytest.mark.alone, pytest.mark.timeout(300)]
LOCAL = {"node_ip_address": "127.0.0.1", "num_cpus": 1, "object_store_memory": 80 << 20}


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A head without CPUs for workers, and three nodes of one, with a cache folder of their own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KIBITZ_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield from started()


def started() -> Iterator[Any]:
    paths = [str(Path(__file__).parent), *sys.path]
    os.environ["PYTHONPATH"] = os.pathsep.join(path for path in paths if path)
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    head = {**LOCAL, "num_cpus": 0, "include_dashboard": False}
    made = Cluster(initialize_head=True, head_node_args=head)
    for _ in range(3):
        made.add_node(wait=False, **LOCAL)
    made.wait_for_nodes()
    ray.init(
        address=made.address,
        log_to_driver=False,
        logging_level="error",
        _node_ip_address="127.0.0.1",
    )
    yield made
    ray.shutdown()
    made.shutdown()


def kill_later(backend: RayBackend, count: int, when: threading.Event) -> threading.Thread:
    """Kills `count` worker processes once the event is set."""

    def kill() -> None:
        when.wait(60)
        for process in backend.processes()[:count]:
            os.kill(process, signal.SIGKILL)

    thread = threading.Thread(target=kill)
    thread.start()
    return thread


def test_three_workers_of_which_two_are_killed_play_exactly_the_games(cluster: Any) -> None:
    settings = SelfplaySettings("othello", games=12, budget=Budget(visits=40), seed=5, preset="uct")
    local = {game.id: game for game in play_games(settings, range(12), processes=0)}
    backend = RayBackend(SelfplayTask(settings, (), 1), 1)
    dispatcher = Dispatcher(backend, 3)
    some_done = threading.Event()
    killer = kill_later(backend, 2, some_done)
    games = []
    for event in run_jobs(dispatcher, map(GameNumber, range(12))):
        assert isinstance(event, Done)
        games.append(event.result)
        if len(games) == 2:
            some_done.set()
            killer.join()
    assert dispatcher.lost >= 2
    assert sorted(game.id for game in games) == list(range(12))
    assert {game.id: game for game in games} == local


def test_a_node_that_ends_takes_no_result_with_it(cluster: Any, tmp_path: Path) -> None:
    backend = RayBackend(Squares(str(tmp_path)), 1)
    dispatcher = Dispatcher(backend, 3)
    # Long enough, once all have begun, that none ends while a node is being killed.
    jobs = [Number(i, seconds=0.1 if i < 5 else 0.8) for i in range(20)]
    results = []
    for event in run_jobs(dispatcher, jobs):
        assert isinstance(event, Done)
        results.append(event.result)
        if len(results) == 2:
            assert len(backend.processes()) == 3  # waits until each node has its worker
        if len(results) == 8:  # by now each has a job
            cluster.remove_node(next(iter(cluster.worker_nodes)), allow_graceful=False)
    assert sorted(results) == [(i, i * i) for i in range(20)]
    assert dispatcher.lost >= 1
    # The next test is to find no node that is dead and not yet known for it.
    while sum(node["Alive"] for node in ray.nodes()) > 1 + len(cluster.worker_nodes):
        time.sleep(0.1)


def test_a_job_that_hangs_gets_the_policys_result(cluster: Any) -> None:
    dispatcher = Dispatcher(RayBackend(Squares(), 1, policy=Impatient()), 2)
    jobs = [Number(0), Number(1, "hangs"), Number(2)]
    results = [event.result for event in run_jobs(dispatcher, jobs) if isinstance(event, Done)]
    assert sorted(results) == [(0, 0), (1, -1), (2, 4)]
    assert dispatcher.lost == 1


def test_errors_come_back_in_one_line(cluster: Any) -> None:
    with pytest.raises(BadOption, match="no such task"):
        list(run_jobs(Dispatcher(RayBackend(Squares(fault="refuses"), 1), 1), [Number(1)]))
    with pytest.raises(BadRequest, match="a worker process failed: RuntimeError: no idea"):
        list(run_jobs(Dispatcher(RayBackend(Squares(), 1), 1), [Number(1, "fails")]))


def test_networks_travel_by_digest(cluster: Any, tmp_path: Path) -> None:
    file = tmp_path / "net.txt"
    file.write_text("7")
    began = time.time()
    runner = Dispatcher(RayBackend(ReadsFile(str(file)), 1), 2)
    events = list(run_jobs(runner, [Number(i) for i in range(4)]))
    texts = {event.result for event in events if isinstance(event, Done)}
    assert {text for text, _ in texts} == {"7"}
    for _, place in texts:
        assert place != str(file)
        assert Path(place).stat().st_mtime >= began - 1


def test_a_tablebase_is_built_as_by_threads_though_workers_are_killed(
    cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(builder, "_SLICE", BLOCK_BYTES)
    runners: list[Dispatcher] = []

    def making(*args: Any, **options: Any) -> Any:
        runners.append(make_runner(*args, **options))
        return runners[-1]

    def kill_two(level: Level, solved: int, _: int) -> None:
        if 0 < solved < level.positions and len(killed) < 2:
            for process in runners[-1]._backend.processes()[: 2 - len(killed)]:
                os.kill(process, signal.SIGKILL)
                killed.append(process)

    killed: list[int] = []
    builder.build(tmp_path / "threads", 4)
    monkeypatch.setattr(builder, "make_runner", making)
    monkeypatch.setattr(builder, "_TICK", 0.0)
    built = builder.build(tmp_path / "ray", 4, threads=2, fleet="ray", progress=kill_two)
    assert [item.level.positions for item in built][-3:] == [243_912, 823_464, 399_360]
    assert len(runners) == 3  # the levels of several slices
    assert len(killed) == 2
    assert sum(runner.lost for runner in runners) >= 1  # one may have been killed as it ended
    contents = [
        {path.name: path.read_bytes() for path in (tmp_path / place).glob("*.ktb")}
        for place in ("threads", "ray")
    ]
    assert contents[0] == contents[1]
    assert len(contents[0]) == len(built)


class ReadsFile:
    """A task that reads a file wherever it lies."""

    def __init__(self, path: str) -> None:
        self.path = path

    @property
    def files(self) -> tuple[str, ...]:
        return (self.path,)

    def located(self, places: dict[str, str]) -> ReadsFile:
        return ReadsFile(places[self.path])

    def start(self) -> ReadsFile:
        return self

    def run(self, job: Number, say: Any) -> tuple[str, str]:
        return Path(self.path).read_text(), self.path

    def close(self) -> None:
        pass


def test_state_of_the_nodes(cluster: Any) -> None:
    alive = [row for row in cluster_state(cluster.address) if row["alive"]]
    assert len(alive) == 1 + len(cluster.worker_nodes)
    assert sorted(row["cpus"] for row in alive) == [0.0] + [1.0] * len(cluster.worker_nodes)
    assert all(row["answers"] and row["address"] == "127.0.0.1" for row in alive)


def test_loop_on_a_cluster_whose_trainer_is_lost(cluster: Any, tmp_path: Path) -> None:
    """Players, trainer and gate at the same time, each an actor on a node of one CPU."""
    while len(cluster.worker_nodes) < 3:
        cluster.add_node(wait=True, **LOCAL)
    config = replace(PIPELINE, generations=3, fleet=replace(PIPELINE.fleet, fleet=f"ray:{cluster.address}"))
    steps = list(TrainingLoop(config, tmp_path / "loop", Dies()).run())
    assert (tmp_path / "loop" / "train" / "died").is_file()
    assert sum(step.stage == "train" and bool(step.done) for step in steps) == 3
    check(tmp_path / "loop", 3)
