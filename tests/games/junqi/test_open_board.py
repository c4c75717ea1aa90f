"""The board that examines the engine (tools/junqi_open_board.py): known counts, and the engine's moves."""

from __future__ import annotations

import random

import pytest

import kibitz
from kibitz.games.junqi import Position, layouts
from kibitz.games.junqi.pieces import SEATS
from tools.junqi_open_board import Board, Race, graph_of


@pytest.mark.parametrize(
    ("players", "nodes", "edges", "rails", "engineer", "others"),
    [(4, 129, 288, 73, 5624, 1392), (2, 60, 133, 32, 1176, 446)],
)
def test_graph(players: int, nodes: int, edges: int, rails: int, engineer: int, others: int) -> None:
    """Sums that were counted elsewhere; a piece in a headquarters does not move."""
    graph = graph_of(players)
    assert len(graph.steps) == nodes
    assert sum(map(len, graph.steps.values())) == 2 * edges
    assert len(graph.rails) == rails
    for kind, count in (("1", engineer), ("9", others)):
        assert (
            sum(len(set(Board(players, {node: ("S", kind)}).targets(node))) for node in graph.steps) == count
        )


@pytest.mark.parametrize("players", [2, 4])
def test_same_moves_as_the_engine(players: int) -> None:
    chance = random.Random(players)
    position = Position.deal(layouts.deal(7, players=players))
    for _ in range(120):
        if position.is_over:
            break
        pieces = {node: (SEATS[seat], kind) for node, seat, kind, _ in position.state.standing()}
        moves = ["-".join(move) for move in Board(players, pieces).moves(position.mover)]
        assert sorted(moves) == sorted(position.legal_moves)
        position = position.play(chance.choice(position.legal_moves))


def test_race() -> None:
    """An intruder beside the flag: a hit holds it, doing something else does not."""
    board = Board(
        2, {"S62": ("S", "F"), "S53": ("S", "5"), "S52": ("N", "4"), "N11": ("N", "9"), "N62": ("N", "F")}
    )
    race = Race(board, "S", turns=1)
    assert not race.saves(None)
    assert race.saves(("S53", "S52"))
    assert not race.saves(("S53", "S43"))


@pytest.mark.parametrize(
    ("text", "takes"),
    [
        # The game is over, whatever threatens our own flag.
        (
            "2 dark draw=70 turn=N quiet=0 ply=100 "
            "S:1x,9x,6>N44,5x,2,3,1>S42,2,Bx,6x,2,4,3x,7,5,M,B,7,8,Mx,M,F!,3x,1,4 "
            "N:9x,5,3,6>S63,2x,B,7,1x,8,Bx,1>N43,4,6,3x,2>N33,4,M,7>N24,1>S24,3>S23,5x,2x,M,F!,M",
            "S63-S62",
        ),
        # A race that wins the flag later is worth no more than the flag now.
        (
            "4 dark draw=70 turn=E quiet=0 ply=100 "
            "S:2x,5x,3,7,5x,6,7,3,6,1x,4x,4,1,1,B,Mx,2>E42,3>E52,2,M,9>E44,8,B,F,M "
            "E:7x,2>E11,8>E63,5,4x,2x,6x,3x,7x,5x,1x,1>N54,1x,3>N44,4>N22,6x,2x,9>S11,Mx,Mx,Mx,F,Bx,3,Bx "
            "N:8,7,2,3,3>C33,6,4x,Bx,1,1,B,2x,7,3>S24,2>E54,1>E65,5x,5x,4x,9x,Mx,M,6,F!,M "
            "W:2,1,1,2,4,6>E25,Bx,Bx,6,4,7,2,9,7,5,Mx,1,5,3x,Mx,Mx,F,3x,3,8x",
            "N54-N64",
        ),
    ],
)
def test_engine_takes_a_flag_that_was_shown(text: str, takes: str) -> None:
    assert kibitz.analyze(Position(text).view(), simulations=4000).best == takes
