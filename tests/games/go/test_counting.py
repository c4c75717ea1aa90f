"""Scores that players agree on, by area and by territory, beside scorers that share nothing with the engine:
sgfmill's area score, and a flood fill of territory."""

from __future__ import annotations

import gzip
import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sgfmill import boards

from kibitz.errors import BadRequest, IllegalMove
from kibitz.games.counting import accepts
from kibitz.games.go import Position
from kibitz.games.go.position import COLUMNS
from tests.paths import SHARED

REFERENCE = SHARED / "reference" / "go-finished-games.jsonl.gz"
WALL = [f"C{row}" for row in range(1, 6)]


def text(score: float) -> str:
    return f"{'B' if score > 0 else 'W'}+{abs(score):g}"


def score(position: Position, dead: Any = ()) -> float:
    return position.counting.count(position, dead).score


def board_of(rows: str, **more: Any) -> Position:
    """A board drawn as rows, `X` black and `O` white."""
    lines = rows.split()
    stones: dict[str, list[str]] = {"X": [], "O": []}
    for y, line in enumerate(lines):
        for x, stone in enumerate(line):
            if stone in stones:
                stones[stone].append(f"{COLUMNS[x]}{len(lines) - y}")
    return Position((len(lines[0]), len(lines)), black=stones["X"], white=stones["O"], **more)


# -- by hand ------------------------------------------------------------------------------------------


def example() -> Position:
    """A wall down the middle, and a lone white stone in Black's half."""
    black = [f"E{row}" for row in range(1, 10)]
    white = [f"D{row}" for row in range(1, 10)]
    return Position(9, rules="chinese", komi=7.5, black=black, white=[*white, "G5"])


def test_lone_stone_in_the_other_half() -> None:
    end = example().play("pass", "pass")
    assert end.is_counting
    assert end.score == -35.5  # as the board stands
    assert end.counting.propose(end, ()) == ("G5",)  # by playouts
    settled = end.play("count:G5")
    assert (settled.score, settled.result, settled.is_over, settled.is_counting) == (1.5, 1.0, True, False)
    assert settled.dead == ("G5",)


def test_parts_of_both_sides() -> None:
    area = example().counting.count(example(), ["G5"])
    assert [line.code for line in area.lines] == ["go.area", "go.areaKomi", "go.wins"]
    assert str(area.lines[0]) == "black: 9 stones + 36 territory = 45"
    assert str(area.lines[1]) == "white: 9 stones + 27 territory + komi 7.5 = 43.5"
    board = Position(5, rules="japanese", komi=0.5, black=WALL, white=["A3", "E2"])
    territory = board.counting.count(board, ["A3", "E2"])
    assert str(territory.lines[0]) == "black: 20 territory + 2 prisoners = 22"
    assert str(territory.lines[1]) == "white: 0 territory + 0 prisoners + komi 0.5 = 0.5"


def test_area_counts_what_is_left() -> None:
    board = Position(5, rules="chinese", komi=0.5, black=WALL, white=["A3", "E2"])
    assert score(board, ["A3", "E2"]) == 24.5
    assert score(board, ["A3"]) == 13.5  # the left side is Black's, the right nobody's


def test_territory_counts_prisoners() -> None:
    board = Position(5, rules="japanese", komi=0.5, black=WALL, white=["A3", "E2"])
    # 20 points of territory and two prisoners.
    assert score(board, ["A3", "E2"]) == 21.5


def test_captures_of_the_game_count_under_territory_rules() -> None:
    board = Position(5, rules="japanese", komi=0.5)
    for colour, vertex in (("b", "B1"), ("w", "A1"), ("b", "A2"), ("w", "E5")):
        board = board.play_as(colour, vertex, tolerant=True)
    assert board.captures == (0, 1)
    assert score(board) == 1 - 0.5  # the prisoner; nobody lives yet
    assert score(board, ["E5"]) == 23 + 2 - 0.5
    assert score(Position(board.notation)) == score(board)  # the notation has the balance of prisoners


