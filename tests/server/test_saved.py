"""Saved games in the database: SQLite here, PostgreSQL where its server is installed."""

from __future__ import annotations

import datetime
import json
import threading
from pathlib import Path
from typing import Any

import pytest
from alembic.script import ScriptDirectory
from fastapi.testclient import TestClient
from sqlalchemy import inspect, text, update

from kibitz.errors import BadOption
from kibitz.server.app import create_app
from kibitz.server.saved import routes
from kibitz.server.settings import Settings
from kibitz.server.store import database as database_module
from kibitz.server.store.database import Database, newest_revision
from kibitz.server.store.models import Base, SavedGame
from tests.server.saved_games import line, new_game, node, node_id

ADDRESS = "http://127.0.0.1:8000"


def save(client: TestClient, new: dict[str, Any]) -> str:
    made = client.post("/api/saved", json=new)
    assert made.status_code == 201, made.text
    return f"/api/saved/{new['id']}"


def moves_of(client: TestClient, path: str) -> set[str]:
    return {one.get("move", "") for one in client.get(path).json()["document"]["nodes"]} - {""}


def check_saving(client: TestClient) -> str:
    new = new_game("g1f3", title="Réti 列蒂", headers={"White": "Ann", "Black": "Bo"})
    path = save(client, new)
    whole = client.get(path).json()
    assert (whole["own"], whole["version"], whole["title"], whole["moves"]) == (True, 1, "Réti 列蒂", 1)
    reply = node(new["nodes"][0]["id"], "d7d5", comment="the usual", review={"label": "best", "loss": 0})
    change = {"base": 1, "set": {"title": "another", "result": {"value": 0.5}}, "nodes": [reply]}
    assert client.patch(path, json=change).json() == {"version": 2, "document": None}
    document = client.get(path).json()["document"]
    assert document["headers"]["White"] == "Ann"
    assert document["nodes"][2] == {**reply, "v": 2}
    (row,) = client.get("/api/saved", params={"search": "another ANN"}).json()
    assert (row["players"], row["result"], row["moves"]) == ({"white": "Ann", "black": "Bo"}, 0.5, 2)
    return path


def test_games_are_saved_changed_and_listed(client: TestClient) -> None:
    path = check_saving(client)
    assert client.get("/api/saved", params={"search": "nobody"}).json() == []
    picture = client.get(f"{path}/picture")
    assert picture.headers["content-type"] == "image/svg+xml"
    assert picture.text.startswith("<svg")


def test_change_of_fields_leaves_the_others(client: TestClient) -> None:
    new = new_game("e2e4", opponent={"you": "white", "level": "casual"})
    path, first = save(client, new), new["nodes"][0]["id"]
    client.patch(path, json={"base": 1, "nodes": [{"id": first, "comment": "mine"}]})
    client.patch(path, json={"base": 2, "nodes": [{"id": first, "analysis": {"best": "c7c5"}}]})
    document = client.get(path).json()["document"]
    kept = document["nodes"][1]
    assert (kept["comment"], kept["analysis"], kept["move"]) == ("mine", {"best": "c7c5"}, "e2e4")
    assert document["opponent"] == new["set"]["opponent"]
    change = {"base": 3, "set": {"opponent": None}, "nodes": [{"id": first, "comment": None}]}
    client.patch(path, json=change)
    document = client.get(path).json()["document"]
    assert "opponent" not in document
    assert "comment" not in document["nodes"][1]


def test_two_tabs_lose_no_moves(client: TestClient) -> None:
    new = new_game("e2e4")
    path, first = save(client, new), new["nodes"][0]["id"]
    client.patch(path, json={"base": 1, "nodes": [node(first, "e7e5")]})
    late = client.patch(path, json={"base": 1, "nodes": [node(first, "c7c5"), node(first, "e7e5")]}).json()
    assert late["version"] == 3
    assert [one.get("move") for one in late["document"]["nodes"]] == [None, "e2e4", "e7e5", "c7c5"]
    # One tab goes on after e5, the other does not know that and removes it.
    client.patch(path, json={"base": 3, "nodes": [node(node_id(first, "e7e5"), "g1f3")]})
    kept = client.patch(path, json={"base": 3, "removed": [node_id(first, "e7e5")]}).json()
    assert "g1f3" in {one.get("move") for one in kept["document"]["nodes"]}
    # Who knows everything may remove it.
    gone = client.patch(path, json={"base": 5, "removed": [node_id(first, "e7e5")]}).json()
    assert gone == {"version": 6, "document": None}
    assert moves_of(client, path) == {"e2e4", "c7c5"}
    # The other tab goes on where nothing is any more: it has to send what it has.
    lost = {"base": 6, "nodes": [node(node_id(first, "e7e5"), "b1c3")]}
    assert client.patch(path, json=lost).status_code == 409
    assert client.get(path).json()["version"] == 6


