"""Installed networks: the list, and analyses with one of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from kibitz.nets import store
from kibitz.server.app import create_app
from kibitz.server.settings import Settings
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
