"""Whatever a client sends, it gets an answer in the documented shape and the engine goes on."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

from tests.protocols.katago_client import Client, ask, query

VALUES: list[Any] = [
    None, True, False, 0, -1, 1.5, 2**63, 1e308, float("nan"), float("inf"), "", "x", "b", "D4", "pass", [],
    {}, [[]], [{}], [["B", "D4"]], [["W", "D4"], ["W", "D4"]], [["B", "Z99"]], [0], [[0, 1]], {"a": []},
    "9" * 5000, [{"turnNumber": 0, "player": "b", "moves": ["D4", "D4", "pass"]}],
    [{"player": "b", "moves": [], "untilDepth": 1}],
]  # fmt: skip
FIELDS = [
    "id",
    "moves",
    "rules",
    "komi",
    "boardXSize",
    "boardYSize",
    "initialStones",
    "initialPlayer",
    "analyzeTurns",
    "maxVisits",
    "rootPolicyTemperature",
    "rootFpuReductionMax",
    "analysisPVLen",
    "avoidMoves",
    "allowMoves",
    "overrideSettings",
    "includeOwnership",
    "includePolicy",
    "priority",
    "priorities",
    "reportDuringSearchEvery",
    "includeMoves",
    "includeMovesMinVisits",
    "whiteHandicapBonus",
    "action",
    "terminateId",
    "turnNumbers",
    "colour",
]


def lines(seed: int, count: int) -> Iterator[bytes]:
    """Queries with up to three fields replaced, some of them cut off or with a byte changed."""
    chance = random.Random(seed)
    for number in range(count):
        given = query(id=str(number), maxVisits=3)
        for _ in range(chance.randrange(1, 4)):
            given[chance.choice(FIELDS)] = chance.choice(VALUES)
        if isinstance(given.get("maxVisits"), (int, float)) and given["maxVisits"] > 100:
            given["maxVisits"] = 5
        given.setdefault("overrideSettings", {"maxTime": 0.2})
        text = json.dumps(given).encode()
        if chance.random() < 0.2:
            cut = chance.randrange(len(text))
            text = text[:cut] + (b"" if chance.random() < 0.5 else b"\xff" + text[cut + 1 :])
        yield text


def test_broken_queries_are_answered_and_the_engine_goes_on() -> None:
    given = list(lines(1, 400))
    answers = Client(threads=2).ask(*given, query(id="last", maxVisits=2))
    assert any(
        answer["id"] == "last" and answer["rootInfo"]["visits"] == 2 for answer in answers if "id" in answer
    )
    for answer in answers:
        known = {"error", "warning", "moveInfos", "noResults", "action"} & set(answer)
        assert known, answer
        if "error" in answer or "warning" in answer:
            assert isinstance(answer.get("error", answer.get("warning")), str)
    answered = {answer.get("id") for answer in answers}
    for line in given:
        try:
            wanted = json.loads(line)
        except ValueError:
            continue
        if (
            isinstance(wanted, dict)
            and isinstance(wanted.get("id"), str)
            and wanted.get("analyzeTurns") != []
        ):
            assert wanted["id"] in answered, line


def test_a_line_of_a_hundred_megabytes() -> None:
    huge = b'{"id":"huge","moves":[' + b'["B","D4"],' * 9_500_000 + b"[]]}"
    assert len(huge) > 100_000_000
    answers = ask(huge, query(maxVisits=2))
    assert answers[0]["id"] == "huge"
    assert "longer than" in answers[0]["error"]
    assert answers[1]["rootInfo"]["visits"] == 2
