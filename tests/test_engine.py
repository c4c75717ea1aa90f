"""The engine's ways of answering: at once, as a stream, asynchronously; stopping; networks."""

from __future__ import annotations

import asyncio
import inspect
import sys
import threading
import time
from typing import Any

import chess
import numpy as np
import pytest

import kibitz
from kibitz.errors import BadOption, BadPosition, BadRequest
from kibitz.request import AnalyzeArgs, Budget, Request, make_request

START = kibitz.othello.Position()
ENDING = kibitz.othello.Position("OOOOOOOOOXXXXXXOOXXXXXXOOXXXXXXOOXXXXXXOOXXXXXX-OXXXXX--OXXXX--- X")


def test_stream_ends_with_the_final_report() -> None:
    reports = []
    with kibitz.Engine("othello", "uct") as engine:
        for report in engine.stream(START, every=0.05, unlimited=True):
            reports.append(report)
            if len(reports) == 3:
                engine.stop()
        timed = engine.analyze(START, seconds=0.2)
    assert len(reports) >= 4
    assert [report.final for report in reports] == [False] * (len(reports) - 1) + [True]
    visits = [report.root.visits for report in reports]
    assert visits == sorted(visits)
    assert reports[-1].stop_reason == "stopped"
    assert timed.stop_reason == "time"
    assert 0.15 < timed.seconds < 10


def test_leaving_a_stream_early_frees_the_engine() -> None:
    with kibitz.Engine("othello", "uct") as engine:
        for report in engine.stream(START, every=0.02, unlimited=True):
            assert not report.final
            break
        assert engine.analyze(START, simulations=10).simulations == 10


def test_stop_from_another_thread() -> None:
    with kibitz.Engine("othello", "uct") as engine:
        threading.Timer(0.1, engine.stop).start()
        report = engine.analyze(START, unlimited=True)
    assert report.stop_reason == "stopped"
    assert report.simulations > 100


def test_one_request_at_a_time() -> None:
    with kibitz.Engine("othello", "uct") as engine:
        stream = engine.stream(START, every=0.02, unlimited=True)
        next(stream)
        with pytest.raises(BadRequest, match="busy"):
            engine.analyze(START, simulations=5)
        stream.close()


def test_async_stream_and_cancel() -> None:
    async def watch() -> float:
        engine, reports = kibitz.Engine("othello", "uct"), []
        async for report in engine.astream(START, every=0.05, unlimited=True):
            reports.append(report)
            if len(reports) == 2:
                engine.stop()
        assert [report.final for report in reports] == [False] * (len(reports) - 1) + [True]
        task = asyncio.create_task(engine.aanalyze(START, unlimited=True))
        await asyncio.sleep(0.1)
        begun = time.monotonic()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return time.monotonic() - begun

    assert asyncio.run(watch()) < 10


def test_a_client_refused_as_busy_does_not_stop_the_first() -> None:
    async def watch() -> kibitz.Report:
        engine = kibitz.Engine("othello", "uct")
        first = asyncio.create_task(engine.aanalyze(START, simulations=30_000))
        while not engine.slot.busy:
            await asyncio.sleep(0)
        for refused in (engine.aanalyze(START, simulations=5), anext(engine.astream(START, simulations=5))):
            with pytest.raises(BadRequest, match="busy"):
                await refused
        with pytest.raises(BadRequest, match="busy"):
            engine.analyze(START, simulations=5)
        return await first

    report = asyncio.run(watch())
    assert report.stop_reason == "simulations"
    assert report.simulations == 30_000


def test_leaving_an_async_stream_early_frees_the_engine() -> None:
    async def watch() -> None:
        engine = kibitz.Engine("othello", "uct")
        for _ in range(3):
            async for report in engine.astream(START, every=0.01, unlimited=True):
                assert not report.final
                break
            assert (await engine.aanalyze(START, simulations=10)).simulations == 10
            async for _ in engine.astream(START, every=0.01, unlimited=True):
                break
            assert engine.analyze(START, simulations=10).simulations == 10
        kept = engine.astream(START, every=0.01, unlimited=True)
        await anext(kept)
        with pytest.raises(BadRequest, match="busy"):
            await engine.aanalyze(START, simulations=10)
        await kept.aclose()
        with pytest.raises(StopAsyncIteration):
            await anext(kept)
        async with engine.astream(START, every=0.01, unlimited=True) as stream:
            await anext(stream)
        assert (await engine.aanalyze(START, simulations=10)).simulations == 10

    asyncio.run(watch())


