"""A look at a search that runs costs the event loop no turn of the interpreter's lock."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator

import pytest

import kibitz
from kibitz.engine import Engine

#: Long enough that a few turns cannot be taken for the looks themselves.
TURN = 0.05
LOOKS = 40


@pytest.fixture
def slow_turns() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(TURN)
    yield
    sys.setswitchinterval(before)


@pytest.mark.parametrize(("game", "preset"), [("uttt", "uct"), ("chess", "default"), ("junqi", "default")])
def test_a_look_does_not_wait_for_other_threads(game: str, preset: str, slow_turns: None) -> None:
    done = threading.Event()

    def busy() -> None:
        while not done.is_set():
            pass

    with Engine(game, preset, threads=1) as engine:
        position = kibitz.games.registry.get(game).position()
        job = engine.new_job(kibitz.request.make_request(position, unlimited=True), None)
        step = next(steps := job.steps())
        step.call()  # starts the search
        pause = steps.send(None)
        other = threading.Thread(target=busy, daemon=True)
        other.start()
        try:
            begun = time.perf_counter()
            ended = [pause.wait(0) for _ in range(LOOKS)]
            seconds = time.perf_counter() - begun
        finally:
            done.set()
            other.join()
            job.end()
    assert not any(ended)
    assert seconds < LOOKS * TURN / 2  # with the lock given up each look takes a turn of the busy thread
