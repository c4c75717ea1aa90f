"""The deck of mistakes: cards of an owner, which come again by a schedule."""

from __future__ import annotations

import time
from typing import Any

import pytest
from fastapi.testclient import TestClient

from kibitz.review.deck import DAY, INTERVALS, schedule

MISTAKE: dict[str, Any] = {
    "record": {"game": "chess", "moves": ["e2e4", "e7e5", "g1f3", "b8c6", "f1c4"]},
    "side": "black",
    "number": 6,
    "move": "d8g5",
    "played": "Qg5",
    "best": "g8f6",
    "bestName": "Nf6",
    "moves": ["g8f6", "d2d3"],
    "line": ["Nf6", "d3"],
    "label": "blunder",
    "loss": 0.4,
}


def add(client: TestClient, *mistakes: dict[str, Any]) -> dict[str, Any]:
    answer = client.post("/api/deck", json={"mistakes": mistakes})
    assert answer.status_code == 200, answer.text
    deck: dict[str, Any] = answer.json()
    return deck


def test_a_mistake_is_due_at_once_and_kept_once(client: TestClient) -> None:
    add(client, MISTAKE)
    deck = add(client, MISTAKE)
    assert (deck["total"], deck["due"]) == (1, 1)
    (card,) = deck["cards"]
    assert (card["game"], card["box"], card["mistake"]["bestName"]) == ("chess", 0, "Nf6")


def test_answers_move_a_card_away_or_back(client: TestClient) -> None:
    card = add(client, MISTAKE)["cards"][0]["id"]
    right = client.post(f"/api/deck/{card}", json={"good": True}).json()
    assert right["box"] == 1
    assert right["due"] == pytest.approx(time.time() + DAY, abs=30)
    deck = client.get("/api/deck").json()
    assert (deck["total"], deck["due"], deck["cards"]) == (1, 0, [])
    assert deck["next"] == right["due"]
    wrong = client.post(f"/api/deck/{card}", json={"good": False}).json()
    assert (wrong["box"], wrong["due"] < time.time() + DAY) == (0, True)
    assert client.delete(f"/api/deck/{card}").json() is True
    assert client.get("/api/deck").json()["total"] == 0


def test_exported_cards_keep_their_boxes_at_another_owner(client: TestClient) -> None:
    client.cookies.clear()
    other = {**MISTAKE, "move": "g8h6", "played": "Nh6"}
    first = add(client, MISTAKE, other)["cards"][0]["id"]
    due = client.post(f"/api/deck/{first}", json={"good": True}).json()["due"]
    deck = client.get("/api/export").json()["deck"]
    assert sorted(card["box"] for card in deck) == [0, 1]
    client.cookies.clear()
    assert client.get("/api/deck").json()["total"] == 0
    late = {**deck[0], "mistake": {**MISTAKE, "move": "g8e7"}, "box": 1, "due": time.time() + 900 * DAY}
    answer = client.post("/api/deck", json={"cards": [*deck, late]})
    assert answer.status_code == 200, answer.text
    assert (answer.json()["total"], answer.json()["due"], answer.json()["next"] < due) == (3, 1, True)
    again = client.get("/api/export").json()["deck"]
    assert sorted((card["box"], card["due"]) for card in again)[1] == (1, due)
    assert max(card["due"] for card in again) < time.time() + DAY  # no later than its box says
    client.cookies.clear()


def test_a_deck_is_its_owners(client: TestClient) -> None:
    card = add(client, MISTAKE)["cards"][0]["id"]
    other = {"Cookie": "kibitz_browser=" + "x" * 30}
    client.cookies.clear()
    assert client.get("/api/deck", headers=other).json()["total"] == 0
    assert client.post(f"/api/deck/{card}", json={"good": True}, headers=other).status_code == 404
    assert client.delete(f"/api/deck/{card}", headers=other).status_code == 404


def test_a_card_with_an_illegal_move_is_rejected(client: TestClient) -> None:
    answer = client.post("/api/deck", json={"mistakes": [{**MISTAKE, "best": "a1a8"}]})
    assert answer.status_code == 422
    assert "legal moves" in answer.json()["error"]


def test_the_schedule_grows_to_its_last_box() -> None:
    box, days = 0, []
    for _ in range(8):
        box, due = schedule(box, good=True, now=0.0)
        days.append(due / DAY)
    assert days == [1, 3, 7, 16, 35, 90, 90, 90]
    assert schedule(box, good=False, now=5.0) == (0, 5.0 + INTERVALS[0])
