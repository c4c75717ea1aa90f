"""Junqi positions: the true board as a referee has it, and what one seat may know of it.

>>> from kibitz.games import junqi
>>> game = junqi.Position.deal(["spear-left", "gate", "anvil", "tide"])
>>> game.mover, game.players
('S', 4)
>>> view = game.view("S")
>>> sorted({kind for _, seat, kind, _ in view.state.standing() if seat == 1})
['?']
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from kibitz import _native
from kibitz.draw import Mark, Places
from kibitz.errors import BadPosition, IllegalMove
from kibitz.games import base
from kibitz.games.junqi import layouts as setups
from kibitz.games.junqi.picture import board_places, board_svg, board_text
from kibitz.games.junqi.pieces import SEATS, Names
from kibitz.games.junqi.words import describe
from kibitz.games.plain_form import PlainForm


def seat_number(seat: str | int) -> int:
    """0 to 3 for S, E, N, W."""
    if isinstance(seat, int) and 0 <= seat < 4:
        return seat
    if isinstance(seat, str) and len(seat) == 1 and seat.upper() in SEATS:
        return SEATS.index(seat.upper())
    raise BadPosition(f"no seat {seat!r}, expected S, E, N or W")


def _why(reason: int) -> str:
    """A reason as events are written."""
    return f"#{reason}" if reason else ""


class _Board(base.Position):
    """What the true board and a view have in common."""

    game: ClassVar[str] = "junqi"
    hides: ClassVar[bool] = True
    move_format: ClassVar[str] = (
        "A move names two nodes, such as S11-C31: an arm (S E N W), the row from its front and the column "
        "from its owner's left; or C with the row and column of the centre, from the north-west."
    )
    side_names: ClassVar[tuple[str, str]] = ("SN", "EW")

    __slots__ = ()

    @property
    def players(self) -> int:
        return int(self.state.players)

    @property
    def seat_names(self) -> tuple[str, ...]:
        return tuple(SEATS) if self.players == 4 else ("S", "N")

    @property
    def ply(self) -> int:
        return int(self.state.ply)

    @property
    def quiet_plies(self) -> int:
        """Plies since the last battle."""
        return int(self.state.quiet_plies)

    def alive(self, seat: str | int) -> bool:
        return bool(self.state.alive(seat_number(seat)))

    @property
    def events(self) -> tuple[str, ...]:
        """What everybody saw: `S11-C31`, `E15xS11=!E62`."""
        return tuple(self.state.events())

    def public_event(self) -> str:
        return describe(self.events[-1]) if self.events else ""

    def text(self, names: Names = "english") -> str:
        """The board for a terminal, with a line about the game under it."""
        seats = " ".join(name if self.alive(name) else f"({name} out)" for name in self.seat_names)
        result = {
            1.0: "SN win" if self.players == 4 else "S wins",
            0.0: "EW win" if self.players == 4 else "N wins",
        }
        state = (
            f"over: {result.get(self.result or 0.0, 'a draw')}" if self.is_over else f"{self.mover} to move"
        )
        if self.is_over and self.result == 0.5:
            state = "over: a draw"
        board = board_text(self.state.standing(), self.players, names)
        return f"{board}\nply {self.ply}, {self.quiet_plies} quiet; {seats}; {state}"

    def __str__(self) -> str:
        return self.text()

    def places(self, below: str = "") -> Places:
        return board_places(self.players, below)

    def svg(
        self,
        marks: Mapping[str, Mark] | None = None,
        below: str = "",
        names: Names = "chinese",
        pieces: str = "",
        coordinates: bool = True,
    ) -> str:
        """`pieces` is `ranks` for the letters of the notation on pieces, else their names."""
        last = self.moves[-1] if self.moves else ""
        return board_svg(
            self.state.standing(),
            self.players,
            names=names,
            last=last,
            marks=marks,
            below=below,
            ranks=pieces == "ranks",
            coordinates=coordinates,
        )


class Position(_Board):
    """The true board: `to_move` is the alliance (0 is S and N), `mover` the seat.

    With two players the seats are S and N, and `to_move` is 0 for S and 1 for N.

    >>> position = kibitz.junqi.deal(seed=1)
    >>> position.mover, len(position.legal_moves) > 10
    ('S', True)
    """

    native = _native.JunqiTable

    __slots__ = ()

    @classmethod
    def deal(cls, layouts: Sequence[str], *, first: str | int | None = None, options: str = "") -> Position:
        """A new game from two or four layouts (S, E, N, W; or S, N), by name or as text. `first` begins; S by
        default. `options` are words of the notation: `allies`, `open`, `draw=0`, `stuck-at-once`, or `qq` for
        the rules of QQ's records."""
        checked = [setups.check(layout) for layout in layouts]
        words = [str(len(checked)), options, "" if first is None else f"first={SEATS[seat_number(first)]}"]
        try:
            state = cls.native.deal(checked, " ".join(filter(None, words)))
        except ValueError as error:
            raise BadPosition(str(error)) from None
        return cls(state.to_text())

    @property
    def mover(self) -> str:
        return SEATS[self.state.seat]

    def layout(self, seat: str | int) -> str:
        """How a seat set up."""
        return str(self.state.layout(seat_number(seat)))

    def view(self, seat: str | int | None = None) -> View:
        """What a seat may know; the seat to move by default."""
        number = self.state.seat if seat is None else seat_number(seat)
        try:
            return View.of(self.state.view(number))
        except ValueError as error:
            raise BadPosition(str(error)) from None

    def to_dict(self) -> dict[str, Any]:
        """What the seat to move may know."""
        return self.view().to_dict()

    def open_dict(self) -> dict[str, Any]:
        return {"game": self.game, "start": self.start.notation, "moves": list(self.moves)}

    def mover_view(self) -> View:
        """The view of the seat to move."""
        return self.view()

    def resign(self, seat: str | int, reason: int = 0) -> Position:
        """The position after a seat gave up: its army leaves the board."""
        number = seat_number(seat)
        try:
            return self._after(self.state.resign(number, reason), f"resign:{SEATS[number]}{_why(reason)}")
        except ValueError as error:
            raise IllegalMove(str(error)) from None

    def skip(self, reason: int = 0) -> Position:
        """The position after the seat to move lost its turn."""
        try:
            return self._after(self.state.skip(reason), f"skip:{self.mover}{_why(reason)}")
        except ValueError as error:
            raise IllegalMove(str(error)) from None

    def agree_draw(self) -> Position:
        """The position after the players agreed on a draw: the game is over."""
        try:
            return self._after(self.state.agree_draw(), "draw:agreed")
        except ValueError as error:
            raise IllegalMove(str(error)) from None

    def _after(self, state: Any, event: str) -> Position:
        """The position after something that is no move on the board."""
        return self._of(state, self._history.plus(event, self))

    def play(self, *moves: str) -> Position:
        """The position after the moves; `resign:E`, `skip:S` (with the reason of a record, `skip:S#1`) and
        `draw:agreed` are taken too."""
        position = self
        for text in moves:
            word, colon, rest = text.partition(":")
            if not colon:
                position = super(Position, position).play(text)
            elif text == "draw:agreed":
                position = position.agree_draw()
            else:
                seat, hash_, number = rest.partition("#")
                if word not in ("resign", "skip") or (hash_ and not (number.isdecimal() and len(number) < 4)):
                    raise IllegalMove(
                        f"no move {text[:40]!r}, expected such as S11-C31, resign:E or skip:S#1"
                    )
                if word == "resign":
                    position = position.resign(seat, int(number or 0))
                elif seat_number(seat) != position.state.seat:
                    raise IllegalMove(f"{seat} cannot be skipped in the turn of {position.mover}")
                else:
                    position = position.skip(int(number or 0))
        return position

    def spectator(self) -> Spectator:
        """What somebody may see who has no seat: the board without the kinds that nobody was shown."""
        return Spectator.of(self)

    def shown_to(self, player: str, names: Names = "english") -> str:
        """The board as the seat may see it."""
        return self.view(player).text(names) if player in self.seat_names else self.text(names)


