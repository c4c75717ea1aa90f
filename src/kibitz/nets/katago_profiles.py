"""The players that KataGo's human networks imitate: `humanSLProfile`, and the inputs that stand for one.

>>> read_profile("rank_5k").black_rank
14
"""

from __future__ import annotations

import datetime
import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kibitz.errors import BadOption

#: Inputs of a metadata encoder (version 1).
INPUTS = 192
_KGS, _GOGOD, _GO4GO = 2, 5, 6
_RANKS = [*(f"{rank}d" for rank in range(9, 0, -1)), *(f"{rank}k" for rank in range(1, 21))]
_RANK_INPUTS = 34
_DATES = 32
_EPOCH = datetime.date(1970, 1, 1)


@dataclass(frozen=True)
class Profile:
    """Two human players and the circumstances of their game. Ranks count from 1 for 9 dan downward."""

    name: str
    black_rank: int
    white_rank: int
    date: datetime.date
    source: int
    #: Twenty minutes and five periods of half a minute, and nobody knows whether the game was rated. Else it
    #: was, and the time is unknown.
    byo_yomi: bool

    @property
    def even(self) -> bool:
        """Whether both players are of one rank: then it does not matter who moves."""
        return self.black_rank == self.white_rank


def read_profile(name: str) -> Profile:
    """`rank_5k`, `preaz_5k` (before AlphaZero), `rank_5k_3d` (black's and white's), `proyear_1985`."""
    kind, _, rest = name.partition("_")
    if kind == "proyear" and rest.isdecimal() and 1800 <= int(rest) <= 2023:
        date = datetime.date(int(rest), 6, 1)
        return Profile(name, 1, 1, date, _GOGOD if date.year <= 2020 else _GO4GO, False)
    ranks = rest.split("_")
    if kind in ("rank", "preaz") and len(ranks) in (1, 2) and all(rank in _RANKS for rank in ranks):
        date = datetime.date(2016, 9, 1) if kind == "preaz" else datetime.date(2020, 3, 1)
        black, white = _RANKS.index(ranks[0]) + 1, _RANKS.index(ranks[-1]) + 1
        return Profile(name, black, white, date, _KGS, True)
    raise BadOption(
        f"unknown profile {name!r}; expected rank_ or preaz_ with a rank from 20k to 9d (rank_5k), or two, "
        "or proyear_ with a year from 1800 to 2023"
    )


def metadata_inputs(profile: Profile, side: int, area: int) -> npt.NDArray[np.float32]:
    """The inputs of a metadata encoder: a board of so many points, black (0) or white (1) to move."""
    row = np.zeros(INPUTS)
    row[0] = row[1] = 1.0  # both are people
    ranks = (profile.black_rank, profile.white_rank)
    for place, rank in enumerate((ranks[side], ranks[1 - side])):
        start = 6 + place * _RANK_INPUTS
        row[start : start + min(rank, _RANK_INPUTS)] = 1.0
    row[74] = 0.5 if profile.byo_yomi else 0.0
    row[79 if profile.byo_yomi else 75] = 1.0
    main, period, periods = (1200.0, 30.0, 5) if profile.byo_yomi else (0.0, 0.0, 0)
    row[82] = 0.4 * (math.log(main + 60.0) - 6.5)
    row[83] = 0.3 * (math.log(period + 1.0) - 3.0)
    row[84] = 0.5 * (math.log(periods + 2.0) - 1.5)
    row[85] = 0.25 * (math.log(2.0) - 1.5)
    row[86] = 0.5 * math.log(area / 361.0)
    # The date as the hands of clocks, the fastest of a week.
    days = (profile.date - _EPOCH).days
    turns = days / (7.0 * 80000 ** (np.arange(_DATES) / (_DATES - 1)))
    row[87:151:2] = np.cos(2 * np.pi * turns)
    row[88:151:2] = np.sin(2 * np.pi * turns)
    row[151 + profile.source] = 1.0
    return row.astype(np.float32)
