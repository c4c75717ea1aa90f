"""Who gets the engines: games with clocks first, then all clients alike."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from fastapi.testclient import TestClient

from kibitz.server.app import create_app
from kibitz.server.settings import Settings
from tests.server.players import Player, open_room
from tests.server.sockets import connect


@pytest.fixture
def small() -> Iterator[TestClient]:
    """A server with two engines."""
    settings = Settings(database="sqlite://", engines=2, cores=1)
    with TestClient(create_app(settings), base_url="http://127.0.0.1:8000") as client:
        yield client
        Player.close_all()


def test_analyses_do_not_take_the_time_of_a_rooms_engine(small: TestClient) -> None:
    request = {"position": {"game": "othello"}, "budget": {"seconds": 600}}
    pool = small.app.state.pool  # type: ignore[attr-defined]
    with ExitStack() as sockets:
        for _ in range(3):
            socket = sockets.enter_context(connect(small))
            for name in range(8):
                socket.send_text(json.dumps({"type": "start", "id": str(name), "request": request}))
        until = time.monotonic() + 30
        while pool.waiting < 22 and time.monotonic() < until:
            time.sleep(0.01)
        assert (pool.running, pool.waiting) == (2, 22)
        room = open_room(small, "othello", clock={"seconds": 20}, engines={"white": "casual"})
        player = Player.at(small, room)
        player.sit("black")
        for _ in range(3):
            player.until(lambda state: state["mover"] != "white")
            assert player.state["phase"] == "playing", player.state["ending"]
            player.play(player.state["board"]["legalMoves"][0])
        over = player.until(lambda state: state["mover"] != "white")
        assert over["phase"] == "playing", over["ending"]
        assert over["clocks"]["white"] > 5
