"""The configuration of a training loop (`kibitz train loop --config FILE`), read from TOML.

    game = "othello"
    generations = 30

    [selfplay]
    games = 400
    visits = 16
    options = { rule = "gumbel" }

    [gate]
    games = 60

Tables: `[selfplay]`, `[curriculum]` (chess), `[train]`, `[gate]`, `[anchor]`, `[fleet]`, and `[model]`,
`[optimizer]`, `[loss]` as in `kibitz train` (docs/training.md).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from kibitz.errors import BadOption, BadRequest
from kibitz.games import registry
from kibitz.request import Budget
from kibitz.style.tags import HIGH
from kibitz.training.game_part import training_of
from kibitz.training.settings import SelfplaySettings
from kibitz.training.shard_run import SHARD_GAMES, Place
from kibitz.training.toml_tables import read_toml, table_of

#: Games of a generation and visits of a move, where a file does not say.
_GAMES, _VISITS = 400, 32
#: Settings of self-play that a loop decides by itself.
_LOOPS_OWN = ("game", "budget", "seed", "network")
#: Fields of the table `[selfplay]` that are the loop's.
_OF_LOOP = ("shard_games", "most_false_resignations")


@dataclass(frozen=True)
class CurriculumPart:
    """A style whose bias weakens over the generations, as the network takes it over."""

    #: Levels in the order they are used in (`["strong", "medium", "light"]`); empty plays without a style.
    styles: tuple[str, ...] = ()
    #: Generations that each level lasts; the last one stays.
    every: int = 1
    #: Opening lines that games start from, with the chance alpha * strength + base.
    openings: str = ""
    alpha: float = 0.5
    #: The contact filter: the factor of the prior of early contact of central pawns, and of the temperature
    #: where such contact is the favourite.
    contact_prior: float = 1.0
    contact_temperature: float = 1.0
    #: Share of samples that are of games with a high S; 0 takes samples as they come.
    high_share: float = 0.6

    def style(self, generation: int) -> str:
        """The level of a generation, from 1 on; empty without a curriculum."""
        if not self.styles:
            return ""
        return self.styles[min((generation - 1) // max(1, self.every), len(self.styles) - 1)]

    @property
    def ratios(self) -> dict[str, float]:
        """The shares of samples by tag."""
        if not self.styles or not self.high_share:
            return {}
        return {HIGH: self.high_share, "*": 1.0 - self.high_share}


@dataclass(frozen=True)
class TrainPart:
    """How a network is trained in each generation."""

    steps: int = 300
    batch: int = 512
    threads: int = 0
    checkpoint_minutes: float = 3.0
    #: Of so many shards the last is held back for the loss that is plotted.
    holdout: int = 4
    shards_at_once: int = 8
    evaluate_batches: int = 8
    #: Further folders of samples that every generation is trained on.
    data: tuple[str, ...] = ()


@dataclass(frozen=True)
class GatePart:
    """The match of a new network against the best one so far."""

    games: int = 60
    visits: int = 64
    elo0: float = -10.0
    elo1: float = 40.0
    alpha: float = 0.05
    opening_plies: int = 6
    #: Where the test is not decided after all games, this score promotes.
    score: float = 0.52
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class AnchorPart:
    """A match of each promoted network against a player that stays the same, for Elo by generation; 0 games
    for none."""

    games: int = 0
    player: str = "uct:simulations=1000"
    visits: int = 64
    every: int = 1


@dataclass(frozen=True)
class LoopPlace(Place):
    """Where a loop works, and the shares of those who work at the same time: `processes` play, `gate` play
    the matches, and one trains with the threads of `[train]`."""

    #: Worker processes of the gate; 0 plays, trains and gates one after the other, each with all processes.
    gate: int = 0


@dataclass(frozen=True)
class LoopConfig:
    #: The games of a generation; the loop gives them their seed and their network.
    selfplay: SelfplaySettings
    seed: int = 0
    #: Networks that are trained; of games there are as many generations, or more where these are quicker.
    generations: int = 20
    #: The loop ends after the generation in which so many hours are over; 0 sets no limit.
    hours: float = 0.0
    #: Generations whose games a network is trained on.
    window: int = 8
    #: Games of a shard, which one worker plays and writes; fewer where a game takes minutes.
    shard_games: int = SHARD_GAMES
    #: Above this rate of wrong resignations (the upper end of its interval) nobody resigns in the next one.
    most_false_resignations: float = 0.1
    curriculum: CurriculumPart = field(default_factory=CurriculumPart)
    train: TrainPart = field(default_factory=TrainPart)
    model: Mapping[str, Any] = field(default_factory=dict)
    optimizer: Mapping[str, Any] = field(default_factory=dict)
    loss: Mapping[str, Any] = field(default_factory=dict)
    gate: GatePart = field(default_factory=GatePart)
    anchor: AnchorPart = field(default_factory=AnchorPart)
    fleet: LoopPlace = field(default_factory=LoopPlace)

    @property
    def game(self) -> str:
        return self.selfplay.game

    def __post_init__(self) -> None:
        info = registry.get(self.game)
        if info.searches.selfplay is None:
            raise BadOption(f"{self.game} has no networks to train")
        for name, value, least in (
            ("generations", self.generations, 1),
            ("window", self.window, 1),
            ("hours", self.hours, 0),
            ("selfplay.shard_games", self.shard_games, 1),
            ("gate.games", self.gate.games, 2),
            ("train.steps", self.train.steps, 1),
            ("fleet.gate", self.fleet.gate, 0),
            ("fleet.processes", self.fleet.processes, int(self.fleet.gate > 0)),
        ):
            if value < least:
                raise BadOption(f"{name} must be at least {least}, got {value}")
        if self.gate.games % 2 or self.anchor.games % 2:
            raise BadOption("a match has an even number of games")
        if self.curriculum.styles and training_of(self.game).style is None:
            raise BadOption(f"a curriculum needs a game whose style is measured, which {self.game} is not")
        if not 0 <= self.curriculum.high_share <= 1:
            raise BadOption(f"high_share must be from 0 to 1, got {self.curriculum.high_share}")
        for generation in range(1, 1 + max(1, self.curriculum.every) * len(self.curriculum.styles)):
            self.games_of(generation, "network", resign=True)
        self.games_of(1, "network", resign=True)  # refuses what is wrong

    def seed_of(self, generation: int) -> int:
        """The random seed of a generation's games, training and gate."""
        return self.seed * 1_000_003 + generation

    def games_of(self, generation: int, network: str, *, resign: bool) -> SelfplaySettings:
        """The games of a generation with a network."""
        course, changes = self.curriculum, dict[str, Any]()
        if style := course.style(generation):
            changes = {
                "style": style,
                "openings": course.openings or self.selfplay.openings,
                "alpha": course.alpha,
                "contact_temperature": course.contact_temperature,
            }
            if course.contact_prior != 1.0:
                prior = {"style_contact_prior": course.contact_prior}
                changes["options"] = {**self.selfplay.options, **prior}
        if not resign:
            changes["resign"] = 0.0
        return replace(self.selfplay, seed=self.seed_of(generation), network=network, **changes)

    def to_dict(self) -> dict[str, Any]:
        """All that decides the networks: not where the games are played, nor when to stop."""
        described = {item.name: _plain(getattr(self, item.name)) for item in fields(self)}
        described["selfplay"] = {**self.selfplay.to_dict(), "games": self.selfplay.games}
        for name in ("fleet", "hours", "generations"):
            del described[name]
        if not self.curriculum.styles:
            del described["curriculum"]
        if not self.train.data:
            del described["train"]["data"]
        return described

    @cached_property
    def digest(self) -> str:
        text = json.dumps(self.to_dict(), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]


