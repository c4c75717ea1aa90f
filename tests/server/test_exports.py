"""Games as files: what is written is read by other programs as the same tree."""

from __future__ import annotations

import base64
import io
import random
from typing import Any

import pytest
from fastapi.testclient import TestClient

from kibitz.games import registry
from kibitz.games.base import Position

HEADERS = {"Black": "黒 Bo", "White": 'Ann "A" \\ ]', "Event": "Café", "Date": "2026.11.18", "Round": "3"}


def random_tree(start: Position, seed: int, size: int = 60) -> list[dict[str, Any]]:
    """Rows of a tree that grows at random from its newest nodes."""
    choose = random.Random(seed)
    rows, positions = [{"parent": -1, "comment": "the start"}], [start]
    while len(rows) < size:
        parent = max(0, len(rows) - 1 - choose.choice([0, 0, 0, 1, 5]))
        known = {row.get("move") for row in rows if row["parent"] == parent}
        moves = [move for move in positions[parent].legal_moves if move not in known and move != "pass"]
        if not moves:
            continue
        move = choose.choice(moves)
        row = {"parent": parent, "move": move, "comment": choose.choice(["", f"{len(rows)}: [a] {{b \\"])}
        row |= {"nags": choose.choice([[], [1], [2]]), "value": choose.choice([None, 0.25, 0.75])}
        rows.append(row)
        positions.append(positions[parent].play(move))
    return rows


def shape(rows: list[dict[str, Any]], parent: int = 0) -> list[Any]:
    """A tree as nested lists: the move, its comment and glyphs, what follows."""
    children = [number for number, row in enumerate(rows) if row["parent"] == parent and number]
    return [
        (rows[n]["move"], rows[n]["comment"].strip(), tuple(rows[n]["nags"]), shape(rows, n))
        for n in children
    ]


def export(client: TestClient, start: Position, rows: list[dict[str, Any]], kind: str) -> bytes:
    sent = {"record": start.open_dict(), "kind": kind, "headers": HEADERS, "tree": rows}
    answer = client.post("/api/save", json=sent)
    assert answer.status_code == 200, answer.text
    return base64.b64decode(answer.json()["data"])


def reopened(client: TestClient, data: bytes) -> dict[str, Any]:
    answer = client.post("/api/record", json={"data": base64.b64encode(data).decode()})
    assert answer.status_code == 200, answer.text
    (game,) = answer.json()["games"]
    return dict(game)


@pytest.mark.parametrize("seed", range(5))
def test_pgn_is_the_same_tree_for_python_chess(client: TestClient, seed: int) -> None:
    from chess import pgn

    start = registry.get("chess").position()
    rows = random_tree(start, seed)
    for row in rows:
        row["comment"] = row["comment"].replace("{", "(")  # which PGN cannot hold in a comment
    rows[1]["marks"] = [["d4", "d4", 0], ["g1", "f3", 1]]
    data = export(client, start, rows, "pgn")
    game = pgn.read_game(io.StringIO(data.decode()))
    assert game is not None
    assert not game.errors

    def read(node: Any) -> list[Any]:
        found = []
        for child in node.variations:
            child.set_eval(None)
            child.set_arrows([])
            found.append((child.uci(), child.comment.strip(), tuple(sorted(child.nags)), read(child)))
        return found

    first = game.variations[0]
    evals = [child.eval() for child in game.variations]
    known = [row["value"] for row in rows if row["parent"] == 0]
    assert [score is not None for score in evals] == [value is not None for value in known]
    assert {(arrow.tail, arrow.head, arrow.color) for arrow in first.arrows()} == {
        (27, 27, "green"),
        (6, 21, "red"),
    }
    assert game.headers["White"] == HEADERS["White"]
    assert read(game) == shape(rows)
    again = reopened(client, data)
    assert again["headers"]["Black"] == HEADERS["Black"]
    assert len(again["tree"]) == len(rows)


@pytest.mark.parametrize("seed", range(5))
def test_sgf_is_the_same_tree_for_sgfmill(client: TestClient, seed: int) -> None:
    from sgfmill import sgf

    start = registry.get("go").position(9, rules="japanese", komi=6.5)
    rows = random_tree(start, seed)
    rows[1] |= {"marks": [["C3", "C3", 0], ["C3", "D4", 1]], "lead": 2.5}
    data = export(client, start, rows, "sgf")
    game = sgf.Sgf_game.from_bytes(data)
    names = {1: "TE", 2: "BM"}

    def vertex(node: Any) -> str:
        row, column = node.get_move()[1]
        return f"{'ABCDEFGHJ'[column]}{row + 1}"

    def read(node: Any) -> list[Any]:
        return [
            (
                vertex(child),
                child.get("C").strip() if child.has_property("C") else "",
                tuple(glyph for glyph, name in names.items() if child.has_property(name)),
                read(child),
            )
            for child in node
        ]

    root = game.get_root()
    assert read(root) == shape(rows)
    assert (root.get("PB"), root.get("PW"), root.get("EV")) == (
        HEADERS["Black"],
        HEADERS["White"],
        HEADERS["Event"],
    )
    assert (root.get("DT"), root.get("C"), game.get_komi(), game.get_size()) == (
        "2026-11-18",
        "the start",
        6.5,
        9,
    )
    assert root[0].get("CR") == {(2, 2)}
    assert root[0].get("AR") == [((2, 2), (3, 3))]
    assert root[0].get("V") == 2.5
    again = reopened(client, data)
    assert again["headers"]["White"] == HEADERS["White"]
    assert again["headers"]["Date"] == "2026.11.18"
    assert len(again["tree"]) == len(rows)


def test_ggf_has_the_main_line_and_names(client: TestClient) -> None:
    start = registry.get("othello").position()
    rows = random_tree(start, 7, 30)
    rows[1]["lead"] = 4
    again = reopened(client, export(client, start, rows, "ggf"))
    line, at = [], 0
    while children := [n for n, row in enumerate(rows) if n and row["parent"] == at]:
        at = children[0]
        line.append(rows[at]["move"])
    assert again["record"]["moves"] == line
    assert (again["headers"]["Black"], again["headers"]["Event"]) == (HEADERS["Black"], HEADERS["Event"])


@pytest.mark.parametrize(
    "rows",
    [
        [{"parent": -1}, {"parent": 0, "move": "e2e5"}],
        [{"parent": -1}, {"parent": 5, "move": "e2e4"}],
        [{"parent": -1}, {"parent": 1, "move": "e2e4"}],
        [{"parent": -1, "marks": [["d4", "z9", 0]]}],
        [{"parent": -1, "marks": [["d4", "d5", 9]]}],
    ],
)
def test_wrong_trees_are_refused(client: TestClient, rows: list[dict[str, Any]]) -> None:
    sent = {"record": {"game": "chess"}, "kind": "pgn", "tree": rows}
    answer = client.post("/api/save", json=sent)
    assert answer.status_code == 422, answer.text
    assert isinstance(answer.json()["error"], str)


def test_line_of_a_record_is_written_as_by_the_command_line(client: TestClient) -> None:
    from kibitz.games.chess.pgn import pgn_text

    start = registry.get("chess").position()
    last = start.play("e4", "e5", "Nf3")
    rows = [{"parent": -1}, *({"parent": n, "move": move} for n, move in enumerate(last.moves))]
    sent = {"record": start.open_dict(), "kind": "pgn", "tree": rows, "headers": {"White": "Ann"}}
    answer = client.post("/api/save", json=sent)
    assert base64.b64decode(answer.json()["data"]).decode() == pgn_text(last, {"White": "Ann"}) + "\n"
