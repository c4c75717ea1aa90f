"""The hypermodern style as part of a plan: factors of the root's priors (docs/style.md).

>>> import kibitz
>>> effect = hypermodern(kibitz.chess.Position(), 0.6, {})
>>> len(effect.prior_factors)
20
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kibitz import _native
from kibitz.games.base import StyleEffect
from kibitz.games.chess.position import Position
from kibitz.options import OwnOptions

__all__ = ["OPTIONS", "hypermodern"]

#: The weights of the style's parts; a core that was built without style has none.
OPTIONS = OwnOptions(_native.style_option_table, _native.StyleOptions) if _native.HAS_STYLE else None


def hypermodern(position: Position, strength: float, options: Mapping[str, Any]) -> StyleEffect:
    """What the style does to the priors of the root's moves. `options` may change its parts."""
    assert OPTIONS is not None
    chosen = OPTIONS.native({**options, "style_beta": strength})
    factors = dict(_native.style_prior_factors(position.state, chosen))
    if not factors and strength > 0:
        return StyleEffect(nothing=f"style counts up to ply {chosen.style_plies} of a game (style_plies)")
    if chosen.style_mode != "budget" or strength <= 0:
        return StyleEffect(factors, detail=f"root priors, strength {strength:g}")
    budget = min(1.0, strength * chosen.style_budget)
    bonuses = dict(_native.style_bonuses(position.state, chosen))
    return StyleEffect(factors, bonuses, budget, detail=f"strength {strength:g}, budget {budget:.2%} a move")
