"""Styles of chess as part of a plan: factors of the root's priors, and a budget (docs/style.md).

A style is a set of weights for the parts of the bonus B of a move, which are options of chess.

>>> import kibitz
>>> effect = STYLES["hypermodern"](kibitz.chess.Position(), 0.6, {})
>>> len(effect.prior_factors)
20
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from functools import partial
from typing import Any

from kibitz import _native
from kibitz.errors import BadRecord
from kibitz.files.limits import MOST_CONFIG, read_file
from kibitz.games.base import StyleEffect, StyleHook
from kibitz.games.chess.position import Position
from kibitz.options import OwnOptions
from kibitz.sentences import Sentence

#: The weights of the style's parts; a core that was built without style has none.
OPTIONS = OwnOptions(_native.style_option_table, _native.StyleOptions) if _native.HAS_STYLE else None

#: The options that are weights of B: those of the opening, of which hypermodern is made, and the others.
OPENING_PARTS = tuple(
    f"style_{part}" for part in ("fianchetto", "prepare", "quiet", "control", "flank", "chain", "occupation")
)
_LATER_PARTS = ("attack", "trade")
PARTS = (*OPENING_PARTS, *(f"style_{part}" for part in _LATER_PARTS))
#: The style of a file, whose weights are those that the file names.
PROFILE = "profile"
PROFILE_FORMAT = "kibitz-style-profile"
PROFILE_VERSION = 1
_MOST_WEIGHT = 10.0
#: Predicted style above the root's mean that adds 1 to B.
_HEAD_SCALE = 0.03

#: What differs from the options' own values (docs/lab/style.md has the games). S is settled early: most of
#: the shift is made by ply 4, nearly all by ply 12. Only locked pawns are kept up to ply 24, where the
#: measures end: fewer pawns in the centre alone would make games less closed. Moves that add control of the
#: centre from afar are mostly no step towards the rest of S.
HYPERMODERN: Mapping[str, float] = {
    "style_plies": 12,
    "style_chain_plies": 24,
    "style_chain": 1.0,
    "style_control": 0.0,
    "style_budget": 0.05,
}

#: Openings on which the cost of a style is measured for a network (`kibitz.running.style_scale`).
CALIBRATION: tuple[tuple[str, ...], ...] = tuple(
    tuple(line.split())
    for line in (
        "",
        "e4",
        "d4",
        "e4 e5",
        "e4 c5",
        "d4 d5",
        "d4 Nf6",
        "c4 e5",
        "Nf3 d5",
        "e4 e6 d4",
        "d4 Nf6 c4",
        "e4 e5 Nf3 Nc6",
    )
)

#: The budget grows faster than the strength: what light is worth to a user is that it costs next to nothing.
_BUDGET_POWER = 1.5

#: Alpha-beta has no priors that a style can bias, and its values are of deeper searches, which set the moves
#: that a style likes further apart: the same shift takes a greater budget. Locked pawns alone, past the last
#: ply of the other parts, get less: they cost a quarter of the price there and added nothing to S.
_ALPHA_BETA, _ALPHA_BETA_LATE = 1.5, 0.5

#: An open game: pawns to the centre at once, contact, no locked chains.
_OPEN: Mapping[str, float] = {
    "style_fianchetto": -0.3,
    "style_prepare": -0.3,
    "style_quiet": -0.5,
    "style_control": 0.3,
    "style_flank": -0.3,
    "style_chain": -0.8,
    "style_occupation": 1.0,
}

_NOTHING: Mapping[str, float] = dict.fromkeys(PARTS, 0.0)

#: More pieces at the enemy king, and no exchanges; measured by KA over 40 plies.
_AGGRESSIVE: Mapping[str, float] = {
    **_NOTHING,
    "style_attack": 1.0,
    "style_trade": -1.0,
    "style_plies": 40,
}

#: Exchanges, towards the endgame; measured by EX over 40 plies.
_SOLID: Mapping[str, float] = {**_NOTHING, "style_trade": 1.0, "style_plies": 40}


def _effect(
    weights: Mapping[str, float],
    direction: float,
    position: Position,
    strength: float,
    options: Mapping[str, Any],
) -> StyleEffect:
    """What a style does to the root's moves. `options` may change its parts. `direction` says how it stands
    to the style that networks predict: 1 seeks it, -1 avoids it, 0 has nothing to do with it."""
    assert OPTIONS is not None
    if "style_plies" in options:  # an end that was asked for is the end of all of it
        weights = {**weights, "style_chain_plies": 0}
    chosen = OPTIONS.native({**weights, **options, "style_beta": strength})
    if not any(getattr(chosen, part) for part in PARTS):
        return StyleEffect(inactive_reason=Sentence("style.noWeights"))
    factors = dict(_native.style_prior_factors(position.state, chosen))
    if strength <= 0:
        return StyleEffect(factors, said=(Sentence("style.rootPriors", {"strength": strength}),))
    if not factors:
        return StyleEffect(
            inactive_reason=Sentence(
                "style.pastPly", {"ply": max(chosen.style_plies, chosen.style_chain_plies)}
            )
        )
    by_budget = chosen.style_mode == "budget"
    paid = strength**_BUDGET_POWER * chosen.style_budget * chosen.style_scale
    if options.get("search") == "alphabeta":
        late = 0 < chosen.style_plies < position.ply + 1
        paid *= _ALPHA_BETA_LATE if late else _ALPHA_BETA
    budget = min(1.0, paid) if by_budget else 0.0
    bonuses = {}
    if by_budget or chosen.style_price > 0:
        bonuses = dict(_native.style_bonuses(position.state, chosen))
    scale = 0.0
    if chosen.style_source != "heuristic":
        if direction == 0.0:
            return StyleEffect(inactive_reason=Sentence("style.profileHasNoHead"))
        scale = direction * _HEAD_SCALE
        if chosen.style_source == "head" and chosen.style_contact_prior == 1.0:
            factors = {}
    said = [
        Sentence("style.budget", {"strength": strength, "budget": budget})
        if by_budget
        else Sentence("style.rootPriors", {"strength": strength})
    ]
    if scale:
        said.append(Sentence("style.byHead" if chosen.style_source == "head" else "style.byBoth"))
    return StyleEffect(factors, bonuses, budget, scale, strength, chosen.style_price, said=tuple(said))


#: By name; the first is what a level alone means. Options that are set take the place of a style's own.
STYLES: Mapping[str, StyleHook] = (
    {
        "hypermodern": partial(_effect, HYPERMODERN, 1.0),
        "open": partial(_effect, _OPEN, -1.0),
        "aggressive": partial(_effect, _AGGRESSIVE, 0.0),
        "solid": partial(_effect, _SOLID, 0.0),
        PROFILE: partial(_effect, _NOTHING, 0.0),
    }
    if _native.HAS_STYLE
    else {}
)


def read_profile(path: str | os.PathLike[str]) -> tuple[str, dict[str, float]]:
    """The style and the options of a file that `kibitz style profile` wrote."""
    try:
        data: Any = json.loads(read_file(path, MOST_CONFIG).decode())
        if data["format"] != PROFILE_FORMAT or data["version"] != PROFILE_VERSION:
            raise BadRecord(f"{path}: not a profile of style, version {PROFILE_VERSION}")
        # Older files have the parts of the opening only.
        given = {**dict.fromkeys(_LATER_PARTS, 0.0), **data["weights"]}
        weights = {part: float(given[part.removeprefix("style_")]) for part in PARTS}
    except (ValueError, KeyError, TypeError) as error:
        raise BadRecord(f"{path}: a damaged profile of style: {error}") from None
    if not all(math.isfinite(value) and abs(value) <= _MOST_WEIGHT for value in weights.values()):
        raise BadRecord(f"{path}: weights of a style are from -{_MOST_WEIGHT:g} to {_MOST_WEIGHT:g}")
    return PROFILE, weights
