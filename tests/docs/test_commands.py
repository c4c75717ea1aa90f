"""Every command of README and docs is run; what a page shows as output has the shape of what is printed."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli import shell
from tests.docs.samples import PAGES, ROOT, Command, blocks, commands, small, spans, words_of

END = "OOXXXOXXX/XO.X..XXX/OOXOOXXX./..X..X..X/O.OOXXXX./...OOXOOO/OO.OOXOXX/OOO...O../XOOOXX.XO o -"
#: What pages write for whatever a reader has.
PLACEHOLDERS = {
    "NOTATION": END,
    "FILE": "b6c96.bin.gz",
    "NETWORK": "b6c96.bin.gz",
    "NAME": "b6c96.bin.gz",
    "NAME=VALUE": "seed=1",
    "weights=FILE": "weights=mine.ini",
}
#: Commands that talk to another program until it leaves, and what it says.
TALKS = {"uci": "quit\n", "gtp": "quit\n", "katago": "", "mcp": "", "nboard": "quit\n"}
#: Downloads, is one half of a match over TCP (see below), serves until it is stopped (tests/server), asks a
#: cluster (tests/fleet), or trains for hours (tests/training goes the whole way in small): only their names
#: are checked.
NOT_ALONE = (
    "kibitz cluster",
    "kibitz lichess-engine",
    "kibitz nets from-wheel",
    "kibitz nets get",
    "kibitz judge",
    "kibitz mcp --port",
    "kibitz otp",
    "kibitz serve",
    "kibitz style levels",
    "kibitz train",
)
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


#: test_tutorials.py runs it whole: each of its commands needs what the one before it left.
_RUN_WHOLE = ROOT / "docs" / "tutorials" / "train.md"


@pytest.mark.parametrize("page", [page for page in PAGES if page != _RUN_WHOLE], ids=lambda page: page.name)
def test_commands_of_a_page_run(page: Path, samples: Path) -> None:
    problems = []
    for command in commands(page.read_text(encoding="utf-8")):
        if command in _RUN and not _leaves_files(command):
            continue
        problem = _problem(command, samples)
        if problem:
            problems.append(f"{command.text}\n    {problem}")
        _RUN.add(command)
    assert not problems, "\n".join(problems)


#: Pages show many commands twice; once is enough, unless what follows needs its files.
_RUN: set[Command] = set()


def _leaves_files(command: Command) -> bool:
    return any(word in command.text for word in ("--output", " > ", "nets add"))


def test_the_query_of_the_katago_page_is_answered(samples: Path) -> None:
    page = (ROOT / "docs" / "katago-compatibility.md").read_text(encoding="utf-8")
    queries = [json.loads(block) for kind, block in blocks(page) if kind == "json"]
    assert queries
    for query in queries:
        line = json.dumps({**query, "maxVisits": 8}) + "\n"
        done = shell.process("katago", "analysis", "-model", "b6c96.bin.gz", text=line)
        answers = [json.loads(answer) for answer in done.stdout.splitlines()]
        assert sorted(answer["turnNumber"] for answer in answers) == sorted(query["analyzeTurns"]), (
            done.stderr
        )


def test_options_in_the_table_of_features_are_options_of_analyze(samples: Path) -> None:
    page = (ROOT / "docs" / "features.md").read_text(encoding="utf-8")
    rows = [line for line in page.splitlines() if line.startswith("|") and "[" not in line]
    checked = 0
    for row in rows:
        for option in (span for span in spans(row) if span.startswith("-")):
            checked += 1
            base = next(
                (span for span in spans(row) if span.startswith("kibitz ")), "kibitz analyze othello start"
            )
            if option == "-o weights=mine.ini":
                (samples / "mine.ini").write_text(shell.kibitz("junqi", "weights").stdout, encoding="utf-8")
                base = "kibitz analyze junqi start"
            problem = _problem(Command(f"{base} {option}"), samples)
            assert not problem, f"{base} {option}: {problem}"
    assert checked > 10


def _problem(command: Command, samples: Path) -> str:
    """What is wrong with a command of a page; empty when it does what the page says."""
    text = re.sub(r" \[[^\]]*\]", "", command.text)  # parts that may be left out
    program = text.split(" ")[0]
    if program == "make":
        target = text.partition(" ")[2].split(" ")[0]
        known = not target or re.search(rf"^{re.escape(target)}:", MAKEFILE, re.MULTILINE)
        return "" if known else "no such target"
    if text == "kibitz":
        return ""  # the package, or help for everything (tests/cli/test_help.py)
    if program == "python":
        return _problem_of_script(words_of(text)[1:])
    if text.startswith(NOT_ALONE):
        words = text.split(" ")[1:]
        path = words[: 2 if words[0] in ("nets", "style", "train") and words[1:2] != ["--config"] else 1]
        return "" if shell.kibitz(*path, "--help").returncode == 0 else "no such command"
    if "network=net.knet" in text:  # one of the networks that a loop leaves
        text = re.sub(r"\S*:network=net.knet\S*", "greedy", text)
    if "go.knet" in text:  # what a training run would have left
        text = text.replace("go.knet", "b6c96.bin.gz")
    said = ""
    if program == "printf":
        given, _, text = text.partition(" | ")
        said = words_of(given)[1].replace("\\n", "\n")
    text, _, target_file = text.partition(" > ")
    words = [_filled_in(word) for word in words_of(text)[1:]]
    bare = words == [word for word in words if word.isalpha()]
    if words[0] == "selfplay" and "--output" in words:  # a page may show one file twice
        (samples / words[words.index("--output") + 1]).unlink(missing_ok=True)
    done = _run(small(words), said)
    if target_file:
        (samples / target_file).write_text(done.stdout, encoding="utf-8")
    if done.returncode and bare and ("Missing" in done.stderr or done.stderr.startswith("Usage")):
        return ""  # the command is only named
    if done.returncode and "needs the package" in done.stderr:
        return ""  # an extra that is not installed
    if command.output:
        shown = [line for line in command.output if line.strip()]
        return _missing(shown, (done.stdout + done.stderr).splitlines())
    return f"exit code {done.returncode}: {done.stderr.strip()[-300:]}" if done.returncode else ""


def _filled_in(word: str) -> str:
    return PLACEHOLDERS.get(word, word.replace("network=FILE", "network=b6c96.bin.gz"))


def _problem_of_script(words: list[str]) -> str:
    if words[0] == "-m":
        if any(word.isupper() for word in words):  # files of the reader's own: only its options are checked
            words = [*words[:2], "--help"]
        done = subprocess.run(
            [sys.executable, *small(["", *words])[1:]], cwd=ROOT, capture_output=True, text=True, check=False
        )
        return done.stderr if done.returncode else ""
    script = Path(words[0]) if Path(words[0]).is_file() else ROOT / words[0]
    if words[0].startswith(("examples/", "nim.py")) and words[1:] and f"kibitz {words[1]}" not in NOT_ALONE:
        # A game that runs the commands itself.
        command = [sys.executable, str(script), *small(words[1:])]
        done = subprocess.run(command, input="quit\n", capture_output=True, text=True, check=False)
        return done.stderr if done.returncode else ""
    return "" if script.is_file() else "no such file"


def _run(words: list[str], said: str) -> subprocess.CompletedProcess[str]:
    if words[0] in TALKS:
        return shell.process(*words, text=said or TALKS[words[0]])
    text = said or ("quit\n" if words[0] == "play" else "")
    return shell.kibitz(*words, text=text, env={"COLUMNS": "120"})


def _missing(shown: list[str], printed: list[str]) -> str:
    """The first line of a shown output whose shape does not come after that of the line before it."""
    shapes = iter([_shape(line) for line in printed])
    for line in shown:
        if line.strip() != "..." and _shape(line) not in shapes:
            return f"not printed: {line}\n    but: {printed}"
    return ""


def _shape(line: str) -> str:
    """A line with its numbers, moves and lines of moves masked."""
    text = re.sub(r", [\d,]+/s;", ";", line)  # a search that took no time has no speed
    text = re.sub(r"\b(?:[a-hA-H][1-8])+\b", "M", text)
    text = re.sub(r"[-+]?\d[\d,.]*", "#", text)
    text = re.sub(r"\b(?:M )*M\b", "M", text)
    return " ".join(text.split()).removesuffix(" ...")
