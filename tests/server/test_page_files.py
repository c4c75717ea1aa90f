"""The page's files: what browsers may keep, and what they are sent."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from kibitz.server.page_files import PAGE, PageFiles


def versioned(client: TestClient, page: str = "/") -> list[str]:
    """The files that a page names."""
    return re.findall(r'(?:href|src)="(/v/[^"]+)"', client.get(page).text)


@pytest.mark.parametrize("page", ["/", "/index.html", "/room.html", "/lab.html", "/docs"])
def test_html_is_asked_for_again_and_names_files_that_are_kept(client: TestClient, page: str) -> None:
    html = client.get(page)
    assert html.headers["content-type"] == "text/html; charset=utf-8"
    assert html.headers["cache-control"] == "private, no-cache"
    assert "content-security-policy" in html.headers
    named = versioned(client, page)
    assert {path.rpartition(".")[2] for path in named} - {"json"} == {"css", "js", "svg"}
    for path in named:
        answer = client.get(path)
        assert answer.status_code == 200
        assert answer.headers["cache-control"] == "private, max-age=31536000, immutable"
        assert answer.content == (PAGE / path.split("/", 3)[3]).read_bytes()


def test_unchanged_file_is_not_sent_again(client: TestClient) -> None:
    first = client.get("/")
    again = client.get("/", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert client.get("/", headers={"If-None-Match": '"another"'}).status_code == 200


def test_files_are_packed_for_who_can_unpack_them(client: TestClient) -> None:
    with client.stream("GET", "/main.js", headers={"Accept-Encoding": "gzip"}) as packed:
        assert packed.headers["content-encoding"] == "gzip"
        raw = b"".join(packed.iter_raw())
    assert gzip.decompress(raw) == (PAGE / "main.js").read_bytes()
    plain = client.get("/main.js", headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert int(plain.headers["content-length"]) == (PAGE / "main.js").stat().st_size
    head = client.head("/main.js", headers={"Accept-Encoding": "identity"})
    assert (head.headers["content-length"], head.content) == (plain.headers["content-length"], b"")


def test_page_of_an_older_server_finds_its_files(client: TestClient) -> None:
    answer = client.get("/v/0123456789abcdef/i18n/ko.json")
    assert answer.json()["game.go"]
    assert answer.headers["cache-control"] == "private, no-cache"


@pytest.mark.parametrize(
    "path",
    ["/nothing.js", "/v/", "/v/00/", "/v/00/../app.py", "/../app.py", "/%2e%2e/app.py", "/i18n/", "/v/00"],
)
def test_what_is_no_file_of_the_page(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 404


def test_every_change_changes_the_digest(tmp_path: Path) -> None:
    async def nobody(*_: object) -> None:
        raise AssertionError

    versions = set()
    for name, text in (("a.js", "1"), ("a.js", "2"), ("b.js", "1")):
        (tmp_path / "index.html").write_text('<script src="a.js"></script>')
        (tmp_path / name).write_text(text)
        versions.add(PageFiles(nobody, tmp_path).version)
    assert len(versions) == 3
