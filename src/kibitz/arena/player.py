"""Who plays in a match: the contract of a player, and the players that are no program of their own.

Threads and ownership: a player is made, used and closed by one worker process, and is never shared. `close`
may be called from another thread while `choose` runs, which then ends with any error. `choose` blocks until
the move is there; it must not outlive its time limit by much, since a player who does so loses the game.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from kibitz.clock import Clocks, TimeManager
from kibitz.errors import BadOption, KibitzError
from kibitz.request import Budget

if TYPE_CHECKING:
    from kibitz.games.base import Position

#: What of an engine's time passes outside of its search, a move.
_MOVE_OVERHEAD = 0.05

#: Seconds a solver is run for before a game, to have it ready.
_WARM_UP = 0.01

#: An engine resigns after so many moves in a row at which its value is below the option `resign`.
_RESIGN_MOVES = 2


class PlayerError(KibitzError):
    """The player failed in the middle of a game: it crashed, hung or broke its protocol. It loses the game.

    `reason` is the word written in the record: `crashed`, `timeout` or `protocol`.
    """

    def __init__(self, message: str, reason: str = "crashed") -> None:
        super().__init__(message)
        self.reason = reason


class Resigned(Exception):
    """The player gives the game up."""


@dataclass(frozen=True)
class Turn:
    """How long a player may think about its move."""

    budget: Budget
    #: Seconds after which the move is lost.
    deadline: float = 60.0
    #: The clocks of the first side and of the second, where the game is played on clocks.
    clocks: tuple[Clocks, Clocks] | None = None


class Player(Protocol):
    """One who plays any number of games, one after the other, on either side.

    A player may also have `prepare(position)`, called with the first position before `new_game`, off the
    clock; `check()`, called once before a match, which raises BadOption; `keeps_time`, False when it cannot
    get the time; and `kill()`, as `close` without waiting for anything.
    """

    name: str

    def new_game(self, seed: int) -> None:
        """Forget the last game. With the same `seed` and a budget by simulations the same game is played
        again."""

    def choose(self, position: Position, turn: Turn) -> str:
        """A legal move of `position`; raises Resigned, or PlayerError when the player cannot go on."""

    def close(self) -> None:
        """Free everything; may be called twice."""


class PlayerFactory(Protocol):
    """What a match is given for a player: it travels to the worker processes and makes the player there."""

    @property
    def text(self) -> str:
        """The name in tables and result files; two matches with equal texts are the same match."""

    @property
    def budget(self) -> Budget:
        """The player's own budget a move, empty where the budget of the match is to be used."""

    @property
    def ignores_time_limit(self) -> bool:
        """True when it cannot be held to the seconds of a budget; it then loses on `move_timeout` only."""

    def refusal(self, start: Position, moves: tuple[str, ...]) -> str | None:
        """Why it cannot begin after `moves` from `start`, None when it can."""

    def make(self, game: type[Position]) -> Player:
        """The player, made without delay; raises BadOption."""


class RandomPlayer:
    """Plays any legal move with equal chance; the baseline every engine must beat."""

    name = "random"

    def __init__(self) -> None:
        self._random = random.Random(0)

    def new_game(self, seed: int) -> None:
        self._random = random.Random(seed)

    def choose(self, position: Position, turn: Turn) -> str:
        return self._random.choice(position.legal_moves)

    def close(self) -> None:
        pass


class GreedyPlayer:
    """Takes the move that leaves it most discs; of equal ones any."""

    name = "greedy"

    def __init__(self, game: type[Position]) -> None:
        if not hasattr(game, "discs"):
            raise BadOption(f"greedy counts discs, and {game.game} has none")
        self._random = random.Random(0)

    def new_game(self, seed: int) -> None:
        self._random = random.Random(seed)

    def choose(self, position: Position, turn: Turn) -> str:
        discs = {move: self._discs_after(position, move) for move in position.legal_moves}
        most = max(discs.values())
        return self._random.choice([move for move, count in discs.items() if count == most])

    def _discs_after(self, position: Position, move: str) -> int:
        after: Any = position.play(move)
        return int(after.discs[position.to_move])

    def close(self) -> None:
        pass


