"""A client of Junqi that records every byte it is sent learns no hidden piece.

`python -m tools.junqi_secrets --games 1000` compares more games, and the times of answers.
"""

from __future__ import annotations

import asyncio
from itertools import islice

from kibitz.engine import Engine
from kibitz.server.store.database import Database
from tests.server.secret_games import advice, secret_games, sent_in_room

ROOMS, ADVISED = 20, 6


def test_no_byte_of_a_room_depends_on_hidden_pieces() -> None:
    database = Database("sqlite://")
    database.migrate()
    errors = battles = 0
    for game in islice(secret_games(), ROOMS):
        first, second = (
            asyncio.run(sent_in_room(database, world, game.script, game.seat)) for world in game.worlds
        )
        assert first == second, f"game {game.number}"
        errors += sum('"type":"error"' in text for text in first[0])
        battles += game.battles
    assert errors >= ROOMS
    assert battles >= 0.5 * ROOMS
    database.close()


def test_no_byte_of_advice_depends_on_hidden_pieces() -> None:
    with Engine("junqi") as engine:
        pairs = [pair for game in islice(secret_games(), ADVISED) if (pair := game.to_move())]
        assert pairs
        for one, other in pairs:
            assert one.notation != other.notation
            assert advice(engine, one) == advice(engine, other)
