"""Replays the evidence of chess facts with python-chess alone; nothing is shared with the extractor.

`problems(explanation)` lists what does not hold: facts, pieces that a sentence names, moves that it gives.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import chess
import chess.syzygy

from tests.games.chess.judge import stockfish, worth
from tests.games.chess.three_men import pawn_wins

VALUE = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9, chess.KING: 0}
KINDS = {name: number for number, name in enumerate(chess.PIECE_NAMES) if name}
_NOWHERE = -1
MATES = re.compile(r"mateIn\d|\w+Mate")
NAMED = re.compile(r"the (pawn|knight|bishop|rook|queen|king) on ([a-h][1-8])")


def material(board: chess.Board, side: chess.Color) -> int:
    return sum(
        VALUE[piece.piece_type] * (1 if piece.color == side else -1) for piece in board.piece_map().values()
    )


class Case:
    """A fact with the boards it is about."""

    def __init__(self, start: chess.Board, line: tuple[str, ...], fact: Any) -> None:
        self.fact, self.line = fact, line
        self.side = chess.WHITE if fact.side == "white" else chess.BLACK
        self.start = start
        self.board = self.after(len(fact.evidence.line))
        self.before_move = self.after(fact.ply)
        self.move = chess.Move.from_uci(line[fact.ply])
        self.after_move = self.after(fact.ply + 1)
        parameters = fact.parameters
        self.actor = chess.parse_square(parameters["square"]) if "square" in parameters else _NOWHERE
        self.targets = [chess.parse_square(name) for name in parameters.get("targets", ())]
        self.behind = chess.parse_square(parameters["behind"]) if "behind" in parameters else _NOWHERE

    def after(self, count: int) -> chess.Board:
        board = self.start.copy()
        for text in self.line[:count]:
            move = chess.Move.from_uci(text)
            assert board.is_legal(move), f"{text} is illegal in {board.fen()}"
            board.push(move)
        return board

    @property
    def reply(self) -> chess.Move:
        return chess.Move.from_uci(self.line[self.fact.ply + 1])

    @property
    def next_move(self) -> chess.Move:
        return chess.Move.from_uci(self.line[self.fact.ply + 2])


def guarded(board: chess.Board, square: chess.Square) -> bool:
    """Whether a capture on the square can be answered: tried out, capture by capture, without legality."""
    colour = board.color_at(square)
    assert colour is not None
    if board.attackers(colour, square):
        return True
    for at in board.attackers(not colour, square):
        opened = board.copy(stack=False)
        opened.remove_piece_at(at)
        if opened.attackers(colour, square):
            return True
    return False


def loses_something(board: chess.Board, square: chess.Square) -> bool:
    """Whether the piece on the square can be taken for nothing or by a cheaper piece."""
    piece = board.piece_at(square)
    assert piece is not None
    takers = [board.piece_type_at(at) or 0 for at in board.attackers(not piece.color, square)]
    cheaper = any(kind != chess.KING and VALUE[kind] < VALUE[piece.piece_type] for kind in takers)
    return bool(takers) and (cheaper or not guarded(board, square))


def mate(case: Case) -> bool:
    moves = case.line[case.fact.ply :] if case.fact.code.startswith("mateIn") else case.line[:1]
    own = (len(moves) + 1) // 2
    counted = not case.fact.code.startswith("mateIn") or own == case.fact.parameters["moves"]
    king = chess.square_name(case.board.king(not case.side))  # type: ignore[arg-type]
    return (
        case.board.is_checkmate()
        and case.board.turn != case.side
        and counted
        and king == case.fact.parameters["king"]
        and (case.fact.code not in PATTERNS or PATTERNS[case.fact.code](case.board, case.side))
    )


def _near(king: chess.Square) -> chess.SquareSet:
    return chess.SquareSet(chess.BB_KING_ATTACKS[king])


def _smothered(board: chess.Board, side: chess.Color) -> bool:
    king = board.king(not side)
    assert king is not None
    knights = any(board.piece_type_at(at) == chess.KNIGHT for at in board.checkers())
    return knights and all(board.color_at(at) == (not side) for at in _near(king))


def _back_rank(board: chess.Board, side: chess.Color) -> bool:
    king = board.king(not side)
    assert king is not None
    rank = chess.square_rank(king)
    along = any(chess.square_rank(at) == rank for at in board.checkers())
    return rank == (7 if side else 0) and along


PATTERNS: dict[str, Callable[[chess.Board, chess.Color], bool]] = {
    "smotheredMate": _smothered,
    "backRankMate": _back_rank,
}


def gain(case: Case) -> bool:
    """Counted from before the opponent's last move, where that took something from the side: taking back wins
    nothing."""
    ply = len(case.fact.evidence.line)
    replayed = [(case.after(index), chess.Move.from_uci(case.line[index])) for index in range(ply)]
    start = case.start.copy()
    if start.move_stack:
        last = start.pop()
        if material(start, case.side) > material(case.start, case.side):
            replayed.insert(0, (start, last))
    change = material(case.board, case.side) - material(replayed[0][0], case.side)
    counts = {True: [0] * 7, False: [0] * 7}
    for board, move in replayed:
        own = board.turn == case.side
        if board.is_capture(move):
            taken = chess.PAWN if board.is_en_passant(move) else board.piece_type_at(move.to_square)
            assert taken
            counts[own][taken] += 1
        if move.promotion:
            counts[own][move.promotion] += 1
            counts[not own][chess.PAWN] += 1
    said = sum(VALUE[KINDS[name]] for name in case.fact.parameters["won"]) - sum(
        VALUE[KINDS[name]] for name in case.fact.parameters["given"]
    )
    possible = all(
        counts[own][KINDS[name]] >= case.fact.parameters[key].count(name)
        for own, key in ((True, "won"), (False, "given"))
        for name in case.fact.parameters[key]
    )
    return change > 0 and change == said == case.fact.parameters["pawns"] and possible


def fork(case: Case) -> bool:
    board = case.board
    attacked = board.attacks(case.actor)
    return (
        len(case.targets) > 1
        and board.color_at(case.actor) == case.side
        and all(
            at in attacked and board.color_at(at) != case.side and board.piece_type_at(at) != chess.PAWN
            for at in case.targets
        )
    )


def pin(case: Case) -> bool:
    board, (target,) = case.board, case.targets
    return (
        board.is_pinned(not case.side, target)
        and case.actor in board.pin(not case.side, target)
        and board.color_at(case.actor) == case.side
        and case.behind == board.king(not case.side)
    )


def skewer(case: Case) -> bool:
    board, (target,) = case.board, case.targets
    opened = board.copy(stack=False)
    opened.remove_piece_at(target)
    return (
        target in board.attacks(case.actor)
        and case.behind not in board.attacks(case.actor)
        and case.behind in opened.attacks(case.actor)
        and board.color_at(case.behind) != case.side
    )


def discovery(case: Case) -> bool:
    (target,) = case.targets
    was = case.before_move.attacks(case.actor)
    opened = case.before_move.copy(stack=False)
    opened.remove_piece_at(case.move.from_square)
    moved_away = case.actor != case.move.to_square
    if case.fact.sentence is None:
        return moved_away and chess.square_name(case.move.from_square) in {
            chess.square_name(at) for at in chess.SquareSet.between(case.actor, target)
        }
    return moved_away and target not in was and target in case.board.attacks(case.actor)


def hanging(case: Case) -> bool:
    (target,) = case.targets
    board, foe = case.before_move, not case.side
    free = not board.attackers(foe, target) and not case.after_move.attackers(foe, target)
    return board.color_at(target) == foe and free and case.move.to_square == target


def trapped(case: Case) -> bool:
    (target,) = case.targets
    board = case.board
    if not loses_something(board, target):
        return False
    for move in list(board.legal_moves):
        if move.from_square == target:
            after = board.copy(stack=False)
            after.push(move)
            if not loses_something(after, move.to_square):
                return False
    return True


def deflection(case: Case) -> bool:
    (target,) = case.targets
    after = case.after(case.fact.ply + 2)
    return (
        target in case.board.attacks(case.actor)
        and case.reply.from_square == case.actor
        and (target not in after.attacks(case.reply.to_square) or bool(case.next_move.promotion))
    )


def attraction(case: Case) -> bool:
    (target,) = case.targets
    return case.reply.from_square == case.actor and case.reply.to_square == target == case.move.to_square


def interference(case: Case) -> bool:
    (target,) = case.targets
    before = case.after(len(case.fact.evidence.line) - 1)
    return target in before.attacks(case.behind) and target not in case.board.attacks(case.behind)


def intermezzo(case: Case) -> bool:
    (target,) = case.targets
    possible = case.before_move.is_legal(case.next_move)
    return possible and case.next_move.to_square == target and case.move.to_square != target


def x_ray(case: Case) -> bool:
    (through,) = case.targets
    opened = case.board.copy(stack=False)
    opened.remove_piece_at(through)
    return (
        case.board.color_at(through) != case.side
        and case.behind not in case.board.attacks(case.actor)
        and case.behind in opened.attacks(case.actor)
    )


def defender(case: Case) -> bool:
    (target,) = case.targets
    board = case.before_move
    return (
        board.color_at(case.actor) != case.side
        and target in board.attacks(case.actor)
        and case.move.to_square == case.actor
    )


def threat(case: Case) -> bool:
    for text in case.fact.parameters["mates"]:
        board = case.board.copy(stack=False)
        board.push(chess.Move.null())
        move = chess.Move.from_uci(text)
        if not board.is_legal(move):
            return False
        board.push(move)
        if not board.is_checkmate():
            return False
    return bool(case.fact.parameters["mates"])


def quiet(case: Case) -> bool:
    return not case.after_move.is_check() and not case.before_move.is_capture(case.move)


def pawn_structure(case: Case) -> bool:
    """A pawn is isolated, doubled or passed at the end, and none of its file was at the beginning."""
    square = chess.parse_square(case.fact.parameters["square"])
    kind = case.fact.parameters["kind"]
    pawn = case.board.piece_at(square)
    if pawn is None or pawn.piece_type != chess.PAWN or (pawn.color == case.side) != (kind == "passed"):
        return False
    file = chess.square_file(square)
    before = [at for at in case.start.pieces(chess.PAWN, pawn.color) if chess.square_file(at) == file]
    return _pawn_is(kind, case.board, square, pawn.color) and not any(
        _pawn_is(kind, case.start, at, pawn.color) for at in before
    )


def _pawn_is(kind: str, board: chess.Board, square: chess.Square, color: chess.Color) -> bool:
    file, rank = chess.square_file(square), chess.square_rank(square)
    own = [chess.square_file(at) for at in board.pieces(chess.PAWN, color)]
    if kind == "isolated":
        return file - 1 not in own and file + 1 not in own
    if kind == "doubled":
        return own.count(file) > 1
    ahead = range(rank + 1, 8) if color == chess.WHITE else range(rank)
    return not any(
        abs(chess.square_file(at) - file) <= 1 and chess.square_rank(at) in ahead
        for at in board.pieces(chess.PAWN, not color)
    )


def king_safety(case: Case) -> bool:
    def attackers(board: chess.Board) -> int:
        king = board.king(not case.side)
        assert king is not None
        zone = chess.SquareSet(chess.BB_KING_ATTACKS[king]) | chess.SquareSet([king])
        pieces = chess.SquareSet(board.occupied_co[case.side] & ~board.pawns & ~board.kings)
        return sum(bool(board.attacks(at) & zone) for at in pieces)

    numbers = case.fact.evidence.numbers
    return (numbers["before"], numbers["after"]) == (attackers(case.start), attackers(case.board))


def activity(case: Case) -> bool:
    color = chess.WHITE if case.fact.parameters["of"] == "white" else chess.BLACK

    def squares(board: chess.Board) -> int:
        pieces = chess.SquareSet(board.occupied_co[color] & ~board.pawns & ~board.kings)
        return sum(len(board.attacks(at) & ~chess.SquareSet(board.occupied_co[color])) for at in pieces)

    numbers = case.fact.evidence.numbers
    rises = numbers["after"] > numbers["before"]
    return (numbers["before"], numbers["after"]) == (squares(case.start), squares(case.board)) and (
        rises == (color == case.side)
    )


def opening(case: Case) -> bool:
    """The moves of the named line, in the table's own words, lead to the position."""
    board = case.after_move if case.fact.code == "opening" else case.before_move
    for row in OPENINGS.read_text(encoding="utf-8").splitlines():
        name, _, moves = row.rpartition(":")
        if row[:1] != "#" and name == case.fact.parameters["name"]:
            line = chess.Board()
            for san in moves.split():
                line.push_san(san)
            if line.epd() == board.epd():
                return True
    return False


