"""Counting a finished game: dead stones are found, marked, taken off; the rest is counted by the rules.

The score itself is `native/games/go/count.cpp`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from kibitz.errors import BadRequest
from kibitz.games.counting import Count
from kibitz.games.go import rules as rule_sets
from kibitz.sentences import Sentence

#: How the move that ends a game begins; the dead chains follow, a stone of each.
MOVE = "count"
#: Playouts that decide without a network, and their seed: the same board gives the same proposal.
_PLAYOUTS, _SEED = 400, 20
#: A chain is dead where the other side owns its points by more than this, from 0 to 1.
_DEAD = 0.1
_OWNERS = {"X": 1.0, "O": -1.0}


def dead_of(move: str) -> list[str] | None:
    """The stones that a move `count:G5,B2` says are dead; None for other moves."""
    if move == MOVE:
        return []
    return move[len(MOVE) + 1 :].split(",") if move.startswith(f"{MOVE}:") else None


def result_sentence(position: Any, score: float) -> Sentence:
    """Who wins, by how much; `score` is Black's lead."""
    if not score:
        return Sentence("go.jigo", {})
    return Sentence("go.wins", {"side": position.side_names[score < 0], "points": abs(score)})


class GoCounting:
    """Go for `kibitz.games.counting`."""

    def count(self, position: Any, dead: Iterable[str]) -> Count:
        state = position.state
        stones = state.chains(_points(position, dead))
        owners, sides, extra, score = state.count(stones)
        area = rule_sets.to_fields(position.rules)["scoring"] == "AREA"
        lines = []
        for side, (living, territory, prisoners, tax) in enumerate(sides):
            more = extra if side else 0.0
            total = (living if area else prisoners) + territory - tax + more
            values = {"side": position.side_names[side], "territory": territory, "total": total}
            values |= {"stones": living} if area else {"prisoners": prisoners}
            values |= {"komi": more} if side else {}
            values |= {"tax": tax} if tax else {}
            code = f"go.{'area' if area else 'territory'}{'Komi' if side else ''}{'Tax' if tax else ''}"
            lines.append(Sentence(code, values))
        return Count(
            dead=tuple(_names(position, stones)),
            owners=tuple(_OWNERS.get(owner, 0.0) for owner in owners),
            score=float(score),
            lines=(*lines, result_sentence(position, score)),
            move=self.move(position, stones),
        )

    def move(self, position: Any, stones: Sequence[int]) -> str:
        """The move that ends the game with these stones dead; each chain is named once."""
        left, named = set(stones), []
        for point in stones:
            if point in left:
                left.difference_update(position.state.chains([point]))
                named.append(point)
        return ":".join([MOVE, ",".join(_names(position, named))]) if named else MOVE

    def toggled(self, position: Any, dead: Iterable[str], place: str) -> tuple[str, ...]:
        marked = set(position.state.chains(_points(position, dead)))
        chain = set(position.state.chains(_points(position, [place])))
        return tuple(_names(position, sorted(marked - chain if chain <= marked else marked | chain)))

    def to_judge(self, position: Any) -> Any:
        return position.play("resume") if position.is_counting else position

    def propose(self, position: Any, ownership: Sequence[float]) -> tuple[str, ...]:
        state = position.state
        owners = ownership or state.playout_owners(_PLAYOUTS, _SEED)
        certain = state.pass_alive()
        stones = "".join(position.stones)
        dead: set[int] = set()
        for point, stone in enumerate(stones):
            if stone == "." or point in dead:
                continue
            chain, sign = state.chains([point]), _OWNERS[stone]
            owned = sign * sum(owners[one] for one in chain) / len(chain)
            if certain[point] != ".":
                owned = sign * _OWNERS[certain[point]]
            if owned < -_DEAD:
                dead.update(chain)
        return tuple(_names(position, sorted(dead)))


def _points(position: Any, places: Iterable[str]) -> list[int]:
    points, (columns, rows) = [], position.size
    stones = "".join(position.stones)
    for place in places:
        try:
            point = int(position.state.parse_move(place))
        except (ValueError, TypeError) as error:
            raise BadRequest(str(error)) from None
        if not point < columns * rows or stones[point] == ".":
            raise BadRequest(f"{place[:10]} holds no stone")
        points.append(point)
    return points


def _names(position: Any, points: Sequence[int]) -> list[str]:
    return [position.state.move_text(point) for point in points]
