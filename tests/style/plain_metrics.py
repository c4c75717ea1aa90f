"""The measures of style and the bonus of a move, written with python-chess from docs/style-measures.md: slow,
plain, and sharing no code with Kibitz."""

from __future__ import annotations

import chess

CENTRE = (chess.D4, chess.E4, chess.D5, chess.E5)
OWN_CENTRE = {chess.WHITE: (chess.D4, chess.E4), chess.BLACK: (chess.D5, chess.E5)}
VALUES = {chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9}
CORNERS = {
    chess.WHITE: {chess.B2: (chess.B3, chess.B4), chess.G2: (chess.G3, chess.G4)},
    chess.BLACK: {chess.B7: (chess.B6, chess.B5), chess.G7: (chess.G6, chess.G5)},
}
HOMES = {chess.B2: chess.C1, chess.G2: chess.F1, chess.B7: chess.C8, chess.G7: chess.F8}


def occupation(board: chess.Board) -> int:
    return sum(
        board.piece_at(square) == chess.Piece(chess.PAWN, side)
        for side, squares in OWN_CENTRE.items()
        for square in squares
    )


def control_in_45ths(board: chess.Board, side: chess.Color) -> int:
    total = 0
    for square, piece in board.piece_map().items():
        if piece.color == side and piece.piece_type in VALUES and square not in CENTRE:
            attacks = board.attacks(square)
            total += 45 // VALUES[piece.piece_type] * sum(target in attacks for target in CENTRE)
    return total


def fianchettoes(board: chess.Board) -> set[int]:
    squares = set()
    for side, corners in CORNERS.items():
        for square, pawns in corners.items():
            if board.piece_at(square) != chess.Piece(chess.BISHOP, side):
                continue
            if any(board.piece_at(pawn) == chess.Piece(chess.PAWN, side) for pawn in pawns):
                squares.add(square)
    return squares


def locked(board: chess.Board) -> int:
    black = board.pieces(chess.PAWN, chess.BLACK)
    return sum(square + 8 in black for square in board.pieces(chess.PAWN, chess.WHITE))


def space(board: chess.Board) -> int:
    beyond_white = sum(board.is_attacked_by(chess.WHITE, square) for square in range(32, 64))
    beyond_black = sum(board.is_attacked_by(chess.BLACK, square) for square in range(32))
    return beyond_white - beyond_black


def makes_contact(board: chess.Board, move: chess.Move) -> bool:
    """Asked before the move is made."""
    if board.piece_type_at(move.from_square) != chess.PAWN:
        return False
    if chess.square_file(move.from_square) not in (2, 3, 4):
        return False
    if chess.square_file(move.from_square) != chess.square_file(move.to_square):
        return False
    step = 1 if board.turn == chess.WHITE else -1
    for side in (-1, 1):
        file, rank = chess.square_file(move.to_square) + side, chess.square_rank(move.to_square) + step
        if 0 <= file < 8 and 0 <= rank < 8:
            piece = board.piece_at(chess.square(file, rank))
            if piece == chess.Piece(chess.PAWN, not board.turn):
                return True
    return False


def plain_metrics(
    start: chess.Board, moves: list[chess.Move], window: int = 24, early: int = 12, fianchetto: int = 14
) -> tuple[float, ...]:
    """plies, CO, DCC, FCH, PB_delay, CL, SI."""
    board = start.copy(stack=False)
    plies = occupied = control = chains = imbalance = contact = 0
    corners: set[int] = set()
    for move in moves[:window]:
        plies += 1
        if contact == 0 and makes_contact(board, move):
            contact = plies
        board.push(move)
        if plies <= early:
            occupied += occupation(board)
        if plies <= fianchetto:
            corners |= fianchettoes(board)
        control += control_in_45ths(board, chess.WHITE) + control_in_45ths(board, chess.BLACK)
        chains += locked(board)
        imbalance += space(board)
    if plies == 0:
        return (0, 0.0, 0.0, 0, 1, 0.0, 0.0)
    return (
        plies,
        occupied / min(plies, early),
        control / (45.0 * plies),
        len(corners),
        contact or plies + 1,
        chains / plies,
        imbalance / plies,
    )


def tension(board: chess.Board, side: chess.Color) -> int:
    enemies = board.pieces(chess.PAWN, not side)
    own = [square for square in board.pieces(chess.PAWN, side) if chess.square_file(square) in (2, 3, 4)]
    return sum(len(board.attacks(square) & enemies) for square in own)


