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
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from kibitz.errors import BadOption
from kibitz.games import registry
from kibitz.games.chess.styles import OPENING_PARTS, PARTS
from kibitz.steering import STYLE_LEVELS
from kibitz.training.loop_config import CurriculumPart, GatePart
from kibitz.training.toml_tables import read_toml, tables_of

MODES = ("priors", "budget")


@dataclass(frozen=True)
class LabPart:
    """What is measured."""

    style: str = "hypermodern"
    levels: tuple[str, ...] = ("light", "medium", "strong")
    modes: tuple[str, ...] = MODES
    #: Network file; empty has the hand-written evaluation.
    network: str = ""
    #: Network that plays with a style, where that is another one; games without a style are of `network`.
    style_network: str = ""
    #: It plays where the style is active, and `network` the rest of the game; false lets it play all of it.
    handover: bool = True
    #: Precision of the networks: `fp32` or `int8`.
    precision: str = "fp32"
    #: Win probability that a move may cost at strength 1; 0 takes the option's own.
    budget: float = 0.0
    #: Further options of the style, such as `style_plies`; those that are not named are the style's own.
    options: Mapping[str, float] = field(default_factory=dict)
    #: What a style goes by: `heuristic`, `head` or `both`; the last two want a network with a style head.
    source: str = "heuristic"
    seed: int = 1


@dataclass(frozen=True)
class GamesPart:
    """The games of each set: both sides play in the style."""

    games: int = 200
    visits: tuple[int, ...] = (8, 100)
    #: Games at each of the visits in the place of `games`, as many numbers as there are visits.
    counts: tuple[int, ...] = ()
    #: Levels other than medium play at most so many games; 0 has no limit.
    few: int = 0
    plies: int = 24
    #: Moves are drawn by visits for so many plies, after which the best is played.
    temperature: float = 1.0
    temperature_plies: int = 6
    #: One more set of each level with opening lines put in (`hypermodern`, or a file); empty has none.
    openings: str = ""


@dataclass(frozen=True)
class MatchPart:
    """The match of each level against no style; 0 games has none."""

    games: int = 100
    visits: int = 100
    opening_plies: int = 4
    #: File of openings in the place of random plies.
    openings: str = ""
    #: Games of levels other than medium; 0 has as many.
    few: int = 0
    #: One more match of medium with more visits.
    deep_games: int = 0
    deep_visits: int = 400
    #: A side resigns when its value is below this at two moves in a row; 0 never.
    resign: float = 0.0


@dataclass(frozen=True)
class AblationPart:
    """Each part of the bonus taken away once, at one level; 0 games has none."""

    games: int = 0
    level: str = "medium"
    mode: str = "budget"
    visits: int = 8
    parts: tuple[str, ...] = field(
        default_factory=lambda: tuple(part.removeprefix("style_") for part in OPENING_PARTS)
    )
    #: Steps of training for each plane that is taken away once, beside one with all of them; 0 has none. Each
    #: with so many seeds, so that a difference has an interval.
    plane_steps: int = 0
    plane_seeds: int = 3


@dataclass(frozen=True)
class TrainingPart:
    """The style network: a training loop with a curriculum, from the lab's network or from random weights; 0
    generations train none."""

    generations: int = 0
    games: int = 200
    visits: int = 8
    plies: int = 60
    steps: int = 300
    batch: int = 256
    rate: float = 5e-4
    #: lambda_s, the weight of the style head's loss.
    style_weight: float = 0.2
    #: Network or run that it begins with, of the same sizes; empty begins with the lab's network where that
    #: is Kibitz's own, else at random.
    start: str = ""
    filters: int = 64
    blocks: int = 6
    policy_filters: int = 64
    value_hidden: int = 128
    planes: tuple[str, ...] = ("all",)
    #: Further folders of samples with planes about style (`kibitz train tag`), for the strength of play.
    data: tuple[str, ...] = ()


@dataclass(frozen=True)
class TuningPart:
    """The grid over lambda_s and beta: shift and Elo of each point; no lambdas have none."""

    lambdas: tuple[float, ...] = ()
    betas: tuple[float, ...] = (0.3, 0.6, 1.0)
    games: int = 60
    visits: int = 8
    match_games: int = 20
    match_visits: int = 50
    steps: int = 300


#: A generation is promoted unless it is weaker than what a style may cost: 60 Elo against 20.
STYLE_GATE = GatePart(games=100, visits=50, elo0=-60.0, elo1=-20.0, score=0.47)

