"""Opponents at the levels of a game."""

from __future__ import annotations

import pytest
from fastapi.testclient import TestClient

from kibitz.games import registry
from kibitz.levels import get_level
from kibitz.server.rooms.opponent import _hurried
from kibitz.server.rooms.record import Action, Room
from kibitz.server.rooms.settings import Clock
from tests.server.room_states import settings_of, sitting


@pytest.mark.parametrize("game", registry.names())
def test_move_of_a_level_is_legal(client: TestClient, game: str) -> None:
    info = registry.get(game)
    asked = {"record": {"game": game, "moves": list(info.demo)}, "level": info.levels[0].name}
    answer = client.post("/api/move", json=asked)
    assert answer.status_code == 200, answer.text
    assert answer.json()["move"] in info.position().play(*info.demo).legal_moves


def test_levels_are_listed_and_others_refused(client: TestClient) -> None:
    rows = {row["name"]: row["levels"] for row in client.get("/api/games").json()}
    assert rows.keys() == set(registry.names())
    assert all(names[0] == "beginner" and names[-1] == "full" for names in rows.values())
    wrong = {"record": {"game": "othello"}, "level": "grandmaster"}
    answer = client.post("/api/move", json=wrong)
    assert answer.status_code == 422
    assert "beginner, novice, casual" in answer.text


#: A finished 9x9 game: White wins by capturing what is left of Black's stones, or as it stands.
FINISHED = (
    "E5 D3 E7 F4 E3 E4 C5 G6 G5 F5 D6 C3 G7 H7 D4 F6 C7 F3 G3 G4 D8 C4 B5 F7 H5 B4 E8 D5 E2 A5 B3 B6 H3 G2 "
    "B7 F8 F2 F1"
)


@pytest.mark.parametrize(
    ("moves", "passes"), [(FINISHED, True), (FINISHED[:11], False)], ids=["finished", "open"]
)
def test_beginner_answers_a_pass_when_the_game_is_decided(
    client: TestClient, moves: str, passes: bool
) -> None:
    asked = {"record": {"game": "go", "size": 9, "moves": [*moves.split(), "pass"]}, "level": "beginner"}
    for _ in range(3):  # a beginner's moves are drawn
        answer = client.post("/api/move", json=asked)
        assert answer.status_code == 200, answer.text
        assert (answer.json()["move"] == "pass") == passes


def test_engines_with_clocks_think_shorter_the_more_of_them_there_are() -> None:
    settings = settings_of("chess").model_copy(update={"clock": Clock(seconds=300, increment=5)})
    room = Room("r", settings)
    for number, seat in enumerate(room.seats, 1):
        room = room.after(Action(number, 1000.0, seat, "sit", sitting(seat)))
    level = get_level("chess", "full")
    seconds = [
        _hurried(level, room, "white", crowding).budget["seconds"] for crowding in (0.0, 1.0, 5.0, 1e6)
    ]
    assert seconds == [2.0, 2.0, 0.4, 0.05]
