"""Samples that workers write and the driver counts: the same bytes whoever plays, each game once."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from kibitz.errors import BadOption, BadRequest
from kibitz.files.store import open_store
from kibitz.request import Budget
from kibitz.training.run_state import run_state
from kibitz.training.samples import SampleReader, samples_of_game
from kibitz.training.samples.ledger import Ledger
from kibitz.training.samples.manifest import Manifest
from kibitz.training.selfplay import play_games
from kibitz.training.selfplay_task import SelfplayTask
from kibitz.training.settings import SelfplaySettings
from kibitz.training.shard_run import Place, run_shards
from kibitz.training.shard_task import SampleNames, ShardTask
from tests.object_store import s3_bucket

pq = pytest.importorskip("pyarrow.parquet")

SETTINGS = SelfplaySettings("othello", games=10, budget=Budget(visits=8), seed=5, preset="uct", plies=20)


def run(store: Any, settings: SelfplaySettings = SETTINGS, **more: Any) -> list[int]:
    return list(run_shards(settings, store, shard_games=4, **more))


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("local")
    assert run(folder)[-1] == 10
    return folder


def test_shards_hold_the_games(local: Path) -> None:
    """Against games that were played and turned into samples one by one."""
    manifest = Manifest.read(local)
    manifest.verify(local)
    assert [(shard.first_game, shard.games) for shard in manifest.shards] == [(0, 4), (4, 4), (8, 2)]
    rows = [row for shard in manifest.shards for row in pq.read_table(local / shard.name).to_pylist()]
    games = sorted(play_games(SETTINGS, range(10), processes=0), key=lambda game: game.id)
    made = [samples_of_game(game, f"g0000-{game.id:07d}") for game in games]
    expected = [(one.game_id, int(ply)) for one in made if one is not None for ply in one.ply]
    assert [(row["game_id"], row["ply"]) for row in rows] == expected
    assert sum(shard.outcome["plies"] for shard in manifest.shards) == sum(len(game.moves) for game in games)
    assert not [name for name in files(local) if name.startswith(("lease", "manifest-"))]


@pytest.mark.parametrize("place", [Place(processes=2), Place(parallel=3), Place(threads=2, parallel=2)])
def test_same_bytes_wherever_games_are_played(local: Path, tmp_path: Path, place: Place) -> None:
    assert run(tmp_path, place=place)[-1] == 10
    assert files(tmp_path) == files(local)


def test_same_bytes_in_an_object_store(local: Path) -> None:
    with s3_bucket() as url:
        assert run(url, place=Place(processes=1))[-1] == 10
        store = open_store(url)
        assert {name: store.read(name) for name in store.names()} == files(local)
        readers = [SampleReader([place], batch=8, seed=3, shards_at_once=2) for place in (url, local)]
        for ours, theirs in zip(*(reader.batches() for reader in readers), strict=False):
            assert (ours.planes == theirs.planes).all()
            assert (ours.policy == theirs.policy).all()
            if readers[0]._at is not None and readers[0]._at[0] > 0:
                break


def test_interrupted_run_goes_on(local: Path, tmp_path: Path) -> None:
    steps = run_shards(SETTINGS, tmp_path, shard_games=4)
    assert next(steps) == 0
    counted = next(steps)
    steps.close()
    assert Manifest.read(tmp_path).games == counted
    (tmp_path / "shard-000002-0123456789ab.parquet").write_bytes(b"of a worker that died")
    (tmp_path / "shard-000002-0123456789ab.parquet.1f.tmp").write_bytes(b"half")
    again = run(tmp_path)
    assert (again[0], again[-1]) == (counted, 10)
    assert files(tmp_path) == files(local)
    assert run(tmp_path) == [10]
    with pytest.raises(BadOption, match="another run: games differ"):
        run(tmp_path, SelfplaySettings(**{**vars(SETTINGS), "games": 12}))


DRIVE = """
import sys
sys.path.insert(0, sys.argv[2])
from tests.training.test_shard_run import SETTINGS, Place, run_shards
if __name__ == "__main__":
    for done in run_shards(SETTINGS, sys.argv[1], shard_games=1, place=Place(processes=1)):
        print(done, flush=True)
"""


def test_second_driver_goes_on_after_the_first_was_killed(local: Path, tmp_path: Path) -> None:
    root = str(Path(__file__).parents[2])
    command = [sys.executable, "-c", DRIVE, str(tmp_path / "run"), root]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as first:
        assert first.stdout is not None
        while int(first.stdout.readline()) < 2:
            pass
        first.kill()
    before = Manifest.read(tmp_path / "run")
    assert before.games < 10
    done = list(run_shards(SETTINGS, tmp_path / "run", shard_games=1))
    assert done[0] == before.games
    after = Manifest.read(tmp_path / "run")
    assert [shard.first_game for shard in after.shards] == list(range(10))
    after.verify(tmp_path / "run")
    single = tmp_path / "single"
    list(run_shards(SETTINGS, single, shard_games=1))
    assert files(single) == files(tmp_path / "run")


def test_shard_that_two_drivers_count_counts_once(local: Path, tmp_path: Path) -> None:
    """A driver that was cut off adds its record after the new one has."""
    shards = Manifest.read(local).shards
    with Ledger(tmp_path, "othello") as ledger:
        assert ledger.add(shards[0], now=True)
        assert not ledger.add(shards[0], now=True)
        old = {"format": "kibitz-samples", "version": 1, "shards": [shard.to_dict() for shard in shards[:2]]}
        (tmp_path / "manifest-000009-000000.json").write_text(json.dumps(old))
        assert Manifest.read(tmp_path).shards == shards[:2]


def test_machine_that_does_not_see_the_store_is_refused(tmp_path: Path) -> None:
    task = ShardTask(SelfplayTask(SETTINGS, (), 1), str(tmp_path / "other"), SampleNames())
    with pytest.raises(BadRequest, match="give a folder that all share"):
        task.start()


def test_state_of_a_run(local: Path, tmp_path: Path) -> None:
    """What `kibitz cluster` shows of it, while it is driven and afterwards."""
    told = run_state(local)
    assert (told["game"], told["games"], told["of"], told["shards"]) == ("othello", 10, 10, 3)
    assert told["driver"] is None
    steps = run_shards(SETTINGS, tmp_path, shard_games=4)
    next(steps)
    driver = run_state(tmp_path)["driver"]
    steps.close()
    assert (driver["process"], driver["host"]) == (os.getpid(), socket.gethostname())
