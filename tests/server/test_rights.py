"""Who may do what: every row of the tables in SECURITY.md is tried as everybody."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from fastapi.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from kibitz.server.app import create_app
from kibitz.server.rooms.messages import Message
from kibitz.server.settings import Limits, Settings
from tests.paths import ROOT
from tests.server.players import Player, open_room
from tests.server.run_logs import write_match, write_training
from tests.server.saved_games import new_game
from tests.server.sockets import connect
from tests.server.test_deck import MISTAKE

TOKEN = "a-secret-of-the-server"
ADDRESS = "http://192.168.1.5:8000"
#: Answers that say: not you, or not with what you know.
REFUSED = (401, 403, 404)


def rows(first: str) -> list[tuple[str, dict[str, bool]]]:
    """A table of SECURITY.md whose first column is so called: what, and who may."""
    lines = (ROOT / "SECURITY.md").read_text(encoding="utf-8").splitlines()
    begin = next(number for number, line in enumerate(lines) if line.startswith(f"| {first}"))
    roles = [cell.strip() for cell in lines[begin].split("|")[2:-1]]
    found = []
    for line in lines[begin + 2 :]:
        if not line.startswith("|"):
            break
        what, *cells = (cell.strip() for cell in line.split("|")[1:-1])
        name = re.match(r"`([^`]+)`", what)
        assert name, line
        assert set(cells) <= {"yes", "no"}, line
        found.append((name[1], dict(zip(roles, (cell == "yes" for cell in cells), strict=True))))
    return found


REQUESTS, MESSAGES = rows("request"), rows("message to a room")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder: Path = tmp_path_factory.mktemp("runs")
    write_match(folder / "m.jsonl", 4)
    write_training(folder / "t", 100)
    return folder


@pytest.fixture(scope="module")
def host(folder: Path) -> Iterator[TestClient]:
    """A server that asks for a token; the client has it."""
    limits = Limits(new_rooms_burst=1000, burst=10_000)
    settings = Settings(host="0.0.0.0", token=TOKEN, database="sqlite://", limits=limits, runs=folder)
    with TestClient(create_app(settings), base_url=ADDRESS) as client:
        client.headers["Authorization"] = f"Bearer {TOKEN}"
        yield client


def browser(host: TestClient, let_in: bool = True) -> TestClient:
    """Another browser."""
    other = TestClient(host.app, base_url=ADDRESS, follow_redirects=False)
    other.portal = host.portal
    if let_in:
        other.headers["Authorization"] = f"Bearer {TOKEN}"
    return other


# -- requests ----------------------------------------------------------------------------------------


def test_every_path_is_in_the_table(host: TestClient) -> None:
    described = host.get("/openapi.json").json()["paths"]
    paths = {f"{method.upper()} {path}" for path, methods in described.items() for method in methods}
    own = {"GET /", "GET /g/{game_id}", "GET /docs", "GET /openapi.json", "WebSocket /api/analyses"}
    assert {what for what, _ in REQUESTS} == paths | own


def test_every_message_is_in_the_table() -> None:
    kinds = {kind for one in get_args(Message) for kind in get_args(one.model_fields["type"].annotation)}
    assert {what for what, _ in MESSAGES} == kinds | {"engine away"}


def may(client: TestClient, method: str, path: str) -> bool:
    if method == "WebSocket":
        try:
            with connect(client, path) as socket:
                socket.send_text("?")
                return bool(socket.receive_json()["type"] == "error")
        except WebSocketDisconnect:
            return False
    body = (
        new_game("e2e4")
        if path.endswith("saved")
        else {"new": {"game": "othello"}}
        if path.endswith("rooms")
        else {"good": True}
        if "/deck/" in path
        else {}
    )
    answer = client.request(method, path, **({"json": body} if method in ("POST", "PATCH") else {}))
    assert answer.status_code < 500
    return answer.status_code not in REFUSED


@pytest.mark.parametrize(
    ("what", "role", "allowed"),
    [(what, role, allowed) for what, roles in REQUESTS for role, allowed in roles.items()],
)
def test_request(host: TestClient, what: str, role: str, allowed: bool) -> None:
    method, _, path = what.partition(" ")
    owner = browser(host)
    game = new_game("e2e4")
    assert owner.post("/api/saved", json=game).status_code == 201
    client = owner if role == "owner" else browser(host, let_in=role != "outsider")
    run = "t" if "training" in path else "m.jsonl"
    known = "nothing-of-this-name" if role == "stranger" else game["id"]
    room = "nothing-of-this-name" if role == "stranger" else open_room(host, "othello")
    card = ""
    if "{card_id}" in path:
        card = owner.post("/api/deck", json={"mistakes": [MISTAKE]}).json()["cards"][0]["id"]
    link = owner.post("/api/account").json()["link"].rpartition("/")[2] if "{token}" in path else ""
    names = {"name": run, "game_id": known, "room_id": room, "card_id": card, "game": "go"}
    names["token"] = "nothing-of-this-name" if role == "stranger" else link
    assert may(client, method, path.format(**names)) == allowed
    listed = [row["id"] for row in browser(host).get("/api/saved").json()]
    assert listed == []  # whatever was done, another's list is empty


# -- rooms -------------------------------------------------------------------------------------------


def text_of(kind: str, white: str) -> dict[str, Any]:
    """A message that a seat may send; `white` is the other seat."""
    more: dict[str, dict[str, Any]] = {
        "sit": {"seat": white, "name": "me", "token": "t" * 30},
        "engine": {"seat": white, "level": "beginner"},
        "engine away": {"seat": white, "level": ""},
        "layout": {"layout": "lance"},
        "move": {"move": "d3"},
        "mark": {"place": "C3"},
        "say": {"text": "hello"},
        "agree": {"move": "count"},
    }
    return {"type": kind.partition(" ")[0], **more.get(kind, {})}


def prepared(host: TestClient, kind: str) -> tuple[str, str, str]:
    """A room in which the first seat may send such a message: its name, the seat's secret, the other seat."""
    counted = kind in ("mark", "agree", "resume")
    game = "junqi" if kind in ("layout", "ready", "engine away") else "go" if counted else "othello"
    seats = ("S", "N") if game == "junqi" else ("black", "white")
    engines = {seats[1]: "beginner"} if kind == "engine away" else {}
    chosen: dict[str, dict[str, Any]] = {"junqi": {"players": 2}, "go": {"size": 5}}
    room = open_room(host, game, engines=engines, **chosen.get(game, {}))
    first = Player.at(host, room)
    first.sit(seats[0])
    for seat in engines:  # an engine's own set-up is not the answer to the message
        first.until(
            lambda state, seat=seat: any(one["seat"] == seat and one["ready"] for one in state["seats"])
        )
    if kind == "ready":
        first.say("layout", layout="lance")
        first.until(lambda state: state["layout"])
    if kind in ("move", "resign", "draw", "undo", "accept", "decline", "rematch"):
        second = Player.at(host, room)
        second.sit(seats[1])
        first.until(lambda state: state["phase"] == "playing")
        if kind == "undo":
            first.play("d3")
        if kind == "rematch":
            second.say("resign")
            first.until(lambda state: state["phase"] == "over")
        if kind in ("accept", "decline"):
            second.say("draw")
            first.until(lambda state: state["offer"])
    if counted:
        players = {seats[0]: first, seats[1]: Player.at(host, room)}
        players[seats[1]].sit(seats[1])
        first.until(lambda state: state["phase"] == "playing")
        for move in ("C3", "pass", "pass"):
            mover = players[first.state["mover"]]
            mover.play(move)
            for one in players.values():
                one.wait_for(mover.state["number"])
        first.until(lambda state: state["count"])
    Player.close_all()
    return room, first.token, seats[1]


