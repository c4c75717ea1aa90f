"""The twelve kinds of piece: letters of the notation, names in English and Chinese."""

from __future__ import annotations

from typing import Literal

from kibitz.errors import BadRequest

#: Which names are shown. A terminal's board has letters of the notation for `english`.
Names = Literal["english", "chinese", "traditional", "korean"]

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
TRADITIONAL = ("軍旗", "地雷", "炸彈", "司令", "軍長", "師長", "旅長", "團長", "營長", "連長", "排長", "工兵")
KOREAN = (
    "군기",
    "지뢰",
    "폭탄",
    "사령관",
    "군단장",
    "사단장",
    "여단장",
    "연대장",
    "대대장",
    "중대장",
    "소대장",
    "공병",
)
_NAMES: dict[str, tuple[str, ...]] = {
    "english": ENGLISH,
    "chinese": CHINESE,
    "traditional": TRADITIONAL,
    "korean": KOREAN,
}
_UNKNOWN = {"english": "unknown", "chinese": "未知", "traditional": "未知", "korean": "모름"}
#: As much of an English name as a piece has room for.
SHORT_ENGLISH = dict(
    zip(
        LETTERS,
        ("Flag", "Mine", "Bomb", "Cmdr", "Gen", "Div", "Brig", "Regt", "Batt", "Comp", "Plat", "Engr"),
        strict=True,
    )
)
#: One character a kind, for boards.
SHORT_CHINESE = dict(zip(LETTERS, "旗雷炸司军师旅团营连排工", strict=True)) | {"?": "\uff1f"}
#: How many of each kind an army has.
ARMY = dict(zip(LETTERS, (1, 3, 2, 1, 1, 2, 2, 2, 2, 3, 3, 3), strict=True))
#: English name of a letter.
KINDS = dict(zip(LETTERS, ENGLISH, strict=True)) | {"?": "unknown"}


def piece_name(letter: str, names: Names = "english") -> str:
    """`piece_name("9") == "commander"`; with `names="chinese"` it is 司令."""
    if letter == "?":
        return _UNKNOWN[names]
    return _NAMES[names][LETTERS.index(letter)]


def letter_of(name: str) -> str:
    """The letter of a kind, from its letter or either name: `letter_of("司令") == "9"`."""
    for names in (LETTERS, ENGLISH, CHINESE):
        if name in names and name:
            return LETTERS[names.index(name)]
    raise BadRequest(f"no kind {name!r}, expected one of {', '.join(ENGLISH)}")
