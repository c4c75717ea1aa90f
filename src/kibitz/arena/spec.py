"""The text that names a player.

    >>> spec = parse_player("uct:c=0.7,simulations=5000")
    >>> spec.kind, spec.options, spec.budget.simulations
    ('engine', {'c': 0.7}, 5000)

Texts: `uct`, `default:c=0.7`, `lc0:network=maia-1900.pb.gz,style=medium` (an engine preset with options),
`level:club` (a named level), `random`, `greedy`, and other programs: `gtp:gnugo --mode gtp`,
`uci:stockfish; Threads=1`, `nboard:edax -nboard; depth=8`, `codingame:./bot`. A new kind of player is one
entry in `KINDS`. A value with a comma is quoted: `network="runs/a,b/net.knet"`.

Programs make an engine with `engine_player` instead of a text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from kibitz.arena.player import EnginePlayer, GreedyPlayer, LevelPlayer, Player, RandomPlayer
from kibitz.arena.program import find_program, split_command
from kibitz.errors import BadOption, BadRequest
from kibitz.games import registry
from kibitz.games.bundled import NONE
from kibitz.games.networks import network_file, takes_network
from kibitz.request import Budget

if TYPE_CHECKING:
    from kibitz.games.base import Position

_BUDGET_KEYS = ("simulations", "visits", "seconds")
#: Options of an engine that name a network.
_NETWORK_KEYS = ("network", "style_network")

#: An option of a text: up to a comma that is not quoted.
_PART = re.compile(r'((?:[^,"]|"[^"]*"|")*),')

#: The kinds that are a text of their own and have no options.
BASELINES = frozenset({"random", "greedy"})

#: The kinds that are another program, `kind:COMMAND LINE`, with an example for messages.
PROGRAMS = {
    "gtp": "gtp:gnugo --mode gtp",
    "uci": "uci:stockfish",
    "nboard": "nboard:edax -nboard",
    "codingame": "codingame:./bot",
}

#: Of these, those whose command line may be followed by options: `; NAME=VALUE`.
_WITH_OPTIONS = frozenset({"uci", "nboard"})


@dataclass(frozen=True)
class PlayerSpec:
    """A player; made with `parse_player` from a text, with `engine_player` from options."""

    text: str
    kind: str
    argument: str
    options: Mapping[str, Any] = field(default_factory=dict)
    budget: Budget = field(default_factory=Budget)

    @property
    def ignores_time_limit(self) -> bool:
        # Many GTP programs take a time setting and ignore it, and the others have none. To beat
        # them on the clock would prove nothing. CodinGame's know their limit.
        # A level has a time of its own.
        return self.kind in ("gtp", "nboard", "level")

    def refusal(self, start: Position, moves: tuple[str, ...]) -> str | None:
        if self.kind == "gtp":
            from kibitz.arena.gtp_player import is_game_start

            return None if is_game_start(start) else "can only follow moves from the start of a game"
        if self.kind == "codingame" and start.notation != type(start)("codingame").notation:
            return "can only begin at CodinGame's start position"
        return None

    @property
    def only_start(self) -> str | None:
        """The only position it can begin at, where there is but one."""
        return "codingame" if self.kind == "codingame" else None

    def with_network(self, network: str, game: str) -> PlayerSpec:
        """The same player with this network, if it is an engine that takes one and names none itself."""
        if self.kind != "engine" or "network" in self.options:
            return self
        if not takes_network(game, self.argument, self.options):
            return self
        return replace(self, options={**self.options, "network": network})

    def is_bundled(self, game: str) -> bool:
        """Whether it is an engine that uses the network which comes with Kibitz."""
        if self.kind != "engine" or "network" in self.options:
            return False
        return network_file(game, None, self.argument, self.options) is not None

    @property
    def files(self) -> tuple[str, ...]:
        """The networks, where the player is an engine with some: they travel to other machines."""
        named = (str(self.options.get(key, NONE)) for key in _NETWORK_KEYS)
        return tuple(name for name in named if name != NONE)

    def located(self, places: Mapping[str, str]) -> PlayerSpec:
        """The same player where its files lie somewhere else."""
        named = {key: str(self.options[key]) for key in _NETWORK_KEYS if key in self.options}
        copies = {key: places[path] for key, path in named.items() if path in places}
        return replace(self, options={**self.options, **copies}) if copies else self

    def make(self, game: type[Position]) -> Player:
        return KINDS[self.kind](self, game)

    def make_sharing(self, game: type[Position], load: Callable[[str, str], Any]) -> Player:
        """As `make`; an engine takes the network of a file in a precision from `load`."""
        return _make_engine(self, game, load) if self.kind == "engine" else self.make(game)


def parse_player(text: str) -> PlayerSpec:
    """The player a text names; raises BadOption with what was expected.

    Presets and options of an engine are checked where the engine is made, since they differ from game to
    game.

    >>> parse_player("uct:c=0.7").options
    {'c': 0.7}
    """
    text = text.strip()
    head, colon, rest = text.partition(":")
    head, rest = head.strip(), rest.strip()
    if not head:
        kinds = ", ".join(f"{kind}:COMMAND" for kind in PROGRAMS)
        raise BadOption(
            f"bad player {text!r}: expected a preset such as uct or uct:c=0.7, random, greedy, {kinds}"
        )
    if head in PROGRAMS:
        _check_program(head, rest)
        return PlayerSpec(text, head, rest)
    if head == "level":
        return PlayerSpec(text, head, rest)
    if colon and not rest:
        raise BadOption(f"bad player {text!r}: options such as c=0.7 must follow the colon")
    options = _parse_options(text, rest)
    if head in BASELINES:
        if options:
            raise BadOption(f"bad player {text!r}: {head} takes no options")
        return PlayerSpec(text, head, "")
    try:
        return replace(engine_player(head, options), text=text)
    except BadRequest as error:
        raise BadOption(f"bad player {text!r}: {error}") from None


def engine_player(preset: str = "default", options: Mapping[str, Any] | None = None) -> PlayerSpec:
    """An engine with a preset and options; `simulations`, `visits` and `seconds` are its budget.

    >>> engine_player("lc0", {"network": "runs/a,b/net.knet", "visits": 64}).text
    'lc0:network="runs/a,b/net.knet",visits=64'
    """
    own = dict(options or {})
    text = ":".join(filter(None, [preset, ",".join(f"{key}={_write_value(own[key])}" for key in own)]))
    limits = {key: own.pop(key) for key in _BUDGET_KEYS if key in own}
    return PlayerSpec(text, "engine", preset, own, Budget(**limits))


def _parse_options(text: str, rest: str) -> dict[str, Any]:
    options: dict[str, Any] = {}
    for part in _PART.findall(f"{rest},") if rest else ():
        key, equals, value = (word.strip() for word in part.partition("="))
        if not (key.isidentifier() and equals and value):
            raise BadOption(f"bad player {text!r}: expected key=value after the colon, got {part.strip()!r}")
        if key in options:
            raise BadOption(f"bad player {text!r}: {key} is given twice")
        options[key] = _parse_value(value)
    return options


def _write_value(value: Any) -> str:
    if isinstance(value, float) and float(f"{value:g}") == value:
        return f"{value:g}"
    text = str(value)
    return f'"{text}"' if "," in text else text


def _parse_value(value: str) -> bool | int | float | str:
    if len(value) > 1 and value[0] == value[-1] == '"':
        return value[1:-1]
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
    words, options = split_command(kind, command)
    if not words:
        raise BadOption(f"bad player {kind}: a command line must follow, such as {PROGRAMS[kind]}")
    if options and kind not in _WITH_OPTIONS:
        raise BadOption(f"bad player {kind}:{command}: a {kind} program takes no options after a semicolon")
    find_program(words[0])


def _make_engine(
    spec: PlayerSpec, game: type[Position], load: Callable[[str, str], Any] | None = None
) -> Player:
    try:
        return EnginePlayer(game.game, spec.argument, spec.options, name=spec.text, load=load)
    except BadOption as error:
        # The budget stands among the options, and the engine does not know of it.
        for key in spec.options:
            known = (*_BUDGET_KEYS, *_NETWORK_KEYS, "precision", "resign", "style")
            near = get_close_matches(key, known, 1, 0.75)
            if near and f"unknown option {key!r}" in str(error):
                raise BadOption(f"unknown option {key!r}; did you mean {near[0]}?") from None
        raise


def _make_greedy(spec: PlayerSpec, game: type[Position]) -> Player:
    # A game whose presets name the baseline brings its own.
    if game.game in registry.names() and spec.kind in registry.get(game.game).presets:
        return EnginePlayer(game.game, spec.kind, {}, name=spec.text)
    return GreedyPlayer(game)


def _make_program(spec: PlayerSpec, game: type[Position]) -> Player:
    from kibitz.arena.codingame_player import CodinGamePlayer
    from kibitz.arena.gtp_player import GtpPlayer
    from kibitz.arena.nboard_player import NBoardPlayer
    from kibitz.arena.uci_player import UciPlayer

    words, options = split_command(spec.kind, spec.argument)
    if spec.kind == "uci":
        return UciPlayer(game, words, options, name=spec.text)
    if spec.kind == "nboard":
        return NBoardPlayer(game, words, options, name=spec.text)
    if spec.kind == "codingame":
        return CodinGamePlayer(game, words, name=spec.text)
    return GtpPlayer(game, words, name=spec.text)


#: How a player of each kind is made in a worker process.
KINDS: dict[str, Callable[[PlayerSpec, type[Position]], Player]] = {
    "engine": _make_engine,
    "random": lambda spec, game: RandomPlayer(),
    "greedy": _make_greedy,
    "level": lambda spec, game: LevelPlayer(game.game, spec.argument),
    **dict.fromkeys(PROGRAMS, _make_program),
}
