"""No error that the page shows is in English on a page of another language."""

from __future__ import annotations

import base64
import json
import random
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from kibitz.games import registry
from kibitz.sentences import Sentence
from tests.fuzz.mutate import mutant

CORPUS = Path(__file__).parent.parent / "fuzz" / "corpus"
#: Two English words side by side.
PROSE = re.compile(r"\b[a-z]{3,} [a-z]{2,}\b")


def text(words: str) -> tuple[str, dict[str, Any]]:
    return "/api/record", {"text": words}


def at(game: str, start: str | None = None, *moves: str) -> tuple[str, dict[str, Any]]:
    return "/api/position", {"record": {"game": game, "start": start, "moves": list(moves)}}


def file(data: bytes, name: str) -> tuple[str, dict[str, Any]]:
    return "/api/record", {"data": base64.b64encode(data).decode(), "name": name}


def edited(game: str, *pieces: tuple[str, str, str]) -> tuple[str, dict[str, Any]]:
    rows = [{"place": place, "kind": kind, "side": side} for place, kind, side in pieces]
    return "/api/edit", {"record": {"game": game}, "pieces": rows, "mover": "white"}


#: What people do get wrong: a path of the API and what is sent to it, by game.
WRONG: dict[str, list[tuple[str, dict[str, Any]]]] = {
    "go": [
        at("go", None, "Z99"),
        at("go", None, "D4", "D4"),
        at("go", "X./.. q"),
        at("go", "X../.. b"),
        at("go", "X./.Z b"),
        at("go", "X./.. b rules=chess"),
        at("go", "X./.. b komi=lots"),
        at("go", "X./.. b what=1"),
        ("/api/position", {"record": {"game": "go", "size": 99, "moves": []}}),
        ("/api/position", {"record": {"game": "go", "komi": 0.3, "moves": []}}),
        ("/api/new", {"game": "go", "size": 77}),
        ("/api/new", {"game": "go", "handicap": 50}),
        ("/api/new", {"game": "go", "komi": 1000}),
        text("(;SZ[9];B[zz])"),
        text("(;SZ[99];B[aa])"),
        text("(;SZ[9];B[aa"),
        text("(;SZ[nine])"),
        ("/api/count", {"record": {"game": "go"}}),
    ],
    "chess": [
        at("chess", None, "e2e5"),
        at("chess", None, "Nf6"),
        at("chess", None, "O-O"),
        at("chess", None, "hello"),
        at("chess", "8/8/8/8/8/8/8/8 w - - 0 1"),
        at("chess", "rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
        at("chess", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN w KQkq - 0 1"),
        at("chess", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1"),
        at("chess", "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1"),
        at("chess", "P3k3/8/8/8/8/8/8/4K3 w - - 0 1"),
        at("chess", "4k3/8/8/8/8/8/8/4K3 w KQ - 0 1"),
        at("chess", "4k3/8/8/8/8/8/8/4K3 w - e6 0 1"),
        text('[Event "x"]\n\n1. e4 e5 2. Ke4 *'),
        text('[FEN "8/8 w"]\n\n1. e4 *'),
        text('[Variant "Atomic"]\n\n1. e4 *'),
        text('[Event "x"]\n\n1. e4 (1. d4 *'),
        text("1. e4 e5 2. Qh9"),
        edited("chess"),
        edited("chess", ("e1", "K", "white"), ("e8", "K", "black"), ("a8", "P", "white")),
    ],
    "othello": [
        at("othello", None, "a1"),
        at("othello", None, "z9"),
        at("othello", "---- X"),
        at("othello", "-" * 64 + " X"),
        at("othello", "-" * 64),
        at("othello", "?" + "-" * 63 + " X"),
        text("(;GM[Othello]BO[8 ---]B[f5];)"),
        text("(;GM[Othello]PB[a]BO[8 " + "-" * 27 + "O*" + "-" * 6 + "*O" + "-" * 27 + " *]B[a1];)"),
        text("f5f5"),
        file(bytes(16) + b"\x01", "games.wtb"),
        file(bytes(5), "games.wtb"),
    ],
    "uttt": [
        at("uttt", None, "99"),
        at("uttt", None, "44", "00"),
        at("uttt", "........./........ x -"),
        at("uttt", "/".join(["........."] * 9) + " x 4"),
        at("uttt", "/".join(["XXX......"] + ["........."] * 8) + " o -"),
        at("uttt", "/".join(["........."] * 9) + " q -"),
    ],
    "junqi": [
        at("junqi", None, "S11-S11"),
        at("junqi", None, "hello"),
        at("junqi", "4 dark S"),
        at("junqi", "4 strange"),
        ("/api/new", {"game": "junqi", "players": 3}),
        ("/api/layout", {"layout": "FFFF"}),
        file(b"QQGame JQL File\0" + bytes(34), "mine.jql"),
        file(b"QQGame JQL File", "mine.jql"),
        file(b"QQGame JQS" + bytes(40), "game.jgs"),
    ],
    "": [
        text(""),
        text("hello"),
        text("{"),
        text('{"game": "go", "moves": 3}'),
        text('{"moves": []}'),
        ("/api/record", {}),
        ("/api/record", {"text": 3}),
        ("/api/rooms", {"new": {"game": "chess"}, "engines": {"green": "casual"}}),
        ("/api/style/report", {"a": "1. e4 e5 *", "b": "1. d4 d5 *"}),
        ("/api/save", {"record": {"game": "chess"}, "kind": "sgf"}),
        ("/api/reviews/try", {"record": {"game": "chess"}, "move": "e5", "best": "e4"}),
        ("/api/deck", {"mistakes": [{"record": {"game": "chess"}, "move": "e5", "best": "e4"}]}),
    ],
}


def texts_in(said: Mapping[str, Any]) -> Iterator[str]:
    """The values of a sentence and of those inside it that are text."""
    for value in said["values"].values():
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, dict):
                yield from texts_in(one)
            elif isinstance(one, str):
                yield one


def check(answer: Mapping[str, Any], sent: str) -> list[str]:
    """Words the error as the pages do; what it says in Korean and Chinese."""
    said = Sentence.from_dict({**answer, "text": answer["error"]})
    assert said.code == answer["code"] != "text"
    worded = [said.worded(language) for language in ("ko", "zh-Hans", "zh-Hant")]
    if not said.code.startswith("error.plain"):
        for value in texts_in(answer):
            assert not PROSE.search(value) or value in sent or value.strip("'\"") in sent, (value, answer)
    return worded


@pytest.mark.parametrize("game", WRONG)
def test_errors_are_worded_in_every_language(client: TestClient, game: str) -> None:
    assert not game or game in registry.BUILT_IN
    for path, body in WRONG[game]:
        answer = client.post(path, json=body)
        if path == "/api/layout":  # it answers with what is wrong
            faults = answer.json()["faults"]
            assert [fault["code"].partition(".")[0] for fault in faults] == ["reason"]
            continue
        assert 400 <= answer.status_code < 500, (path, body, answer.text)
        worded = check(answer.json(), json.dumps(body))
        assert all(re.search("[가-힣\u4e00-\u9fff]", line) for line in worded), worded
        # Only what no page sends, or text that nobody could name, has no words of its own.
        if game:
            assert "plain" not in answer.text, (path, body, answer.json())


@pytest.mark.parametrize("name", ["sgf", "pgn", "ggf", "obf", "jgs", "jql", "transcript", "junqi-texts"])
def test_errors_of_damaged_records_are_worded(client: TestClient, name: str) -> None:
    chance = random.Random(name)
    lines = (CORPUS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    seeds = [str(json.loads(line)).encode("latin-1", "replace") for line in lines if line]
    errors = 0
    for _ in range(25):
        words = mutant(chance.choice(seeds), seeds, chance).decode("latin-1")
        answer = client.post("/api/record", content=json.dumps({"text": words}))
        if answer.status_code != 200:
            check(answer.json(), json.dumps(words) + words)
            errors += 1
    assert errors
