"""The unit tests of the page's modules (tests/server/page), run by Node.js."""

from __future__ import annotations

import re

import pytest

from tools.page_checks import TESTS, node, run_tests


def test_unit_tests_of_the_page() -> None:
    program = node()
    if program is None:
        pytest.skip("no Node.js of version 20.19 or newer (make installs one with the development lock)")
    done = run_tests(program)
    assert done.returncode == 0, done.stdout + done.stderr
    passed = re.search(r"pass (\d+)", done.stdout)
    assert passed is not None
    written = sum(path.read_text(encoding="utf-8").count("\ntest(") for path in TESTS.glob("*.test.js"))
    assert int(passed[1]) == written
