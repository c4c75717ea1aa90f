"""The matches of a style lab: each level against no style, each in a file of results that it goes on from."""

from __future__ import annotations

import shlex
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kibitz.arena import MatchFinished, Summary, engine_player, read_results, run_match, summarize
from kibitz.arena.match import Progress
from kibitz.arena.spec import PlayerSpec
from kibitz.games.bundled import NONE
from kibitz.lab.config import LabConfig
from kibitz.lab.results import Match
from kibitz.lab.training import StyleLoop
from kibitz.request import Budget

#: Games at once in each process, whose positions a network judges together.
_AT_ONCE = 32


@dataclass(frozen=True)
class Pairing:
    """A match to be played: a level with its network against no style."""

    config: LabConfig
    level: str
    mode: str
    games: int
    visits: int
    #: With a loop its network plays against the one that it began with.
    loop: StyleLoop | None = None

    @property
    def name(self) -> str:
        deep = self.visits != self.config.match.visits
        parts = ["network"] if self.loop is not None else []
        return "-".join([*parts, self.level, self.mode, *([str(self.visits)] if deep else [])])

    @property
    def players(self) -> tuple[PlayerSpec, PlayerSpec]:
        lab, part = self.config.lab, self.config.match
        a: dict[str, Any] = {"style": f"{lab.style}:{self.level}", "style_mode": self.mode}
        b: dict[str, Any] = {}
        if lab.budget:
            a["style_budget"] = lab.budget
        a |= lab.options
        if lab.source != "heuristic":
            a["style_source"] = lab.source
        if self.loop is not None:
            a["network"], b["network"] = str(self.loop.network()), str(self.loop.first_network())
        elif lab.style_network:
            a["style_network" if lab.handover else "network"] = lab.style_network
        common: dict[str, Any] = {}
        if lab.precision != "fp32" and lab.network:
            common["precision"] = lab.precision
        if part.resign:
            common["resign"] = part.resign
        return engine_player(options=a | common), engine_player(options=b | common)

    @property
    def command(self) -> str:
        """The command that plays the same match."""
        lab, part = self.config.lab, self.config.match
        folders = {str(Path(path).parent) + "/" for path in (lab.network, lab.style_network) if path}
        folders |= {f"{self.loop.folder}/"} if self.loop is not None else set()
        words = [
            "kibitz",
            "match",
            "chess",
            *(player.text for player in self.players),
            "--network",
            lab.network or NONE,
        ]
        words += ["--games", str(self.games), "--visits", str(self.visits)]
        words += ["--openings", part.openings or str(part.opening_plies)]
        text = shlex.join([*words, "--seed", str(lab.seed)])
        for folder in folders - {"./"}:
            text = text.replace(folder, "")
        return text

    def play(self, place: Path, processes: int) -> Generator[tuple[int, int], None, Match]:
        """Games done and how many there are; ends with the match."""
        lab, part = self.config.lab, self.config.match
        summary: Summary | None = None
        for event in run_match(
            "chess",
            *self.players,
            games=self.games,
            budget=Budget(visits=self.visits),
            network=lab.network or NONE,
            openings=part.openings or None,
            opening_plies=None if part.openings else part.opening_plies,
            processes=processes,
            parallel=_AT_ONCE if lab.network else 1,
            seed=lab.seed,
            output=self._file(place),
            resume=True,
        ):
            if isinstance(event, Progress):
                yield event.done, self.games
            elif isinstance(event, MatchFinished):
                summary = event.summary
        assert summary is not None
        if summary.stopped == "interrupted":
            raise KeyboardInterrupt
        return self._found(summary)

    def played(self, place: Path) -> Match | None:
        """The match as far as its file has it, None where there is no pair of games yet."""
        if not self._file(place).is_file():
            return None
        settings, games = read_results(self._file(place))
        summary = summarize(settings, games)
        return self._found(summary) if summary.games else None

    def _file(self, place: Path) -> Path:
        return place / "matches" / f"{self.name}.jsonl"

    def _found(self, summary: Summary) -> Match:
        return Match(self.level, self.mode, self.visits, summary, self.loop is not None, self.command)


def pairings(config: LabConfig, loop: StyleLoop | None = None) -> Iterator[Pairing]:
    """The matches of a configuration in the order they are played."""
    lab, part = config.lab, config.match
    for level in lab.levels if part.games else ():
        for mode in lab.modes:
            games = part.few or part.games if level != "medium" else part.games
            yield Pairing(config, level, mode, games, part.visits)
            if loop is not None:
                yield Pairing(config, level, mode, games, part.visits, loop)
    if part.deep_games and "medium" in lab.levels:
        for mode in lab.modes:
            yield Pairing(config, "medium", mode, part.deep_games, part.deep_visits, loop)
