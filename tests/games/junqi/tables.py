"""Small and random Junqi positions for tests."""

from __future__ import annotations

import random

from kibitz.games.junqi import Position, layouts
from kibitz.games.junqi.pieces import SEATS

FULL = layouts.NAMED["spear-left"].replace("/", "").replace("-", "")


def sparse(pieces: str, head: str = "4 dark turn=S") -> Position:
    """A board with the flags and the pieces named: `S9>C31` a commander of S on C31, `E@11` whatever E has
    set up on its (1,1). All other pieces are dead."""
    places = [f"{row}{column}" for row in range(1, 7) for column in range(1, 6)]
    stations = [name for name in places if name not in ("22", "24", "33", "42", "44")]
    armies = []
    for seat in SEATS:
        if head.startswith("2") and seat in "EW":
            continue
        tokens = [letter if letter == "F" else letter + "x" for letter in FULL]
        for word in pieces.split():
            if word[0] != seat:
                continue
            if word[1] == "@":
                at = stations.index(word[2:4])
                tokens[at] = FULL[at] + word[4:]
            elif word[1] == "F":
                tokens[FULL.index("F")] = word[1:]
            else:
                tokens[tokens.index(f"{word[1]}x")] = word[1:]
        armies.append(f"{seat}:{','.join(tokens)}")
    return Position(f"{head} {' '.join(armies)}")


def random_game(seed: int, plies: int, players: int = 4, options: str = "") -> Position:
    """A game after so many random moves in which attacks are likely, or less when it ended before."""
    chance = random.Random(seed)
    position = Position.deal([layouts.random_layout(100 * seed + n) for n in range(players)], options=options)
    for _ in range(plies):
        if position.is_over:
            break
        moves = position.legal_moves
        taken = {node for node, *_ in position.state.standing()}
        attacks = [move for move in moves if move[4:7] in taken]
        position = position.play(chance.choice(attacks if attacks and chance.random() < 0.35 else moves))
    return position


def midgame(seed: int, plies: int, players: int = 4) -> Position:
    """The same, not over: with another seed where need be."""
    while True:
        position = random_game(seed, plies, players)
        if not position.is_over:
            return position
        seed += 100_003
