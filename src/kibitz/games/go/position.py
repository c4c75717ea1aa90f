"""Go positions, as text and as pictures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, TypeVar

from kibitz import _native
from kibitz.draw import Mark, Places, Svg, draw_mark
from kibitz.errors import BadPosition, IllegalMove
from kibitz.games import base
from kibitz.games.counting import RESUME
from kibitz.games.go import rules as rule_sets
from kibitz.games.go.counting import MOVE, GoCounting, dead_of
from kibitz.games.go.plain_form import GoForm
from kibitz.games.history import NO_MOVES, MoveHistory
from kibitz.sentences import Sentence

COLUMNS = "ABCDEFGHJKLMNOPQRST"
_CELL = 32
_EDGE = 34
MOST_KOMI = 400.0

P = TypeVar("P", bound="Position")


class Position(base.Position):
    """A position on any board from 2x2 to 19x19, rectangles too, under any rules.

    >>> Position(9, rules="japanese").play("E5").komi
    6.5
    >>> Position((3, 2), black=["A1"], to_move="white").legal_moves
    ('A2', 'B2', 'C2', 'B1', 'C1', 'pass')
    """

    game: ClassVar[str] = "go"
    move_format: ClassVar[str] = "A move is a point, such as D4, or pass; two passes end the game."
    side_names: ClassVar[tuple[str, str]] = ("black", "white")
    native = _native.Go
    plain_form = GoForm()
    counting = GoCounting()

    __slots__ = ()

    def __init__(
        self,
        board: str | int | tuple[int, int] | None = None,
        *,
        rules: str | Mapping[str, Any] = "chinese",
        komi: float | None = None,
        black: Iterable[str] = (),
        white: Iterable[str] = (),
        to_move: str | None = None,
    ) -> None:
        """`board` is a size, `(columns, rows)`, or a notation, which says everything itself."""
        if isinstance(board, str):
            super().__init__(board)
            return
        columns, rows = (19, 19) if board is None else (board, board) if isinstance(board, int) else board
        if not (2 <= columns <= 19 and 2 <= rows <= 19):
            raise BadPosition(f"a board has 2 to 19 columns and rows, got {columns}x{rows}")
        text = rule_sets.to_text(rules)
        points = rule_sets.usual_komi(text) if komi is None else _checked_komi(komi)
        empty = _native.Go.make(columns, rows, text, points, [], 0)
        stones = [(_point(empty, vertex), 0) for vertex in black]
        stones += [(_point(empty, vertex), 1) for vertex in white]
        side = 0 if to_move is None else _side(to_move)
        try:
            state = _native.Go.make(columns, rows, text, points, stones, side)
        except ValueError as error:
            raise BadPosition(Sentence("error.badPosition", {"game": "go", "why": str(error)})) from None
        self.state, self._history = state, NO_MOVES

    # -- what Go positions have -------------------------------------------------------------------

    @property
    def phase(self) -> int:
        """On 19x19 the opening ends about move 50, and the endgame begins about move 150."""
        columns, rows = self.size
        share = len(self.moves) / (columns * rows)
        return (share > 0.14) + (share > 0.42)

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows."""
        return self.state.columns, self.state.rows

    @property
    def rules(self) -> str:
        """The name of the rules, or all their fields."""
        return str(self.state.rules)

    @property
    def komi(self) -> float:
        return float(self.state.komi)

    @property
    def stones(self) -> tuple[str, ...]:
        """The rows from the top: `X` black, `O` white, `.` empty."""
        return tuple(self.notation.split(" ", 1)[0].split("/"))

    @property
    def captures(self) -> tuple[int, int]:
        """Black's and white's stones that were taken off."""
        taken: tuple[int, int] = self.state.taken
        return taken

    @property
    def score(self) -> float:
        """Black's lead if the game were scored as it stands; of a finished game, its result."""
        return float(self.state.score if self.is_over else self.state.score_now)

    @property
    def owners(self) -> tuple[str, ...]:
        """Who owns each point if the game were scored as it stands, in rows."""
        text, (columns, rows) = self.state.owners(), self.size
        return tuple(text[columns * y : columns * (y + 1)] for y in range(rows))

    def play_as(self: P, colour: str, vertex: str, *, tolerant: bool = False) -> P:
        """The position after a move by either side; `tolerant` also takes what records of other rules
        hold (superko, suicide, moves after the end)."""
        plain = f"{'BW'[_side(colour)]}:{vertex}"
        if not tolerant:
            return self.play(plain)
        try:
            move = self.state.parse_move(plain)
        except ValueError as error:
            raise IllegalMove(str(error)) from None
        if not self.state.may_play(move):
            return self.play(f"{plain}!")
        return self._of(self.state.play(move), self._history.plus(self.state.move_text(move), self))

    @property
    def is_counting(self) -> bool:
        return bool(self.state.is_counting)

    @property
    def is_agreed(self) -> bool:
        """Did the players agree on the score?"""
        return bool(self.state.is_agreed)

    @property
    def dead(self) -> tuple[str, ...]:
        """The stones that the players agreed to take off."""
        return tuple(self.state.move_text(point) for point in self.state.dead)

    def play(self: P, *moves: str) -> P:
        position = self
        for text in moves:
            dead = dead_of(text) if isinstance(text, str) else None
            if dead is None and text != RESUME:
                position = super(Position, position).play(text)
                continue
            if not position.is_counting:
                raise IllegalMove(f"illegal move {text[:20]}: play has not been stopped by two passes")
            if dead is None:
                state, text = position.state.resume_play(), RESUME
            else:
                count = position.counting.count(position, dead)
                points = [position.state.parse_move(place) for place in count.dead]
                state, text = position.state.settle(points), count.move
            position = position._of(state, position._history.plus(text, position))
        return position

    def passed(self: P) -> P:
        return self.play("pass")

    def line_text(self, line: Sequence[str]) -> list[str]:
        return [MOVE if dead_of(move) is not None else move for move in line]

    def accepts(self, text: str) -> bool:
        """Is this a legal move?"""
        try:
            return bool(self.state.may_play(self.state.parse_move(text)))
        except ValueError:
            return False

    def parse_move(self, text: str) -> int:
        try:
            move = int(self.state.parse_move(text))
        except ValueError as error:
            raise IllegalMove(str(error)) from None
        if self.state.may_play(move):
            return move
        try:
            return super().parse_move(text)
        except IllegalMove as error:
            # Listing some of 361 moves helps nobody; what is wrong with this one does.
            if "legal:" not in str(error):
                raise
            said = {"move": text, "seat": self.mover, "why": self._objection(text)}
            raise IllegalMove(Sentence("error.illegalWhy", said)) from None

    def _objection(self, text: str) -> Sentence:
        move = self.state.parse_move(text) & 0x1FFF
        columns, _ = self.size
        stone = self.stones[move // columns][move % columns]
        if stone != ".":
            return Sentence("go.pointTaken", {})
        if move in self.state.banned_by_ko():
            return Sentence("go.illegalKo", {})
        return Sentence("go.illegalSuicide", {})

    def with_komi(self: P, komi: float) -> P:
        """The same game with another komi."""
        return self._of(self.state.with_komi(_checked_komi(komi)))

    def for_search(self: P, advantage: float = 0.0, conservative_pass: bool = True) -> P:
        """The same game for a search whose network assumes that Black has so many doublings of playouts
        more (KataGo's playoutDoublingAdvantage), and that thinks, or not, that a pass at its root does not
        end the game."""
        if not advantage and conservative_pass:
            return self
        state, start = self.state.for_search(advantage, conservative_pass), self.start
        assert isinstance(start, Position)
        if start is self:
            return self._of(state)
        return self._of(state, MoveHistory(self.moves, start.for_search(advantage, conservative_pass)))

    def resumed(self: P) -> P:
        """The same position, not over, for those who look at a finished game."""
        return self._of(self.state.resumed())

    def images(self) -> tuple[Position, ...]:
        """The position through the other symmetries of the board, without its history."""
        rows = list(self.stones)
        rest = self.notation.split(" ", 1)[1]
        if any(word in rest for word in ("ko=", "second=", "blocked=")):
            return ()
        turned = ["".join(column) for column in zip(*rows, strict=True)]
        images = []
        for board in (rows, turned):
            for flipped in (board, board[::-1]):
                images += ["/".join(flipped), "/".join(row[::-1] for row in flipped)]
        return tuple(Position(f"{board} {rest}") for board in images[1:])

    # -- text and pictures ------------------------------------------------------------------------

    def __str__(self) -> str:
        columns, rows = self.size
        header = "   " + " ".join(COLUMNS[:columns])
        lines = [header]
        stars = _stars(columns, rows)
        for y, row in enumerate(self.stones):
            cells = [
                {"X": "●", "O": "○"}.get(stone, "+" if (x, y) in stars else "·")
                for x, stone in enumerate(row)
            ]
            lines.append(f"{rows - y:2d} {' '.join(cells)} {rows - y}")
        black, white = self.captures
        state = f"over, black {self.score:+g}" if self.is_over else f"{self.mover} to move"
        if self.state.phase:
            state += f", phase {self.state.phase} of settling"
        facts = f"{self.rules}, komi {self.komi:g}; ● {black} ○ {white} captured; {state}"
        return "\n".join([*lines, header, facts])

    def places(self, below: str = "") -> Places:
        columns, rows = self.size
        at = {
            f"{COLUMNS[x]}{rows - y}": (float(_EDGE + x * _CELL), float(_EDGE + y * _CELL))
            for y in range(rows)
            for x in range(columns)
        }
        return Places((columns - 1) * _CELL + 2 * _EDGE, (rows - 1) * _CELL + 2 * _EDGE, _CELL, at)

    def svg(self, marks: Mapping[str, Mark] | None = None, below: str = "") -> str:
        columns, rows = self.size
        width, height = (columns - 1) * _CELL + 2 * _EDGE, (rows - 1) * _CELL + 2 * _EDGE
        picture = Svg(width, height)
        picture.rect(0, 0, width, height, fill="#dcb35c", rx=6, class_="ground")
        for x in range(columns):
            at = _EDGE + x * _CELL
            picture.line(at, _EDGE, at, height - _EDGE, stroke="#5b4420", stroke_width=1)
            for edge in (_EDGE / 2 - 4, height - _EDGE / 2 + 4):
                picture.text(at, edge, COLUMNS[x], 12, fill="#5b4420")
        for y in range(rows):
            at = _EDGE + y * _CELL
            picture.line(_EDGE, at, width - _EDGE, at, stroke="#5b4420", stroke_width=1)
            for edge in (_EDGE / 2 - 4, width - _EDGE / 2 + 4):
                picture.text(edge, at, str(rows - y), 12, fill="#5b4420")
        for x, y in sorted(_stars(columns, rows)):
            picture.circle(_EDGE + x * _CELL, _EDGE + y * _CELL, 3, fill="#5b4420")
        last = (self._history.last or "").split(":")[-1].rstrip("!")
        for y, row in enumerate(self.stones):
            for x, stone in enumerate(row):
                name = f"{COLUMNS[x]}{rows - y}"
                at_x, at_y = _EDGE + x * _CELL, _EDGE + y * _CELL
                if stone != ".":
                    with picture.piece(name, stone, self.side_names[stone == "O"]):
                        _draw_stone(picture, stone, at_x, at_y)
                    if name == last:
                        picture.circle(at_x, at_y, 5, fill="#e4572e", class_="last-dot")
                elif marks and name in marks:
                    radius = 0.47 * _CELL
                    draw_mark(picture, at_x, at_y, marks[name], radius, 11, rim="#b3261e", rim_width=2)
        return picture.render()


def _draw_stone(picture: Svg, stone: str, x: float, y: float) -> None:
    fill, rim = ("#111", "#000") if stone == "X" else ("#fafafa", "#999")
    picture.circle(x, y, 0.47 * _CELL, fill=fill, stroke=rim)


def stone_svg(stone: str) -> str:
    """A stone around (0, 0)."""
    picture = Svg(0, 0)
    _draw_stone(picture, stone, 0, 0)
    return picture.body()


def _stars(columns: int, rows: int) -> set[tuple[int, int]]:
    """The handicap points of square boards people play on."""
    if columns != rows or columns < 7:
        return set()
    edge = 3 if columns >= 12 else 2
    lines = [edge, columns - 1 - edge]
    middle = columns // 2
    points = {(x, y) for x in lines for y in lines}
    if columns % 2:
        points.add((middle, middle))
        if columns >= 15:
            points |= {(x, middle) for x in lines} | {(middle, y) for y in lines}
    return points


def _side(colour: str) -> int:
    name = colour.lower()
    if name not in ("b", "black", "w", "white"):
        raise BadPosition(f"a colour is black or white, got {colour!r}")
    return 0 if name.startswith("b") else 1


def _point(state: Any, vertex: str) -> int:
    try:
        point = int(state.parse_move(vertex))
    except ValueError as error:
        raise BadPosition(str(error)) from None
    if point >= state.columns * state.rows:
        raise BadPosition(f"a stone needs a point of the board, got {vertex!r}")
    return point


def _checked_komi(komi: float) -> float:
    if isinstance(komi, bool) or not isinstance(komi, (int, float)):
        raise BadPosition(f"komi must be a number, got {komi!r}")
    if not (-MOST_KOMI <= komi <= MOST_KOMI) or komi * 2 != round(komi * 2):
        raise BadPosition(f"komi must be a whole or half number from -400 to 400, got {komi!r}")
    return float(komi)
