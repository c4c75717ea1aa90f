"""Rooms after the game and beside it: rematch, talk, rooms that want to be found."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient

from kibitz.server.app import create_app
from kibitz.server.settings import Settings
from tests.server.players import Player, open_room, sat_down


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with TestClient(create_app(Settings(database="sqlite://")), base_url="http://127.0.0.1:8000") as client:
        yield client


@pytest.fixture(autouse=True)
def everybody_leaves() -> Iterator[None]:
    yield
    Player.close_all()


def test_rematch_changes_seats(client: TestClient) -> None:
    players = sat_down(client, open_room(client, "othello", clock={"seconds": 60}), ("black", "white"))
    black, white = players["black"], players["white"]
    assert black.error("rematch")  # not yet
    black.say("resign")
    for one in players.values():
        one.until(lambda state: state["phase"] == "over")
    black.say("rematch")
    white.until(lambda state: state["rematch"] == ["black"])
    assert white.state["next"] == ""
    white.say("rematch")
    name = black.until(lambda state: state["next"])["next"]
    assert white.error("rematch")
    again = Player.at(client, name, black.token)
    assert again.state["you"] == "white"
    assert again.state["phase"] == "playing"
    assert set(again.state["clocks"]) == {"black", "white"}
    assert Player.at(client, name, white.token).state["you"] == "black"
    assert Player.at(client, name).state["you"] is None


def test_rematch_with_the_engine(client: TestClient) -> None:
    room = open_room(client, "uttt", engines={"o": "beginner"})
    player = Player.at(client, room)
    player.sit("x", "me")
    player.until(lambda state: state["phase"] == "playing")
    player.say("resign")
    player.until(lambda state: state["phase"] == "over")
    player.say("rematch")
    name = player.until(lambda state: state["next"])["next"]
    again = Player.at(client, name, player.token)
    assert again.state["you"] == "o"
    assert again.state["seats"][0]["level"] == "beginner"


def test_talk(client: TestClient) -> None:
    players = sat_down(client, open_room(client, "othello"), ("black", "white"))
    black, white = players["black"], players["white"]
    black.say("say", text="good \n luck\u202e!")
    white.until(lambda state: state["talk"])
    assert white.state["talk"] == [{"seat": "black", "name": "player black", "text": "good luck!"}]
    watcher = Player.at(client, black.state["room"])
    assert watcher.state["talk"] == white.state["talk"]
    assert watcher.error("say", text="hello")
    assert "text" in black.error("say", text="x" * 201)
    assert black.error("say", text="\u202e")


def test_rooms_that_want_to_be_found(client: TestClient) -> None:
    hidden = Player.at(client, open_room(client, "othello"))
    hidden.sit("black", "nobody")
    name = open_room(client, "go", size=9, listed=True, clock={"seconds": 300})
    found = lambda: [row for row in client.get("/api/rooms").json() if row["id"] == name]  # noqa: E731
    assert found() == []  # nobody waits there yet
    host = Player.at(client, name)
    host.sit("black", "host")
    [row] = found()
    assert row["game"] == "go"
    assert row["seats"][0] == {"seat": "black", "name": "host", "level": ""}
    assert row["clock"]["seconds"] == 300
    assert hidden.state["room"] not in [row["id"] for row in client.get("/api/rooms").json()]
    guest = Player.at(client, name)
    guest.sit("white", "guest")
    assert found() == []  # it has begun