def test_change_sent_twice_is_once(client: TestClient) -> None:
    new = new_game("e2e4", "e7e5")
    path = save(client, new)
    assert client.post("/api/saved", json=new).json()["version"] == 2  # its answer was lost
    change = {"base": 2, "nodes": [node("", "d2d4")], "removed": [new["nodes"][1]["id"]]}
    for _ in range(2):
        client.patch(path, json=change)
        assert moves_of(client, path) == {"e2e4", "d2d4"}


def test_changes_at_once_are_all_kept(client: TestClient) -> None:
    path = save(client, new_game("e2e4"))
    answers: list[int] = []

    def add(move: str) -> None:
        answers.append(client.patch(path, json={"base": 1, "nodes": [node("", move)]}).status_code)

    moves = [f"{file}2{file}{rank}" for file in "abcdfgh" for rank in "34"]
    threads = [threading.Thread(target=add, args=(move,)) for move in moves]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [200] * len(moves)
    assert moves_of(client, path) == {"e2e4", *moves}


def test_deleted_game_comes_back(client: TestClient) -> None:
    path = save(client, new_game("e2e4", title="to be deleted"))
    assert client.patch(path, json={"base": 1, "deleted": True}).status_code == 200
    assert client.get("/api/saved", params={"search": "to be deleted"}).json() == []
    assert browser_at(client).get(path).status_code == 404
    assert client.patch(path, json={"base": 2, "deleted": False}).status_code == 200
    assert len(client.get("/api/saved", params={"search": "to be deleted"}).json()) == 1


def test_deleted_games_are_gone_after_a_month(client: TestClient) -> None:
    path = save(client, new_game("e2e4"))
    client.patch(path, json={"base": 1, "deleted": True})
    old = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(days=31)
    with client.app.state.database.session() as session:  # type: ignore[attr-defined]
        session.execute(update(SavedGame).where(SavedGame.deleted.is_not(None)).values(deleted=old))
    save(client, new_game("d2d4"))
    assert client.get(path).status_code == 404
    assert client.patch(path, json={"base": 2, "deleted": False}).status_code == 404


def test_main_line_is_the_promoted_one(client: TestClient) -> None:
    new = new_game("e2e4", "e7e5")
    new["nodes"].append(node("", "d2d4", order=-1))
    path = save(client, new)
    assert client.get(path).json()["moves"] == 1