class _ViewForm(PlainForm):
    """A view is its seat and what that knows."""

    fields = ("game", "seat", "view")

    def write(self, position: Any) -> dict[str, Any]:
        return {"game": position.game, "seat": position.seat, "view": position.notation}

    def start(self, kind: Any, data: Mapping[str, Any]) -> Any:
        view = super().start(kind, {"start": data.get("view", "")})
        if data.get("seat", view.seat) != view.seat:
            raise BadPosition(f"the seat is {data['seat']!r}, but the view is of {view.seat}")
        return view


class View(_Board):
    """What one seat may know: `View(notation)`, or `position.view("S")`. It gets events, not the board.

    >>> view = kibitz.junqi.deal(seed=1).view("S")
    >>> view.game, view.mover
    ('junqi', 'S')
    """

    native = _native.JunqiView
    plain_form = _ViewForm()

    __slots__ = ()

    @classmethod
    def of(cls, state: _native.JunqiView) -> View:
        """The view around a native one."""
        return cls._of(state)

    @property
    def moves(self) -> tuple[str, ...]:
        """What everybody saw since the game began."""
        return self.events

    @property
    def seat(self) -> str:
        """Whose view it is."""
        return SEATS[self.state.seat]

    @property
    def mover(self) -> str:
        return SEATS[self.state.seat_to_move]

    def observe(self, *events: str) -> View:
        """The view after public events: `view.observe("S11xN15=!N62")`."""
        state = self.state
        for event in events:
            try:
                state = state.observe(event)
            except ValueError as error:
                raise IllegalMove(f"{event}: {error}") from None
        return View.of(state)

    def play(self, *moves: str) -> View:
        """The same as `observe`: a view that knows a move's outcome goes on."""
        return self.observe(*moves)

    def own_turns(self, since: int = 0) -> tuple[tuple[View, str], ...]:
        """What the seat knew at each of its earlier turns, and the move that it made; of turns with at least
        `since` events before them."""
        head, _, events = self.notation.partition(" | ")
        view, found = View(head), list[tuple[View, str]]()
        for number, event in enumerate(events.split()):
            if number >= since and view.mover == view.seat and ":" not in event:
                found.append((view, f"{event[:3]}-{event[4:7]}"))
            view = view.observe(event)
        return tuple(found)

    def __repr__(self) -> str:
        return f"kibitz.junqi.View({self.notation!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return View, (self.notation,)


