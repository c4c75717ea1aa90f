"""The API: positions, new games, style, errors."""

from __future__ import annotations

from typing import Any

import pytest
from fastapi.testclient import TestClient

from kibitz.games import registry


def board(client: TestClient, game: str, moves: list[str] | None = None, **more: Any) -> dict[str, Any]:
    record = {"game": game, "moves": moves or [], **more.pop("record", {})}
    answer = client.post("/api/position", json={"record": record, **more})
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


@pytest.mark.parametrize("game", registry.names())
def test_position_is_drawn_with_its_moves(client: TestClient, game: str) -> None:
    info = registry.get(game)
    shown = board(client, game, list(info.demo))
    expected = info.position().play(*info.demo)
    assert shown["mover"] == expected.mover
    assert shown["legalMoves"] == list(expected.legal_moves)
    assert shown["svg"].startswith("<svg")
    assert f'width="{shown["places"]["width"]:g}"' in shown["svg"]


@pytest.mark.parametrize("game", registry.names())
def test_every_move_ends_at_a_place_of_the_picture(client: TestClient, game: str) -> None:
    shown = board(client, game)
    places = shown["places"]["at"]
    for move in shown["legalMoves"]:
        if move != "pass":
            end = {"chess": move[2:4], "junqi": move[-3:]}.get(game, move)
            assert end in places


def test_board_is_turned_for_who_sits_below(client: TestClient) -> None:
    white, black = board(client, "chess"), board(client, "chess", below="black")
    assert white["places"]["at"]["a1"] == black["places"]["at"]["h8"]
    south, east = board(client, "junqi"), board(client, "junqi", below="E")
    assert south["places"]["at"]["S11"] == east["places"]["at"]["E11"]
    assert south["places"]["at"]["C31"] == east["places"]["at"]["C33"]


def test_view_of_a_seat_hides_the_others(client: TestClient) -> None:
    seen = board(client, "junqi", seat="S", names="english")
    everything = board(client, "junqi", names="english")
    assert seen["svg"].count(">?<") == 75
    assert ">?<" not in everything["svg"]


def test_chess_moves_have_san_names(client: TestClient) -> None:
    shown = board(client, "chess", ["e2e4"])
    assert shown["line"] == ["e4"]
    assert shown["moveNames"]["g8f6"] == "Nf6"


def test_illegal_move_is_refused_in_one_line(client: TestClient) -> None:
    answer = client.post("/api/position", json={"record": {"game": "othello", "moves": ["a1"]}})
    assert answer.status_code == 422
    assert answer.json()["error"].startswith("illegal move a1 for black")


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ({"game": "go", "size": 9, "rules": "japanese"}, {"size": [9, 9], "komi": 6.5}),
        ({"game": "chess", "variant": "chess960", "seed": 5}, {"chess960": True}),
        ({"game": "othello"}, {"moves": []}),
    ],
)
def test_new_game(client: TestClient, wanted: dict[str, Any], expected: dict[str, Any]) -> None:
    record = client.post("/api/new", json=wanted).json()
    assert {key: record[key] for key in expected} == expected
    assert board(client, wanted["game"], record={k: v for k, v in record.items() if k != "game"})


def test_new_game_of_codingame_rules(client: TestClient) -> None:
    record = client.post("/api/new", json={"game": "uttt", "rules": "codingame"}).json()
    assert record["start"].endswith("codingame")


def test_dealt_game_of_two_players(client: TestClient) -> None:
    record = client.post("/api/new", json={"game": "junqi", "players": 2, "seed": 3}).json()
    shown = board(client, "junqi", record={"start": record["start"]})
    assert shown["seats"] == ["S", "N"]
    assert shown["facts"]["players"] == 2


def test_style_score_follows_the_game(client: TestClient) -> None:
    def score(moves: list[str]) -> float:
        answer = client.post("/api/style", json={"record": {"game": "chess", "moves": moves}})
        return float(answer.json()["s"])

    assert score(["g3", "e5", "Bg2", "d5", "b3"]) > score(["e4", "e5", "d4", "d5"])


def test_games_are_listed(client: TestClient) -> None:
    rows = {row["name"]: row for row in client.get("/api/games").json()}
    assert set(rows) == set(registry.names())
    assert rows["chess"]["styles"] == ["hypermodern", "open", "aggressive", "solid"]
    assert rows["junqi"]["hides"]
    assert not rows["go"]["hides"]