def may_say(client: TestClient, room: str, token: str, message: dict[str, Any]) -> bool:
    """Whether a message has its effect."""
    try:
        with connect(client, f"/api/rooms/{room}") as socket:
            socket.send_text(json.dumps({"type": "join", **({"token": token} if token else {})}))
            number = socket.receive_json()["number"]
            if message["type"] == "join":
                return True
            socket.send_text(json.dumps(message))
            while (told := socket.receive_json())["type"] == "room":
                if told["number"] > number or message["type"] == "look":
                    return True
            return False
    except WebSocketDisconnect:
        return False


@pytest.mark.parametrize(
    ("kind", "role", "allowed"),
    [(kind, role, allowed) for kind, roles in MESSAGES for role, allowed in roles.items()],
)
def test_message(host: TestClient, kind: str, role: str, allowed: bool) -> None:
    room, secret, other = prepared(host, kind)
    client = browser(host, let_in=role != "outsider")
    name = "nothing-of-this-name" if role == "stranger" else room
    # The secret is good for nothing without the server's token or the room's name.
    token = "" if role == "link" else secret
    assert may_say(client, name, token, text_of(kind, other)) == allowed


@pytest.mark.parametrize("kind", ["sit", "engine", "engine away"])
def test_nobody_is_put_out_of_a_seat(host: TestClient, kind: str) -> None:
    room, secret, other = prepared(host, "layout")
    guest = Player.at(host, room)
    guest.sit(other, "guest")
    guest.close()
    assert not may_say(browser(host), room, secret, text_of(kind, other))
    assert Player.at(host, room, guest.token).state["you"] == other
    Player.close_all()


def test_number_of_cases() -> None:
    cases = sum(len(roles) for _, roles in (*REQUESTS, *MESSAGES))
    print(f"{len(REQUESTS)} requests and {len(MESSAGES)} messages, {cases} cases")
    assert cases == 4 * (len(REQUESTS) + len(MESSAGES))
