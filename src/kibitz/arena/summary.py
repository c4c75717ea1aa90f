"""What a match says: the running count, the final numbers, and the table people read.

    >>> from kibitz.arena import read_results, summarize
    >>> settings, games = read_results("match.jsonl")                                 # doctest: +SKIP
    >>> print(summarize(settings, games))                                             # doctest: +SKIP

Every number of a summary is about the same games: the whole pairs, counted in the order in which they were
dealt, up to the pair at which a sequential test was decided. Counting in order keeps the result independent
of the number of processes, and keeps a test unbiased: games that happen to be short do not vote first.
"""

from __future__ import annotations

import io
import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from kibitz.arena import elo
from kibitz.arena.elo import PAIR_SCORES, Interval
from kibitz.arena.record import GameRecord
from kibitz.arena.sprt import Decision, Sprt
from kibitz.errors import NotInstalled
from kibitz.json_form import camel_keys

if TYPE_CHECKING:
    from rich.table import Table


@dataclass(frozen=True)
class SprtState:
    """How far a sequential test has come."""

    elo0: float
    elo1: float
    model: str
    lower: float
    upper: float
    llr: float
    decision: Decision | None


@dataclass(frozen=True)
class Summary:
    """The numbers of a match, all from A's side.

    >>> *_, last = kibitz.arena.run_match("uttt", "random", "random", games=2, seed=1, processes=0)
    >>> summary = last.summary
    >>> summary.wins + summary.draws + summary.losses
    2
    """

    game: str
    a: str
    b: str
    games: int
    wins: int
    draws: int
    losses: int
    pairs: tuple[int, int, int, int, int]
    """Pairs in which A scored 0, 1/2, 1, 3/2 and 2 points."""
    score: Interval
    elo: Interval
    nelo: Interval
    los: float
    sprt: SprtState | None
    first_side_score: float
    """What the side that moves first scored, whichever player it was."""
    forfeits: tuple[int, int]
    """Games forfeited by A and by B."""
    played_out_score: float | None
    """A's score in the games that nobody forfeited, None when there are none."""
    average_plies: float
    seconds_per_move: tuple[float, float]
    """Thinking time of A and of B."""
    uncounted: int
    """Finished games left out: half pairs, and games beyond the end of a test."""
    stopped: str
    """`running`, `games` (all played), `sprt` (test decided) or `interrupted`."""

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; an infinite Elo becomes None."""
        plain: dict[str, Any] = _finite(asdict(self))
        return plain

    def to_json(self) -> str:
        return json.dumps(camel_keys(self.to_dict()), allow_nan=False)

    def table(self) -> Table:
        """The summary for a terminal."""
        try:
            from rich.table import Table
            from rich.text import Text
        except ImportError:
            raise NotInstalled("rich", "a table") from None
        table = Table(
            title=Text(f"{self.game}: {self.a}  -  {self.b}"), show_header=False, title_justify="left"
        )
        table.add_column(style="bold")
        table.add_column(overflow="fold")
        for label, value in self._rows():
            table.add_row(label, Text(value))
        return table

    def __str__(self) -> str:
        table = self.table()  # which says how to get rich
        from rich.console import Console

        console = Console(file=io.StringIO(), width=100, color_system=None)
        with console.capture() as captured:
            console.print(table)
        return captured.get().rstrip()

    def _played_out_text(self) -> str:
        """Games won because the other side broke down say little about strength; the reader must see that."""
        if self.forfeits == (0, 0) or self.played_out_score is None:
            return ""
        return f"; score in the other games {100 * self.played_out_score:.1f}%"

    def _rows(self) -> Iterable[tuple[str, str]]:
        yield "games", f"{self.games} ({self.games // 2} pairs){_stop_text(self.stopped)}"
        yield "won, drawn, lost", f"{self.wins}, {self.draws}, {self.losses}"
        yield "pairs 0, ½, 1, 1½, 2", ", ".join(map(str, self.pairs))
        low, high = 100 * self.score.low, 100 * self.score.high
        yield "score", f"{100 * self.score.value:.2f}%   95%: {low:.2f}% to {high:.2f}%"
        yield "Elo", _elo_text(self.elo)
        yield "normalized Elo", _elo_text(self.nelo)
        yield "LOS", f"{100 * self.los:.2f}%"
        if self.sprt is not None:
            test = self.sprt
            verdict = {None: "open", "H0": "H0 accepted", "H1": "H1 accepted"}[test.decision]
            yield (
                f"SPRT {test.elo0:g}, {test.elo1:g}",
                (f"LLR {test.llr:+.2f} ({test.lower:.2f}, {test.upper:.2f})   {verdict}   {test.model}"),
            )
        yield "first side scores", f"{100 * self.first_side_score:.1f}%"
        yield "forfeits", f"{self.forfeits[0]} by A, {self.forfeits[1]} by B{self._played_out_text()}"
        yield "average length", f"{self.average_plies:.1f} plies"
        yield "time per move", f"A {self.seconds_per_move[0]:.4f} s, B {self.seconds_per_move[1]:.4f} s"
        if self.uncounted:
            yield (
                "not counted",
                f"{self.uncounted} finished games (half pairs, or after the test was decided)",
            )


def _stop_text(stopped: str) -> str:
    return {"sprt": ", test decided", "interrupted": ", interrupted", "running": ", running"}.get(stopped, "")


def _elo_text(interval: Interval) -> str:
    if not math.isfinite(interval.error):
        return f"{interval.value:+.1f}   95%: {interval.low:+.1f} to {interval.high:+.1f}"
    return f"{interval.value:+.1f} ± {interval.error:.1f}   95%: {interval.low:+.1f} to {interval.high:+.1f}"


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, (tuple, list)):
        return [_finite(item) for item in value]
    return value


class Tally:
    """Counts games as they finish, in any order: `tally.add(record)`, then `tally.summary()`."""

    def __init__(self, game: str, a: str, b: str, sprt: Sprt | None = None) -> None:
        self._names = (game, a, b)
        self._sprt = sprt
        self._waiting: dict[int, dict[int, GameRecord]] = {}
        self._next_pair = 0
        self._pairs = [0] * len(PAIR_SCORES)
        self._wdl = [0, 0, 0]
        self._first_side_points = 0.0
        self._forfeits = [0, 0]
        self._played_out_points = 0.0
        self._plies = 0
        self._seconds = [0.0, 0.0]
        self._turns = [0, 0]
        self._llr = 0.0
        self.decision: Decision | None = None
        self.history: list[int] = []
        """Half points of A in each counted pair, 0 to 4; what the picture of the match is drawn from."""

    def add(self, record: GameRecord) -> int | None:
        """Take in a game; the half points A made in its pair, once both its games are there."""
        pair = self._waiting.setdefault(record.pair, {})
        pair[record.game] = record
        points = int(2 * sum(game.score for game in pair.values())) if len(pair) == 2 else None
        while self.decision is None and len(self._waiting.get(self._next_pair, ())) == 2:
            self._count(self._waiting.pop(self._next_pair).values())
            self._next_pair += 1
            if self._sprt is not None:
                self._llr = self._sprt.llr_of_pairs(self._pairs)
                self.decision = self._sprt.decide(self._llr)
        return points

    def count_the_rest(self) -> None:
        """Count whole pairs that finished ahead of others that never will, after an interruption."""
        if self._sprt is None:
            for number in sorted(number for number, pair in self._waiting.items() if len(pair) == 2):
                self._count(self._waiting.pop(number).values())

    def _count(self, pair: Iterable[GameRecord]) -> None:
        half_points = 0
        for record in pair:
            half_points += int(2 * record.score)
            self._wdl[2 - int(2 * record.score)] += 1
            self._first_side_points += record.result
            self._plies += record.plies
            if record.forfeit is not None:
                self._forfeits["ab".index(record.forfeit)] += 1
            else:
                self._played_out_points += record.score
            for place in (0, 1):
                self._seconds[place] += record.seconds[place]
                self._turns[place] += record.turns[place]
        self._pairs[half_points] += 1
        self.history.append(half_points)

    def summary(self, stopped: str = "running") -> Summary:
        """The numbers of the games counted so far."""
        estimate = elo.from_pairs(self._pairs)
        games = sum(self._wdl)
        played_out = games - sum(self._forfeits)
        game, a, b = self._names
        p0, p1, p2, p3, p4 = self._pairs
        return Summary(
            game=game,
            a=a,
            b=b,
            games=games,
            wins=self._wdl[0],
            draws=self._wdl[1],
            losses=self._wdl[2],
            pairs=(p0, p1, p2, p3, p4),
            score=estimate.score,
            elo=estimate.elo,
            nelo=estimate.nelo,
            los=estimate.los,
            sprt=self._sprt_state(),
            first_side_score=self._first_side_points / games if games else 0.5,
            forfeits=(self._forfeits[0], self._forfeits[1]),
            played_out_score=self._played_out_points / played_out if played_out else None,
            average_plies=self._plies / games if games else 0.0,
            seconds_per_move=(self._pace(0), self._pace(1)),
            uncounted=sum(len(pair) for pair in self._waiting.values()),
            stopped=stopped,
        )

    def _pace(self, place: int) -> float:
        return self._seconds[place] / self._turns[place] if self._turns[place] else 0.0

    def _sprt_state(self) -> SprtState | None:
        test = self._sprt
        if test is None:
            return None
        return SprtState(test.elo0, test.elo1, test.model, test.lower, test.upper, self._llr, self.decision)


def summarize(settings: Mapping[str, Any], games: Iterable[GameRecord]) -> Summary:
    """The summary of a results file; see `read_results`.

    >>> from kibitz.arena import read_results, run_match
    >>> _ = list(run_match("uttt", "random", "random", games=2, processes=0, output="pair.jsonl"))
    >>> summarize(*read_results("pair.jsonl")).games
    2
    """
    test = settings.get("sprt")
    tally = Tally(settings["game"], settings["a"], settings["b"], Sprt(**test) if test else None)
    done = 0
    for record in games:
        tally.add(record)
        done += 1
    if tally.decision is not None:
        return tally.summary("sprt")
    tally.count_the_rest()
    return tally.summary("games" if done == settings["games"] else "interrupted")
