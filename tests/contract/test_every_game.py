"""The contract every registered game keeps, checked by random playthroughs. A new game is tested by being
in the registry."""

from __future__ import annotations

import copy
import random
import xml.etree.ElementTree as ElementTree

import pytest

from kibitz.errors import BadPosition, IllegalMove
from kibitz.games import registry
from kibitz.games.base import GameInfo, Position

PLAYTHROUGHS = 20


def playthrough(info: GameInfo, seed: int, most: int = 400) -> list[Position]:
    """The positions of a random game, the start first; long games are cut."""
    rng = random.Random(seed)
    positions = [info.position()]
    while not positions[-1].is_over and len(positions) < most:
        positions.append(positions[-1].play(rng.choice(positions[-1].legal_moves)))
    # Where passes end a game, chance alone hardly ever passes often enough.
    while "pass" in positions[-1].legal_moves and len(positions) >= most:
        positions.append(positions[-1].play("pass"))
    return positions


@pytest.fixture(params=registry.names(), scope="module")
def info(request: pytest.FixtureRequest) -> GameInfo:
    return registry.get(request.param)


@pytest.fixture(scope="module")
def games(info: GameInfo) -> list[list[Position]]:
    return [playthrough(info, seed) for seed in range(PLAYTHROUGHS)]


def test_legal_moves_are_legal_and_others_are_not(games: list[list[Position]]) -> None:
    for positions in games[:5]:
        for position in positions:
            state = position.state
            legal = state.legal_moves()
            assert len(set(legal)) == len(legal)
            assert bool(legal) != position.is_over
            for move in legal:
                assert state.is_legal(move)
                assert state.parse_move(state.move_text(move)) == move
                following = state.play(move)
                assert following != state
            for move in range(0, 65536, 97):
                assert state.is_legal(move) == (move in legal)


def test_positions_do_not_change_and_replay_undoes(games: list[list[Position]]) -> None:
    for positions in games:
        last = positions[-1]
        assert last.start == positions[0]
        for ply, position in enumerate(positions):
            assert position.moves == last.moves[:ply]
            if ply % 7 == 0 or position is last:
                replayed = last.start.play(*last.moves[:ply])
                assert replayed == position
                assert replayed.notation == position.notation
                assert replayed.legal_moves == position.legal_moves


def test_equal_positions_have_equal_hashes(games: list[list[Position]]) -> None:
    seen: dict[str, Position] = {}
    for positions in games:
        for position in positions:
            known = seen.setdefault(position.notation, position)
            if known == position:
                assert known.hash == position.hash
    hashes = {position.hash for position in seen.values()}
    assert len(hashes) >= 0.99 * len(seen)


def test_transpositions_agree(info: GameInfo) -> None:
    """Two orders of the same moves, where the rules allow both, give equal positions and hashes."""
    if "transpositions" in info.unsupported:
        pytest.skip(f"{info.name} lacks transpositions: {info.unsupported['transpositions']}")
    transpositions = 0
    for seed in range(300):
        positions = playthrough(info, 1000 + seed)
        ply = random.Random(seed).randrange(max(1, len(positions) - 4))
        base, moves = positions[ply], positions[-1].moves[ply : ply + 3]
        if len(moves) < 3 or base.is_over:
            continue
        try:
            other = base.play(moves[2], moves[1], moves[0])
        except IllegalMove:
            continue
        first = base.play(*moves)
        if first.notation == other.notation:
            assert first.hash == other.hash
            transpositions += 1
    assert transpositions >= 5


def test_symmetric_positions_are_alike(info: GameInfo, games: list[list[Position]]) -> None:
    if info.position.images is Position.images:
        pytest.skip(f"{info.name} has no symmetry that keeps the result")
    for positions in games[:8]:
        for position in positions[::3] + positions[-1:]:
            for image in position.images():
                assert len(image.legal_moves) == len(position.legal_moves)
                assert image.to_move == position.to_move
                assert image.is_over == position.is_over
                assert image.result == position.result


def test_finished_games_have_a_result(games: list[list[Position]]) -> None:
    finished = 0
    for positions in games:
        for position in positions:
            if position.is_over:
                finished += 1
                assert position.result in (0.0, 0.5, 1.0)
                assert position.legal_moves == ()
                with pytest.raises(IllegalMove):
                    position.play(positions[0].legal_moves[0])
            else:
                assert position.result is None
    assert finished >= 1


def test_notation_round_trips(info: GameInfo, games: list[list[Position]]) -> None:
    for positions in games:
        for position in positions[::2] + positions[-1:]:
            again = info.position(position.notation)
            assert again.notation == position.notation
            assert again.to_move == position.to_move
            # What the rules remember of the past, such as repetition, may end a game; no notation has it.
            if position.is_over and not again.is_over:
                continue
            assert again.legal_moves == position.legal_moves


@pytest.mark.parametrize("text", ["", "x", "nonsense", "\0", "-" * 1000, "é" * 64])
def test_bad_notation_is_one_line(info: GameInfo, text: str) -> None:
    with pytest.raises(BadPosition) as caught:
        info.position(text)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("text", ["", "zz", "9", "\0", "a" * 5000, "d3 d4"])
def test_bad_moves_are_one_line(info: GameInfo, text: str) -> None:
    with pytest.raises(IllegalMove) as caught:
        info.position().play(text)
    assert "\n" not in str(caught.value)


def test_boards_can_be_seen(info: GameInfo, games: list[list[Position]]) -> None:
    for position in games[0][::10]:
        assert str(position).count("\n") >= 2
        assert ElementTree.fromstring(position.svg()).tag.endswith("svg")
    assert repr(games[0][0]).startswith(f"kibitz.{info.name}.Position(")


def test_positions_can_be_copied_and_compared(games: list[list[Position]]) -> None:
    last = games[0][-1]
    again = copy.copy(last)
    assert again == last
    assert again.moves == last.moves
    assert hash(again) == hash(last)
    assert last != games[0][0]
    assert last != "text"
