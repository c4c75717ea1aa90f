"""A table: a game with people around it, as a server needs it: seats, turns, clocks, offers.

>>> from kibitz.games import othello
>>> table = Table(othello.Position())
>>> for seat in table.seats:
...     table.ready(seat)
>>> table.play("black", "d3")
>>> table.play("black", "c3")
Traceback (most recent call last):
kibitz.errors.IllegalMove: black cannot do that now
>>> table.resign("white")
>>> table.phase, table.result, table.ending
('over', 1.0, 'resign')

Nothing here starts threads or waits; `tick` is to be called now and then while clocks run. One table is used
from one thread at a time. Junqi, whose players set up in secret, has a table of its own.
"""

from __future__ import annotations

import copy
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Literal

from kibitz.errors import BadOption, BadPosition, BadRequest, IllegalMove
from kibitz.games.base import P, Position
from kibitz.games.counting import RESUME, Count, accepts
from kibitz.games.game_line import GameLine
from kibitz.sentences import Sentence

if TYPE_CHECKING:
    from typing_extensions import Self

#: `counting`: play has stopped, and the players are to agree on the score (`kibitz.games.counting`).
Phase = Literal["set-up", "playing", "counting", "over"]
#: Why a game ended that the rules had not ended yet.
Ending = Literal["resign", "time", "agreed"]


@dataclass(frozen=True)
class TimeControl:
    """`seconds` for the whole game, `increment` more after each move of one's own. A seat whose time is up
    gives up, or (in Junqi) loses its turn (`skip`) and gets `grace` seconds for the next.

    >>> TimeControl(600, increment=5).increment
    5
    """

    seconds: float
    increment: float = 0.0
    skip: bool = False
    grace: float = 10.0

    def __post_init__(self) -> None:
        if not (0 < self.seconds <= 1e6 and 0 <= self.increment <= 1e6 and 0 < self.grace <= 1e6):
            raise BadOption("a clock takes seconds above 0, an increment from 0 and a grace above 0")


class _Clocks:
    """What each seat has left; the clock of the seat to move runs."""

    def __init__(self, control: TimeControl | None, seats: Sequence[str], now: Callable[[], float]) -> None:
        self.control, self._now = control, now
        self._left = dict.fromkeys(seats, control.seconds if control else 0.0)
        self._since = 0.0

    def copy(self, now: Callable[[], float]) -> _Clocks:
        same = copy.copy(self)
        same._left, same._now = dict(self._left), now
        return same

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

    def forgive(self, since: float) -> None:
        """Takes nothing off for the time from `since` to now."""
        now = self._now()
        self._since = now - max(0.0, min(since, now) - self._since)


@dataclass(frozen=True)
class Offer:
    """A draw or an undo that a seat proposed, and who has agreed so far."""

    kind: Literal["draw", "undo"]
    seat: str
    agreed: frozenset[str]


