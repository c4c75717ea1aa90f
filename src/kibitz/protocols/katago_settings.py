"""KataGo's configuration, as far as it means something here: config files, `-override-config`,
`overrideSettings`.

>>> settings = Settings()
>>> settings.apply({"maxVisits": "50", "wideRootNoise": "0.1", "numNNServerThreadsPerModel": "2"})
['numNNServerThreadsPerModel']
>>> settings.max_visits, settings.options["root_noise"]
(50, 0.1)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from kibitz._native import OptionInfo, PeerOption
from kibitz.errors import BadOption
from kibitz.files.limits import MOST_CONFIG, read_file
from kibitz.games.go import Position
from kibitz.games.go.mirror import breaking_moves, is_mirrored
from kibitz.options import peer_options, search_width
from kibitz.protocols.katago_human import HumanChoice
from kibitz.steering import Steering


def _flag(text: str) -> bool:
    if text.lower() in ("true", "1", "yes"):
        return True
    if text.lower() in ("false", "0", "no"):
        return False
    raise ValueError(f"expected true or false, got {text!r}")


def _entries(power: int) -> int:
    """The `cache_mb` of a cache that KataGo gives 2**power entries; one of ours is about 1.6 kB on 19x19."""
    return max(1, min(4096, 1600 << power >> 20))


def _seed(text: str) -> int:
    return sum(256**i * byte for i, byte in enumerate(text.encode()[:7]))


#: Keys whose values are of another kind than the option's: how the text is read.
_CONVERSIONS: dict[str, Callable[[str], Any]] = {
    "nnCacheSizePowerOfTwo": lambda text: _entries(_whole(text, 1, 40)),
    "nnRandSeed": _seed,
    "searchRandSeed": _seed,
}
#: Keys that are fields of Settings.
_PLAIN = {
    "maxVisits": "max_visits",
    "maxPlayouts": "max_playouts",
    "playoutDoublingAdvantage": "doubling",
    "conservativePass": "conservative_pass",
    "antiMirror": "anti_mirror",
    "genmoveAntiMirror": "genmove_anti_mirror",
    "analysisWideRootNoise": "analysis_noise",
    "humanSLProfile": "human_profile",
    "allowResignation": "may_resign",
    "resignThreshold": "resign_threshold",
    "resignConsecTurns": "resign_turns",
    "resignMinScoreDifference": "resign_points",
    "resignMinMovesPerBoardArea": "resign_moves",
    "maxTime": "max_seconds",
    "analysisPVLen": "pv_length",
    "numAnalysisThreads": "analysis_threads",
    "reportAnalysisWinratesAs": "perspective",
    "warnUnusedFields": "warn_unused",
}
#: Keys that are fields of HumanChoice; numbers with what is let through.
_HUMAN = {
    "humanSLChosenMoveProp": ("share", 0.0, 1.0),
    "humanSLChosenMovePiklLambda": ("pikl_lambda", 0.0, 1e9),
    "chosenMoveTemperature": ("temperature", 0.0, 5.0),
    "chosenMoveTemperatureEarly": ("early_temperature", 0.0, 5.0),
    "chosenMoveTemperatureHalflife": ("halflife", 0.1, 100000.0),
    "humanSLChosenMoveIgnorePass": ("ignore_pass", 0.0, 1.0),
}
#: Keys of KataGo that are accepted, kept and shown, and change nothing here; the value they start with.
_NO_EFFECT = {
    "ponderingEnabled": "false",
    "delayMoveScale": "0",
    "delayMoveMax": "1000000",
}
#: Fields that are numbers: what is let through.
_NUMBERS: dict[str, tuple[Callable[[str], Any], float, float]] = {
    "playoutDoublingAdvantage": (float, -3.0, 3.0),
    "analysisWideRootNoise": (float, 0.0, 5.0),
    "resignThreshold": (float, -1.0, 0.0),
    "resignConsecTurns": (int, 1, 100),
    "resignMinScoreDifference": (float, 0.0, 1000.0),
    "resignMinMovesPerBoardArea": (float, 0.0, 1.0),
}
_PERSPECTIVES = ("BLACK", "WHITE", "SIDETOMOVE")


@dataclass
class Settings:
    """What a query starts from. `apply` takes KataGo's keys."""

    options: dict[str, Any] = field(default_factory=lambda: {"root_noise": 0.04, "reuse": True})
    max_visits: int = 500
    max_seconds: float | None = None
    pv_length: int = 15
    perspective: str = "BLACK"
    warn_unused: bool = True
    analysis_threads: int = 1
    #: Simulations of one search, what a kept tree has already not counted.
    max_playouts: int | None = None
    #: Doublings of playouts that the network believes the side to move to have over the other.
    doubling: float = 0.0
    #: Whether a pass at the root is thought of as one that does not end the game.
    conservative_pass: bool = True
    #: Guarantees visits to moves that break mirror Go, when the opponent plays it; in GTP's genmove too.
    anti_mirror: bool = False
    genmove_anti_mirror: bool = False
    #: The root noise of GTP's analysis commands, None for that of moves.
    analysis_noise: float | None = None
    #: When GTP's genmove resigns: win minus loss below the threshold for so many turns.
    may_resign: bool = False
    resign_threshold: float = -0.9
    resign_turns: int = 3
    resign_points: float = 0.0
    resign_moves: float = 0.0
    #: The players that a human network of -human-model imitates, "" for its own.
    human_profile: str = ""
    #: How far the human model decides what is played.
    human_choice: HumanChoice = field(default_factory=HumanChoice)
    idle: dict[str, str] = field(default_factory=lambda: dict(_NO_EFFECT))
    #: Positions the network judges together at most, and calls of it that run side by side; short searches
    #: take fewer, to lose no accuracy.
    largest_batch: int = 1
    streams: int = 1

    @property
    def prunes_symmetries(self) -> bool:
        """rootSymmetryPruning: of moves that a symmetry makes equal one is searched, and all are shown."""
        return bool(self.options.get("root_symmetry", True))

    def copy(self) -> Settings:
        return deepcopy(self)

    def tune(self, tuning: Any) -> None:
        """Takes over how the network runs fastest (`kibitz.nets.tune.Tuning`); from any thread."""
        self.largest_batch, self.streams = tuning.batch, tuning.streams

    def search_options(self, alone: bool = False) -> dict[str, Any]:
        """The options of a search with these settings; alone it may have the whole machine."""
        threads = self.options.get("threads") or (None if alone else 1)
        width = search_width(self.max_visits, self.streams, self.largest_batch, threads)
        return {**width, **self.options}

    def against_mirror(self, steering: Steering, position: Position, genmove: bool = False) -> Steering:
        """The steering with guarantees for the moves that break mirror Go, where the settings ask for it."""
        wanted = self.anti_mirror or (genmove and self.genmove_anti_mirror)
        if not wanted or not is_mirrored(position):
            return steering
        visits = min(self.max_visits, self.max_playouts or self.max_visits)
        shares = breaking_moves(position)
        least = {move: math.ceil(share * visits) for move, share in shares.items()}
        return replace(steering, include={**least, **steering.include})

    def apply(self, values: Mapping[str, Any]) -> list[str]:
        """Sets what the keys say; the names of those that have no meaning here come back."""
        unknown = []
        for key, value in values.items():
            text = _text(value).strip()
            try:
                if not self._set(key, text):
                    unknown.append(key)
            except ValueError as error:
                raise BadOption(f"{key}: {error}") from None
        return unknown

    def names(self) -> list[str]:
        """Every key that `apply` knows and `shown` shows."""
        return sorted({*(set(_peers()) - set(_CONVERSIONS)), *_PLAIN, *_HUMAN, *_NO_EFFECT})

    def without_effect(self, values: Mapping[str, Any]) -> list[str]:
        """One line for each key that asks for something Kibitz does not do."""
        return [
            f"{key} is accepted for compatibility and changes nothing here"
            for key in values
            if key in _NO_EFFECT and self.idle[key] != _NO_EFFECT[key]
        ]

    def shown(self, key: str, options: Any) -> str | None:
        """The value of a key as text, None for one without meaning here; `options` are those a search would
        run with, its defaults among them."""
        value: Any
        if key in _peers() and key not in _CONVERSIONS:
            row, peer = _peers()[key]
            value = getattr(options, row.name)
            if peer.when_true:
                value = _text(value) == peer.when_true
        elif key in _PLAIN:
            value = getattr(self, _PLAIN[key])
            if key == "analysisWideRootNoise" and value is None:
                value = options.root_noise
            value = (2**50 if key == "maxPlayouts" else 1e20) if value is None else value
        elif key in _HUMAN:
            value = getattr(self.human_choice, _HUMAN[key][0])
        elif key in _NO_EFFECT:
            value = self.idle[key]
        else:
            return None
        return f"{value:.6g}" if isinstance(value, float) else _text(value)

    def _set(self, key: str, text: str) -> bool:
        if key in _peers():
            row, peer = _peers()[key]
            if (value := _read(key, peer, row.kind, text)) is not None:
                self.options[row.name] = value
        elif key == "maxVisits":
            self.max_visits = _whole(text, 1, 2**50)
        elif key == "maxPlayouts":
            playouts = _whole(text, 1, 2**50)
            self.max_playouts = None if playouts == 2**50 else playouts
        elif key in _NUMBERS:
            read, least, most = _NUMBERS[key]
            setattr(self, _PLAIN[key], _within(text, least, most, read))
        elif key in ("conservativePass", "allowResignation", "antiMirror", "genmoveAntiMirror"):
            setattr(self, _PLAIN[key], _flag(text))
        elif key in _HUMAN:
            name, least, most = _HUMAN[key]
            given = _flag(text) if name == "ignore_pass" else _within(text, least, most)
            self.human_choice = replace(self.human_choice, **{name: given})
        elif key in _NO_EFFECT:
            if key.endswith("Enabled"):
                text = str(_flag(text)).lower()
            elif key.startswith("delay"):
                _number(text, float)
            self.idle[key] = text
        elif key == "maxTime":
            seconds = _number(text, float)
            if not seconds > 0:
                raise ValueError(f"expected seconds above 0, got {text}")
            self.max_seconds = None if seconds >= 1e9 else seconds
        elif key == "analysisPVLen":
            self.pv_length = _whole(text, 1, 1000)
        elif key == "numAnalysisThreads":
            self.analysis_threads = _whole(text, 1, 256)
        elif key == "reportAnalysisWinratesAs":
            if text.upper() not in _PERSPECTIVES:
                raise ValueError(f"expected one of {', '.join(_PERSPECTIVES)}, got {text}")
            self.perspective = text.upper()
        elif key == "humanSLProfile":
            if text:
                from kibitz.nets.katago_profiles import read_profile  # it needs NumPy

                read_profile(text)
            self.human_profile = text
        elif key == "warnUnusedFields":
            self.warn_unused = _flag(text)
        else:
            return False
        return True


