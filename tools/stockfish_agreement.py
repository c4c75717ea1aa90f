"""How well the review of a chess game agrees with Stockfish about which moves are mistakes.

    python -m tools.stockfish_agreement --maia DIR --cache FILE                   # twenty games
    python -m tools.stockfish_agreement --maia DIR --cache FILE --half held-out   # not used while tuning
    python -m tools.stockfish_agreement --games club.pgn --cache FILE --effort deep

DIR holds maia-1100.pb.gz and maia-1900.pb.gz. Each plays ten games with itself; every move is drawn from
the network's policy with a fixed seed, so the games are the same on every machine. Odd games are for
tuning, even games are held out. `--games` reads a PGN file instead.

The judge is Stockfish (docs/review.md has figures of 15.1), one thread, 200,000 nodes a position with
an empty hash table. Its centipawns become a win probability by Lichess's formula, which was fitted to games
of people (https://lichess.org/page/accuracy). A move loses what the probability falls by from the position
before it to the position after it, and nothing when it is Stockfish's own choice. `--cache` keeps the
judge's answers between runs; without the file they are made again.

Printed for each half: how many moves that lose more than 10% the review marks (at least 95%), and how many
marked moves lose less than 3% (at most 8%), with Wilson's 95% intervals. The exit code is 1 when a bound is
missed.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from kibitz.cli.output import progress_bar
from kibitz.engine import Engine
from kibitz.games.chess import Position
from kibitz.games.chess.pgn import read_pgn
from kibitz.games.chess.review import ChessRecord
from kibitz.games.networks import load_file
from kibitz.human.model import HumanModel
from kibitz.review.effort import DEFAULT, EFFORTS, Effort, make_effort
from kibitz.review.examine import Examination, answered
from kibitz.review.records import Turn

#: Of the games that are made.
_NETWORKS, _GAMES_EACH, _MOST_PLIES = ("maia-1100", "maia-1900"), 10, 160
_NODES = 200_000
#: A move that loses more than the first must be marked; a marked one should lose more than the second.
_BAD, _FINE = 0.10, 0.03
_LEAST_FOUND, _MOST_FALSE = 0.95, 0.08
#: Centipawns of a mate.
_MATE = 10_000


@dataclass(frozen=True)
class Game:
    """A game to review."""

    name: str
    last: Position
    held_out: bool


@dataclass(frozen=True)
class Row:
    """A move with what Stockfish and the review say it loses."""

    game: Game
    turn: Turn
    judged: float


def made_games(folder: Path) -> Iterator[Game]:
    """Games of networks that err as people do, drawn from their policy."""
    for network in _NETWORKS:
        model = HumanModel("chess", load_file("chess", str(folder / f"{network}.pb.gz")))
        for number in range(1, _GAMES_EACH + 1):
            chance = random.Random(f"{network} {number}")
            at = Position()
            while not at.is_over and len(at.moves) < _MOST_PLIES:
                policy = sorted(model.policy(at, None).policy.items())
                at = at.play(chance.choices([move for move, _ in policy], [share for _, share in policy])[0])
            yield Game(f"{network} {number}", at, number % 2 == 0)
        model.close()


def read_games(path: Path) -> Iterator[Game]:
    for game in read_pgn(path):
        yield Game(f"{path.name} {game.number}", game.position(), game.number % 2 == 0)


class Judge:
    """Stockfish, and what it said before."""

    def __init__(self, program: str, cache: Path) -> None:
        self._program, self._path = program, cache
        self._known: dict[str, tuple[int, str]] = {}
        if cache.is_file():
            self._known = {key: (score, best) for key, (score, best) in json.loads(cache.read_text()).items()}
        self._process: subprocess.Popen[str] | None = None

    def loss(self, before: Position, played: str) -> float:
        """What a move loses."""
        score, best = self._score(before)
        after = before.play(played)
        if best == played:
            return 0.0
        if after.is_over:
            result = 0.5 if after.result is None else after.result
            value = float(result) if before.to_move == 0 else 1 - float(result)
        else:
            value = 1 - win_probability(self._score(after)[0])
        return max(0.0, win_probability(score) - value)

    def keep(self) -> None:
        """Keeps what was said."""
        self._path.write_text(json.dumps(self._known))

    def close(self) -> None:
        if self._process is not None:
            self._process.communicate("quit\n")

    def _score(self, position: Position) -> tuple[int, str]:
        """Centipawns of the side to move, and the move it chooses."""
        key = f"{position.start.notation} {' '.join(position.moves)}"
        if key not in self._known:
            self._known[key] = self._ask(position)
        return self._known[key]

    def _ask(self, position: Position) -> tuple[int, str]:
        if self._process is None:
            self._process = subprocess.Popen(
                [self._program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
            )
            self._say("uci", "setoption name Hash value 64")
        place = f"position fen {position.start.notation} moves {' '.join(position.moves)}"
        self._say("ucinewgame", place, f"go nodes {_NODES}")
        assert self._process.stdout is not None
        score = 0
        for line in self._process.stdout:
            words = line.split()
            if "score" in words and "lowerbound" not in words and "upperbound" not in words:
                kind, number = words[words.index("score") + 1 : words.index("score") + 3]
                score = int(number) if kind == "cp" else int(math.copysign(_MATE, int(number)))
            if words[:1] == ["bestmove"]:
                return score, words[1]
        raise SystemExit(f"{self._program} ended")

    def _say(self, *lines: str) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.write("".join(f"{line}\n" for line in lines))
        self._process.stdin.flush()


def win_probability(centipawns: int) -> float:
    """Lichess's."""
    return 1 / (1 + math.exp(-0.00368208 * centipawns))


