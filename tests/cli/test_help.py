"""Help pages: over several lines, with examples that can be copied."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
import typer
from typer.testing import CliRunner

from kibitz.cli.app import make_app
from kibitz.cli.help import keep_examples
from tests.cli.shell import kibitz


def commands(app: typer.Typer, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    yield path
    for command in app.registered_commands:
        yield (*path, str(command.name))
    for group in app.registered_groups:
        assert group.typer_instance is not None
        yield from commands(group.typer_instance, (*path, str(group.name)))


@pytest.mark.parametrize("words", [("nets",), ("style",), ("tablebase",)])
def test_group_without_command_prints_its_help_over_several_lines(words: tuple[str, ...]) -> None:
    done = kibitz(*words)
    assert done.returncode == 2
    assert done.stderr.startswith("Usage: kibitz")
    assert len(done.stderr.splitlines()) > 8
    assert done.stderr == kibitz(*words, "--help").stdout


def test_every_help_page_keeps_its_examples_whole() -> None:
    seen, app = 0, make_app()
    pages: dict[tuple[str, ...], str] = {}
    for words in commands(app):
        page = pages[words] = CliRunner().invoke(app, [*words, "--help"], env={"COLUMNS": "80"}).stdout
        examples = re.findall(r"^      kibitz .*(?:\n +.*)*", page.partition("\nArguments:")[0], re.MULTILINE)
        seen += len(examples)
        for example in examples:
            # A line that goes on says so, and goes on with an option.
            for line, following in zip(example.splitlines(), example.splitlines()[1:], strict=False):
                assert line.endswith(" \\") == following.lstrip().startswith("-"), page
    assert seen > 20
    for words, page in pages.items():
        is_group = any(words == other[:-1] for other in pages)
        assert is_group or "Example" in page, f"kibitz {' '.join(words)} --help has no example"


def test_keep_examples_folds_before_options_only() -> None:
    text = keep_examples(f"Do.\n\nExample: kibitz do {'x' * 60} --one 1 --two 2")
    assert text.splitlines()[-2:] == [f"    kibitz do {'x' * 60} \\", "        --one 1 --two 2"]
