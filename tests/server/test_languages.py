"""The texts of the page: the same in every language."""

from __future__ import annotations

import json
import re
from collections import Counter

import pytest
from fastapi.testclient import TestClient

from kibitz.games import junqi, registry
from kibitz.sentences import LANGUAGES, table
from kibitz.sentences import TEXTS as WORDS
from kibitz.server.page_files import PAGE

TEXTS = {name: json.loads((PAGE / "i18n" / f"{name}.json").read_text(encoding="utf-8")) for name in LANGUAGES}


def placeholders(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", text))


@pytest.mark.parametrize("name", LANGUAGES[1:])
def test_language_has_every_text_with_its_values(name: str) -> None:
    assert TEXTS[name].keys() == TEXTS["en"].keys()
    for key, text in TEXTS["en"].items():
        assert TEXTS[name][key].strip(), key
        assert placeholders(TEXTS[name][key]) == placeholders(text), key


@pytest.mark.parametrize("name", LANGUAGES)
def test_no_key_is_written_twice(name: str) -> None:
    """JSON keeps the last one, so that the other text would be shown nowhere."""
    for folder in (PAGE / "i18n", WORDS, WORDS / "reasons"):
        text = (folder / f"{name}.json").read_text(encoding="utf-8")
        keys: list[str] = []
        json.loads(text, object_pairs_hook=lambda pairs, keys=keys: keys.extend(key for key, _ in pairs))
        assert [key for key, count in Counter(keys).items() if count > 1] == []


@pytest.mark.parametrize("name", LANGUAGES)
def test_page_gets_its_texts_and_those_of_sentences(client: TestClient, name: str) -> None:
    assert not TEXTS[name].keys() & table(name).keys()
    reasons = {code for code in table() if code.startswith("reason.")} if name == "en" else set()
    words = {code: text for code, text in table(name).items() if code not in reasons}
    assert client.get(f"/i18n/{name}.json").json() == {**TEXTS[name], **words}


def test_levels_are_named_and_described_alike() -> None:
    """Every level of every game is one of those that the page describes, in the same order."""
    described = [key.split(".")[1] for key in TEXTS["en"] if re.fullmatch(r"strength\.\w+\.about", key)]
    for game in registry.BUILT_IN:
        names = [level.name for level in registry.get(game).levels]
        assert names == [name for name in described if name in names], game
        assert (names[0], names[-1]) == ("beginner", "full")


def test_errors_of_players_have_codes(client: TestClient) -> None:
    answer = client.post("/api/position", json={"record": {"game": "othello", "moves": ["a1"]}}).json()
    assert answer["code"] == "error.illegalMove"
    assert answer["values"] == {"move": "a1", "seat": "black", "legal": "d3, c4, f5, e6"}
    assert answer["error"] == "illegal move a1 for black; legal: d3, c4, f5, e6"
    chess = client.post("/api/position", json={"record": {"game": "chess", "moves": ["e2e5"]}}).json()
    assert chess["code"] == "error.illegalIn"
    taken = {"game": "go", "moves": ["D4", "D4"]}
    go = client.post("/api/position", json={"record": taken}).json()
    assert (go["code"], go["values"]["why"]["code"]) == ("error.illegalWhy", "go.pointTaken")
    assert go["error"] == "illegal move D4 for white: the point is taken"
    bare = {"record": {"game": "chess"}, "pieces": [], "mover": "white"}
    edited = client.post("/api/edit", json=bare).json()
    assert (edited["code"], edited["values"]["game"]) == ("error.badPosition", "chess")
    empty = client.post("/api/record", json={"text": " "}).json()
    assert empty == {"error": "there is nothing to read", "code": "error.nothingToRead", "values": {}}


def test_faults_of_layouts_have_codes(client: TestClient) -> None:
    lance = junqi.layouts.NAMED["lance"]
    swapped = lance.replace("F", "x").replace(lance[0], "F", 1).replace("x", lance[0])
    faults = client.post("/api/layout", json={"layout": swapped}).json()["faults"]
    assert [(fault["code"], fault["values"]) for fault in faults] == [
        ("junqi.flagMisplaced", {"row": "1", "column": "1"})
    ]
