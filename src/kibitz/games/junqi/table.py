"""A table: a game of Junqi with people around it, as a server needs it. It keeps the true board to itself and
tells each seat, and who watches, what they may know.

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
from dataclasses import dataclass
from typing import Any, Literal

from kibitz.errors import BadOption, BadPosition, BadRequest, IllegalMove
from kibitz.games.junqi import layouts
from kibitz.games.junqi.pieces import SEATS
from kibitz.games.junqi.position import Position, Spectator, View

__all__ = ["Offer", "Phase", "Table", "TimeControl"]

Phase = Literal["set-up", "playing", "over"]


@dataclass(frozen=True)
class TimeControl:
    """`seconds` for the whole game, `increment` more after each move of one's own. A seat whose time is up
    gives up, or loses its turn (`skip`) and gets `grace` seconds for the next."""

    seconds: float
    increment: float = 0.0
    skip: bool = False
    grace: float = 10.0

    def __post_init__(self) -> None:
        if not (0 < self.seconds <= 1e6 and 0 <= self.increment <= 1e6 and 0 < self.grace <= 1e6):
            raise BadOption("a clock takes seconds above 0, an increment from 0 and a grace above 0")


class _Clocks:
    """What each seat has left; the clock of the seat to move runs."""

    def __init__(self, control: TimeControl | None, seats: tuple[str, ...], now: Callable[[], float]) -> None:
        self.control, self._now = control, now
        self._left = dict.fromkeys(seats, control.seconds if control else 0.0)
        self._since = 0.0

    def start(self) -> None:
        """A turn begins."""
        self._since = self._now()

    def left(self, mover: str | None) -> dict[str, float]:
        if self.control is None:
            return {}
        left = dict(self._left)
        if mover is not None:
            left[mover] = max(0.0, left[mover] - (self._now() - self._since))
        return left

    def end_turn(self, mover: str, more: float = 0.0) -> None:
        """Takes off what the turn of `mover` took, gives it `more`, and starts the next turn."""
        if self.control is not None:
            self._left[mover] = self.left(mover)[mover] + more
        self.start()


@dataclass(frozen=True)
class Offer:
    """A draw or an undo that a seat proposed, and who has agreed so far."""

    kind: Literal["draw", "undo"]
    seat: str
    agreed: frozenset[str]


class Table:
    """The game as its referee runs it. Every call names the seat that makes it; a call that the seat may not
    make raises IllegalMove with a text that tells nothing about the board."""

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
        self.seats = tuple(SEATS) if players == 4 else ("S", "N")
        if first is not None and first not in self.seats:
            raise BadOption(f"no seat {first!r} begins, expected one of {', '.join(self.seats)}")
        self._first, self._options = first, options
        self._layouts: dict[str, str] = {}
        self._ready: set[str] = set()
        self._game: list[Position] = []
        self._offer: Offer | None = None
        self.clock = clock
        self._clocks = _Clocks(clock, self.seats, now)
        Position.deal(["lance"] * players, first=first, options=options)  # refuse bad options now

    # -- what everybody knows ---------------------------------------------------------------------

    @property
    def phase(self) -> Phase:
        if not self._game:
            return "set-up"
        return "over" if self._position.is_over else "playing"

    @property
    def mover(self) -> str | None:
        """The seat to move, while the game is played."""
        return self._position.mover if self.phase == "playing" else None

    @property
    def offer(self) -> Offer | None:
        """The draw or undo that is waiting for answers."""
        return self._offer

    @property
    def result(self) -> float | None:
        """The first side's, once the game is over."""
        return self._position.result if self._game else None

    def clocks(self) -> dict[str, float]:
        """Seconds that each seat has left; nothing without clocks."""
        return self._clocks.left(self.mover)

    # -- setting up -------------------------------------------------------------------------------

    def set_up(self, seat: str, layout: str) -> None:
        """Sets a seat's pieces up, by a layout's name or text; again as often as it likes until it is ready.
        BadPosition says what is wrong with the layout."""
        self._check(seat in self.seats and self.phase == "set-up" and seat not in self._ready, seat)
        self._layouts[seat] = layouts.check(layout)

    def ready(self, seat: str) -> None:
        """The seat's set-up stands. The game begins when all are ready."""
        self._check(seat in self._layouts and self.phase == "set-up", seat)
        self._ready.add(seat)
        if len(self._ready) == len(self.seats):
            chosen = [self._layouts[name] for name in self.seats]
            self._game = [Position.deal(chosen, first=self._first, options=self._options)]
            self._clocks.start()

    # -- playing ----------------------------------------------------------------------------------

    def play(self, seat: str, move: str) -> None:
        """A seat's move. Whatever is wrong with it (another's turn, another's piece, no such piece, no way
        there) the error is the same."""
        self.tick()
        try:
            # Only moves: words such as `resign:E` have calls of their own.
            legal = self.mover == seat and isinstance(move, str) and ":" not in move
            following = self._position.play(move) if legal else None
        except (IllegalMove, BadPosition):
            following = None
        self._check(following is not None, seat)
        assert following is not None
        self._go_on(following, self.clock.increment if self.clock else 0.0)

    def resign(self, seat: str) -> None:
        """A seat gives up; its army leaves the board."""
        self.tick()
        self._check_player(seat)
        self._go_on(self._position.resign(seat))

    def offer_draw(self, seat: str) -> None:
        """Proposes a draw. It is agreed when every other seat that is in the game accepts."""
        self._propose("draw", seat)

    def ask_undo(self, seat: str) -> None:
        """Asks to take the seat's last move back, and what followed it; every other seat must accept. What a
        battle has shown stays known to those who saw it."""
        self._check_player(seat)
        self._check(self._last_turn(seat) is not None, seat)
        self._propose("undo", seat)

    def answer(self, seat: str, accept: bool) -> None:
        """Accepts or declines the offer that is waiting; one who declines ends it."""
        self.tick()
        self._check_player(seat)
        offer = self._offer
        self._check(offer is not None and seat not in offer.agreed, seat)
        assert offer is not None
        if not accept:
            self._offer = None
            return
        self._offer = Offer(offer.kind, offer.seat, offer.agreed | {seat})
        self._settle()

    def tick(self) -> str | None:
        """Ends the turn of a seat whose time is up; the seat, if there is one. Call it now and then."""
        seat = self.mover
        if self.clock is None or seat is None or self.clocks()[seat] > 0:
            return None
        following = self._position.skip(1) if self.clock.skip else self._position.resign(seat)
        self._go_on(following, self.clock.grace)
        return seat

    # -- what each may see ------------------------------------------------------------------------

    def view(self, seat: str) -> View:
        """What a seat may know; also for a seat that is out."""
        self._check(seat in self.seats and bool(self._game), seat)
        return self._position.view(seat)

    def spectator(self) -> Spectator:
        """What somebody may see who has no seat."""
        if not self._game:
            raise BadRequest("there is nothing to see before the game begins")
        return self._position.spectator()

    def after_game(self) -> Position:
        """The whole game, once it is over."""
        if self.phase != "over":
            raise BadRequest("what stood where is told after the game")
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
            "ready": sorted(self._ready),
            "clocks": {name: round(left, 3) for name, left in self.clocks().items()},
            "offer": None,
        }
        if self._offer is not None:
            waiting = self._offer
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

    # -- inside -----------------------------------------------------------------------------------

    @property
    def _position(self) -> Position:
        return self._game[-1]

    def _check(self, may: bool, seat: object) -> None:
        if not may:
            raise IllegalMove(f"{str(seat)[:10]} cannot do that now")

    def _check_player(self, seat: str) -> None:
        """Only somebody who is still in the game."""
        playing = self.phase == "playing" and seat in self.seats and self._position.alive(seat)
        self._check(playing, seat)

    def _propose(self, kind: Literal["draw", "undo"], seat: str) -> None:
        self.tick()
        self._check_player(seat)
        self._check(self._offer is None, seat)
        self._offer = Offer(kind, seat, frozenset({seat}))
        self._settle()

    def _settle(self) -> None:
        """Does what was offered once all who are in the game have agreed."""
        offer = self._offer
        assert offer is not None
        if not all(name in offer.agreed for name in self.seats if self._position.alive(name)):
            return
        self._offer = None
        if offer.kind == "draw":
            self._go_on(self._position.agree_draw())
        else:
            turn = self._last_turn(offer.seat)
            assert turn is not None
            self._clocks.end_turn(self._position.mover)
            del self._game[turn + 1 :]

    def _last_turn(self, seat: str) -> int | None:
        """The place in the game of the position before the seat's last move."""
        for place in range(len(self._game) - 2, -1, -1):
            before, after = self._game[place], self._game[place + 1]
            if before.mover == seat and ":" not in after.events[-1]:
                return place
        return None

    def _go_on(self, following: Position, more: float = 0.0) -> None:
        """Takes a turn over: the clock of the mover, offers, the game."""
        self._clocks.end_turn(self._position.mover, more)
        # A move is an answer too: what was offered before it is off.
        self._offer = None
        self._game.append(following)
