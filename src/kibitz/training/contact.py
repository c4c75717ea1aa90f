"""Chess: early contact of central pawns made rarer in self-play, for the games a style is measured by."""

from __future__ import annotations

from typing import Any

from kibitz import _native
from kibitz.games.base import Position
from kibitz.training.settings import SelfplaySettings


class Contact:
    """What the settings say about contact, as options of the search and as factors of the temperature."""

    def __init__(self, settings: SelfplaySettings) -> None:
        self._factor = settings.contact_temperature
        self.options: dict[str, Any] = {}
        if settings.contact_prior != 1.0:
            self.options["style_contact_prior"] = settings.contact_prior

    def temperature(self, position: Position, favourite: str, ply: int) -> float:
        """The factor of the temperature at a position whose favourite is this move."""
        if self._factor == 1.0 or ply >= _native.STYLE_CONTACT_PLY:
            return 1.0
        state = position.state
        return self._factor if _native.style_makes_contact(state, state.parse_move(favourite)) else 1.0
