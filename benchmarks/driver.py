"""What a game costs the process that drives a run, in processor time: with samples made by the driver from
games that workers send, and with shards that workers write and the driver counts.

    python benchmarks/driver.py --games 512 --fleet ray

Counted from the first result on, so that starting workers is left out. A game's search is kept short: the
driver's work does not depend on it.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from kibitz.request import Budget
from kibitz.training.samples import SampleWriter, samples_of_game
from kibitz.training.selfplay import play_games
from kibitz.training.settings import SelfplaySettings
from kibitz.training.shard_run import Place, run_shards


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--games", type=int, default=512)
    parser.add_argument("--visits", type=int, default=4)
    parser.add_argument("--shard-games", type=int, default=64)
    parser.add_argument("--fleet", default="", help="ray or ray:ADDRESS")
    parser.add_argument("--processes", type=int, default=1)
    asked = parser.parse_args()
    settings = SelfplaySettings("othello", asked.games, Budget(visits=asked.visits), preset="uct")
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        for name, run in (("driver writes", _sent), ("workers write", _written)):
            games, seconds = run(settings, place / name, asked)
            print(f"{name}: {1e3 * seconds / games:.3f} ms of the driver's CPU time a game ({games} games)")


def _sent(settings: SelfplaySettings, folder: Path, asked: argparse.Namespace) -> tuple[int, float]:
    began, count = 0.0, 0
    with SampleWriter(folder, settings.game) as writer:
        for game in play_games(
            settings, range(settings.games), processes=asked.processes, parallel=8, fleet=asked.fleet
        ):
            began = began or time.process_time()
            samples = samples_of_game(game, str(game.id))
            assert samples is not None
            writer.add(samples)
            count += 1
    return count - 1, time.process_time() - began


def _written(settings: SelfplaySettings, folder: Path, asked: argparse.Namespace) -> tuple[int, float]:
    place = Place(asked.processes, 8, fleet=asked.fleet)
    began, first, done = 0.0, 0, 0
    for done in run_shards(settings, folder, place=place, shard_games=asked.shard_games):
        if done and not began:
            began, first = time.process_time(), done
    return done - first, time.process_time() - began


if __name__ == "__main__":
    main()
