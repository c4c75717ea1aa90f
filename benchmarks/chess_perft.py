"""Chess rules and PGN beside python-chess, measured in the same run: `python benchmarks/chess_perft.py`.

Peer: the `chess` package (pure Python). Every figure is the best of several runs that alternate between us
and the peer, on one core.
"""

from __future__ import annotations

import argparse
import io
import random
import sys
import time
from collections.abc import Callable

# The package is wanted, not the file of that name in this folder.
sys.path.pop(0)

import chess
import chess.pgn

import kibitz
from kibitz import _native
from kibitz.games.chess.pgn import count_pgn, pgn_text

POSITIONS = {
    "start": ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 6, 3),
    "kiwipete": ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 5, 3),
    "endgame": ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 7, 4),
}


def best_of(runs: int, *measures: Callable[[], float]) -> list[float]:
    """The best figure of each measure, taken in turns."""
    figures = [[measure() for measure in measures] for _ in range(runs)]
    return [max(column) for column in zip(*figures, strict=True)]


def show(name: str, figure: float, other: float) -> None:
    print(
        f"{name:<28} {figure:>14,.0f}/s   python-chess {other:>10,.0f}/s   ratio {figure / other:,.0f}",
        flush=True,
    )


def ours(fen: str, depth: int) -> float:
    position = kibitz.chess.Position(fen)
    begun = time.perf_counter()
    leaves = kibitz.chess.perft(position, depth)
    return leaves / (time.perf_counter() - begun)


def count(board: chess.Board, depth: int) -> int:
    if depth == 1:
        return board.legal_moves.count()
    total = 0
    for move in board.legal_moves:
        board.push(move)
        total += count(board, depth - 1)
        board.pop()
    return total


def theirs(fen: str, depth: int) -> float:
    board = chess.Board(fen)
    begun = time.perf_counter()
    leaves = count(board, depth)
    return leaves / (time.perf_counter() - begun)


def random_games(number: int) -> bytes:
    rng = random.Random(1)
    texts = []
    for _ in range(number):
        position = kibitz.chess.Position()
        while not position.is_over and len(position.moves) < 80:
            position = position.play(rng.choice(position.legal_moves))
        texts.append(pgn_text(position, {"White": "random", "Black": "random"}))
    return ("\n\n".join(texts) + "\n").encode()


def read_ours(text: bytes, games: int) -> float:
    begun = time.perf_counter()
    assert count_pgn(text).games == games
    return games / (time.perf_counter() - begun)


def read_theirs(text: bytes, games: int) -> float:
    file = io.StringIO(text.decode())
    begun = time.perf_counter()
    for _ in range(games):
        assert chess.pgn.read_game(file) is not None
    return games / (time.perf_counter() - begun)


def main() -> None:
    parser = argparse.ArgumentParser(description="Chess rules and PGN beside python-chess.")
    parser.add_argument("--runs", type=int, default=3)
    runs = parser.parse_args().runs
    print(f"chess, one core, CPU level {_native.LEVEL}")
    for name, (fen, deep, shallow) in POSITIONS.items():
        show(
            f"perft {name}",
            *best_of(runs, lambda f=fen, d=deep: ours(f, d), lambda f=fen, d=shallow: theirs(f, d)),
        )
    text = random_games(60)
    show("PGN games", *best_of(runs, lambda: read_ours(50 * text, 3000), lambda: read_theirs(text, 60)))


if __name__ == "__main__":
    main()
