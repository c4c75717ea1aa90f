"""Engines on the nodes of a real Ray cluster: what a pool of this machine does, and a node that is killed."""

from __future__ import annotations

import asyncio
import os
import statistics
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import kibitz
from kibitz.errors import BadRequest
from kibitz.pool import Pool, Priority
from kibitz.request import make_request

os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"  # everything on the loopback
ray = pytest.importorskip("ray", reason="Ray is not installed (pip install 'kibitz[ray]')")
if sys.platform != "linux":
    pytest.skip("the test kills node processes as Linux has them", allow_module_level=True)

from ray.cluster_utils import Cluster  # noqa: E402

from kibitz.server.remote_pool import RemotePool  # noqa: E402

pytestmark = [pytest.mark.slow, pytest.mark.alone, pytest.mark.timeout(300)]
LOCAL = {"node_ip_address": "127.0.0.1", "num_cpus": 1, "object_store_memory": 80 << 20}
START = kibitz.othello.Position()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A head without CPUs for engines, and two nodes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KIBITZ_CACHE", str(tmp_path_factory.mktemp("cache")))
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        patch.setenv("PYTHONPATH", os.pathsep.join(path for path in sys.path if path))
        made = Cluster(
            initialize_head=True, head_node_args={**LOCAL, "num_cpus": 0, "include_dashboard": False}
        )
        for _ in range(2):
            made.add_node(wait=False, **LOCAL)
        made.wait_for_nodes()
        ray.init(
            address=made.address, log_to_driver=False, logging_level="error", _node_ip_address="127.0.0.1"
        )
        yield made
        ray.shutdown()
        made.shutdown()


@pytest.fixture(scope="module")
def pool(cluster: Any) -> Iterator[RemotePool]:
    with RemotePool(("othello", "uttt"), address=cluster.address) as made:
        while not all(node["ready"] for node in made.nodes()):  # the engines are warm
            time.sleep(0.05)
        assert len(made.nodes()) == 2
        yield made


def test_reports_are_those_of_a_local_pool(pool: RemotePool) -> None:
    """Steering and its audit, too."""
    asked: dict[str, Any] = {
        "simulations": 300,
        "include": ["d3"],
        "min_visits": 20,
        "avoid": ["c4"],
        "options": {"seed": 3, "threads": 1},
    }
    with Pool("othello", engines=1) as local:
        expected = local.analyze(START, **asked)
    remote = asyncio.run(pool.aanalyze(START, **asked))
    assert remote.steering == expected.steering
    assert remote.steering.honoured
    assert [(move.move, move.visits, move.value) for move in remote.moves] == [
        (move.move, move.visits, move.value) for move in expected.moves
    ]
    assert pool.analyze(START, **asked).best == expected.best
    assert pool.running == 0


def test_errors_come_back(pool: RemotePool) -> None:
    with pytest.raises(BadRequest, match="this pool plays othello, uttt"):
        pool.analyze(kibitz.chess.Position(), visits=1)
    with pytest.raises(kibitz.errors.KibitzError, match="no_such_option"):
        pool.analyze(START, visits=10, options={"no_such_option": 1})
    assert pool.running == 0


def test_a_search_streams_and_ends_when_its_reader_leaves(pool: RemotePool) -> None:
    async def watch() -> list[int]:
        visits = []
        async with pool.astream(START, every=0.05, client="one", unlimited=True) as stream:
            async for report in stream:
                assert not report.final
                visits.append(report.root.visits)
                if len(visits) == 3:
                    break
        assert pool.running == 0
        while sum(node["running"] for node in pool.nodes()):
            await asyncio.sleep(0.01)
        return visits

    visits = asyncio.run(watch())
    assert visits == sorted(visits)


def test_a_reader_sets_the_pace(pool: RemotePool) -> None:
    """The node makes fewer reports when its reader has no time for them."""

    async def watch(every: float) -> int:
        heard = 0
        async with pool.astream(START, every=0.02, client="pace", unlimited=True) as stream:
            began = time.monotonic()
            async for _ in stream:
                stream.report_every(every)
                heard += 1
                if time.monotonic() - began > 2:
                    return heard
        raise AssertionError("the search ended")

    slow, quick = asyncio.run(watch(0.6)), asyncio.run(watch(0.02))
    assert slow <= 8  # four by the clock, and what was under way before the first message
    assert quick > 2 * slow


