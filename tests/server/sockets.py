"""WebSockets of the test client, which by themselves name another host than the client does."""

from __future__ import annotations

from typing import Any

from fastapi.testclient import TestClient

__all__ = ["connect"]


def connect(client: TestClient, path: str = "/api/analyses", **headers: str) -> Any:
    return client.websocket_connect(path, headers={"Host": client.base_url.netloc.decode(), **headers})
