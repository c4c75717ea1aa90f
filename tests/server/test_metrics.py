"""Figures for Prometheus."""

from __future__ import annotations

import re
import socket

import httpx2 as httpx
from fastapi.testclient import TestClient

from kibitz.server.app import create_app
from kibitz.server.metrics import Metrics
from kibitz.server.settings import Settings
from tests.server.players import Player, open_room

SAMPLE = re.compile(r'[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? (NaN|nan|[-+0-9.e]+)')


def samples(text: str) -> dict[str, float]:
    """The lines of the text format; each is a comment or a sample."""
    found = {}
    for line in text.splitlines():
        if not line.startswith("#"):
            assert SAMPLE.fullmatch(line), line
            name, _, value = line.rpartition(" ")
            found[name] = float(value)
    return found


def test_histogram_counts_what_is_below_each_end() -> None:
    metrics = Metrics()
    for seconds in (0.001, 0.005, 0.02, 99):
        metrics.note_request("GET", 200, seconds)
    metrics.note_request("MERGE\n", 405, 0.3)
    found = samples(metrics.text())
    assert found['kibitz_requests_total{method="GET",status="200"}'] == 4
    assert found['kibitz_requests_total{method="other",status="405"}'] == 1
    ends = {
        end: found[f'kibitz_request_seconds_bucket{{le="{end}"}}']
        for end in ("0.005", "0.025", "10.0", "+Inf")
    }
    assert ends == {"0.005": 2, "0.025": 3, "10.0": 4, "+Inf": 5}
    assert found["kibitz_request_seconds_count"] == 5
    assert abs(found["kibitz_request_seconds_sum"] - 99.326) < 1e-6


def test_port_of_its_own() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    settings = Settings(database="sqlite://", metrics_port=port)
    with TestClient(create_app(settings), base_url="http://127.0.0.1:8000") as client:
        assert client.get("/metrics").status_code == 404  # not where strangers are
        client.post("/api/new", json={"game": "ludo"})
        player = Player.at(client, open_room(client, "othello"))
        answer = httpx.get(f"http://127.0.0.1:{port}/metrics")
        found = samples(answer.text)
        player.close()
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    assert found['kibitz_requests_total{method="POST",status="422"}'] == 1
    assert (found["kibitz_rooms"], found["kibitz_room_clients"], found["kibitz_websockets"]) == (1, 1, 1)
    assert found["kibitz_searches_running"] == found["kibitz_problems"] == 0
    assert found["process_open_fds"] > 0
