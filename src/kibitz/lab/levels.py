"""What each level of a style does and costs, over a list of engines: `kibitz style levels`.

    [levels]
    games = 400

    [[engine]]
    name = "alpha-beta, 15,000 nodes"
    search = "alphabeta"
    visits = 15000

For every engine, both sides play with each level and without a style, from openings of random plies that are
the same for all; the shift of S is in standard deviations of the games without a style. Then each level plays
no style, every opening twice with colours swapped, for its price in Elo. Visits or nodes are counted, so
that the load of the machine changes nothing. Last, the processor time and the memory of the strongest level
are compared with those of no style. What was stopped goes on where it was.
"""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from kibitz.arena import engine_player, read_results, run_match, summarize
from kibitz.arena.match import Progress
from kibitz.arena.spec import PlayerSpec
from kibitz.engine import Engine
from kibitz.errors import BadOption
from kibitz.files.whole_file import write_whole
from kibitz.games import registry
from kibitz.games.networks import network_file
from kibitz.lab.run import LabEvent, opening_positions
from kibitz.lab.throughput import paired_cost, timed_search
from kibitz.request import Budget
from kibitz.steering import STYLE_LEVELS
from kibitz.style import compare, load_norm, measure_pgn
from kibitz.style.metrics import MEASURE_OF_STYLE
from kibitz.training.commit import source_commit
from kibitz.training.selfplay import run_selfplay
from kibitz.training.settings import SelfplaySettings
from kibitz.training.toml_tables import read_toml, table_of

#: Games at once where a network judges them together.
_AT_ONCE = 32
#: The measures of a set of games that a result has.
_MEASURES = ("s", "s2", "co", "dcc", "fch", "pb_delay", "cl", "ka", "ex")
#: Positions on which a search with style off is compared with one without style.
_COMPARED = 12
#: Positions of each run whose time is taken.
_TIMED = 8


@dataclass(frozen=True)
class LevelsPart:
    """What is measured on every engine."""

    style: str = "hypermodern"
    levels: tuple[str, ...] = ("light", "medium", "strong")
    #: Games of each set, and the plies that they are measured over.
    games: int = 400
    plies: int = 24
    opening_plies: int = 2
    #: Games of each match; 0 plays none.
    match_games: int = 600
    #: A side resigns when its value is below this at two moves in a row; 0 never.
    resign: float = 0.03
    #: Pairs of runs for the processor time of the strongest level; 0 takes none.
    pairs: int = 12
    seed: int = 1


@dataclass(frozen=True)
class EnginePart:
    """An engine of the list."""

    name: str
    visits: int
    #: A file or a name; empty is the bundled network, `none` has none. An engine whose file is missing is
    #: left out.
    network: str = ""
    #: `tree` or `alphabeta`.
    search: str = "tree"
    precision: str = "fp32"
    #: In the place of the same fields of [levels]; none and -1 have those.
    levels: tuple[str, ...] = ()
    games: int = -1
    match_games: int = -1

    @property
    def key(self) -> str:
        """For names of files."""
        return "".join(char if char.isalnum() else "-" for char in self.name.lower())


@dataclass(frozen=True)
class LevelsConfig:
    levels: LevelsPart
    engines: tuple[EnginePart, ...]

    def __post_init__(self) -> None:
        if self.levels.style not in registry.get("chess").styles:
            raise BadOption(f"chess has no style {self.levels.style!r}")
        for level in (*self.levels.levels, *(level for engine in self.engines for level in engine.levels)):
            if level not in STYLE_LEVELS or level == "off":
                raise BadOption(f"unknown level {level!r}")
        if len({engine.key for engine in self.engines}) != len(self.engines):
            raise BadOption("two engines have the same name")

    @property
    def present(self) -> tuple[EnginePart, ...]:
        """Engines whose network is there."""
        return tuple(
            engine for engine in self.engines if "/" not in engine.network or os.path.isfile(engine.network)
        )