class BaseTable(ABC, Generic[P]):
    """The game as its referee runs it. Every call names the seat that makes it; a call that the seat may not
    make raises IllegalMove with a text that tells nothing about the board. What is a game's own it says in
    `_begin`, `_give_up` and `_agree_draw`."""

    #: Do players set up before the game?
    sets_up = False

    def __init__(self, seats: Sequence[str], clock: TimeControl | None, now: Callable[[], float]) -> None:
        self.seats = tuple(seats)
        self.clock = clock
        #: The seats that are ready to begin.
        self.is_ready: set[str] = set()
        #: The positions so far; None until the game begins.
        self._game: GameLine[P] | None = None
        #: The number of positions up to each seat's last turn.
        self._turns: dict[str, int] = {}
        #: The draw or undo that is waiting for answers.
        self.offer: Offer | None = None
        self._clocks = _Clocks(clock, self.seats, now)

    def copy(self, now: Callable[[], float]) -> Self:
        """A table in the same state that changes independently and reads the time from `now`."""
        same = copy.copy(self)
        same.is_ready = set(self.is_ready)
        same._clocks = self._clocks.copy(now)
        return same

    # -- what everybody knows ---------------------------------------------------------------------

    @property
    def phase(self) -> Phase:
        if self._game is None:
            return "set-up"
        return "over" if self._position.is_over else "playing"

    @property
    def mover(self) -> str | None:
        """The seat to move, while the game is played."""
        return self._position.mover if self.phase == "playing" else None

    @property
    def result(self) -> float | None:
        """The first side's, once the game is over."""
        return self._position.result if self._game is not None else None

    def clocks(self) -> dict[str, float]:
        """Seconds that each seat has left; nothing without clocks."""
        return self._clocks.left(self.mover)

    def in_game(self, seat: str) -> bool:
        """Is the seat one of those that play on?"""
        return self.phase == "playing" and seat in self.seats

    # -- beginning --------------------------------------------------------------------------------

    def set_up(self, seat: str, layout: str) -> None:
        """How the seat sets up, in games where that is its secret (`sets_up`)."""
        self._check(False, seat)

    def layout(self, seat: str) -> str | None:
        """How the seat has set up so far; nothing in games without set-ups."""
        return None

    def engine_layout(self, seed: int) -> str:
        """How an engine sets up."""
        return ""

    def ready(self, seat: str) -> None:
        """The seat is ready. The game begins when all are."""
        self._check(seat in self.seats and self.phase == "set-up", seat)
        self.is_ready.add(seat)
        if len(self.is_ready) == len(self.seats):
            self._game = GameLine(self._begin())
            self._clocks.start()

    def unready(self, seat: str) -> None:
        """Who was ready has left before the game began."""
        self._check(seat in self.seats and self.phase == "set-up", seat)
        self.is_ready.discard(seat)

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
        """A seat gives up."""
        self.tick()
        self._check(self.in_game(seat), seat)
        self._give_up(seat, "resign")

    def offer_draw(self, seat: str) -> None:
        """Proposes a draw. It is agreed when every other seat that is in the game accepts."""
        self._propose("draw", seat)

    def ask_undo(self, seat: str) -> None:
        """Asks to take the seat's last move back, and what followed it; every other seat must accept."""
        self._check(self.in_game(seat), seat)
        self._check(seat in self._turns, seat)
        self._propose("undo", seat)

    def answer(self, seat: str, accept: bool) -> None:
        """Accepts or declines the offer that is waiting; one who declines ends it."""
        self.tick()
        self._check(self.in_game(seat), seat)
        offer = self.offer
        self._check(offer is not None and seat not in offer.agreed, seat)
        assert offer is not None
        if not accept:
            self.offer = None
            return
        self.offer = Offer(offer.kind, offer.seat, offer.agreed | {seat})
        self._settle()

    def tick(self) -> str | None:
        """Ends the turn of a seat whose time is up; the seat, if there is one. Call it now and then."""
        seat = self.mover
        if self.clock is None or seat is None or self.clocks()[seat] > 0:
            return None
        self._give_up(seat, "time")
        return seat

    def forgive(self, since: float) -> None:
        """Nobody could play from `since` until now: the clock of the seat to move did not run."""
        self._clocks.forgive(since)

    # -- a game's own -----------------------------------------------------------------------------

    @property
    def ending(self) -> Ending | None:
        """Why the game ended, where it was not by its rules."""
        return None

    @abstractmethod
    def shown(self, seat: str | None = None) -> Position | None:
        """The board as a seat, or who watches, may see it; None where nothing may be seen yet."""

    @abstractmethod
    def thinking(self) -> Position:
        """What the seat to move may know."""

    @abstractmethod
    def _begin(self) -> P:
        """The position the game begins with."""

    @abstractmethod
    def _give_up(self, seat: str, why: Ending) -> None:
        """A seat that is in the game has lost, or its turn."""

    @abstractmethod
    def _agree_draw(self) -> None:
        """All have agreed on a draw."""

    def _is_turn(self, seat: str, before: P, after: P) -> bool:
        """Did the seat move from one position to the other?"""
        return before.mover == seat

    # -- inside -----------------------------------------------------------------------------------

    @property
    def _position(self) -> P:
        assert self._game is not None
        return self._game.last

    def _check(self, may: bool, seat: object) -> None:
        if not may:
            raise IllegalMove(Sentence("error.notNow", {"seat": str(seat)[:10]}))

    def _propose(self, kind: Literal["draw", "undo"], seat: str) -> None:
        self.tick()
        self._check(self.in_game(seat), seat)
        self._check(self.offer is None, seat)
        self.offer = Offer(kind, seat, frozenset({seat}))
        self._settle()

    def _settle(self) -> None:
        """Does what was offered once all who are in the game have agreed."""
        offer = self.offer
        assert offer is not None
        if not all(name in offer.agreed for name in self.seats if self.in_game(name)):
            return
        self.offer = None
        if offer.kind == "draw":
            self._agree_draw()
        else:
            assert self._game is not None
            self._clocks.end_turn(self._position.mover)
            self._game = self._game.first(self._turns[offer.seat])
            self._turns = self._last_turns(self._game)

    def _last_turns(self, game: GameLine[P]) -> dict[str, int]:
        """The number of positions up to each seat's last turn."""
        turns: dict[str, int] = {}
        after: P | None = None
        for back, before in enumerate(game.backwards()):
            seat = before.mover
            if after is not None and seat not in turns and self._is_turn(seat, before, after):
                turns[seat] = len(game) - back
                if len(turns) == len(self.seats):
                    break
            after = before
        return turns

    def _append(self, position: P) -> None:
        assert self._game is not None
        before, seat = self._position, self._position.mover
        if self._is_turn(seat, before, position):
            self._turns = {**self._turns, seat: len(self._game)}
        self._game = self._game.plus(position)

    def _go_on(self, following: P, more: float = 0.0) -> None:
        """Takes a turn over: the clock of the mover, offers, the game."""
        self._clocks.end_turn(self._position.mover, more)
        # A move is an answer too: what was offered before it is off.
        self.offer = None
        self._append(following)


