"""The configuration of a style lab (`kibitz style lab --config FILE`), read from TOML.

    [lab]
    levels = ["medium", "strong"]

    [games]
    games = 500
    visits = [8, 100, 800]

    [match]
    games = 400
    visits = 100

Every field has a default; `examples/style-lab.toml` has them all.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from kibitz.errors import BadOption
from kibitz.games import registry
from kibitz.games.chess.styles import PARTS
from kibitz.steering import STYLE_LEVELS
from kibitz.training.toml_tables import read_toml, table_of

__all__ = ["AblationPart", "GamesPart", "LabConfig", "LabPart", "MatchPart", "read_lab_config"]

MODES = ("priors", "budget")


@dataclass(frozen=True)
class LabPart:
    """What is measured."""

    style: str = "hypermodern"
    levels: tuple[str, ...] = ("light", "medium", "strong")
    modes: tuple[str, ...] = MODES
    #: Network file; empty has the hand-written evaluation.
    network: str = ""
    #: Win probability that a move may cost at strength 1; 0 takes the option's own.
    budget: float = 0.0
    seed: int = 1


@dataclass(frozen=True)
class GamesPart:
    """The games of each lot: both sides play in the style."""

    games: int = 200
    visits: tuple[int, ...] = (8, 100)
    plies: int = 24
    #: Moves are drawn by visits for so many plies, after which the best is played.
    temperature: float = 1.0
    temperature_plies: int = 6
    #: One more lot of each level with opening lines put in (`hypermodern`, or a file); empty has none.
    openings: str = ""


@dataclass(frozen=True)
class MatchPart:
    """The match of each level against no style; 0 games has none."""

    games: int = 100
    visits: int = 100
    opening_plies: int = 4
    #: File of openings in the place of random plies.
    openings: str = ""


@dataclass(frozen=True)
class AblationPart:
    """Each part of the bonus taken away once, at one level; 0 games has none."""

    games: int = 0
    level: str = "medium"
    mode: str = "priors"
    visits: int = 8
    parts: tuple[str, ...] = field(
        default_factory=lambda: tuple(part.removeprefix("style_") for part in PARTS)
    )


@dataclass(frozen=True)
class LabConfig:
    lab: LabPart = field(default_factory=LabPart)
    games: GamesPart = field(default_factory=GamesPart)
    match: MatchPart = field(default_factory=MatchPart)
    ablation: AblationPart = field(default_factory=AblationPart)

    def __post_init__(self) -> None:
        _among("style", [self.lab.style], registry.get("chess").styles)
        levels = [level for level in STYLE_LEVELS if level != "off"]
        _among("level", [*self.lab.levels, self.ablation.level], levels)
        _among("mode", [*self.lab.modes, self.ablation.mode], MODES)
        _among("part", self.ablation.parts, [part.removeprefix("style_") for part in PARTS])
        whole = [
            value for value in self.games.visits if isinstance(value, int) and not isinstance(value, bool)
        ]
        if not whole or len(whole) != len(self.games.visits) or min(whole) < 1:
            raise BadOption(f"visits in [games] must be whole numbers above 0, got {list(self.games.visits)}")
        if self.match.games % 2:
            raise BadOption(f"games in [match] must be even, got {self.match.games}")


def _among(kind: str, values: Sequence[str], known: Any) -> None:
    for value in values:
        if value not in known:
            raise BadOption(f"unknown {kind} {value!r}, expected one of {', '.join(known)}")


def read_lab_config(path: str | os.PathLike[str]) -> LabConfig:
    """The configuration of a file. Files that it names are looked for beside it."""
    tables = read_toml(path)
    kinds: dict[str, type[Any]] = {
        "lab": LabPart,
        "games": GamesPart,
        "match": MatchPart,
        "ablation": AblationPart,
    }
    for name in tables:
        if name not in kinds:
            raise BadOption(
                f"unknown table [{name}]; expected one of {', '.join(f'[{kind}]' for kind in kinds)}"
            )
    parts: dict[str, Any] = {}
    beside = Path(path).parent
    for table, key in (("lab", "network"), ("games", "openings"), ("match", "openings")):
        value = tables.get(table, {}).get(key) if isinstance(tables.get(table), dict) else None
        if isinstance(value, str) and (beside / value).is_file():
            tables[table][key] = str(beside / value)
    for item in fields(LabConfig):
        parts[item.name] = table_of(kinds[item.name], item.name, tables.get(item.name, {}))
    return LabConfig(**parts)
