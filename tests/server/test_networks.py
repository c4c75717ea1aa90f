"""Installed networks: the list, analyses with one of them, and public ones that are fetched."""

from __future__ import annotations

import gzip
import threading
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from kibitz.games import bundled
from kibitz.nets import store
from kibitz.nets.files import BadNetwork
from kibitz.server.app import create_app
from kibitz.server.settings import Settings
from tests.nets.katago_writer import katago_file
from tests.nets.lc0_writer import Lc0Writer
from tests.server.conftest import ADDRESS
from tests.server.sockets import connect


@pytest.fixture
def with_networks(own_folders: None, tmp_path: Path) -> Iterator[TestClient]:
    store.nets_folder().mkdir(parents=True)
    (store.nets_folder() / "mine.pb").write_bytes(Lc0Writer().file())
    (store.nets_folder() / "broken.knet").write_bytes(b"no network")
    (store.nets_folder() / "empty.knet").write_bytes(b"")
    with TestClient(
        create_app(Settings(database=f"sqlite:///{tmp_path / 'x.db'}")), base_url=ADDRESS
    ) as made:
        yield made


def test_list_says_what_is_there(with_networks: TestClient) -> None:
    rows = {row["name"]: row for row in with_networks.get("/api/networks").json()}
    assert (rows["mine.pb"]["game"], rows["mine.pb"]["bundled"]) == ("chess", False)
    assert rows["mine.pb"]["channels"] > 0
    assert len(rows["mine.pb"]["sha256"]) == 64
    assert rows["broken.knet"]["error"].startswith("text that is no network; expected")
    assert rows["broken.knet"]["code"] == "error.plainNetwork"
    assert (rows["empty.knet"]["error"], rows["empty.knet"]["code"]) == (
        "the file is empty",
        "reason.networkEmpty",
    )
    assert str(store.nets_folder()) not in str(rows)


def test_analysis_with_a_network(with_networks: TestClient) -> None:
    request = {"position": {"game": "chess"}, "budget": {"visits": 20}, "treeDepth": 2}
    with connect(with_networks) as socket:
        start = {"type": "start", "id": "a", "request": request, "network": "mine.pb"}
        socket.send_json(start)
        message = socket.receive_json()
        while message["type"] == "report" and not message["report"]["final"]:
            message = socket.receive_json()
        assert message["report"]["policy"]
        assert message["report"]["tree"][0]["visits"] >= 1
        assert socket.receive_json() == {"type": "end", "id": "a"}
        for name in ("../../etc/passwd", "none.knet", 7):
            socket.send_json({**start, "network": name})
            assert socket.receive_json()["type"] == "error"


def chosen(games: TestClient) -> str:
    """The network of the server's engines for Go."""
    with connect(games) as socket:
        request = {"position": {"game": "go", "size": 9}, "budget": {"visits": 2}}
        socket.send_json({"type": "start", "id": "a", "request": request})
        message = socket.receive_json()
        while not message["report"]["final"]:
            message = socket.receive_json()
        assert socket.receive_json() == {"type": "end", "id": "a"}
    name: str = message["report"]["engine"]
    return name


def test_a_public_network_is_fetched_and_used_without_a_restart(
    with_networks: TestClient, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    wheel, go_on = tmp_path / "katrain-1.whl", threading.Event()
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("katrain/models/strong.bin.gz", gzip.compress(katago_file(8)))

    def download(package: str, folder: str, received: Callable[[int], None]) -> None:
        received(52_000_000)
        assert go_on.wait(60)
        (Path(folder) / wheel.name).write_bytes(wheel.read_bytes())

    monkeypatch.setattr(store, "_download", download)
    assert "kibitz-go" in chosen(with_networks)
    (offered,) = with_networks.get("/api/networks/public").json()
    assert (offered["game"], offered["state"]) == ("go", "offered")
    assert offered["source"].startswith("katrain==")
    assert offered["megabytes"] > 50
    started = with_networks.post("/api/networks/public/go").json()
    assert started["state"] == "fetching"
    assert wait_for(lambda: with_networks.get("/api/networks/public").json()[0]["received"]) == 52
    assert with_networks.post("/api/networks/public/go").json()["state"] == "fetching"  # not begun twice
    go_on.set()
    used = wait_for(
        lambda: (row := with_networks.get("/api/networks/public").json()[0])["state"] == "used" and row
    )
    assert used["name"] == "strong.bin.gz"
    assert "kibitz-go" not in chosen(with_networks)
    bundled.choose("go", None)
    assert with_networks.get("/api/networks/public").json()[0]["state"] == "offered"


def test_a_fetch_that_fails_says_why(with_networks: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def download(package: str, folder: str, received: Callable[[int], None]) -> None:
        raise BadNetwork(f"pip could not download {package}: no connection")

    monkeypatch.setattr(store, "_download", download)
    with_networks.post("/api/networks/public/go")
    row = wait_for(
        lambda: (row := with_networks.get("/api/networks/public").json()[0])["state"] == "failed" and row
    )
    assert row["error"].endswith("no connection")
    for game in ("chess", "nothing"):
        assert with_networks.post(f"/api/networks/public/{game}").status_code == 404


def test_only_a_server_of_ones_own_fetches(own_folders: None) -> None:
    for settings in (
        Settings(host="0.0.0.0", token="a-secret-of-ours", database="sqlite://"),
        Settings(proxies=("127.0.0.1",), database="sqlite://"),
    ):
        with TestClient(create_app(settings), base_url=ADDRESS) as server:
            server.headers["Authorization"] = "Bearer a-secret-of-ours"
            assert server.get("/api/networks/public").json() == []
            assert server.post("/api/networks/public/go").status_code == 403


def wait_for(ready: Callable[[], Any]) -> Any:
    """What `ready` gives once it is something."""
    until = time.monotonic() + 60
    while not (value := ready()):
        assert time.monotonic() < until
        time.sleep(0.02)
    return value