def perpetual(case: Case) -> bool:
    boards = [case.after(count) for count in range(len(case.fact.evidence.line) + 1)]
    last = boards[-1].epd()
    first = next((n for n, board in enumerate(boards[:-1]) if board.epd() == last), None)
    if first is None:
        return False
    checks = [board for board in boards[first + 1 :] if board.turn != case.side]
    return bool(checks) and all(board.is_check() for board in checks)


def result(board: chess.Board) -> int | None:
    """The mover's result by tables that this file has or reads itself; None where it has none."""
    men = chess.popcount(board.occupied)
    if board.is_checkmate():
        return -1
    if board.is_stalemate() or board.is_insufficient_material():
        return 0
    if men == 3 and board.pawns:
        owner = bool(board.occupied_co[chess.WHITE] & board.pawns)
        return (1 if owner == board.turn else -1) if pawn_wins(board) else 0
    if men == 3:  # a rook or a queen wins unless it is taken
        if board.occupied_co[board.turn] & (board.rooks | board.queens):
            return 1
        return 0 if any(board.is_capture(move) for move in board.legal_moves) else -1
    if not os.environ.get("KIBITZ_SYZYGY"):
        return None
    with chess.syzygy.open_tablebase(os.environ["KIBITZ_SYZYGY"]) as tables:
        found = tables.get_wdl(board)
    return None if found is None else (found == 2) - (found == -2)


