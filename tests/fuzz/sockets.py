"""Messages on the server's WebSockets, in this process: whatever is sent is answered or ends the connection,
and nothing is logged that nobody foresaw.

An input is lines, a message each. The first letter chooses the game of the room.
"""

from __future__ import annotations

import json
import logging
from typing import Any

__all__ = ["AnalysisSocket", "RoomSocket"]

_GAMES = ("othello", "chess", "go", "uttt", "junqi")
#: Ends an input: refused, with an answer of its own, after everything before it.
_LAST = {"type": "nothing", "id": "last"}
_TOKEN = "fuzzed-secret-of-a-seat-00"


class _Unforeseen(logging.Handler):
    """Keeps what is logged with a traceback."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.found: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info:
            self.found.append(record)


class _Server:
    """An app in this process; messages and rooms have no quotas."""

    def __init__(self) -> None:
        from fastapi.testclient import TestClient

        from kibitz.server.app import create_app
        from kibitz.server.settings import Limits, Settings

        endless: dict[str, Any] = {
            "room_rate": 1e9,
            "room_burst": 10**9,
            "new_rooms": 1e9,
            "new_rooms_burst": 10**9,
        }
        limits = Limits(rate=1e9, burst=10**9, analysis_seconds=0.05, **endless)
        settings = Settings(database="sqlite://", limits=limits, cores=1)
        self.client = TestClient(create_app(settings), base_url="http://127.0.0.1:8000")
        self.client.__enter__()
        self._log = _Unforeseen()
        logging.getLogger("kibitz").addHandler(self._log)

    def talk(self, path: str, lines: list[str]) -> None:
        """Sends the lines, and reads until the last one is answered."""
        from starlette.websockets import WebSocketDisconnect

        headers = {"Host": "127.0.0.1:8000"}
        try:
            with self.client.websocket_connect(path, headers=headers) as socket:
                for line in lines:
                    socket.send_text(line)
                socket.send_text(json.dumps(_LAST))
                while not _is_last(answer := socket.receive_json()):
                    if "an error of the server" in str(answer.get("error", "")):
                        raise AssertionError(answer["error"])
        except WebSocketDisconnect:
            pass
        found, self._log.found = self._log.found, []
        if found:
            raise AssertionError(found[0].getMessage()) from found[0].exc_info[1]  # type: ignore[index]

    def close(self) -> None:
        logging.getLogger("kibitz").removeHandler(self._log)
        self.client.__exit__(None, None, None)


def _is_last(answer: dict[str, Any]) -> bool:
    refused = answer["type"] == "error"
    return refused and (answer.get("id") == "last" or "'nothing'" in answer["error"])


def _lines(data: bytes) -> list[str]:
    """Messages; text that is no UTF-8 is what a client of ours cannot send."""
    return data.decode("utf-8", "replace").split("\n")[:40]


class RoomSocket(_Server):
    """Somebody at a seat of a room that has an engine."""

    def __call__(self, data: bytes) -> None:
        game = _GAMES[data[0] % len(_GAMES) if data else 0]
        more = {"players": 2} if game == "junqi" else {}
        made = self.client.post("/api/rooms", json={"new": {"game": game, **more}})
        room = made.json()["id"]
        sit = {"type": "sit", "name": "me", "token": _TOKEN}
        seats = [{**sit, "seat": seat} for seat in ("S", "x", "black")]
        join = {"type": "join", "token": _TOKEN}
        self.talk(f"/api/rooms/{room}", [json.dumps(one) for one in (join, *seats)] + _lines(data[1:]))


class AnalysisSocket(_Server):
    """Analyses and reviews; those of the usual names are stopped."""

    def __call__(self, data: bytes) -> None:
        stops = [json.dumps({"type": "stop", "id": name}) for name in ("a", "b", "r")]
        self.talk("/api/analyses", [*_lines(data), *stops])
