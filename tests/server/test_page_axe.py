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
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kibitz.games import registry
from tests.server.conftest import DESKTOP, LYING, PHONE
from tests.server.pages import choose_game, gesture, open_text, shown_moves, stop_analysis, use_tool
from tests.server.test_page_lab import with_runs as with_runs
from tests.server.test_page_rooms import open_room, sit

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
    result = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    return [
        f"{rule['id']}: {node['target']} {node['failureSummary']}"
        for rule in result["violations"]
        if rule["impact"] in _SERIOUS
        for node in rule["nodes"]
    ]


@pytest.fixture(params=["light", "dark"])
def opened(request: pytest.FixtureRequest, browser: Any, address: str) -> Iterator[Any]:
    """The page in a scheme of colours."""
    context = browser.new_context(color_scheme=request.param, locale="en-GB", viewport=DESKTOP)
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.goto(address)
    page.wait_for_selector("body[data-ready]")
    yield page
    context.close()


@pytest.mark.parametrize("game", registry.names())
def test_board_with_analysis_and_comparison(opened: Any, axe: str, game: str) -> None:
    choose_game(opened, game)
    opened.click("#analyze")
    opened.locator(".candidates tbody tr").nth(2).wait_for()
    stop_analysis(opened)
    second = shown_moves(opened)[1]
    gesture(opened, second, "include")
    opened.locator(".chip .answer", has_text="%").first.wait_for()
    stop_analysis(opened)
    use_tool(opened, "compare-open")
    opened.click("#compare-run")
    for number in (0, 1):
        opened.locator(".compare-side").nth(number).locator(".tree-node").first.wait_for(state="attached")
    opened.click("#compare-run")
    opened.locator("#compare-run:not(.running)").wait_for()
    assert violations(opened, axe) == []
    opened.locator(".candidates .acts button").first.click()
    assert violations(opened, axe) == []


@pytest.mark.parametrize(
    "opener", ["new", "open", "share", "room", "help", "look", "edit", "rules", "my-games"]
)
def test_dialog(opened: Any, axe: str, opener: str) -> None:
    use_tool(opened, opener)
    opened.locator("dialog[open]").wait_for()
    assert violations(opened, axe) == []


@pytest.mark.parametrize("size", [PHONE, LYING], ids=["phone", "lying"])
@pytest.mark.parametrize("game", registry.BUILT_IN)
def test_phone_with_its_menu(opened: Any, axe: str, game: str, size: dict[str, int]) -> None:
    opened.set_viewport_size(size)
    choose_game(opened, game)
    opened.click("#more")
    opened.locator("#menu").wait_for()
    assert violations(opened, axe) == []


def test_result(opened: Any, axe: str) -> None:
    open_text(opened, "1. f3 e5 2. g4 Qh4#")
    opened.locator("#result-winner").wait_for()
    assert violations(opened, axe) == []


def test_review_with_mistakes(opened: Any, axe: str) -> None:
    use_tool(opened, "open")
    opened.fill("#record-text", "1. e4 e5 2. Qh5 Ke7 3. Qxe5#")
    opened.click("#record-open")
    opened.locator("#tree .move.current", has_text="Qxe5#").wait_for()
    opened.click("#review")
    opened.locator("#learn").wait_for()
    assert violations(opened, axe) == []
    opened.click("#learn")
    opened.locator("#learning").wait_for()
    assert violations(opened, axe) == []


@pytest.mark.parametrize("game", registry.names())
def test_room(opened: Any, axe: str, game: str) -> None:
    opened.goto(open_room(opened, game, "600+5"))
    seat, *others = registry.get(game).position().seat_names
    opened.locator(f'[data-sit="{seat}"]').wait_for()
    assert violations(opened, axe) == []  # somebody who came by the link
    sit(opened, seat, "Ann")
    for other in others:
        opened.select_option(f'[data-engine="{other}"]', "beginner")
    if game == "junqi":
        opened.locator("#layout-ready:enabled").wait_for()
        assert violations(opened, axe) == []
        opened.click("#layout-ready")
    opened.locator('body[data-phase="playing"]').wait_for()
    assert violations(opened, axe) == []
    opened.click("#room-resign")
    opened.locator("dialog[open]").wait_for()
    assert violations(opened, axe) == []
    opened.click("#resign-sure")
    opened.locator("#room-resign").wait_for(state="detached")
    assert violations(opened, axe) == []


@pytest.mark.parametrize("path", ["matches", "training", "networks", "style", "cluster"])
def test_lab(opened: Any, with_runs: str, axe: str, path: str) -> None:
    opened.goto(f"{with_runs}/lab.html#{path}")
    opened.locator(f"#page-{path} > *").first.wait_for()
    assert violations(opened, axe) == []


def test_description_of_the_api(opened: Any, address: str, axe: str) -> None:
    opened.goto(f"{address}/docs")
    opened.locator("main h2").first.wait_for()
    assert violations(opened, axe) == []