@pytest.mark.parametrize(("rules", "lead"), [("chinese", 21 - 21), ("japanese", 12 - 9)])
def test_neutral_points_that_nobody_filled(rules: str, lead: float) -> None:
    """Three points touch both sides and are nobody's. The territories beside them count all the same."""
    board = board_of(
        """
        ......X.O
        ......X.O
        XXXXXXX.O
        OOOOOOOOO
        .........
        """,
        rules=rules,
        komi=0,
    )
    assert score(board) == lead


@pytest.mark.parametrize(("rules", "points"), [("chinese", (3, 10)), ("japanese", (2, 9))])
def test_eyes_in_seki_are_no_points_under_japanese_rules(rules: str, points: tuple[int, int]) -> None:
    """A6 and D6 have an eye each and share the liberty C7: who plays there loses. The others live."""
    board = board_of(
        """
        .X.O.OX.X
        XXOOOOXX.
        OOXXXXXXX
        OOOOOOOOO
        .........
        """,
        rules=rules,
        komi=0,
    )
    lines = board.counting.count(board, []).lines
    assert (lines[0].values["territory"], lines[1].values["territory"]) == points


def test_japanese_rules_need_two_passes() -> None:
    board = Position(5, rules="japanese", komi=0.5).play("C3", "pass", "pass")
    assert board.is_counting
    assert not board.is_over
    settled = board.play("count")
    assert settled.is_over
    assert settled.score == 23.5


@pytest.mark.parametrize("rules", ["chinese", "japanese", "aga", "tromp-taylor"])
def test_play_goes_on_and_stops_again(rules: str) -> None:
    board = Position(5, rules=rules, komi=0.5).play("C3", "pass", "pass", "resume")
    assert not board.is_over
    assert not board.is_counting
    assert not board.play("pass").is_counting  # one pass does not stop it
    end = board.play("C2", "pass", "pass")
    assert end.is_counting
    again = Position.from_dict(end.play("count").to_dict())
    assert again.moves == ("C3", "pass", "pass", "resume", "C2", "pass", "pass", "count")
    assert again == end.play("count")


def test_settled_game_from_its_notation() -> None:
    settled = example().play("pass", "pass", "count:G5")
    same = Position(settled.notation)
    assert (same, same.score, same.dead, same.hash) == (settled, 1.5, ("G5",), settled.hash)
    assert same != Position(settled.notation.replace(" dead=G5", ""))


@pytest.mark.parametrize("move", ["count", "count:A1", "resume"])
def test_nothing_is_counted_while_play_goes_on(move: str) -> None:
    with pytest.raises(IllegalMove):
        example().play(move)


@pytest.mark.parametrize("move", ["count:A1", "count:Z9", "count:", "count:pass", "count:G5,G5!"])
def test_dead_stones_must_be_stones(move: str) -> None:
    with pytest.raises((BadRequest, IllegalMove)):
        example().play("pass", "pass", move)


def test_click_marks_a_whole_chain() -> None:
    board = example()
    counting = board.counting
    assert counting.toggled(board, [], "G5") == ("G5",)
    assert len(counting.toggled(board, ["G5"], "D1")) == 10
    assert counting.toggled(board, counting.toggled(board, ["G5"], "D1"), "D9") == ("G5",)


def test_engine_accepts_no_count_that_costs_it() -> None:
    board = example()
    fair, generous = board.counting.count(board, ["G5"]), board.counting.count(board, [])
    assert accepts(fair, fair, 0)
    assert accepts(fair, fair, 1)
    assert not accepts(generous, fair, 0)
    assert accepts(generous, fair, 1)


# -- beside scorers of others -------------------------------------------------------------------------


def played(seed: int, size: int, moves: int, rules: str) -> Position:
    chance = random.Random(seed)
    board = Position(size, rules=rules, komi=6.5)
    for _ in range(moves):
        legal = board.legal_moves[:-1]
        if not legal:
            break
        board = board.play(chance.choice(legal))
    return board