def counted(effort: Effort) -> Effort:
    """An effort without its seconds, a limit for slow machines that would cut searches on a busy one."""
    return replace(effort, look=replace(effort.look, seconds=None), check=replace(effort.check, seconds=None))


def reviewed(engine: Engine, game: Game, effort: str) -> list[Turn]:
    """The game as the command line and the page review it."""
    record = ChessRecord(game.last)
    examination = Examination(record, counted(make_effort(engine.configuration, effort)))
    for number in range(len(record.positions)):
        if (request := examination.look(number)) is not None:
            examination.reports[number] = answered(engine, request)
    for number in range(len(record.moves)):
        checks = examination.checks_of(number)
        examination.checks[number] = [answered(engine, request) for request in checks]
    return [examination.turn(number) for number in range(len(record.moves))]


def wilson(hits: int, total: int) -> tuple[float, float]:
    """The 95% interval of a share."""
    if not total:
        return 0.0, 1.0
    z, share = 1.96, hits / total
    middle = share + z * z / (2 * total)
    spread = z * math.sqrt(share * (1 - share) / total + z * z / (4 * total * total))
    return (middle - spread) / (1 + z * z / total), (middle + spread) / (1 + z * z / total)


def summarize(name: str, rows: Sequence[Row]) -> bool:
    """Prints the figures of some games; whether both bounds hold."""
    bad = [row for row in rows if row.judged > _BAD]
    marked = [row for row in rows if row.turn.is_marked]
    found = sum(row.turn.is_marked for row in bad)
    false = sum(row.judged < _FINE for row in marked)
    games = len({row.game.name for row in rows})
    print(f"{name}: {games} games, {len(rows)} moves")
    for what, hits, total, bound in (
        (f"lose more than {_BAD:.0%} and are marked", found, len(bad), f"at least {_LEAST_FOUND:.0%}"),
        (f"are marked and lose less than {_FINE:.0%}", false, len(marked), f"at most {_MOST_FALSE:.0%}"),
    ):
        low, high = wilson(hits, total)
        share = hits / max(1, total)
        print(f"  {what}: {hits} of {total}, {share:.1%} ({low:.1%} to {high:.1%}; {bound})")
    return found >= _LEAST_FOUND * len(bad) and false <= _MOST_FALSE * len(marked)


def show_errors(rows: Iterable[Row]) -> None:
    """The moves about which review and judge disagree."""
    for row in rows:
        missed = row.judged > _BAD and not row.turn.is_marked
        if missed or (row.turn.is_marked and row.judged < _FINE):
            turn = row.turn
            print(
                f"  {row.game.name} ply {turn.number} {turn.played}: {'missed' if missed else 'false'}, "
                f"Stockfish {row.judged:.3f}, review {turn.loss:.3f} ({turn.best})"
            )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--maia", type=Path, metavar="DIR")
    source.add_argument("--games", type=Path, metavar="FILE.pgn")
    parser.add_argument("--cache", type=Path, required=True, metavar="FILE")
    parser.add_argument("--stockfish", default="stockfish", metavar="PROGRAM")
    parser.add_argument("--effort", choices=EFFORTS, default=DEFAULT)
    parser.add_argument("--half", choices=("tuning", "held-out", "both"), default="both")
    parser.add_argument("--errors", action="store_true", help="list the moves they disagree about")
    args = parser.parse_args()
    games = list(made_games(args.maia) if args.maia else read_games(args.games))
    halves = {"tuning": False, "held-out": True}
    wanted = [name for name in halves if args.half in (name, "both")]
    judge, rows, holds = Judge(args.stockfish, args.cache), [], True
    chosen = [game for game in games if game.held_out in [halves[name] for name in wanted]]
    with Engine("chess") as engine, progress_bar("games", len(chosen)) as progress:
        print(f"effort {args.effort}: {make_effort(engine.configuration, args.effort).said}")
        for game in chosen:
            at = game.last.start
            for turn in reviewed(engine, game, args.effort):
                rows.append(Row(game, turn, judge.loss(at, turn.played)))
                at = at.play(turn.played)
            judge.keep()
            progress.advance(progress.tasks[0].id)
    judge.close()
    for name in wanted:
        half = [row for row in rows if row.game.held_out == halves[name]]
        holds &= summarize(name, half)
        if args.errors:
            show_errors(half)
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())
