"""The network's input and output, against Lc0's own answers."""

from __future__ import annotations

import gzip
import json

import numpy as np
import pytest

import kibitz
from kibitz.games.chess import Position
from tests.paths import SHARED

REFERENCES = ("maia-1900", "maia-2200")


def policy_names() -> list[str]:
    """Lc0's moves by number, written out from the rule in words (native/games/chess/encode.cpp)."""
    squares = [f"{file}{rank}" for rank in "12345678" for file in "abcdefgh"]
    names = []
    for a in range(64):
        for b in range(64):
            dx, dy = abs(a % 8 - b % 8), abs(a // 8 - b // 8)
            if (dx or dy) and (dx == 0 or dy == 0 or dx == dy or {dx, dy} == {1, 2}):
                names.append(squares[a] + squares[b])
    for file in range(8):
        for to in (file - 1, file, file + 1):
            if 0 <= to < 8:
                names += [f"{'abcdefgh'[file]}7{'abcdefgh'[to]}8{piece}" for piece in "qrb"]
    return names


def test_policy_numbers() -> None:
    names = policy_names()
    assert len(names) == 1858
    # Facts from lczero-training's tf/policy_index.py.
    assert (names[0], names[22], names[97], names[1791], names[1792], names[1857]) == (
        "a1b1", "a1h8", "e1a1", "h8g8", "a7a8q", "h7h8b",
    )  # fmt: skip
    for fen in (
        "r3k2r/pPppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/1PPBBPPP/R3K2R w KQkq - 0 1",
        "4k3/8/8/8/8/8/p6p/1N2K1N1 b - - 0 1",
    ):
        position = Position(fen)
        for move in position.state.legal_moves():
            text = position.as_chess960().state.move_text(move)
            if position.to_move == 1:  # seen from black's side of the board
                text = text[0] + str(9 - int(text[1])) + text[2] + str(9 - int(text[3])) + text[4:]
            assert names[position.state.policy_index(move)] == text.removesuffix("n")


def test_repetitions_are_marked() -> None:
    position = Position().play("g1f3", "g8f6", "f3g1", "f6g8")
    planes = position.state.encode()[0]
    assert planes.shape == (112, 8, 8)
    assert planes[12].min() == 1
    assert planes[25].max() == 0
    assert planes[109].max() == 4


def test_history_is_filled_as_wanted() -> None:
    start, fen = Position(), Position("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")

    def boards(position: Position) -> int:
        planes = position.state.encode()[0][:104].reshape(8, 13, 64)
        return sum(board[:12].any() for board in planes)

    assert (boards(start), boards(fen)) == (1, 8)  # fen_only
    assert (boards(start.with_history(True)), boards(fen.with_history(True))) == (8, 8)
    assert (boards(start.with_history(False)), boards(fen.with_history(False))) == (1, 1)
    later = fen.with_history(False).play("e2e4", "e8e7")
    assert boards(later) == 3
    assert later.state.cache_key != fen.play("e2e4", "e8e7").state.cache_key
    # The first board again, not another one.
    planes = start.with_history(True).play("g1f3").state.encode()[0][:104].reshape(8, 13, 64)
    assert (planes[1] == planes[7]).all()
    assert not (planes[0] == planes[1]).all()


def test_cached_evaluations_are_told_apart_by_all_a_network_sees() -> None:
    one = Position().play("g1f3", "g8f6", "b1c3")
    other = Position().play("b1c3", "g8f6", "g1f3")
    assert one.hash == other.hash
    assert one.state.cache_key != other.state.cache_key
    assert one.state.cache_key == Position().play("g1f3", "g8f6", "b1c3").state.cache_key
    text = Position(one.fen)
    assert text.state.cache_key != one.state.cache_key
    older = one.fen.split()
    older[4] = "20"
    assert Position(" ".join(older)).state.cache_key != text.state.cache_key


def references(name: str) -> list[dict[str, object]]:
    path = SHARED / "reference" / f"lc0-{name}-nodes1.jsonl.gz"
    if not path.is_file():
        pytest.skip(f"lc0's answers for {name} are not here")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


@pytest.mark.parametrize("name", REFERENCES)
def test_priors_and_values_are_lc0s(name: str) -> None:
    rows = references(name)
    nets = pytest.importorskip("kibitz.nets", reason="this build has no networks")
    network = nets.load(SHARED / "nets" / f"{name}.pb.gz")
    positions = [Position().play_on(*row["moves"]) for row in rows]  # type: ignore[misc]
    planes = np.stack([position.state.encode()[0] for position in positions])
    policy, outcomes = network(planes, None)
    assert len(rows) >= 100
    for row, position, logits, outcome in zip(rows, positions, policy, outcomes, strict=True):
        numbers = {}
        for move in position.state.legal_moves():
            # Lc0 shows castling as king takes rook.
            text = position.as_chess960().state.move_text(move)
            numbers[text] = position.state.policy_index(move)
        priors = row["priors"]
        assert isinstance(priors, dict)
        assert set(numbers) == set(priors)
        odds = np.exp([logits[number] - max(logits) for number in numbers.values()])
        ours = dict(zip(numbers, odds / odds.sum(), strict=True))
        assert max(abs(ours[move] - prior) for move, prior in priors.items()) < 1e-3
        assert abs(outcome[0] - outcome[2] - row["v"]) < 1e-3


def test_the_search_uses_a_network() -> None:
    """A network that only likes one move gets one line."""
    wanted = Position().state.policy_index(Position().state.parse_move("a2a4"))

    def network(planes: np.ndarray, _: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        policy = np.zeros((len(planes), 1858), np.float32)
        policy[:, wanted] = 8
        outcomes = np.tile(np.array([[0.3, 0.4, 0.3, 0.0]], np.float32), (len(planes), 1))
        return policy, outcomes

    with kibitz.Engine("chess", "lc0", network=network) as engine:
        report = engine.analyze(Position(), visits=1)
        assert report.best == "a2a4"
        assert report.root.visits == 1
        assert report.root.first_value == pytest.approx(0.5)
        report = engine.analyze(Position(), visits=100)
    assert report.best == "a2a4"
    assert report.root.draw == pytest.approx(0.4, abs=0.01)
