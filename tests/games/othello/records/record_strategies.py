"""Hypothesis strategies for Othello games, shared by the tests of the record formats."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st

from kibitz.errors import BadRecord
from tests.games.othello.plain_rules import Game


def read_or_refuse(read: Callable[[], object]) -> None:
    """Run a reader on anything: all it may raise is BadRecord, with one line to show."""
    message = ""
    try:
        read()
        return
    except BadRecord as error:
        message = str(error)
    assert message
    assert "\n" not in message


def blocked() -> Game:
    """A game in which the side to move has to pass."""
    game = Game()
    while moves := game.moves():  # the first legal square each time leads to a pass
        game.play(moves[0])
    assert not game.is_over()
    return game


@st.composite
def games(draw: st.DrawFn, max_moves: int = 70) -> tuple[str, ...]:
    """A legal game from the start, or the beginning of one, with its passes."""
    choices = draw(st.lists(st.integers(0, 63), min_size=1, max_size=max_moves))
    game = Game()
    moves: list[str] = []
    for choice in choices:
        if game.is_over():
            break
        legal = game.moves() or ["pass"]
        moves.append(legal[choice % len(legal)])
        game.play(moves[-1])
    return tuple(moves)


@st.composite
def full_games(draw: st.DrawFn) -> tuple[str, ...]:
    """A legal game that was played to its end."""
    random = draw(st.randoms(use_true_random=False))
    game = Game()
    moves: list[str] = []
    while not game.is_over():
        moves.append(random.choice(game.moves() or ["pass"]))
        game.play(moves[-1])
    return tuple(moves)
