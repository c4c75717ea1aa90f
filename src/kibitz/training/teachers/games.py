"""Games whose every position a teacher judges. Its policy also draws the moves, so that no judgement is
wasted. Openings, temperature and blunders differ from game to game, for a search will see odd positions.

A game is the same for the same seed and number.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kibitz.games import registry
from kibitz.training.game_part import training_of
from kibitz.training.samples import GameSamples
from kibitz.training.teachers.judgement import Judgement, Teacher

#: A position whose outcome is this clear, for this many judgements, ends most games.
_CLEAR, _CLEAR_PLIES = 0.96, 12


@dataclass(frozen=True)
class GameSettings:
    """How the games are made."""

    game: str
    seed: int = 0
    #: In games with boards of several sizes: these, drawn evenly.
    sizes: tuple[int, ...] = (9, 13, 19)
    #: At most so many random moves at the beginning.
    random_plies: int = 6
    #: Moves are drawn by shares ^ (1 / temperature).
    temperature: float = 0.8
    #: The chance of a random move later on, in half of the games.
    blunders: float = 0.03
    #: A longest game, in plies; 0: twice the points of the board.
    plies: int = 0


class _Row:
    """A position as it was judged."""

    def __init__(self, ply: int, state: Any, judged: Judgement) -> None:
        self.ply = ply
        self.side = int(state.to_move)
        self.planes, self.globals = state.encode()
        self.judged = judged
        kept = np.flatnonzero(judged.shares >= max(1e-3, float(judged.shares.max()) * 1e-3))
        indices = [state.policy_index(judged.moves[int(at)]) for at in kept]
        self.policy = np.array(indices, np.uint16), judged.shares[kept]


class _Game:
    """One game under way."""

    def __init__(self, settings: GameSettings, number: int, openings: Sequence[str]) -> None:
        self.number = number
        self.dice = dice = random.Random(f"label {settings.seed} {number}")
        self.state = _start(settings, dice, openings)
        self.most = settings.plies or 2 * int(np.prod(self.state.sample_shape[1:3]))
        self.temperature = settings.temperature * dice.uniform(0.5, 1.5)
        self.blunders = settings.blunders if dice.random() < 0.5 else 0.0
        self.to_the_end = dice.random() < 0.2
        self.random_plies = dice.randint(0, settings.random_plies)
        self.ply = 0
        self.first, self.played = self.state, list[int]()
        self.clear = 0
        self.rows: list[_Row] = []

    @property
    def over(self) -> bool:
        enough = self.clear >= _CLEAR_PLIES and not self.to_the_end
        return bool(self.state.is_over) or self.ply >= self.most or enough

    def open(self) -> None:
        """The random moves at the beginning."""
        while self.ply < self.random_plies and not self.state.is_over:
            self._play(self.dice.choice(_not_passing(self.state)))

    def step(self, judged: Judgement | None) -> None:
        """Keep what the teacher said, and play on."""
        if judged is not None:
            self.rows.append(_Row(self.ply, self.state, judged))
            self.clear = self.clear + 1 if max(judged.value[0], judged.value[2]) > _CLEAR else 0
        if judged is None or self.dice.random() < self.blunders:
            self._play(self.dice.choice(_not_passing(self.state)))
            return
        weights = np.power(judged.shares.astype(np.float64), 1 / self.temperature)
        self._play(self.dice.choices(judged.moves, weights.tolist())[0])

    def _play(self, move: int) -> None:
        self.state = self.state.play(move)
        self.played.append(move)
        self.ply += 1

    def samples(self, settings: GameSettings, source: str, game_id: str) -> GameSamples | None:
        if not self.rows:
            return None
        results = _results(settings.game, self.state)
        judged = [row.judged for row in self.rows]
        sides = [row.side for row in self.rows]
        owners = [item.ownership for item in judged]
        plies = np.array([row.ply for row in self.rows])
        style = training_of(settings.game).style
        scored = None if style is None else style.measure(self.first, self.played)
        return GameSamples(
            settings.game,
            game_id,
            np.stack([row.planes for row in self.rows]),
            np.stack([row.globals for row in self.rows]),
            [row.policy for row in self.rows],
            np.array(
                [results[side] if results else item.value for side, item in zip(sides, judged, strict=True)],
                np.float32,
            ),
            np.array(sides),
            plies,
            self.ply - plies,
            q=np.array([item.q for item in judged], np.float32),
            d=np.array([item.value[1] for item in judged], np.float32),
            score=np.array([item.score for item in judged], np.float32),
            ownership=None if any(owner is None for owner in owners) else np.stack(owners),  # type: ignore[arg-type]
            style=None if scored is None else scored.of_game(len(sides)),
            mover_style=None if scored is None else scored.of_movers(sides),
            source=source,
            seed=settings.seed,
            tags=("distilled", *(scored.tags if scored else ())),
        )


def _results(game: str, last: Any) -> list[Any] | None:
    """Win, draw, loss of each side; None when the game was broken off."""
    if not last.is_over:
        return None
    return [last.targets(side)[0] for side in (0, 1)]


def _not_passing(state: Any) -> list[int]:
    """The moves, without a pass while there is another."""
    moves = list(state.legal_moves())
    board = [move for move in moves if state.move_text(move) != "pass"]
    return board or moves


def _start(settings: GameSettings, dice: random.Random, openings: Sequence[str]) -> Any:
    if openings:
        return registry.get(settings.game).position(dice.choice(openings)).state
    start = training_of(settings.game).start
    return registry.get(settings.game).position().state if start is None else start(settings, dice)


def labelled_games(
    settings: GameSettings,
    teacher: Teacher,
    numbers: Iterator[int],
    *,
    parallel: int = 64,
    openings: Sequence[str] = (),
) -> Iterator[tuple[int, GameSamples | None]]:
    """Number and samples of each game, as they end; None for a game without a judged position. `parallel`
    games are played at once."""
    playing: list[_Game] = []
    while True:
        while len(playing) < parallel:
            number = next(numbers, None)
            if number is None:
                break
            game = _Game(settings, number, openings)
            game.open()
            playing.append(game)
        if not playing:
            return
        going = [game for game in playing if not game.over]
        for game, judged in zip(going, teacher.judge([game.state for game in going]), strict=True):
            game.step(judged)
        for game in playing:
            if game.over:
                game_id = f"{teacher.name}:{settings.seed}:{game.number}"
                yield game.number, game.samples(settings, teacher.name, game_id)
        playing = [game for game in playing if not game.over]