def cells_of(position: Position) -> dict[tuple[int, int], str]:
    return {(x, y): stone for y, row in enumerate(position.stones) for x, stone in enumerate(row)}


def reach(cells: dict[tuple[int, int], str], start: tuple[int, int]) -> tuple[set[Any], set[str]]:
    """What is connected to a point, and the stones beside it."""
    kind, todo, seen, beside = cells[start], [start], {start}, set()
    while todo:
        x, y = todo.pop()
        for near in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            if near in seen or near not in cells:
                continue
            if cells[near] == kind:
                seen.add(near)
                todo.append(near)
            else:
                beside.add(cells[near])
    return seen, beside


def some_dead(position: Position, seed: int) -> list[str]:
    """Some chains, all their stones."""
    chance, cells, dead = random.Random(seed), cells_of(position), []
    done: set[Any] = set()
    for at, stone in cells.items():
        if stone != "." and at not in done:
            chain, _ = reach(cells, at)
            done |= chain
            if chance.random() < 0.2:
                dead += [f"{COLUMNS[x]}{position.size[1] - y}" for x, y in chain]
    return dead


games = st.builds(
    played, st.integers(0, 2**30), st.sampled_from([5, 7, 9]), st.integers(0, 90), st.just("chinese")
)


@given(position=games, seed=st.integers(0, 2**30))
def test_area_as_sgfmill_counts_it(position: Position, seed: int) -> None:
    dead = some_dead(position, seed)
    size = position.size[0]
    board = boards.Board(size)
    for (x, y), stone in cells_of(position).items():
        if stone != "." and f"{COLUMNS[x]}{size - y}" not in dead:
            board.board[size - 1 - y][x] = "b" if stone == "X" else "w"
            board._is_empty = False
    assert score(position, dead) == board.area_score() - position.komi


@given(
    seed=st.integers(0, 2**30),
    size=st.sampled_from([5, 7]),
    moves=st.integers(0, 60),
    marks=st.integers(0, 99),
)
def test_territory_as_a_flood_fill_counts_it(seed: int, size: int, moves: int, marks: int) -> None:
    """Without the rule of seki: territory, captured stones, dead stones."""
    rules = "koSIMPLEscoreTERRITORYtaxNONEsui0"
    position = played(seed, size, moves, rules)
    dead = some_dead(position, marks)
    cells = cells_of(position)
    taken = {"X": position.captures[0], "O": position.captures[1]}
    for vertex in dead:
        at = COLUMNS.index(vertex[0]), size - int(vertex[1:])
        taken[cells[at]] += 1
        cells[at] = "."
    lead = taken["O"] - taken["X"] - position.komi
    done: set[Any] = set()
    for at, stone in cells.items():
        if stone != "." or at in done:
            continue
        region, beside = reach(cells, at)
        done |= region
        lead += len(region) * {("X",): 1, ("O",): -1}.get(tuple(beside), 0)
    assert score(position, dead) == lead


@given(position=games, seed=st.integers(0, 2**30))
def test_record_and_notation_keep_the_count(position: Position, seed: int) -> None:
    end = position if position.is_counting else position.play("pass", "pass")
    if not end.is_counting:  # a pass that repeats a position
        return
    settled = end.play(end.counting.count(end, some_dead(end, seed)).move)
    assert Position.from_dict(settled.to_dict()) == settled
    assert Position(settled.notation).score == settled.score


@pytest.mark.skipif(not REFERENCE.is_file(), reason="the finished games are not here")
def test_finished_games_score_as_gnu_go_and_katago_have_them() -> None:
    with gzip.open(REFERENCE, "rt", encoding="utf-8") as lines:
        games = [json.loads(line) for line in lines]
    assert len(games) >= 10
    for game in games:
        board = Position(game["size"], rules=game["rules"], komi=game["komi"])
        for _, vertex in game["moves"]:
            board = board.play(vertex.lower() if vertex == "PASS" else vertex)
        assert text(score(board, game["dead"])) == game["score"]
        assert board.is_counting
        assert text(board.play(board.counting.count(board, game["dead"]).move).score) == game["score"]
