"""Set-ups: checking, random ones, named ones.

>>> from kibitz.games.junqi import layouts
>>> layouts.faults(layouts.NAMED["lance"])
()
>>> str(layouts.faults(layouts.NAMED["lance"].replace("9", "F"))[0])
'the flag is at row 1 column 1, not in a headquarters'

A layout is six rows of five from the front row, left to right as its owner sees it: `F` flag, `M` mine,
`B` bomb, 9 commander, 8 general, 7 division, 6 brigade, 5 regiment, 4 battalion, 3 company, 2 platoon,
1 engineer, `-` an empty camp.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from kibitz import _native
from kibitz.errors import BadPosition
from kibitz.sentences import Sentence
from kibitz.sentences.reasons import kind_named, reason_of

#: A dozen layouts of our own.
NAMED: Mapping[str, str] = dict(_native.junqi_named_layouts())

#: Those the engine draws its own from, by the number of players: the ones that fared best in games of the
#: engine against itself (docs/lab/strength.md).
OWN: Mapping[int, tuple[str, ...]] = {
    4: ("lance", "gate", "twin-towers", "spear-left", "hornets", "spear-right", "lantern"),
    2: ("anvil", "gate", "twin-towers", "spear-left", "spear-right", "lance"),
}

#: Ranks that are nearly worth the same: pieces of two neighbouring ones may change places.
_CLOSE_RANKS = (("7", "6"), ("6", "5"), ("5", "4"), ("4", "3"), ("3", "2"))


def faults(layout: str) -> tuple[Sentence, ...]:
    """Everything that is wrong with a layout, a sentence each; () when it is legal."""
    try:
        found = _native.junqi_layout_faults(layout)
    except ValueError as error:
        return (reason_of(str(error)),)
    return tuple(Sentence(code, _named(values)) for code, values in found)


def _named(values: Sequence[tuple[str, str]]) -> dict[str, str | Sentence]:
    """The values of a fault; a kind of piece is a sentence, so that every language has its name."""
    kinds = {name: kind_named(value) for name, value in values if name == "kind"}
    return {**dict(values), **{name: kind for name, kind in kinds.items() if kind is not None}}


def check(layout: str) -> str:
    """The layout in its usual form (a name of `NAMED` is accepted too); BadPosition says what is wrong."""
    if not isinstance(layout, str):
        raise BadPosition(f"a layout is a text, not a {type(layout).__name__}")
    layout = NAMED.get(layout, layout)
    wrong = faults(layout)
    if wrong:
        raise BadPosition(f"not a legal layout: {'; '.join(map(str, wrong))}")
    return _native.junqi_layout_text(layout)


def mirrored(layout: str) -> str:
    """The same set-up seen in a mirror."""
    try:
        return _native.junqi_mirrored(layout)
    except ValueError as error:
        raise BadPosition(f"not a layout: {error}") from None


def random_layout(seed: int) -> str:
    """A legal layout; the same seed gives the same one."""
    return _native.junqi_random_layout(seed)


def varied(layout: str, chance: random.Random, exchanges: int = 3) -> str:
    """The layout with a few pairs of pieces of neighbouring ranks exchanged, at random.

    >>> other = varied(NAMED["lance"], random.Random(1))
    >>> other == NAMED["lance"], faults(other)
    (False, ())
    """
    cells = list(layout)
    for _ in range(exchanges):
        higher, lower = chance.choice(_CLOSE_RANKS)
        a = chance.choice([place for place, kind in enumerate(cells) if kind == higher])
        b = chance.choice([place for place, kind in enumerate(cells) if kind == lower])
        cells[a], cells[b] = lower, higher
    return "".join(cells)


def deal(seed: int, players: int = 4) -> tuple[str, ...]:
    """Fair layouts for a game, in seat order: each seat of the second side has the mirror image of one of
    the first side's, so that only play decides. Every other set-up is a named one."""
    names = list(NAMED)
    own = [
        random_layout(7919 * seed + place)
        if (seed + place) % 2
        else NAMED[names[(seed // 2 + 5 * place) % 12]]
        for place in range(players // 2)
    ]
    theirs = [mirrored(layout) for layout in own]
    return tuple(layout for pair in zip(own, theirs, strict=True) for layout in pair)


def deal_secretly(seed: int, players: int = 4) -> tuple[str, ...]:
    """Layouts for people to play with, in seat order: set-ups that do well, varied at random, so that nobody
    can tell another's from their own."""
    chance = random.Random(seed)
    out = []
    for _ in range(players):
        layout = varied(NAMED[chance.choice(OWN[players])], chance)
        out.append(mirrored(layout) if chance.random() < 0.5 else layout)
    return tuple(out)