@cache
def _peers() -> dict[str, tuple[OptionInfo, PeerOption]]:
    """KataGo's keys for search options, from the rows of the table (native/search/options.h)."""
    return {peer.name: (row, peer) for row, peer in peer_options("katago")}


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _read(key: str, peer: PeerOption, kind: str, text: str) -> Any:
    """The option's value for the text of a key; None when it says nothing."""
    if key in _CONVERSIONS:
        return _CONVERSIONS[key](text)
    if peer.when_true:
        value = peer.when_true if _flag(text) else peer.when_false
        return _flag(value) if kind == "flag" else value or None
    value = _number(text, int if kind == "int" else float)
    if not peer.least <= value <= peer.most:
        raise ValueError(f"expected a number from {peer.least:g} to {peer.most:g}, got {text}")
    return value


def _number(text: str, read: Callable[[str], Any]) -> Any:
    try:
        return read(text)
    except ValueError:
        expected = "a whole number" if read is int else "a number"
        raise ValueError(f"expected {expected}, got {text[:60]!r}") from None


def _within(text: str, least: float, most: float, read: Callable[[str], Any] = float) -> Any:
    number = _number(text, read)
    if not least <= number <= most:
        raise ValueError(f"expected a number from {least:g} to {most:g}, got {text}")
    return number


