"""Samples on disk: what was written is read again, nothing twice, in the same order for the same seed."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kibitz
from kibitz.errors import BadOption, BadRecord
from kibitz.games import registry
from kibitz.training.game import PlayedGame, SearchedMove
from kibitz.training.samples import GameSamples, SampleReader, SampleWriter, Window, samples_of_game
from kibitz.training.samples.manifest import Manifest
from kibitz.training.samples.searched import sides_of, stacked

pytest.importorskip("pyarrow")

GAMES = ("go", "othello", "chess", "uttt")


def played(game: str, seed: int, plies: int = 30, size: int = 9) -> PlayedGame:
    """A random game with visits that are made up."""
    dice = random.Random(seed)
    start = kibitz.go.Position(size, rules="chinese") if game == "go" else registry.get(game).position()
    position, searches = start, []
    while not position.is_over and len(searches) < plies:
        moves = dice.sample(position.legal_moves, min(3, len(position.legal_moves)))
        visits = {move: dice.randint(1, 9) for move in moves}
        searches.append(SearchedMove(visits, dict.fromkeys(visits, 0.5), 0.25))
        position = position.play(moves[0])
    result = position.result if position.is_over else None
    return PlayedGame(seed, game, start.notation, position.moves, tuple(searches), result)


def samples(game: str, seed: int, **more: Any) -> GameSamples:
    size, plies = more.pop("size", 9), more.pop("plies", 30)
    made = samples_of_game(played(game, seed, plies, size), f"{game}-{seed}", **more)
    assert made is not None
    return made


def write(folder: Path, game: str, seeds: range, **more: Any) -> None:
    with SampleWriter(folder, game, shard_positions=40) as writer:
        for seed in seeds:
            writer.add(samples(game, seed, **more))


@pytest.mark.parametrize("game", GAMES)
def test_what_was_written_is_read(tmp_path: Path, game: str) -> None:
    made = samples(game, 1)
    with SampleWriter(tmp_path, game) as writer:
        assert writer.add(made)
    reader = SampleReader([tmp_path], batch=len(made), symmetries=False, shuffle=False)
    [batch] = reader.batches()
    np.testing.assert_array_equal(batch.planes, made.planes)
    np.testing.assert_allclose(batch.globals, made.globals, atol=1e-3)
    np.testing.assert_array_equal(batch.value, made.value)
    assert made.q is not None
    np.testing.assert_array_equal(batch.q, made.q)
    for row, (indices, shares) in enumerate(made.policy):
        np.testing.assert_allclose(batch.policy[row, indices], shares, atol=2e-3)
        assert batch.policy[row].sum() == pytest.approx(1, abs=1e-5)
    assert batch.uniform
    assert (batch.mask == 1).all()


def test_planes_that_are_not_bits_are_kept(tmp_path: Path) -> None:
    """Lc0's plane of moves without progress counts beyond 1."""
    position = registry.get("chess").position()
    for move in ("g1f3", "g8f6", "f3g1", "f6g8", "g1f3"):
        position = position.play(move)
    planes, numbers = stacked([position])
    assert planes.max() > 1
    one = np.array([[1, 0, 0]], np.float32)
    made = GameSamples(
        "chess", "a", planes, numbers, [((), ())], one, sides_of([position]), np.array([5]), np.array([0])
    )
    with SampleWriter(tmp_path, "chess") as writer:
        writer.add(made)
    [batch] = SampleReader([tmp_path], batch=1, shuffle=False).batches()
    np.testing.assert_array_equal(batch.planes, planes)
    assert batch.policy.sum() == 0


def test_a_game_is_written_once(tmp_path: Path) -> None:
    """A run that is killed writes its games again; those in a closed shard are not counted twice."""
    write(tmp_path, "othello", range(4))
    before = Manifest.read(tmp_path)
    assert before.games == 4
    with SampleWriter(tmp_path, "othello", shard_positions=40) as writer:
        assert "othello-2" in writer
        assert not writer.add(samples("othello", 2))
        assert writer.add(samples("othello", 4))
    after = Manifest.read(tmp_path)
    assert after.games == 5
    assert after.shards[: len(before.shards)] == before.shards
    after.verify(tmp_path)


def test_a_shard_that_the_manifest_does_not_name_is_dropped(tmp_path: Path) -> None:
    """A kill between the shard and the manifest: its games are written again, not counted twice."""
    write(tmp_path, "othello", range(4))
    whole = Manifest.read(tmp_path)
    short = Manifest(whole.game, whole.origin, whole.shards[:-1])
    short.write(tmp_path)
    (tmp_path / "shard-000099.parquet.tmp").write_bytes(b"half")
    write(tmp_path, "othello", range(4))
    again = Manifest.read(tmp_path)
    assert (again.games, again.positions) == (whole.games, whole.positions)
    assert not list(tmp_path.glob("*.tmp"))


def test_damage_is_found(tmp_path: Path) -> None:
    write(tmp_path, "othello", range(2))
    manifest = Manifest.read(tmp_path)
    path = tmp_path / manifest.shards[0].name
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    with pytest.raises(BadRecord, match="check sum"):
        manifest.verify(tmp_path)
    (tmp_path / "manifest.json").write_text('{"format": "kibitz-samples", "version": 1}')
    with pytest.raises(BadRecord, match="damaged manifest"):
        Manifest.read(tmp_path)


def test_two_writers_of_a_folder(tmp_path: Path) -> None:
    with SampleWriter(tmp_path, "go"), pytest.raises(BadOption, match="another process"):
        SampleWriter(tmp_path, "go")
    with SampleWriter(tmp_path / "b", "go") as writer, pytest.raises(BadOption, match="not of chess"):
        writer.add(samples("chess", 1))


