"""Who plays in a match: the contract of a player, and the text that names one.

    >>> spec = parse_player("uct:c=0.7,simulations=5000")
    >>> spec.kind, spec.options, spec.limit
    ('engine', {'c': 0.7}, Limit(simulations=5000))

Texts: `uct`, `default:c=0.7`, `lc0:network=maia-1900.pb.gz,style=medium` (an engine preset with options),
`random`, `greedy`, `gtp:gnugo --mode gtp` (any GTP program), `uci:stockfish; Threads=1` (any UCI program). A
new kind of player is one entry in `KINDS`.

Threads and ownership: a player is made, used and closed by one worker process, and is never shared.
`choose` blocks until the move is there; it must not outlive its time limit by much, since a player who does
so loses the game.
"""

from __future__ import annotations

import os
import random
import shlex
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from kibitz.errors import BadOption, KibitzError

if TYPE_CHECKING:
    from kibitz.games.base import Position

__all__ = [
    "KINDS",
    "EnginePlayer",
    "GreedyPlayer",
    "Limit",
    "Player",
    "PlayerError",
    "PlayerFactory",
    "PlayerSpec",
    "RandomPlayer",
    "parse_player",
]

#: How much an engine may think when nothing is said: repeatable, and quick in every game.
DEFAULT_SIMULATIONS = 1000

#: What a player may take beyond its seconds: a busy machine must not decide a game.
CLOCK_GRACE = 1.0

_LIMIT_KEYS = ("simulations", "visits", "seconds")


class PlayerError(KibitzError):
    """The player failed in the middle of a game: it crashed, hung or broke its protocol. It loses the game.

    `reason` is the word written in the record: `crashed`, `timeout` or `protocol`.
    """

    def __init__(self, message: str, reason: str = "crashed") -> None:
        super().__init__(message)
        self.reason = reason


@dataclass(frozen=True, repr=False)
class Limit:
    """How long to think about one move: `Limit(simulations=1000)`, `Limit(visits=400)` or
    `Limit(seconds=0.5)`."""

    simulations: int | None = None
    visits: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        for key, value in self.to_dict().items():
            if isinstance(value, bool) or not isinstance(value, (int, float)):
                raise BadOption(f"{key} must be a number, got {value!r}")
            if not value > 0 or value == float("inf"):
                raise BadOption(f"{key} must be positive, got {value:g}")
            if key != "seconds" and not isinstance(value, int):
                raise BadOption(f"{key} must be a whole number, got {value:g}")

    def to_dict(self) -> dict[str, Any]:
        """Only what is limited: `{"simulations": 1000}`."""
        return {key: getattr(self, key) for key in _LIMIT_KEYS if getattr(self, key) is not None}

    def deadline(self, move_timeout: float) -> float:
        """Seconds after which a move is lost on time; `move_timeout` holds where no clock is set."""
        return move_timeout if self.seconds is None else self.seconds + CLOCK_GRACE

    def __bool__(self) -> bool:
        return bool(self.to_dict())

    def __repr__(self) -> str:
        return f"Limit({', '.join(f'{key}={value!r}' for key, value in self.to_dict().items())})"

    def __str__(self) -> str:
        words = {"simulations": "simulations", "visits": "visits", "seconds": "s"}
        return ", ".join(f"{value:g} {words[key]}" for key, value in self.to_dict().items()) or "no limit"


class Player(Protocol):
    """One who plays any number of games, one after the other, on either side."""

    name: str

    def new_game(self, seed: int) -> None:
        """Forget the last game. With the same `seed` and a limit by simulations the same game is played
        again."""

    def choose(self, position: Position, limit: Limit) -> str:
        """A legal move of `position`; raises PlayerError when the player cannot go on."""

    def close(self) -> None:
        """Free everything; may be called twice."""


class PlayerFactory(Protocol):
    """What a match is given for a player: it travels to the worker processes and makes the player there."""

    @property
    def text(self) -> str:
        """The name in tables and result files; two matches with equal texts are the same match."""

    @property
    def limit(self) -> Limit:
        """The player's own limit, empty where the limit of the match is to be used."""

    @property
    def needs_start_position(self) -> bool:
        """True when it can only follow moves from the start of the game, so it cannot take up a set
        position."""

    @property
    def own_clock(self) -> bool:
        """True when it cannot be held to the seconds of a limit; it then loses on `move_timeout` only."""

    def make(self, game: type[Position], move_timeout: float) -> Player:
        """The player, made without delay; raises BadOption. A program that does not answer is given up
        after `move_timeout` seconds."""


@dataclass(frozen=True)
class PlayerSpec:
    """A player named by a text; make it with `parse_player`."""

    text: str
    kind: str
    argument: str
    options: Mapping[str, Any] = field(default_factory=dict)
    limit: Limit = field(default_factory=Limit)

    @property
    def needs_start_position(self) -> bool:
        return self.kind == "gtp"

    @property
    def own_clock(self) -> bool:
        # Many GTP programs take a time setting and ignore it. To beat them on the clock would prove nothing.
        return self.kind == "gtp"

    def make(self, game: type[Position], move_timeout: float) -> Player:
        return KINDS[self.kind](self, game, move_timeout)


