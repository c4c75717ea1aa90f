"""Who is let in, and what browsers are told."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import httpx2 as httpx
import pytest
from fastapi.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from kibitz.errors import BadOption
from kibitz.server.app import create_app
from kibitz.server.page_files import PAGE
from kibitz.server.settings import Limits, Settings
from tests.server.sockets import connect
from tests.server.test_connections import running

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
    assert sum(path.stat().st_size for path in PAGE.rglob("*") if path.is_file()) < 500_000


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
        assert client.get("/health").json() == {"status": "ok", "problems": []}
        assert client.get("/ready").status_code == 200
        bearer = {"Authorization": f"Bearer {TOKEN}"}
        assert client.get("/api/games", headers=bearer).status_code == 200
        landed = client.get(f"/?token={TOKEN}&game=chess")
        assert landed.status_code == 200
        assert landed.url.query == b"game=chess"  # the token stays out of the address bar
        assert client.get("/api/games").status_code == 200  # by the cookie
        with connect(client, Cookie=f"kibitz_token={TOKEN}") as socket:
            socket.close()


@pytest.mark.parametrize(
    "path",
    ["//evil.example/x", "///evil.example", "/%2Fevil.example", "/%5Cevil.example", "/\\\\evil.example"],
)
def test_token_is_never_sent_to_another_host(path: str) -> None:
    with client_of(Settings(host="0.0.0.0", token=TOKEN), "http://192.168.1.5:8000") as client:
        answer = client.get(f"http://192.168.1.5:8000{path}?token={TOKEN}", follow_redirects=False)
        landed = httpx.URL("http://192.168.1.5:8000/").join(answer.headers["location"])
        assert (landed.host, landed.port) == ("192.168.1.5", 8000)
        assert not answer.headers["location"].startswith(("//", "/\\"))
        assert TOKEN not in answer.headers["location"]


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


@pytest.mark.parametrize(("proxies", "statuses"), [((), [201, 201, 429]), (("127.0.0.1",), [201] * 3)])
def test_forwarded_addresses_are_believed_of_named_proxies_only(
    proxies: tuple[str, ...], statuses: list[int], tmp_path: Path
) -> None:
    limits = Limits(new_rooms=0.001, new_rooms_burst=2)
    settings = Settings(database=f"sqlite:///{tmp_path / 'kept.db'}", limits=limits, proxies=proxies)
    with running(settings) as (_, port):
        asked = [
            httpx.post(
                f"http://127.0.0.1:{port}/api/rooms",
                json={"new": {"game": "othello"}},
                headers={"X-Forwarded-For": f"10.0.0.{number}"},
            )
            for number in range(3)
        ]
    assert [answer.status_code for answer in asked] == statuses


def test_quotas_are_of_the_secret_too() -> None:
    limits = Limits(new_rooms=0.001, new_rooms_burst=2)
    app = create_app(Settings(database="sqlite://", limits=limits))
    with TestClient(app, base_url=ADDRESS, client=("10.0.0.1", 1)) as first:
        elsewhere = TestClient(app, base_url=ADDRESS, client=("10.0.0.2", 1))
        elsewhere.portal = first.portal  # one server
        wanted = {"new": {"game": "othello"}}
        assert [first.post("/api/rooms", json=wanted).status_code for _ in range(2)] == [201, 201]
        elsewhere.cookies = first.cookies
        assert elsewhere.post("/api/rooms", json=wanted).status_code == 429
        elsewhere.cookies = {}
        assert elsewhere.post("/api/rooms", json=wanted).status_code == 201


def test_wrong_proxy_is_one_line() -> None:
    with pytest.raises(BadOption, match="--proxy"):
        Settings(proxies=("everybody",))


def test_connections_are_limited() -> None:
    with client_of(Settings(limits=Limits(connections=1))) as client:
        first = connect(client)
        with first, pytest.raises(WebSocketDisconnect), connect(client):
            pass
        with connect(client):
            pass