def test_batches_depend_on_the_seed_only(tmp_path: Path) -> None:
    """A run that goes on at batch 7 sees what an uninterrupted one would."""
    write(tmp_path, "othello", range(12))

    def batches(seed: int, start: int, count: int) -> list[Any]:
        reader = SampleReader([tmp_path], batch=16, seed=seed, shards_at_once=2)
        stream = reader.batches(start)
        return [next(stream).planes for _ in range(count)]

    whole = batches(1, 0, 40)  # more than an epoch
    for start in (7, 30):
        for a, b in zip(batches(1, start, 5), whole[start:], strict=False):
            np.testing.assert_array_equal(a, b)
    assert any((a != b).any() for a, b in zip(batches(2, 0, 5), whole, strict=False))


def test_an_epoch_has_every_row_once(tmp_path: Path) -> None:
    write(tmp_path, "othello", range(8))
    reader = SampleReader([tmp_path], batch=8, shuffle=False, symmetries=False)
    assert sum(len(batch) for batch in reader.batches()) == reader.positions
    shuffled = SampleReader([tmp_path], batch=1, seed=3, symmetries=False)
    batches = shuffled.batches()
    rows = {next(batches).planes.tobytes() for _ in range(shuffled.positions)}
    ordered = {
        batch.planes.tobytes()
        for batch in SampleReader([tmp_path], batch=1, shuffle=False, symmetries=False).batches()
    }
    assert rows == ordered


@pytest.mark.parametrize("game", ["go", "othello", "uttt"])
def test_symmetries_turn_everything_alike(tmp_path: Path, game: str) -> None:
    """A turned sample is the sample of the turned position: the contract's own functions are the oracle."""
    made = samples(game, 3)
    with SampleWriter(tmp_path, game) as writer:
        writer.add(made)
    info = registry.get(game)
    assert info.sample is not None
    start = played(game, 3).position(0)
    [plain] = SampleReader([tmp_path], batch=len(made), shuffle=False, symmetries=False).batches()
    [turned] = SampleReader([tmp_path], batch=len(made), shuffle=False, seed=5).batches()
    seen = set()
    for row in range(len(made)):
        fits = [
            symmetry
            for symmetry in info.sample.symmetries(start)
            if (info.sample.turned_planes(start, plain.planes[row], symmetry) == turned.planes[row]).all()
            and (info.sample.turned_policy(start, plain.policy[row], symmetry) == turned.policy[row]).all()
        ]
        assert fits
        seen.update(fits)
    assert len(seen) > 4


def test_board_sizes_mix_with_a_mask(tmp_path: Path) -> None:
    with SampleWriter(tmp_path, "go") as writer:
        for size in (5, 7, 9):
            writer.add(samples_with_size(size))
    [batch] = SampleReader([tmp_path], batch=200, shuffle=False, symmetries=False).batches()
    assert not batch.uniform
    assert batch.planes.shape[2:] == (9, 9)
    small = batch.mask.sum(axis=(1, 2, 3)) == 25
    assert small.sum() == 30
    assert (batch.planes[small][:, :, 5:] == 0).all()
    points = batch.policy[small][:, :81].reshape(-1, 9, 9)
    assert (points[:, 5:] == 0).all()
    assert (points[:, :, 5:] == 0).all()
    np.testing.assert_allclose(batch.policy.sum(axis=1), 1, atol=1e-5)


def samples_with_size(size: int) -> GameSamples:
    made = samples_of_game(played("go", 1, size=size), f"{size}")
    assert made is not None
    return made


def test_tags_have_their_share(tmp_path: Path) -> None:
    with SampleWriter(tmp_path, "othello", shard_positions=10_000) as writer:
        for seed in range(10):
            tags = ("high",) if seed < 2 else ("low",) if seed < 8 else ()
            game = samples("othello", seed, tags=tags)
            style = {"high": 1.0, "low": 0.0}.get(tags[0] if tags else "", 0.5)
            writer.add(GameSamples(**{**vars(game), "style": np.full(len(game), style, np.float32)}))
    reader = SampleReader([tmp_path], batch=10, seed=1, ratios={"high": 0.6, "low": 0.3, "*": 0.1})
    batches = reader.batches()
    styles = np.concatenate([next(batches).style for _ in range(30)])
    assert np.mean(styles == 1.0) == pytest.approx(0.6, abs=0.03)
    assert np.mean(styles == 0.5) == pytest.approx(0.1, abs=0.03)


def test_the_window_takes_the_newest(tmp_path: Path) -> None:
    with SampleWriter(tmp_path, "othello", shard_positions=25) as writer:
        for generation in range(5):
            writer.add(samples("othello", generation, generation=generation))
    shards = Manifest.read(tmp_path).shards
    reader = SampleReader([tmp_path], batch=4, window=Window(generations=2))
    assert [shard.last_generation for _, shard in reader.shards] == [3, 4]
    reader = SampleReader([tmp_path], batch=4, window=Window(positions=shards[-1].positions + 1))
    assert [shard.last_generation for _, shard in reader.shards] == [3, 4]
    train = SampleReader([tmp_path], batch=4, window=Window(holdout=3))
    held = SampleReader([tmp_path], batch=4, window=Window(holdout=3), held=True)
    assert [shard.last_generation for _, shard in held.shards] == [2]
    assert len(train.shards) == 4
    assert not set(train.digests) & set(held.digests)


def test_samples_of_another_game_are_refused(tmp_path: Path) -> None:
    write(tmp_path / "a", "othello", range(2))
    write(tmp_path / "b", "uttt", range(2))
    with pytest.raises(BadOption, match="one game"):
        SampleReader([tmp_path / "a", tmp_path / "b"], batch=4)
    with pytest.raises(BadRecord, match="no samples there"):
        SampleReader([tmp_path / "c"], batch=4)
