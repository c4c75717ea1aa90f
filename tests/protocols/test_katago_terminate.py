"""A terminated query gets exactly one final answer, whatever moment the termination comes at."""

from __future__ import annotations

import io
import json
import random
import time
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from kibitz.engine import Engine
from kibitz.protocols.katago import AnalysisServer
from kibitz.protocols.katago_settings import Settings
from tests.protocols.katago_client import make_engine, query


def finals(text: str) -> Counter[tuple[str, int]]:
    answers = [json.loads(line) for line in text.splitlines()]
    return Counter((a["id"], a["turnNumber"]) for a in answers if a.get("isDuringSearch") is False)


def test_an_early_report_of_a_terminated_search_is_no_final_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    run = Engine.run

    def slow(self: Engine, *words: Any, **named: Any) -> Any:
        """Reports that nothing is known yet, just when the search is terminated."""
        for report in run(self, *words, **named):
            server.handle(b'{"id":"t","action":"terminate","terminateId":"q"}')
            yield replace(report, final=False, root=replace(report.root, visits=0))
            yield report

    monkeypatch.setattr(Engine, "run", slow)
    out = io.StringIO()
    server = AnalysisServer(make_engine, Settings(), out)
    server.serve(io.BytesIO(json.dumps(query(id="q")).encode()))
    assert finals(out.getvalue()) == {("q", 0): 1}


def test_terminations_at_random_moments() -> None:
    chance = random.Random(7)
    out = io.StringIO()
    server = AnalysisServer(make_engine, Settings(analysis_threads=3, max_visits=60), out)
    expected = set()
    for number in range(400):
        moves = [["b", "C3"], ["w", "D4"]]
        fields = {"moves": moves, "analyzeTurns": [0, 1, 2], "reportDuringSearchEvery": 0.001}
        server.handle(
            json.dumps(query(id=f"q{number}", maxVisits=chance.choice([1, 30, 300]), **fields)).encode()
        )
        expected |= {(f"q{number}", turn) for turn in range(3)}
        if chance.random() < 0.3:
            time.sleep(chance.random() * 0.004)
        target = f"q{max(0, number - chance.randrange(3))}"
        server.handle(json.dumps({"id": "t", "action": "terminate", "terminateId": target}).encode())
    server.handle(b'{"id":"all","action":"terminate_all"}')
    server.close()
    assert finals(out.getvalue()) == dict.fromkeys(expected, 1)
