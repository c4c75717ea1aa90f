"""Pasted and dropped records: the kind is found out."""

from __future__ import annotations

import base64
import datetime
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from kibitz.games import chess, go, junqi, othello, uttt
from kibitz.games.junqi.records import dump_jgs, dump_jql, parse_jgs, record_of
from kibitz.games.othello import records as othello_records

GAME = othello.Position().play("d3", "c5", "f6", "f5")


@pytest.mark.parametrize(
    ("text", "kind", "game", "moves"),
    [
        ("(;GM[1]SZ[9]KM[6.5];B[ee];W[cc])", "sgf", "go", 2),
        ('[Event "x"]\n[Result "*"]\n\n1. e4 e5 2. Nf3 *\n', "pgn", "chess", 3),
        ("1. e4 c5 2. Nf3", "moves", "chess", 3),
        ("1. e4 c5 2. Nf3 *", "moves", "chess", 3),
        ("1. e4 (1. d4) c5 {Sicilian} 2. Nf3 *", "pgn", "chess", 3),
        ("1.e4 c5 2.Nf3! 1/2-1/2", "pgn", "chess", 3),
        ("e2e4 e7e5 g1f3", "moves", "chess", 3),
        ("e2e4e7e5", "moves", "chess", 2),
        (chess.Position().play("e4").fen, "fen", "chess", 0),
        (othello_records.ggf.write([othello_records.Record.of(GAME)]), "ggf", "othello", 4),
        ("d3c5f6f5", "transcript", "othello", 4),
        ("f5 d6 c3", "transcript", "othello", 3),
        (othello.Position().notation, "obf", "othello", 0),
        ("44 40 04", "uttt", "uttt", 3),
        ("codingame 444004", "uttt", "uttt", 3),
        (uttt.Position().play("44").notation, "uttt", "uttt", 0),
        ("Q16 D4 Q3", "go", "go", 3),
        (go.Position(9).play("E5").notation, "go", "go", 0),
        (junqi.Position().notation, "junqi", "junqi", 0),
        ('{"game": "othello", "moves": ["d3"]}', "json", "othello", 1),
    ],
)
def test_kind_is_found_out(client: TestClient, text: str, kind: str, game: str, moves: int) -> None:
    answer = client.post("/api/record", json={"text": text})
    assert answer.status_code == 200, answer.text
    opened = answer.json()
    record = opened["games"][0]["record"]
    assert (opened["kind"], record["game"]) == (kind, game)
    assert len(record["moves"]) == moves
    shown = client.post("/api/position", json={"record": record})
    assert shown.status_code == 200, shown.text


TREES = {
    "sgf": (
        "(;GM[1]SZ[9]C[start];B[ee]C[centre](;W[cc];B[gg])(;W[gc]C[other](;B[cg])(;AB[aa];B[gg])))",
        ["-1  start", "0 E5 centre", "1 C7 ", "2 G3 ", "1 G7 other", "4 C3 "],
    ),
    "pgn": (
        '[White "A"]\n\n{intro} 1. e4 e5 {classic} (1... c5 2. Nf3 (2. c3 d5) 2... d6) 2. Nf3 *',
        ["-1  intro", "0 e4 ", "1 e5 classic", "2 Nf3 ", "1 c5 ", "4 Nf3 ", "5 d6 ", "4 c3 ", "7 d5 "],
    ),
}


@pytest.mark.parametrize("kind", TREES)
def test_variations_and_comments(client: TestClient, kind: str) -> None:
    text, expected = TREES[kind]
    game = client.post("/api/record", json={"text": text}).json()["games"][0]
    told = [f"{row['parent']} {row['name'] or row['move']} {row['comment']}" for row in game["tree"]]
    assert told == expected
    assert len(game["record"]["moves"]) == 3


def test_game_without_tags_keeps_variations_and_result(client: TestClient) -> None:
    text = "1. e4 (1. d4 {closed} d5) e5 2. Nf3 1-0"
    game = client.post("/api/record", json={"text": text}).json()["games"][0]
    told = [f"{row['parent']} {row['name']} {row['comment']}" for row in game["tree"][1:]]
    assert told == ["0 e4 ", "1 e5 ", "2 Nf3 ", "0 d4 closed", "4 d5 "]
    assert game["headers"] == {"Result": "1-0"}


@pytest.mark.parametrize("text", ["(;GM[1]SZ[9];B[ee];W[cc])", '[White "A"]\n\n1. e4 e5 *'])
def test_main_line_alone_has_no_tree(client: TestClient, text: str) -> None:
    assert client.post("/api/record", json={"text": text}).json()["games"][0]["tree"] is None


def test_tree_of_a_long_record_is_cut(client: TestClient) -> None:
    letters = "abcdefghijklmnopqrs"
    pairs = [(a, b) for a in letters for b in letters if a != b]
    variations = "".join(f"(;W[{a}{b}];B[{b}{a}])" for a, b in pairs)
    text = f"(;GM[1]SZ[19];B[jj]{variations * 5})"
    tree = client.post("/api/record", json={"text": text}).json()["games"][0]["tree"]
    assert 1000 < len(tree) <= 3000