def parse_player(text: str) -> PlayerSpec:
    """The player a text names; raises BadOption with what was expected.

    Presets and options of an engine are checked where the engine is made, since they differ from game to
    game.
    """
    text = text.strip()
    head, colon, rest = text.partition(":")
    head, rest = head.strip(), rest.strip()
    if not head:
        raise BadOption(
            f"bad player {text!r}: expected a preset such as uct or uct:c=0.7, random, greedy, gtp:COMMAND "
            "or uci:COMMAND"
        )
    if head in PROGRAM_KINDS:
        _check_program(head, rest)
        return PlayerSpec(text, head, rest)
    if colon and not rest:
        raise BadOption(f"bad player {text!r}: options such as c=0.7 must follow the colon")
    options = _parse_options(text, rest)
    if head in BASELINES:
        if options:
            raise BadOption(f"bad player {text!r}: {head} takes no options")
        return PlayerSpec(text, head, "")
    limits = {key: options.pop(key) for key in _LIMIT_KEYS if key in options}
    return PlayerSpec(text, "engine", head, options, Limit(**limits))


def _parse_options(text: str, rest: str) -> dict[str, Any]:
    options: dict[str, Any] = {}
    for part in rest.split(",") if rest else ():
        key, equals, value = (word.strip() for word in part.partition("="))
        if not (key.isidentifier() and equals and value):
            raise BadOption(f"bad player {text!r}: expected key=value after the colon, got {part.strip()!r}")
        if key in options:
            raise BadOption(f"bad player {text!r}: {key} is given twice")
        options[key] = _parse_value(value)
    return options


def _parse_value(value: str) -> bool | int | float | str:
    if value.lower() in ("true", "false"):
        return value.lower() == "true"
    for number in (int, float):
        try:
            return number(value)
        except ValueError:
            continue
    return value


def _check_program(kind: str, command: str) -> None:
    """Complain about a missing program before the first game, not in every worker."""
    if kind == "uci":
        from kibitz.arena.uci_player import split_command

        words, _ = split_command(command)
    else:
        try:
            words = shlex.split(command)
        except ValueError as error:
            raise BadOption(f"bad player {kind}:{command}: {error}") from error
    if not words:
        example = {"gtp": "gtp:gnugo --mode gtp", "uci": "uci:stockfish"}[kind]
        raise BadOption(f"bad player {kind}: a command line must follow, such as {example}")
    find_program(words[0])


def find_program(name: str) -> str:
    """The path of a program; Debian's `/usr/games` is searched too, as it is not on every PATH."""
    places = os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/games"])
    path = shutil.which(name, path=places)
    if path is None:
        raise BadOption(f"no program {name!r} found; give the full path of the player's program")
    return path


class RandomPlayer:
    """Plays any legal move with equal chance; the baseline every engine must beat."""

    name = "random"

    def __init__(self) -> None:
        self._random = random.Random(0)

    def new_game(self, seed: int) -> None:
        self._random = random.Random(seed)

    def choose(self, position: Position, limit: Limit) -> str:
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

    def choose(self, position: Position, limit: Limit) -> str:
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
    """

    def __init__(self, game: str, preset: str, options: Mapping[str, Any], name: str | None = None) -> None:
        from kibitz.engine import Engine
        from kibitz.games.networks import load_network

        self.name = name or preset
        chosen = {"threads": 1, **options}
        if "network" in chosen:
            precision = str(chosen.pop("precision", "fp32"))
            chosen["network"] = load_network(game, str(chosen["network"]), precision=precision)
        self._engine = Engine(game, preset=preset, **chosen)
        self._own_seed = "seed" in options

    def prepare(self, position: Position) -> None:
        """Opens the network for the board, which is not to be paid for with the first move's time."""
        if self._engine.has_network:
            self._engine.analyze(position, simulations=1)

    def new_game(self, seed: int) -> None:
        # Nothing is carried over from the last game, so game 7 is the same game in whichever worker it is
        # played.
        self._engine.new_game(None if self._own_seed else seed)

    def choose(self, position: Position, limit: Limit) -> str:
        return self._engine.analyze(position, **limit.to_dict()).best

    def close(self) -> None:
        self._engine.close()


def _make_engine(spec: PlayerSpec, game: type[Position], move_timeout: float) -> Player:
    return EnginePlayer(game.game, spec.argument, spec.options, name=spec.text)


def _own_baseline(spec: PlayerSpec, game: type[Position]) -> bool:
    """A game whose presets name the baseline brings its own."""
    from kibitz.games import registry

    return game.game in registry.all_names() and spec.kind in registry.get(game.game).presets


def _make_random(spec: PlayerSpec, game: type[Position], move_timeout: float) -> Player:
    return RandomPlayer()


def _make_greedy(spec: PlayerSpec, game: type[Position], move_timeout: float) -> Player:
    if _own_baseline(spec, game):
        return EnginePlayer(game.game, spec.kind, {}, name=spec.text)
    return GreedyPlayer(game)


def _make_gtp(spec: PlayerSpec, game: type[Position], move_timeout: float) -> Player:
    from kibitz.arena.gtp_player import GtpPlayer

    words = shlex.split(spec.argument)
    return GtpPlayer(game, [find_program(words[0]), *words[1:]], move_timeout=move_timeout, name=spec.text)


def _make_uci(spec: PlayerSpec, game: type[Position], move_timeout: float) -> Player:
    from kibitz.arena.uci_player import UciPlayer

    return UciPlayer(game, spec.argument, move_timeout=move_timeout, name=spec.text)


#: How a player of each kind is made in a worker process.
KINDS: dict[str, Callable[[PlayerSpec, type[Position], float], Player]] = {
    "engine": _make_engine,
    "random": _make_random,
    "greedy": _make_greedy,
    "gtp": _make_gtp,
    "uci": _make_uci,
}

#: The kinds that are a text of their own and have no options.
BASELINES = frozenset({"random", "greedy"})

#: The kinds that are another program: `kind:COMMAND LINE`.
PROGRAM_KINDS = frozenset({"gtp", "uci"})
