"""What a reader does with files that tutorials show; test_commands.py and test_python.py run the rest."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cli import shell
from tests.docs.samples import ROOT, blocks, commands, small, words_of

TUTORIALS = ROOT / "docs" / "tutorials"


def test_the_bot_is_the_one_that_plays_in_the_tests() -> None:
    (bot,) = [
        text for kind, text in blocks((TUTORIALS / "bot.md").read_text(encoding="utf-8")) if kind == "py"
    ]
    assert bot == (ROOT / "tests" / "data" / "docs" / "bot.py").read_text(encoding="utf-8")


def test_a_network_is_trained_as_the_tutorial_says(samples: Path) -> None:
    """Its own file and its own commands in its order, with fewer games and steps."""
    pytest.importorskip("torch")
    page = (TUTORIALS / "train.md").read_text(encoding="utf-8")
    (settings,) = [text for kind, text in blocks(page) if kind == "toml"]
    settings = re.sub(r"steps = \d+", "steps = 2", settings).replace("[data]", "[data]\nbatch = 4")
    Path("othello.toml").write_text(settings, encoding="utf-8")
    done = 0
    for command in commands(page):
        words = words_of(command.text)[1:]
        if words[:2] == ["train", "loop"] or words[0] == "nets":  # hours (tests/training), and only named
            continue
        said = shell.kibitz(*small(words))
        assert said.returncode == 0, (command.text, said.stderr)
        done += 1
    assert done == 6
    assert Path("losses.svg").read_text(encoding="utf-8").startswith("<svg")
