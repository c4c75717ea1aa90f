"""The UCI options: Lc0's names and defaults where Lc0 has them, and our own.

>>> options = Options()
>>> options.set("multipv", "3")
>>> options["MultiPV"]
3
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from kibitz.errors import BadOption
from kibitz.games.chess.styles import PROFILE, STYLES, read_profile
from kibitz.games.level import Level
from kibitz.human import Plausible
from kibitz.options import peer_options
from kibitz.plan import NEUTRAL_OPTIONS
from kibitz.protocols.uci import contempt
from kibitz.protocols.uci.limits import Limits
from kibitz.protocols.uci.strength import (
    LEAST_ELO,
    MOST_ELO,
    MOST_SKILL,
    level_of_rating,
    rating_of_skill,
)
from kibitz.steering import STYLE_LEVELS as STRENGTHS
from kibitz.steering import SteeringArgs, Style


@dataclass(frozen=True)
class Option:
    """One option as the protocol has it. A `string` that is a number has `least` and `most`."""

    name: str
    kind: str
    default: Any = None
    least: float | None = None
    most: float | None = None
    choices: tuple[str, ...] = ()
    #: What numbers from 0 on mean to a combo that takes them too.
    numbers: tuple[str, ...] = ()

    @property
    def is_number(self) -> bool:
        return self.kind == "string" and isinstance(self.default, float)

    def declaration(self) -> str:
        """The line that tells a GUI of it."""
        words = [f"option name {self.name} type {self.kind}"]
        if self.kind == "button":
            return words[0]
        if self.kind == "check":
            words.append(f"default {str(self.default).lower()}")
        elif self.kind == "string":
            shown = f"{self.default:.6f}" if self.is_number else self.default or "<empty>"
            words.append(f"default {shown}")
        else:
            words.append(f"default {self.default}")
        if self.kind == "spin":
            words.append(f"min {self.least:.0f} max {self.most:.0f}")
        words += [f"var {choice}" for choice in self.choices]
        return " ".join(words)

    def parse(self, text: str) -> Any:
        """The value a text stands for; BadOption says what was expected."""
        if self.kind == "check":
            if text.lower() not in ("true", "false"):
                raise BadOption(f"option {self.name} takes true or false, got {text!r}")
            return text.lower() == "true"
        if self.kind == "combo":
            for choice in self.choices:
                if choice.lower() == text.lower():
                    return choice
            if text.isdigit() and int(text) < len(self.numbers):
                return self.numbers[int(text)]
            known = [*self.choices, *map(str, range(len(self.numbers)))]
            raise BadOption(f"option {self.name} takes one of {', '.join(known)}, got {text!r}")
        if self.kind == "spin" or self.is_number:
            return self._number(text)
        return "" if text == "<empty>" else text

    def _number(self, text: str) -> int | float:
        assert self.least is not None
        assert self.most is not None
        try:
            value = int(text) if self.kind == "spin" else float(text)
        except ValueError:
            value = math.nan
        if not self.least <= value <= self.most:
            kind = "a whole number" if self.kind == "spin" else "a number"
            raise BadOption(
                f"option {self.name} takes {kind} from {self.least:.10g} to {self.most:.10g}, got {text!r}"
            )
        return value


SCORE_TYPES = (
    "WDL_mu",
    "centipawn",
    "centipawn_with_drawscore",
    "centipawn_2019",
    "centipawn_2018",
    "win_percentage",
    "Q",
    "W-L",
)

#: Alpha-beta wherever the network can judge every position and nothing is asked for that only a tree has.
SEARCHES = ("auto", "tree", "alphabeta")

#: StyleBias, as a GUI shows it; docs/style.md says what the levels do.
STYLE_LEVELS = ("Off", "Light", "Medium", "Strong")
#: StyleBias as a number: 0 plain, 1 moderate, 2 strong.
STYLE_NUMBERS = ("Off", "Medium", "Strong")
STYLE_MODES = ("budget", "priors")
#: What a kind of steering is called where it is refused.
STEERING_NAMES = {
    "allow": "searchmoves",
    "include": "IncludeMoves",
    "style": "StyleBias",
    "plausible": "HumanPolicyAbove",
    "ask": "Ask",
}
STYLE_SOURCES = ("heuristic", "head", "both")
#: StyleFile brings a style of its own, which takes the place of these.
STYLE_NAMES = tuple(name for name in STYLES if name != PROFILE) or ("none",)


def _of_search() -> list[Option]:
    """The options of the search that Lc0 has a name for, under that name, with Lc0's limits and default."""
    options: dict[str, Option] = {}
    for row, peer in peer_options("lc0"):
        if row.kind == "flag":
            option = Option(peer.name, "check", peer.initial == "true")
        elif row.kind == "word":
            option = Option(peer.name, "combo", peer.initial, choices=tuple(row.choices))
        elif row.kind == "int":
            option = Option(peer.name, "spin", int(peer.initial), peer.least, peer.most)
        else:
            option = Option(peer.name, "string", float(peer.initial), peer.least, peer.most)
        options.setdefault(peer.name, option)
    return list(options.values())