@pytest.mark.parametrize(
    "wrong",
    [
        {"game": "ludo"},
        {"id": "short"},
        {"id": "with a space in it"},
        {"more": 1},
        {"nodes": [{"id": "x", "parent": "nothing", "move": "e2e4"}]},
        {"nodes": [{"id": "x", "parent": ""}]},
        {"nodes": [{"id": "x", "parent": "", "move": "e2e4", "more": 1}]},
        {"nodes": [{"id": "", "analysis": {"value": float("nan")}}]},
        {"set": {"title": "x" * 201}},
        {"set": {"headers": {"White": 7}}},
    ],
)
def test_wrong_games_are_refused(client: TestClient, wrong: dict[str, Any]) -> None:
    body = json.dumps({**new_game("e2e4"), **wrong})
    answer = client.post("/api/saved", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code in (409, 422), answer.text
    assert isinstance(answer.json()["error"], str)


def test_size_of_a_game_is_bounded(client: TestClient) -> None:
    new = new_game("e2e4")
    large = {"analysis": {"text": "x" * 600_000}}
    new["nodes"][0] |= large
    path = save(client, new)
    answer = client.patch(path, json={"base": 1, "nodes": [node("", "d2d4", **large)]})
    assert answer.status_code == 422
    assert "at most" in answer.json()["error"]
    assert moves_of(client, path) == {"e2e4"}


def test_file_outlives_the_server(tmp_path: Path) -> None:
    settings = Settings(database=f"sqlite:///{tmp_path / 'kept.db'}")
    with TestClient(create_app(settings), base_url=ADDRESS) as first:
        path = check_saving(first)
    with TestClient(create_app(settings), base_url=ADDRESS) as second:
        assert second.get(path).json()["title"] == "another"


def test_games_are_their_owners(client: TestClient) -> None:
    new = new_game("e2e4", title="mine")
    path, stranger = save(client, new), browser_at(client)
    assert stranger.get("/api/saved").json() == []
    shared = stranger.get(path).json()  # who has the link may read
    assert (shared["own"], shared["title"]) == (False, "mine")
    taken = stranger.post("/api/saved", json={**new, "set": {"title": "stolen"}})
    for answer in (stranger.patch(path, json={"base": 1, "deleted": True}), taken):
        assert answer.status_code == 403
        assert "somebody else's" in answer.json()["error"]
    assert client.get(path).json()["title"] == "mine"
    copied = {**new_game(), "nodes": shared["document"]["nodes"][1:]}
    for one in copied["nodes"]:
        del one["v"]
    assert moves_of(stranger, save(stranger, copied)) == {"e2e4"}


def test_export_has_everything_of_one_owner() -> None:
    with TestClient(create_app(Settings(database="sqlite://")), base_url=ADDRESS) as client:
        assert client.get("/api/export").json() == {"games": [], "deck": []}
        for move in ("e2e4", "d2d4"):
            save(client, new_game(move, title=move))
        save(browser_at(client), new_game("c2c4"))
        answer = client.get("/api/export")
        assert "attachment" in answer.headers["content-disposition"]
        games = answer.json()["games"]
        assert [(one["title"], len(one["nodes"])) for one in games] == [("e2e4", 2), ("d2d4", 2)]


def browser_at(client: TestClient) -> TestClient:
    """Another browser, at the same server."""
    other = TestClient(client.app, base_url=ADDRESS)
    other.portal = client.portal
    return other


@pytest.mark.parametrize(("host", "shown"), [("127.0.0.1", True), ("0.0.0.0", False)])
def test_games_of_versions_without_owners(host: str, shown: bool) -> None:
    settings = Settings(host=host, token="a secret of mine", database="sqlite://")
    with TestClient(create_app(settings), base_url=ADDRESS) as client:
        client.headers["Authorization"] = "Bearer a secret of mine"
        new = new_game("e2e4")
        path = save(client, new)
        with client.app.state.database.session() as session:  # type: ignore[attr-defined]
            session.execute(update(SavedGame).values(owner=""))
        other = browser_at(client)
        other.headers = client.headers
        assert [row["id"] for row in other.get("/api/saved").json()] == [new["id"]] * shown
        changed = other.patch(path, json={"base": 1})
        assert changed.status_code == (200 if shown else 403)
        if shown:  # it is theirs from then on
            assert client.patch(path, json={"base": 2}).status_code == 403


def test_games_of_one_client_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(routes, "MOST_OWN", 3)
    with TestClient(create_app(Settings(database="sqlite://")), base_url=ADDRESS) as client:
        made = [client.post("/api/saved", json=new_game("e2e4")) for _ in range(4)]
        assert [answer.status_code for answer in made] == [201, 201, 201, 422]
        assert "at most 3" in made[-1].json()["error"]
        kept = 0
        for _ in range(20):  # a browser of its own each time, from one address
            large = new_game("e2e4")
            large["nodes"][0]["analysis"] = {"text": "x" * 1_000_000}
            answer = browser_at(client).post("/api/saved", json=large)
            kept += answer.status_code == 201
        assert answer.status_code == 429
        assert kept <= 8


def test_wrong_database_is_one_line(tmp_path: Path) -> None:
    for url in ("nonsense", "oracle9://x", f"sqlite:///{tmp_path}/no/such/folder/x.db"):
        with pytest.raises(BadOption, match="--database"):
            Database(url).migrate()


def test_migrations_make_the_tables_of_the_models() -> None:
    database = Database("sqlite://")
    database.migrate()
    database.migrate()  # again is nothing
    scripts = ScriptDirectory(str(Path(database_module.__file__).with_name("migrations")))
    assert newest_revision() == scripts.get_current_head() == database._revision()
    inspector = inspect(database.engine)
    for table in Base.metadata.tables.values():
        assert {column["name"] for column in inspector.get_columns(table.name)} == set(table.columns.keys())
    database.close()


def study_rows() -> dict[str, Any]:
    """A study as versions before saved games kept it: e4 e5, with d4 as a variation."""
    steering = {"include": {"e7e5": 50}, "avoid": [], "allow": [], "weights": {}}
    reply = {"move": "e7e5", "name": "e5", "children": []}
    root = {
        "move": "",
        "children": [
            {"move": "e2e4", "name": "e4", "comment": "best", "steering": steering, "children": [reply]},
            {"move": "d2d4", "name": "d4", "children": []},
        ],
    }
    tree = json.dumps({"start": {"chess960": False}, "below": "white", "root": root})
    day = "2026-01-01 00:00:00.000000"
    return {
        "id": "study-of-old-001",
        "game": "chess",
        "title": "old",
        "tree": tree,
        "created": day,
        "updated": day,
    }


def test_studies_become_saved_games() -> None:
    database = Database("sqlite://")
    database.migrate("0003")
    with database.engine.begin() as connection:
        names = "id, game, title, tree, created, updated"
        values = ":id, :game, :title, :tree, :created, :updated"
        connection.execute(text(f"INSERT INTO studies ({names}) VALUES ({values})"), study_rows())
    database.migrate()
    with database.session() as session:
        game = session.get(SavedGame, "study-of-old-001")
        assert game is not None
        document = json.loads(game.document)
    assert (game_row := document["nodes"][1])["comment"] == "best"
    assert game_row["steering"]["include"] == {"e7e5": 50}
    first, second = line("e2e4", "e7e5")
    assert [one["id"] for one in document["nodes"]] == ["", first["id"], second["id"], node_id("", "d2d4")]
    assert (document["below"], document["start"], document["title"]) == ("white", {"chess960": False}, "old")
    database.close()


def test_postgresql_saves_games(postgres: str) -> None:
    with TestClient(create_app(Settings(database=postgres)), base_url=ADDRESS) as client:
        check_saving(client)
        test_changes_at_once_are_all_kept(client)