def read_loop_config(path: str | Path) -> LoopConfig:
    """Reads a file; BadOption names what is wrong in it."""
    table = read_toml(path)
    try:
        parts = {
            name: table_of(kind, name, table.pop(name, {}))
            for name, kind in (
                ("curriculum", CurriculumPart),
                ("train", TrainPart),
                ("gate", GatePart),
                ("anchor", AnchorPart),
                ("fleet", LoopPlace),
            )
        }
        if "game" not in table:
            raise BadOption('the game is missing: game = "othello"')
        games = _games(table.pop("game"), table)
        return table_of(LoopConfig, "", {**table, **parts, "selfplay": games})
    except (BadOption, BadRequest) as error:
        raise BadOption(f"{path}: {error}") from error


def _games(game: str, table: dict[str, Any]) -> SelfplaySettings:
    """The table `[selfplay]`; what is the loop's in it goes to the fields above all tables."""
    values = {"games": _GAMES, "visits": _VISITS, **table.pop("selfplay", {})}
    table |= {name: values.pop(name) for name in _OF_LOOP if name in values}
    budget = Budget(visits=values.pop("visits"))
    for name in _LOOPS_OWN:
        if name in values:
            raise BadOption(f"unknown field {name!r} in [selfplay]; the loop decides it")
    return table_of(SelfplaySettings, "selfplay", {**values, "game": game, "budget": budget})


def _plain(value: Any) -> Any:
    if hasattr(value, "__dataclass_fields__"):
        return {item.name: _plain(getattr(value, item.name)) for item in fields(value)}
    return dict(value) if isinstance(value, Mapping) else value
