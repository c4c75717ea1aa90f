"""The weights of the scoring. `weights.ini` beside this module lists and explains all of them; a file of
your own may change some: `Weights.read("mine.ini")`, or `-o weights=mine.ini` on the command line.

>>> Weights().get("pieces.commander")
100.0
"""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike, fspath
from pathlib import Path

from kibitz import _native
from kibitz.errors import BadOption

#: The documented defaults.
FILE = Path(__file__).with_name("weights.ini")
#: Those of the preset `classic`.
FORMER = Path(__file__).with_name("former.ini")


class Weights:
    """Values by `section.name`; `Weights(invader__counter=20)` changes some of the defaults, which are
    those of four players; `Weights.of(2)` are those of two.

    >>> Weights(invader__counter=20).get("invader.counter")
    20.0
    """

    @classmethod
    def of(cls, players: int) -> Weights:
        """The defaults by the number of players."""
        return cls(_native.JunqiWeights.two_players() if players == 2 else None)

    def __init__(self, native: _native.JunqiWeights | None = None, **changes: float) -> None:
        self.native = native or _native.JunqiWeights()
        for name, value in changes.items():
            self.set(name.replace("__", "."), value)

    @classmethod
    def read(cls, path: str | PathLike[str]) -> Weights:
        try:
            return cls(_native.JunqiWeights.read(fspath(path)))
        except ValueError as error:
            raise BadOption(str(error)) from None

    def get(self, name: str) -> float:
        try:
            return self.native.get(name)
        except ValueError as error:
            raise BadOption(str(error)) from None

    def set(self, name: str, value: float) -> None:
        try:
            self.native.set(name, value)
        except ValueError as error:
            raise BadOption(str(error)) from None


def names() -> list[str]:
    """Every weight, as `section.name`."""
    return [f"{row.section}.{row.name}" for row in _native.junqi_weight_table()]


def document(values: Mapping[str, float] | None = None) -> str:
    """The text of `weights.ini`, from the table in the core; with other values where some are given."""
    given = values or {}
    lines = [
        "# Weights of Junqi's scoring, in points: a commander is 100. Copy this file, change what you like",
        "# and name it with `-o weights=FILE`. What a file leaves out keeps the value given here.",
    ]
    section = ""
    for row in _native.junqi_weight_table():
        if row.section != section:
            section = row.section
            lines += ["", f"[{section}]"]
        if row.doc:
            lines.append(f"# {row.doc}")
        lines.append(f"{row.name} = {given.get(f'{row.section}.{row.name}', row.value):g}")
    return "\n".join(lines) + "\n"