#: Every option in the order it is declared: those of the search, and what the protocol adds.
TABLE: tuple[Option, ...] = (
    Option("WeightsFile", "string", ""),
    Option(
        "Backend",
        "combo",
        "auto",
        choices=(
            *("auto", "int8", "int8-all"),
            *("native", "native-int8", "native-int8-all"),
            *("onnxruntime", "onnxruntime-int8", "onnxruntime-int8-all"),
            *("openvino", "openvino-int8", "openvino-int8-all", "torch"),
        ),
    ),
    Option("Search", "combo", SEARCHES[0], choices=SEARCHES),
    *_of_search(),
    Option("Contempt", "string", ""),
    Option("ContemptMode", "combo", "play", choices=contempt.MODES),
    Option("ContemptMaxValue", "string", 420.0, 0.0, 10000.0),
    Option("WDLCalibrationElo", "string", 0.0, 0.0, 10000.0),
    Option("WDLContemptAttenuation", "string", 1.0, -10.0, 10.0),
    Option("WDLDrawRateTarget", "string", 0.0, 0.0, 0.999),
    Option("WDLDrawRateReference", "string", 0.5, 0.001, 0.999),
    Option("WDLBookExitBias", "string", 0.65, -2.0, 2.0),
    Option("UCI_Opponent", "string", ""),
    Option("UCI_RatingAdv", "string", 0.0, -10000.0, 10000.0),
    Option("ScoreType", "combo", "WDL_mu", choices=SCORE_TYPES),
    Option("MultiPV", "spin", 1, 1, 500),
    Option("PerPVCounters", "check", False),
    Option("VerboseMoveStats", "check", False),
    Option("HistoryFill", "combo", "fen_only", choices=("no", "fen_only", "always")),
    Option("Move Overhead", "spin", 50, 0, 100000),
    Option("Hash", "spin", 64, 1, 65536),
    Option("SyzygyPath", "string", ""),
    Option("Ponder", "check", True),
    Option("UCI_LimitStrength", "check", False),
    Option("UCI_Elo", "spin", LEAST_ELO, LEAST_ELO, MOST_ELO),
    Option("Skill Level", "spin", MOST_SKILL, 0, MOST_SKILL),
    Option("UCI_AnalyseMode", "check", False),
    Option("UCI_Chess960", "check", False),
    Option("UCI_ShowWDL", "check", False),
    Option("IncludeMoves", "string", ""),
    Option("IncludeMovesMinVisits", "spin", 100, 1, 1000000000),
    Option("Ask", "string", ""),
    Option("HumanWeightsFile", "string", ""),
    Option("HumanPolicyAbove", "string", 0.05, 0.0, 1.0),
    Option("StyleBias", "combo", "Off", choices=STYLE_LEVELS, numbers=STYLE_NUMBERS),
    Option("StyleBeta", "string", -1.0, -1.0, 10.0),
    Option("StyleName", "combo", STYLE_NAMES[0], choices=STYLE_NAMES),
    Option("StyleFile", "string", ""),
    Option("StyleMode", "combo", STYLE_MODES[0], choices=STYLE_MODES),
    Option("StyleBudget", "string", -1.0, -1.0, 1.0),
    Option("StyleSource", "combo", STYLE_SOURCES[0], choices=STYLE_SOURCES),
    Option("StylePrice", "string", 0.0, 0.0, 1.0),
    Option("StylePlies", "spin", -1, -1, 100000),
    Option("Clear Hash", "button"),
)

