"""Sentences of chess facts: pieces and moves as values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from kibitz.games.chess.facts.board import NAMES, Board
from kibitz.games.chess.facts.steps import Step
from kibitz.sentences import Sentence

#: Moves of a line that a sentence has.
_SHOWN = 6

#: Names of the pieces, in parameters and as codes.
KINDS = {"p": "pawn", "n": "knight", "b": "bishop", "r": "rook", "q": "queen", "k": "king"}
_CODES = {
    "p": "chess.pawn",
    "n": "chess.knight",
    "b": "chess.bishop",
    "r": "chess.rook",
    "q": "chess.queen",
    "k": "chess.king",
}

#: The sentence of each motif; codes that are missing here are for programs.
SENTENCES = {
    "fork": "chess.fork",
    "pin": "chess.pin",
    "skewer": "chess.skewer",
    "discoveredAttack": "chess.discoveredAttack",
    "discoveredCheck": "chess.discoveredCheck",
    "doubleCheck": "chess.doubleCheck",
    "hangingPiece": "chess.hangingPiece",
    "trappedPiece": "chess.trappedPiece",
    "sacrifice": "chess.sacrifice",
    "deflection": "chess.deflection",
    "attraction": "chess.attraction",
    "interference": "chess.interference",
    "intermezzo": "chess.intermezzo",
    "xRayAttack": "chess.xRayAttack",
    "capturingDefender": "chess.capturingDefender",
    "promotion": "chess.promotion",
    "castling": "chess.castling",
    "smotheredMate": "chess.smotheredMate",
    "backRankMate": "chess.backRankMate",
    "anastasiaMate": "chess.anastasiaMate",
    "hookMate": "chess.hookMate",
    "arabianMate": "chess.arabianMate",
    "bodenMate": "chess.bodenMate",
    "doubleBishopMate": "chess.doubleBishopMate",
    "dovetailMate": "chess.dovetailMate",
}


def piece_on(board: Board, square: int) -> Sentence:
    """`the rook on d1`."""
    piece = Sentence(_CODES[board.squares[square].lower()])
    return Sentence("chess.pieceOn", {"piece": piece, "square": NAMES[square]})


def pieces(kinds: Iterable[str]) -> list[Sentence]:
    """`a rook and 2 pawns`, the most valuable first."""
    counts = Counter(kinds)
    return [
        Sentence("chess.onePiece", {"piece": Sentence(_CODES[kind])})
        if counts[kind] == 1
        else Sentence("chess.somePieces", {"piece": Sentence(_CODES[kind]), "count": counts[kind]})
        for kind in "qrbnp"
        if counts[kind]
    ]


def line_text(steps: Sequence[Step]) -> list[str]:
    """`18...cxd5 19.Bxd5+ Nxd5`: numbers at white's moves and at the first. Of a long line the beginning."""
    shown = [
        step.numbered if index == 0 or step.side == 0 else step.san
        for index, step in enumerate(steps[:_SHOWN])
    ]
    return [*shown, "..."] if len(steps) > _SHOWN else shown