class EnginePlayer:
    """A Kibitz engine: `EnginePlayer("othello", "uct", {"c": 0.7})`.

    It thinks with one thread unless the options say otherwise, so that a game is repeatable from its seed.
    With `resign=0.02` it resigns when its expected result is below that at two moves in a row. `load` gives
    the network of a file in a precision; by default each player has its own.
    """

    def __init__(
        self,
        game: str,
        preset: str,
        options: Mapping[str, Any],
        name: str | None = None,
        load: Callable[[str, str], Any] | None = None,
    ) -> None:
        from kibitz.engine import Engine
        from kibitz.games.bundled import NONE
        from kibitz.games.networks import load_file, network_file

        self.name = name or preset
        values = {"threads": 1, **options}
        precision = str(values.pop("precision", "fp32"))
        self._resign = _resign_value(values.pop("resign", 0.0))
        self._hopeless = 0
        file = network_file(game, values.pop("network", None), preset, values)
        own = values.pop("style_network", None)
        if load is None:  # as it is, without tuning: games are repeatable
            load = lambda file, precision: load_file(game, file, precision=precision)  # noqa: E731
        self._engine = Engine(
            game,
            preset=preset,
            network=NONE if file is None else load(str(file), precision),
            style_network=own if own in (None, NONE) else load(str(own), precision),
            **values,
        )
        self._own_seed = "seed" in options
        self._ready = False
        self._time = TimeManager()

    def prepare(self, position: Position) -> None:
        """Opens the network for the board, loads tables and makes the solver's, which are not to be paid for
        with a move's time."""
        solve = self._engine.info.solve
        if solve is not None and not self._ready:
            solve(position, _WARM_UP, lambda: False, False)
        if self._engine.has_network or not self._ready:
            self._engine.analyze(position, simulations=1, seconds=_WARM_UP)
        self._ready = True

    def new_game(self, seed: int) -> None:
        # Nothing is carried over from the last game, so game 7 is the same game in whichever worker it is
        # played.
        self._engine.new_game(None if self._own_seed else seed)
        self._time = self._time.next_game()
        self._hopeless = 0

    def choose(self, position: Position, turn: Turn) -> str:
        limits = turn.budget.to_dict()
        begun = time.monotonic()
        if turn.clocks is not None:
            own = self._time.allot(turn.clocks[position.to_move], _MOVE_OVERHEAD)
            limits["seconds"] = min(own, limits.get("seconds", own))
        report = self._engine.analyze(position, **limits)
        if turn.clocks is not None:
            self._time.took(time.monotonic() - begun)
        if self._resign:
            self._hopeless = self._hopeless + 1 if report.root.value < self._resign else 0
            if self._hopeless >= _RESIGN_MOVES:
                raise Resigned
        return report.best

    def close(self) -> None:
        self._engine.close()


def _resign_value(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0.0 <= value < 0.5:
        raise BadOption(f"resign must be from 0 (never) to below 0.5, got {value!r}")
    return float(value)


class LevelPlayer:
    """A named level of a game: `LevelPlayer("othello", "club")`. It thinks as long as its level says."""

    def __init__(self, game: str, level: str) -> None:
        from kibitz.engine import Engine
        from kibitz.levels import get_level

        self.name = f"level:{level}"
        self._level = get_level(game, level)
        self._engine = Engine(game, threads=1)
        self._random = random.Random(0)

    def new_game(self, seed: int) -> None:
        self._engine.new_game(seed)
        self._random = random.Random(seed)

    def choose(self, position: Position, turn: Turn) -> str:
        from kibitz.levels import play_at

        return play_at(self._engine, position, self._level, self._random)[0]

    def close(self) -> None:
        self._engine.close()
