"""One game between two players, by the rules: who breaks them forfeits.

`play_game` runs where the players live, in a worker process or in the caller's own. What a player does
wrong never ends the match: an illegal move, a crash, silence beyond the time limit become a lost game with
the reason in its record. Only a player that refuses its options does, since it would refuse them in every
game.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kibitz.arena.openings import Opening
from kibitz.arena.player import Limit, Player, PlayerError
from kibitz.arena.record import GameRecord
from kibitz.errors import BadOption, IllegalMove

if TYPE_CHECKING:
    from kibitz.games.base import Position

__all__ = ["Job", "forfeited", "play_game", "seed_of"]

#: Called when a player is about to work: its place (0 = A, 1 = B) and the last move played, if any.
OnTurn = Callable[[int, "str | None"], None]

_NAMES = ("a", "b")


@dataclass(frozen=True)
class Job:
    """A game to be played. In even games A has the first side, in odd ones B."""

    game: int
    opening: Opening
    seed: int
    limits: tuple[Limit, Limit]
    deadlines: tuple[float, float]
    """Seconds after which A and B lose on time."""
    max_plies: int

    def player_of(self, side: int) -> int:
        """Which player (0 = A, 1 = B) has this side."""
        return side if self.game % 2 == 0 else 1 - side


def seed_of(*parts: object) -> int:
    """A random seed that depends on all parts and on nothing else, such as the worker or the time."""
    digest = hashlib.blake2b(":".join(map(str, parts)).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") >> 1


def play_game(game: type[Position], players: tuple[Player, Player], job: Job, on_turn: OnTurn) -> GameRecord:
    """The record of the game `job` asks for."""
    position = job.opening.set_up(game)
    opening_length = len(position.moves)
    seconds, turns = [0.0, 0.0], [0, 0]
    place, last = 0, None

    def lost(end: str, detail: str) -> GameRecord:
        moves = position.moves[opening_length:]
        return forfeited(job, place, end, detail, moves, (seconds[0], seconds[1]), (turns[0], turns[1]))

    try:
        for place in (0, 1):
            on_turn(place, None)
            if prepare := getattr(players[place], "prepare", None):
                prepare(position)
            players[place].new_game(seed_of(job.seed, _NAMES[place]))
        while not position.is_over and len(position.moves) < job.max_plies:
            place = job.player_of(position.to_move)
            on_turn(place, last)
            began = time.perf_counter()
            move = players[place].choose(position, job.limits[place])
            spent = time.perf_counter() - began
            seconds[place] += spent
            turns[place] += 1
            deadline = job.deadlines[place]
            if spent > deadline:
                return lost("timeout", f"took {spent:.2f} s for a move, {deadline:g} s were allowed")
            try:
                position = position.play(move)
            except IllegalMove as error:
                return lost("illegal", str(error))
            last = move
    except PlayerError as error:
        return lost(error.reason, str(error))
    except BadOption:
        raise
    except Exception as error:  # whatever a player does, the match goes on
        return lost("crashed", f"{type(error).__name__}: {error}")
    result = position.result if position.is_over else 0.5
    return GameRecord(
        game=job.game,
        opening=job.opening.to_dict(),
        moves=position.moves[opening_length:],
        result=0.5 if result is None else result,
        end="rules" if position.is_over else "length",
        forfeit=None,
        detail=None,
        seconds=(round(seconds[0], 6), round(seconds[1], 6)),
        turns=(turns[0], turns[1]),
    )


def forfeited(
    job: Job,
    place: int,
    end: str,
    detail: str,
    moves: tuple[str, ...],
    seconds: tuple[float, float] = (0.0, 0.0),
    turns: tuple[int, int] = (0, 0),
) -> GameRecord:
    """The record of a game that the player at `place` lost by its own fault."""
    return GameRecord(
        game=job.game,
        opening=job.opening.to_dict(),
        moves=moves,
        result=0.0 if job.player_of(0) == place else 1.0,
        end=end,
        forfeit=_NAMES[place],
        detail=" ".join(detail.split())[:300],
        seconds=(round(seconds[0], 6), round(seconds[1], 6)),
        turns=turns,
    )
