"""The ranking of players by S2."""

from __future__ import annotations

import numpy as np
import pytest

from kibitz.errors import BadOption
from kibitz.style import load_s2, measure_pgn
from kibitz.style.players import rank_players

HYPERMODERN = "1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. O-O O-O 5. b3 b6 6. Bb2 Bb7 *"
CLASSICAL = "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. d4 exd4 5. c3 d5 6. exd5 Nce7 *"


def game(white: str, black: str, moves: str) -> str:
    return f'[White "{white}"]\n[Black "{black}"]\n\n{moves}\n\n'


def test_ranking_by_the_side_played() -> None:
    text = "".join(
        game("Reti, R", "Nimzowitsch,A ", HYPERMODERN) + game("Morphy, P", "NN", CLASSICAL) for _ in range(3)
    )
    text += game("Nimzowitsch, A", "Morphy, P", CLASSICAL)
    games = measure_pgn(text.encode(), named=True)
    rows = {row.player: row for row in rank_players(games, least=2)}
    assert list(rows)[-1] == "Morphy, P"
    assert set(rows) == {"Reti, R", "Nimzowitsch, A", "Morphy, P"}
    sides = load_s2().sides(games.sides)
    own = [sides[0, 1], sides[2, 1], sides[4, 1], sides[6, 0]]
    row = rows["Nimzowitsch, A"]
    assert row.games == 4
    assert row.s2 == pytest.approx(np.mean(own))
    assert row.white == pytest.approx(sides[6, 0])
    assert row.high - row.s2 == pytest.approx(1.96 * np.std(own, ddof=1) / 2)
    assert rows["Reti, R"].black is None


def test_players_with_few_games_are_left_out() -> None:
    games = measure_pgn(
        (game("Ann", "Ben", CLASSICAL) * 2 + game("Ann", "Cyd", CLASSICAL)).encode(), named=True
    )
    assert [row.player for row in rank_players(games, least=3)] == ["Ann"]
    with pytest.raises(BadOption, match="2 games"):
        rank_players(games, least=1)
    with pytest.raises(BadOption, match="with their names"):
        rank_players(measure_pgn(CLASSICAL.encode() + b"\n"))
