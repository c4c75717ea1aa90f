"""Players of rooms over WebSockets: of the test client, or of a real server."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable
from typing import Any, ClassVar

from fastapi.testclient import TestClient

from tests.server.sockets import connect

__all__ = ["Player", "open_room", "play_turns", "sat_down"]

State = dict[str, Any]


def open_room(client: Any, game: str, **more: Any) -> str:
    """A new room by any client with `post`; `clock` and `engines` are of the room, the rest of the game."""
    chosen = {name: more.pop(name) for name in ("clock", "engines", "listed") if name in more}
    made = client.post("/api/rooms", json={"new": {"game": game, **more}, **chosen})
    assert made.status_code == 201, made.text
    return str(made.json()["id"])


class Player:
    """Somebody in a room. `send` and `receive` are those of a socket; every text that came is in `heard`."""

    #: Those that are connected: a test that fails must not keep its server from ending.
    here: ClassVar[list[Player]] = []

    def __init__(self, send: Callable[[str], None], receive: Callable[[], str], token: str = "") -> None:
        self._send, self._receive = send, receive
        self.token = token or secrets.token_urlsafe(24)
        self.heard: list[str] = []
        self.state: State = {}
        self._leave: Callable[[], None] = lambda: None

    @classmethod
    def at(cls, client: TestClient, room: str, token: str = "") -> Player:
        socket = connect(client, f"/api/rooms/{room}")
        socket.__enter__()
        player = cls(socket.send_text, socket.receive_text, token)
        player._leave = lambda: socket.__exit__(None, None, None)
        cls.here.append(player)
        player.say("join", **({"token": token} if token else {}))
        player.hear()
        return player

    def close(self) -> None:
        self._leave()
        self._leave = lambda: None

    @classmethod
    def close_all(cls) -> None:
        while cls.here:
            cls.here.pop().close()

    def say(self, kind: str, **more: Any) -> None:
        self._send(json.dumps({"type": kind, **more}))

    def hear(self) -> State:
        """The next message; a state is kept."""
        text = self._receive()
        self.heard.append(text)
        message: State = json.loads(text)
        if message["type"] == "room":
            self.state = message
        return message

    def until(self, condition: Callable[[State], object]) -> State:
        """Reads until the state of the room is so."""
        while not (self.state and condition(self.state)):
            message = self.hear()
            assert message["type"] == "room", message
        return self.state

    def until_ready(self, seat: str) -> None:
        """Reads until the seat's set-up is done."""
        self.until(lambda state: any(one["seat"] == seat and one["ready"] for one in state["seats"]))

    def wait_for(self, number: int) -> None:
        """Reads until the room is as far."""
        self.until(lambda state: state["number"] >= number)

    def error(self, kind: str, **more: Any) -> str:
        """Says something that is refused; why."""
        self.say(kind, **more)
        while (message := self.hear())["type"] != "error":
            pass
        return str(message["error"])

    def sit(self, seat: str, name: str = "somebody") -> None:
        self.say("sit", seat=seat, name=name, token=self.token)
        self.until(lambda state: state["you"] == seat)

    def set_up(self, layout: str) -> None:
        self.say("layout", layout=layout)
        self.say("ready")
        seat = self.state["you"]
        self.until_ready(seat)

    def play(self, move: str) -> None:
        """A move; waits until it is told."""
        before = len(self.until(lambda state: state["board"])["board"]["line"])
        self.say("move", move=move)
        self.until(lambda state: len(state["board"]["line"]) > before)


def sat_down(
    client: TestClient, room: str, seats: str | tuple[str, ...], layout: str = "lance"
) -> dict[str, Player]:
    """People at the seats of a room, their pieces set up where there are any."""
    players = {}
    for seat in seats:
        players[seat] = Player.at(client, room)
        players[seat].sit(seat, f"player {seat}")
    for player in players.values():
        if player.state["setsUp"]:
            player.set_up(layout)
    for player in players.values():
        player.until(lambda state: state["phase"] == "playing")
    return players


def play_turns(players: dict[str, Player], turns: int, choose: Callable[[list[str]], str]) -> None:
    """Everybody plays in turn; all are told of every move."""
    some = next(iter(players.values()))
    for _ in range(turns):
        mover = some.state["mover"]
        if mover is None:
            return
        player = players[mover]
        player.play(choose(player.state["board"]["legalMoves"]))
        number = player.state["number"]
        for one in players.values():
            one.wait_for(number)
