"""Mates: how many moves away, and by which pattern."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from kibitz.games.chess.facts.board import near, side_of
from kibitz.games.chess.facts.motifs import Motif
from kibitz.games.chess.facts.steps import Line, Step

#: Lichess's longest theme is "mate in 5 or more".
_LONGEST = 5


def find_mates(line: Line) -> Iterator[Motif]:
    """The mate at the end of a line, and the first pattern that fits."""
    step = line.steps[-1]
    if step.side != line.side or not step.is_mate:
        return
    king = step.after.kings[1 - step.side]
    yield Motif(f"mateIn{min(len(line.own), _LONGEST)}", line.steps[0], step.to, (king,))
    for code, fits in _PATTERNS:
        if fits(step, king):
            yield Motif(code, step, step.to, (king,))
            return


def _smothered(step: Step, king: int) -> bool:
    """A knight mates, and the king's own pieces take all its squares."""
    board = step.after
    knight = any(board.squares[at].lower() == "n" for at in step.checkers)
    return knight and all(board.squares[at] and side_of(board.squares[at]) != step.side for at in near(king))


def _back_rank(step: Step, king: int) -> bool:
    """Check along the back rank; own pieces, none of them attacked, shut the king in from the front."""
    board, side = step.after, step.side
    rank, ahead = (7, -8) if side == 0 else (0, 8)
    if king // 8 != rank:
        return False
    for at in near(king):
        if at // 8 == (king + ahead) // 8:
            piece = board.squares[at]
            if not piece or side_of(piece) == side or board.attackers(at, side):
                return False
    return any(at // 8 == rank for at in step.checkers)


def _anastasia(step: Step, king: int) -> bool:
    """A rook or queen on the king's edge file, a piece of its own beside it, a knight three files off."""
    column, row = king % 8, king // 8
    if column not in (0, 7) or row in (0, 7) or step.kind not in "rq" or step.to % 8 != column:
        return False
    inward = 1 if column == 0 else -1
    board = step.after
    blocker, knight = board.squares[king + inward], board.squares[king + 3 * inward]
    return (
        bool(blocker)
        and side_of(blocker) != step.side
        and knight.lower() == "n"
        and side_of(knight) == step.side
    )


def _hook(step: Step, king: int) -> bool:
    """A rook beside the king, guarded by a knight beside the king, guarded by a pawn."""
    board, side = step.after, step.side
    if step.kind != "r" or step.to not in near(king):
        return False
    return any(
        board.squares[knight].lower() == "n"
        and knight in near(king)
        and any(board.squares[at].lower() == "p" for at in board.attackers(knight, side))
        for knight in board.attackers(step.to, side)
    )


def _arabian(step: Step, king: int) -> bool:
    """The king in a corner, a rook beside it, guarded by a knight two files and two ranks off."""
    board = step.after
    if king not in (0, 7, 56, 63) or step.kind != "r" or step.to not in near(king):
        return False
    return any(
        board.squares[at].lower() == "n" and abs(at % 8 - king % 8) == 2 and abs(at // 8 - king // 8) == 2
        for at in board.attackers(step.to, step.side)
    )


def _bishops(step: Step, king: int) -> list[int]:
    """Two bishops or more, if nothing else attacks the king and the squares around it."""
    board, side = step.after, step.side
    found = [at for at, piece in board.pieces(side) if piece.lower() == "b"]
    for square in (king, *near(king)):
        if any(board.squares[at].lower() != "b" for at in board.attackers(square, side)):
            return []
    return found if len(found) > 1 else []


def _boden(step: Step, king: int) -> bool:
    """Two bishops from both sides of the king."""
    bishops = _bishops(step, king)
    return bool(bishops) and (bishops[0] % 8 < king % 8) == (bishops[1] % 8 > king % 8)


def _double_bishop(step: Step, king: int) -> bool:
    """Two bishops from the same side."""
    return bool(_bishops(step, king))


def _dovetail(step: Step, king: int) -> bool:
    """A queen diagonally beside the king, who is away from the edge; its other squares are its own pieces' or
    the queen's alone."""
    board, side = step.after, step.side
    if king % 8 in (0, 7) or king // 8 in (0, 7) or step.kind != "q" or step.to not in near(king):
        return False
    if step.to % 8 == king % 8 or step.to // 8 == king // 8:
        return False
    for at in near(king):
        attackers = board.attackers(at, side)
        if at != step.to and attackers and (attackers != [step.to] or board.squares[at]):
            return False
    return True


_PATTERNS: tuple[tuple[str, Callable[[Step, int], bool]], ...] = (
    ("smotheredMate", _smothered),
    ("backRankMate", _back_rank),
    ("anastasiaMate", _anastasia),
    ("hookMate", _hook),
    ("arabianMate", _arabian),
    ("bodenMate", _boden),
    ("doubleBishopMate", _double_bishop),
    ("dovetailMate", _dovetail),
)
