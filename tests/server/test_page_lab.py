"""The pages beside the boards in Chromium: matches, training runs, networks, style reports, tables."""

from __future__ import annotations

import gzip
import re
import threading
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from kibitz.nets import store
from kibitz.training.samples.ledger import Ledger
from tests.nets.katago_writer import katago_file
from tests.server.conftest import open_page, running_server
from tests.server.pages import use_tool
from tests.server.run_logs import write_match, write_training
from tests.server.test_runs import SPRT
from tests.server.test_tables import late_position

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def with_runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder: Path = tmp_path_factory.mktemp("runs")
    write_match(folder / "sprt.jsonl", 120, sprt=SPRT)
    write_training(folder / "go1", 2000)
    with Ledger(folder / "run", "othello", origin={"games": 100}):  # somebody drives it
        yield from running_server(tmp_path_factory.mktemp("lab"), runs=folder)


@pytest.fixture
def lab(browser: Any, with_runs: str) -> Iterator[Any]:
    yield from open_page(browser, f"{with_runs}/lab.html", phone=False)


def test_match_with_score_elo_and_test(lab: Any) -> None:
    lab.locator('[data-figure="match.sprt"] .chart-line').wait_for(state="attached")
    assert re.fullmatch(r"uct . flat", lab.locator("#match-head h2").inner_text())
    assert lab.locator('[data-fact="match.games"]').inner_text() == "56 / 400"  # where the test was decided
    assert "62.5%" in lab.locator('[data-fact="match.score"]').inner_text()
    assert "LLR +" in lab.locator('[data-fact="match.sprt"]').inner_text()
    for figure in ("match.score", "match.elo"):
        assert lab.locator(f'[data-figure="{figure}"] .chart-band').count() == 1


def test_training_and_networks_and_style(lab: Any) -> None:
    lab.click('a[href="#training"]')
    lab.locator('[data-figure="total"] .chart-line').nth(1).wait_for(state="attached")
    assert "2,000 steps" in lab.locator("#run-head").inner_text()
    lab.click('a[href="#networks"]')
    lab.locator("#networks, #no-networks").first.wait_for()
    lab.click('a[href="#style"]')
    lab.fill("#games-A", "1. e4 e5 *\n\n1. d4 d5 *\n\n1. e4 c5 *\n")
    lab.fill("#games-B", "1. Nf3 d5 2. g3 c5 *\n\n1. b3 e5 2. Bb2 *\n")
    lab.click("#style-compare")
    lab.locator('#style-table [data-metric="s"]').wait_for()
    assert lab.locator("#style-answer .picture svg").count() == 1


def test_a_public_network_is_fetched_by_a_button(
    lab: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, own_folders: None
) -> None:
    """Source and size, then a bar with what is there, then what is used."""
    go_on = threading.Event()

    def download(package: str, folder: str, received: Callable[[int], None]) -> None:
        received(53_000_000)
        assert go_on.wait(60)
        with zipfile.ZipFile(Path(folder) / "katrain-1.whl", "w") as archive:
            archive.writestr("katrain/models/strong.bin.gz", gzip.compress(katago_file(8)))

    monkeypatch.setattr(store, "_download", download)
    lab.click('a[href="#networks"]')
    offer = lab.locator('[data-public="go"]')
    offer.get_by_text("katrain==").wait_for()
    assert "106 MB" in offer.inner_text()
    offer.get_by_role("button").click()
    offer.get_by_text("53 of about 106 MB").wait_for()
    assert offer.locator("progress").evaluate("bar => bar.position") == 0.5
    go_on.set()
    offer.get_by_text("strong.bin.gz").wait_for()
    lab.locator('[data-network="strong.bin.gz"]').wait_for()
    assert offer.get_by_role("button").count() == 0


def test_cluster_and_runs_under_way(lab: Any) -> None:
    lab.click('a[href="#cluster"]')
    assert "--engines ray:ADDRESS" in lab.locator("#no-cluster").inner_text()
    assert lab.locator("#stores tbody tr").inner_text().split("\t") == ["run", "Othello", "0 / 100", "", "0"]
    node = {
        "number": 1,
        "alive": True,
        "slow": False,
        "cpus": 8,
        "used": 3,
        "workers": 3,
        "load": 2.5,
        "searches": 4,
    }
    nodes = [
        node,
        {**node, "number": 2, "slow": True},
        {**node, "number": 3, "alive": False, "load": None, "searches": None},
    ]
    lab.route(
        "**/api/cluster", lambda route: route.fulfill(json={"configured": True, "nodes": nodes, "runs": []})
    )
    lab.locator("#nodes").wait_for()  # asked again after some seconds
    rows = [row.split("\t") for row in lab.locator("#nodes tbody tr").all_inner_texts()]
    assert rows[0] == ["Node 1", "alive", "8", "3", "3", "4", "2.5"]
    assert [row[1] for row in rows] == ["alive", "slow", "dead"]
    assert rows[2][-2:] == ["", ""]


def test_tables_beside_the_board(desktop: Any) -> None:
    use_tool(desktop, "open")
    desktop.fill("#record-text", late_position().notation)
    desktop.click("#record-open")
    desktop.locator(".tables .badge.proven").wait_for()
    moves = desktop.locator(".tables li")
    count = desktop.locator("#tree .move").count()
    moves.first.get_by_role("button").click()
    desktop.locator("#tree .move").nth(count).wait_for()