def read_levels_config(path: str | os.PathLike[str]) -> LevelsConfig:
    """The configuration of a file. Networks are looked for beside it; ~ and variables are filled in."""
    tables = read_toml(path)
    for name in tables:
        if name not in ("levels", "engine"):
            raise BadOption(f"unknown table [{name}]; expected [levels] and [[engine]]")
    listed = tables.get("engine", [])
    if not isinstance(listed, list) or not listed:
        raise BadOption("a list of [[engine]] is needed")
    engines = []
    for values in listed:
        engine = table_of(EnginePart, "engine", values)
        named = os.path.expandvars(engine.network)
        beside = Path(path).parent / named
        engines.append(replace(engine, network=str(beside) if named and beside.is_file() else named))
    return LevelsConfig(table_of(LevelsPart, "levels", tables.get("levels", {})), tuple(engines))


def run_levels(
    config: LevelsConfig,
    folder: str | os.PathLike[str],
    *,
    processes: int = 1,
    only_report: bool = False,
) -> Iterator[LabEvent]:
    """Plays what is missing: all games first, then the matches, engine by engine. `levels.json` in the folder
    is written anew after each of them."""
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    runs = [_EngineRun(config.levels, engine, place) for engine in config.present]
    if not only_report:
        for run in runs:
            for level in ("off", *run.levels):
                yield from run.play(level, processes)
            _write(place, config, runs)
            yield from run.time()
            _write(place, config, runs)
        for run in runs:
            for level in _by_need(run.levels):
                yield from run.match(level, processes)
                _write(place, config, runs)
    _write(place, config, runs)


def _by_need(levels: tuple[str, ...]) -> list[str]:
    """Medium is what a style is judged by."""
    return sorted(levels, key=lambda level: level != "medium")


def _write(place: Path, config: LevelsConfig, runs: list[_EngineRun]) -> None:
    results = {
        "format": "kibitz-style-levels",
        "version": 1,
        "commit": source_commit(),
        "date": datetime.now(timezone.utc).strftime("%Y-%m-%d"),
        "settings": asdict(config.levels),
        "engines": [run.results() for run in runs],
    }
    write_whole(place / "levels.json", (_spread(results, 5) + "\n").encode())


def _spread(value: Any, depth: int) -> str:
    """JSON whose tables and lists have a line for each item down to `depth`, a measure of a level."""
    if not depth or not value or not isinstance(value, (Mapping, list)):
        return json.dumps(value)
    if isinstance(value, list):
        return "[\n" + ",\n".join(_spread(item, depth - 1) for item in value) + "\n]"
    items = [f"{json.dumps(name)}: {_spread(item, depth - 1)}" for name, item in value.items()]
    return "{\n" + ",\n".join(items) + "\n}"


