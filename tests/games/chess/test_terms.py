"""The terms of a learned score, with python-chess as the oracle."""

from __future__ import annotations

import random
from collections import Counter

import chess
import numpy as np
import pytest

import kibitz
from kibitz import _native

KINDS = _native.chess_term_kinds()


def terms_of(fen: str) -> dict[int, Counter[int]]:
    """For the mover (1) and the other side (-1): how often each term is there."""
    planes = kibitz.chess.Position(fen).state.encode()[0][None]
    terms, signs, _ = _native.chess_term_view(np.ascontiguousarray(planes, np.float32))
    found: dict[int, Counter[int]] = {1: Counter(), -1: Counter()}
    for term, sign in zip(terms[0].astype(int), signs[0].astype(int), strict=True):
        if sign:
            found[sign][int(term)] += 1
    return found


def kind(found: Counter[int], name: str, size: int) -> Counter[int]:
    first = KINDS[name]
    return Counter({term - first: n for term, n in found.items() if first <= term < first + size})


def boards(count: int, seed: int = 6) -> list[chess.Board]:
    dice = random.Random(seed)
    made: list[chess.Board] = []
    while len(made) < count:
        board = chess.Board()
        for _ in range(dice.randint(4, 90)):
            if board.is_game_over():
                break
            board.push(dice.choice(list(board.legal_moves)))
        if not board.is_game_over():
            made.append(board)
    return made


BOARDS = boards(40)


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.fen())
def test_mobility_is_that_of_python_chess(board: chess.Board) -> None:
    found = terms_of(board.fen())
    for sign, color in ((1, board.turn), (-1, not board.turn)):
        guarded = chess.SquareSet()
        for square in board.pieces(chess.PAWN, not color):
            guarded |= board.attacks(square)
        allowed = ~(board.pieces(chess.PAWN, color) | board.pieces(chess.KING, color) | guarded)
        expected: Counter[int] = Counter()
        for number, piece in enumerate((chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN)):
            for square in board.pieces(piece, color):
                expected[28 * number + len(board.attacks(square) & allowed)] += 1
        assert kind(found[sign], "mobility", 4 * 28) == expected


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.fen())
def test_pawns_are_those_of_python_chess(board: chess.Board) -> None:
    found = terms_of(board.fen())
    for sign, color in ((1, board.turn), (-1, not board.turn)):
        own, other = board.pieces(chess.PAWN, color), board.pieces(chess.PAWN, not color)
        passed = isolated = doubled = 0
        for square in own:
            file, rank = chess.square_file(square), chess.square_rank(square)

            def ahead(at: int, rank: int = rank, color: bool = color) -> bool:
                return chess.square_rank(at) > rank if color else chess.square_rank(at) < rank

            near = [at for at in other if abs(chess.square_file(at) - file) <= 1 and ahead(at)]
            behind = any(chess.square_file(at) == file and ahead(at) for at in own)
            passed += not near and not behind
            doubled += behind
            isolated += not any(abs(chess.square_file(at) - file) == 1 for at in own)
        assert sum(kind(found[sign], "passed", 16).values()) == passed
        assert kind(found[sign], "doubled", 1)[0] == doubled
        assert sum(kind(found[sign], "isolated", 2).values()) == isolated


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.fen())
def test_loose_pieces_are_those_of_python_chess(board: chess.Board) -> None:
    found = terms_of(board.fen())
    for sign, color in ((1, board.turn), (-1, not board.turn)):
        expected = Counter(
            board.piece_type_at(square) - 1  # type: ignore[operator]
            for square in chess.SquareSet(board.occupied_co[not color])
            if board.piece_type_at(square) != chess.KING
            and board.is_attacked_by(color, square)
            and not board.is_attacked_by(not color, square)
        )
        assert kind(found[sign], "loose", 6) == expected


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.fen())
def test_the_other_side_has_the_terms_of_a_turned_board(board: chess.Board) -> None:
    """What White has is what Black has with the colours changed; only the move is the mover's."""
    found = terms_of(board.fen())
    turned = board.copy(stack=False)
    turned.turn = not board.turn
    turned.ep_square = None
    if turned.was_into_check() or not turned.is_valid():
        pytest.skip("the other side cannot be on move")
    again = terms_of(turned.fen())
    move = KINDS["move"]
    assert found[1].pop(move) == again[1].pop(move) == 1
    assert found[1] == again[-1]
    assert found[-1] == again[1]
