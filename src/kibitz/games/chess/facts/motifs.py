"""Tactical motifs of a line, seen from the side that moves first. The names mean what Lichess's puzzle themes
of the same name mean; a puzzle's solution is such a line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from kibitz.games.chess.facts.board import RANKED, VALUES, Board, between, in_line, side_of
from kibitz.games.chess.facts.steps import Line, Step

_SLIDERS = "brq"


@dataclass(frozen=True)
class Motif:
    """A motif that was found."""

    code: str
    #: The own move that makes it so.
    step: Step
    #: The piece that acts and those it acts on: squares of the board after the move (see `shown`).
    actor: int
    targets: tuple[int, ...] = ()
    #: The square that a pin, a skewer or an X-ray goes through to; the guard that is cut off.
    behind: int | None = None
    #: The captures of the line that the motif leads to.
    gains: tuple[Step, ...] = ()
    #: So many moves after the step is the board that the squares are about; -1 for the one before it.
    shown: int = 0


def forks(line: Line) -> Iterator[Motif]:
    """One piece attacks two that are worth more, or stand unguarded and do not attack it; it is safe itself,
    and the line goes on."""
    for step in line.own[:-1]:
        board = step.after
        if step.kind == "k" or board.is_loose(step.to):
            continue
        hit = [at for at in board.targets(step.to) if _forked(board, step, at)]
        hit.sort(key=lambda at: -RANKED[board.squares[at].lower()])
        if len(hit) > 1:
            gains = tuple(
                one for one in line.own if one.ply > step.ply and one.taken and one.origin == step.to
            )
            yield Motif("fork", step, step.to, tuple(hit), gains=gains[:1])


def _forked(board: Board, step: Step, at: int) -> bool:
    kind = board.squares[at].lower()
    if kind == "p":
        return False
    return RANKED[kind] > RANKED[step.kind] or (
        not board.is_guarded(at) and at not in board.attackers(step.to, 1 - step.side)
    )


def pins(line: Line) -> Iterator[Motif]:
    """After an own move a piece may not leave the line to its king: it would take something, or it is
    attacked along that line and would have to go."""
    for step in line.own:
        board, side = step.after, line.side
        for at, piece in board.pieces(1 - side):
            if piece.lower() == "k":
                continue
            pinner = board.pinner(at)
            if pinner is None:
                continue
            if _keeps_from_taking(board, at, pinner) or _keeps_from_fleeing(board, step, at, pinner):
                gains = tuple(one for one in line.own if one.ply > step.ply and one.taken and one.to == at)
                yield Motif("pin", step, pinner, (at,), board.kings[1 - side], gains[:1])


def _keeps_from_taking(board: Board, at: int, pinner: int) -> bool:
    value, king = VALUES[board.squares[at].lower()], board.kings[side_of(board.squares[at])]
    return any(
        not in_line(king, pinner, target)
        and (VALUES[board.squares[target].lower()] > value or not board.is_guarded(target))
        for target in board.targets(at)
    )


def _keeps_from_fleeing(board: Board, step: Step, at: int, pinner: int) -> bool:
    kind = board.squares[at].lower()
    king = board.kings[1 - step.side]
    for attacker in board.attackers(at, step.side):
        if not in_line(king, pinner, attacker):
            continue
        if VALUES[kind] > VALUES[board.squares[attacker].lower()]:
            return True
        if (
            not board.is_guarded(at)
            and at not in board.attackers(attacker, 1 - step.side)
            and any(not in_line(king, pinner, goal) for goal in _goals(board, at))
        ):
            return True
    return False


def _goals(board: Board, at: int) -> Iterator[int]:
    """Where a piece could go, if its king were of no concern; of pawns also straight on."""
    piece = board.squares[at]
    side = side_of(piece)
    if piece.lower() != "p":
        yield from (
            to for to in board.attacks(at) if not board.squares[to] or side_of(board.squares[to]) != side
        )
        return
    yield from (to for to in board.targets(at))
    ahead = at + (8 if side == 0 else -8)
    if 0 <= ahead < 64 and not board.squares[ahead]:
        yield ahead


def skewers(line: Line) -> Iterator[Motif]:
    """A piece of value stepped out of a line piece's way, and what stood behind it is taken."""
    for before, reply, step in line.later():
        if not step.taken or step.kind not in _SLIDERS or step.is_mate:
            continue
        if reply.to == step.to or reply.origin not in between(step.origin, step.to):
            continue
        if RANKED[reply.kind] > RANKED[step.taken] and reply.after.is_loose(step.to):
            yield Motif("skewer", before, step.origin, (reply.origin,), step.to, (step,))


