"""Play a game of ultimate tic-tac-toe between two levels."""

import random

import kibitz
from kibitz.levels import get_level, play_at

position, chance = kibitz.uttt.Position(), random.Random(1)
levels = [get_level("uttt", "beginner"), get_level("uttt", "novice")]
with kibitz.Engine("uttt", seed=1) as engine:
    while not position.is_over:
        move, _ = play_at(engine, position, levels[position.to_move], chance)
        position = position.play(move)
print(position)
print("result for x:", position.result)
