"""Syzygy tablebases: at the root, which moves keep the result that is there to be had; inside the tree, the
result of positions after a capture or a pawn's move.

>>> tables = Tables("/path/one:/path/two")          # doctest: +SKIP
>>> tables.best_moves(position)                     # doctest: +SKIP
('e4d5',)
"""

from __future__ import annotations

import os
from pathlib import Path

import chess
import chess.syzygy

from kibitz.errors import BadOption, BadTable
from kibitz.games.chess.position import Position


class Tables:
    """The tables of one or several folders (divided as in PATH)."""

    def __init__(self, folders: str) -> None:
        self._tables = chess.syzygy.Tablebase()
        self.problem = ""
        #: What `best_moves` found last: the mover's result as `probe` has it.
        self.result: int | None = None
        count = 0
        for folder in filter(None, folders.split(os.pathsep)):
            if not Path(folder).is_dir():
                raise BadOption(f"Syzygy: there is no folder {folder!r}")
            count += self._tables.add_directory(folder)
        if not count:
            raise BadOption(f"Syzygy: no tables in {folders!r}; expected files such as KQvK.rtbw")
        self.pieces = max((len(name) - 1 for name in (*self._tables.wdl, *self._tables.dtz)), default=0)

    def close(self) -> None:
        self._tables.close()

    def probe(self, fen: str) -> int | None:
        """The mover's result, 2 (won) to -2, for a search that asks at its leaves; None where no table has
        it, and after a table that cannot be read (`problem` says why)."""
        if self.problem:
            return None
        try:
            return int(self._tables.probe_wdl(chess.Board(fen)))
        except chess.syzygy.MissingTableError:
            return None
        except Exception as error:  # python-chess reads what a file says without checking it
            self.problem = f"a damaged table ({type(error).__name__}: {error})"
            return None

    def ranked(self, position: Position) -> dict[str, tuple[int, int]] | None:
        """The result after each move (3 mates, 2 wins, 1 wins but for the fifty moves, 0 draws, ...), and the
        distance to the next move that cannot be taken back; None when a table is missing."""
        board = chess.Board(position.fen, chess960=position.chess960)
        if chess.popcount(board.occupied) > self.pieces or board.castling_rights:
            return None
        try:
            return {board.uci(move): self._rank(board, move) for move in board.legal_moves}
        except chess.syzygy.MissingTableError:
            return None
        except Exception as error:  # python-chess reads what a file says without checking it
            raise BadTable(f"a damaged table ({type(error).__name__}: {error})") from None

    def best_moves(self, position: Position) -> tuple[str, ...] | None:
        """The moves after which the result is still the best there is, and of winning ones those that come
        nearest to a capture or a pawn's move; None when a table is missing."""
        self.result = None
        ranked = self.ranked(position)
        if not ranked:
            return None
        best = max(rank for rank, _ in ranked.values())
        self.result = min(best, 2)
        kept = {move: distance for move, (rank, distance) in ranked.items() if rank == best}
        if best > 0:
            nearest = min(kept.values())
            kept = {move: distance for move, distance in kept.items() if distance == nearest}
        return tuple(kept)

    def _rank(self, board: chess.Board, move: chess.Move) -> tuple[int, int]:
        """The result after a move (2 won, 1 won but for the fifty moves, 0 drawn, ...), and how far the next
        move that cannot be taken back is then."""
        zeroes = board.is_zeroing(move)
        board.push(move)
        try:
            if board.is_checkmate():
                return 3, 0
            if board.is_insufficient_material() or board.is_stalemate():
                return 0, 0
            result = -self._tables.probe_wdl(board)
            if zeroes or not result:
                return result, 1
            distance = abs(self._tables.probe_dtz(board)) + 1
            if result == 2 and distance + board.halfmove_clock > 100:
                result = 1
            return result, distance
        finally:
            board.pop()
