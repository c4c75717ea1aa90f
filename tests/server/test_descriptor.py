"""What the page knows of a game comes from the game's folder, and the page itself names no game."""

from __future__ import annotations

import re
from itertools import product
from typing import Any

import pytest
from fastapi.testclient import TestClient

from kibitz.games import registry
from kibitz.games.base import Position
from kibitz.games.page_facts import Descriptor, GamePage
from kibitz.sentences import table
from kibitz.server.page_files import PAGE
from tests.server.test_languages import TEXTS

#: Games written in Python have the defaults.
GAMES = registry.BUILT_IN
SOURCES = sorted(path for path in PAGE.rglob("*") if path.suffix in (".js", ".html", ".css"))


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.relative_to(PAGE).as_posix())
def test_page_names_no_game(path: Any) -> None:
    text = path.read_text(encoding="utf-8")
    for game in GAMES:
        # "go" is a word of English too: only the name as a value counts.
        form = rf"(?<=[\"'`]){game}(?=[\"'`])" if game == "go" else rf"(?i){game}"
        assert re.findall(form, text) == [], game


@pytest.mark.parametrize("path", sorted(PAGE.parent.rglob("*.py")), ids=lambda path: path.stem)
def test_server_names_no_game(path: Any) -> None:
    text = path.read_text(encoding="utf-8")
    for game in GAMES:
        assert not re.search(rf"[\"']{game}[\"']|kibitz\.games\.{game}\b|games import .*\b{game}\b", text), (
            game
        )


def places_named(page: GamePage, position: Position) -> set[str]:
    matches = [re.search(page.move_places, move) for move in position.legal_moves if move != "pass"]
    return {place for match in matches if match for place in match.groups()}


@pytest.mark.parametrize("game", GAMES)
def test_moves_name_places_of_the_picture(game: str) -> None:
    info, page = registry.get(game), registry.page_of(game)
    position = info.position()
    for move in ("", *info.demo):
        position = position.play(move) if move else position
        named = places_named(page, position)
        assert named
        assert named <= set(position.places().at)


@pytest.mark.parametrize("game", GAMES)
def test_every_choice_makes_a_game(client: TestClient, game: str) -> None:
    fields = registry.page_of(game).descriptor.new
    chosen = [
        [(field.name, choice.value) for choice in field.choices] or [(field.name, 6.5)] for field in fields
    ]
    for row in product(*chosen):
        body = {name: int(value) if str(value).isdecimal() else value for name, value in row}
        answer = client.post("/api/new", json={"game": game, **body})
        assert answer.status_code == 200, answer.text
        assert answer.json()["game"] == game


def test_what_cannot_be_chosen_is_refused(client: TestClient) -> None:
    for body, reason in (
        ({"game": "othello", "size": 8}, "othello has no choice 'size'; there is nothing to choose"),
        ({"game": "go", "players": 2}, "go has no choice 'players'; expected size, rules, handicap, komi"),
        ({"game": "go", "komi": 1e9}, "komi must be from -400 to 400, got '1000000000.0'"),
        ({"game": "junqi", "players": 3}, "Junqi has 2 or 4 players, not 3"),
    ):
        answer = client.post("/api/new", json=body)
        assert (answer.status_code, answer.json()["error"]) == (422, reason)


@pytest.mark.parametrize("game", GAMES)
def test_texts_of_a_descriptor_are_known(game: str) -> None:
    descriptor = registry.page_of(game).descriptor
    known = TEXTS["en"].keys() | table().keys()
    assert {field.text for field in (*descriptor.new, *descriptor.clock)} <= known
    assert {f"{layer.kind}.help" for layer in descriptor.layers} <= known
    assert descriptor.choose in known
    # Other games have a title alone.
    assert (f"game.{game}" in known) == (game in registry.BUILT_IN)


def test_ownership_has_the_order_of_the_places(client: TestClient) -> None:
    record = {"game": "go", "size": 5, "moves": ["A1", "E5"]}
    board = client.post("/api/position", json={"record": record}).json()
    owners = dict(zip(board["places"]["at"], board["owners"], strict=True))
    assert owners["A1"] == 1
    assert owners["E5"] == -1


def test_game_without_a_page_has_the_defaults(client: TestClient) -> None:
    plain = Descriptor().to_dict()
    assert plain["new"] == []
    assert plain["layers"] == []
    rows = [row for row in client.get("/api/games").json() if row["name"] in GAMES]
    assert all(row["page"].keys() == plain.keys() for row in rows)
    ranks = [row["page"]["rank"] for row in rows if row["name"] in registry.BUILT_IN]
    assert len(set(ranks)) == len(ranks)
    assert max(ranks) < plain["rank"]