def send(client: TestClient, data: bytes) -> dict[str, object]:
    answer = client.post("/api/record", json={"data": base64.b64encode(data).decode()})
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def test_files_of_bytes(client: TestClient) -> None:
    dealt = junqi.deal(5, options="qq")
    dealt = dealt.play(dealt.legal_moves[0])
    opened = send(client, dump_jgs(record_of(dealt)))
    assert opened["kind"] == "jgs"
    layout = junqi.layouts.NAMED["lance"]
    assert send(client, dump_jql(layout))["layout"] == junqi.layouts.check(layout)


def test_wthor_file(client: TestClient) -> None:
    record = othello_records.Record.of(finished())
    games = othello_records.wthor.WthorFile.from_records([record], day=datetime.date(2026, 1, 1), year=2026)
    assert send(client, games.to_bytes())["kind"] == "wthor"


def finished() -> othello.Position:
    """A game to its end, which is what WTHOR keeps."""
    position = othello.Position()
    while not position.is_over:
        position = position.play(position.legal_moves[0])
    return position


@pytest.mark.parametrize("text", ["", "hello there", "/etc/passwd", "(;", '{"game": 3}', "9/9/9/9/9/9/9/9 w"])
def test_what_is_no_record_is_refused(client: TestClient, text: str) -> None:
    answer = client.post("/api/record", json={"text": text})
    assert answer.status_code == 422
    assert answer.json()["error"]


def test_text_never_names_a_file(client: TestClient, tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_text("(;GM[1]SZ[9];B[ee])", encoding="utf-8")
    assert client.post("/api/record", json={"text": str(path)}).status_code == 422


def test_data_that_is_no_base64(client: TestClient) -> None:
    for path in ("/api/record", "/api/layout"):
        for data in ("åNàÈ", "x", "####"):
            answer = client.post(path, json={"data": data})
            assert (answer.status_code, answer.json()["error"]) == (422, "data is no base64")


def test_game_of_junqi_as_a_file(client: TestClient) -> None:
    dealt = junqi.deal(5, options="qq")
    played = dealt.play(dealt.legal_moves[0])
    record = {"game": "junqi", "start": dealt.notation, "moves": list(played.moves)}
    names = {"S": "김철수", "N": "北"}
    answer = client.post("/api/save", json={"record": record, "kind": "jgs", "headers": names})
    assert answer.status_code == 200, answer.text
    kept = parse_jgs(base64.b64decode(answer.json()["data"]))
    assert kept.position() == played
    assert kept.names["N"] == "北"
    assert send(client, base64.b64decode(answer.json()["data"]))["kind"] == "jgs"
    usual = {"game": "junqi", "start": junqi.deal(5).notation}
    for other in (usual, {"game": "othello"}):
        refused = client.post("/api/save", json={"record": other, "kind": "jgs"})
        assert refused.status_code == 422
        assert refused.json()["error"] == "this game cannot be saved as .jgs"


def test_list_has_all_games_and_one_is_asked_for_by_number(client: TestClient) -> None:
    games = "\n\n".join(
        f'[Event "{n}"]\n[White "Ann {n}"]\n[Black "Bo"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 1-0'
        for n in range(300)
    )
    listed = client.post("/api/record", json={"text": games, "listed": True}).json()["games"]
    assert len(listed) == 300
    assert all(one["record"] is None for one in listed)
    assert (listed[250]["headers"]["White"], listed[250]["moves"]) == ("Ann 250", 2)
    (one,) = client.post("/api/record", json={"text": games, "number": 250}).json()["games"]
    assert (one["headers"]["White"], one["record"]["moves"]) == ("Ann 250", ["e2e4", "e7e5", "g1f3"])
    assert client.post("/api/record", json={"text": games, "number": 300}).status_code == 422
    only = client.post("/api/record", json={"text": games.split("\n\n[E")[0], "listed": True}).json()["games"]
    assert only[0]["record"]["moves"] == ["e2e4", "e7e5", "g1f3"]


def test_players_of_wthor_by_name(client: TestClient) -> None:
    day = datetime.date(2026, 1, 1)
    played = othello_records.Record.of(finished(), black="Tamenori", white="Höhne")
    file = othello_records.wthor.WthorFile.from_records([played, played], day=day, year=2026)
    names = othello_records.wthor.write_names(file.players, othello_records.wthor.PLAYER_BYTES, day)
    parts = {"WTH_2026.wtb": file.to_bytes(), "WTHOR.JOU": names}
    for order in (list(parts), list(reversed(parts))):  # whichever was dropped first
        first, second = (base64.b64encode(parts[name]).decode() for name in order)
        beside = [{"name": order[1], "data": second}]
        sent = {"data": first, "name": order[0], "beside": beside, "listed": True}
        games = client.post("/api/record", json=sent).json()["games"]
        assert [one["title"] for one in games] == ["Tamenori - Höhne"] * 2