@dataclass(frozen=True)
class _EngineRun:
    """The games and matches of one engine."""

    part: LevelsPart
    engine: EnginePart
    place: Path

    @property
    def levels(self) -> tuple[str, ...]:
        return self.engine.levels or self.part.levels

    @property
    def options(self) -> dict[str, Any]:
        return {"search": self.engine.search}

    def style(self, level: str) -> str:
        return f"{self.part.style}:{level}"

    def settings(self, level: str) -> SelfplaySettings:
        engine, part = self.engine, self.part
        return SelfplaySettings(
            "chess",
            games=part.games if engine.games < 0 else engine.games,
            budget=Budget(visits=engine.visits),
            seed=part.seed,
            plies=part.plies,
            temperature=0.0,
            opening_plies=part.opening_plies,
            style="" if level == "off" else self.style(level),
            network=network_file("chess", engine.network or None) or "",
            precision=engine.precision,
            options=self.options,
        )

    def games_file(self, level: str) -> Path:
        return self.place / f"{self.engine.key}-{level}.pgn"

    def play(self, level: str, processes: int) -> Iterator[LabEvent]:
        settings, target = self.settings(level), self.games_file(level)
        if target.exists():
            return
        for done in run_selfplay(settings, target, processes=processes, resume=True):
            yield LabEvent(f"{self.engine.name}: {level}", done, settings.games)

    def match_file(self, level: str) -> Path:
        return self.place / f"{self.engine.key}-{level}-match.jsonl"

    def judged_file(self, level: str) -> Path:
        """The price in the opening by another engine, where `benchmarks/style_price.py` has written it."""
        return self.place / f"{self.engine.key}-{level}-judged.json"

    @property
    def match_games(self) -> int:
        return self.part.match_games if self.engine.match_games < 0 else self.engine.match_games

    def players(self, level: str) -> tuple[PlayerSpec, PlayerSpec]:
        common: dict[str, Any] = {"resign": self.part.resign} if self.part.resign else {}
        if self.engine.precision != "fp32":
            common["precision"] = self.engine.precision
        common |= self.options
        return engine_player(options={**common, "style": self.style(level)}), engine_player(options=common)

    def match(self, level: str, processes: int) -> Iterator[LabEvent]:
        if not self.match_games:
            return
        for event in run_match(
            "chess",
            *self.players(level),
            games=self.match_games,
            budget=Budget(visits=self.engine.visits),
            network=self.engine.network or None,
            opening_plies=self.part.opening_plies,
            processes=processes,
            parallel=_AT_ONCE if "/" in self.engine.network else 1,
            seed=self.part.seed,
            output=self.match_file(level),
            resume=True,
        ):
            if isinstance(event, Progress):
                yield LabEvent(f"{self.engine.name}: {level} against off", event.done, self.match_games)

    @property
    def cost_file(self) -> Path:
        return self.place / f"{self.engine.key}-cost.json"

    def time(self) -> Iterator[LabEvent]:
        """What the strongest level costs in processor time and memory."""
        if not self.part.pairs or self.cost_file.exists():
            return
        yield LabEvent(f"{self.engine.name}: processor time", 0, 1)
        positions = opening_positions(_TIMED)
        plain, styled = (
            timed_search(positions, self.engine.visits, **self._engine_options, style=style)
            for style in (None, self.style(self.levels[-1]))
        )
        cost = paired_cost(plain, styled, self.part.pairs).to_dict()
        write_whole(self.cost_file, (json.dumps(cost) + "\n").encode())
        yield LabEvent(f"{self.engine.name}: processor time", 1, 1)

    def results(self) -> dict[str, Any]:
        levels = {level: self._of_level(level) for level in self.levels}
        return {
            **asdict(self.engine),
            "network": Path(self.engine.network).name or "bundled",
            "off_is_plain": self._off_is_plain(),
            "cost": json.loads(self.cost_file.read_text()) if self.cost_file.is_file() else None,
            "levels": levels,
        }

    def _of_level(self, level: str) -> dict[str, Any]:
        found: dict[str, Any] = {}
        off, styled = self.games_file("off"), self.games_file(level)
        if off.exists() and styled.exists():
            comparison = compare(measure_pgn(off), measure_pgn(styled), load_norm())
            found["games"] = comparison.games[1]
            for name in _MEASURES:
                row = comparison[name]
                found[name] = {
                    "off": round(row.a.mean, 4),
                    "mean": round(row.b.mean, 4),
                    "shift": None if row.shift is None else _rounded(asdict(row.shift), 3),
                }
            found["ks_p"] = comparison["s"].ks.p
        if self.match_file(level).is_file():
            summary = summarize(*read_results(self.match_file(level)))
            if summary.games:
                found["match"] = {
                    "games": summary.games,
                    "won": summary.wins,
                    "drawn": summary.draws,
                    "lost": summary.losses,
                    "elo": _rounded(asdict(summary.elo), 1),
                }
        if self.judged_file(level).is_file():
            found["judged"] = json.loads(self.judged_file(level).read_text())
        found["commands"] = [self._selfplay_command("off"), self._selfplay_command(level)]
        found["commands"].append(self._match_command(level))
        return found

    def _selfplay_command(self, level: str) -> str:
        settings = self.settings(level)
        words = ["kibitz", "selfplay", "chess", "--games", str(settings.games)]
        words += ["--visits", str(self.engine.visits), "--temperature", "0", "--seed", str(settings.seed)]
        words += ["-o", f"plies={settings.plies}", "-o", f"opening_plies={settings.opening_plies}"]
        words += ["-o", f"search={self.engine.search}", *self._network_words()]
        words += ["-o", f"precision={self.engine.precision}"] if self.engine.precision != "fp32" else []
        words += [] if level == "off" else ["--style", self.style(level)]
        return shlex.join([*words, "--output", f"{level}.pgn"])

    def _match_command(self, level: str) -> str:
        words = ["kibitz", "match", "chess", *(player.text for player in self.players(level))]
        words += ["--visits", str(self.engine.visits), "--openings", str(self.part.opening_plies)]
        words += ["--games", str(self.match_games), "--seed", str(self.part.seed), *self._network_words()]
        return shlex.join(words)

    def _network_words(self) -> list[str]:
        return ["--network", Path(self.engine.network).name] if self.engine.network else []

    @property
    def _engine_options(self) -> dict[str, Any]:
        network = {"network": self.engine.network} if self.engine.network else {}
        return {**self.options, **network, "precision": self.engine.precision}

    def _off_is_plain(self) -> bool:
        """Whether a search with the style off has the visits of one without a style, move by move."""

        def rows(style: str | None) -> list[list[tuple[str, int, float]]]:
            with Engine("chess", threads=1, seed=1, reuse=False, **self._engine_options) as engine:
                reports = [
                    engine.analyze(position, visits=min(self.engine.visits, 2000), style=style)
                    for position in opening_positions(_COMPARED)
                ]
            return [[(move.move, move.visits, move.value) for move in report.moves] for report in reports]

        return rows(None) == rows(self.style("off"))