def discoveries(line: Line) -> Iterator[Motif]:
    """A piece moved out of the way of another, which checks, or takes something with the next move."""
    for step in line.own:
        hidden = [at for at in step.checkers if at != step.to]
        if hidden:
            king = (step.after.kings[1 - step.side],)
            yield Motif("discoveredCheck", step, hidden[0], king)
            if len(step.checkers) == 1:
                yield Motif("discoveredAttack", step, hidden[0], king)
                return
    for before, reply, step in line.later():
        if not step.is_capture:
            continue
        if reply.to == step.to:
            return
        if (
            before.origin in between(step.origin, step.to)
            and before.to not in (step.origin, step.to)
            and not before.is_castling
        ):
            yield Motif("discoveredAttack", before, step.origin, (step.to,), gains=(step,))
            return


def double_checks(line: Line) -> Iterator[Motif]:
    for step in line.own:
        if len(step.checkers) > 1:
            yield Motif("doubleCheck", step, step.checkers[0], (step.after.kings[1 - step.side],))


def hanging_pieces(line: Line) -> Iterator[Motif]:
    """The first move takes a piece that nothing guards, which is no recapture and not won back."""
    step = line.own[0]
    if step.taken in ("", "p") or step.before.is_guarded(step.to):
        return
    if len(line.steps) >= 3 and line.steps[2].after.material(line.side) < step.after.material(line.side):
        return
    last = line.last
    if last and last.to == step.to and last.taken and VALUES[last.taken] >= VALUES[step.taken]:
        return
    if last is None and _seems_recapture(line, step):
        return
    yield Motif("hangingPiece", step, step.origin, (step.to,), gains=(step,), shown=-1)


def _seems_recapture(line: Line, step: Step) -> bool:
    """Of a position without its past, whose last move took something or was a pawn's: whether the material
    says that the piece has just taken one of ours. The limits are fitted to Lichess's labels."""
    if step.position.state.clock > 0:
        return False
    ahead = step.after.material(line.side)  # about level after a recapture
    cheapest = min(
        VALUES[step.before.squares[at].lower()] for at in step.before.attackers(step.to, line.side)
    )
    even = cheapest == VALUES[step.taken]
    return ahead <= (3 if line.steps[-1].is_mate else 1 if even else -3)


def trapped_pieces(line: Line) -> Iterator[Motif]:
    """A piece is taken that, attacked, had no safe square to go to."""
    for before, reply, step in line.later():
        if step.taken in ("", "p"):
            continue
        at = reply.origin if reply.to == step.to else step.to
        if _is_trapped(reply, at):
            yield Motif("trappedPiece", before, at, (at,), gains=(step,))


def _is_trapped(reply: Step, at: int) -> bool:
    board, position = reply.before, reply.position
    piece = board.squares[at]
    if not piece or piece.lower() in "pk" or side_of(piece) != reply.side:
        return False
    if board.checkers(reply.side) or board.pinner(at) is not None or not board.is_loose(at):
        return False
    for move in position.legal_moves:
        escape = _escape(reply, move)
        if escape.origin != at:
            continue
        if escape.taken and VALUES[escape.taken] >= VALUES[piece.lower()]:
            return False
        if not escape.after.is_loose(escape.to):
            return False
    return True


def _escape(reply: Step, move: str) -> Step:
    after = reply.position.play_on(move)
    return Step(reply.ply, reply.side, move, reply.position, after, reply.before, Board(after.fen))


def sacrifices(line: Line) -> Iterator[Motif]:
    """After a later own move the side is down by two pawns or more compared with the start, and no pawn of
    the opponent's was promoted."""
    if any(step.promotion for step in line.steps[1::2]):
        return
    start = line.steps[0].before.material(line.side)
    for before, _, step in line.later():
        if step.after.material(line.side) - start <= -2:
            yield Motif("sacrifice", before, before.to, shown=step.ply - before.ply)
            return


def deflections(line: Line) -> Iterator[Motif]:
    """A reply that was forced, by a capture on offer or a check, led a piece away from what it guarded, which
    is taken, or where a pawn promotes."""
    for before, reply, step in line.later():
        if not (step.taken or step.promotion):
            continue
        if step.taken and RANKED[step.taken] > RANKED[step.kind]:
            continue
        board = before.after
        guarded = board.attacks(reply.origin)
        if (
            (not before.taken or VALUES[before.taken] < _ORDER[before.kind])
            and step.to not in (reply.to, before.to)
            and (reply.to == before.to or before.checkers)
            and (
                step.to in guarded
                or (bool(step.promotion) and step.to % 8 == reply.origin % 8 and step.origin in guarded)
            )
            and step.to not in reply.after.attacks(reply.to)
        ):
            target = step.to if step.to in guarded else step.origin
            yield Motif("deflection", before, reply.origin, (target,), gains=(step,))


#: The order of pieces, which the theme compares a captured piece's value with.
_ORDER = {"p": 1, "n": 2, "b": 3, "r": 4, "q": 5, "k": 6}