def _whole(text: str, least: int, most: int) -> int:
    value: int = _number(text, int)
    if not least <= value <= most:
        raise ValueError(f"expected a whole number from {least} to {most}, got {text}")
    return value


def read_overrides(items: Iterable[str] | None) -> dict[str, str]:
    """The settings of `-override-config KEY=VALUE,KEY=VALUE`."""
    values = {}
    for item in ",".join(items or ()).split(","):
        if not item.strip():
            continue
        key, equals, value = item.partition("=")
        if not equals:
            raise BadOption(f"-override-config takes KEY=VALUE,KEY=VALUE, got {item!r}")
        values[key.strip()] = value.strip()
    return values


#: Files that include files, one within the other, and all that one includes.
_DEEPEST_INCLUDE, _MOST_INCLUDES = 8, 100


def read_config(path: Path) -> dict[str, str]:
    """The `key = value` lines of a KataGo config file, `@include` followed."""
    return _read_config(path, 0, [])


def _read_config(path: Path, depth: int, read: list[Path]) -> dict[str, str]:
    """`read` collects the files, so that a few of them cannot include each other for ever."""
    if depth > _DEEPEST_INCLUDE:
        raise BadOption(f"{path.name}: more than {_DEEPEST_INCLUDE} files include each other")
    if len(read) > _MOST_INCLUDES:
        raise BadOption(f"{read[0].name}: includes more than {_MOST_INCLUDES} files")
    read.append(path)
    values: dict[str, str] = {}
    try:
        text = read_file(path, MOST_CONFIG).decode("utf-8", "replace")
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise BadOption(f"{path}: {why}") from None
    for number, line in enumerate(text.splitlines(), 1):
        line = line.split("#", 1)[0].strip()
        if not line:
            continue
        if line.startswith("@include"):
            name = line.removeprefix("@include").strip().strip('"')
            values.update(_read_config(path.parent / name, depth + 1, read))
            continue
        key, equals, value = line.partition("=")
        if not equals or not key.strip():
            raise BadOption(f"{path.name}, line {number}: expected key = value, got {line[:60]!r}")
        values[key.strip()] = value.strip().strip('"')
    return values
