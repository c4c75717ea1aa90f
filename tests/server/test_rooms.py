"""Rooms: seats, turns, offers, engines, clocks, and who is refused what."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from kibitz.games import registry
from kibitz.server.app import create_app
from kibitz.server.settings import Limits, Settings
from tests.server.players import Player, open_room, play_turns, sat_down
from tests.server.sockets import connect

GAMES = [(name, {}) for name in registry.names()] + [("junqi", {"players": 2}), ("go", {"size": 9})]
ADDRESS = "http://127.0.0.1:8000"


@pytest.fixture(autouse=True)
def everybody_leaves() -> Iterator[None]:
    yield
    Player.close_all()


def seats_of(client: TestClient, room: str) -> tuple[str, ...]:
    watcher = Player.at(client, room)
    watcher.close()
    return tuple(one["seat"] for one in watcher.state["seats"])


@pytest.mark.parametrize(("game", "more"), GAMES)
def test_game_is_played_and_open_only_when_it_is_over(client: TestClient, game: str, more: dict) -> None:
    room = open_room(client, game, **more)
    players = sat_down(client, room, seats_of(client, room))
    watcher = Player.at(client, room)
    chance = random.Random(1)
    play_turns(players, 9, chance.choice)
    watcher.until(lambda state: len(state["board"]["line"]) == 9)
    assert watcher.state["you"] is None
    some = next(iter(players.values()))
    other = next(one for seat, one in players.items() if seat != some.state["mover"])
    assert "cannot do that now" in other.error("move", move=some.state["board"]["line"][0])
    assert (some.state["record"] is None) == registry.get(game).position.hides
    for seat in list(players)[1 : len(players) // 2 + 1]:  # the second side gives up
        if players[seat].state["phase"] == "playing":
            players[seat].say("resign")
    if len(players) == 4:
        players["W"].say("resign")
    ended = watcher.until(lambda state: state["phase"] == "over")
    assert ended["record"]["game"] == game
    opened = client.post("/api/position", json={"record": ended["record"]})
    assert opened.status_code == 200, opened.text


def test_seats_are_kept_by_their_tokens(client: TestClient) -> None:
    room = open_room(client, "othello")
    black, other = Player.at(client, room), Player.at(client, room)
    assert black.error("move", move="d3") == "take a seat first"
    black.sit("black", " Ke \u202e Jie ")
    assert black.error("sit", seat="white", name="me too", token=other.token) == "you sit already"
    assert "taken" in other.error("sit", seat="black", name="thief", token=other.token)
    assert "no seat" in other.error("sit", seat="green", name="thief", token=other.token)
    other.until(lambda state: state["seats"][0]["taken"])
    assert other.state["seats"][0]["name"] == "Ke Jie"
    other.sit("white")
    black.play("d3")
    black.close()
    again = Player.at(client, room, black.token)
    assert again.state["you"] == "black"
    assert again.state["board"]["line"] == ["d3"]
    stranger = Player.at(client, room, "x" * 30)
    assert stranger.state["you"] is None
    assert black.token not in "".join([*again.heard, *other.heard, *stranger.heard])
    again.say("leave")
    stranger.until(lambda state: not state["seats"][0]["taken"])
    stranger.sit("black", "new")
    other.play("c3")
    stranger.until(lambda state: state["mover"] == "black")
    again.until(lambda state: state["mover"] == "black")
    assert again.state["you"] is None
    assert again.error("move", move="c4") == "take a seat first"


def test_draw_and_take_back_by_agreement(client: TestClient) -> None:
    room = open_room(client, "chess")
    players = sat_down(client, room, ("white", "black"))
    white, black = players["white"], players["black"]
    play_turns(players, 2, lambda moves: sorted(moves)[0])
    white.say("undo")
    black.until(lambda state: state["offer"] == {"kind": "undo", "seat": "white", "agreed": ["white"]})
    assert "cannot do that now" in white.error("accept")
    black.say("accept")
    white.until(lambda state: state["board"]["line"] == [])
    white.say("draw")
    black.until(lambda state: state["offer"] and state["offer"]["kind"] == "draw")
    black.say("decline")
    white.until(lambda state: state["offer"] is None and state["mover"] != "black")
    black.say("draw")
    white.until(lambda state: state["offer"] and state["offer"]["seat"] == "black")
    white.say("accept")
    black.until(lambda state: state["phase"] == "over")
    assert (black.state["result"], black.state["ending"]) == (0.5, "agreed")


@pytest.mark.parametrize(("game", "more"), GAMES)
def test_engine_takes_empty_seats(client: TestClient, game: str, more: dict) -> None:
    room = open_room(client, game, **more)
    seats = seats_of(client, room)
    person = Player.at(client, room)
    person.sit(seats[0])
    assert "unknown level" in person.error("engine", seat=seats[1], level="godlike")
    for seat in seats[1:]:
        person.say("engine", seat=seat, level="beginner")
    if person.state["setsUp"]:
        person.set_up("tide")
    for _ in range(2):
        person.until(lambda state: state["mover"] == seats[0])
        person.play(person.state["board"]["legalMoves"][0])
    person.until(lambda state: len(state["board"]["line"]) > len(seats))
    person.say("undo")
    person.until(lambda state: state["offer"] is None and state["mover"] == seats[0])
    person.say("resign")


def test_engine_sits_from_the_start_and_can_be_sent_away(client: TestClient) -> None:
    room = open_room(client, "junqi", engines={"E": "beginner", "W": "beginner"})
    person = Player.at(client, room)
    assert [one["level"] for one in person.state["seats"]] == ["", "beginner", "", "beginner"]
    person.sit("S")
    person.say("engine", seat="E", level="")
    person.until(lambda state: not state["seats"][1]["taken"])
    assert person.error("engine", seat="E", level="") == "there is no engine in that seat"


def test_clock_runs_out(client: TestClient) -> None:
    room = open_room(client, "othello", clock={"seconds": 1, "increment": 2})
    players = sat_down(client, room, ("black", "white"))
    players["black"].play("d3")
    clocks = players["black"].state["clocks"]
    assert 2 < clocks["black"] <= 3
    ended = players["black"].until(lambda state: state["phase"] == "over")
    assert (ended["ending"], ended["result"], ended["clocks"]["white"]) == ("time", 1.0, 0)


def test_junqi_skips_who_is_out_of_time(client: TestClient) -> None:
    clock = {"seconds": 1, "skip": True, "grace": 1}
    room = open_room(client, "junqi", players=2, clock=clock)
    players = sat_down(client, room, ("S", "N"))
    skipped = players["N"].until(lambda state: len(state["board"]["line"]) >= 2)
    assert skipped["board"]["line"][:2] == ["skip:S#1", "skip:N#1"]


def test_set_up_is_secret(client: TestClient) -> None:
    room = open_room(client, "junqi", players=2)
    south, north = Player.at(client, room), Player.at(client, room)
    south.sit("S")
    north.sit("N")
    assert "not a legal layout" in south.error("layout", layout="12345")
    assert "cannot do that now" in south.error("ready")
    mine = registry.get("junqi").position.deal(["tide", "lance"]).layout("S")
    south.say("layout", layout="tide")
    south.until(lambda state: state["layout"] == mine)
    south.say("ready")
    north.until(lambda state: state["seats"][0]["ready"])
    assert north.state["layout"] is None
    assert mine not in "".join(north.heard)
    south.say("leave")
    north.until(lambda state: not state["seats"][0]["taken"])
    south.until(lambda state: state["you"] is None)
    third = Player.at(client, room)
    third.sit("S")
    assert third.state["layout"] is None, "who comes next does not see it"


def test_wrong_rooms_are_refused(client: TestClient) -> None:
    good = {"new": {"game": "othello"}}
    for wrong in (
        {"new": {"game": "ludo"}},
        {**good, "clock": {"seconds": 0}},
        {**good, "clock": {"seconds": 60, "bonus": 1}},
        {**good, "engines": {"green": "beginner"}},
        {**good, "engines": {"black": "godlike"}},
        {**good, "start": "x"},
    ):
        assert client.post("/api/rooms", json=wrong).status_code == 422
    for name in ("nowhere", "x" * 100):
        with connect(client, f"/api/rooms/{name}") as socket, pytest.raises(WebSocketDisconnect) as left:
            socket.receive_text()
        assert left.value.code == 4404


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"type": "fly"}',
        '{"type": "move"}',
        '{"type": "move", "move": 7}',
        '{"type": "move", "move": "d3", "seat": "black"}',
        '{"type": "sit", "seat": "black", "name": "x", "token": "short"}',
        '{"type": "sit", "seat": "black", "name": "\\u200b ", "token": "' + "a" * 30 + '"}',
        '{"type": "sit", "seat": "black", "name": "' + "x" * 25 + '", "token": "' + "a" * 30 + '"}',
        '{"type": "move", "move": "' + "x" * 5000 + '"}',
        "[" * 3000,
    ],
)
def test_wrong_messages_are_told_and_nothing_else_happens(client: TestClient, text: str) -> None:
    player = Player.at(client, open_room(client, "othello"))
    player._send(text)
    assert player.hear()["type"] == "error"
    player.sit("black")


def test_first_message_is_join(client: TestClient) -> None:
    room = open_room(client, "othello")
    with connect(client, f"/api/rooms/{room}") as socket:
        socket.send_text('{"type": "ready"}')
        assert "join" in socket.receive_json()["error"]
        with pytest.raises(WebSocketDisconnect):
            socket.receive_text()


def test_messages_rooms_and_connections_are_limited() -> None:
    limits = Limits(room_rate=0.01, room_burst=3, room_connections=2, new_rooms=0.001, new_rooms_burst=2)
    with TestClient(create_app(Settings(limits=limits, database="sqlite://")), base_url=ADDRESS) as client:
        try:
            room = open_room(client, "othello")
            first, second = Player.at(client, room), Player.at(client, room)
            with connect(client, f"/api/rooms/{room}") as third, pytest.raises(WebSocketDisconnect):
                third.receive_text()
            second.close()
            for _ in range(3):
                assert first.error("ready") == "take a seat first"
            first.say("ready")
            with pytest.raises(WebSocketDisconnect) as left:
                first.hear()
            assert left.value.code == 4429
            open_room(client, "othello")
            assert client.post("/api/rooms", json={"new": {"game": "othello"}}).status_code == 429
        finally:
            Player.close_all()  # before the server ends


def test_layouts(client: TestClient) -> None:
    named = client.get("/api/layouts").json()
    assert named["lance"]
    mirrored = client.post("/api/layout", json={"act": "mirror", "layout": "lance"}).json()
    again = client.post("/api/layout", json={"act": "mirror", "layout": mirrored["layout"]}).json()
    assert again["layout"] == named["lance"] != mirrored["layout"]
    dealt = client.post("/api/layout", json={"act": "random"}).json()
    assert dealt["faults"] == []
    read = client.post("/api/layout", json={"data": dealt["jql"]}).json()
    assert read == dealt
    wrong = client.post("/api/layout", json={"layout": named["lance"].replace("F", "M", 1)}).json()
    assert wrong["faults"]
    assert wrong["jql"] == ""
    for bad in ({}, {"data": "?"}, {"data": "AAAA"}, {"layout": "x" * 100}):
        assert client.post("/api/layout", json=bad).status_code == 422


def test_who_is_connected_is_shown(client: TestClient) -> None:
    room = open_room(client, "othello", engines={"white": "beginner"})
    black, watcher = Player.at(client, room), Player.at(client, room)
    black.sit("black")
    watcher.until(lambda state: state["seats"][0]["taken"])
    online = [seat["online"] for seat in watcher.state["seats"]]
    assert online == [True, None]  # an engine is always there
    black.close()
    watcher.until(lambda state: state["seats"][0]["online"] is False)
    again = Player.at(client, room, black.token)
    assert again.state["you"] == "black"
    watcher.until(lambda state: state["seats"][0]["online"] is True)


def test_junqi_by_the_rules_of_its_files(client: TestClient) -> None:
    room = open_room(client, "junqi", players=4, rules="qq")
    players = sat_down(client, room, ("S", "E", "N", "W"))
    assert players["S"].state["mover"] == "E"  # who begins by QQ's rules
    for seat in "EN":
        players[seat].say("resign")
        players["S"].until(lambda state, gone=seat: not next(
            one["playing"] for one in state["seats"] if one["seat"] == gone))  # fmt: skip
    players["W"].say("resign")
    over = players["S"].until(lambda state: state["phase"] == "over")
    file = client.post(
        "/api/save", json={"record": over["record"], "kind": "jgs", "headers": {"S": "player S"}}
    )
    assert file.status_code == 200, file.text
    refused = client.post("/api/rooms", json={"new": {"game": "junqi", "rules": "chinese"}})
    assert refused.status_code == 422
