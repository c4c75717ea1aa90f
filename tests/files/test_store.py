"""A store is a folder or an object store: files are whole or not there, and one of many may create a name."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from kibitz.errors import BadOption
from kibitz.files.store import Store, open_store
from tests.object_store import s3_bucket


@pytest.fixture(params=["folder", "s3"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    if request.param == "folder":
        yield open_store(tmp_path / "new" / "run")
        return
    with s3_bucket() as url:
        yield open_store(url)


def test_files_are_written_read_and_removed(store: Store) -> None:
    assert store.names() == []
    store.write("b", b"2")
    store.write("a", b"1" * 100_000)
    store.write("b", b"3")
    assert store.names() == ["a", "b"]
    other = open_store(store.place)
    assert (other.read("a"), other.read("b")) == (b"1" * 100_000, b"3")
    other.remove("a")
    other.remove("a")
    assert store.names() == ["b"]
    with pytest.raises(FileNotFoundError):
        store.read("a")


def test_one_of_many_creates_a_name(store: Store) -> None:
    told: list[bool] = []
    start = threading.Barrier(4)

    def try_it(number: int) -> None:
        own = open_store(store.place)
        start.wait()
        told.append(own.create("lease", str(number).encode()))

    threads = [threading.Thread(target=try_it, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(told) == [False, False, False, True]
    assert store.create("lease", b"late") is False
    assert store.names() == ["lease"]


def test_places_that_are_none() -> None:
    pytest.importorskip("pyarrow")
    with pytest.raises(BadOption, match="nowhere://x"):
        open_store("nowhere://x/y")
