"""Accounts by link: another browser becomes the same owner, until the link is rotated or revoked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient

from kibitz.server import accounts
from kibitz.server.app import create_app
from kibitz.server.settings import Settings
from tests.server.saved_games import new_game

ADDRESS = "http://127.0.0.1:8000"


@pytest.fixture
def host() -> Iterator[TestClient]:
    with TestClient(create_app(Settings(database="sqlite://")), base_url=ADDRESS) as client:
        yield client


def browser(host: TestClient) -> TestClient:
    other = TestClient(host.app, base_url=ADDRESS, follow_redirects=False)
    other.portal = host.portal
    return other


def listed(one: TestClient) -> list[Any]:
    return [row["id"] for row in one.get("/api/saved").json()]


def link_of(one: TestClient) -> str:
    answer = one.post("/api/account")
    assert answer.status_code == 201
    return str(answer.json()["link"])


def saved(one: TestClient) -> str:
    game = new_game("e2e4")
    assert one.post("/api/saved", json=game).status_code == 201
    return str(game["id"])


def test_link_makes_another_browser_the_owner(host: TestClient) -> None:
    home, phone = browser(host), browser(host)
    game, other = saved(home), saved(phone)
    answer = phone.get(link_of(home))
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert "HttpOnly" in answer.headers["set-cookie"]
    assert listed(phone) == [game]
    assert phone.patch(f"/api/saved/{game}", json={"set": {"title": "mine"}}).status_code == 200
    assert phone.delete("/api/account").status_code == 204
    # Its own games were not lost.
    assert listed(phone) == [other]
    assert listed(home) == [game]


def test_new_link_ends_the_old_one(host: TestClient) -> None:
    home, phone, thief = browser(host), browser(host), browser(host)
    saved(home)
    first = link_of(home)
    thief.get(first)
    assert len(listed(thief)) == 1
    second = link_of(home)
    assert listed(thief) == []
    assert browser(host).get(first).status_code == 404
    assert phone.get(second).status_code == 303
    assert len(listed(phone)) == 1
    home.delete("/api/account")
    assert listed(phone) == []
    assert browser(host).get(second).status_code == 404
    assert len(listed(home)) == 1


def test_browser_is_shown_why_a_link_leads_nowhere(host: TestClient) -> None:
    page, wrong = {"accept": "text/html,*/*;q=0.8"}, "/account/" + "a" * 16 + ".1." + "0" * 64
    for link, more, code in (
        (wrong, {}, "error.linkOver"),
        ("/account/x", {}, "error.linkOver"),
        (link_of(browser(host)), {"sec-fetch-site": "cross-site"}, "error.linkByHand"),
    ):
        answer = browser(host).get(link, headers={**page, **more})
        assert (answer.status_code, answer.headers["location"]) == (303, f"/#{code}")
        assert "set-cookie" not in answer.headers or "kibitz_account" not in answer.headers["set-cookie"]


def test_browser_that_came_by_a_link_makes_the_next_one(host: TestClient) -> None:
    home, phone, other = browser(host), browser(host), browser(host)
    saved(home)
    first = link_of(home)
    for one in (phone, other):
        one.get(first)
    second = link_of(phone)
    assert [len(listed(one)) for one in (home, phone, other)] == [1, 1, 0]
    assert other.get(second).status_code == 303
    assert len(listed(other)) == 1


@pytest.mark.parametrize("where", [0, 5, -1])
def test_forged_links_are_refused(host: TestClient, where: int) -> None:
    home = browser(host)
    saved(home)
    link = link_of(home)
    path, _, token = link.rpartition("/")
    letters = list(token)
    letters[where] = "a" if letters[where] != "a" else "b"
    forged = "".join(letters)
    other = browser(host)
    assert other.get(f"{path}/{forged}").status_code == 404
    other.cookies.set(accounts.COOKIE, forged)
    assert listed(other) == []
    for nonsense in ("", ".", "a.b.c", "1.2.3", "é", "x" * 5000, f"{token}.", token.replace(".", "")):
        other.cookies.set(accounts.COOKIE, nonsense.encode("ascii", "replace").decode())
        assert listed(other) == []


def test_link_of_one_server_is_nothing_to_another(host: TestClient) -> None:
    link = link_of(browser(host))
    with TestClient(create_app(Settings(database="sqlite://")), base_url=ADDRESS) as elsewhere:
        assert elsewhere.get(link, follow_redirects=False).status_code == 404


def test_other_sites_cannot_sign_anybody_in(host: TestClient) -> None:
    link = link_of(browser(host))
    for site, status in (("cross-site", 403), ("same-site", 403), ("none", 303), ("same-origin", 303)):
        assert browser(host).get(link, headers={"Sec-Fetch-Site": site}).status_code == status


def test_revoked_at_another_server_ends_here_too(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two servers with one database."""
    monkeypatch.setattr(accounts, "_REMEMBERED", 0.0)
    settings = Settings(database=f"sqlite:///{tmp_path_factory.mktemp('accounts') / 'kept.db'}")
    with (
        TestClient(create_app(settings), base_url=ADDRESS) as one,
        TestClient(create_app(settings), base_url=ADDRESS) as two,
    ):
        home, phone, there = browser(one), browser(one), browser(two)
        saved(home)
        link = link_of(home)
        phone.get(link)
        assert there.get(link).status_code == 303
        assert len(listed(phone)) == len(listed(there)) == 1
        there.delete("/api/account")
        assert listed(phone) == []