def closed(board: chess.Board) -> int:
    """Locked pairs, but d4 with d5 and e4 with e5 only where a pawn supports one of the two."""
    white, black = board.pieces(chess.PAWN, chess.WHITE), board.pieces(chess.PAWN, chess.BLACK)
    total = 0
    for square in white:
        if square + 8 not in black:
            continue
        helped = (
            board.attackers(chess.WHITE, square) & white or board.attackers(chess.BLACK, square + 8) & black
        )
        total += square not in (chess.D4, chess.E4) or bool(helped)
    return total


def plain_sides(
    start: chess.Board, moves: list[chess.Move], window: int = 24, early: int = 12, fianchetto: int = 14
) -> list[list[float]]:
    """CO, DCC, FCH, tension and CL of White and of Black."""
    board, plies, chains = start.copy(stack=False), 0, 0
    sums = {side: [0, 0, 0] for side in (chess.WHITE, chess.BLACK)}
    corners: dict[bool, set[int]] = {chess.WHITE: set(), chess.BLACK: set()}
    for move in moves[:window]:
        plies += 1
        board.push(move)
        chains += closed(board)
        for side, sum_of in sums.items():
            own = board.pieces(chess.PAWN, side)
            sum_of[0] += sum(square in own for square in OWN_CENTRE[side]) if plies <= early else 0
            sum_of[1] += control_in_45ths(board, side)
            sum_of[2] += tension(board, side)
            if plies <= fianchetto:
                corners[side] |= fianchettoes(board) & set(CORNERS[side])
    if plies == 0:
        return [[0.0] * 5] * 2
    return [
        [a / min(plies, early), b / (45.0 * plies), len(corners[side]), c / plies, chains / plies]
        for side, (a, b, c) in sums.items()
    ]


def king_attack(board: chess.Board, side: chess.Color) -> int:
    king = board.king(not side)
    assert king is not None
    zone = [king, *(square for square in chess.SQUARES if chess.square_distance(square, king) == 1)]
    attackers = [board.attackers(side, square) for square in zone]
    return sum(len(found - chess.SquareSet([board.king(side) or 0])) for found in attackers)


def piece_value(board: chess.Board) -> int:
    return sum(VALUES.get(piece.piece_type, 0) for piece in board.piece_map().values())


def plain_character(start: chess.Board, moves: list[chess.Move]) -> tuple[float, float]:
    """KA and EX, over 40 plies."""
    board, plies, attacks, left = start.copy(stack=False), 0, 0, 0
    for move in moves[:40]:
        plies += 1
        board.push(move)
        attacks += king_attack(board, chess.WHITE) + king_attack(board, chess.BLACK)
        left += piece_value(board)
    return attacks / plies, 1 - left / (piece_value(start) * plies)


def trades(board: chess.Board, move: chess.Move, after: chess.Board) -> bool:
    if board.piece_type_at(move.to_square) in VALUES:
        return True
    kind = board.piece_type_at(move.from_square)
    if kind not in VALUES:
        return False
    # What was promoted is no piece of the kind that moved.
    enemies = board.pieces(kind, not board.turn)
    return bool(after.attacks(move.to_square) & enemies)


def plain_bonus(board: chess.Board, move: chess.Move, weights: dict[str, float], contact_ply: int) -> float:
    """B(m) of a legal move."""
    mover, piece = board.turn, board.piece_type_at(move.from_square)
    after = board.copy(stack=False)
    after.push(move)
    total = 0.0
    for square in CORNERS[mover]:
        if piece == chess.BISHOP and move.to_square == square and square in fianchettoes(after):
            total += weights["fianchetto"]
        step = square + (8 if mover == chess.WHITE else -8)
        at_home = board.piece_at(HOMES[square]) == chess.Piece(chess.BISHOP, mover)
        if piece == chess.PAWN and (move.from_square, move.to_square) == (square, step) and at_home:
            total += weights["prepare"]
    ply = 2 * (board.fullmove_number - 1) + (0 if mover == chess.WHITE else 1) + 1
    if ply < contact_ply and not makes_contact(board, move):
        total += weights["quiet"]
    if control_in_45ths(after, mover) > control_in_45ths(board, mover):
        total += weights["control"]
    advance = chess.square_file(move.from_square) == chess.square_file(move.to_square)
    if piece == chess.PAWN and advance:
        if chess.square_file(move.from_square) in (0, 7):
            total += weights["flank"]
        if move.to_square in OWN_CENTRE[mover]:
            total += weights["occupation"]
    change = locked(after) - locked(board)
    total += weights["chain"] * ((change > 0) - (change < 0))
    change = king_attack(after, mover) - king_attack(board, mover)
    total += weights["attack"] * ((change > 0) - (change < 0))
    if trades(board, move, after):
        total += weights["trade"]
    return min(1.0, max(-1.0, total))
