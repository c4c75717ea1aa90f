"""KaTrain's queries, in the form its engine module sends them, answered without change."""

from __future__ import annotations

from typing import Any

from tests.protocols.katago_client import ask

#: What KaTrain reads of an answer (katrain/core/engine.py and game_node.py).
MOVE = ("move", "visits", "winrate", "scoreLead", "prior", "order", "pv", "utility", "lcb", "scoreSelfplay")
ROOT = ("winrate", "scoreLead", "visits")


def katrain_query(number: int, **changes: Any) -> dict[str, Any]:
    query = {
        "id": f"QUERY:{number}",
        "rules": "japanese",
        "priority": 0,
        "analyzeTurns": [2],
        "maxVisits": 25,
        "komi": 6.5,
        "boardXSize": 9,
        "boardYSize": 9,
        "includeOwnership": True,
        "includeMovesOwnership": True,
        "includePolicy": True,
        "initialStones": [],
        "initialPlayer": "B",
        "moves": [["B", "E5"], ["W", "C4"]],
        "overrideSettings": {"maxTime": 8.0, "wideRootNoise": 0.04},
    }
    return {**query, **changes}


def test_a_conversation_with_katrain() -> None:
    answers = ask(
        {"id": "VERSION", "action": "query_version"},
        katrain_query(1),
        katrain_query(2, moves=[], analyzeTurns=[0], rules="chinese", komi=7.5, reportDuringSearchEvery=1),
        katrain_query(
            3, initialStones=[["B", "C3"], ["B", "G7"]], initialPlayer="W", moves=[], analyzeTurns=[0]
        ),
        katrain_query(4, avoidMoves=[{"moves": ["A9", "B9"], "player": "B", "untilDepth": 1}]),
        katrain_query(5, maxVisits=1, includeOwnership=False, includeMovesOwnership=False),
        {"id": "TERM", "action": "terminate", "terminateId": "QUERY:5"},
    )
    assert not [answer for answer in answers if "error" in answer or "warning" in answer]
    final = {answer["id"]: answer for answer in answers if answer.get("isDuringSearch") is False}
    assert sorted(final) == [f"QUERY:{n}" for n in range(1, 6)]
    for answer in final.values():
        if answer.get("noResults"):
            continue
        assert all(name in answer["rootInfo"] for name in ROOT)
        assert len(answer["policy"]) == 82
        for info in answer["moveInfos"]:
            assert all(name in info for name in MOVE)
            assert len(info["ownership"]) == 81
    assert len(final["QUERY:1"]["ownership"]) == 81
    moves = {info["move"] for info in final["QUERY:4"]["moveInfos"]}
    assert not {"A9", "B9"} & moves
