"""Finished games of Go scored on a board, against the engine and in a room."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sgfmill.sgf import Sgf_game

from kibitz.games.go import Position
from kibitz.server.app import create_app
from kibitz.server.settings import Limits, Settings
from tests.paths import SHARED
from tests.server.players import Player, open_room, sat_down

REFERENCE = SHARED / "reference" / "go-finished-games.jsonl.gz"
SEATS = ("black", "white")


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    """A server that takes whole games at once."""
    settings = Settings(database="sqlite://", limits=Limits(room_rate=1000, room_burst=10_000))
    with TestClient(create_app(settings), base_url="http://127.0.0.1:8000") as client:
        yield client


@pytest.fixture(autouse=True)
def everybody_leaves() -> Iterator[None]:
    yield
    Player.close_all()


def walls(lone: str = "G5") -> Position:
    """9x9, a wall down the middle, and a lone white stone in Black's half; play has stopped."""
    black = [f"E{row}" for row in range(1, 10)]
    white = [f"D{row}" for row in range(1, 10)]
    return Position(9, rules="chinese", black=black, white=[*white, lone]).play("pass", "pass")


def record_of(position: Position) -> dict[str, Any]:
    return {"record": position.open_dict()}


def count(client: TestClient, position: Position, **more: Any) -> dict[str, Any]:
    answer = client.post("/api/count", json={**record_of(position), **more})
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def board(client: TestClient, position: Position) -> dict[str, Any]:
    answer = client.post("/api/position", json=record_of(position))
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def test_lone_stone_on_a_board(client: TestClient) -> None:
    stopped = board(client, walls())
    assert (stopped["counting"], stopped["over"], stopped["result"]) == (True, False, None)
    assert stopped["legalMoves"] == []
    counted = count(client, walls())
    assert (counted["dead"], counted["score"], counted["move"]) == (["G5"], 1.5, "count:G5")
    over = board(client, walls().play(counted["move"]))
    assert (over["counting"], over["over"], over["result"]) == (False, True, 1.0)
    said = [(one["code"], one["values"]) for one in over["ending"]]
    assert said == [
        ("go.area", {"side": "black", "stones": 9, "territory": 36, "total": 45}),
        ("go.areaKomi", {"side": "white", "stones": 9, "territory": 27, "komi": 7.5, "total": 43.5}),
        ("go.wins", {"side": "black", "points": 1.5}),
    ]


def test_engine_agrees_to_no_count_that_costs_it(client: TestClient) -> None:
    alive = count(client, walls(), dead=["G5"], toggle="G5", engine="black")
    assert (alive["dead"], alive["score"], alive["agrees"]) == ([], -35.5, False)
    assert count(client, walls(), dead=[], engine="white")["agrees"]
    assert count(client, walls(), dead=["G5"], engine="white")["agrees"]


def test_nothing_to_count(client: TestClient) -> None:
    for position in (Position(9), walls().play("resume"), walls().play("count")):
        answer = client.post("/api/count", json=record_of(position))
        assert answer.status_code == 422
    answer = client.post("/api/count", json={**record_of(walls()), "dead": ["A1"]})
    assert (answer.status_code, answer.json()["error"]) == (422, "A1 holds no stone")
    assert client.post("/api/count", json={"record": {"game": "othello"}}).status_code == 422


def ended(players: dict[str, Player], moves: list[str]) -> dict[str, Any]:
    """Plays a game to its end; the state once dead stones are proposed."""
    first = next(iter(players.values()))
    for move in moves:
        mover = first.state["mover"]
        players[mover].play(move)
        for one in players.values():
            one.wait_for(players[mover].state["number"])
    return first.until(lambda state: state["count"])


def agree(player: Player, move: str) -> None:
    number = player.state["number"]
    player.say("agree", move=move)
    player.until(lambda state: state["number"] > number)


