"""A server for the tests of this folder, and one browser for all of them."""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from fastapi.testclient import TestClient

from kibitz.server.app import create_app
from kibitz.server.run import listen
from kibitz.server.settings import Settings
from tests.server.postgres import postgres as postgres
from tests.server.postgres import postgres_server as postgres_server

ADDRESS = "http://127.0.0.1:8000"


# For a module and no longer: while a server runs, all searches of its process take turns on the cores, and
# tests of other parts find no batches.
@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    database = f"sqlite:///{tmp_path_factory.mktemp('api') / 'kept.db'}"
    with TestClient(create_app(Settings(database=database)), base_url=ADDRESS) as client:
        yield client


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server for all tests of the page."""
    yield from running_server(tmp_path_factory.mktemp("page"))


def running_server(folder: Path, **more: Any) -> Iterator[str]:
    """The address of a server in a thread of this process; its database is in the folder."""
    listening = listen("127.0.0.1", 0)
    app = create_app(Settings(cores=1, database=f"sqlite:///{folder / 'kept.db'}", **more))
    config = uvicorn.Config(app, log_level="warning", ws="websockets-sansio")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive(), "the server did not start"
        time.sleep(0.01)
    yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    server.should_exit = True
    thread.join(10)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        pytest.skip("chromium is not installed (Debian: apt install chromium)")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield browser
        browser.close()


DESKTOP, PHONE = {"width": 1280, "height": 860}, {"width": 390, "height": 844}
LYING = {"width": 844, "height": 390}


@pytest.fixture(params=["desktop", pytest.param("phone", marks=pytest.mark.phone)])
def page(request: pytest.FixtureRequest, browser: Any, address: str) -> Iterator[Any]:
    """The page, ready to be used, at both sizes. Whatever the console complains about fails the test."""
    yield from open_page(browser, address, phone=request.param == "phone")


@pytest.fixture
def desktop(browser: Any, address: str) -> Iterator[Any]:
    yield from open_page(browser, address, phone=False)


def open_page(browser: Any, address: str, phone: bool) -> Iterator[Any]:
    size = PHONE if phone else DESKTOP
    context = browser.new_context(viewport=size, has_touch=phone, locale="en-GB")
    page = context.new_page()
    page.set_default_timeout(60_000)
    complaints: list[str] = []

    def hear(message: Any) -> None:
        # Chromium reports a refused request by itself; the page shows its user the reason.
        if message.type == "error" and "status of 422" not in message.text:
            complaints.append(message.text)

    page.on("console", hear)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(address)
    page.wait_for_selector("body[data-ready]")
    yield page
    context.close()
    assert complaints == []
