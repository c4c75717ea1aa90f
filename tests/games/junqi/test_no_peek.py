"""The search knows what its seat may know: with the hidden pieces exchanged in any way that fits what the
seat has seen, everything it says stays the same."""

from __future__ import annotations

import random
from typing import Any

from kibitz.engine import Engine
from kibitz.errors import IllegalMove
from kibitz.games.junqi import Position
from kibitz.games.junqi.beliefs import believe
from kibitz.games.junqi.pieces import SEATS
from kibitz.games.junqi.scoring import evaluate_moves
from kibitz.report import Report
from tests.games.junqi.tables import midgame

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


def told(report: Report, pictures: bool) -> tuple[dict[str, Any], ...]:
    """Everything a report says, the position in all its forms too, but for how long it took."""
    data = {**report.to_dict(), "seconds": None}
    shown = {"text": str(report.position), "repr": repr(report.position)}
    if pictures:
        shown["picture"] = report.svg()
    return data, shown, report.position.to_dict()


def refusal(game: Position, move: str) -> str:
    """Why a move cannot be played; "" when it can."""
    try:
        game.play(move)
    except IllegalMove as error:
        return str(error)
    return ""


def test_errors_tell_nothing() -> None:
    """An illegal move is refused in the same words, whatever the hidden pieces are."""
    for number in range(20):
        position = midgame(number, 60)
        other = with_other_pieces(position, number)
        nodes = [node for node, *_ in position.state.standing()]
        chance = random.Random(number)
        for _ in range(50):
            move = f"{chance.choice(nodes)}-{chance.choice(nodes)}"
            texts = [refusal(game, move) for game in (position, other)]
            assert texts[0] == texts[1]
            assert not any(legal in texts[0] for legal in position.legal_moves if legal != move)


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
            reports = [engine.analyze(game, simulations=900) for game in (position, other)]
            first, second = (told(report, pictures=number % 10 == 0) for report in reports)
            assert first == second
            assert first[0]["moves"]
            assert position.spectator().state.standing() == other.spectator().state.standing()
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