def tablebase(case: Case) -> bool:
    words = {1: "win", 0: "draw", -1: "loss"}
    parameters = case.fact.parameters
    after = result(case.after_move)
    if after is None:
        return False
    if "before" not in parameters:  # the line ends in an ending that is known
        winner = None if after == 0 else case.after_move.turn if after > 0 else not case.after_move.turn
        known = any(result(case.after(count)) is not None for count in range(case.fact.ply + 1))
        return (
            not known and parameters["after"] == ("win" if after else "draw") and winner in (None, case.side)
        )
    before, mover = case.before_move, case.before_move.turn
    results = {move: _after(before, move) for move in before.legal_moves}
    best, now = max(results.values()), results[case.move]
    only = len(results) > 1 and now == best >= 0 and list(results.values()).count(best) == 1
    good = now == best >= 0
    return (parameters["before"], parameters["after"], parameters["only"], case.side == mover) == (
        words[best],
        words[now],
        only,
        good,
    )


def _after(board: chess.Board, move: chess.Move) -> int:
    board = board.copy(stack=False)
    board.push(move)
    found = result(board)
    assert found is not None
    return -found


def zugzwang(case: Case) -> bool:
    """No check, few moves, and passing is better: by the results of three men, or by Stockfish."""
    board = case.after_move
    numbers, count = case.fact.evidence.numbers, case.fact.parameters["moves"]
    if board.is_check() or board.legal_moves.count() != count or numbers["passing"] <= numbers["moving"]:
        return False
    passed = board.copy(stack=False)
    passed.push(chess.Move.null())
    one, two = result(board), result(passed)
    if one is not None and two is not None:
        return one < -two
    if stockfish() is None:
        return True  # only what could be checked
    return worth(passed, board.turn) > worth(board, board.turn)