def _rounded(values: Mapping[str, Any], digits: int) -> dict[str, Any]:
    return {name: round(value, digits) for name, value in values.items()}


def levels_table(results: Mapping[str, Any]) -> str:
    """The results as a table of Markdown."""
    style = results["settings"]["style"]
    measures = (MEASURE_OF_STYLE[style],) if style in MEASURE_OF_STYLE else ("s", "cl")
    heads = " | ".join(f"shift of {name.upper()} (95%)" for name in measures)
    rows = [
        f"| engine | level | games | {heads} | match | Elo (95%) | Elo in the opening, judged (95%) |",
        "|---" * (6 + len(measures)) + "|",
    ]
    for engine in results["engines"]:
        for level, found in engine["levels"].items():
            if not found.keys() & {"s", "match", "judged"}:
                continue
            cells = [engine["name"], level, f"{found.get('games', '')}"]
            cells += [_shift_text(found.get(name)) for name in measures]
            match, judged = found.get("match"), found.get("judged")
            cells.append("" if match is None else f"+{match['won']} ={match['drawn']} -{match['lost']}")
            cells += ["" if price is None else _elo_text(price["elo"]) for price in (match, judged)]
            rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows)


def costs_table(results: Mapping[str, Any]) -> str:
    """What the strongest level costs each engine, as a table of Markdown; empty where nothing was timed."""
    timed = [engine for engine in results["engines"] if engine.get("cost") is not None]
    if not timed:
        return ""
    rows = ["| engine | processor time for each visit (95%) | memory | pairs of runs |", "|---|---|---|---|"]
    for engine in timed:
        cost = engine["cost"]
        value, low, high = (cost["time"][name] for name in ("value", "low", "high"))
        time = f"{value:+.1%} ({low:+.1%} to {high:+.1%})"
        rows.append(f"| {engine['name']} | {time} | {cost['memory']:+.1%} | {cost['pairs']} |")
    return "\n".join(rows)


def _elo_text(elo: Mapping[str, float]) -> str:
    value, low, high = (round(elo[name]) + 0 for name in ("value", "low", "high"))  # no "-0"
    return f"{value:+d} ({low:+d} to {high:+d})"


def _shift_text(found: Mapping[str, Any] | None) -> str:
    if found is None or found["shift"] is None:
        return ""
    shift = found["shift"]
    return f"{shift['value']:+.2f} ({shift['low']:+.2f} to {shift['high']:+.2f})"
