"""A table: a game of Junqi with people around it, as a server needs it. It keeps the true board to itself and
sends each seat, and each watcher, what they may know.

>>> table = Table(players=2)
>>> for seat in ("S", "N"):
...     table.set_up(seat, "lance")
...     table.ready(seat)
>>> table.phase, table.mover
('playing', 'S')
>>> table.play("N", "N11-S15")
Traceback (most recent call last):
kibitz.errors.IllegalMove: N cannot do that now
>>> table.play("S", "S11-S22")
>>> table.to_dict("N")["events"]
['S11-S22']

Nothing here starts threads or waits; `tick` is to be called now and then while clocks run. One table is used
from one thread at a time.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from kibitz.errors import BadOption, BadRequest
from kibitz.games.junqi import layouts
from kibitz.games.junqi.pieces import SEATS
from kibitz.games.junqi.position import Position, Spectator, View
from kibitz.games.table import BaseTable, Ending, TimeControl
from kibitz.sentences import Sentence

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["Table", "TimeControl"]


class Table(BaseTable[Position]):
    """A game of Junqi. What a battle has shown stays known to those who saw it, also when its move is taken
    back.

    >>> table = Table(players=2)
    >>> table.phase
    'set-up'
    """

    sets_up = True

    def __init__(
        self,
        players: int = 4,
        *,
        first: str | None = None,
        options: str = "",
        clock: TimeControl | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        if players not in (2, 4):
            raise BadOption(f"Junqi has 2 or 4 players, not {players}")
        super().__init__(tuple(SEATS) if players == 4 else ("S", "N"), clock, now)
        if first is not None and first not in self.seats:
            raise BadOption(f"no seat {first!r} begins, expected one of {', '.join(self.seats)}")
        self._first, self._options = first, options
        self._layouts: dict[str, str] = {}
        Position.deal(["lance"] * players, first=first, options=options)  # refuse bad options now

    def copy(self, now: Callable[[], float]) -> Self:
        same = super().copy(now)
        same._layouts = dict(self._layouts)
        return same

    def in_game(self, seat: str) -> bool:
        return super().in_game(seat) and self._position.alive(seat)

    # -- setting up -------------------------------------------------------------------------------

    def set_up(self, seat: str, layout: str) -> None:
        """Sets a seat's pieces up, by a layout's name or text; again as often as it likes until it is ready.
        BadPosition says what is wrong with the layout."""
        self._check(seat in self.seats and self.phase == "set-up" and seat not in self.is_ready, seat)
        self._layouts[seat] = layouts.check(layout)

    def ready(self, seat: str) -> None:
        """The seat's set-up stands. The game begins when all are ready."""
        self._check(seat in self._layouts, seat)
        super().ready(seat)

    def unready(self, seat: str) -> None:
        super().unready(seat)
        self._layouts.pop(seat, None)  # who comes next sets up anew

    # -- what each may see ------------------------------------------------------------------------

    def view(self, seat: str) -> View:
        """What a seat may know; also for a seat that is out."""
        self._check(seat in self.seats and bool(self._game), seat)
        return self._position.view(seat)

    def spectator(self) -> Spectator:
        """What somebody may see who has no seat."""
        if not self._game:
            raise BadRequest(Sentence("error.notSeen"))
        return self._position.spectator()

    def after_game(self) -> Position:
        """The whole game, once it is over."""
        if self.phase != "over":
            raise BadRequest("set-ups are revealed after the game")
        return self._position

    def to_dict(self, seat: str | None = None) -> dict[str, Any]:
        """The table as plain data for a seat, or for who watches (None). After the game it has everything."""
        if seat is not None and seat not in self.seats:
            raise BadRequest(f"no seat {seat!r} at this table")
        data: dict[str, Any] = {
            "game": "junqi",
            "phase": self.phase,
            "seats": list(self.seats),
            "mover": self.mover,
            "ready": sorted(self.is_ready),
            "clocks": {name: round(left, 3) for name, left in self.clocks().items()},
            "offer": None,
        }
        if self.offer is not None:
            waiting = self.offer
            data["offer"] = {"kind": waiting.kind, "seat": waiting.seat, "agreed": sorted(waiting.agreed)}
        if not self._game:
            data["layout"] = self._layouts.get(seat or "")
            return data
        seen = self._position.spectator() if seat is None else self._position.view(seat)
        shown = self._position if self.phase == "over" else seen
        data |= {
            "pieces": [
                {"node": node, "seat": SEATS[owner], "kind": kind}
                for node, owner, kind, _ in shown.state.standing()
            ],
            "alive": [name for name in self.seats if self._position.alive(name)],
            "ply": self._position.ply,
            "quiet": self._position.quiet_plies,
            "events": list(seen.events),
            "result": self.result,
        }
        if seat is not None:
            data |= {"seat": seat, "view": seen.notation, "legalMoves": list(seen.legal_moves)}
        if self.phase == "over":
            data["layouts"] = {name: self._position.layout(name) for name in self.seats}
        return data

    def shown(self, seat: str | None = None) -> Position | View | Spectator | None:
        """The board as a seat, or who watches, may see it; None before the game begins."""
        if not self._game:
            return None
        if self.phase == "over":
            return self.after_game()
        return self.spectator() if seat is None else self.view(seat)

    def layout(self, seat: str) -> str | None:
        """How the seat has set up so far."""
        return self._layouts.get(seat)

    def engine_layout(self, seed: int) -> str:
        return layouts.deal_secretly(seed, len(self.seats))[0]

    def thinking(self) -> View:
        """What the seat to move may know."""
        return self._position.view()

    # -- the rules --------------------------------------------------------------------------------

    def _begin(self) -> Position:
        chosen = [self._layouts[name] for name in self.seats]
        return Position.deal(chosen, first=self._first, options=self._options)

    def _give_up(self, seat: str, why: Ending) -> None:
        """The seat's army leaves the board; where the clock says so, it only loses its turn."""
        if why == "time" and self.clock is not None and self.clock.skip:
            self._go_on(self._position.skip(1), self.clock.grace)
        else:
            self._go_on(
                self._position.resign(seat), self.clock.grace if why == "time" and self.clock else 0.0
            )

    def _agree_draw(self) -> None:
        self._go_on(self._position.agree_draw())

    def _is_turn(self, seat: str, before: Position, after: Position) -> bool:
        return before.mover == seat and ":" not in after.moves[-1]
