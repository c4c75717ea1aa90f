"""The twelve kinds of piece: letters of the notation, names in English and Chinese."""

from __future__ import annotations

from typing import Literal

from kibitz.errors import BadRequest

__all__ = [
    "ARMY",
    "ENGLISH",
    "KINDS",
    "LETTERS",
    "SEATS",
    "SHORT_CHINESE",
    "Names",
    "letter_of",
    "piece_name",
]

#: Which names are shown: `english` (letters of the notation on boards) or `chinese`.
Names = Literal["english", "chinese"]

SEATS = "SENW"
#: Flag, mine, bomb, then 9 commander down to 1 engineer.
LETTERS = "FMB987654321"
ENGLISH = (
    "flag",
    "mine",
    "bomb",
    "commander",
    "general",
    "division",
    "brigade",
    "regiment",
    "battalion",
    "company",
    "platoon",
    "engineer",
)
CHINESE = ("军旗", "地雷", "炸弹", "司令", "军长", "师长", "旅长", "团长", "营长", "连长", "排长", "工兵")
#: One character a kind, for boards.
SHORT_CHINESE = dict(zip(LETTERS, "旗雷炸司军师旅团营连排工", strict=True)) | {"?": "\uff1f"}
#: How many of each kind an army has.
ARMY = dict(zip(LETTERS, (1, 3, 2, 1, 1, 2, 2, 2, 2, 3, 3, 3), strict=True))
#: English name of a letter.
KINDS = dict(zip(LETTERS, ENGLISH, strict=True)) | {"?": "unknown"}


def piece_name(letter: str, names: Names = "english") -> str:
    """`piece_name("9") == "commander"`; with `names="chinese"` it is 司令."""
    if letter == "?":
        return "unknown" if names == "english" else "未知"
    return (ENGLISH if names == "english" else CHINESE)[LETTERS.index(letter)]


def letter_of(name: str) -> str:
    """The letter of a kind, from its letter or either name: `letter_of("司令") == "9"`."""
    for names in (LETTERS, ENGLISH, CHINESE):
        if name in names and name:
            return LETTERS[names.index(name)]
    raise BadRequest(f"no kind {name!r}, expected one of {', '.join(ENGLISH)}")