def test_arun_takes_a_request() -> None:
    async def watch() -> list[kibitz.Report]:
        engine = kibitz.Engine("othello", "uct")
        request = Request(START, budget=Budget(unlimited=True))
        reports = []
        async for report in engine.arun(request, every=0.05):
            reports.append(report)
            if len(reports) == 2:
                engine.stop()
        return reports

    reports = asyncio.run(watch())
    assert len(reports) >= 3
    assert [report.final for report in reports] == [False] * (len(reports) - 1) + [True]
    blocking = kibitz.Engine("othello", "uct").analyze(START, simulations=500)
    awaited = asyncio.run(kibitz.Engine("othello", "uct").aanalyze(START, simulations=500))
    assert awaited.moves == blocking.moves


def test_endings_are_solved_without_holding_up_the_event_loop() -> None:
    async def watch() -> tuple[kibitz.Report, int]:
        engine, ticks = kibitz.Engine("othello"), 0
        task = asyncio.create_task(engine.aanalyze(ENDING, options={"solve_all": True}))
        while not task.done():
            await asyncio.sleep(0)
            ticks += 1
        return task.result(), ticks

    report, ticks = asyncio.run(watch())
    assert report.stop_reason == "solved"
    assert ticks > 1


def test_an_error_of_the_network_reaches_the_awaiting_caller() -> None:
    def broken(planes: np.ndarray, globals_: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        raise RuntimeError("no weights")

    engine = kibitz.Engine("othello", network=broken, evaluator="network")
    with pytest.raises(RuntimeError, match="no weights"):
        asyncio.run(engine.aanalyze(START, simulations=10))
    with pytest.raises(RuntimeError, match="no weights"):  # and the engine is free again
        engine.analyze(START, simulations=10)


def test_many_engines_are_awaited_without_threads_of_pythons() -> None:
    async def watch() -> int:
        engines = [kibitz.Engine("othello", "uct", memory_mb=4) for _ in range(24)]
        tasks = [asyncio.create_task(engine.aanalyze(START, seconds=0.3)) for engine in engines]
        await asyncio.sleep(0.15)
        threads = threading.active_count()
        assert all(report.final for report in await asyncio.gather(*tasks))
        return threads

    before = threading.active_count()
    assert asyncio.run(watch()) == before


def test_budgets() -> None:
    with kibitz.Engine("othello", "uct") as engine:
        assert engine.analyze(START, simulations=77).simulations == 77
        assert engine.analyze(START, visits=200).root.visits == 200
        # The tree already has more visits than asked for: nothing is left to do.
        assert engine.analyze(START, visits=50).simulations == 0
    with pytest.raises(BadRequest, match="seconds must be above 0"):
        kibitz.analyze(START, seconds=-1)


def test_a_finished_game_is_refused() -> None:
    over = kibitz.othello.Position("X" * 64 + " X")
    with pytest.raises(BadRequest, match="over"):
        kibitz.analyze(over, simulations=10)


def test_another_game_is_refused() -> None:
    with pytest.raises(BadRequest, match="unknown game 'shogi'"):
        kibitz.Engine("shogi")
    for ask in (kibitz.Engine("othello").analyze, kibitz.Engine("othello").astream):
        with pytest.raises(BadRequest, match="this engine plays othello, not chess"):
            ask(kibitz.chess.Position(), simulations=1)


def test_endings_are_solved_not_guessed() -> None:
    report = kibitz.analyze(ENDING, options={"solve_all": True})
    assert report.stop_reason == "solved"
    assert {move.move for move in report.moves} == set(ENDING.legal_moves)
    scores = [move.score for move in report.moves]
    assert scores == sorted(scores, reverse=True)
    assert report.moves[0].proven == "loss"
    assert report.moves[0].score == kibitz.othello.solve(ENDING).score < 0
    # With steering the wish comes first, and proofs still find the same winner.
    steered = kibitz.analyze(ENDING, include=[report.moves[-1].move], min_visits=5, simulations=5000)
    assert steered.root.proven == "loss"


def test_values_near_half_at_the_start() -> None:
    for position in (START, START.play("d3")):
        report = kibitz.analyze(position, preset="uct", simulations=100_000)
        assert 0.35 <= report.root.value <= 0.65


def test_threads_finish_the_same_budget() -> None:
    report = kibitz.analyze(START, preset="uct", simulations=20_000, options={"threads": 2})
    assert report.simulations == 20_000
    assert sum(move.visits for move in report.moves) == 20_000


def test_the_tree_stays_within_its_memory() -> None:
    report = kibitz.analyze(START, preset="uct", simulations=60_000, options={"memory_mb": 1})
    assert report.root.tree_full
    assert report.root.memory_bytes <= 1 << 20
    assert report.simulations == 60_000


def test_a_network_stops_when_its_tree_is_full() -> None:
    with kibitz.Engine("go", memory_mb=2) as engine:
        report = engine.analyze(kibitz.go.Position(19), seconds=20)
    assert report.stop_reason == "memory"
    assert report.root.tree_full
    assert report.seconds < 10


class TestNetworks:
    """A callable that judges batches takes the place of a network."""

    def network(self, planes: np.ndarray, globals_: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        assert planes.shape[1:] == (3, 8, 8)
        assert globals_.shape == (len(planes), 0)
        self.sizes.append(len(planes))
        policy = np.zeros((len(planes), 65), np.float32)
        policy[:, 19] = 3.0  # d3
        own, other = planes[:, 0].sum((1, 2)), planes[:, 1].sum((1, 2))
        win = own / (own + other)
        outcomes = np.stack([win, 0 * win, 1 - win, own - other], 1).astype(np.float32)
        return policy, outcomes

    def setup_method(self) -> None:
        self.sizes: list[int] = []

    def test_priors_values_and_scores(self) -> None:
        engine = kibitz.Engine(
            "othello", network=self.network, evaluator="network", rule="puct", batch=4, solve_root=0
        )
        report = engine.analyze(START, visits=200)
        assert report.root.visits == 200
        assert sum(self.sizes) <= 200
        assert max(self.sizes) > 1
        prior = {move.move: move.prior for move in report.moves}
        assert prior["d3"] == pytest.approx(np.exp(3) / (np.exp(3) + 3))
        assert report.root.score is not None

    def test_one_visit_is_the_network_itself(self) -> None:
        engine = kibitz.Engine("othello", network=self.network, evaluator="network", rule="puct")
        report = engine.analyze(START, visits=1)
        assert self.sizes == [1]
        assert report.root.value == pytest.approx(0.5)
        assert all(move.visits == 0 for move in report.moves)

    def test_two_threads(self) -> None:
        engine = kibitz.Engine(
            "othello", network=self.network, evaluator="network", rule="puct", threads=2, batch=4
        )
        assert engine.analyze(START, visits=300).root.visits == 300

    def test_python_knows_a_search_thread_until_the_search_ends(self) -> None:
        local, threads = threading.local(), []

        def counting(planes: np.ndarray, globals_: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            if not hasattr(local, "known"):
                local.known = True
                threads.append(threading.get_ident())
            return self.network(planes, globals_)

        before = set(sys._current_frames())
        engine = kibitz.Engine("othello", network=counting, evaluator="network", rule="puct", threads=2)
        engine.analyze(START, visits=300)
        assert len(self.sizes) > 10
        assert 1 <= len(threads) <= 2
        assert set(sys._current_frames()) <= before

    def test_errors_reach_the_caller(self) -> None:
        def broken(planes: np.ndarray, globals_: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            raise RuntimeError("no weights")

        engine = kibitz.Engine("othello", network=broken, evaluator="network")
        with pytest.raises(RuntimeError, match="no weights"):
            engine.analyze(START, simulations=10)

        def misshapen(planes: np.ndarray, globals_: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            return np.zeros((1, 2), np.float32), np.zeros((1, 4), np.float32)

        engine = kibitz.Engine("othello", network=misshapen, evaluator="network")
        with pytest.raises(ValueError, match="n x policy size"):
            engine.analyze(START, simulations=10)

    @pytest.mark.parametrize(
        ("answer", "got"),
        [
            (lambda n: (np.zeros(65, np.float32), np.zeros((n, 4), np.float32)), "(65,), (1, 4)"),
            (
                lambda n: (np.zeros((n, 65), np.float32), np.zeros((n, 4, 1), np.float32)),
                "(1, 65), (1, 4, 1)",
            ),
            (lambda n: (np.zeros((n, 65), np.float32), np.zeros((n, 3), np.float32)), "(1, 65), (1, 3)"),
            (lambda n: (np.zeros((n, 65), np.float32),), "(1, 65)"),
            (lambda n: np.zeros((n, 65), np.float32), "(1, 65)"),
            (lambda n: [[0.0] * 65], "list"),
            (lambda n: ("a", 3), "str'>, <class 'int"),
            (lambda n: None, "NoneType"),
        ],
    )
    def test_a_wrong_answer_of_a_network_is_described(self, answer: Any, got: str) -> None:
        engine = kibitz.Engine("othello", network=lambda planes, _: answer(len(planes)), evaluator="network")
        with pytest.raises(ValueError, match=r"n x policy size.*here \(1, 65\) and \(1, 4\)") as caught:
            engine.analyze(START, simulations=1)
        assert got in str(caught.value)

    def test_a_network_is_needed(self) -> None:
        with pytest.raises(BadOption, match="needs a network"):
            kibitz.analyze(START, simulations=10, options={"evaluator": "network"})


def test_a_search_that_was_over_before_it_began():
    """A stop is heard by a running search only; `until` also by one that has not begun."""
    engine = kibitz.Engine("othello", "uct")
    request = Request(kibitz.othello.Position(), budget=Budget(unlimited=True))
    *_, report = engine.run(request, until=lambda: True)
    assert report.final
    begun = time.monotonic()
    *_, report = engine.run(request, until=lambda: time.monotonic() > begun + 0.2)
    assert report.final
    assert report.simulations > 0


def test_a_wrong_keyword_names_the_nearest() -> None:
    engine = kibitz.Engine("othello")
    for ask in (kibitz.analyze, engine.analyze, engine.stream, engine.astream, engine.best_move):
        with pytest.raises(BadRequest, match="unknown keyword 'simulation'; did you mean simulations"):
            ask(START, simulation=10)  # type: ignore[call-arg]


def test_keywords_are_in_signatures() -> None:
    engine = kibitz.Engine("othello")
    for ask in (
        kibitz.analyze,
        kibitz.aanalyze,
        engine.analyze,
        engine.stream,
        engine.aanalyze,
        engine.astream,
    ):
        assert set(AnalyzeArgs.__annotations__) <= set(inspect.signature(ask).parameters)
    defaults = {"min_visits": 2, "line_length": 3, "top": 4, "unlimited": True, "unvisited": True}
    request = make_request(START, **defaults, move_ownership=True, include=["d3"])
    assert (request.line_length, request.top, request.unvisited) == (3, 4, True)
    assert (request.move_ownership, request.budget.unlimited) == (True, True)
    assert request.steering.include == {"d3": 2}


def test_boards_of_python_chess_are_taken() -> None:
    board = chess.Board()
    board.push_san("e4")
    report = kibitz.analyze(board, simulations=20)
    assert report.position == kibitz.chess.Position().play("e4")
    assert report.position.moves == ("e2e4",)
    with pytest.raises(BadRequest, match=r"a position is needed, such as .*, got int"):
        kibitz.analyze(4, simulations=20)  # type: ignore[arg-type]


def test_texts_are_taken_as_positions() -> None:
    fen = "r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4"
    with pytest.raises(BadRequest, match="the game is over"):
        kibitz.analyze(fen)
    report = kibitz.analyze("(;GM[1]SZ[9]KM[7.5];B[ee])", network="none", visits=4)
    assert (report.position.game, report.position.moves) == ("go", ("E5",))
    with pytest.raises(BadPosition, match="no game reads this text"):
        kibitz.analyze("a poem")


def test_planes_are_what_networks_are_shown() -> None:
    planes = kibitz.chess.Position().planes()
    assert planes.shape == (112, 8, 8)
    assert planes[0].sum() == 8  # one's own pawns
    with pytest.raises(BadPosition, match="junqi has no networks"):
        kibitz.junqi.Position().planes()


def test_a_pool_ends_with_its_async_block() -> None:
    async def ask() -> kibitz.Pool:
        async with kibitz.Pool("othello", engines=1) as pool:
            assert (await pool.aanalyze(kibitz.othello.Position(), simulations=50)).simulations == 50
        return pool

    with pytest.raises(BadRequest, match="closed"):
        asyncio.run(ask()).analyze(kibitz.othello.Position())
