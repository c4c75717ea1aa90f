"""Chess positions, as text and as pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, TypeVar

from kibitz import _native
from kibitz.draw import Mark, Places
from kibitz.errors import BadPosition, IllegalMove
from kibitz.games import base
from kibitz.games.chess import picture
from kibitz.games.chess.phases import phase_of
from kibitz.games.chess.plain_form import ChessForm
from kibitz.games.history import MoveHistory
from kibitz.sentences import Sentence

P = TypeVar("P", bound="Position")


#: Pieces of a board in a terminal, the first side's outlined.
_FIGURES = str.maketrans("KQRBNPkqrbnp.", "♔♕♖♗♘♙♚♛♜♝♞♟·")


class Position(base.Position):
    """A position in FEN (also X-FEN and Shredder-FEN for Chess960). Moves are UCI, and SAN is read too.

    >>> Position().play("e4", "c5").legal_moves[:3]
    ('e1e2', 'b1a3', 'b1c3')

    A game is also over where a draw could be claimed: the third time a position stands, and after fifty
    moves without a capture or a pawn's move. `play_on` goes on past such draws, as players may.
    """

    game: ClassVar[str] = "chess"
    move_format: ClassVar[str] = "A move is in SAN (e4, Nf3, O-O, e8=Q) or UCI (e2e4, e1g1, e7e8q)."
    side_names: ClassVar[tuple[str, str]] = ("white", "black")
    native = _native.Chess
    plain_form = ChessForm()

    __slots__ = ()

    @property
    def fen(self) -> str:
        return self.notation

    @property
    def phase(self) -> int:
        return phase_of(self.fen)

    @property
    def chess960(self) -> bool:
        """True when castling is written king takes rook, as Chess960 needs it."""
        return bool(self.state.chess960)

    @property
    def ply(self) -> int:
        """Half-moves of the game, as its FEN counts them."""
        return 2 * (int(self.fen.split()[5]) - 1) + self.to_move

    @property
    def in_check(self) -> bool:
        return bool(self.state.in_check)

    @property
    def ending(self) -> str | None:
        """Why the game is over: `checkmate`, `stalemate`, `threefold repetition`, `fifty moves` or
        `insufficient material`; None while it goes on."""
        return self.state.ending or None

    def piece_at(self, square: str) -> str:
        """The piece on a square as in FEN (`K` white's king, `k` black's); empty for none."""
        if len(square) != 2 or square[0] not in "abcdefgh" or square[1] not in "12345678":
            raise IllegalMove(f"there is no square {square!r}, expected a1 to h8")
        return str(self.state.piece_at("abcdefgh".index(square[0]) + 8 * (int(square[1]) - 1)))

    # -- moves ------------------------------------------------------------------------------------

    def san(self, move: str) -> str:
        """A legal move in standard algebraic notation: `Position().san("g1f3")` is `Nf3`."""
        return str(self.state.san(self._on_board(move)))

    def line_san(self, moves: tuple[str, ...] | list[str]) -> list[str]:
        """Moves from here, one after the other, in SAN."""
        position, line = self, []
        for move in moves:
            line.append(position.san(move))
            position = position.play_on(move)
        return line

    def line_text(self, line: Sequence[str]) -> list[str]:
        return self.line_san(list(line))

    def play_on(self: P, *moves: str) -> P:
        """`play` for moves that are legal on the board, also where a draw could be claimed."""
        position = self
        for text in moves:
            move = position._on_board(text)
            state = position.state
            history = position._history.plus(state.move_text(move), position)
            position = position._of(state.replayed([move]), history)
        return position

    def _on_board(self, text: str) -> int:
        try:
            move = int(self.state.parse_move(text))
        except ValueError as error:
            raise IllegalMove(str(error)) from None
        if not self.state.can_play(move):
            said = {"move": text, "seat": self.mover, "position": self.fen}
            raise IllegalMove(Sentence("error.illegalIn", said))
        return move

    @classmethod
    def of_state(cls: type[P], state: _native.Chess) -> P:
        """A position made from a native one."""
        return cls._of(state)

    @classmethod
    def replay(cls: type[P], start: _native.Chess, moves: list[int], texts: list[str]) -> P:
        """The end of a recorded game, with its moves."""
        first = cls._of(start)
        return cls._of(start.replayed(moves), MoveHistory(texts, first)) if moves else first

    @classmethod
    def from_board(cls: type[P], board: Any) -> P:
        """A position with its moves from a `chess.Board` of python-chess; `to_board` goes back."""
        if board.uci_variant != "chess":
            raise BadPosition(f"a board of standard chess or Chess960 is needed, got {board.uci_variant}")
        fen = board.root().fen(en_passant="fen")
        start = cls(fen)
        if board.chess960 != start.chess960:
            start = start.as_chess960(board.chess960)
        return start.play_on(*(move.uci() for move in board.move_stack))

    #: The former name of `from_board`.
    of_board = from_board

    def to_board(self) -> Any:
        """A `chess.Board` of the package python-chess with the moves of the game, so that it knows the last
        move and what was repeated."""
        import chess as python_chess  # slow to import, and only wanted here

        board = python_chess.Board(self.start.fen, chess960=self.chess960)
        for move in self.moves:
            board.push_uci(move)
        return board

    def passed(self: P) -> P:
        if self.in_check:
            raise IllegalMove(Sentence("error.passInCheck", {"side": self.mover}))
        board, _, castling, _, clock, number = self.fen.split()
        fen = f"{board} {'bw'[self.to_move]} {castling} - {clock} {int(number) + self.to_move}"
        return type(self)(fen).as_chess960(self.chess960)

    # -- the same position, seen in another way ---------------------------------------------------

    def unclaimed(self: P) -> P:
        """The same position with nothing to claim: clock at zero, nothing to repeat."""
        return self.of_state(self.state.forgotten())

    def as_chess960(self: P, on: bool = True) -> P:
        """The same position, without its past, with castling written king takes rook or not."""
        return self.of_state(self.state.as_chess960(on))

    def with_history(self: P, fill: bool) -> P:
        """The same position, for what follows it: networks see its first board again (`fill`) or nothing
        for the boards before it. By itself a position does the former, but for the start of chess."""
        return self.of_state(self.state.filled(fill))

    # -- pictures ---------------------------------------------------------------------------------

    def __str__(self) -> str:
        lines = []
        for rank in range(7, -1, -1):
            row = [str(self.state.piece_at(8 * rank + file)) or "." for file in range(8)]
            lines.append(f"{rank + 1}  {' '.join(row)}")
        state = f"over: {self.ending}" if self.is_over else f"{self.mover} to move"
        if self.in_check and not self.is_over:
            state += ", in check"
        return "\n".join([*lines, "", f"   a b c d e f g h   {state}"])

    def figures(self) -> str:
        board, rest = str(self).split("\n\n", 1)
        return f"{board.translate(_FIGURES)}\n\n{rest}"

    def places(self, below: str = "") -> Places:
        return picture.places(below == "black")

    def svg(self, marks: Mapping[str, Mark] | None = None, below: str = "", pieces: str = "") -> str:
        squares = {
            f"{'abcdefgh'[index % 8]}{index // 8 + 1}": str(self.state.piece_at(index)) for index in range(64)
        }
        return picture.board(squares, self._history.last or "", marks or {}, below == "black", pieces)
