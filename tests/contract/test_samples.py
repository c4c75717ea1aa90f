"""The sample contract (native/games/sample.h) over every game that can have a network."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from typing import Any

import chess
import numpy as np
import pytest

import kibitz
from kibitz.errors import BadRequest
from kibitz.games import registry
from kibitz.games.base import GameInfo, Position
from kibitz.games.sample import Sample

#: Games that cannot have a network of this kind yet.
WITHOUT = {"junqi": "players see views of the board, which have no encoding yet"}

Array = Any


def start_of(game: str) -> Position:
    return kibitz.go.Position(7, rules="chinese") if game == "go" else registry.get(game).position()


def playthrough(game: str, seed: int, most: int = 120) -> list[Position]:
    dice = random.Random(seed)
    positions = [start_of(game)]
    while not positions[-1].is_over and len(positions) < most:
        positions.append(positions[-1].play(dice.choice(positions[-1].legal_moves)))
    while "pass" in positions[-1].legal_moves and not positions[-1].is_over:
        positions.append(positions[-1].play("pass"))
    return positions


#: A short game to its end, where chance hardly gets there.
FINISHED = {"chess": ("f2f3", "e7e5", "g2g4", "d8h4")}


def played(position: Position, moves: tuple[str, ...]) -> list[Position]:
    return list(itertools.accumulate(moves, lambda before, move: before.play(move), initial=position))


@pytest.fixture(params=[name for name in registry.names() if name not in WITHOUT], scope="module")
def game(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def info(game: str) -> GameInfo:
    return registry.get(game)


@pytest.fixture(scope="module")
def sample(info: GameInfo) -> Sample:
    assert info.sample is not None
    return info.sample


@pytest.fixture(scope="module")
def games(game: str) -> list[list[Position]]:
    made = [playthrough(game, seed) for seed in range(6)]
    return [*made, played(start_of(game), FINISHED[game])] if game in FINISHED else made


def test_every_other_game_says_that_it_has_none() -> None:
    assert {name for name in registry.names() if registry.get(name).sample is None} == set(WITHOUT)


def test_shapes_are_as_declared(sample: Sample, games: list[list[Position]]) -> None:
    for position in games[0]:
        shape = sample.shape(position)
        planes, numbers = sample.encode(position)
        assert planes.shape == shape[:3]
        assert numbers.shape == (shape.globals,)
        assert planes.dtype == numbers.dtype == np.float32
        assert np.isfinite(planes).all()
        assert np.isfinite(numbers).all()
        # Into rows of a batch, whatever was there before.
        batch = np.full((2, *shape[:3]), 7.0, np.float32)
        rest = np.full((2, shape.globals), 7.0, np.float32)
        position.state.encode_into(batch[1], rest[1])
        np.testing.assert_array_equal(batch[1], planes)
        np.testing.assert_array_equal(rest[1], numbers)
        assert (batch[0] == 7).all()
    with pytest.raises(ValueError, match="the sizes of sample_shape"):
        position.state.encode_into(np.zeros(5, np.float32), rest[0])
    with pytest.raises(TypeError):
        position.state.encode_into(batch[1].astype(np.float64), rest[1])


def test_the_policy_index_is_one_to_one(sample: Sample, games: list[list[Position]]) -> None:
    for positions in games:
        for position in positions:
            legal = position.legal_moves
            places = [sample.policy_index(position, move) for move in legal]
            assert len(set(places)) == len(legal)
            assert all(0 <= place < sample.shape(position).policy for place in places)
            assert [sample.policy_move(position, place) for place in places] == list(legal)
    size = sample.shape(games[0][0]).policy
    unused = next(place for place in range(size) if place not in places)
    for wrong in (unused, -1, size, 2**31 - 1):
        with pytest.raises(BadRequest, match="no legal move has this policy index"):
            sample.policy_move(position, wrong)


def test_symmetries_are_one_to_one(sample: Sample, games: list[list[Position]]) -> None:
    position = games[0][0]
    shape = sample.shape(position)
    assert len(sample.symmetries(position)) in (1, 4, 8)
    seen = set()
    for symmetry in sample.symmetries(position):
        points = position.state.symmetric_points(symmetry)
        places = position.state.symmetric_policy(symmetry)
        assert sorted(points) == list(range(shape.rows * shape.columns))
        assert sorted(places) == list(range(shape.policy))
        assert symmetry or points == sorted(points)
        seen.add(tuple(points))
    assert len(seen) == len(sample.symmetries(position))
    for wrong in (-1, len(seen), 512):
        with pytest.raises(ValueError, match="no such symmetry"):
            position.state.symmetric_points(wrong)
        with pytest.raises(ValueError, match="no such symmetry"):
            position.state.symmetric_policy(wrong)


def turned_game(sample: Sample, positions: list[Position], symmetry: int) -> list[Any]:
    """The states of the same game through a symmetry, each by playing the turned moves."""
    start = positions[0].state
    state = start.transformed(symmetry) if positions[0].game != "go" else start
    states = [state]
    for before, after in itertools.pairwise(positions):
        place = sample.policy_index(before, after.moves[-1])
        state = state.play(state.policy_move(before.state.symmetric_policy(symmetry)[place]))
        states.append(state)
    return states


def test_symmetries_commute_with_playing_moves(
    game: str, sample: Sample, games: list[list[Position]]
) -> None:
    if len(sample.symmetries(games[0][0])) == 1:
        # Pawns and castling leave no symmetry; a game written in Python names none.
        assert game in ("chess", "connect_four")
        return
    for positions in games[:3]:
        for symmetry in sample.symmetries(positions[0]):
            for position, turned in zip(positions, turned_game(sample, positions, symmetry), strict=True):
                planes, numbers = sample.encode(position)
                other_planes, other_numbers = turned.encode()
                expected = sample.turned_planes(position, planes, symmetry)
                np.testing.assert_array_equal(other_planes, expected)
                np.testing.assert_array_equal(other_numbers, numbers)
                mask = np.zeros(sample.shape(position).policy, np.float32)
                mask[[position.state.policy_index(move) for move in position.state.legal_moves()]] = 1
                legal = [turned.policy_index(move) for move in turned.legal_moves()]
                turned_mask = sample.turned_policy(position, mask, symmetry)
                assert sorted(np.flatnonzero(turned_mask)) == sorted(legal)


def swapped_othello(position: Position) -> Position:
    board, side = position.notation.split()
    turned = board.translate(str.maketrans("XO", "OX"))
    return registry.get("othello").position(f"{turned} {'O' if side == 'X' else 'X'}")


def swapped_chess(position: Position) -> Position:
    board = chess.Board(position.notation).mirror()
    return registry.get("chess").position(board.fen(en_passant="fen"))


SWAPPED: dict[str, Callable[[Position], Any]] = {
    "othello": lambda position: swapped_othello(position).state,
    "uttt": lambda position: position.state.swapped(),
    "chess": lambda position: swapped_chess(position).state,
}


def test_planes_are_from_the_movers_side(game: str, sample: Sample, games: list[list[Position]]) -> None:
    """The same position with the colours exchanged looks the same to a network."""
    if game == "connect_four":
        pytest.skip("who is to move follows from the discs, so no position has its colours exchanged")
    for positions in games[:2]:
        # Not the start: in chess a network is shown no boards before it, but some before its mirror image.
        for position in positions[1:40]:
            planes, numbers = sample.encode(position)
            if game == "go":
                # Black passes first: everything after it is played by the other colour.
                moves = ("pass", *position.moves)
                other = start_of(game).play(*moves) if _playable(start_of(game), moves) else None
                if other is None or "pass" in position.moves[:1]:
                    continue
                theirs, _ = sample.encode(other)
                np.testing.assert_array_equal(theirs[1:3], planes[1:3])
                continue
            state = SWAPPED[game](position)
            theirs, theirs_numbers = state.encode()
            if game == "chess":  # the position alone, without its past; plane 108 tells the colour
                alone = registry.get(game).position(position.notation)
                planes, numbers = sample.encode(alone)
                planes, theirs = np.delete(planes, 108, 0), np.delete(theirs, 108, 0)
            np.testing.assert_array_equal(theirs, planes)
            np.testing.assert_array_equal(theirs_numbers, numbers)


def _playable(position: Position, moves: tuple[str, ...]) -> bool:
    for move in moves:
        if position.is_over or move not in position.legal_moves:
            return False
        position = position.play(move)
    return True


def test_targets(sample: Sample, games: list[list[Position]]) -> None:
    for positions in games:
        last = positions[-1]
        if not last.is_over:
            continue
        own, other = (sample.targets(last, side) for side in (0, 1))
        assert sum(own.value) == pytest.approx(1)
        assert own.value == other.value[::-1]
        assert own.value[0] + own.value[1] / 2 == pytest.approx(last.result)
        assert (own.score is not None) == sample.has_score
        assert (own.ownership is not None) == sample.has_ownership
        if own.score is not None:
            assert other.score == -own.score
            assert own.score != 0 or own.value[0] == own.value[2]
            assert (own.score > 0) == (last.result == 1)
        if own.ownership is not None:
            assert own.ownership.shape == sample.shape(last)[1:3]
            assert set(np.unique(own.ownership)) <= {-1.0, 0.0, 1.0}
            np.testing.assert_array_equal(other.ownership, -own.ownership)
    with pytest.raises(BadRequest, match="the game is not over"):
        sample.targets(games[0][0], 0)
    assert any(positions[-1].is_over for positions in games)


def test_othello_owners_are_the_discs_and_the_score_counts_empties() -> None:
    for board, score, owned in (("X" * 40 + "-" * 24, 64, 40), ("X" * 40 + "O" * 24, 16, 16)):
        made = registry.get("othello").sample.targets(kibitz.othello.Position(f"{board} X"), 1)  # type: ignore[union-attr]
        assert made.value == (0.0, 0.0, 1.0)
        assert made.score == -score
        assert made.ownership is not None
        assert made.ownership.sum() == -owned


def test_uttt_planes_by_hand() -> None:
    """X in the centre of the centre, O answers in its corner: what X sees next."""
    position = kibitz.uttt.Position().play("44", "40")
    planes, numbers = registry.get("uttt").sample.encode(position)  # type: ignore[union-attr]
    assert (planes[0].sum(), planes[0][4, 4]) == (1, 1)
    assert (planes[1].sum(), planes[1][3, 3]) == (1, 1)
    assert planes[2].sum() == 9  # the top left sub-board
    assert planes[2][:3, :3].all()
    assert planes[3:].sum() == 0
    assert numbers.tolist() == [0.0]
    assert kibitz.uttt.Position("codingame").state.encode()[1].tolist() == [1.0]