class _Public:
    """A native table that shows only what everybody saw."""

    def __init__(self, table: _native.JunqiTable) -> None:
        self._table = table

    def __getattr__(self, name: str) -> Any:
        if name not in _PUBLIC:
            raise AttributeError(name)
        return getattr(self._table, name)

    def standing(self) -> list[tuple[str, int, str, int]]:
        """A kind is public when every seat that may not look at the piece knows it."""
        seats = range(4) if self._table.players == 4 else (0, 2)
        seen = [{item[3]: item for item in self._table.view(seat).standing()} for seat in seats]
        out = []
        for node, seat, _, piece in self._table.standing():
            kinds = {view[piece][2] for view in seen}
            out.append((node, seat, kinds.pop() if len(kinds) == 1 else "?", piece))
        return out

    def legal_moves(self) -> list[int]:
        return []

    def to_text(self) -> str:
        return " ".join(("public", *self._table.events()))


#: What a spectator's board takes from the table as it is.
_PUBLIC = frozenset(
    {"players", "ply", "quiet_plies", "alive", "events", "is_over", "result", "seat", "to_move"}
)


class Spectator(_Board):
    """What somebody may see who has no seat; `position.spectator()` makes it. It can be shown and drawn, not
    played on."""

    native = None

    __slots__ = ()

    @classmethod
    def of(cls, position: Position) -> Spectator:
        return cls._of(_Public(position.state))

    def __init__(self, notation: str | None = None) -> None:
        raise BadPosition("a spectator's board is made by position.spectator()")

    @property
    def mover(self) -> str:
        return SEATS[self.state.seat]

    @property
    def moves(self) -> tuple[str, ...]:
        """What everybody saw since the game began."""
        return self.events

    def to_dict(self) -> dict[str, Any]:
        return {"game": self.game, "events": list(self.events)}

    def __repr__(self) -> str:
        return f"<spectator of Junqi after {self.ply} plies>"
