"""The search knows what its seat may know: with the hidden pieces exchanged in any way that fits what the
seat has seen, everything it says stays the same."""

from __future__ import annotations

import random

from kibitz.engine import Engine
from kibitz.games.junqi import Position
from kibitz.games.junqi.beliefs import believe
from kibitz.games.junqi.pieces import SEATS
from kibitz.games.junqi.scoring import evaluate_moves
from tests.junqi.tables import midgame

VIEWS = 500


def with_other_pieces(position: Position, seed: int) -> Position:
    """The same game with hidden pieces exchanged, replayed move by move from the other set-ups."""
    view = position.view()
    belief = believe(view, samples=4, seed=seed)
    seats = position.seat_names
    choices = belief.layouts()
    start = position.start
    assert isinstance(start, Position)
    own = [start.layout(seat) for seat in seats]
    for layouts in choices:
        other = [layouts[seat] for seat in seats]
        if other != own:
            return Position.deal(other).play(*position.moves)
    return position


def test_no_peeking_in_500_midgames() -> None:
    chance = random.Random(5)
    changed = 0
    with Engine("junqi", seed=3, samples=24, worlds=2) as engine:
        for number in range(VIEWS):
            players = 2 if number % 10 == 9 else 4
            position = midgame(number, chance.randrange(20, 140), players)
            other = with_other_pieces(position, number)
            view, same = position.view(), other.view()
            assert same.notation == view.notation, "the exchange can be seen, so it tests nothing"
            differs = position.notation != other.notation
            changed += differs
            if not differs:
                continue
            # The engine is handed the referee's whole position here, and must not make use of it.
            first = engine.analyze(position, simulations=900).to_dict()
            second = engine.analyze(other, simulations=900).to_dict()
            for report in (first, second):
                del report["seconds"], report["position"]
            assert first == second
            assert first["moves"]
            if number % 10 == 0:
                assert evaluate_moves(view, samples=24) == evaluate_moves(same, samples=24)
    assert changed >= 0.95 * VIEWS


def test_a_view_has_no_hidden_kind_in_it() -> None:
    for number in range(30):
        position = midgame(number, 60)
        view = position.view()
        hidden = {
            piece: kind for _, seat, kind, piece in position.state.standing() if SEATS[seat] != view.seat
        }
        for _, seat, kind, piece in view.state.standing():
            if SEATS[seat] == view.seat:
                continue
            # What it does say of a hidden piece follows from events, and is true.
            assert kind in ("?", hidden[piece])
            assert hidden[piece] in view.state.possible(piece)