#: Accepted but not declared, so that a GUI's dialogue stays short: what few set, and seldom.
RARE = frozenset(
    {
        *("CPuctBase", "CPuctFactor", "FpuStrategy", "TwoFoldDraws", "CacheHistoryLength"),
        *("ContemptMaxValue", "ContemptMode", "HistoryFill", "IncludeMovesMinVisits", "Ask"),
        *("WDLContemptAttenuation", "WDLCalibrationElo"),
        *("WDLDrawRateTarget", "WDLDrawRateReference", "WDLBookExitBias", "PerPVCounters"),
        *("StyleBeta", "StyleMode", "StyleBudget", "StyleSource", "StylePrice", "StylePlies"),
    }
)

#: Options of Lc0 that GUIs may have saved and that change nothing here; setting one is answered in words.
NO_EFFECT = {
    "logfile",
    "backendoptions",
    "maxprefetch",
    "strictuci",
}

#: What the cache of evaluations counts for one position (native/evaluate/cache.h).
_ENTRY_BYTES = 1000

#: Other programs' names for ours.
_ALIASES = {"moveoverheadms": "move overhead", "moveoverhead": "move overhead"}


class Options:
    """The values in force."""

    def __init__(self) -> None:
        self._known = {option.name.lower(): option for option in TABLE}
        self._values = {option.name: option.default for option in TABLE}
        self._profile: dict[str, float] = {}
        #: Threads and batch at which the network in use runs fastest here, once that was measured.
        self.tuned: tuple[int, int] | None = None

    def tune(self, tuning: Any) -> None:
        """Takes over how the network runs fastest (`kibitz.nets.tune.Tuning`); from any thread."""
        self.tuned = (tuning.streams, tuning.batch)

    def __getitem__(self, name: str) -> Any:
        return self._values[name]

    def find(self, name: str) -> Option | None:
        """The option of that name, in any case; None when there is none."""
        lower = name.lower()
        return self._known.get(_ALIASES.get(lower, lower))

    def set(self, name: str, text: str) -> None:
        """Sets one; BadOption when there is none of that name or the value does not fit."""
        option = self.find(name)
        if option is None:
            raise BadOption(f"unknown option {name!r}")
        if option.kind == "button":
            return
        value = option.parse(text)
        if option.name == "StyleFile":
            self._profile = read_profile(value)[1] if value else {}
        self._values[option.name] = value

    def search_options(self, network: bool) -> dict[str, Any]:
        """The options of the search (native/search/options.h) that these stand for, with a network or
        without."""
        converted = {
            # The temperature belongs to networks; the hand-written priors are meant as they are.
            "policy_temperature": self["PolicyTemperature"] if network else 1.0,
            "batch": self.batch(),
            "threads": self.threads(),
            "memory_mb": self.memory_mb(),
            "table_mb": self["Hash"],
            "cache_mb": self.cache_mb() if network else 0,
        }
        return {row.name: self[peer.name] for row, peer in peer_options("lc0")} | converted

    def asked_options(self, network: bool) -> dict[str, Any]:
        """Those of them that are not Lc0's defaults, and how the search is run."""
        defaults = Options().search_options(network)
        return {
            name: value
            for name, value in self.search_options(network).items()
            if name in NEUTRAL_OPTIONS or value != defaults[name]
        }

    def rescale(self) -> contempt.Rescale:
        """What the network's wins, draws and losses are read as; BadOption when Contempt makes no sense."""
        elo = contempt.chosen(self["Contempt"], self["UCI_Opponent"], self["UCI_RatingAdv"])
        return contempt.rescale(
            elo,
            most=self["ContemptMaxValue"],
            attenuation=self["WDLContemptAttenuation"],
            calibration_elo=self["WDLCalibrationElo"],
            draw_rate_target=self["WDLDrawRateTarget"],
            draw_rate_reference=self["WDLDrawRateReference"],
            book_exit_bias=self["WDLBookExitBias"],
        )

    def contempt_side(self, mover: int, limits: Limits) -> int | None:
        """Whose contempt it is in a search: 0 White's, 1 Black's, None nobody's."""
        mode = self["ContemptMode"]
        if mode == "play":
            if limits.infinite or self["UCI_AnalyseMode"]:
                return None
            return mover  # also while pondering: the expected move is part of the position
        return {"white_side_analysis": 0, "black_side_analysis": 1}.get(mode)

    def level(self) -> Level | None:
        """The strength that the engine is limited to; None for its best, as always in analysis."""
        if self["UCI_AnalyseMode"]:
            return None
        if self["UCI_LimitStrength"]:
            return level_of_rating(self["UCI_Elo"])
        skill = self["Skill Level"]
        return level_of_rating(rating_of_skill(skill)) if skill < MOST_SKILL else None

    def style(self) -> Style | None:
        """The style for a request: as strong as StyleBeta says where it is set, else StyleBias."""
        beta = float(self["StyleBeta"])
        strength = beta if beta >= 0 else STRENGTHS[str(self["StyleBias"]).lower()]
        name = PROFILE if self._profile else str(self["StyleName"])
        return Style(name, strength) if strength > 0 else None

    def style_options(self) -> dict[str, Any]:
        """How the style is applied; a core without style has no such options."""
        mode, budget = self["StyleMode"], self["StyleBudget"]
        source, price, plies = self["StyleSource"], self["StylePrice"], self["StylePlies"]
        return {
            **self._profile,
            **({"style_mode": mode} if mode != STYLE_MODES[0] else {}),
            **({"style_budget": budget} if budget >= 0 else {}),
            **({"style_source": source} if source != STYLE_SOURCES[0] else {}),
            **({"style_price": price} if price else {}),
            **({"style_plies": plies} if plies >= 0 else {}),
        }

    def loading(self) -> tuple[Any, ...]:
        """What the networks are loaded with."""
        names = ("WeightsFile", "Backend", "Threads", "MinibatchSize", "HumanWeightsFile")
        return tuple(self[name] for name in names)

    def steering(self, allow: Iterable[str] | None, *, has_human: bool) -> SteeringArgs:
        """What is asked of a search that may choose among `allow`. What a person would play gets as many
        visits as a move that is named."""
        least = self["IncludeMovesMinVisits"]
        people = has_human and self["HumanWeightsFile"]
        return {
            "allow": allow,
            "include": self["IncludeMoves"].replace(",", " ").split() or None,
            "min_visits": least,
            "style": self.style(),
            "ask": self["Ask"] or None,
            "plausible": Plausible(self["HumanPolicyAbove"], min_visits=least) if people else None,
        }

    def threads(self) -> int:
        """0 chooses: the usable cores, of which a GUI and another engine will want some too."""
        chosen = int(self["Threads"])
        if chosen:
            return chosen
        if self.tuned:
            return self.tuned[0]
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        return max(1, min(cores, 8))

    def batch(self) -> int:
        chosen = int(self["MinibatchSize"])
        if chosen:
            return chosen
        if self.tuned:
            return self.tuned[1]
        return 16 if self["WeightsFile"] else 1

    def cache_mb(self) -> int:
        """For evaluations: as much as that many positions may need, at most half of the machine's memory."""
        wanted: int = math.ceil(self["NNCacheSize"] * _ENTRY_BYTES / 2**20)
        return min(wanted, _machine_mb() // 2)

    def memory_mb(self) -> int:
        """For the tree; 0 takes a quarter of the machine's memory, at most 4 GB."""
        chosen = int(self["RamLimitMb"])
        if chosen:
            return min(chosen, 1048576)
        return min(4096, max(64, _machine_mb() // 4))


def _machine_mb() -> int:
    """The machine's memory; a guess where it does not say."""
    try:
        return int(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2**20)
    except (ValueError, OSError, AttributeError):
        return 4096