#: The table of names, which players' own words fill.
OPENINGS = Path(__file__).parents[3] / "src/kibitz/games/chess/openings.txt"

CHECKS: dict[str, Callable[[Case], bool]] = {
    "pawnStructure": pawn_structure,
    "kingSafety": king_safety,
    "activity": activity,
    "opening": opening,
    "leavesOpening": opening,
    "perpetual": perpetual,
    "tablebase": tablebase,
    "zugzwang": zugzwang,
    "material": gain,
    "fork": fork,
    "pin": pin,
    "skewer": skewer,
    "discoveredAttack": discovery,
    "discoveredCheck": lambda case: (
        case.actor in case.after_move.checkers() and case.actor != case.move.to_square
    ),
    "doubleCheck": lambda case: len(case.after_move.checkers()) == 2,
    "hangingPiece": hanging,
    "trappedPiece": trapped,
    "sacrifice": lambda case: (
        material(case.board, case.side) <= material(case.after(case.start.turn != case.side), case.side) - 2
    ),
    "deflection": deflection,
    "attraction": attraction,
    "interference": interference,
    "intermezzo": intermezzo,
    "xRayAttack": x_ray,
    "capturingDefender": defender,
    "quietMove": quiet,
    "promotion": lambda case: bool(case.move.promotion),
    "underPromotion": lambda case: case.move.promotion not in (None, chess.QUEEN),
    "advancedPawn": lambda case: case.before_move.piece_type_at(case.move.from_square) == chess.PAWN,
    "enPassant": lambda case: case.before_move.is_en_passant(case.move),
    "castling": lambda case: case.before_move.is_castling(case.move),
    "mateThreat": threat,
}


def problems(explanation: Any, before: Any = None, after: Any = None) -> list[str]:
    """What is false about an explanation, a line each."""
    position = explanation.position
    start = chess.Board(position.start.fen, chess960=position.chess960)
    for move in position.moves:
        start.push_uci(move)
    found = []
    for fact in explanation.facts:
        case = Case(start, explanation.line, fact)
        check = mate if MATES.fullmatch(fact.code) else CHECKS[fact.code]
        if not check(case):
            found.append(
                f"{fact.code} at {fact.ply}: {explanation.position.fen} {' '.join(explanation.line)}"
            )
        found += [f"{fact.code}: {said}" for said in _false_words(case)]
    return found


def _false_words(case: Case) -> list[str]:
    """Pieces that are not where the sentence has them, moves that the line does not have."""
    if case.fact.sentence is None:
        return []
    text = str(case.fact.sentence)
    wrong = [
        f"no {kind} on {square} in {text!r}"
        for kind, square in NAMED.findall(text)
        if case.board.piece_type_at(chess.parse_square(square)) != KINDS[kind]
    ]
    sans = []
    for index in range(len(case.line)):
        board = case.after(index)
        number = f"{board.fullmove_number}{'.' if board.turn else '...'}"
        san = board.san(chess.Move.from_uci(case.line[index]))
        sans += [san, number + san]
    for word in re.findall(r"\d+\.+\S+", text):
        if word.rstrip(":,") not in sans:
            wrong.append(f"no move {word} in {text!r}")
    return wrong