def attractions(line: Line) -> Iterator[Motif]:
    """A king, queen or rook takes what was offered and is attacked there by the next move: the king at once
    in check, the others taken later."""
    for index in range(0, len(line.steps) - 2, 2):
        offer, reply, step = line.steps[index : index + 3]
        if reply.to != offer.to or reply.kind not in "kqr":
            continue
        if step.to not in step.after.attackers(reply.to, line.side):
            continue
        won = line.steps[index + 4] if index + 4 < len(line.steps) else None
        if reply.kind == "k" or (won is not None and won.to == reply.to):
            yield Motif("attraction", offer, reply.origin, (reply.to,), gains=(won,) if won else ())


def interferences(line: Line) -> Iterator[Motif]:
    """A guard's line is interrupted, by an own move or by the forced reply, and what it guarded is taken."""
    for before, reply, step in line.later():
        if not step.taken or reply.after.is_guarded(step.to):
            continue
        for board, blocker in ((before.after, reply), (before.before, before)):
            if blocker is before and reply.to == step.to:
                continue
            guards = board.attackers(step.to, 1 - line.side) if board.squares[step.to] else []
            guard = min(guards, default=None)
            if guard is None or board.squares[guard].lower() not in _SLIDERS:
                continue
            if blocker.to in between(step.to, guard):
                shown = blocker.ply - before.ply
                yield Motif("interference", before, blocker.to, (step.to,), guard, (step,), shown)
                break


def intermezzos(line: Line) -> Iterator[Motif]:
    """A recapture that was possible at once is made one move later."""
    for index in range(2, len(line.steps), 2):
        before, reply, step = line.steps[index - 2 : index + 1]
        if not step.is_capture or reply.origin in before.after.attackers(step.to, 1 - line.side):
            continue
        if before.to == step.to:
            continue
        last = line.steps[index - 3] if index > 2 else line.last
        if last and last.to == step.to and last.is_capture and step.move in before.position.legal_moves:
            yield Motif("intermezzo", before, before.to, (step.to,), gains=(step,))
        return


def x_rays(line: Line) -> Iterator[Motif]:
    """A piece takes on a square that it guarded through an enemy piece."""
    for before, reply, step in line.later():
        if not step.is_capture or reply.to != step.to or reply.kind == "k" or before.to != reply.to:
            continue
        if reply.origin in between(step.origin, step.to):
            yield Motif("xRayAttack", before, step.origin, (reply.origin,), step.to, (step,))


def defenders_taken(line: Line) -> Iterator[Motif]:
    """The piece that guarded another is taken, and then the other, or there is mate."""
    for before, reply, step in line.later():
        wins = (
            bool(step.taken)
            and step.kind != "k"
            and VALUES[step.taken] <= VALUES[step.kind]
            and not reply.after.is_guarded(step.to)
            and reply.to != step.to
        )
        if not (step.is_mate or wins) or before.checkers or before.to == step.origin:
            continue
        board = before.before
        if not before.taken or board.checkers(line.side):
            continue
        if before.to in board.attackers(step.to, 1 - line.side):
            yield Motif("capturingDefender", before, before.to, (step.to,), gains=(step,), shown=-1)


def quiet_moves(line: Line) -> Iterator[Motif]:
    """No check, no capture and no threat of one, and no flight from check; and yet the line goes on."""
    for step in line.steps[:-1:2]:
        if step.checkers or step.before.checkers(line.side) or step.is_capture or step.kind == "k":
            continue
        row = step.to // 8 if line.side == 0 else 7 - step.to // 8
        advanced = bool(step.promotion) or (step.kind == "p" and row > 4)
        if not advanced and not step.after.targets(step.to):
            yield Motif("quietMove", step, step.to)


def pawns(line: Line) -> Iterator[Motif]:
    """Promotions, pawns on the last two rows before it, captures in passing; castling."""
    for step in line.own:
        row = step.to // 8 if line.side == 0 else 7 - step.to // 8
        if step.promotion:
            yield Motif("promotion", step, step.to)
            under = step.promotion == "n" if step.is_mate else step.promotion != "q"
            if under:
                yield Motif("underPromotion", step, step.to)
        if step.promotion or (step.kind == "p" and row > 5):
            yield Motif("advancedPawn", step, step.to)
        if step.in_passing:
            yield Motif("enPassant", step, step.to)
        if step.is_castling:
            yield Motif("castling", step, step.to)


#: Every detector, each with what it finds.
MOTIFS: tuple[Callable[[Line], Iterator[Motif]], ...] = (
    forks,
    pins,
    skewers,
    discoveries,
    double_checks,
    hanging_pieces,
    trapped_pieces,
    sacrifices,
    deflections,
    attractions,
    interferences,
    intermezzos,
    x_rays,
    defenders_taken,
    quiet_moves,
    pawns,
)
