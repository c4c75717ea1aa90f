"""axe over every page, light and dark: no serious or critical violation.

The script (npm `axe-core`) is fetched when the tests run and is no part of Kibitz; `KIBITZ_AXE` names a file
of your own. Without either the tests are skipped.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tarfile
from pathlib import Path
from typing import Any

import pytest

from tests.server.pages import choose_game

pytestmark = pytest.mark.browser

_PACKAGE = "axe-core@4.14.0"
_SHA256 = "2277b0a3ef47af9b52497faa3e71598e86e0a0e5e6eb295207a5657ede4709af"
_SERIOUS = ("serious", "critical")


@pytest.fixture(scope="session")
def axe(pytestconfig: pytest.Config) -> str:
    """The script's text."""
    if named := os.environ.get("KIBITZ_AXE"):
        return Path(named).read_text(encoding="utf-8")
    folder = Path(pytestconfig.cache.mkdir("axe"))  # type: ignore[union-attr]
    packed = folder / "axe-core-4.14.0.tgz"
    if not packed.exists():
        npm = shutil.which("npm")
        if npm is None:
            pytest.skip("axe is not here: there is no npm to fetch it with, and KIBITZ_AXE names no file")
        command = [npm, "pack", _PACKAGE, "--silent", "--pack-destination", str(folder)]
        done = subprocess.run(command, capture_output=True, timeout=200, check=False)
        if done.returncode or not packed.exists():
            pytest.skip("axe is not here: npm could not fetch it")
    assert hashlib.sha256(packed.read_bytes()).hexdigest() == _SHA256
    with tarfile.open(packed) as archive:
        member = archive.extractfile("package/axe.min.js")
        assert member is not None
        return member.read().decode()


def violations(page: Any, axe: str) -> list[str]:
    """What axe finds to be serious, one line each."""
    # The content security policy forbids scripts of others; what the debugger evaluates is not bound by it.
    page.evaluate(axe)
    found = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    return [
        f"{rule['id']}: {node['target']} {node['failureSummary']}"
        for rule in found["violations"]
        if rule["impact"] in _SERIOUS
        for node in rule["nodes"]
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_boards_with_an_analysis(browser: Any, address: str, axe: str, scheme: str) -> None:
    page = browser.new_page(color_scheme=scheme, locale="en-GB")
    page.set_default_timeout(60_000)
    page.goto(address)
    page.wait_for_selector("body[data-ready]")
    found: list[str] = []
    for game in ("go", "chess", "othello", "uttt", "junqi"):
        choose_game(page, game)
        if game == "othello":
            page.click("#analyse")
            page.locator(".candidates tbody tr").nth(2).wait_for()
            page.click("#analyse")
            page.click("#compare-open")
            page.locator("#setting-1").wait_for()
        found += violations(page, axe)
    for opener in ("#share", "#open", "#new", "#studies", "#help"):
        page.click(opener)
        page.locator("dialog[open]").wait_for()
        found += violations(page, axe)
        page.keyboard.press("Escape")
        page.locator("dialog[open]").wait_for(state="detached")
    page.close()
    assert found == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", ["/lab.html#matches", "/lab.html#networks", "/lab.html#style", "/docs"])
def test_other_pages(browser: Any, address: str, axe: str, path: str, scheme: str) -> None:
    page = browser.new_page(color_scheme=scheme, locale="en-GB")
    page.set_default_timeout(60_000)
    page.goto(address + path)
    page.locator("main :is(h1, h2)").first.wait_for()
    found = violations(page, axe)
    page.close()
    assert found == []
