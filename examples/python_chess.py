"""Boards of python-chess go in, and positions come out as boards."""

import chess

import kibitz

board = chess.Board()
board.push_san("e4")
report = kibitz.analyze(board, seconds=0.2)
print("best:", board.san(chess.Move.from_uci(report.best)))
assert report.position.to_board() == board
