"""Leaving Python while something still searches or solves on a thread that nobody waits for."""

from __future__ import annotations

import subprocess
import sys

import pytest

BEGIN = """
import threading, time
import numpy as np
import kibitz
from kibitz.games import registry

def work():
    {work}

threading.Thread(target=work, daemon=True).start()
time.sleep(0.4)
print("leaving", flush=True)
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

SOLVE = """
    kibitz.othello.solve(kibitz.othello.Position())
"""


def left(work: str) -> subprocess.CompletedProcess[str]:
    code = BEGIN.format(work=work.strip())
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False
    )


def clean(work: str) -> None:
    done = left(work)
    assert (done.returncode, done.stdout, done.stderr) == (0, "leaving\n", "")


@pytest.mark.parametrize("game", ["chess", "go", "junqi", "othello", "uttt"])
def test_a_search_goes_on(game: str) -> None:
    clean(SEARCH.format(game=game, every=0.05, then="pass"))


def test_a_search_goes_on_while_its_reader_does_something_else() -> None:
    clean(SEARCH.format(game="chess", every=0.05, then="time.sleep(60)"))


def test_a_network_of_pythons_is_asked() -> None:
    clean(NETWORK)


def test_one_search_after_the_other() -> None:
    clean(AGAIN)


def test_a_solver_works() -> None:
    clean(SOLVE)
