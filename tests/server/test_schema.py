"""Schemathesis over the OpenAPI description: whatever is sent, no answer is an error of the server."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from kibitz.server.settings import Limits
from tests.server.conftest import running_server

schemathesis = pytest.importorskip("schemathesis", reason="schemathesis needs Python 3.11")

#: Of each operation; a thousand found nothing more.
_EXAMPLES = 15


@pytest.fixture(scope="module")
def open_address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server with a database of its own and no limits on rates."""
    folder = tmp_path_factory.mktemp("schema")
    yield from running_server(folder, limits=Limits(rate=1e6, burst=10**6), runs=folder)


def check(operation: Any, answers: set[int]) -> None:
    """Calls an operation with what its description allows and forbids; the answers' codes are added."""

    @settings(
        max_examples=_EXAMPLES,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy())
    def call(case: Any) -> None:
        answer = case.call()
        answers.add(answer.status_code)
        assert answer.status_code < 500, f"{case.method} {case.path} {case.body!r}: {answer.text[:400]}"

    call()


def test_no_server_error(open_address: str) -> None:
    schema = schemathesis.openapi.from_url(f"{open_address}/openapi.json")
    operations = [result.ok() for result in schema.get_all_operations()]
    assert len(operations) >= 15
    seen: dict[str, set[int]] = {}
    for operation in operations:
        check(operation, seen.setdefault(operation.label, set()))
    assert all(seen.values())
    assert any(200 in answers for answers in seen.values())
