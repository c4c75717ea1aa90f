"""A conversation with KaTrain 1.17.1, recorded: what its engine class sent while it talked to
`kibitz katago analysis` (turns of a game, fast analysis, alternatives, a region, a sweep, other settings,
handicap, pondering and the end of it), answered again here without a change."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.protocols.katago_client import ask

SENT = [
    json.loads(line)
    for line in (Path(__file__).parent / "data" / "katrain-1.17.1.jsonl").read_text().splitlines()
]
#: What KaTrain reads of an answer (its engine and its game node).
MOVE = ("move", "visits", "winrate", "scoreLead", "prior", "order", "pv", "utility", "lcb", "scoreSelfplay")
ROOT = ("winrate", "scoreLead", "visits")


@pytest.fixture(scope="module")
def answers() -> list[dict[str, Any]]:
    return ask(*SENT)


def test_nothing_is_refused(answers: list[dict[str, Any]]) -> None:
    assert not [answer for answer in answers if "error" in answer or "warning" in answer]
    asked = {query["id"] for query in SENT}
    final = [answer["id"] for answer in answers if not answer.get("isDuringSearch", False)]
    assert sorted(final) == sorted(asked)


def test_answers_have_what_katrain_reads(answers: list[dict[str, Any]]) -> None:
    by_id = {query["id"]: query for query in SENT}
    seen = 0
    for answer in answers:
        if "action" in answer or answer.get("noResults"):
            continue
        query = by_id[answer["id"]]
        seen += 1
        assert answer["turnNumber"] == query["analyzeTurns"][0]
        assert all(name in answer["rootInfo"] for name in ROOT)
        assert len(answer["policy"]) == 82
        assert ("ownership" in answer) == query["includeOwnership"]
        for info in answer["moveInfos"]:
            assert all(name in info for name in MOVE)
            assert ("ownership" in info) == query["includeMovesOwnership"]
    assert seen >= 10


def test_alternatives_and_regions_leave_out_what_was_avoided(answers: list[dict[str, Any]]) -> None:
    checked = 0
    for query in SENT:
        avoided = {move for rule in query.get("avoidMoves", ()) for move in rule["moves"]}
        for answer in answers:
            if avoided and answer["id"] == query["id"] and answer.get("moveInfos"):
                assert not avoided & {info["move"] for info in answer["moveInfos"]}
                checked += 1
    assert checked >= 2