def test_parties_share_the_engines(pool: RemotePool) -> None:
    """One who asks for more than there is room for does not keep another waiting: background searches end.
    Games with clocks have room of their own."""
    many = pool.engines + 4

    async def flood() -> tuple[list[int], list[int]]:
        request = make_request(START, seconds=600)
        ended: list[int] = []

        async def greedy(number: int) -> None:
            reports = [r async for r in pool.arun(request, None, party="greedy", priority="background")]
            assert reports[-1].final
            ended.append(number)

        tasks = [asyncio.create_task(greedy(number)) for number in range(many)]
        while pool.running < pool.engines:
            await asyncio.sleep(0.01)
        early, visits = [], []
        priorities: list[Priority] = ["clock", "normal"]
        for priority in priorities:
            asked = pool.arun(make_request(START, visits=50), party="other", priority=priority)
            visits.append([report async for report in asked][-1].root.visits)
            early.append(len(ended))
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        return early, visits

    (clocked, normal), visits = asyncio.run(flood())
    assert clocked == 0
    assert normal >= 1  # it made room
    assert min(visits) >= 50
    assert pool.running == 0


def test_sixty_analyses_of_which_none_is_lost_with_a_node(cluster: Any, pool: RemotePool) -> None:
    while not (len(pool.nodes()) == 2 and all(node["ready"] for node in pool.nodes())):
        time.sleep(0.05)
    firsts: list[float] = []
    lines = START.legal_moves

    async def ask(number: int) -> Any:
        position = START.play(lines[number % len(lines)])
        began = time.monotonic()
        last = None
        request = make_request(position, visits=3000)
        async for report in pool.arun(request, 0.1, client=number, party=number % 12):
            if last is None:
                firsts.append(time.monotonic() - began)
            last = report
        return last

    killed = asyncio.Event()
    long_ones: list[int] = []

    async def stay(number: int) -> None:
        """A search without end, which is under way when the node is killed, and read on after it."""
        long_ones.append(number)
        heard = 0
        async with pool.astream(START, every=0.1, client=f"long {number}", unlimited=True) as stream:
            async for _ in stream:
                heard += 1
                if heard == 1:
                    long_ones.remove(number)
                if killed.is_set() and pool.restarted:
                    return

    async def all_of_them() -> list[Any]:
        staying = [asyncio.create_task(stay(number)) for number in range(4)]
        await asyncio.sleep(0)
        while long_ones:
            await asyncio.sleep(0.01)
        assert all(node["running"] for node in pool.nodes()), "both nodes work"
        tasks = [asyncio.create_task(ask(number)) for number in range(60)]
        while len(firsts) < 20:
            await asyncio.sleep(0.01)
        node = next(iter(cluster.worker_nodes))
        await asyncio.to_thread(cluster.remove_node, node, allow_graceful=False)
        killed.set()
        made = await asyncio.gather(*tasks)
        await asyncio.gather(*staying)
        return made

    reports = asyncio.run(all_of_them())
    assert [report.final for report in reports] == [True] * 60
    assert all(report.root.visits >= 3000 for report in reports)
    assert pool.restarted >= 1
    p95 = statistics.quantiles(firsts, n=20)[-1]
    print(f"60 analyses, {pool.restarted} begun again, p95 of the first report {p95:.2f} s")
    cluster.add_node(wait=True, **LOCAL)  # a node that joins gets engines
    while sum(node["ready"] for node in pool.nodes()) < 2:
        time.sleep(0.1)


def test_server_with_engines_of_a_cluster(cluster: Any, tmp_path: Path) -> None:
    pytest.importorskip("fastapi")
    from starlette.testclient import TestClient

    from kibitz.server.app import create_app
    from kibitz.server.settings import Settings

    settings = Settings(database="sqlite://", cluster=f"ray:{cluster.address}")
    address = "http://127.0.0.1:8000"
    with (
        TestClient(create_app(settings), base_url=address) as client,
        client.websocket_connect("/api/analyses", headers={"Host": address[7:]}) as socket,
    ):
        asked = {"position": START.to_dict(), "budget": {"visits": 200}, "steering": {"include": {"d3": 20}}}
        socket.send_json({"type": "start", "id": "a", "request": asked, "every": 0.1})
        reports = []
        while (message := socket.receive_json())["type"] == "report":
            reports.append(message["report"])
        assert message["type"] == "end", message
        # A node that was busy is known to be ready again with its next answer.
        until = time.monotonic() + 30
        while True:
            shown = client.get("/api/cluster").json()
            engines = {row["cpus"]: row["searches"] for row in shown["nodes"] if row["alive"]}
            if engines == {1.0: 0, 0.0: None} or time.monotonic() > until:
                break
            time.sleep(0.2)
    assert reports[-1]["final"]
    assert reports[-1]["root"]["visits"] >= 200
    assert shown["configured"]
    # Two nodes with engines, the head, which has none, and the node that was killed.
    assert engines == {1.0: 0, 0.0: None}
    assert [row["alive"] for row in shown["nodes"]].count(True) == 3
    assert cluster.address.partition(":")[0] not in str(shown)  # an address is nobody's business
