"""Finds what the pages show: commands with their output, Python, and the small budgets they are run with."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from pathlib import Path

__all__ = [
    "COMMAND_NAMES",
    "PAGES",
    "ROOT",
    "Command",
    "blocks",
    "commands",
    "python_source",
    "small",
    "spans",
]

ROOT = Path(__file__).resolve().parents[2]
_FOUND = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("docs/tutorials/*.md")]
PAGES = sorted(page for page in _FOUND if page.stem != "CHANGELOG")

_BLOCK = re.compile(r"^```(\S*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
_INDENTED = re.compile(r"(?<=\n\n)(?: {4}.*\n)+")
_SPAN = re.compile(r"`([^`]+)`")
#: Programs whose commands are run; the others are looked up (`make` targets, files of `python`).
COMMAND_NAMES = ("kibitz", "printf", "make", "python")


@dataclass(frozen=True)
class Command:
    """A command line of a page, and the lines shown as its output (empty where none are)."""

    text: str
    output: tuple[str, ...] = ()


def blocks(text: str) -> list[tuple[str, str]]:
    """The fenced blocks: language and content."""
    return [(match[1], match[2]) for match in _BLOCK.finditer(text)]


def spans(text: str) -> list[str]:
    """The code in the running text and in tables."""
    rest = _INDENTED.sub("", _BLOCK.sub("", text))
    return [" ".join(span.split()) for span in _SPAN.findall(rest)]


def commands(text: str) -> list[Command]:
    """Every command line of a page in its order: blocks first, then indented ones, then inline code."""
    listed: list[Command] = []
    for language, block in blocks(text):
        if language in ("", "console", "sh"):
            listed += _of_block(block)
    for block in _INDENTED.findall(_BLOCK.sub("", text)):
        # A list of commands with an explanation behind each, two spaces or more away.
        lines = [re.split(r" {2,}", line.strip())[0] for line in block.splitlines()]
        listed += _of_block("\n".join(lines))
    listed += [Command(span) for span in spans(text) if _is_command(span)]
    return listed


def _of_block(block: str) -> list[Command]:
    listed: list[Command] = []
    output: list[str] = []
    prompts = "$ " in block
    for line in block.replace("\\\n", " ").splitlines():
        if line.startswith("$ ") or (not prompts and _is_command(line)):
            if listed and output:
                listed[-1] = Command(listed[-1].text, tuple(output))
            output = []
            listed.append(Command(line.removeprefix("$ ").strip()))
        elif prompts:
            output.append(line)
    if listed and output:
        listed[-1] = Command(listed[-1].text, tuple(output))
    return listed


def _is_command(text: str) -> bool:
    return text.split(" ")[0] in COMMAND_NAMES and not text.startswith("kibitz: ")


#: The greatest value of an option in a test; what a page shows may take minutes.
_MOST = {
    "--simulations": "200",
    "--visits": "8",
    "--seconds": "0.1",
    "--effort": "quick",
    "--seconds-per-move": "0.002",
    "--games": "2",
    "--min-visits": "20",
    "--max-empty": "4",
    "--plies": "6",
    "--processes": "1",
    "--rounds": "1",
    "--steps": "1",
}
#: What a command is given that sets no limit of its own.
_LIMITS = {
    "analyze": ("--simulations", "50"),
    "demo": ("--seconds", "0.05"),
    "bench": ("--simulations", "50"),
    "match": ("--simulations", "20"),
    "play": ("--simulations", "20"),
    "selfplay": ("--visits", "8"),
    "tune": ("--simulations", "20"),
}
_LIMIT_OPTIONS = {"--simulations", "--visits", "--seconds", "--seconds-per-move", "--tc", "--effort"}


def small(words: list[str]) -> list[str]:
    """The words of a `kibitz` command with budgets a test can afford."""
    words = list(words)
    for at, word in enumerate(words[:-1]):
        many = not re.fullmatch(r"[\d.]+", words[at + 1])  # a list of numbers, or a cluster
        if word in _MOST and (many or float(words[at + 1]) > float(_MOST[word])):
            words[at + 1] = _MOST[word]
    if "--tc" in words:
        words[words.index("--tc") + 1] = "0.3+0.01"
    if words[0] == "selfplay":
        words += ["-o", "plies=6"]
    if words[0] == "perft" and words[2].isdigit():
        words[2] = str(min(3, int(words[2])))
    if words[0] in _LIMITS and not _LIMIT_OPTIONS & set(words):
        words += _LIMITS[words[0]]
    if words[0] == "tune":
        words += ["--gate", "0,0,20"]
    if words[:2] == ["arena", "ladder"]:
        words = ["greedy" if word == "levels" else word for word in words]
        words += [] if "--games" in words else ["--games", "2"]
    if words[0] == "match":
        words += [] if "--games" in words else ["--games", "2"]
        words += [] if "--processes" in words else ["--processes", "0"]
    return words


def words_of(text: str) -> list[str]:
    return shlex.split(text, comments=True)


_NUMBERS = {
    "simulations": 200,
    "visits": 8,
    "min_visits": 20,
    "games": 2,
    "processes": 1,
    "seconds": 0.05,
}


def python_source(source: str) -> str:
    """Python with smaller budgets."""

    def smaller(match: re.Match[str]) -> str:
        most = _NUMBERS[match[1]]
        return f"{match[1]}={min(most, float(match[2].replace('_', ''))):g}"

    return re.sub(rf"\b({'|'.join(_NUMBERS)})=([\d_.]+)", smaller, source)
