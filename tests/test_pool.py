"""The pool: many requests at once, fair turns, few threads."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import threading
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import cast

import pytest

import kibitz
from kibitz.errors import BadOption, BadRequest, KibitzError
from kibitz.pool import Priority
from kibitz.request import make_request

START = kibitz.othello.Position()


def native_threads() -> int:
    """All threads of the process, those of the core too."""
    tasks = Path("/proc/self/task")
    return len(list(tasks.iterdir())) if tasks.exists() else threading.active_count()


def slowness() -> float:
    """How many times longer than alone a thread takes on this machine now; 1 when it is quiet."""
    begun, used = time.monotonic(), time.thread_time()
    while time.thread_time() - used < 0.1:
        pass
    return max(1.0, (time.monotonic() - begun) / 0.1)


@pytest.mark.alone
def test_24_requests_of_half_a_second_end_within_one_and_a_half() -> None:
    async def watch() -> list[kibitz.Report]:
        return await asyncio.gather(*(kibitz.aanalyze(position, seconds=0.5) for position in positions))

    games = [kibitz.chess.Position(), kibitz.go.Position(9), START, kibitz.uttt.Position()]
    positions = [game.play(move) for game in games for move in game.legal_moves[:6]][:24]
    positions = (positions * 2)[:24]
    seconds = []
    for _ in range(3):  # a machine may stall once
        slow = slowness()
        begun = time.monotonic()
        reports = asyncio.run(watch())
        seconds.append((time.monotonic() - begun) / max(slow, slowness()))
        assert len(reports) == 24
        assert all(report.final and report.simulations > 0 for report in reports)
        if seconds[-1] < 1.5:
            break
    assert min(seconds) < 1.5, seconds


def test_hundreds_of_waiting_requests_need_no_thread_each() -> None:
    async def watch(pool: kibitz.Pool) -> tuple[int, int, list[kibitz.Report]]:
        tasks = [asyncio.create_task(pool.aanalyze(START, simulations=300)) for _ in range(300)]
        most = waited = 0
        while not all(task.done() for task in tasks):
            most = max(most, native_threads())
            waited = max(waited, pool.waiting)
            await asyncio.sleep(0.001)
        return most, waited, [task.result() for task in tasks]

    before = native_threads()
    with kibitz.Pool("othello", "uct", engines=4, cores=1) as pool:
        most, waited, reports = asyncio.run(watch(pool))
    assert [report.simulations for report in reports] == [300] * 300
    assert waited >= 290
    assert most <= before + 4 + 1
    assert pool.running == pool.waiting == 0


def test_clients_take_turns() -> None:
    async def watch(pool: kibitz.Pool) -> list[str]:
        ended: list[str] = []

        async def ask(client: str) -> None:
            await pool.aanalyze(START, client, simulations=200)
            ended.append(client)

        crowd = [asyncio.create_task(ask("crowd")) for _ in range(40)]
        await asyncio.sleep(0)
        await ask("guest")
        await asyncio.gather(*crowd)
        return ended

    with kibitz.Pool("othello", "uct", engines=1) as pool:
        ended = asyncio.run(watch(pool))
    assert len(ended) == 41
    assert ended.index("guest") <= 4


def test_cancelled_requests_give_up_their_turn() -> None:
    async def watch(pool: kibitz.Pool) -> None:
        running = asyncio.create_task(pool.aanalyze(START, unlimited=True))
        waiting = [asyncio.create_task(pool.aanalyze(START, unlimited=True)) for _ in range(5)]
        while pool.waiting < 5:
            await asyncio.sleep(0.01)
        for task in waiting[:3]:
            task.cancel()
        await asyncio.sleep(0.01)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        while pool.waiting > 1:  # the next of those who still wait has begun
            await asyncio.sleep(0.01)
        assert pool.running == 1
        for task in waiting[3:]:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        assert (pool.running, pool.waiting) == (0, 0)
        assert (await pool.aanalyze(START, simulations=20)).simulations == 20

    with kibitz.Pool("othello", "uct", engines=1) as pool:
        asyncio.run(asyncio.wait_for(watch(pool), 60))


def test_leaving_a_stream_early_frees_its_engine() -> None:
    async def watch(pool: kibitz.Pool) -> None:
        for _ in range(3):
            async for report in pool.astream(START, every=0.01, unlimited=True):
                assert not report.final
                break
        assert pool.running == 0
        assert (await pool.aanalyze(START, simulations=20)).simulations == 20

    with kibitz.Pool("othello", "uct", engines=1) as pool:
        asyncio.run(watch(pool))


def test_threads_and_tasks_share_a_pool() -> None:
    reports: list[kibitz.Report] = []

    async def watch(pool: kibitz.Pool) -> list[kibitz.Report]:
        return await asyncio.gather(*(pool.aanalyze(START, simulations=200) for _ in range(10)))

    with kibitz.Pool(engines=2) as pool:
        chess = kibitz.chess.Position()
        threads = [
            threading.Thread(target=lambda: reports.append(pool.analyze(chess, simulations=50)))
            for _ in range(10)
        ]
        for thread in threads:
            thread.start()
        awaited = asyncio.run(watch(pool))
        for thread in threads:
            thread.join()
    assert [report.simulations for report in awaited] == [200] * 10
    assert [report.simulations for report in reports] == [50] * 10


def test_a_tree_is_kept_for_its_client_only() -> None:
    later = START.play("d3")
    with kibitz.Pool("othello", "uct", engines=2, cores=1) as pool:
        pool.analyze(START, "alice", simulations=500)
        assert pool.analyze(later, "alice", simulations=10).root.reused > 0
        assert pool.analyze(later, "bob", simulations=10).root.reused == 0
        assert pool.analyze(later, simulations=10).root.reused == 0
        assert pool.analyze(later, simulations=10).root.reused == 0


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="counts native threads by Linux's /proc")
def test_a_request_alone_gets_all_cores_and_two_share_them() -> None:
    async def watch(pool: kibitz.Pool) -> tuple[int, int]:
        alone = pool.astream(START, every=0.02, unlimited=True)
        await anext(alone)
        by_one = native_threads()
        await alone.aclose()
        streams = [pool.astream(START, every=0.02, unlimited=True) for _ in range(2)]
        await asyncio.gather(*map(anext, streams))
        by_two = native_threads()
        await asyncio.gather(*(stream.aclose() for stream in streams))
        return by_one, by_two

    before = native_threads()
    with kibitz.Pool("othello", "uct", engines=4, cores=2) as pool:
        by_one, by_two = asyncio.run(watch(pool))
    assert by_one == before + 2
    assert by_two <= before + 3  # the first began alone


def test_an_unsound_request_does_not_cost_an_engine() -> None:
    async def watch(pool: kibitz.Pool) -> None:
        for options in ({"threads": 0}, {"evaluator": "network"}):
            with pytest.raises(KibitzError):
                await pool.aanalyze(START, options=options)
        assert pool.running == 0
        assert (await pool.aanalyze(START, simulations=20)).simulations == 20

    with kibitz.Pool("othello", "uct", engines=1) as pool:
        with pytest.raises(BadRequest, match="plays othello, not chess"):
            pool.analyze(kibitz.chess.Position(), simulations=5)
        asyncio.run(watch(pool))
    with pytest.raises(BadRequest, match="closed"):
        pool.analyze(START, simulations=5)
    with pytest.raises(BadOption, match="engines must be"):
        kibitz.Pool("othello", engines=0)
    with pytest.raises(BadOption, match="unknown option"):
        kibitz.Pool("othello", simulation=3)


def test_closing_ends_what_runs_and_refuses_what_waits() -> None:
    async def watch() -> tuple[object, object]:
        pool = kibitz.Pool("othello", "uct", engines=1)
        running = asyncio.create_task(pool.aanalyze(START, unlimited=True))
        waiting = asyncio.create_task(pool.aanalyze(START, unlimited=True))
        while not pool.waiting:
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.05)
        pool.close()
        first, second = await asyncio.gather(running, waiting, return_exceptions=True)
        return first, second

    first, second = asyncio.run(watch())
    assert isinstance(first, kibitz.Report)
    assert first.stop_reason == "stopped"
    assert isinstance(second, BadRequest)


def test_the_cores_are_those_the_process_may_use() -> None:
    expected = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    assert kibitz.Pool("othello").cores == expected


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a priority is the whole process's")
def test_searches_stand_back_for_the_event_loop() -> None:
    def priorities() -> list[int]:
        nice_values = []
        for task in os.listdir("/proc/self/task"):
            with contextlib.suppress(ProcessLookupError):
                nice_values.append(os.getpriority(os.PRIO_PROCESS, int(task)))
        return nice_values

    async def ask(pool: kibitz.Pool) -> tuple[int, list[int]]:
        request = make_request(START, simulations=10**9)
        async with pool.arun(request, 0.01, client="x") as reports:
            await anext(reports)
            return os.getpriority(os.PRIO_PROCESS, 0), priorities()

    with kibitz.Pool("othello", "uct", nice=7) as pool:
        own, nice_values = asyncio.run(ask(pool))
    assert min(own + 7, 19) in nice_values
    assert own in nice_values


class Crowd:
    """Requests without a limit of several parties, as they run in the background."""

    def __init__(self, pool: kibitz.Pool) -> None:
        self.pool = pool
        self.tasks: dict[str, list[asyncio.Task[kibitz.Report]]] = {}

    def ask(
        self, party: str, priority: Priority = "background", simulations: int | None = None
    ) -> asyncio.Task[kibitz.Report]:
        async def last() -> kibitz.Report:
            request = make_request(START, unlimited=simulations is None, simulations=simulations)
            return [one async for one in self.pool.arun(request, party=party, priority=priority)][-1]

        task = asyncio.create_task(last())
        self.tasks.setdefault(party, []).append(task)
        return task

    def shares(self) -> dict[str, int]:
        return {str(party): count for party, count in self.pool._turns.shares().items()}

    async def until_shares(self, **wanted: int) -> None:
        while self.shares() != wanted:
            await asyncio.sleep(0.005)

    async def leave(self) -> None:
        tasks = [task for group in self.tasks.values() for task in group]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def run_crowd(watch: Callable[[Crowd], Awaitable[None]], engines: int, nice: int = 0) -> None:
    async def run() -> None:
        with kibitz.Pool("othello", "uct", engines=engines, cores=1, nice=nice) as pool:
            crowd = Crowd(pool)
            await asyncio.wait_for(watch(crowd), 60)
            await crowd.leave()
            assert (pool.running, pool.waiting) == (0, 0)

    asyncio.run(run())


def test_share_of_a_party_shrinks_as_others_come() -> None:
    async def watch(crowd: Crowd) -> None:
        for _ in range(20):
            crowd.ask("first")
        await crowd.until_shares(first=6)
        for _ in range(20):
            crowd.ask("second")
        await crowd.until_shares(first=3, second=3)
        for _ in range(20):
            crowd.ask("third")
        await crowd.until_shares(first=2, second=2, third=2)
        ended = [task for task in crowd.tasks["first"] if task.done()]
        assert [task.result().stop_reason for task in ended] == ["stopped"] * 4

    run_crowd(watch, engines=6)


def test_clock_request_begins_at_once_and_is_not_stopped() -> None:
    async def watch(crowd: Crowd) -> None:
        for number in range(20):
            crowd.ask(f"party {number}")
        reports = await asyncio.gather(*(crowd.ask("room", "clock", simulations=300) for _ in range(3)))
        assert [(report.simulations, report.stop_reason) for report in reports] == [(300, "simulations")] * 3

    run_crowd(watch, engines=2)


def test_more_parties_than_engines_take_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kibitz.pool._SLICE", 0.05)

    async def watch(crowd: Crowd) -> None:
        tasks = [crowd.ask(f"party {number}") for number in range(5)]
        done, waiting = await asyncio.wait(tasks[:4])
        assert not waiting
        assert {task.result().stop_reason for task in done} == {"stopped"}

    run_crowd(watch, engines=1)


def test_clock_requests_do_not_wait_for_others() -> None:
    async def watch(crowd: Crowd) -> None:
        others = [crowd.ask("first", "normal") for _ in range(3)]
        reports = await asyncio.gather(*(crowd.ask(f"{n}", "clock", simulations=100) for n in range(5)))
        assert [report.simulations for report in reports] == [100] * 5
        assert not any(task.done() for task in others)
        assert crowd.shares() == {"first": 1}

    run_crowd(watch, engines=1)


def test_crowding_counts_requests_with_clocks() -> None:
    async def watch(crowd: Crowd) -> None:
        assert crowd.pool.crowding == 0
        for number in range(7):
            crowd.ask(f"{number}", "clock")
        crowd.ask("other", "normal")
        while crowd.pool.running < 3:
            await asyncio.sleep(0.005)
        assert crowd.pool.crowding == 3.5

    run_crowd(watch, engines=2)


def test_normal_requests_are_never_stopped_for_others() -> None:
    async def watch(crowd: Crowd) -> None:
        own = [crowd.ask("first", "normal", simulations=20_000) for _ in range(4)]
        guest = crowd.ask("guest", "clock", simulations=100)
        assert {task.result().simulations for task in (await asyncio.wait(own))[0]} == {20_000}
        await guest

    run_crowd(watch, engines=2)


def test_searches_with_clocks_take_their_turns_first() -> None:
    async def ask(pool: kibitz.Pool) -> tuple[int, int]:
        """Simulations of a search with a clock, and of all others meanwhile."""
        request = make_request(START, unlimited=True)
        async with contextlib.AsyncExitStack() as streams:
            others = [pool.arun(request, 0.01, client=n, priority="background") for n in range(8)]
            for stream in others:
                await anext(await streams.enter_async_context(stream))
            first = pool.arun(request, 0.01, client="clock", priority="clock")
            await anext(await streams.enter_async_context(first))
            begun = [(await anext(stream)).simulations for stream in others]
            await asyncio.sleep(0.5)
            ended = [(await anext(stream)).simulations for stream in others]
            return (await anext(first)).simulations, sum(ended) - sum(begun)

    with kibitz.Pool("othello", "uct", engines=8, cores=1, nice=1) as pool:
        urgent, others = asyncio.run(ask(pool))
    assert urgent > 5 * others


def test_a_start_that_fails_leaves_no_urgency(monkeypatch: pytest.MonkeyPatch) -> None:
    """The next search of the same thread would go before all others, though nobody plays with a clock."""
    said: list[bool] = []
    monkeypatch.setattr("kibitz._native.make_next_start_urgent", said.append)

    async def ask(pool: kibitz.Pool) -> None:
        for priority in ("clock", "background"):
            stream = pool.arun(make_request(START, simulations=10), priority=cast("Priority", priority))
            _ = [report async for report in stream]

    with kibitz.Pool("othello", engines=1) as pool:
        asyncio.run(ask(pool))
    assert said == [True, False]


def test_cores_are_shared_from_the_first_search_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other searches of the process take no turns because of a server that was made and never started."""
    calls: list[str] = []
    monkeypatch.setattr("kibitz._native.share_cores", lambda cores, nice: calls.append(f"{cores} {nice}"))
    monkeypatch.setattr("kibitz._native.stop_sharing_cores", lambda: calls.append("stop"))
    with kibitz.Pool("othello", cores=1, nice=7) as pool:
        assert calls == []
        for _ in range(2):
            pool.analyze(START, simulations=10)
        assert calls == ["1 7"]
    assert calls == ["1 7", "stop"]
