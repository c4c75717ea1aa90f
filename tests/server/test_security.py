"""Who is let in, and what browsers are told."""

from __future__ import annotations

from dataclasses import replace

import pytest
from fastapi.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from kibitz.errors import BadOption
from kibitz.server.app import create_app
from kibitz.server.page_files import PAGE
from kibitz.server.settings import Limits, Settings
from tests.server.sockets import connect

ADDRESS = "http://127.0.0.1:8000"
TOKEN = "a-secret-of-mine"


def client_of(settings: Settings, address: str = ADDRESS) -> TestClient:
    return TestClient(create_app(replace(settings, database="sqlite://")), base_url=address)


def test_headers_allow_nothing_from_elsewhere(client: TestClient) -> None:
    headers = client.get("/").headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"


def test_page_names_no_other_site() -> None:
    for path in PAGE.rglob("*"):
        if path.suffix in {".html", ".js", ".css", ".json"}:
            text = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
            assert "http://" not in text, path.name
            assert "https://" not in text, path.name


def test_page_is_small() -> None:
    assert sum(path.stat().st_size for path in PAGE.rglob("*") if path.is_file()) < 300_000


def test_other_hosts_need_a_token() -> None:
    with pytest.raises(BadOption, match="needs --token"):
        Settings(host="0.0.0.0")
    assert Settings(host="0.0.0.0", token=TOKEN).token == TOKEN


def test_token_is_asked_for_everywhere() -> None:
    with client_of(Settings(host="0.0.0.0", token=TOKEN), "http://192.168.1.5:8000") as client:
        for path in ("/", "/main.js", "/api/games", "/docs", "/openapi.json"):
            assert client.get(path).status_code == 401
        with pytest.raises(WebSocketDisconnect), connect(client):
            pass
        assert client.get("/?token=wrong-wrong").status_code == 401
        bearer = {"Authorization": f"Bearer {TOKEN}"}
        assert client.get("/api/games", headers=bearer).status_code == 200
        landed = client.get(f"/?token={TOKEN}&game=chess")
        assert landed.status_code == 200
        assert landed.url.query == b"game=chess"  # the token stays out of the address bar
        assert client.get("/api/games").status_code == 200  # by the cookie
        with connect(client, Cookie=f"kibitz_token={TOKEN}") as socket:
            socket.close()


def test_requests_from_other_sites_are_refused(client: TestClient) -> None:
    body = {"game": "othello"}
    for headers in ({"Origin": "http://evil.example"}, {"Sec-Fetch-Site": "cross-site"}):
        assert client.post("/api/new", json=body, headers=headers).status_code == 403
    assert client.post("/api/new", json=body, headers={"Origin": ADDRESS}).status_code == 200
    refused = {"Origin": "http://evil.example"}
    with pytest.raises(WebSocketDisconnect), connect(client, **refused):
        pass


def test_rebound_names_are_refused(client: TestClient) -> None:
    assert client.get("/api/games", headers={"Host": "evil.example:8000"}).status_code == 400
    assert client.get("/api/games", headers={"Host": "localhost:8000"}).status_code == 200


def test_rate_and_size_are_limited() -> None:
    limits = Limits(rate=0.001, burst=3, body=1000)
    with client_of(Settings(limits=limits)) as client:
        large = {"record": {"game": "othello", "start": "x" * 2000}}
        assert client.post("/api/position", json=large).status_code == 413

        def slowly() -> object:
            yield b'{"record": {"game": "othello", "start": "'
            yield b"x" * 2000

        assert client.post("/api/position", content=slowly()).status_code == 413  # without a length
        assert [client.get("/api/games").status_code for _ in range(2)] == [200, 429]


def test_connections_are_limited() -> None:
    with client_of(Settings(limits=Limits(connections=1))) as client:
        first = connect(client)
        with first, pytest.raises(WebSocketDisconnect), connect(client):
            pass
        with connect(client):
            pass
