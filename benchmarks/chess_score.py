"""How far are scores of chess positions, after pending captures, from what a UCI engine says?

    python benchmarks/chess_score.py hand bundled FILE.knet... [--engine stockfish] [--nodes 20000]
        [--positions 2000] [--seed 1]

The engine plays games with itself, 400 nodes a move, from random openings, and in two of three games a part
of the moves is random; positions of these games are drawn and judged by it with `--nodes`. Prints for each
score the root mean square of the difference as an expected result (0 to 1), over all positions and by the
number of pieces. A score is taken at the scale that suits it best, which is printed too.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Sequence

# This folder's chess.py would hide the library of that name.
sys.path.pop(0)

import numpy as np
import numpy.typing as npt

import kibitz
from kibitz import nets
from kibitz.games.base import Position
from kibitz.games.bundled import bundled_file
from kibitz.games.chess.training.uci_teacher import UciTeacher
from kibitz.games.networks import load_file

Array = npt.NDArray[np.float64]
PLAY_NODES = 400
#: Decided positions tell nothing about a score.
DECIDED = 0.999
PIECES = ((2, 10), (11, 18), (19, 26), (27, 32))


def played(player: UciTeacher, dice: random.Random) -> list[Position]:
    """The positions of a game."""
    position, seen = kibitz.chess.Position(), []
    blunders = dice.choice((0.0, 0.1, 0.25))
    opening = dice.randint(4, 9)
    for ply in range(160):
        if position.is_over:
            break
        move = dice.choice(position.legal_moves)
        if ply >= opening and dice.random() >= blunders:
            [judged] = player.judge([position.state])
            assert judged is not None
            move = position.state.move_text(judged.moves[int(np.argmax(judged.shares))])
        if ply >= opening:
            seen.append(position)
        position = position.play(move)
    return seen


def judged(engine: str, nodes: int, count: int, seed: int) -> tuple[list[Position], Array]:
    """Positions, and the result that the engine expects for the side to move."""
    dice = random.Random(seed)
    player, judge = (UciTeacher(engine, nodes=n, multipv=1, warm=True) for n in (PLAY_NODES, nodes))
    positions: list[Position] = []
    expected: list[float] = []
    try:
        while len(positions) < count:
            for position in played(player, dice):
                if dice.random() < 0.85 or len(positions) == count:
                    continue
                [said] = judge.judge([position.state])
                result = 0.5 if said is None else (1 + said.q) / 2
                if said is not None and 1 - DECIDED < result < DECIDED:
                    positions.append(position)
                    expected.append(result)
            if sys.stderr.isatty():
                print(f"\r{len(positions)} of {count} positions", end="", file=sys.stderr)
    finally:
        player.close()
        judge.close()
    return positions, np.array(expected)


def logits(name: str, positions: Sequence[Position]) -> Array:
    """What a score says of the side to move."""
    if name == "hand":
        return np.array([position.state.quiet_score() for position in positions]) / 250.0
    if name == "bundled":
        network = load_file("chess", str(bundled_file("chess")))
    else:
        network = nets.load(nets.find(name), game="chess")
    planes = np.stack([position.state.encode()[0] for position in positions])
    outcome = np.asarray(network.evaluate(planes).outcomes, np.float64)
    result = np.clip(outcome[:, 0] + outcome[:, 1] / 2, 1e-6, 1 - 1e-6)
    return np.log(result / (1 - result))


def errors(said: Array, expected: Array, pieces: Array) -> tuple[float, list[float]]:
    """The best scale, and the errors at it: of all positions, then by the number of pieces."""

    def differences(scale: float) -> Array:
        return 1 / (1 + np.exp(-scale * said)) - expected

    scale = min(np.arange(0.5, 2.0, 0.02), key=lambda value: float((differences(value) ** 2).mean()))
    squares = differences(scale) ** 2
    parts = [np.ones_like(pieces, bool)] + [(pieces >= low) & (pieces <= high) for low, high in PIECES]
    return float(scale), [float(np.sqrt(squares[part].mean())) if part.any() else np.nan for part in parts]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("scores", nargs="+")
    parser.add_argument("--engine", default="stockfish")
    parser.add_argument("--nodes", type=int, default=20_000)
    parser.add_argument("--positions", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    positions, expected = judged(given.engine, given.nodes, given.positions, given.seed)
    pieces = np.array([sum(letter.isalpha() for letter in p.fen.split()[0]) for p in positions])
    print(f"{len(positions)} positions, {given.nodes} nodes")
    print(f"{'':32} scale   all " + "".join(f"{low:3}-{high} pieces" for low, high in PIECES))
    for name in given.scores:
        scale, found = errors(logits(name, positions), expected, pieces)
        print(f"{name[-32:]:32} {scale:5.2f} {found[0]:.4f} " + "".join(f"{e:12.4f}" for e in found[1:]))


if __name__ == "__main__":
    main()