#: The bias of the generations, from strong to light, with opening lines and the contact filter.
CURRICULUM = CurriculumPart(("strong", "medium", "light"), openings="hypermodern", contact_prior=0.5)


@dataclass(frozen=True)
class LabConfig:
    lab: LabPart = field(default_factory=LabPart)
    games: GamesPart = field(default_factory=GamesPart)
    match: MatchPart = field(default_factory=MatchPart)
    ablation: AblationPart = field(default_factory=AblationPart)
    training: TrainingPart = field(default_factory=TrainingPart)
    gate: GatePart = STYLE_GATE
    curriculum: CurriculumPart = CURRICULUM
    tuning: TuningPart = field(default_factory=TuningPart)

    def __post_init__(self) -> None:
        _among("style", [self.lab.style], registry.get("chess").styles)
        levels = [level for level in STYLE_LEVELS if level != "off"]
        _among("level", [*self.lab.levels, self.ablation.level], levels)
        _among("mode", [*self.lab.modes, self.ablation.mode], MODES)
        _among("part", self.ablation.parts, [part.removeprefix("style_") for part in PARTS])
        _among("source", [self.lab.source], ("heuristic", "head", "both"))
        _among("level", self.curriculum.styles, levels)
        if self.ablation.plane_seeds < 1:
            raise BadOption(f"plane_seeds in [ablation] must be at least 1, got {self.ablation.plane_seeds}")
        if self.tuning.match_games % 2:
            raise BadOption(f"match_games in [tuning] must be even, got {self.tuning.match_games}")
        if (self.tuning.lambdas or self.ablation.plane_steps) and not self.training.generations:
            raise BadOption("a grid and an ablation of planes need samples: generations in [training]")
        for value in (*self.tuning.lambdas, *self.tuning.betas):
            if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 10:
                raise BadOption(f"lambdas and betas in [tuning] are numbers from 0 to 10, got {value!r}")
        _among("precision", [self.lab.precision], ("fp32", "int8"))
        if self.lab.style_network and self.lab.handover and not self.lab.network:
            raise BadOption(
                "style_network in [lab] needs a network for the rest of the game, or handover = false"
            )
        _whole("visits", self.games.visits)
        if self.games.counts:
            _whole("counts", self.games.counts)
            if len(self.games.counts) != len(self.games.visits):
                raise BadOption("counts in [games] must be as many numbers as visits")
        for name in ("games", "few", "deep_games"):
            if getattr(self.match, name) % 2:
                raise BadOption(f"{name} in [match] must be even, got {getattr(self.match, name)}")

    @property
    def style_networks(self) -> tuple[str, str]:
        """The network that plays with a style (empty for the hand-written evaluation), and the one that takes
        its place where the style is active (empty: it plays there too)."""
        lab = self.lab
        if lab.style_network and lab.handover:
            return lab.network, lab.style_network
        return lab.style_network or lab.network, ""

    def count(self, visits: int, level: str = "") -> int:
        """Games of a set; without a level, of the baseline."""
        part = self.games
        games = dict(zip(part.visits, part.counts, strict=True))[visits] if part.counts else part.games
        return min(games, part.few) if part.few and level not in ("", "medium") else games


def _whole(name: str, values: Sequence[Any]) -> None:
    whole = [value for value in values if isinstance(value, int) and not isinstance(value, bool)]
    if not whole or len(whole) != len(values) or min(whole) < 1:
        raise BadOption(f"{name} in [games] must be whole numbers above 0, got {list(values)}")


def _among(kind: str, values: Sequence[str], known: Any) -> None:
    for value in values:
        if value not in known:
            raise BadOption(f"unknown {kind} {value!r}, expected one of {', '.join(known)}")


def read_lab_config(path: str | os.PathLike[str]) -> LabConfig:
    """The configuration of a file. Files that it names are looked for beside it."""
    tables = read_toml(path)
    beside = Path(path).parent
    for table, key in (
        ("lab", "network"),
        ("lab", "style_network"),
        ("games", "openings"),
        ("match", "openings"),
        ("training", "start"),
    ):
        value = tables.get(table, {}).get(key) if isinstance(tables.get(table), dict) else None
        if isinstance(value, str) and os.path.isfile(beside / value):
            tables[table][key] = str(beside / value)
    if isinstance(tables.get("curriculum", {}), dict):
        tables["curriculum"] = {**asdict(CURRICULUM), **tables.get("curriculum", {})}
    if isinstance(tables.get("gate", {}), dict):
        tables["gate"] = {**asdict(STYLE_GATE), **tables.get("gate", {})}
    return LabConfig(**tables_of(LabConfig(), tables))