def test_count_in_a_room(client: TestClient) -> None:
    players = sat_down(client, open_room(client, "go", size=5, rules="japanese", komi=0.5), SEATS)
    black, white = players["black"], players["white"]
    state = ended(players, ["C3", "A1", "B1", "pass", "A2", "pass", "pass"])
    assert state["phase"] == "counting"
    assert (state["result"], state["mover"], state["board"]["legalMoves"]) == (None, None, [])
    # White's stone was captured on the way, Black marks nothing: 22 points and a prisoner.
    assert (state["count"]["dead"], state["count"]["score"]) == ([], 22 + 1 - 0.5)
    black.say("mark", place="C3")
    black.until(lambda state: state["count"]["dead"])
    assert black.state["count"]["move"] == "count:C3"
    assert white.error("agree", move="count")  # not what is marked any more
    agree(white, "count:C3")
    assert white.state["count"]["agreed"] == ["white"]
    black.say("mark", place="C3")
    black.until(lambda state: not state["count"]["dead"])
    assert black.state["count"]["agreed"] == []
    agree(black, "count")
    white.wait_for(black.state["number"])
    agree(white, "count")
    over = white.state
    assert (over["phase"], over["result"], over["count"]) == ("over", 1.0, None)
    assert over["record"]["moves"][-1] == "count"
    assert over["board"]["notes"][0]["code"] == "go.wins"


def test_play_goes_on_in_a_room(client: TestClient) -> None:
    players = sat_down(client, open_room(client, "go", size=5), SEATS)
    ended(players, ["C3", "pass", "pass"])
    players["white"].say("resume")
    for one in players.values():
        one.until(lambda state: state["phase"] == "playing")
    assert players["white"].state["mover"] == "white"
    assert ended(players, ["C2", "pass", "pass"])["phase"] == "counting"
    players["white"].say("resign")
    over = players["black"].until(lambda state: state["phase"] == "over")
    assert (over["result"], over["ending"]) == (1.0, "resign")


def test_engine_counts_in_a_room(client: TestClient) -> None:
    """An engine that is asked to give points away marks what it proposed again."""
    room = open_room(client, "go", size=5, komi=0.5)
    players = sat_down(client, room, SEATS)
    black = players["black"]
    ended(players, ["C3", "pass", "pass"])
    players["white"].say("leave")
    black.until(lambda state: not state["seats"][1]["taken"])
    black.say("mark", place="C3")
    black.until(lambda state: state["count"]["dead"] == ["C3"])
    black.say("engine", seat="white", level="beginner")
    # White gains by the mark, so it agrees.
    black.until(lambda state: state["count"]["agreed"] == ["white"])
    black.say("mark", place="C3")
    black.until(lambda state: state["count"]["dead"] == [] and state["count"]["agreed"] == ["white"])
    agree(black, "count")
    assert black.state["result"] == 1.0


def test_counted_game_as_sgf(client: TestClient) -> None:
    """The result stands in the root, territory in a node of its own, as sgfmill reads them."""
    record = walls().play("resume", "pass", "pass", "count:G5").open_dict()
    answer = client.post("/api/save", json={"record": record, "kind": "sgf"})
    assert answer.status_code == 200, answer.text
    game = Sgf_game.from_bytes(base64.b64decode(answer.json()["data"]))
    assert game.root.get("RE") == "B+1.5"
    last = game.get_last_node()
    assert len(last.get("TB")) == 36
    assert (4, 6) in last.get("TB")  # G5
    assert len(last.get("TW")) == 27
    assert [node.get_move()[0] for node in game.get_main_sequence() if node.get_move()[0]] == list("bwbw")


@pytest.mark.skipif(not REFERENCE.is_file(), reason="the finished games are not here")
def test_finished_games(client: TestClient) -> None:
    """As GNU Go and KataGo score them: proposed on a board, agreed to by the engine, agreed in a room."""
    with gzip.open(REFERENCE, "rt", encoding="utf-8") as lines:
        games = [json.loads(line) for line in lines]
    assert len(games) >= 10
    for game in games:
        moves = [vertex.replace("PASS", "pass") for _, vertex in game["moves"]]
        last = Position(game["size"], rules=game["rules"], komi=game["komi"]).play(*moves)
        counted = count(client, last, engine="white")
        assert sorted(counted["dead"]) == sorted(game["dead"])
        assert counted["agrees"]
        assert score_text(board(client, last.play(counted["move"]))) == game["score"]
        room = open_room(client, "go", size=game["size"], rules=game["rules"], komi=game["komi"])
        players = sat_down(client, room, SEATS)
        marked = ended(players, moves)["count"]
        for player in players.values():
            player.until(lambda state: state["count"])
            agree(player, marked["move"])
        over = players["white"].until(lambda state: state["phase"] == "over")
        assert score_text(over["board"]) == game["score"]
        Player.close_all()


def score_text(board: dict[str, Any]) -> str:
    score = board["facts"]["score"]
    return f"{'B' if score > 0 else 'W'}+{abs(score):g}"
