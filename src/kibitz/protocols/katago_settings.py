"""KataGo's configuration, as far as it means something here: config files, `-override-config`,
`overrideSettings`.

>>> settings = Settings()
>>> settings.apply({"maxVisits": "50", "wideRootNoise": "0.1", "numNNServerThreadsPerModel": "2"})
['numNNServerThreadsPerModel']
>>> settings.max_visits, settings.options["root_noise"]
(50, 0.1)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kibitz.errors import BadOption
from kibitz.options import search_width

__all__ = ["Settings", "read_config"]


def _flag(text: str) -> bool:
    if text.lower() in ("true", "1", "yes"):
        return True
    if text.lower() in ("false", "0", "no"):
        return False
    raise ValueError(f"expected true or false, got {text!r}")


#: Keys that set a search option: the option, how the text is read, what is let through.
_OPTIONS: dict[str, tuple[str, Callable[[str], Any], float, float]] = {
    "wideRootNoise": ("root_noise", float, 0.0, 5.0),
    "rootPolicyTemperature": ("root_temperature", float, 0.01, 100.0),
    "policyOptimism": ("policy_optimism", float, 0.0, 1.0),
    "rootPolicyOptimism": ("root_policy_optimism", float, 0.0, 1.0),
    "rootFpuReductionMax": ("fpu_reduction_root", float, 0.0, 2.0),
    "fpuReductionMax": ("fpu_reduction", float, 0.0, 2.0),
    "cpuctExploration": ("cpuct", float, 0.0, 10.0),
    "cpuctExplorationLog": ("cpuct_factor", float, 0.0, 10.0),
    "cpuctExplorationBase": ("cpuct_base", float, 10.0, 100000.0),
    "cpuctUtilityStdevScale": ("spread_scale", float, 0.0, 1.0),
    "cpuctUtilityStdevPrior": ("spread_prior", float, 1e-6, 10.0),
    "staticScoreUtilityFactor": ("score_static", float, 0.0, 1.0),
    "dynamicScoreUtilityFactor": ("score_dynamic", float, 0.0, 1.0),
    "dynamicScoreCenterZeroWeight": ("score_center_zero", float, 0.0, 1.0),
    "dynamicScoreCenterScale": ("score_scale", float, 0.2, 5.0),
    "subtreeValueBiasFactor": ("value_bias", float, 0.0, 1.0),
    "rootNumSymmetriesToSample": ("root_symmetries", int, 1, 8),
    "lcbStdevs": ("lcb_z", float, 1.0, 10.0),
    "minVisitPropForLCB": ("lcb_share", float, 0.0, 1.0),
    "numSearchThreads": ("threads", int, 1, 256),
    "numSearchThreadsPerAnalysisThread": ("threads", int, 1, 256),
    "searchBatchSize": ("batch", int, 1, 4096),
}
#: Flags, each with what it sets when true and when false.
_FLAGS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "rootSymmetryPruning": ({"root_symmetry": True}, {"root_symmetry": False}),
    "useLcbForSelection": ({"choice": "katago"}, {"choice": "visits"}),
    "useNoisePruning": ({"backup": "weighted"}, {"backup": "mean"}),
    "ignorePreRootHistory": ({"history": "root"}, {"history": "full"}),
    "ignoreAllHistory": ({"history": "none"}, {}),
    "nnRandomize": ({"symmetry": "random"}, {"symmetry": "fixed"}),
    "reuseTree": ({"reuse": True}, {"reuse": False}),
    "includeMovesInRootValue": ({"guaranteed_in_root_value": True}, {"guaranteed_in_root_value": False}),
}
#: Keys that are fields of Settings.
_PLAIN = {
    "maxVisits": "max_visits",
    "maxTime": "max_seconds",
    "analysisPVLen": "pv_length",
    "numAnalysisThreads": "analysis_threads",
    "reportAnalysisWinratesAs": "perspective",
    "warnUnusedFields": "warn_unused",
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
    #: Positions the network judges together at most, and calls of it that run side by side; short searches
    #: take fewer, to lose no accuracy.
    largest_batch: int = 1
    streams: int = 1

    def copy(self) -> Settings:
        return deepcopy(self)

    def tune(self, tuning: Any) -> None:
        """Takes over how the network runs fastest (`kibitz.nets.Tuning`); from any thread."""
        self.largest_batch, self.streams = tuning.batch, tuning.streams

    def search_options(self, alone: bool = False) -> dict[str, Any]:
        """The options of a search with these settings; alone it may have the whole machine."""
        threads = self.options.get("threads") or (None if alone else 1)
        width = search_width(self.max_visits, self.streams, self.largest_batch, threads)
        return {**width, **self.options}

    def apply(self, values: Mapping[str, Any]) -> list[str]:
        """Sets what the keys say; the names of those that have no meaning here come back."""
        unknown = []
        for key, value in values.items():
            text = str(value).lower() if isinstance(value, bool) else str(value).strip()
            try:
                if not self._set(key, text):
                    unknown.append(key)
            except ValueError as error:
                raise BadOption(f"{key}: {error}") from None
        return unknown

    def shown(self, key: str, options: Any) -> str | None:
        """The value of a key as text, None for one without meaning here; `options` are those a search would
        run with, its defaults among them."""
        value: Any
        if key in _OPTIONS:
            value = getattr(options, _OPTIONS[key][0])
        elif key in _FLAGS:
            value = all(getattr(options, name) == wanted for name, wanted in _FLAGS[key][0].items())
        elif key in _PLAIN:
            value = getattr(self, _PLAIN[key])
            value = 1e20 if value is None else value
        else:
            return None
        if isinstance(value, float):
            return f"{value:.6g}"
        return str(value).lower() if isinstance(value, bool) else str(value)

    def _set(self, key: str, text: str) -> bool:
        if key in _OPTIONS:
            name, read, least, most = _OPTIONS[key]
            value = _number(text, read)
            if not least <= value <= most:
                raise ValueError(f"expected a number from {least:g} to {most:g}, got {text}")
            self.options[name] = value
        elif key in _FLAGS:
            self.options.update(_FLAGS[key][0 if _flag(text) else 1])
        elif key == "maxVisits":
            self.max_visits = _whole(text, 1, 2**50)
        elif key == "maxTime":
            seconds = _number(text, float)
            if not seconds > 0:
                raise ValueError(f"expected seconds above 0, got {text}")
            self.max_seconds = None if seconds >= 1e9 else seconds
        elif key == "analysisPVLen":
            self.pv_length = _whole(text, 1, 1000)
        elif key == "numAnalysisThreads":
            self.analysis_threads = _whole(text, 1, 256)
        elif key == "nnCacheSizePowerOfTwo":
            # KataGo counts entries; one of ours is about 1.6 kB on 19x19.
            self.options["cache_mb"] = max(1, min(4096, (2 ** _whole(text, 1, 40)) * 1600 >> 20))
        elif key in ("nnRandSeed", "searchRandSeed"):
            self.options["seed"] = sum(256**i * byte for i, byte in enumerate(text.encode()[:7]))
        elif key == "reportAnalysisWinratesAs":
            if text.upper() not in _PERSPECTIVES:
                raise ValueError(f"expected one of {', '.join(_PERSPECTIVES)}, got {text}")
            self.perspective = text.upper()
        elif key == "warnUnusedFields":
            self.warn_unused = _flag(text)
        else:
            return False
        return True


def _number(text: str, read: Callable[[str], Any]) -> Any:
    try:
        return read(text)
    except ValueError:
        expected = "a whole number" if read is int else "a number"
        raise ValueError(f"expected {expected}, got {text[:60]!r}") from None


def _whole(text: str, least: int, most: int) -> int:
    value: int = _number(text, int)
    if not least <= value <= most:
        raise ValueError(f"expected a whole number from {least} to {most}, got {text}")
    return value


def read_config(path: Path) -> dict[str, str]:
    """The `key = value` lines of a KataGo config file, `@include` followed."""
    values: dict[str, str] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
        line = line.split("#", 1)[0].strip()
        if not line:
            continue
        if line.startswith("@include"):
            values.update(read_config(path.parent / line.removeprefix("@include").strip().strip('"')))
            continue
        key, equals, value = line.partition("=")
        if not equals or not key.strip():
            raise BadOption(f"{path.name}, line {number}: expected key = value, got {line[:60]!r}")
        values[key.strip()] = value.strip().strip('"')
    return values
