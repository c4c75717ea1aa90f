"""Values of flags that many commands share."""

from __future__ import annotations

import pytest

import kibitz
from kibitz.cli.common import only_settings, read_settings, read_start, read_workers
from kibitz.errors import BadOption


def test_settings_have_the_types_of_their_defaults() -> None:
    defaults = {"plies": 0, "resign": 0.0, "warm": False, "second": ""}
    given = ["plies=24", "resign=0.05", "warm=on", "second=uci:a=b", "c=0.7"]
    settings, others = read_settings(given, defaults)
    assert settings == {"plies": 24, "resign": 0.05, "warm": True, "second": "uci:a=b"}
    assert others == {"c": "0.7"}
    assert read_settings(None, defaults) == (defaults, {})
    for wrong, expected in (("plies=2.5", "a whole number"), ("resign=x", "a number"), ("warm=2", "true or")):
        with pytest.raises(BadOption, match=f"takes {expected}"):
            read_settings([wrong], defaults)
    with pytest.raises(BadOption, match="unknown option 'c', expected one of plies, resign"):
        only_settings(["c=0.7"], defaults)


def test_a_start_is_a_notation_or_settings() -> None:
    start, dealing = read_start("go", "size=9 komi=5.5 rules=japanese")
    assert start == kibitz.go.Position(9, komi=5.5, rules="japanese").notation
    assert dealing == {}
    assert read_start("junqi", "players=2 seed=7") == (None, {"players": 2, "seed": 7})
    assert read_start("uttt", "codingame") == ("codingame", {})
    assert read_start("go", None) == (None, {})
    with pytest.raises(BadOption, match="players=two: expected a whole number"):
        read_start("junqi", "players=two")


@pytest.mark.parametrize(
    ("text", "workers"),
    [
        ("0", (0, "local")),
        ("4", (4, "local")),
        ("ray", (0, "ray")),
        ("ray:10.0.0.1:6379", (0, "ray:10.0.0.1:6379")),
        ("8@ray", (8, "ray")),
        ("8@ray:auto", (8, "ray:auto")),
    ],
)
def test_workers_are_processes_or_a_cluster(text: str, workers: tuple[int, str]) -> None:
    assert read_workers(text) == workers


@pytest.mark.parametrize("text", ["", "four", "-1", "4@", "4@slurm", "x@ray"])
def test_wrong_workers(text: str) -> None:
    with pytest.raises(BadOption, match="--processes takes a number, ray, ray:ADDRESS or N@ray"):
        read_workers(text)
