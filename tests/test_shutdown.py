"""The interpreter exits while something still searches or solves on a daemon thread."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from dataclasses import replace
from typing import Any

import pytest

import kibitz

BEGIN = """
import threading, time
import numpy as np
import kibitz
from kibitz.games import registry

def work():
    {work}

threading.Thread(target=work, daemon=True).start()
time.sleep(0.4)
print("exiting", flush=True)
"""

SEARCH = """
    engine = kibitz.Engine({game!r})
    for report in engine.stream(kibitz.{game}.Position(), every={every}, unlimited=True):
        {then}
"""

NETWORK = """
    def network(planes, _):
        n = len(planes)
        return np.zeros((n, 1858), np.float32), np.tile(np.array([[0.3, 0.4, 0.3, 0]], np.float32), (n, 1))
    engine = kibitz.Engine("chess", "lc0", network=network, threads=2)
    engine.analyze(kibitz.chess.Position(), unlimited=True)
"""

AGAIN = """
    engine = kibitz.Engine("chess")
    while True:
        engine.analyze(kibitz.chess.Position(), simulations=50)
"""

AWAITED = """
    import asyncio
    asyncio.run(kibitz.aanalyze(kibitz.chess.Position(), unlimited=True))
"""

AWAITED_SOLVER = """
    import asyncio
    asyncio.run(kibitz.aanalyze(kibitz.othello.Position(), options={"solve_root": 60}))
"""

SOLVE = """
    kibitz.othello.solve(kibitz.othello.Position())
"""


def run_and_exit(work: str) -> subprocess.CompletedProcess[str]:
    code = BEGIN.format(work=work.strip())
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False
    )


def assert_clean_exit(work: str) -> None:
    done = run_and_exit(work)
    assert (done.returncode, done.stdout, done.stderr) == (0, "exiting\n", "")


@pytest.mark.parametrize("game", ["chess", "go", "junqi", "othello", "uttt"])
def test_exit_while_a_search_runs(game: str) -> None:
    assert_clean_exit(SEARCH.format(game=game, every=0.05, then="pass"))


def test_exit_while_a_search_runs_and_its_reader_sleeps() -> None:
    assert_clean_exit(SEARCH.format(game="chess", every=0.05, then="time.sleep(60)"))


def test_exit_while_python_network_runs() -> None:
    assert_clean_exit(NETWORK)


def test_exit_while_searches_follow_each_other() -> None:
    assert_clean_exit(AGAIN)


def test_exit_while_a_solver_runs() -> None:
    assert_clean_exit(SOLVE)


@pytest.mark.parametrize("work", [AWAITED, AWAITED_SOLVER], ids=["search", "solver"])
def test_exit_while_a_request_is_awaited(work: str) -> None:
    assert_clean_exit(work)


class WatchedSearch:
    """A native search that writes down which of its waits the exit handler could not have stopped."""

    def __init__(self, engine: kibitz.Engine, search: Any, outside: list[str]) -> None:
        self._engine, self._search, self._outside = engine, search, outside

    def __getattr__(self, name: str) -> Any:
        if name in ("start", "wait") and not self._engine.slot.work._lock._is_owned():
            self._outside.append(name)
        return getattr(self._search, name)


@pytest.mark.parametrize("awaited", [False, True])
def test_every_wait_for_a_search_holds_the_lock_of_the_exit(awaited: bool) -> None:
    position, outside = kibitz.chess.Position(), list[str]()
    with kibitz.Engine("chess") as engine:
        search = engine.info.searches.tree
        searches = replace(
            engine.info.searches, tree=lambda *given: WatchedSearch(engine, search(*given), outside)
        )
        engine.info = replace(engine.info, searches=searches)
        if awaited:
            asyncio.run(engine.aanalyze(position, simulations=20))
        else:
            engine.analyze(position, simulations=20)
    assert outside == []
