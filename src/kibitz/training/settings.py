"""What a run of self-play is: everything that decides its games."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from pathlib import Path
from typing import Any

from kibitz.errors import BadOption
from kibitz.games import registry
from kibitz.network import NetworkTraits
from kibitz.plan import configure
from kibitz.request import Budget
from kibitz.steering import Style, make_style
from kibitz.training.game_part import training_of

__all__ = ["SelfplaySettings"]

#: Memory of a search: few visits need little, and many games are played at once.
SEARCH_MEMORY_MB = 256


@dataclass(frozen=True)
class SelfplaySettings:
    """The settings of a run: `SelfplaySettings("othello", games=1000, budget=Budget(visits=200))`.

    Two runs with equal settings have the same games; `digest` tells settings apart.

    >>> SelfplaySettings("othello", games=2, budget=kibitz.Budget(visits=4)).games
    2
    """

    game: str
    games: int = 100
    #: How long to think about a move; the games are repeatable unless it is limited by seconds.
    budget: Budget = field(default_factory=lambda: Budget(visits=100))
    #: The first games are the same whatever the number of games.
    seed: int = 0
    #: Where the games start: a notation, empty for the game's own start.
    position: str = ""
    #: In games that are dealt: how many players.
    players: int = 4
    #: Plies after which a game is broken off; 0 plays to the end.
    plies: int = 0
    #: Moves are drawn by visits ^ (1 / temperature); 0 always plays the best.
    temperature: float = 1.0
    #: Plies of each game at which moves are drawn; after them the best is played. 0 draws to the end.
    temperature_plies: int = 0
    #: Playout cap randomization: where above 0, a share `full_share` of the moves is searched with the whole
    #: budget and noise and teaches a policy, the others get so many visits and no noise.
    fast_visits: int = 0
    full_share: float = 0.25
    #: A side whose root value was at most `resign` at its last `resign_plies` moves resigns; 0 never does.
    #: In a share `play_out` of the games it plays on, which shows how often resigning is wrong.
    resign: float = 0.0
    resign_plies: int = 3
    play_out: float = 0.1
    #: A way of playing, as `Engine(style=...)` takes it; empty has none.
    style: str = ""
    #: File of opening lines, or the name of lines that the game has. Empty has none.
    openings: str = ""
    #: Every game starts with so many random plies, another opening in each.
    opening_plies: int = 0
    #: A game starts from a line with the chance alpha * strength of the style + base.
    alpha: float = 0.5
    base: float = 0.0
    #: Where early contact of central pawns is the favourite, the temperature is multiplied by this.
    contact_temperature: float = 1.0
    preset: str = "default"
    #: Network file; empty searches without one.
    network: str = ""
    #: Network file for the positions where the style is active; empty has `network` play them too.
    style_network: str = ""
    precision: str = "fp32"
    runtime: str = "auto"
    #: Further options of the search.
    options: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        limits: dict[str, tuple[float, float]] = {
            "games": (1, 10**9),
            "seed": (0, 2**62),
            "plies": (0, 10**6),
            "temperature": (0, 100),
            "temperature_plies": (0, 10**6),
            "fast_visits": (0, 10**9),
            "full_share": (0, 1),
            "resign": (0, 0.5),
            "resign_plies": (1, 1000),
            "play_out": (0, 1),
            "opening_plies": (0, 100),
            "alpha": (0, 100),
            "base": (0, 1),
            "contact_temperature": (1, 100),
        }
        for name, (least, most) in limits.items():
            value = getattr(self, name)
            if not least <= value <= most:
                raise BadOption(f"{name} must be from {least:g} to {most:g}, got {value!r}")
        registry.get(self.game)
        if self.opening_plies and self.openings:
            raise BadOption("games start from opening lines or from random plies, not both")
        if self.contact_temperature != 1.0 and training_of(self.game).contact is None:
            raise BadOption(f"{self.game} has no contact of central pawns, which contact_temperature needs")
        if self.style_network and not (self.network and self.wanted_style):
            raise BadOption("a style network needs a style, and a network for the rest of the game")
        if not self.budget.to_dict():
            raise BadOption("self-play needs a budget a move, such as visits")
        if (self.fast_visits or self.resign) and registry.get(self.game).options.check is not None:
            raise BadOption(f"{self.game} has a search of its own, without fast_visits and resign")

    @property
    def wanted_style(self) -> Style | None:
        """The style, None where it has no strength."""
        style = make_style(self.style or None)
        return None if style is None or style.strength == 0 else style

    def why_not_native(self, has_network: bool | None = None) -> str:
        """Why the games need an Engine for each move; empty where the core plays them, many at once. A
        network may be given that has no file."""
        info = registry.get(self.game)
        if info.searches.selfplay is None:
            return f"{self.game} has a search of its own"
        if self.wanted_style is not None or self.contact_temperature != 1.0:
            return "each search is biased by a style or by contact"
        if set(self.budget.to_dict()) - {"visits", "simulations"}:
            return "the budget is more than visits and simulations"
        traits = NetworkTraits() if (bool(self.network) if has_network is None else has_network) else None
        values = configure(self.game, self.preset, self.options, network=traits).options
        rows = {} if info.options.own is None else info.options.own.table()
        changed = {name for name, row in rows.items() if str(values.get(name, row.initial)) != row.initial}
        # With a budget of visits a game that has two kinds of search takes the tree by itself.
        if values.get("search") == "tree":
            changed.discard("search")
        if changed:
            return f"options of the game alone are set: {', '.join(sorted(changed))}"
        return ""

    @property
    def strength(self) -> float:
        """The strength of the style, 0 without one."""
        style = self.wanted_style
        return 0.0 if style is None else style.strength

    def to_dict(self) -> dict[str, Any]:
        """All that decides a game: not how many there are, nor where a file lies."""
        described = {item.name: getattr(self, item.name) for item in fields(self) if item.name != "games"}
        described["budget"] = self.budget.to_dict()
        described["options"] = {name: str(value) for name, value in sorted(self.options.items())}
        for name in ("style_network", "opening_plies"):  # logs of runs without one do not name it
            if not described[name]:
                del described[name]
        for name in ("network", "style_network", "openings"):
            path = described.get(name)
            if path and Path(path).is_file():
                described[name] = "sha256:" + hashlib.sha256(Path(path).read_bytes()).hexdigest()
        return described

    @cached_property
    def digest(self) -> str:
        """A short name of `to_dict()`."""
        text = json.dumps(self.to_dict(), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]