class Table(BaseTable[Any]):
    """A table for a game of two sides that hides nothing, from a start position."""

    def __init__(
        self,
        start: Position,
        *,
        clock: TimeControl | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(start.seat_names, clock, now)
        self._start = start
        #: Why the players ended the game, and the first side's result.
        self._ended: tuple[Ending, float] | None = None
        #: While they count: the stones that were proposed as dead, those that are marked, and who agrees.
        self._proposed: tuple[str, ...] | None = None
        self._dead: tuple[str, ...] = ()
        self._agreed: frozenset[str] = frozenset()

    @property
    def phase(self) -> Phase:
        if self._ended:
            return "over"
        return "counting" if self._game is not None and self._position.is_counting else super().phase

    @property
    def result(self) -> float | None:
        if self._ended:
            return self._ended[1]
        return super().result if self.phase == "over" else None

    @property
    def ending(self) -> Ending | None:
        """Why the game ended, where it was not by its rules."""
        return self._ended[0] if self._ended else None

    def shown(self, seat: str | None = None) -> Position:
        """The board, for everybody; before the game begins it is the one that it begins with."""
        return self._start if self._game is None else self._game.last

    def thinking(self) -> Position:
        """What the seat to move may know."""
        position: Position = self._position
        return position

    # -- counting ---------------------------------------------------------------------------------

    @property
    def agreed(self) -> frozenset[str]:
        """The seats that agree to the count as it is marked."""
        return self._agreed

    def count(self) -> Count | None:
        """The score as it is marked; None until something was proposed."""
        return self._count_of(self._dead) if self._proposed is not None else None

    def accepts_count(self, seat: str) -> bool:
        """Does an engine at the seat agree to the score as it is marked?"""
        count = self.count()
        assert count is not None
        assert self._proposed is not None
        return accepts(count, self._count_of(self._proposed), self.seats.index(seat))

    def propose(self, dead: Sequence[str] | None = None) -> None:
        """What the referee takes for dead is marked; nothing given, what it proposed before."""
        dead = self._proposed if dead is None else dead
        self._check(self.phase == "counting" and dead is not None, "")
        assert dead is not None
        self._dead = self._count_of(dead).dead
        self._proposed, self._agreed = self._proposed or self._dead, frozenset()

    def mark(self, seat: str, place: str) -> None:
        """A seat marks a stone as dead, or alive if it was; nobody has agreed to that yet."""
        self._check(self.phase == "counting" and seat in self.seats and self._proposed is not None, seat)
        counting = self._position.counting
        try:
            self._dead = counting.toggled(self._position, self._dead, place)
        except BadRequest:
            self._check(False, seat)
        self._agreed = frozenset()

    def agree(self, seat: str, move: str) -> None:
        """A seat agrees to a count, `Count.move`, if it is the one that is marked. When all do, the game is
        over."""
        count = self.count() if self.phase == "counting" else None
        self._check(seat in self.seats and count is not None and count.move == move, seat)
        self._agreed |= {seat}
        if len(self._agreed) == len(self.seats):
            self._append(self._position.play(move))
            self._clear_count()

    def resume(self, seat: str) -> None:
        """A seat wants to play on."""
        self._check(self.phase == "counting" and seat in self.seats, seat)
        self._append(self._position.play(RESUME))
        self._clear_count()
        self._clocks.start()

    def resign(self, seat: str) -> None:
        if self.phase == "counting" and seat in self.seats:
            self._clocks.start()  # they did not run
            self._give_up(seat, "resign")
        else:
            super().resign(seat)

    def _count_of(self, dead: Sequence[str]) -> Count:
        counting = self._position.counting
        assert counting is not None
        count: Count = counting.count(self._position, dead)
        return count

    def _clear_count(self) -> None:
        self._proposed, self._dead, self._agreed = None, (), frozenset()

    # -- a game's own -----------------------------------------------------------------------------

    def _is_turn(self, seat: str, before: Position, after: Position) -> bool:
        return not before.is_counting and before.mover == seat

    def _begin(self) -> Position:
        return self._start

    def _give_up(self, seat: str, why: Ending) -> None:
        self._end(why, float(self.seats.index(seat)))

    def _agree_draw(self) -> None:
        self._end("agreed", 0.5)

    def _end(self, why: Ending, result: float) -> None:
        self._clocks.end_turn(self._position.mover)
        self.offer = None
        self._clear_count()
        self._ended = why, result
